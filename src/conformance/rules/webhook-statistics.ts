/** Checks of the statistics of a webhook, against what its receiver saw. */

import type { JsonObject } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { times, WEBHOOK_REPLIES } from '../../sink/reply-plan.ts';
import { STATISTIC_MEASURES, STATISTICS, type Statistic } from '../../specification/fields.ts';
import type { Rules } from '../check.ts';
import type { CheckContext } from '../context/context.ts';
import { waitForRetry } from '../context/event-requests.ts';
import { describeRequests, eventsOf, expectRequests, makeEvent, untilDueArrived } from '../context/events.ts';
import type { Listener } from '../context/listening.ts';
import {
  measureOf,
  MEASURES,
  newWebhookFields,
  oneType,
  webhookAt,
  type Measure,
} from '../context/webhook-settings.ts';
import { asRecords } from '../expect/records.ts';
import { expectEqual, expectThat, firstOf } from '../expect/that.ts';
import { expectFound, expectSuccess } from '../expect/answer.ts';

const UNIT_MS = { days: 86_400_000, day: 86_400_000, hour: 3_600_000, minutes: 60_000 } as const;
const FAILURES = ['status 500', 'reset', 'redirect', 'header missing'] as const;
/** Allows "a scale of" to mean e-folding time or half-life, plus rounding. */
const SCALE_FACTOR = 2;

/** The webhook as it is shown now. */
async function shown(context: CheckContext, { webhookId }: Listener): Promise<JsonObject> {
  const answer = await context.api.get('/webhooks');
  const record = asRecords(answer.value)?.find((one) => one['webhookId'] === webhookId);
  context.require(expectFound(answer, `webhook ${webhookId}`, () => record !== undefined));
  return record ?? {};
}

function expectCount(
  webhook: JsonObject,
  nesting: string,
  statistic: Statistic,
  wanted: number,
  listener: Listener,
): Mismatch | undefined {
  const counts = measureOf(webhook, nesting, statistic, 'counts');
  const seen = `${String(counts)}; the receiver saw ${describeRequests(listener.requests)}`;
  return expectThat(counts === wanted, `counts of ${statistic}`, `${wanted}`, seen);
}

/** Expects a webhook whose requests all failed to have dropped each of its events, several in one request. */
async function expectAllDropped(
  context: CheckContext,
  failing: Listener,
  nesting: string,
  events: number,
): Promise<Mismatch | undefined> {
  // The first event alone, which fails; all of them, which ends the first; the others, which ends them.
  const requests = await waitForRetry(context, failing, 3);
  await context.elapse('1s');
  const sent = Map.groupBy(eventsOf(requests), ({ text }) => text);
  const areOver = sent.size === events && [...sent.values()].every((times) => times.length === 2);
  context.require(expectRequests(requests, areOver, 'requests that failed', `${events} events, each twice`));
  return expectCount(await shown(context, failing), nesting, 'droppedEvents', events, failing);
}

/** Expects the plain counts to outlast a change of the url. */
async function expectKeptCounts(
  context: CheckContext,
  listener: Listener,
  nesting: string,
): Promise<Mismatch | undefined> {
  const before = await shown(context, listener);
  const { url } = await context.listening.address();
  context.require(expectSuccess(await context.api.patch(`/webhook/${listener.webhookId}`, { url })));
  const after = await shown(context, listener);
  const countOf = (webhook: JsonObject, statistic: Statistic): unknown =>
    measureOf(webhook, nesting, statistic, 'counts');
  return firstOf(
    ...STATISTICS.map((statistic) =>
      expectEqual(`counts of ${statistic} after PATCH of url`, countOf(after, statistic), countOf(before, statistic)),
    ),
  );
}

/** Deletes a webhook and makes another one at its address: it begins at zero, and the counts of a third one stay. */
async function judgeSuccessor(
  context: CheckContext,
  { webhookId, url }: Listener,
  other: Listener,
  nesting: string,
): Promise<void> {
  const { api, judge, require } = context;
  const before = await shown(context, other);
  require(expectSuccess(await api.delete(`/webhook/${webhookId}`)));
  const answer = await api.post('/webhook', newWebhookFields(context, { url }));
  const records = asRecords(answer.value) ?? [];
  require(expectFound(answer, `a webhook to ${url}`, () => records.some((record) => record['url'] === url)));
  const successor = webhookAt(answer, url) ?? {};
  const left = records.find((record) => record['webhookId'] === other.webhookId) ?? {};
  const countOf = (webhook: JsonObject, statistic: Statistic): unknown =>
    measureOf(webhook, nesting, statistic, 'counts');
  for (const statistic of STATISTICS) {
    const at = `counts of ${statistic} of a new webhook with the url of a deleted one`;
    judge('webhooks/measure-counts', expectEqual(at, countOf(successor, statistic), 0));
    const kept = expectEqual(
      `counts of ${statistic} after the deletion of another webhook`,
      countOf(left, statistic),
      countOf(before, statistic),
    );
    judge('webhooks/delete-leaves-other-webhooks', kept);
  }
}

