/**
 * Checks of when events are sent, again or no more. Judged by intervals on the clock of the target, as the receiver
 * sees it: from the reply that failed to the arrival of the next request.
 */

import type { TimeInterval } from '../../common/timekeeper.ts';
import { times, WEBHOOK_REPLIES } from '../../sink/reply-plan.ts';
import { HANG, slow } from '../../sink/reply.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import { CameTooLate, CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import {
  carried,
  expectAllAgain,
  expectAtOnce,
  expectCarries,
  expectCarriesDue,
  expectOldSecret,
  expectRetryDelay,
  expectSameTime,
  expectSent,
  pauseBetween,
  requestAgain,
  requestOf,
  RETRY_DELAY_MS,
  retryLimitMs,
  waitForRetry,
} from '../context/event-requests.ts';
import {
  arrivalOf,
  eventsOf,
  expectRequests,
  expectSecret,
  jobEvents,
  makeEvent,
  isAboutJob,
  passedBetween,
  placesOfSecret,
  replyEndOf,
  showPassed,
} from '../context/events.ts';
import { submitMany } from '../context/jobs.ts';
import type { ListenPlan } from '../context/listening.ts';
import { expectPromptAnswer } from '../context/took.ts';
import { EVERY_TYPE, oneType } from '../context/webhook-settings.ts';
import { expectSuccess } from '../expect/answer.ts';
import { expectEmpty, expectEqual, expectThat } from '../expect/that.ts';

/** How long a service waits for an answer is a gap. */
const LONGEST_HANG = '15m';
const LONGEST_HANG_REAL = '75s';
/** In one request; more than a careless service would put there. */
const MANY_EVENTS = 24;
/** More than a page of jobs that wait for one computer. */
const BACKLOG = LIMITS.pageSize.value + 1;
const FAILURE = WEBHOOK_REPLIES['status 500'];
/** One after the other, to a target that always fails: some services give up a target after ten failures. */
const FAILING_EVENTS = 6;
const FAILING_EVENTS_REAL = 2;
const ON_ITS_WAY = '50ms';
/** Longer than columns often are. */
const LONG_SECRET = 200;
const FAIL_ONCE: ListenPlan = { replies: { first: [FAILURE], lasting: WEBHOOK_REPLIES.ok } };

function noteDelay(context: CheckContext, what: string, passed: TimeInterval | undefined): void {
  if (passed) context.note(`measured: ${what} ${showPassed(passed)}`);
}

