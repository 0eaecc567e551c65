/**
 * Fleet: the computers of one process of a load, each known by its number among all computers of the plan.
 *
 *   computers of this process's accounts ─► Room ─► ramp ═══ service
 *                                             │
 *                                             └─► room observer, behaviours, chaos events
 *
 * Chance, the time of the first connection and the source address follow from the global index: a fleet in eight
 * processes does the same as in one. Printers keep no printouts.
 */

import { availableParallelism } from 'node:os';

import { ActionableError } from '../../common/actionable-error.ts';
import { sleep, type Clock } from '../../common/clock.ts';
import type { FaultPlan } from '../../common/fault-plan.ts';
import type { Random } from '../../common/random.ts';
import { startStopwatch } from '../../common/stopwatch.ts';
import type { VirtualComputer } from '../../devices/computer/computer.ts';
import type { ObservedPrinter, RoomObserver } from '../../devices/printer/room-observer.ts';
import type { Profiles } from '../../devices/profiles.ts';
import { Room, type RoomDescription } from '../../devices/room.ts';
import { linesOf, type DeviceLink, type LinkCredential, type LinkFailure } from '../../link/device-link.ts';
import type { BehaviourName } from '../plan/load-scenario.ts';
import { vanDerCorput } from '../plan/draws.ts';
import type { PlannedComputer } from '../plan/planned-room.ts';
import { BehaviourPlayer, type Act } from './behaviour-player.ts';
import { BEHAVIOURS } from './behaviours.ts';

/** A computer of the plan, with its devices. */
export interface FleetComputer
  extends
    Pick<PlannedComputer, 'index' | 'account' | 'name' | 'firstPrinter'>,
    Pick<RoomDescription['computers'][number], 'printers' | 'scales'> {
  readonly behaviour?: BehaviourName | undefined;
}

/** A printer of the fleet, as the ledger knows it. */
export interface FleetPrinter {
  /** Its number among all printers of the plan. */
  readonly number: number;
  readonly account: number;
}

export interface FleetOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly link: DeviceLink;
  readonly serviceUrl: string;
  /** How long printing takes; 0, no time at all, unless given. */
  readonly timeScale?: number | undefined;
  /** The longest wait of a computer before it tries again to connect; 30 s unless given. */
  readonly longestBackoffMs?: number | undefined;
  readonly credentialOf: (account: number) => LinkCredential;
  /** Source addresses, taken in turn by global index; the system chooses when empty. */
  readonly sources: readonly string[];
  /** Those that ship unless given. */
  readonly profiles?: Profiles | undefined;
  readonly observer?: RoomObserver | undefined;
  readonly faults?: FaultPlan | undefined;
  readonly onAct?: ((act: Act) => void) | undefined;
}

export interface Ramp {
  /** Computers a second, of the whole plan. */
  readonly ratePerSecond: number;
  /** Computers of the whole plan. */
  readonly ofAll: number;
  /** How long after the end of the ramp the last one may take to connect. */
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How many may be connecting at the same time; a client program with its print system keeps a core busy. */
const MOST_CONNECTING = { link: 256, program: availableParallelism() };
const LOOK_EVERY_MS = 5;
const CLIENT_VERSION = '4.27.8';

export class Fleet {
  readonly room: Room;
  readonly #computers: readonly FleetComputer[];
  readonly #options: FleetOptions;
  readonly #printers = new Map<ObservedPrinter, FleetPrinter>();
  readonly #behaviours: BehaviourPlayer;
  #isClosed = false;

  /** @throws ActionableError when a computer names a profile that does not exist */
  constructor(computers: readonly FleetComputer[], options: FleetOptions) {
    this.#computers = computers;
    this.#options = options;
    const { clock, random, timeScale = 0, onAct } = options;
    this.room = new Room(describe(computers, options), {
      ...options,
      random: random.stream('room'),
      credential: { kind: 'api-key', key: '' },
      timeScale,
      trayCapacity: 0,
    });
    const drawSeed = random.stream('behaviours').integer(0, 0x7fffffff);
    this.#behaviours = new BehaviourPlayer({ clock, drawSeed, onAct });
    for (const [place, computer] of this.room.computers.entries()) this.#number(computer, computers[place]);
  }

  get size(): number {
    return this.#computers.length;
  }

  /** How many of them are connected now. */
  get connected(): number {
    return this.room.computers.reduce((sum, computer) => sum + Number(computer.connected), 0);
  }

  /** Every computer with its place in the plan. */
  *members(): Iterable<readonly [FleetComputer, VirtualComputer]> {
    for (const [place, computer] of this.#computers.entries()) {
      const virtual = this.room.computers[place];
      if (virtual) yield [computer, virtual];
    }
  }

