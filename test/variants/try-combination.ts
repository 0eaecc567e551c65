/**
 * Tries a combination: the suite runs on a service that differs so from the reference, and what is not a pass is an alarm.
 */

import { ForwardingClock, sleep, type Hold } from '../../src/common/clock.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { levelOf } from '../../src/conformance/verdict/levels.ts';
import type { CheckOutcome } from '../../src/conformance/verdict/outcome.ts';
import { SERVICE_RULES } from '../../src/service/service-rules.ts';
import type { Target } from '../../src/targets/target.ts';
import { startMeddlingProxy } from '../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { combine, type Change, type Combination, type Dimensions } from './dimension.ts';

export interface Alarm {
  readonly check: string;
  readonly verdict: string;
  /** Each clause that is said to be broken, or how the check ended instead. */
  readonly lines: readonly string[];
}

export interface Trial {
  readonly alarms: readonly Alarm[];
  /** Checks that could not judge, as a value of the combination declares. */
  readonly undecided: readonly string[];
}

/** @param ids - these checks alone */
export async function tryCombination(
  dimensions: Dimensions,
  combination: Combination,
  ids?: readonly string[],
): Promise<Trial> {
  const change = combine(dimensions, combination);
  await using target = await startVariant(change);
  const { outcomes } = await runConformance({ target, seed: 1, ...(ids && { ids }) });
  const undecided = outcomes.filter((outcome) => isUndecided(outcome, change));
  const alarms = outcomes.filter((outcome) => !undecided.includes(outcome)).flatMap(alarmOf);
  return { alarms, undecided: undecided.map(({ check }) => check.id) };
}

function isUndecided({ check, verdict }: CheckOutcome, { undecided = [] }: Change): boolean {
  return undecided.includes(check.id) && (verdict === 'inconclusive' || verdict === 'untestable');
}

/** A warning is an alarm unless the specification says that it only observed what is missed. */
function alarmOf({ check, verdict, message, judgements, notes }: CheckOutcome): readonly Alarm[] {
  const broken = judgements.filter(({ clause, mismatch }) => mismatch && levelOf(clause) !== 'observed');
  const lines = broken.map(
    ({ clause, mismatch }) => `${clause}: ${mismatch?.at}: ${mismatch?.expected}, not ${mismatch?.actual}`,
  );
  const remains = notes.filter((note) => note.startsWith('not cleaned up'));
  const isGood = verdict === 'pass' || verdict === 'observed' || verdict === 'warn';
  if (isGood && lines.length + remains.length === 0) return [];
  return [{ check: check.id, verdict, lines: lines.length > 0 ? lines : isGood ? remains : [message] }];
}

/** A service that differs so from the reference, as a target. */
export async function startVariant({
  choices,
  rules,
  meddle,
  rewrite,
  delayMs,
}: Change): Promise<Target & AsyncDisposable> {
  const target = await startEmbeddedTarget({
    ...(choices && { choices }),
    ...(rules && { rules: rules(SERVICE_RULES) }),
  });
  const pause = delayMs === undefined ? undefined : pausing(target, delayMs / 2);
  const proxy = await startMeddlingProxy(target.baseUrl, { meddle, rewrite, pause });
  return {
    ...target,
    ...(pause && { clock: new UnheldClock(() => target.clock) }),
    baseUrl: proxy.url,
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await target.close();
    },
  };
}

/** How the hold of a request is named. */
const REQUEST = /^[A-Z]+ \//;
/** Steps in which time passes while requests are under way. */
const STEP_MS = 10;

/** A pause that takes time, several at once no more than one: something has to let it pass. */
function pausing({ clock, timekeeper }: Pick<Target, 'clock' | 'timekeeper'>, pauseMs: number) {
  const waiting = new Set<Promise<void>>();
  const letTimePass = async (): Promise<void> => {
    while (waiting.size > 0) await timekeeper.elapse(STEP_MS);
  };
  return async (): Promise<void> => {
    const pause = sleep(clock, pauseMs);
    waiting.add(pause);
    if (waiting.size === 1) void letTimePass();
    await pause;
    waiting.delete(pause);
  };
}

/** Time passes while a request is under way, which is what makes it slow. Other work still holds the clock. */
class UnheldClock extends ForwardingClock {
  override hold(what: string, ...more: [patienceMs?: number, peer?: string]): Hold {
    return REQUEST.test(what) ? { release: () => undefined } : super.hold(what, ...more);
  }
}
