/**
 * Day processes: players that are processes of their own, one a core.
 */

import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { siblingModule } from '../common/sibling-module.ts';
import type { DrawOptions } from './draw/draw-day.ts';
import type { Player } from './explore.ts';
import type { PlayedDay } from './play-day.ts';

export interface DayOrder {
  readonly seed: number;
  readonly draw: DrawOptions;
}

export type DayReply = { readonly seed: number } & ({ readonly played: PlayedDay } | { readonly error: string });

interface Waiting {
  readonly resolve: (day: PlayedDay) => void;
  readonly reject: (error: Error) => void;
}

export class DayProcesses implements Disposable {
  readonly players: readonly Player[];
  readonly #children: readonly ChildProcess[];

  constructor(count: number, draw: DrawOptions) {
    this.#children = Array.from({ length: count }, () =>
      fork(fileURLToPath(siblingModule(import.meta.url, 'day-process')), {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        serialization: 'advanced',
      }),
    );
    this.players = this.#children.map((child) => playerIn(child, draw));
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.disconnect();
  }
}

function playerIn(child: ChildProcess, draw: DrawOptions): Player {
  const waiting = new Map<number, Waiting>();
  child.on('message', (reply: DayReply) => {
    const one = waiting.get(reply.seed);
    waiting.delete(reply.seed);
    if ('played' in reply) one?.resolve(reply.played);
    else one?.reject(new Error(`day ${reply.seed}: ${reply.error}`));
  });
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`a process that played days ended with ${code}`));
  });
  return (seed) =>
    new Promise((resolve, reject) => {
      waiting.set(seed, { resolve, reject });
      child.send({ seed, draw } satisfies DayOrder);
    });
}