/** Expects as much of the events that were dropped, several at once, as of those that came one by one. */
function expectAlikeMeasures(webhook: JsonObject, nesting: string): Mismatch | undefined {
  const [dropped, received] = (['droppedEvents', 'receivedEvents'] as const).map((statistic) =>
    valueOf(webhook, nesting, statistic, LONGEST.measure),
  );
  const least = Number(received) * ALIKE;
  const at = `${LONGEST.measure} of droppedEvents, where each of the events received a moment ago was dropped`;
  return expectThat(Number(dropped) >= least, at, `about ${String(received)}, as of receivedEvents`, dropped);
}

/** The tolerance for measures that a service shows with few digits. */
const ROUNDING = 0.1;

/** Decaying measures with their scales, the shortest first. */
const DECAYING = MEASURES.flatMap((measure) => {
  const { scale, clause } = STATISTIC_MEASURES[measure];
  return scale === null ? [] : [{ measure, clause, scaleMs: scale.value * UNIT_MS[scale.unit] }];
}).toSorted((left, right) => left.scaleMs - right.scaleMs);

/** The measure with a scale of a week, which seconds do not change. */
const LONGEST = { measure: 'exp7d', clause: STATISTIC_MEASURES.exp7d.clause } as const;
/** For those that came some seconds earlier, and for few digits. */
const ALIKE = 0.8;

function valueOf(webhook: JsonObject, nesting: string, statistic: Statistic, measure: Measure): number {
  const value = measureOf(webhook, nesting, statistic, measure);
  return typeof value === 'number' ? value : Number.NaN;
}

/** A webhook of which every statistic has counted something: its first event was dropped, and the next one arrived. */
async function busyListener(context: CheckContext, printerId: number): Promise<Listener> {
  const listener = await context.listening.listen({ messages: await oneType(context) });
  await keepBusy(context, listener, printerId);
  return listener;
}

/** The next event is dropped, and the one after it arrives. */
async function keepBusy(context: CheckContext, listener: Listener, printerId: number): Promise<void> {
  listener.answer({ first: times(2, WEBHOOK_REPLIES['status 500']), lasting: WEBHOOK_REPLIES.ok });
  const before = listener.requests.length;
  await makeEvent(context, printerId);
  await listener.waitForRequests(before + 1);
  await waitForRetry(context, listener, before + 2);
  await makeEvent(context, printerId);
  await waitForRetry(context, listener, before + 3);
  await context.elapse('1s');
}

