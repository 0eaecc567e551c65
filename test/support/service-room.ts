/**
 * A room connected to a reference service over real sockets, on one virtual clock, with a fault plan.
 */

import { systemClock } from '../../src/common/clock.ts';
import { FaultPlan } from '../../src/common/fault-plan.ts';
import { createRandom } from '../../src/common/random.ts';
import type { VirtualComputer } from '../../src/devices/computer/computer.ts';
import { Room, type RoomDescription } from '../../src/devices/room.ts';
import type { DeviceLink } from '../../src/link/device-link.ts';
import { webSocketLink } from '../../src/link/websocket-link.ts';
import { FIRST_KEY, runService, type RunningService } from './running-service.ts';

export const DESK: RoomDescription = {
  computers: [{ name: 'DESK', printers: [{ profile: 'laser-a4', name: 'Laser' }] }],
};

/** A desk on real time that somebody else connects to a service. */
export async function connectDesk(serviceUrl: string, key: string): Promise<Room> {
  const room = new Room(DESK, {
    clock: systemClock,
    random: createRandom(1),
    link: webSocketLink({ clock: systemClock }),
    serviceUrl,
    credential: { kind: 'api-key', key },
    timeScale: 0,
  });
  await room.connect();
  return room;
}

interface JobState {
  readonly state: string;
  readonly message: string | null;
  readonly createTimestamp: string;
}

interface ServiceRoomOptions {
  readonly description?: RoomDescription;
  readonly seed?: number;
  readonly link?: (service: RunningService, faults: FaultPlan) => DeviceLink;
}

export class ServiceRoom implements AsyncDisposable {
  readonly service: RunningService;
  readonly faults: FaultPlan;
  readonly room: Room;

  private constructor(service: RunningService, options: ServiceRoomOptions) {
    const { clock } = service;
    const random = createRandom(options.seed ?? 1);
    this.service = service;
    this.faults = new FaultPlan(clock, random.stream('faults'));
    this.room = new Room(options.description ?? DESK, {
      clock,
      random: random.stream('room'),
      link: options.link?.(service, this.faults) ?? webSocketLink({ clock }),
      serviceUrl: service.url,
      credential: { kind: 'api-key', key: FIRST_KEY },
      faults: this.faults,
    });
  }

  /** A service and a room that is not connected yet. */
  static async make(options: ServiceRoomOptions = {}): Promise<ServiceRoom> {
    return new ServiceRoom(await runService(), options);
  }

  /** A service and a room that is connected. */
  static async open(options: ServiceRoomOptions = {}): Promise<ServiceRoom> {
    const opened = await ServiceRoom.make(options);
    await opened.room.connect();
    return opened;
  }

  get desk(): VirtualComputer {
    return this.room.computer('DESK');
  }

  /** Submits three bytes for a printer. @returns the id of the job */
  async submit(printerId = 1, options: Record<string, unknown> = {}): Promise<number> {
    const body = { printerId, contentType: 'raw_base64', content: 'QUJD', options };
    return (await this.service.call('POST', '/printjobs', { body })).body as number;
  }

  /** Submits, and lets all come to rest. */
  async print(printerId = 1): Promise<number> {
    const id = await this.submit(printerId);
    await this.service.clock.settle();
    return id;
  }

  async states(jobId: number): Promise<string[]> {
    return (await this.timeline(jobId)).map(({ state }) => state);
  }

  async timeline(jobId: number): Promise<JobState[]> {
    const { body } = await this.service.call('GET', `/printjobs/${jobId}/states`);
    return (body as JobState[][])[0] ?? [];
  }

  /** Names and states of the computer's printers at the service. */
  async printers(): Promise<string[]> {
    const { body } = await this.service.call('GET', '/printers');
    return (body as { name: string; state: string | null }[]).map(({ name, state }) => `${name}: ${state}`);
  }

  /** How many times a job came out. */
  printed(jobId: number): number {
    return this.room.printouts(jobId).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.room.close();
    await this.service[Symbol.asyncDispose]();
  }
}
