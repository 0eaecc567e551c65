/** Checks of events from the receiver's side: what emits them, who gets them, and what they look like. */

import { isObject } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import type { WebhookDelivery } from '../../sink/webhook-receiver.ts';
import { EVENT_FIELDS } from '../../specification/fields.ts';
import { STABLE_PRINT_JOB_STATES } from '../../specification/states.ts';
import type { Rules } from '../check.ts';
import { apiKeyPath } from '../context/account-paths.ts';
import type { ConnectedComputer } from '../context/computers.ts';
import { newKey } from '../context/keys-and-tags.ts';
import type { CheckContext } from '../context/context.ts';
import {
  computerEvents,
  expectNoRequest,
  expectRequests,
  expectSecret,
  eventsOf,
  jobEvents,
  makeEvent,
  tellsState,
  untilDueArrived,
  type SeenEvent,
} from '../context/events.ts';
import {
  createdMsOf,
  deliveredJob,
  historyOf,
  jobBody,
  stateNames,
  submit,
  submitExpiring,
  namesIfShown,
} from '../context/jobs.ts';
import { join, take, withPrinter } from '../context/link-computer.ts';
import type { Listener } from '../context/listening.ts';
import { webhookAt } from '../context/webhook-settings.ts';
import { expectField } from '../../oracle/record-fields.ts';
import { datetimeMs } from '../../common/timestamp.ts';
import { asRecords, isEmptyArray, isId } from '../expect/records.ts';
import { expectEmpty, expectEqual, expectThat } from '../expect/that.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';
import { expectFound, expectSuccess } from '../expect/answer.ts';

const COMPUTER_STATE = 'computer state';
const JOB_STATE = 'print job state';
/** States that clients report and that are not among the stable ones. */
const UNSTABLE = ['received', 'downloading', 'downloaded', 'preparing_to_print', 'queued_to_print', 'in_progress'];
/** Where waiting costs nothing. */
const LONG_WAIT_MS = 300_000;
/** From the submission of a job that expires after these seconds to when its state is surely recorded. */
const expiredBy = ({ target }: CheckContext, seconds: number): number =>
  (target.timekeeper.isVirtual ? LONG_WAIT_MS : lateMs(TOLERANCES.expiryLate, target)) + seconds * 1_000;
/** The name of the API key that a Child's computer connects with. */
const KEY_NAME = 'events';
/** The query in the url of a webhook; the service may add to it. */
const QUERY = 'shop=7&Route=Left%2FRight';

const isStable = (state: unknown): boolean => Object.hasOwn(STABLE_PRINT_JOB_STATES, String(state));

/** Expects that one of the events holds something. */
function expectEvent(
  events: readonly SeenEvent[],
  requests: readonly WebhookDelivery[],
  what: string,
): Mismatch | undefined {
  return expectRequests(requests, events.length > 0, 'requests of the webhook', what);
}

/** The different values of a field in the events of these requests. */
function valuesOf(requests: readonly WebhookDelivery[], field: string): readonly unknown[] {
  return [...new Set(eventsOf(requests).map(({ object }) => object[field]))];
}

/** The account that a client speaks for. */
async function accountOf(
  context: CheckContext,
  api = context.api,
): Promise<{ readonly id: number; readonly isChild: boolean }> {
  const answer = await api.get('/whoami');
  const account = isObject(answer.value) ? answer.value : {};
  context.require(expectFound(answer, 'an account', () => isId(account['id'])));
  return { id: Number(account['id']), isChild: typeof account['creatorEmail'] === 'string' };
}

