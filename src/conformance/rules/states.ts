/** Checks of print job states: the objects, their order and times, and how a job gets to each. */

import { showValue, type JsonObject } from '../../common/json-value.ts';
import { keysOf } from '../../common/keys-of.ts';
import { presentOf, type TimeInterval } from '../../common/timekeeper.ts';
import { inAnotherZone } from '../../common/timestamp.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { PRINT_JOB_STATE_FIELDS } from '../../specification/fields.ts';
import { STABLE_PRINT_JOB_STATES } from '../../specification/states.ts';
import type { Rules } from '../check.ts';
import {
  createdMsOf,
  deliveredJob,
  historyOf,
  jobBody,
  readHistories,
  submit,
  submitMany,
  type ShownState,
} from '../context/jobs.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { plainPrinter, refuseProgram } from '../context/computers.ts';
import { passedBetween, showPassed } from '../context/events.ts';
import { timed } from '../context/took.ts';
import { expectListedComputer } from '../expect/fields.ts';
import { asRecords } from '../expect/records.ts';
import { stateOnceAway } from '../context/once-away.ts';
import { TOLERANCES } from '../expect/tolerances.ts';
import { expectEqual, expectExcludes, expectIncludes, expectThat, firstOf, sameJson } from '../expect/that.ts';
import { expectFound, expectStatus, type Answer } from '../expect/answer.ts';

/** What is not stable. Client programs have words of their own. */
const OTHER_STATES = ['preparing_to_print', ...Array.from({ length: 8 }, (_, index) => `printing_page_${index + 1}`)];

const ON_FIRE = 'The printer “Büro” is on fire \u{1F525}';

function find(history: readonly ShownState[], name: string): ShownState | undefined {
  return history.find((shown) => shown.name === name);
}

function namesOf(history: readonly ShownState[]): readonly unknown[] {
  return history.map(({ name }) => name);
}

function expectState(history: readonly ShownState[], name: string, jobId: number): Mismatch | undefined {
  const names = namesOf(history);
  return expectIncludes(`states of job ${jobId}`, names, name);
}

function expectClientVersion(
  history: readonly ShownState[],
  name: string,
  version: string | null,
): Mismatch | undefined {
  const actual = find(history, name)?.object['clientVersion'];
  return expectEqual(`clientVersion of the state ${name}`, actual, version);
}

/** The time of a state lies between two looks at the clock. */
function expectTime(
  history: readonly ShownState[],
  name: string,
  { fromMs }: TimeInterval,
  { toMs }: TimeInterval,
): Mismatch | undefined {
  const shown = find(history, name);
  const createdMs = shown && createdMsOf(shown);
  const interval = `a time from ${new Date(fromMs).toISOString()} to ${new Date(toMs).toISOString()}`;
  const holds = createdMs !== undefined && createdMs >= fromMs && createdMs <= toMs;
  return expectThat(holds, `createTimestamp of the state ${name}`, interval, shown?.object['createTimestamp']);
}

/** Expects each age to be the time since new, as the timestamps tell it. */
function expectAges(history: readonly ShownState[]): Mismatch | undefined {
  const start = find(history, 'new');
  const startMs = start ? createdMsOf(start) : Number.NaN;
  const mismatches = history.map((shown) => {
    const age = shown.object['age'];
    const expected = createdMsOf(shown) - startMs;
    const holds = Math.abs(Number(age) - expected) <= TOLERANCES.ageOff.ms;
    return expectThat(holds, `age of the state ${String(shown.name)}`, `${expected}, as createTimestamp tells`, age);
  });
  return firstOf(...mismatches);
}

type TimedHistory = readonly [history: readonly ShownState[], when: TimeInterval];

/** Expects the states of two jobs to be as far apart as both were here, whatever the clock of the service says. */
function expectApart(name: string, [before, from]: TimedHistory, [after, to]: TimedHistory): Mismatch | undefined {
  const [one, other] = [find(before, name), find(after, name)];
  const ms = one && other ? createdMsOf(other) - createdMsOf(one) : Number.NaN;
  const { fromMs, toMs } = passedBetween(from, to);
  const { ms: offMs } = TOLERANCES.stateTimeOff;
  const holds = ms >= fromMs - offMs && ms <= toMs + offMs;
  const at = `time between the states ${name} of two jobs`;
  return expectThat(holds, at, `about ${showPassed({ fromMs, toMs })}`, `${ms} ms`);
}

