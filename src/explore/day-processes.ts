/**
 * Day processes: players that are processes of their own, one a core. One that is kept busy by its day for good is
 * ended, and another takes its place.
 */

import type { ChildProcess } from 'node:child_process';

import { startModule } from '../common/child-module.ts';
import { durationMs, type Duration } from '../common/duration.ts';
import { siblingModule } from '../common/sibling-module.ts';
import { WaitExpired, within } from '../common/waiter.ts';
import { newDataName, removeDataOf } from '../targets/embedded.ts';
import type { DayOrder, DayReply } from './day-process.ts';
import type { DrawOptions } from './draw/draw-day.ts';
import type { Player } from './explore.ts';
import { DAY_LIMITS, dayWithoutEnd, type PlayedDay } from './play-day.ts';

export interface DayProcessesOptions {
  readonly count: number;
  readonly draw: DrawOptions;
  /** In real time: a process whose day takes longer is ended, and another takes its place. */
  readonly limit?: Duration | undefined;
}

/** Longer than a day that can still be given up by its own process. */
const STUCK_AFTER = 2 * durationMs(DAY_LIMITS.virtual);
/** Each core has a process: threads that collect garbage beside it only take turns with the others. */
const NODE_FLAGS = ['--single-threaded-gc'];

export class DayProcesses implements Disposable {
  readonly players: readonly Player[];
  readonly #processes: readonly DayProcess[];

  constructor({ count, draw, limit = STUCK_AFTER }: DayProcessesOptions) {
    this.#processes = Array.from({ length: count }, () => new DayProcess(draw, limit));
    this.players = this.#processes.map((process) => (seed) => process.play(seed));
  }

  [Symbol.dispose](): void {
    for (const process of this.#processes) process.end();
  }
}

class DayProcess {
  readonly #draw: DrawOptions;
  readonly #limit: Duration;
  #started = start();

  constructor(draw: DrawOptions, limit: Duration) {
    this.#draw = draw;
    this.#limit = limit;
  }

  async play(seed: number): Promise<PlayedDay> {
    const { child, dataName } = this.#started;
    const reply = replyOf(child, seed);
    child.send({ seed, draw: this.#draw, dataName } satisfies DayOrder);
    try {
      return await within(reply, { description: 'the end of a day', limit: this.#limit });
    } catch (error) {
      if (!(error instanceof WaitExpired)) throw error;
      child.kill('SIGKILL');
      this.#started = start();
      return { ...dayWithoutEnd(this.#limit), isStuck: true };
    }
  }

  end(): void {
    // It may be in the middle of a day.
    this.#started.child.kill('SIGKILL');
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly dataName: string;
}

function start(): Started {
  const dataName = newDataName();
  const child = startModule(siblingModule(import.meta.url, 'day-process'), NODE_FLAGS);
  // One that is killed removes nothing itself.
  child.once('exit', () => removeDataOf(dataName));
  return { child, dataName };
}

/** A process plays one day at a time. */
function replyOf(child: ChildProcess, seed: number): Promise<PlayedDay> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`a process that played days ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (reply: DayReply) => {
      child.off('exit', ended);
      if ('played' in reply) resolve(reply.played);
      else reject(new Error(`day ${seed}: ${reply.error}`));
    });
  });
}
