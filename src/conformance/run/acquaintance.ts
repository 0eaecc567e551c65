/**
 * Acquaintance with a target before a run of another kind than checks: what time it is there, and how it answers what
 * the specification leaves open.
 */

import { createHttpSender } from '../../wire/http-exchange.ts';
import { messageOf } from '../../common/error-message.ts';
import type { GivenDialect, QuestionId } from '../../targets/dialect.ts';
import type { Target } from '../../targets/target.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { createTurns } from '../context/pacing.ts';
import { createDialect } from '../dialect/dialect.ts';
import { inProbe, type ProbesOptions } from './probes.ts';
import { askTime, keepingTime, TIME_QUESTIONS } from './service-time.ts';

export interface Acquaintance {
  /** The answers that were given or could be found out. */
  readonly dialect: GivenDialect;
  /** What could not be found out or removed, a sentence each. */
  readonly problems: readonly string[];
}

/**
 * What keeps the time of a target whose clock a hook moves: asks for it again where it has become less exact. Nothing
 * for other targets.
 */
export function timeKept(target: Target, runTag: string): () => Promise<void> {
  const { moved } = target.timekeeper;
  if (!moved) return () => Promise.resolve();
  return keepingTime(moved, (time) =>
    withProbe(target, `${runTag}-${time}`, (probe) => askTime(probe, moved, TIME_QUESTIONS.again)),
  );
}

/** Sets the clock that moves the target's, and asks those of the questions that the descriptor leaves open. */
export async function acquaint(
  target: Target,
  questions: readonly QuestionId[],
  runTag: string,
): Promise<Acquaintance> {
  const { moved } = target.timekeeper;
  return withProbe(target, runTag, async (probe) => {
    const { dialect } = probe;
    const problems = moved ? [...(await askTime(probe, moved))] : [];
    for (const question of questions)
      await inProbe(probe, question, problems, ({ speak }) => speak(question)).catch((error: unknown) => {
        if (!(error instanceof CheckEnded)) throw error;
        problems.push(messageOf(error));
      });
    const answers = (await dialect.lines()).map(({ question, answer }) => [question, answer]);
    return { dialect: Object.fromEntries(answers), problems: [...problems, ...dialect.leftBehind] };
  });
}

/** Asks a target something before a run, as a check would. */
export async function withProbe<Value>(
  target: Target,
  runTag: string,
  use: (probe: ProbesOptions) => Promise<Value>,
): Promise<Value> {
  const { clock, timekeeper, requestsPerSecond } = target;
  const sender = createHttpSender({ clock });
  const turns = createTurns({ timekeeper, requestsPerSecond, senders: [sender] });
  try {
    return await use({ target, sender, turns, runTag, dialect: createDialect(target.dialect ?? {}, runTag) });
  } finally {
    await sender.close();
  }
}
