/**
 * Plays the attacks of a table, and tells of each what was seen.
 */

import { messageOf } from '../../src/common/error-message.ts';
import type { Attack, AttackTable } from './attack.ts';
import { AttackedBench } from './attacked-bench.ts';

export interface PlayedAttack {
  readonly attack: Attack;
  readonly seen: string;
  /** How long another request waited at worst meanwhile; undefined for one against a command. */
  readonly worstDelayMs: number | undefined;
}

/** Commands wait for files and sockets: four at once keep two cores busy. */
const COMMANDS_AT_ONCE = 4;

/** @param took - hears of each as soon as it is over */
export async function playAttacks(
  { against, flags, attacks }: AttackTable,
  took: (played: PlayedAttack) => void,
): Promise<void> {
  await using bench = await AttackedBench.start(flags);
  if (against === 'bench') {
    for (const attack of attacks) took(await playMeasured(attack, bench));
    return;
  }
  const left = [...attacks];
  const playNext = async (): Promise<void> => {
    for (let attack = left.shift(); attack; attack = left.shift()) {
      took({ attack, seen: await seenOf(attack, bench), worstDelayMs: undefined });
    }
  };
  await Promise.all(Array.from({ length: COMMANDS_AT_ONCE }, playNext));
}

async function playMeasured(attack: Attack, bench: AttackedBench): Promise<PlayedAttack> {
  let seen = '';
  const worstDelayMs = await bench.worstDelayMs(async () => {
    seen = await seenOf(attack, bench);
  });
  return { attack, seen, worstDelayMs };
}

/** An attack that does not come to its end has shown something, too. */
async function seenOf({ play }: Attack, bench: AttackedBench): Promise<string> {
  return play(bench).catch((error: unknown) => `ended with: ${messageOf(error)}`);
}
