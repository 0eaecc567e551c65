/**
 * Day process: plays days on reference services of its own, each from the seed that it is sent, and sends back what
 * came of it.
 */

import { messageOf } from '../common/error-message.ts';
import { playerOn } from './explore.ts';
import type { DayOrder, DayReply } from './day-processes.ts';
import { embeddedStage } from './embedded-stage.ts';

const stage = embeddedStage();

process.on('message', ({ seed, draw }: DayOrder) => {
  void reply(seed, draw);
});
// Without its parent it has no one to play for.
process.on('disconnect', () => process.exit());

async function reply(seed: number, draw: DayOrder['draw']): Promise<void> {
  let answer: DayReply;
  try {
    answer = { seed, played: await playerOn(stage, draw)(seed) };
  } catch (error) {
    answer = { seed, error: messageOf(error) };
  }
  process.send?.(answer);
}
