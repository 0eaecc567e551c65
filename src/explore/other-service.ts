/**
 * Other service: one that is not the reference service, met before days are played on it: its time, and how it answers
 * what days build on and the specification leaves open.
 */

import { systemClock } from '../common/clock.ts';
import { createRandom } from '../common/random.ts';
import { acquaint, timeKept } from '../conformance/run/acquaintance.ts';
import { refuseStoppedClock } from '../conformance/run/stopped-clock.ts';
import type { QuestionId } from '../targets/dialect.ts';
import type { Target } from '../targets/target.ts';
import type { Elsewhere, Reach } from './draw/draft.ts';
import { stageOn } from './embedded-stage.ts';
import type { Stage } from './play-day.ts';

/** What days and their judges have to know. */
const QUESTIONS = [
  'message-types',
  'new-key',
  'api-key-body',
  'tag-body',
  'simulated-reading',
] as const satisfies readonly QuestionId[];
/** What they have to know to submit jobs. */
const JOB_QUESTIONS = ['job-id', 'least-expire-after'] as const satisfies readonly QuestionId[];

export interface OtherService {
  readonly elsewhere: Elsewhere;
  /** Where days are played on it; it stays open. */
  readonly stage: Stage;
  /** How many days it has at the same time. */
  readonly sideBySide: number;
  /** What could not be found out, a sentence each. */
  readonly problems: readonly string[];
}

/**
 * Days in real time wait most of it, so several do at once: each in a Child Account, or in rooms that know nothing of
 * each other. A clock that a hook moves moves for all.
 */
function daysSideBySide({ isOnRealTime, isIntegrator }: Elsewhere): number {
  if (!isOnRealTime) return 1;
  return isIntegrator ? 16 : 4;
}

/** @throws ActionableError of kind usage when its clock stands still */
export async function meetService(target: Target, signal?: AbortSignal): Promise<OtherService> {
  const runTag = createRandom(systemClock.now()).hex(8);
  await refuseStoppedClock(target, runTag);
  const reach = reachOf(target);
  const questions = reach === 'nothing' ? QUESTIONS : [...QUESTIONS, ...JOB_QUESTIONS];
  const { dialect, problems } = await acquaint(target, questions, runTag);
  const elsewhere = {
    dialect,
    isOnRealTime: !target.timekeeper.isVirtual,
    hasSecondAccount: target.secondApiKey !== undefined,
    isIntegrator: target.isIntegrator === true,
    reach,
    isRestartable: target.restart !== undefined,
  };
  // On platen's own link a day can make messages go wrong: it opens that itself.
  const link = reach === 'own-link' ? undefined : target.link;
  const played = { ...target, dialect: { ...target.dialect, ...dialect }, link, close: () => Promise.resolve() };
  const keepTime = timeKept(played, runTag);
  const stage = stageOn(async () => {
    await keepTime();
    return played;
  }, signal);
  return { elsewhere, problems, stage, sideBySide: daysSideBySide(elsewhere) };
}

function reachOf({ linkName, link, usePrinter }: Target): Reach {
  if (linkName === 'websocket') return 'own-link';
  if (link) return link.program ? 'client' : 'other-link';
  return usePrinter === undefined ? 'nothing' : 'printer';
}