export const EVENT_DELIVERY_RULES: Rules = {
  'event-delivery/at-once': {
    title: 'The service sends an event at once, even after a success, and never again once it succeeded',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { judge } = context;
      const { printerId } = await context.computers.away();
      const listener = await context.listening.listen();
      const first = await makeEvent(context, printerId);
      const [one] = await listener.waitForRequests(1);
      judge('events/due-first', expectAtOnce(context, one, first));
      const second = await makeEvent(context, printerId);
      await listener.waitForRequests(2);
      await context.elapse(retryLimitMs(context));
      const two = jobEvents(listener.requests, second.jobId)[0]?.request;
      judge('events/due-after-success', expectAtOnce(context, two, second));
      noteDelay(context, 'from an event to its request', two && passedBetween(second, arrivalOf(context, two)));
      for (const job of [first, second]) judge('events/success-2xx', expectSent(listener, job, 1));
      for (const request of listener.requests) judge('events/secret-sent', expectSecret(request, listener.secret));
      // Whether two may have one url is not printed; if they may, each is triggered.
      // How long a secret may be is not printed either; one that is taken is sent whole.
      const secret = context.uniqueText('secret').padEnd(LONG_SECRET, '.');
      const fields = { url: listener.url, secret, messages: EVERY_TYPE };
      const twin = await context.api.post('/webhook', fields);
      const third = await makeEvent(context, printerId);
      await context.elapse(retryLimitMs(context));
      const carriers = jobEvents(listener.requests, third.jobId).map(({ request }) => request);
      const copies = carriers.length;
      for (const { secret } of new Set(carriers).size > 1 ? [listener, fields] : []) {
        const isThere = carriers.some((request) => placesOfSecret(request, secret).length > 0);
        judge('events/secret-sent', expectThat(isThere, 'requests of two webhooks with one url', secret, 'none'));
      }
      const wanted = twin.status < 300 ? 2 : 1;
      const at = `times that ${wanted} webhooks with one url sent an event there`;
      judge('webhooks/messages-star-means-every', expectThat(copies >= wanted, at, `${wanted} or more`, copies));
    },
  },
  'event-delivery/again': {
    title: 'The service resends the events of a failed request five seconds later, with those that occurred meanwhile',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { judge } = context;
      const { printerId } = await context.computers.away();
      const listener = await context.listening.listen(FAIL_ONCE);
      const jobs = [await makeEvent(context, printerId)];
      const failed = await requestOf(context, listener, 1);
      await context.elapse('1s');
      const { timekeeper } = context.target;
      // A slow service leaves time for fewer of them before the request is due.
      const untilMs = timekeeper.now() + RETRY_DELAY_MS / 2;
      while (jobs.length < 3 || (jobs.length < MANY_EVENTS && timekeeper.now() < untilMs)) {
        jobs.push(await makeEvent(context, printerId));
      }
      const again = (await waitForRetry(context, listener, 2))[1];
      const delay = expectRetryDelay(context, failed, again);
      judge('limits/webhook-retry-delay', delay);
      judge('events/due-after-failure', delay);
      noteDelay(context, 'from a failed webhook request to the next', again && pauseBetween(context, failed, again));
      // Another check may have moved the clock beyond the five seconds meanwhile.
      const dueMs = replyEndOf(context, failed).toMs + RETRY_DELAY_MS;
      const [old, ...fresh] = jobs.filter(({ toMs }, index) => index === 0 || toMs < dueMs);
      if (!old || fresh.length === 0) throw new CameTooLate('the retry was due before another event');
      judge('events/failed-requeued', expectCarries(again, [old]));
      const withFresh = listener.requests.find((request) => carried(request, fresh).length > 0);
      judge('events/due-after-failure-new-events', expectRetryDelay(context, failed, withFresh));
      judge('events/all-due-in-one', expectCarries(again, [old, ...fresh]));
      judge('events/created-at-kept', expectSameTime(failed, again, old));
      await context.elapse(ON_ITS_WAY);
      const afterwards = await makeEvent(context, printerId);
      await listener.waitForRequests(listener.requests.length + 1);
      const [next] = jobEvents(listener.requests, afterwards.jobId);
      judge('events/due-after-success', expectAtOnce(context, next?.request, afterwards));
      for (const request of listener.requests) judge('events/secret-sent', expectSecret(request, listener.secret));
    },
  },
  'event-delivery/backlog': {
    title: 'A computer gets more than a hundred waiting jobs in order, and one request reports them all',
    // On a real clock they would not be sent within the five seconds after a failure.
    needs: ['computer', 'webhook-receiver', 'virtual-clock'],
    async run(context) {
      const { judge, listening } = context;
      const computer = await context.computers.away();
      const waiting = await submitMany(context, computer.printerId, BACKLOG);
      const listener = await listening.listen({ ...FAIL_ONCE, messages: await oneType(context) });
      await makeEvent(context, computer.printerId);
      await requestOf(context, listener, 1);
      await computer.connect();
      for (const jobId of waiting) if (!(await computer.waitForJob(jobId))) break;
      const got = computer.deliveries.map(({ jobId }) => jobId).filter((jobId) => waiting.includes(jobId));
      const at = `jobs delivered to computer ${computer.computerId} when it came back`;
      judge('print-jobs/sent-on-reconnect', expectEqual(`number of ${at}`, new Set(got).size, waiting.length));
      judge('print-jobs/delivered-in-order', expectEqual(at, got, waiting));
      const again = (await waitForRetry(context, listener, 2))[1];
      const events = eventsOf(again ? [again] : []);
      const isTold = (jobId: number): boolean => events.some(({ object }) => isAboutJob(object, jobId));
      const missing = waiting.filter((jobId) => !isTold(jobId));
      judge(
        'events/all-due-in-one',
        expectEmpty('jobs that were sent to their client, and of which the next request tells nothing', missing),
      );
    },
  },
  'event-delivery/under-way': {
    title: 'The service resends the events of a failed request, whatever happens to the webhook during the request',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { printerId } = await context.computers.away();
      const { api, judge, listening } = context;
      const replies = { first: [slow('2s', FAILURE)], lasting: WEBHOOK_REPLIES.ok };
      const listener = await listening.listen({ replies });
      const [deleted, moved] = [await listening.listen({ replies }), await listening.listen({ replies })];
      const elsewhere = await listening.address();
      const failed = await makeEvent(context, printerId);
      const [first, ...others] = [
        await requestOf(context, listener, 1),
        await requestOf(context, deleted, 1),
        await requestOf(context, moved, 1),
      ] as const;
      context.require(expectSuccess(await api.delete(`/webhook/${deleted.webhookId}`)));
      context.require(expectSuccess(await api.patch(`/webhook/${moved.webhookId}`, { url: elsewhere.url })));
      const meanwhile = await makeEvent(context, printerId);
      await context.elapse('2s');
      const again = await requestAgain(listener, failed, retryLimitMs(context));
      if ([first, ...others].some((request) => replyEndOf(context, request).fromMs < meanwhile.toMs)) {
        throw new CameTooLate('no job could be submitted while a request was under way');
      }
      judge('events/failed-requeued', expectCarries(again, [failed]));
      judge('events/all-due-in-one', expectCarriesDue(listener, again, failed, [meanwhile]));
      // The delay is that from the last request, and it has not to be the one that failed so slowly.
      const isNext = again === undefined || again === listener.requests[1];
      judge('limits/webhook-retry-delay', isNext ? expectRetryDelay(context, first, again) : undefined);
      for (const one of [deleted, moved]) await waitForRetry(context, one, 2);
      judge('events/queued-survive-delete', expectSent(deleted, failed, 2));
      judge('events/queued-keep-url', expectSent(moved, failed, 2), expectSent(elsewhere, failed, 0, moved));
    },
  },
  'event-delivery/given-up': {
    title: 'The service sends an event at most twice: a failed request repeats new events and drops repeated ones',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { judge } = context;
      const { printerId } = await context.computers.away();
      const listener = await context.listening.listen({
        replies: { first: times(2, FAILURE), lasting: WEBHOOK_REPLIES.ok },
      });
      const old = await makeEvent(context, printerId);
      await requestOf(context, listener, 1);
      const fresh = await makeEvent(context, printerId);
      const again = await requestOf(context, listener, 2);
      const third = (await waitForRetry(context, listener, 3))[2];
      judge('events/due-after-failure', expectRetryDelay(context, again, third));
      const later = await makeEvent(context, printerId);
      await context.elapse(retryLimitMs(context));
      judge('limits/webhook-retries', expectSent(listener, old, 2));
      judge('events/retried-dropped', expectSent(listener, old, 2));
      judge('events/retry-belongs-to-event', expectSent(listener, old, 2), expectSent(listener, fresh, 2));
      judge('events/later-events-still-sent', expectSent(listener, later, 1));
    },
  },
  'event-delivery/failing-on': {
    title: 'The service sends each event twice, five seconds after its failure, however often the target has failed',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { judge, target } = context;
      const { printerId } = await context.computers.away();
      const listener = await context.listening.listen({ replies: { lasting: FAILURE } });
      const rounds = target.timekeeper.isVirtual ? FAILING_EVENTS : FAILING_EVENTS_REAL;
      for (let sent = 0; sent < 2 * rounds; sent += 2) {
        const before = listener.requests[sent - 1];
        const job = await makeEvent(context, printerId);
        const fresh = (await waitForRetry(context, listener, sent + 1))[sent];
        const isThere = expectRequests(
          listener.requests,
          fresh !== undefined,
          'requests of the webhook',
          `${sent + 1}`,
        );
        context.demand('events/later-events-still-sent', isThere);
        if (before) judge('events/due-after-failure-new-events', expectRetryDelay(context, before, fresh));
        await waitForRetry(context, listener, sent + 2);
        judge('events/failed-requeued', expectSent(listener, job, 2));
        // Its failure is over.
        await context.elapse(ON_ITS_WAY);
      }
      listener.answer({ lasting: WEBHOOK_REPLIES.ok });
      const last = await makeEvent(context, printerId);
      await context.elapse(retryLimitMs(context));
      judge('events/later-events-still-sent', expectSent(listener, last, 1));
    },
  },
  'event-delivery/changed-webhooks': {
    title: 'Queued events survive the deletion of their webhook and a change of its url or secret; new ones follow it',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { api, listening, judge } = context;
      const { printerId } = await context.computers.away();
      const [deleted, moved] = [await listening.listen(FAIL_ONCE), await listening.listen(FAIL_ONCE)];
      const resealed = await listening.listen(FAIL_ONCE);
      const elsewhere = await listening.address();
      const queued = await makeEvent(context, printerId);
      for (const listener of [deleted, moved, resealed]) await requestOf(context, listener, 1);
      context.require(expectSuccess(await api.delete(`/webhook/${deleted.webhookId}`)));
      const secret = context.uniqueText('secret');
      context.require(expectSuccess(await api.patch(`/webhook/${resealed.webhookId}`, { secret })));
      context.require(expectSuccess(await api.patch(`/webhook/${moved.webhookId}`, { url: elsewhere.url })));
      const fresh = await makeEvent(context, printerId);
      await context.elapse(retryLimitMs(context));
      judge('events/queued-survive-delete', expectSent(deleted, queued, 2));
      judge('events/queued-keep-url', expectSent(moved, queued, 2), expectSent(elsewhere, queued, 0, moved));
      judge('events/queued-keep-secret', expectOldSecret(resealed, queued));
      const [later] = jobEvents(resealed.requests, fresh.jobId);
      judge('events/secret-sent', expectSent(resealed, fresh, 1), later && expectSecret(later.request, secret));
      judge('events/new-events-new-url', expectSent(elsewhere, fresh, 1), expectSent(moved, fresh, 0));
    },
  },
  'event-delivery/changed-messages': {
    title: 'Queued events are still sent after the messages of their webhook change, alone and beside new ones',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { api, listening, judge } = context;
      const spelt = await context.speak('message-types');
      const [ofJobs, ofComputers] = [[spelt['print job state']], [spelt['computer state']]];
      const { printerId } = await context.computers.away();
      const alone = await listening.listen({ ...FAIL_ONCE, messages: ofJobs });
      const beside = await listening.listen({ ...FAIL_ONCE, messages: ofComputers });
      await makeEvent(context, printerId);
      await context.computers.connect();
      for (const listener of [alone, beside]) await requestOf(context, listener, 1);
      context.require(expectSuccess(await api.patch(`/webhook/${alone.webhookId}`, { messages: ofComputers })));
      context.require(expectSuccess(await api.patch(`/webhook/${beside.webhookId}`, { messages: ofJobs })));
      const fresh = await makeEvent(context, printerId);
      await context.elapse(retryLimitMs(context));
      judge('events/queued-survive-messages-change', expectAllAgain(alone), expectAllAgain(beside));
      judge('events/listed-types-trigger', expectSent(beside, fresh, 1));
    },
  },
  'event-delivery/hanging': {
    title: 'A receiver that hangs delays neither other webhooks nor the API, and eventually counts as failed',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { judge } = context;
      const { printerId } = await context.computers.away();
      const hanging = await context.listening.listen({
        replies: { first: [HANG], lasting: WEBHOOK_REPLIES.ok },
      });
      const failing = await context.listening.listen({ replies: { lasting: FAILURE } });
      const sound = await context.listening.listen();
      const unanswered = await makeEvent(context, printerId);
      await requestOf(context, hanging, 1);
      const second = await makeEvent(context, printerId);
      await sound.waitForRequests(2);
      const third = await makeEvent(context, printerId);
      const arrived = jobEvents(sound.requests, second.jobId)[0]?.request;
      const areApart = judge('events/targets-apart', expectAtOnce(context, arrived, second));
      judge('events/api-not-delayed', await expectPromptAnswer(context, context.history.exchanges.at(-1)));
      if (areApart) context.require(expectThat(failing.requests.length > 0, 'a failing webhook', 'requests', 'none'));
      const limit = context.target.timekeeper.isVirtual ? LONGEST_HANG : LONGEST_HANG_REAL;
      const next = await requestAgain(hanging, unanswered, limit);
      const [first] = hanging.requests;
      // A clock that a hook moves is seldom that of the connections of the service.
      if (!next && (limit === LONGEST_HANG_REAL || context.target.timekeeper.moved)) {
        const verdict = context.target.waitsMs === undefined ? 'inconclusive' : 'too-long';
        throw new CheckEnded(verdict, `the service still waits for a webhook's answer after ${limit}`);
      }
      const passed = first && next && passedBetween(arrivalOf(context, first), arrivalOf(context, next));
      noteDelay(context, 'from a webhook request without an answer to the next', passed);
      const at = 'a webhook whose request got no answer';
      const wanted = `another request within ${limit}`;
      judge('events/hanging-answer-fails', expectRequests(hanging.requests, next !== undefined, at, wanted));
      judge('events/all-due-in-one', expectCarriesDue(hanging, next, unanswered, [second, third]));
    },
  },
};
