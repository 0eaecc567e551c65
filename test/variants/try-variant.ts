/**
 * Tries a variant: the whole suite runs on it, and whatever is no pass is a false alarm.
 */

import { sleep, type Clock } from '../../src/common/clock.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import type { Target } from '../../src/target/target.ts';
import { startMeddlingProxy } from '../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import type { Variant } from './variants.ts';

export interface VariantResult {
  /** `check verdict: message` of everything that is neither a pass nor listed below. */
  readonly alarms: readonly string[];
  /** Checks that warn of something that the specification has only observed otherwise. */
  readonly warnedBy: readonly string[];
  /** Checks that could not judge, where the variant says so. */
  readonly undecided: readonly string[];
}

export async function tryVariant(variant: Variant): Promise<VariantResult> {
  await using target = await startVariant(variant);
  const { outcomes } = await runConformance({ target, seed: 1 });
  const others = outcomes.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
  const warned = others.filter(({ verdict }) => verdict === 'warn');
  const undecided = others.filter(
    ({ verdict, check }) => verdict === 'inconclusive' && variant.undecided?.includes(check.id),
  );
  const alarms = others.filter((one) => !warned.includes(one) && !undecided.includes(one));
  return {
    alarms: alarms.map(({ check, verdict, message }) => `${check.id} ${verdict}: ${message}`),
    warnedBy: warned.map(({ check }) => check.id),
    undecided: undecided.map(({ check }) => check.id),
  };
}

async function startVariant(variant: Variant): Promise<Target & AsyncDisposable> {
  const { choices, rules, meddle, rewrite, delayMs } = variant;
  const target = await startEmbeddedTarget({ ...(choices && { choices }), ...(rules && { rules }) });
  // A proxy hides the address that a request comes from: none where nothing is to be changed.
  if (!meddle && !rewrite && !delayMs) return { ...target, [Symbol.asyncDispose]: () => target.close() };
  const pause = delayMs === undefined ? undefined : pausing(target, delayMs / 2);
  const proxy = await startMeddlingProxy(target.baseUrl, { meddle, rewrite, pause });
  return {
    ...target,
    ...(pause && { clock: unheld(target.clock) }),
    baseUrl: proxy.url,
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await target.close();
    },
  };
}

/** How the hold of a request is named. */
const REQUEST = /^[A-Z]+ \//;
/** Steps in which time goes on while requests are under way. */
const STEP_MS = 10;

/** A pause that takes time, several at once no more than one: somebody has to let it pass. */
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

/** Time goes on while a request is under way: that is what makes it slow. Other work it waits for. */
function unheld(clock: Clock): Clock {
  return {
    isVirtual: clock.isVirtual,
    now: () => clock.now(),
    schedule: (delayMs, task) => clock.schedule(delayMs, task),
    beat: (intervalMs, task) => clock.beat(intervalMs, task),
    hold: (what, patienceMs) => (REQUEST.test(what) ? { release: () => undefined } : clock.hold(what, patienceMs)),
  };
}