export const EVENT_RULES: Rules = {
  'events/computer-states': {
    title: 'A computer that connects or disconnects emits a computer state event',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { listening, computers, judge } = context;
      const listener = await listening.listen();
      const computer = await computers.connect();
      await listener.waitForRequests(1);
      const about = (): readonly SeenEvent[] => computerEvents(listener.requests, computer);
      const first = `a ${COMPUTER_STATE} event about computer ${computer.computerId}`;
      judge('events/computer-connects', expectEvent(about(), listener.requests, first));
      await untilDueArrived(context);
      const before = about().length;
      await computer.disconnect();
      await listener.waitForRequests(listener.requests.length + 1);
      const another = `another one when computer ${computer.computerId} disconnects`;
      judge('events/computer-changes', expectEvent(about().slice(before), listener.requests, another));
      await untilDueArrived(context);
      const gone = about().length;
      // So soon that a service might take it for the same connection.
      await computer.connect();
      await computer.disconnect();
      await computer.connect();
      await untilDueArrived(context);
      const again = about().slice(gone);
      const each = `one for each of three changes of computer ${computer.computerId} at once`;
      judge(
        'events/computer-changes',
        expectRequests(listener.requests, again.length >= 3, 'requests of the webhook', each),
      );
    },
  },
  'events/job-states': {
    title: 'Every stable state recorded for a job emits one event, and no other state does',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { judge } = context;
      const { computers, target } = context;
      const [computer, away, late] = [await computers.connect(), await computers.away(), await computers.away()];
      const listener = await context.listening.listen();
      const waited = await submit(context, jobBody(late.printerId));
      const jobIds: number[] = [];
      while (jobIds.length < 3) jobIds.push(await deliveredJob(context, computer));
      const [done = 0, along = 0, failed = 0] = jobIds;
      for (const state of target.link?.program ? UNSTABLE.slice(0, 1) : UNSTABLE) await computer.report(done, state);
      await Promise.all([done, along].map((jobId) => computer.report(jobId, 'done')));
      await computer.report(failed, 'error');
      // Whether what comes after an end is recorded is not printed; if it is, it emits an event if it is stable.
      const afterEnd = target.link?.program ? [] : [...UNSTABLE.slice(0, 1), 'done', 'error'];
      for (const state of afterEnd) await computer.report(done, state);
      const { seconds, expired } = await submitExpiring(context, 1, async (expireAfter) => ({
        seconds: expireAfter,
        expired: [
          await submit(context, jobBody(away.printerId, { expireAfter })),
          await submit(context, jobBody(away.printerId, { expireAfter })),
        ],
      }));
      // The service itself makes the state that it takes.
      const cancelled = await submit(context, jobBody(away.printerId));
      await context.api.delete(`/printjobs/${cancelled}`);
      await context.elapse(expiredBy(context, seconds));
      await untilDueArrived(context);
      // Before anything else happens: a service must not wait for that.
      const ofExpired = new Map(expired.map((jobId) => [jobId, jobEvents(listener.requests, jobId)]));
      await late.connect();
      await late.waitForJob(waited);
      await untilDueArrived(context);
      for (const jobId of [...jobIds, waited, ...expired, cancelled]) {
        const events = ofExpired.get(jobId) ?? jobEvents(listener.requests, jobId);
        const recorded = await (jobId === cancelled ? namesIfShown : stateNames)(context, jobId);
        if (recorded.length === 0) continue;
        const texts = events.map(({ text }) => text);
        const told = timesTold(events);
        const stable = recorded.filter(isStable);
        const at = `events of job ${jobId}`;
        judge('events/print-job-state', expectEachTold(at, stable, told));
        const others = recorded.filter((name) => !stable.includes(name) && told(name) > 0);
        judge(
          'events/stable-states-only',
          expectEmpty(at, others, 'stable states alone'),
          expectThat(events.length === stable.length, at, `${stable.length}`, texts),
        );
      }
    },
  },
  'events/sent-again': {
    title: 'A job that is sent to its client again emits an event for each stable state that is recorded',
    needs: ['device-link', 'computer', 'webhook-receiver'],
    async run(context) {
      const link = await join(context);
      const printerId = await withPrinter(context, link);
      const listener = await context.listening.listen();
      const jobId = await submit(context, jobBody(printerId));
      await take(link, jobId);
      await link.cut();
      const again = await join(context, { installationId: link.installationId });
      await take(again, jobId);
      await untilDueArrived(context);
      const recorded = (await stateNames(context, jobId)).filter(isStable);
      const events = jobEvents(listener.requests, jobId);
      context.judge('events/print-job-state', expectEachTold(`events of job ${jobId}`, recorded, timesTold(events)));
    },
  },
  'events/object': {
    title: 'A request carries the secret and an array of events, each with its five fields',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { judge } = context;
      const account = await accountOf(context);
      const listener = await context.listening.listen({ query: `?${QUERY}` });
      const computer = await context.computers.away();
      const { jobId } = await makeEvent(context, computer.printerId);
      await untilDueArrived(context);
      const { requests } = listener;
      for (const request of requests) {
        judge('events/query-sent', expectQuery(request));
        judge('events/body-array', expectArray(request));
        judge('events/secret-sent', expectSecret(request, listener.secret));
      }
      const events = eventsOf(requests);
      context.require(expectEvent(events, requests, 'events'));
      const types = valuesOf(requests, 'type');
      const areBoth = types.includes(COMPUTER_STATE) && types.includes(JOB_STATE);
      const at = 'types of the events of a computer and of a job';
      const both = `${COMPUTER_STATE} and ${JOB_STATE}`;
      judge('webhooks/messages-star-means-every', expectThat(areBoth, at, both, types));
      judge('events/field-type', expectThat(areBoth, at, both, types));
      for (const { object } of events) {
        for (const [name, field] of Object.entries(EVENT_FIELDS)) {
          judge(field.clause, expectField(object, 'event', name, field));
        }
        const { accountId, controllingAccountId } = object;
        judge('events/field-account-id', expectEqual('accountId of an event', accountId, account.id));
        const isRight = account.isChild ? isId(controllingAccountId) : controllingAccountId === account.id;
        const wanted = account.isChild ? 'the id of its parent' : `${account.id}, the account itself`;
        const where = 'controllingAccountId of an event';
        const mismatch = expectThat(isRight, where, wanted, controllingAccountId);
        judge('events/field-controlling-account-id', mismatch);
        judge('accounts/single-controls-itself', mismatch);
      }
      judge('events/field-created-at', await expectCreatedAt(context, requests, jobId));
    },
  },
  'events/of-child': {
    title: 'A Child Account emits every event; it names the Child, and its parent as the controlling account',
    needs: ['child-account', 'computer', 'webhook-receiver'],
    locks: ['account/webhooks', 'account/computers'],
    async run(context) {
      const { judge, target } = context;
      const parent = await accountOf(context);
      const child = await context.children.create();
      const apiKey = await newKey(context, child.api, KEY_NAME);
      // An account may have to keep its last key.
      await newKey(context, child.api, `${KEY_NAME}-2`);
      const sibling = await context.children.create();
      const listener = await context.listening.listen({ owner: child });
      const ofSibling = await context.listening.listen({ owner: sibling });
      const ofParent = await context.listening.listen();
      await makeEvent(context, (await context.computers.away()).printerId);
      const computer = await context.computers.connect({ owner: { ...child, apiKey } });
      const asChild = { ...context, api: child.api };
      const jobIds: number[] = [];
      for (const state of target.link?.program ? ['done'] : ['done', 'error']) {
        const jobId = await deliveredJob(asChild, computer);
        await computer.report(jobId, state);
        jobIds.push(jobId);
      }
      const before = listener.requests.length;
      await computer.disconnect();
      await listener.waitForRequests(before + 1);
      // Whether a client is sent away with its key is not printed; if it is, its computer changes its state.
      const isSentAway = target.timekeeper.isVirtual && (await isSentAwayWithKey(asChild, computer));
      if (target.timekeeper.isVirtual) jobIds.push(await expiredJob(asChild, computer.printerId));
      await untilDueArrived(context);
      const jobEventsOf = jobIds.flatMap((jobId) => jobEvents(listener.requests, jobId));
      const events = [...computerEvents(listener.requests, computer), ...jobEventsOf];
      context.require(expectEvent(events, listener.requests, 'events of the Child'));
      const told = new Set(events.map(({ text }) => text));
      const others = eventsOf(listener.requests).filter(({ text }) => !told.has(text));
      judge('events/own-account-only', expectOwn('a Child', child.id, others));
      judge('events/own-account-only', expectOwn('its sibling', sibling.id, eventsOf(ofSibling.requests)));
      for (const jobId of jobIds) {
        const recorded = (await stateNames(asChild, jobId)).filter(isStable);
        const times = timesTold(jobEvents(listener.requests, jobId));
        judge('events/print-job-state', expectEachTold(`events of job ${jobId} of a Child`, recorded, times));
      }
      const changes = computerEvents(listener.requests, computer).length;
      const both = `an event when computer ${computer.computerId} of a Child connects and one when it disconnects`;
      const mismatch = expectRequests(listener.requests, changes >= 2, 'requests of the webhook', both);
      judge('events/computer-connects', mismatch);
      const again = 'one when it comes back and one when it is sent away with its key';
      const ofKey = expectRequests(listener.requests, !isSentAway || changes >= 4, 'requests of the webhook', again);
      judge('events/computer-changes', mismatch, ofKey);
      // Whether the webhooks of its parent get them too is not printed.
      for (const { object } of [...events, ...computerEvents(ofParent.requests, computer)]) {
        const { accountId, controllingAccountId } = object;
        const ofChild = expectEqual('accountId of an event of a Child', accountId, child.id);
        judge('events/field-account-id', ofChild);
        const at = 'controllingAccountId of an event of a Child';
        const isParent = controllingAccountId === parent.id;
        const mismatch = expectThat(isParent, at, `${parent.id}, its parent`, controllingAccountId);
        judge('events/field-controlling-account-id', mismatch);
        judge('accounts/parent-controls-child', mismatch);
      }
    },
  },
  'events/types': {
    title: 'A webhook is triggered by the types in its messages and by no others',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { judge } = context;
      const spelt = await context.speak('message-types');
      const listenTo = (type: keyof typeof spelt): Promise<Listener> =>
        context.listening.listen({ messages: [spelt[type]] });
      const listeners = new Map([
        [COMPUTER_STATE, await listenTo(COMPUTER_STATE)],
        [JOB_STATE, await listenTo(JOB_STATE)],
      ]);
      const alike = await listenTo(JOB_STATE);
      const both = await context.listening.listen({ messages: [spelt[COMPUTER_STATE], spelt[JOB_STATE]] });
      const computer = await context.computers.away();
      await makeEvent(context, computer.printerId);
      await untilDueArrived(context);
      for (const [type, { requests }] of [...listeners, [JOB_STATE, alike] as const]) {
        const types = valuesOf(requests, 'type');
        const at = `types sent to a webhook whose messages are ${type} alone`;
        judge('events/listed-types-trigger', expectThat(types.includes(type), at, type, types));
        const others = types.filter((other) => other !== type);
        judge('events/other-types-do-not', expectThat(others.length === 0, at, `${type} alone`, types));
      }
      const ofBoth = valuesOf(both.requests, 'type');
      for (const type of [COMPUTER_STATE, JOB_STATE]) {
        const at = 'types sent to a webhook whose messages are both';
        judge('events/listed-types-trigger', expectThat(ofBoth.includes(type), at, `${type} among them`, ofBoth));
      }
      const [first, second] = [...listeners.values()];
      if (!first || !second) return;
      const moves = [
        [first, JOB_STATE],
        [second, COMPUTER_STATE],
      ] as const;
      for (const [{ webhookId }, type] of moves) {
        context.require(expectSuccess(await context.api.patch(`/webhook/${webhookId}`, { messages: [spelt[type]] })));
      }
      // Whether a webhook may have no types is not printed; if it may, nothing is listed.
      const emptied = await context.api.patch(`/webhook/${both.webhookId}`, { messages: [] });
      const hasNone = isEmptyArray(webhookAt(emptied, both.url)?.['messages']);
      const sentToBoth = both.requests.length;
      const seen = new Map(moves.map(([{ url, requests }]) => [url, requests.length]));
      const after = await context.computers.away();
      await makeEvent(context, after.printerId);
      await untilDueArrived(context);
      for (const [{ url, requests }, type] of moves) {
        const types = valuesOf(requests.slice(seen.get(url)), 'type');
        const at = `types sent to a webhook whose messages were changed to ${type} alone`;
        judge('events/listed-types-trigger', expectThat(types.includes(type), at, type, types));
        judge('events/other-types-do-not', expectThat(types.length <= 1, at, `${type} alone`, types));
      }
      if (hasNone) {
        const at = 'a webhook whose messages were changed to none';
        judge('events/other-types-do-not', expectNoRequest(at, both.requests.slice(sentToBoth)));
      }
    },
  },
  'events/before-and-after': {
    title: 'A webhook gets no events from before its creation or from after its deletion',
    needs: ['computer', 'webhook-receiver'],
    async run(context) {
      const { judge } = context;
      const computer = await context.computers.away();
      const before = await makeEvent(context, computer.printerId);
      const [listener, deleted] = [await context.listening.listen(), await context.listening.listen()];
      context.require(expectSuccess(await context.api.delete(`/webhook/${deleted.webhookId}`)));
      const { jobId } = await makeEvent(context, computer.printerId);
      await listener.waitForRequests(1);
      await untilDueArrived(context);
      const { requests } = listener;
      context.require(expectEvent(jobEvents(requests, jobId), requests, `an event about job ${jobId}`));
      const early = jobEvents(requests, before.jobId).map(({ text }) => text);
      judge('events/before-webhook-not-sent', expectEmpty('events from before the webhook', early));
      judge('events/deleted-webhook-not-triggered', expectNoRequest('a deleted webhook', deleted.requests));
    },
  },
  'events/accounts-apart': {
    title: 'A webhook gets no events of another account',
    needs: ['second-account', 'computer', 'webhook-receiver'],
    locks: ['second-account'],
    async run(context) {
      const own = await context.listening.listen();
      const foreign = await context.listening.listen({ owner: 'second-account' });
      const sites = [
        { listener: own, account: await accountOf(context), computer: await context.computers.away() },
        {
          listener: foreign,
          account: await accountOf(context, context.secondApi),
          computer: await context.computers.away({ owner: 'second-account' }),
        },
      ];
      await untilDueArrived(context);
      for (const { listener, account, computer } of sites) {
        const { requests } = listener;
        const about = computerEvents(requests, computer);
        context.require(expectEvent(about, requests, `an event about computer ${computer.computerId}`));
        context.judge('events/own-account-only', expectOwn(`account ${account.id}`, account.id, eventsOf(requests)));
      }
    },
  },
};

