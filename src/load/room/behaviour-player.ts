/**
 * Behaviour player: does what behaviours say to the devices of a fleet, with one timer for all of them.
 *
 *   device × habit ─► due queue ─► timer for the first ─► weigh, jam, clear, restart, drop ─► …
 *
 * Draws depend on the device's global index and on how often the habit has occurred: a device behaves the same in
 * any process. The van der Corput sequence spreads the first occurrences.
 */

import type { Clock, Timer } from '../../common/clock.ts';
import { DueQueue } from '../../common/due-queue.ts';
import { createRandom, type Random } from '../../common/random.ts';
import type { VirtualComputer } from '../../devices/computer/computer.ts';
import { draw32, vanDerCorput } from '../plan/draws.ts';
import type { Behaviour } from './behaviours.ts';

interface BehaviourPlayerOptions {
  readonly clock: Clock;
  readonly drawSeed: number;
  /** Called with everything that it does. */
  readonly onAct?: ((act: Act) => void) | undefined;
}

export interface Act {
  /** Global index of the computer. */
  readonly computer: number;
  /** `weigh`, `restart`, `drop`, or the fault of a printer. */
  readonly what: string;
  /** How often it has happened to this device, from 1. */
  readonly time: number;
}

/** A habit of a device. */
interface Routine {
  readonly what: string;
  readonly everyMs: number;
  /** Does it. @returns how long it lasts, and what ends it */
  readonly begin: (chance: Random) => { readonly forMs: number; readonly end?: () => void };
}

export class BehaviourPlayer {
  readonly #options: BehaviourPlayerOptions;
  readonly #due = new DueQueue();
  #timer: Timer | undefined;
  #timerDueMs = Infinity;
  #isClosed = false;

  constructor(options: BehaviourPlayerOptions) {
    this.#options = options;
  }

  /** Starts a behaviour at a computer. @param index - its global index, from 0 */
  play(behaviour: Behaviour, computer: VirtualComputer, index: number): void {
    for (const [number, routine] of routinesOf(behaviour, computer).entries()) {
      const chance = createRandom(draw32(this.#options.drawSeed, index, number));
      this.#at(this.#now() + vanDerCorput(index) * routine.everyMs, () => this.#do(routine, chance, index, 1));
    }
    this.#arm();
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #do(routine: Routine, chance: Random, computer: number, time: number): void {
    const { what, everyMs } = routine;
    const { forMs, end } = routine.begin(chance);
    this.#options.onAct?.({ computer, what, time });
    const endMs = this.#now() + forMs;
    if (end) this.#at(endMs, end);
    this.#at(endMs + around(everyMs, chance), () => this.#do(routine, chance, computer, time + 1));
  }

  #now(): number {
    return this.#options.clock.now();
  }

  #at(dueMs: number, task: () => void): void {
    this.#due.add(dueMs, task);
  }

  #arm(): void {
    const next = this.#due.peek();
    if (this.#isClosed || !next || next.dueMs >= this.#timerDueMs) return;
    this.#timer?.cancel();
    this.#timerDueMs = next.dueMs;
    this.#timer = this.#options.clock.schedule(next.dueMs - this.#now(), () => this.#drain());
  }

  #drain(): void {
    this.#timerDueMs = Infinity;
    while ((this.#due.peek()?.dueMs ?? Infinity) <= this.#now()) this.#due.take()?.task();
    this.#arm();
  }
}

function routinesOf(behaviour: Behaviour, computer: VirtualComputer): Routine[] {
  return [
    ...weighings(behaviour, computer),
    ...troubles(behaviour, computer),
    ...restarts(behaviour, computer),
    ...drops(behaviour, computer),
  ];
}

function weighings({ weighing }: Behaviour, computer: VirtualComputer): Routine[] {
  if (!weighing) return [];
  const [least, most] = weighing.grams;
  return computer.scales.map((scale) => ({
    what: 'weigh',
    everyMs: weighing.everyMs,
    begin(chance) {
      scale.plug();
      scale.load(chance.integer(least, most) * 1_000_000);
      return { forMs: around(weighing.forMs, chance), end: () => scale.load(0) };
    },
  }));
}

function troubles({ troubles: all = [] }: Behaviour, computer: VirtualComputer): Routine[] {
  return computer.printers.flatMap((printer) =>
    all.map(({ fault, everyMs, forMs }) => ({
      what: fault,
      everyMs,
      begin(chance: Random) {
        printer.fail(fault);
        return { forMs: around(forMs, chance), end: () => printer.clear(fault) };
      },
    })),
  );
}

function restarts({ restart }: Behaviour, computer: VirtualComputer): Routine[] {
  if (!restart) return [];
  const begin: Routine['begin'] = (chance) => {
    const downMs = around(restart.forMs, chance);
    computer.crash({ downMs });
    return { forMs: downMs };
  };
  return [{ what: 'restart', everyMs: restart.everyMs, begin }];
}

function drops({ drop }: Behaviour, computer: VirtualComputer): Routine[] {
  if (!drop) return [];
  const begin: Routine['begin'] = () => {
    computer.cut();
    return { forMs: 0 };
  };
  return [{ what: 'drop', everyMs: drop.everyMs, begin }];
}

/** Between half and one and a half times the mean. */
function around(meanMs: number, chance: Random): number {
  return meanMs * (0.5 + chance.fraction());
}