  /** What the plan calls a printer; undefined for one that was added later. */
  printer(printer: ObservedPrinter): FleetPrinter | undefined {
    return this.#printers.get(printer);
  }

  /** Connects all computers at the rate of the ramp; resolves when the service knows them. @throws ActionableError */
  async connect({ ratePerSecond, ofAll, limitMs, signal }: Ramp): Promise<void> {
    const rampMs = (ofAll / ratePerSecond) * 1_000;
    const order = [...this.members()]
      .map(([{ index }, computer]) => ({ computer, dueMs: vanDerCorput(index) * rampMs }))
      .toSorted((a, b) => a.dueMs - b.dueMs);
    const elapsedMs = startStopwatch();
    const connecting = new Set<VirtualComputer>();
    const atOnce = MOST_CONNECTING[this.#options.link.program ? 'program' : 'link'];
    for (const { computer, dueMs } of order) {
      while (elapsedMs() < dueMs || connecting.size >= atOnce) await sleep(this.#options.clock, LOOK_EVERY_MS, signal);
      connecting.add(computer);
      void this.#connectOne(computer).finally(() => connecting.delete(computer));
    }
    const deadlineMs = elapsedMs() + limitMs;
    while (connecting.size > 0 || this.connected < this.size) {
      this.#stopIfHopeless();
      if (elapsedMs() > deadlineMs) throw this.#notAllConnected(limitMs);
      await sleep(this.#options.clock, 10 * LOOK_EVERY_MS, signal);
    }
  }

  live(): void {
    for (const [{ index, behaviour = 'steady' }, computer] of this.members()) {
      this.#behaviours.play(BEHAVIOURS[behaviour], computer, index);
    }
  }

  /** Ends the behaviours; devices stay as they are. */
  rest(): void {
    this.#behaviours.close();
  }

  /** Repairs every printer, so that waiting jobs come out. */
  repair(): void {
    for (const printer of this.room.printers) if (printer.faults.length > 0) printer.clear();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.rest();
    await this.room.close();
  }

  #number(computer: VirtualComputer, member: FleetComputer | undefined): void {
    if (!member) return;
    for (const [at, printer] of computer.printers.entries()) {
      this.#printers.set(printer, { number: member.firstPrinter + at, account: member.account });
    }
  }

  /** A computer whose first try fails goes on trying by itself. */
  async #connectOne(computer: VirtualComputer): Promise<void> {
    try {
      await computer.connect();
    } catch {
      if (!this.#isClosed) computer.start();
    }
  }

  /** What another try will not change ends the run at once, as long as no computer is connected. */
  #stopIfHopeless(): void {
    if (this.connected > 0) return;
    for (const { lastFailure } of this.room.computers) {
      const hint = lastFailure && HINTS[lastFailure.reason];
      if (lastFailure && hint !== undefined) throw new ActionableError('unreachable', linesOf(lastFailure), hint);
    }
  }

  #notAllConnected(limitMs: number): ActionableError {
    const missing = this.room.computers.filter(({ connected }) => !connected);
    const reason = missing.find(({ lastFailure }) => lastFailure)?.lastFailure?.message ?? 'nothing yet';
    return new ActionableError(
      'unreachable',
      `${missing.length} of ${this.size} computers were not connected ${limitMs / 1_000} s after the ramp; one heard: ${reason}`,
      'Lower room.connect.rate, or look at what the service says about connections of its link.',
    );
  }
}

/** What to do about failures that stay. */
const HINTS: Partial<Record<LinkFailure['reason'], string>> = {
  unauthorized: 'Give a key that the service knows, with --key or in the target descriptor.',
  'no-common-version': 'The service has to speak the version of the link that docs/device-link.md describes.',
  'no-link':
    'The service does not speak the device link of platen. Give --link a module that connects computers in its own way, ' +
    'or `client:` in the target descriptor.',
};

/** The computers as a room; those of one account share its credential. */
function describe(computers: readonly FleetComputer[], { credentialOf, sources }: FleetOptions): RoomDescription {
  const credentials = new Map<number, LinkCredential>();
  const credentialFor = (account: number): LinkCredential => {
    const known = credentials.get(account) ?? credentialOf(account);
    credentials.set(account, known);
    return known;
  };
  return {
    computers: computers.map(({ index, account, name, printers, scales }) => {
      const localAddress = sources[index % sources.length];
      return {
        number: index + 1,
        name,
        version: CLIENT_VERSION,
        credential: credentialFor(account),
        localAddress,
        printers,
        ...(scales && { scales }),
      };
    }),
  };
}
