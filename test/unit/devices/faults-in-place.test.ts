/**
 * Every fault of a room shows at the place that its rule names, and leaves the place beside it as it is.
 * For documents, webhooks and HTTP see test/unit/sink/fault-replies and test/unit/wire/fault-proxy.
 *
 *   LEFT  ─ printer, scale ─┐    the same day for both; the rule names LEFT's only:
 *   RIGHT ─ printer, scale ─┴─►  RIGHT's reports are those of a day without a fault
 */

import { beforeAll, describe, expect, it } from 'vitest';

import type { FaultPlan } from '../../../src/common/fault-plan.ts';
import { FORGET_JOB } from '../../../src/devices/computer/crash-points.ts';
import { RoomFaults, ROOM_FAULTS } from '../../../src/devices/room-faults.ts';
import type { RoomDescription } from '../../../src/devices/room.ts';
import { webSocketLink } from '../../../src/link/websocket-link.ts';
import { ServiceRoom } from '../../support/service-room.ts';

const SIDES = ['LEFT', 'RIGHT'] as const;
type Side = (typeof SIDES)[number];
/** The id of a side's computer and of its printer: the left one connects first. */
const ID_OF: Readonly<Record<Side, number>> = { LEFT: 1, RIGHT: 2 };

const TWINS: RoomDescription = {
  computers: SIDES.map((name) => ({
    name,
    printers: [{ profile: 'laser-a4', name: `Laser ${name}` }],
    scales: [{ profile: 'service-test-scale', name: `Scale ${name}` }],
  })),
};

/** What a kind of place is called at one side. */
const PLACE_AT: Readonly<Record<string, (side: Side) => string>> = {
  printer: (side) => `printer/Laser ${side}`,
  scale: (side) => `scale/Scale ${side}`,
  computer: (side) => `computer/${side}`,
  link: (side) => `link/${side}`,
};

/**
 * A job that comes twice can be forgotten (see computer-bad-days); two faults of scales show on a USB bus alone (see
 * usb-bus), those of a printer's connection to an operating system (see hardware/connections).
 */
const SHOWN_ELSEWHERE: readonly string[] = [
  FORGET_JOB,
  'long-report',
  'slow-enumeration',
  'drops-connection',
  'drops-answer',
  'one-connection',
  'small-buffer',
  'refuses-pdf',
  'slow-connection',
];
const CASES = Object.entries(ROOM_FAULTS).flatMap(([kind, faults]) =>
  Object.keys(faults)
    .filter((fault) => !SHOWN_ELSEWHERE.includes(fault))
    .map((fault) => [kind, fault] as const),
);

interface Day {
  /** What an onlooker wrote down of each side, in order. */
  readonly seen: Readonly<Record<Side, readonly unknown[]>>;
  /** Where the fault happened. */
  readonly places: readonly string[];
}

async function dayWith(rule?: { readonly at: string; readonly fault: string }): Promise<Day> {
  await using workbench = await ServiceRoom.make({
    description: TWINS,
    link: ({ clock }, faults) => webSocketLink({ clock, faults }),
  });
  for (const side of SIDES) await workbench.room.computer(side).connect();
  const { clock } = workbench.service;
  const onlooker = new Onlooker(workbench);
  const faults = new RoomFaults((name) => [workbench.room.printer(name)], workbench.faults, clock);
  // A computer that died at every job would never be done.
  if (rule) faults.add({ ...rule, ...(rule.at.startsWith('computer/') && { times: 1 }) });

  for (const side of SIDES) onlooker.job(side, await workbench.submit(ID_OF[side]));
  for (const wait of ['100ms', '10s', '5m']) {
    await clock.advance(wait);
    await onlooker.look();
  }
  for (const scale of workbench.room.scales) scale.load(500_000_000);
  for (const wait of ['50ms', '700ms']) {
    await clock.advance(wait);
    await onlooker.look();
  }
  for (const scale of workbench.room.scales) scale.unplug();
  for (const scale of workbench.room.scales) scale.plug();
  await onlooker.look();
  for (const computer of workbench.room.computers) computer.cut();
  await clock.advance('50ms');
  await onlooker.look();
  await clock.advance('5m');
  for (const side of SIDES) onlooker.job(side, await workbench.submit(ID_OF[side]));
  await clock.advance('1m');
  await onlooker.look();
  return { seen: onlooker.seen, places: placesOf(workbench.faults) };
}

function placesOf(plan: FaultPlan): string[] {
  return [...new Set(plan.log.map(({ place }) => place.split('/').slice(0, 2).join('/')))];
}

class Onlooker {
  readonly seen: Record<Side, unknown[]> = { LEFT: [], RIGHT: [] };
  readonly #workbench: ServiceRoom;
  readonly #jobs: Record<Side, number[]> = { LEFT: [], RIGHT: [] };
  readonly #beganMs: number;

  constructor(workbench: ServiceRoom) {
    this.#workbench = workbench;
    this.#beganMs = workbench.service.clock.now();
  }

  job(side: Side, id: number): void {
    this.#jobs[side].push(id);
  }

  async look(): Promise<void> {
    for (const side of SIDES) this.seen[side].push(await this.#sideOf(side));
  }

  async #sideOf(side: Side): Promise<unknown> {
    const { room, service } = this.#workbench;
    const printer = room.printer(`Laser ${side}`);
    const id = ID_OF[side];
    const jobs = await Promise.all(
      this.#jobs[side].map(async (job) => ({
        states: (await this.#workbench.timeline(job)).map(({ state, createTimestamp }) => [
          state,
          Date.parse(createTimestamp) - this.#beganMs,
        ]),
        printed: this.#workbench.printed(job),
      })),
    );
    const computers = await service.call('GET', `/computers/${id}`);
    const printers = await service.call('GET', `/computers/${id}/printers`);
    const scales = await service.call('GET', `/computer/${id}/scales`);
    return {
      jobs,
      connected: [room.computer(side).connected, pick(computers.body, 'state')],
      printer: [printer.faults, pick(printers.body, 'state')],
      scale: [pick(scales.body, 'mass'), pick(scales.body, 'clientReportedCreateTimestamp')],
    };
  }
}

function pick(body: unknown, key: string): unknown {
  return (body as readonly Record<string, unknown>[]).map((record) => record[key]);
}

describe('a fault of a room', () => {
  let sound: Day;
  beforeAll(async () => {
    sound = await dayWith();
  });

  it.each(CASES)('%s: %s shows there and nowhere else', async (kind, fault) => {
    const at = PLACE_AT[kind]?.('LEFT') ?? 'nobody said where';
    const day = await dayWith({ at, fault });
    expect(day.places).toEqual([at]);
    expect(day.seen.RIGHT).toEqual(sound.seen.RIGHT);
    expect(day.seen.LEFT).not.toEqual(sound.seen.LEFT);
  });
});