/** Expects a history to have all that it had before: what further fields tell may change. */
function expectKept(
  history: readonly ShownState[],
  before: readonly ShownState[],
  jobId: number,
): Mismatch | undefined {
  const now = history.map(printedPart);
  const lost = before.map(printedPart).find((old) => !now.some((one) => sameJson(one, old)));
  return expectThat(!lost, `states of job ${jobId}`, `${showValue(lost)} still among them`, now);
}

function printedPart({ object }: ShownState): JsonObject {
  return Object.fromEntries(keysOf(PRINT_JOB_STATE_FIELDS).map((field) => [field, object[field]]));
}

/** Expects that no state is older than new; others may have the same timestamp. */
function expectNewFirst(history: readonly ShownState[], jobId: number): Mismatch | undefined {
  const newMs = find(history, 'new')?.createdMs ?? Number.NaN;
  const isFirst = history.every(({ createdMs }) => createdMs === undefined || createdMs >= newMs);
  return expectThat(isFirst, `states of job ${jobId}`, 'new first', namesOf(history));
}

export const STATE_RULES: Rules = {
  'states/new': {
    title: 'The service sets a job to new immediately, with age 0',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const { computerId, printerId } = await context.computers.away();
      // A job may still be sent to a connection whose end the service has not seen.
      await stateOnceAway(context, computerId);
      const jobId = await submit(context, jobBody(printerId));
      const history = await historyOf(context, jobId);
      judge('states/new', expectState(history, 'new', jobId));
      judge('states/new-at-once', expectState(history, 'new', jobId));
      judge('states/new-by-service', expectClientVersion(history, 'new', null));
      const names = namesOf(history);
      judge('states/new-first', expectNewFirst(history, jobId));
      const age = find(history, 'new')?.object['age'];
      judge('states/age-of-new-zero', expectEqual('age of the state new', age, 0));
      judge('states/sent-to-client-not-before', expectExcludes(`states of job ${jobId}`, names, 'sent_to_client'));
    },
  },
  'states/done': {
    title: 'A job is sent to its client, and is done when the client reports so, with the client’s version',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const computer = await context.computers.connect({ client: { version: '4.5.6' } });
      const jobId = await deliveredJob(context, computer);
      const before = await historyOf(context, jobId);
      judge('states/sent-to-client', expectState(before, 'sent_to_client', jobId));
      const at = `states of job ${jobId}`;
      const early = expectThat(!find(before, 'done'), at, 'no done before the client reports it', namesOf(before));
      judge('states/done-by-client', early);
      await computer.report(jobId, 'done', { message: 'queued' });
      const after = await historyOf(context, jobId);
      judge('states/done', expectState(after, 'done', jobId));
      judge('states/done-by-client', expectClientVersion(after, 'done', '4.5.6'));
      judge('states/client-version-of-client', expectClientVersion(after, 'done', '4.5.6'));
      judge('states/new-first', expectNewFirst(after, jobId));
      judge('states/client-version-null', expectClientVersion(after, 'new', null));
      const ends = namesOf(after).filter((name) => ['done', 'error', 'expired'].includes(String(name)));
      judge('states/ends-once', expectThat(ends.length === 1, at, 'one end', ends));
      judge('states/history-kept', expectKept(after, before, jobId));
      if (!context.target.link?.program) {
        // Whether what comes after an end is recorded is not printed.
        for (const state of ['done', 'error']) await computer.report(jobId, state, { message: 'after the end' });
        judge('states/history-kept', expectKept(await historyOf(context, jobId), after, jobId));
      }
      const stable = ['new', 'sent_to_client', 'done'].filter((name) => Object.hasOwn(STABLE_PRINT_JOB_STATES, name));
      judge('versioning/stable-states-guaranteed', firstOf(...stable.map((name) => expectState(after, name, jobId))));
    },
  },
  'states/error': {
    title: 'A failed job is in state error with its client’s message and version, even after the client is updated',
    needs: ['computer'],
    async run(context) {
      const { judge } = context;
      const computer = await context.computers.connect({ client: { version: '7.8.9' } });
      const jobId = await deliveredJob(context, computer);
      await computer.report(jobId, 'error', { message: ON_FIRE });
      const history = await historyOf(context, jobId);
      judge('states/error', expectState(history, 'error', jobId));
      const message = String(find(history, 'error')?.object['message']);
      const isTold = Boolean(context.target.link?.program) || message.includes(ON_FIRE);
      judge('states/field-message', expectThat(isTold, 'message of the state error', 'what the client said', message));
      judge('states/error-by-client', expectClientVersion(history, 'error', '7.8.9'));
      await computer.disconnect();
      await computer.connect({ version: '8.0.0' });
      const later = await historyOf(context, jobId);
      judge('states/client-version-of-client', expectClientVersion(later, 'error', '7.8.9'));
    },
  },
  'states/ages': {
    title: 'age counts the milliseconds since new, and states are as far apart as the events they report',
    needs: ['computer'],
    async run(context) {
      const computer = await context.computers.connect({ client: { version: '5.6.7' } });
      const [jobId, submitted] = await timed(context, () => deliveredJob(context, computer));
      const early = await historyOf(context, jobId);
      await context.elapse('1250ms');
      const steps = context.target.link?.program ? [] : OTHER_STATES;
      for (const name of steps) await computer.report(jobId, name);
      const [, done] = await timed(context, () => computer.report(jobId, 'done'));
      const history = await historyOf(context, jobId);
      context.demand('states/history-kept', expectState(history, 'new', jobId));
      context.require(expectState(history, 'new', jobId));
      context.judge('states/history-kept', expectKept(history, early, jobId));
      for (const shown of history.filter(({ name }) => [...steps, 'done'].includes(String(name)))) {
        context.judge('states/client-version-of-client', expectClientVersion([shown], String(shown.name), '5.6.7'));
      }
      context.judge('states/age-since-new', expectAges(history));
      await context.elapse('1250ms');
      const [laterId, laterSubmitted] = await timed(context, () => deliveredJob(context, computer));
      const [, laterDone] = await timed(context, () => computer.report(laterId, 'done'));
      const later = await historyOf(context, laterId);
      const apart = expectApart('new', [history, submitted], [later, laterSubmitted]);
      context.judge('states/create-timestamp-of-service', apart);
      await context.judgeIfSeen('states/create-timestamp-of-client', async () => {
        refuseProgram(context, 'reports done at a time of its own');
        return expectApart('done', [history, done], [later, laterDone]);
      });
    },
  },
  'states/times': {
    title: 'createTimestamp is the time at which service or client generated the state, and age exceeds a minute',
    // On a real clock that of the service may go differently from ours.
    needs: ['computer', 'virtual-clock'],
    async run(context) {
      const { judge } = context;
      const { timekeeper } = context.target;
      const computer = await context.computers.connect();
      const sent = presentOf(timekeeper);
      const jobId = await deliveredJob(context, computer);
      const delivered = presentOf(timekeeper);
      // No whole seconds.
      await context.elapse('90789ms');
      const reported = presentOf(timekeeper);
      await computer.report(jobId, 'done', { createTimestamp: inAnotherZone(timekeeper.now()) });
      const acknowledged = presentOf(timekeeper);
      await context.elapse('10s');
      const history = await historyOf(context, jobId);
      judge('states/create-timestamp-of-service', expectTime(history, 'new', sent, delivered));
      judge('states/create-timestamp-of-client', expectTime(history, 'done', reported, acknowledged));
      judge('states/age-since-new', expectAges(history));
    },
  },
  'states/clock': {
    title: 'createTimestamp of a state agrees with the clock that the service shows elsewhere, in the same time zone',
    needs: ['printer'],
    async run(context) {
      const { printerId } = await context.computers.away();
      const answer = await context.api.post('/printjobs', jobBody(printerId));
      context.require(expectStatus(answer, 201));
      const clockMs = clockOf(context, answer);
      const shown = find(await historyOf(context, Number(answer.value)), 'new');
      const createdMs = shown && createdMsOf(shown);
      const { ms: offMs } = TOLERANCES.clockOff;
      context.judge(
        'states/create-timestamp-of-service',
        expectThat(
          createdMs !== undefined && Math.abs(createdMs - clockMs) <= offMs,
          'createTimestamp of the state new',
          `about ${new Date(clockMs).toISOString()}`,
          shown?.object['createTimestamp'],
        ),
      );
    },
  },
  'states/paths': {
    title: 'A caller can read the states of all jobs, or of exactly the jobs of a set',
    needs: ['printer'],
    locks: ['account'],
    async run(context) {
      const { judge } = context;
      const { printerId } = await context.computers.away();
      const first = await submit(context, jobBody(printerId));
      // Each age counts from its own job.
      await context.elapse('50ms');
      const [second = 0, third = 0, fourth = 0] = await submitMany(context, printerId, 3);
      const all = await context.api.get('/printjobs/states');
      const told = readHistories(all);
      judge(
        'print-jobs/states-all',
        expectStatus(all, 200),
        expectFound(all, 'states of the newest job', () => told?.has(fourth) ?? false),
      );
      const wanted = [first, third, fourth];
      const some = await context.api.get(`/printjobs/${wanted.join(',')}/states`);
      const jobs = [...(readHistories(some)?.keys() ?? [])];
      const at = `jobs in the body of ${some.request}`;
      const areThere = wanted.every((id) => jobs.includes(id));
      judge('print-jobs/states-set', expectStatus(some, 200), expectThat(areThere, at, wanted.join(', '), jobs));
      judge('print-jobs/states-set-only', expectExcludes(at, jobs, second));
      const ages = [...(readHistories(some)?.values() ?? [])].map((history) => find(history, 'new')?.object['age']);
      judge(
        'states/age-of-new-zero',
        expectEqual(
          `ages of the states new in ${some.request}`,
          ages,
          ages.map(() => 0),
        ),
      );
    },
  },
  'states/computers-and-printers': {
    title:
      'A computer is disconnected exactly while its client is, and its printers say so; they are online or offline',
    needs: ['computer'],
    async run(context) {
      const { computers, api, judge } = context;
      const computer = await computers.connect({
        printers: [onOff('on', 'online'), onOff('off', 'offline')],
      });
      const recordAt = async (path: string): Promise<JsonObject> => asRecords((await api.get(path)).value)?.[0] ?? {};
      const stateAt = async (path: string): Promise<unknown> => (await recordAt(path))['state'];
      const path = `/computers/${computer.computerId}`;
      const connected = await stateAt(path);
      const at = `state of ${path}`;
      judge(
        'states/computer-connected-differs',
        expectThat(connected !== 'disconnected', at, 'not disconnected', connected),
      );
      const [online = 0, offline = 0] = computer.printerIds;
      for (const [clause, id, wanted] of [
        ['states/printer-online', online, 'online'],
        ['states/printer-offline', offline, 'offline'],
      ] as const) {
        const actual = await stateAt(`/printers/${id}`);
        judge(clause, expectEqual(`state of /printers/${id}`, actual, wanted));
      }
      await computer.disconnect();
      const away = await stateOnceAway(context, computer.computerId);
      judge('states/computer-disconnected', expectEqual(at, away, 'disconnected'));
      const [printer, listed] = [await recordAt(`/printers/${online}`), await recordAt(path)];
      judge('printers/computer-as-listed', expectListedComputer(printer, listed));
    },
  },
};

const THIS_MACHINE = /^(127\.|localhost$|\[::1\]$)/;

/** What time it is at the service. Ends the check as untestable where that cannot be known. */
function clockOf({ target: { timekeeper, baseUrl } }: CheckContext, answer: Answer): number {
  if (timekeeper.isVirtual || THIS_MACHINE.test(new URL(baseUrl).hostname)) return timekeeper.now();
  const dateMs = Date.parse(answer.header('Date') ?? '');
  if (Number.isNaN(dateMs)) throw new CheckEnded('untestable', 'the service does not say in Date what time it has');
  return dateMs;
}

function onOff(key: string, state: string): ReturnType<typeof plainPrinter> {
  return plainPrinter({ key, name: `Printer ${key}`, default: null, state });
}