export const WEBHOOK_STATISTICS_RULES: Rules = {
  'webhook-statistics/counts': {
    title: 'The statistics count triggers, dropped events, and requests by outcome, as the receiver saw them',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { judge } = context;
      const nesting = await context.speak('statistics-nesting');
      const away = await context.computers.away();
      const { printerId } = away;
      const failure = WEBHOOK_REPLIES['status 500'];
      const messages = await oneType(context);
      const failing = await context.listening.listen({ messages, replies: { lasting: failure } });
      const listener = await context.listening.listen({
        messages,
        replies: { first: [WEBHOOK_REPLIES.ok, ...times(2, failure)], lasting: WEBHOOK_REPLIES.ok },
      });
      // 1 succeeds; 2 fails; 2, 3 and 4 fail, which ends 2; 3 and 4 succeed.
      for (const count of [1, 2]) {
        await makeEvent(context, printerId);
        await listener.waitForRequests(count);
      }
      await makeEvent(context, printerId);
      await makeEvent(context, printerId);
      for (const count of [3, 4]) await waitForRetry(context, listener, count);
      await untilDueArrived(context);
      const { requests } = listener;
      const texts = eventsOf(requests).map(({ text }) => text);
      context.require(
        expectRequests(requests, requests.length === 4, 'requests of the webhook', '4'),
        expectRequests(requests, new Set(texts).size === 4, 'different events', '4'),
      );
      const webhook = await shown(context, listener);
      const expectation = (statistic: Statistic, wanted: number): Mismatch | undefined =>
        expectCount(webhook, nesting, statistic, wanted, listener);
      judge('webhooks/received-counts-triggers', expectation('receivedEvents', 4));
      judge('webhooks/received-not-retries', expectation('receivedEvents', 4));
      judge('webhooks/dropped-counts-given-up', expectation('droppedEvents', 1));
      judge('webhooks/successful-counts-requests', expectation('successfulRequests', 2));
      judge('webhooks/failed-counts-requests', expectation('failedRequests', 2));
      judge('webhooks/requests-not-events', expectation('successfulRequests', 2), expectation('failedRequests', 2));
      judge('webhooks/dropped-counts-given-up', await expectAllDropped(context, failing, nesting, 4));
      const failed = failing.requests.length;
      const inVain = await shown(context, failing);
      judge('webhooks/failed-counts-requests', expectCount(inVain, nesting, 'failedRequests', failed, failing));
      judge(LONGEST.clause, expectAlikeMeasures(inVain, nesting));
      // All jobs are sent at once, and each is an event.
      await away.connect();
      await untilDueArrived(context);
      const sent = new Set(eventsOf(listener.requests).map(({ text }) => text)).size;
      const counted = expectCount(await shown(context, listener), nesting, 'receivedEvents', sent, listener);
      judge('webhooks/received-counts-triggers', counted);
      judge('webhooks/update-leaves-the-rest', await expectKeptCounts(context, listener, nesting));
      await judgeSuccessor(context, failing, listener, nesting);
    },
  },
  'webhook-statistics/failures': {
    title: 'A request that fails in any way counts as failed, even one without an answer',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { judge } = context;
      const nesting = await context.speak('statistics-nesting');
      const { printerId } = await context.computers.away();
      const messages = await oneType(context);
      const listeners = new Map<string, Listener>();
      for (const reply of FAILURES) {
        const replies = { first: [WEBHOOK_REPLIES[reply]], lasting: WEBHOOK_REPLIES.ok };
        listeners.set(reply, await context.listening.listen({ messages, replies }));
      }
      await makeEvent(context, printerId);
      for (const listener of listeners.values()) await waitForRetry(context, listener, 2);
      await context.elapse('1s');
      for (const [reply, listener] of listeners) {
        const { requests } = listener;
        const at = `requests of a webhook whose first one failed by '${reply}', as event-receivers/failures judges`;
        context.require(expectRequests(requests, requests.length === 2, at, '2'));
        const webhook = await shown(context, listener);
        judge('webhooks/failed-counts-requests', expectCount(webhook, nesting, 'failedRequests', 1, listener));
        judge('webhooks/successful-counts-requests', expectCount(webhook, nesting, 'successfulRequests', 1, listener));
      }
    },
  },
  'webhook-statistics/decay': {
    title: 'Without new events, the decaying measures fall and the plain counts stay',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { judge } = context;
      const nesting = await context.speak('statistics-nesting');
      const { printerId } = await context.computers.away();
      const listener = await busyListener(context, printerId);
      const before = await shown(context, listener);
      await context.elapse('20s');
      const after = await shown(context, listener);
      for (const statistic of STATISTICS) {
        const at = (measure: Measure): string => `${measure} of ${statistic} after 20 s without an event`;
        const [was, is] = [before, after].map((webhook) => measureOf(webhook, nesting, statistic, 'counts'));
        judge(
          'webhooks/counts-do-not-decay',
          expectThat(typeof was === 'number' && is === was, at('counts'), String(was), is),
        );
        for (const { measure } of DECAYING) {
          const high = Number(measureOf(before, nesting, statistic, measure));
          const low = Number(measureOf(after, nesting, statistic, measure));
          // One event of a week shows in 20 s only in the tenth digit: there not rising is all that is asked.
          const holds = low < high || (low === high && (measure !== 'exp5m' || high === 0));
          judge('webhooks/measures-decay', expectThat(holds, at(measure), `less than ${high}`, low));
        }
      }
    },
  },
  'webhook-statistics/scales': {
    title: 'Each decaying measure decays on its own time scale, from five minutes to seven days',
    needs: ['computer', 'webhook-receiver', 'virtual-clock'],
    async run(context) {
      const { judge } = context;
      const { timekeeper } = context.target;
      const nesting = await context.speak('statistics-nesting');
      const { printerId } = await context.computers.away();
      const listener = await busyListener(context, printerId);
      for (const { measure, clause, scaleMs } of DECAYING) {
        const before = await shown(context, listener);
        const fromMs = timekeeper.now();
        await context.elapse(scaleMs / 2);
        const after = await shown(context, listener);
        const passedMs = timekeeper.now() - fromMs;
        for (const statistic of STATISTICS) {
          const [high, low] = [before, after].map((webhook) => valueOf(webhook, nesting, statistic, measure));
          const measuredMs = passedMs / Math.log(Number(high) / Number(low));
          const holds = measuredMs >= scaleMs / SCALE_FACTOR && measuredMs <= scaleMs * SCALE_FACTOR;
          context.note(`measured: the scale of ${measure} of ${statistic} ${Math.round(measuredMs / 1_000)} s`);
          const at = `scale on which ${measure} of ${statistic} decays`;
          const actual = `${Math.round(measuredMs / 1_000)} s (from ${high} to ${low})`;
          judge(clause, expectThat(holds, at, `about ${scaleMs / 1_000} s`, actual));
        }
      }
      const old = await shown(context, listener);
      const counts = valueOf(old, nesting, 'receivedEvents', 'counts');
      judge('webhooks/counts-do-not-decay', expectEqual('counts of receivedEvents after days', counts, 2));
      await keepBusy(context, listener, printerId);
      const renewed = await shown(context, listener);
      for (const statistic of STATISTICS) {
        const [was, is] = [old, renewed].map((webhook) => valueOf(webhook, nesting, statistic, 'counts'));
        const added = Number(is) - Number(was);
        for (const { measure, clause } of DECAYING) {
          const [before, after] = [old, renewed].map((webhook) => valueOf(webhook, nesting, statistic, measure));
          const most = Number(before) + added + ROUNDING;
          const at = `${measure} of ${statistic} after days and ${added} more`;
          judge(clause, expectThat(Number(after) <= most, at, `at most ${most}`, after));
        }
      }
    },
  },
};
