/**
 * Day process: plays days on reference services of its own, each from the seed that it is sent, and sends back what
 * came of it.
 */

import { messageOf } from '../common/error-message.ts';
import type { DrawOptions } from './draw/draw-day.ts';
import { embeddedStage } from './embedded-stage.ts';
import { playerOn } from './explore.ts';
import type { PlayedDay, Stage } from './play-day.ts';

export interface DayOrder {
  readonly seed: number;
  readonly draw: DrawOptions;
  /** The same in each order: its parent removes what the process leaves under this name. */
  readonly dataName: string;
}

export type DayReply = { readonly seed: number } & ({ readonly played: PlayedDay } | { readonly error: string });

let stage: Stage | undefined;

process.on('message', (order: DayOrder) => {
  void reply(order);
});
// Without its parent it has no one to play for.
process.on('disconnect', () => process.exit());

async function reply({ seed, draw, dataName }: DayOrder): Promise<void> {
  let answer: DayReply;
  try {
    stage ??= embeddedStage(dataName);
    answer = { seed, played: await playerOn(stage, draw)(seed) };
  } catch (error) {
    answer = { seed, error: messageOf(error) };
  }
  process.send?.(answer);
}