/** Expects events of this account alone. */
function expectOwn(whose: string, accountId: number, events: readonly SeenEvent[]): Mismatch | undefined {
  const accounts = [...new Set(events.map(({ object }) => object['accountId']))];
  const at = `accounts of the events sent to a webhook of ${whose}`;
  return expectThat(
    accounts.every((id) => id === accountId),
    at,
    `${accountId} alone`,
    accounts,
  );
}

/** Brings a computer back and deletes the API key that it connects with; whether it is away by that. */
async function isSentAwayWithKey(context: CheckContext, computer: ConnectedComputer): Promise<boolean> {
  await computer.connect();
  const isAway = async (): Promise<boolean> => {
    const { value } = await context.api.get(`/computers/${computer.computerId}`);
    return asRecords(value)?.[0]?.['state'] === 'disconnected';
  };
  const wasAway = await isAway();
  context.require(expectSuccess(await context.api.delete(apiKeyPath(KEY_NAME))));
  await context.elapse(0);
  const isSentAway = !wasAway && (await isAway());
  if (!isSentAway) await computer.disconnect();
  return isSentAway;
}

/** A job for a computer that is away, after its expiry. */
async function expiredJob(context: CheckContext, printerId: number): Promise<number> {
  const { seconds, jobId } = await submitExpiring(context, 1, async (expireAfter) => ({
    seconds: expireAfter,
    jobId: await submit(context, jobBody(printerId, { expireAfter })),
  }));
  await context.elapse(expiredBy(context, seconds));
  return jobId;
}

