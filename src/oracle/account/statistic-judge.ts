/**
 * Judge of webhook statistics: their plain counts are those of what the receiver got, and the decaying ones fall, each
 * on its own time scale.
 */

import type { JsonObject } from '../../common/json-value.ts';
import { valueAt } from '../../common/places.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { STATISTIC_MEASURES, STATISTICS, type Statistic } from '../../specification/fields.ts';
import { isGood, partsOf, records, type AccountJudge, type Findings } from './account-judge.ts';
import type { Hook } from './hook-settings.ts';
import type { Observation, SeenExchange } from './observation.ts';
import { MOST_REQUESTS, type WebhookRequests } from './webhook-requests.ts';

const UNIT_MS = { minutes: 60_000, hour: 3_600_000, day: 86_400_000, days: 86_400_000 } as const;
type Measure = keyof typeof STATISTIC_MEASURES;

const DECAYING = Object.entries(STATISTIC_MEASURES).flatMap(([measure, { scale, clause }]) =>
  scale === null ? [] : [{ measure: measure as Measure, clause, scaleMs: scale.value * UNIT_MS[scale.unit] }],
);
/** Allows "a scale of" to mean e-folding time or half-life, plus rounding. */
const SCALE_FACTOR = 2;
/** The span in which decay can be told from rounding, in scales. */
const [LEAST_SCALES, MOST_SCALES] = [0.05, 8];
const ROUNDING = 0.01;

export class StatisticJudge implements AccountJudge {
  readonly #findings: Findings;
  readonly #lists: SeenExchange[] = [];

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(observation: Observation): void {
    if (observation.kind !== 'exchange') return;
    const { method, path, status } = partsOf(observation);
    if (method === 'GET' && path === '/webhooks' && isGood(status)) this.#lists.push(observation);
  }

  /** @param requests - those of the webhook, of which none is to be repeated */
  judgeHook({ id }: Hook, requests: WebhookRequests): void {
    this.#judgeDecay(id);
    const list = this.#lists.at(-1);
    const shown = list && webhookIn(list, id);
    if (!shown || requests.all.some(({ endedMs }) => endedMs > list.sentMs)) return;
    for (const [statistic, [count, clause]] of Object.entries(countsOf(requests))) {
      const measured = measureIn(shown, statistic as Statistic, 'counts');
      if (measured !== undefined)
        this.#findings.hold(
          clause,
          `${statistic} of webhook ${id}`,
          measured === count,
          String(count),
          String(measured),
        );
    }
  }

  #judgeDecay(id: number): void {
    const shown = this.#lists.flatMap((list) => {
      const hook = webhookIn(list, id);
      return hook ? [{ hook, atMs: list.atMs }] : [];
    });
    for (const [index, { hook: after, atMs }] of shown.entries()) {
      const before = shown[index - 1];
      if (!before) continue;
      for (const statistic of STATISTICS) this.#judgeFall(statistic, before.hook, after, atMs - before.atMs);
    }
  }

  #judgeFall(statistic: Statistic, before: JsonObject, after: JsonObject, passedMs: number): void {
    const [were, are] = [before, after].map((hook) => measureIn(hook, statistic, 'counts'));
    const at = (measure: Measure): string => `${measure} of ${statistic} after ${passedMs} ms`;
    if (were === undefined || are === undefined) return;
    if (
      !this.#findings.hold('webhooks/counts-do-not-decay', at('counts'), are >= were, `${were} at least`, String(are))
    )
      return;
    for (const { measure, clause, scaleMs } of DECAYING) {
      const [high, low] = [measureIn(before, statistic, measure), measureIn(after, statistic, measure)];
      if (high === undefined || low === undefined) continue;
      if (were !== are) {
        // What came meanwhile has decayed by no one knows how much, the rest by what has passed.
        const most = are - were + high * Math.exp(-passedMs / (scaleMs * SCALE_FACTOR)) + ROUNDING;
        this.#findings.hold(clause, at(measure), low <= most, `${most} at most`, String(low));
        continue;
      }
      this.#findings.hold('webhooks/measures-decay', at(measure), low <= high, `${high} at most`, String(low));
      const scales = passedMs / scaleMs;
      if (scales < LEAST_SCALES || scales > MOST_SCALES || high < 1 / MOST_SCALES) continue;
      const measuredMs = passedMs / Math.log(high / low);
      const holds = measuredMs >= scaleMs / SCALE_FACTOR && measuredMs <= scaleMs * SCALE_FACTOR;
      this.#findings.hold(clause, at(measure), holds, `a scale of about ${scaleMs} ms`, `${measuredMs} ms`);
    }
  }
}

function countsOf({ all, received }: WebhookRequests): Readonly<Record<Statistic, readonly [number, ClauseId]>> {
  const dropped = received.filter(
    ({ requests }) => requests.length >= MOST_REQUESTS && requests.every(({ answer }) => answer === 'bad'),
  );
  const answered = (wanted: 'good' | 'bad'): number => all.filter(({ answer }) => answer === wanted).length;
  return {
    receivedEvents: [received.length, 'webhooks/received-counts-triggers'],
    droppedEvents: [dropped.length, 'webhooks/dropped-counts-given-up'],
    successfulRequests: [answered('good'), 'webhooks/successful-counts-requests'],
    failedRequests: [answered('bad'), 'webhooks/failed-counts-requests'],
  };
}

function webhookIn({ value }: SeenExchange, id: number): JsonObject | undefined {
  return records(value).find((one) => one['webhookId'] === id);
}

/** Either nesting of the measures conforms. */
export function measureIn(hook: unknown, statistic: Statistic, measure: Measure): number | undefined {
  const found = valueAt(hook, `${statistic}.${measure}`) ?? valueAt(hook, `${measure}.${statistic}`);
  return typeof found === 'number' ? found : undefined;
}
