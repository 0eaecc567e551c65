/**
 * Moved-time trial: what of a service follows when platen moves its time from outside, asked before a run. A service
 * that follows only in part has rules that would seem broken.
 *
 *   clock     what it shows as its time goes on by as much
 *   expiry    a job that is due is expired
 *   retries   a webhook that failed is sent again
 *
 * What does not happen on moved time may be a rule that is broken, and not time that does not follow. So it is waited
 * for once more in real time: only what comes then did not follow.
 */

import { sleep, systemClock } from '../../common/clock.ts';
import { durationMs, formatDuration } from '../../common/duration.ts';
import type { TimedRule } from '../../common/timekeeper.ts';
import { startStopwatch } from '../../common/stopwatch.ts';
import { WEBHOOK_REPLIES } from '../../sink/reply-plan.ts';
import type { Target } from '../../targets/target.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { RETRY_DELAY_MS } from '../context/event-requests.ts';
import { makeEvent } from '../context/events.ts';
import { historyOf, jobBody, stateNames, submit, submitExpiring } from '../context/jobs.ts';
import { withProbe } from './acquaintance.ts';
import { inProbe } from './probes.ts';

/** By how much the clock is moved, and by how much less it may have gone on. */
const MOVE_MS = durationMs('1h');
const MOVED_LEAST_MS = MOVE_MS / 2;
/** What a service may need beyond what was due. */
const GRACE_MS = 3_000;
const LOOK_MS = 20;
const HEARD_MS = 250;
const EXPIRE_S = 4;
/** A service that looks every few seconds is waited for in real time. */
const LAG_MOST_MS = 2_500;
/** Many look some twenty times a second; what is shorter is not worth a word. */
const LAG_LEAST_MS = 75;
const LAG_TOLD_MS = 150;
const LAG_TRIES = 5;
/** Tries meet a service somewhere between two looks: at worst it takes longer. */
const LAG_SPARE = 1.5;

/** What was found out, for people: nothing where all follows. */
export interface MovedTimeTrial {
  /** Why time cannot be moved at all. */
  readonly whyNot: string | undefined;
  readonly remarks: readonly string[];
}

/** Asks, and tells the clock of the target what it has to know. */
export async function tryMovedTime(target: Target, runTag: string): Promise<MovedTimeTrial> {
  const whyNot = await ask(target, runTag, 'moved-clock', whyNotMoved);
  if (whyNot !== undefined) return { whyNot, remarks: [] };
  const remarks: string[] = [];
  const { moved } = target.timekeeper;
  for (const [rule, { isDue, words }] of Object.entries(TRIALS) as [TimedRule, Trial][]) {
    const lagsMs = await lagsOf((time) => ask(target, runTag, `moved-${rule}-${time}`, isDue));
    // A machine that is busy seems to lag as well: the least counts here.
    if (Math.min(...lagsMs) > LAG_MOST_MS) {
      moved?.unfollowed.add(rule);
      remarks.push(`${words} of the service do not follow when its time is moved: what only they show is not judged.`);
    } else if (moved) {
      // The longest may be of a program that warms up.
      const [, longMs = 0] = lagsMs.toSorted((one, other) => other - one);
      moved.lagMs = Math.max(moved.lagMs, LAG_LEAST_MS, Math.min(Math.ceil(LAG_SPARE * longMs), LAG_MOST_MS));
    }
  }
  if (moved && moved.lagMs > LAG_TOLD_MS)
    remarks.push(
      `The service notices after up to ${formatDuration(moved.lagMs)} that its time was moved: platen waits for that.`,
    );
  return { whyNot: undefined, remarks };
}

/** In milliseconds; none of what does not happen at all: it is broken, and nothing to wait for. */
async function lagsOf(find: (time: number) => Promise<number | undefined>): Promise<readonly number[]> {
  const lagsMs: number[] = [];
  for (let time = 0; time < LAG_TRIES; time++) lagsMs.push((await find(time)) ?? 0);
  return lagsMs;
}

/** Undefined where it cannot be asked: what comes of it is said better by checks. */
function ask<Found>(
  target: Target,
  runTag: string,
  name: string,
  find: (context: CheckContext) => Promise<Found>,
): Promise<Found | undefined> {
  return withProbe(target, `${runTag}-${name}`, (probe) => inProbe(probe, name, [], find)).catch((error: unknown) => {
    if (error instanceof CheckEnded) return undefined;
    throw error;
  });
}

async function whyNotMoved(context: CheckContext): Promise<string | undefined> {
  const before = await shownMs(context);
  await context.elapse(MOVE_MS);
  const after = await shownMs(context);
  if (after - before >= MOVED_LEAST_MS) return undefined;
  return Number.isNaN(after - before)
    ? 'it shows no time by which that could be seen'
    : 'libfaketime has no effect on it, as on static programs and most in Go';
}

/** The time that the service shows; not a number where it shows none. */
async function shownMs(context: CheckContext): Promise<number> {
  const { api, target, computers } = context;
  if (target.link === undefined) return Date.parse((await api.get('/ping')).header('Date') ?? '');
  const { printerId } = await computers.away();
  const [first] = await historyOf(context, await submit(context, jobBody(printerId)));
  return first?.createdMs ?? NaN;
}

interface Trial {
  readonly words: string;
  /** How much real time went by until what was due had happened; undefined where it never does. */
  readonly isDue: (context: CheckContext) => Promise<number | undefined>;
}

const TRIALS: Readonly<Record<TimedRule, Trial>> = {
  expiry: {
    words: 'The timers that expire jobs',
    async isDue(context) {
      if (context.target.link === undefined) return undefined;
      const { printerId } = await context.computers.away();
      const { jobId, seconds } = await submitExpiring(context, EXPIRE_S, async (expireAfter) => ({
        jobId: await submit(context, jobBody(printerId, { expireAfter })),
        seconds: expireAfter,
      }));
      return lagOf(context, seconds * 1_000, async () => (await stateNames(context, jobId)).includes('expired'));
    },
  },
  retries: {
    words: 'The timers that send webhooks again',
    async isDue(context) {
      if (context.target.link === undefined) return undefined;
      const { printerId } = await context.computers.away();
      const replies = { first: [WEBHOOK_REPLIES['status 500']], lasting: WEBHOOK_REPLIES.ok };
      const listener = await context.listening.listen({ replies });
      await makeEvent(context, printerId);
      const first = await listener.waitForRequests(1);
      if (first.length === 0) return undefined;
      // The service has yet to hear how it was answered.
      await sleep(systemClock, HEARD_MS);
      return lagOf(context, RETRY_DELAY_MS, () => Promise.resolve(listener.requests.length > 1));
    },
  },
};

/** Moves time until something is due, and waits for it in real time as long as it would have taken without a move. */
async function lagOf(
  { elapse }: CheckContext,
  dueMs: number,
  hasHappened: () => Promise<boolean>,
): Promise<number | undefined> {
  await elapse(dueMs + GRACE_MS);
  const passedMs = startStopwatch();
  while (passedMs() < dueMs + GRACE_MS) {
    const lookedMs = passedMs();
    if (await hasHappened()) return lookedMs;
    await sleep(systemClock, LOOK_MS);
  }
  return undefined;
}
