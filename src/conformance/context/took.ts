/** How long something took: what a check does, on the clock of the target, and what an answer took. */

import { presentOf, type TimeInterval } from '../../common/timekeeper.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Exchange } from '../../wire/http-exchange.ts';
import { expectThat } from '../expect/that.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';
import type { CheckContext } from './context.ts';

/** What the work comes to, and when that was, on the clock of the target. */
export async function timed<T>(
  { target }: Pick<CheckContext, 'target'>,
  work: () => Promise<T>,
): Promise<readonly [value: T, when: TimeInterval]> {
  const { fromMs } = presentOf(target.timekeeper);
  const value = await work();
  return [value, { fromMs, toMs: presentOf(target.timekeeper).toMs }];
}

const tookMs = (one: Exchange | undefined): number => (one ? one.receivedMs - one.sentMs : Number.NaN);

/** Expects an answer that waited for nothing: it took about as long as GET /noop takes. */
export async function expectPromptAnswer(
  { api, target }: Pick<CheckContext, 'api' | 'target'>,
  exchange: Exchange | undefined,
): Promise<Mismatch | undefined> {
  const most = Math.ceil(tookMs((await api.get('/noop')).exchange) + lateMs(TOLERANCES.answerLate, target));
  const at = `time until the answer of ${exchange?.request.method} ${exchange?.request.path}`;
  const ms = Math.round(tookMs(exchange));
  return expectThat(ms <= most, at, `at most ${most} ms`, `${ms} ms`);
}