/** How many of these events carry a state, by its name. */
function timesTold(events: readonly SeenEvent[]): (state: unknown) => number {
  return (state) => events.filter(({ object }) => tellsState(object, state)).length;
}

/** Expects an event for each time that a state was recorded. */
function expectEachTold(
  at: string,
  recorded: readonly unknown[],
  told: (name: unknown) => number,
): Mismatch | undefined {
  const times = Map.groupBy(recorded, (name) => name);
  const show = (count: (name: unknown) => number): string =>
    [...times.keys()].map((name) => `${String(name)} ${count(name)} times`).join(', ');
  const wanted = (name: unknown): number => times.get(name)?.length ?? 0;
  return expectThat(
    [...times.keys()].every((name) => told(name) === wanted(name)),
    at,
    show(wanted),
    show(told),
  );
}

function expectArray({ events }: WebhookDelivery): Mismatch | undefined {
  const holds = events.ok && events.value.every(isObject);
  const shown = events.ok ? events.value : events.error;
  return expectThat(holds, 'body of a webhook request', 'a JSON array of objects', shown);
}

function expectQuery({ query }: WebhookDelivery): Mismatch | undefined {
  const sent = new URLSearchParams(query);
  // Clients may write a character of a query in another way, which says the same.
  const holds = [...new URLSearchParams(QUERY)].every(([name, value]) => sent.getAll(name).includes(value));
  return expectThat(holds, 'query of a webhook request', `${QUERY}, as in its url`, query);
}

/** The event of a new job was created when its state new was, by the clock of the same service. */
async function expectCreatedAt(
  context: CheckContext,
  requests: readonly WebhookDelivery[],
  jobId: number,
): Promise<Mismatch | undefined> {
  const [event] = jobEvents(requests, jobId);
  const missing = expectEvent(event ? [event] : [], requests, `an event about job ${jobId}`);
  if (missing) return missing;
  const [registered] = await historyOf(context, jobId);
  if (!registered) return expectThat(false, `states of job ${jobId}`, 'new', 'none');
  const newMs = createdMsOf(registered);
  const createdMs = datetimeMs(event?.object['createdAt']) ?? Number.NaN;
  const wanted = `about ${new Date(newMs).toISOString()}, when the state new was recorded`;
  const holds = Math.abs(createdMs - newMs) <= TOLERANCES.createdOff.ms;
  return expectThat(holds, 'createdAt of the event of a new job', wanted, event?.object['createdAt']);
}
