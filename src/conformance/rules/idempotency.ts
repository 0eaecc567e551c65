/** Checks of X-Idempotency-Key. */

import type { ClauseId } from '../../specification/clauses.ts';
import { ERRORS } from '../../specification/errors.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import {
  expectErrorCode,
  expectIds,
  expectRefusal,
  expectStatus,
  expectSuccess,
  type Answer,
} from '../expect/answer.ts';
import type { ApiRequest } from '../context/api-client.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { newKey } from '../context/keys-and-tags.ts';
import { contentOf, idempotencyKey, newIdempotencyKey, jobBody, submit, submitExpiring } from '../context/jobs.ts';
import type { JsonObject } from '../../common/json-value.ts';
import { firstOf } from '../expect/that.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';
import { gapCheck, seen } from './gap-check.ts';

const { status: CONFLICT, code: CONFLICT_CODE } = ERRORS.Conflict;
const DAY_HOURS = LIMITS.idempotencyHours.value;
const DAY_MS = DAY_HOURS * 3_600_000;
const EARLY_S = TOLERANCES.keyEarly.ms / 1_000;

/** Keys that differ from each other in little. */
const LIKE_KEYS: readonly (readonly [what: string, one: (key: string) => string, other: (key: string) => string])[] = [
  ['another key', (key) => key, (key) => `${key}2`],
  ['in upper case', (key) => `${key}-a`, (key) => `${key}-A`],
  ['a number, with a leading zero', (key) => digitsOf(key), (key) => `0${digitsOf(key)}`],
  ['another one after a comma', (key) => `${key},1`, (key) => `${key},2`],
  ['another one after 64 characters', longKey(64, '1'), longKey(64, '2')],
  ['another one after 200 characters', longKey(200, '1'), longKey(200, '2')],
];

/** Between the two uses of a key: more than a list of recent ones would hold, or a short one where time is real. */
const OTHERS = 300;
const OTHERS_REAL = 24;

/** Lengths at which columns and limits end. */
const KEY_LENGTHS = [64, 128, 255, 256, 1_024, 4_096];

function longKey(length: number, end: string): (key: string) => string {
  return (key) => key.padEnd(length, '-') + end;
}

/** A number that is a key of its own. */
const digitsOf = (key: string): string => `1${Array.from(Buffer.from(key), (byte) => byte % 10).join('')}`;

type Sent = Pick<ApiRequest, 'json' | 'form'>;

/** Two submissions of one kind, of which the second is refused. */
const REPEATED: readonly (readonly [clause: ClauseId, (printerId: number) => readonly [first: Sent, again: Sent]])[] = [
  [
    'print-jobs/idempotency-key-counts',
    (printerId) => [
      { json: jobBody(printerId) },
      { json: jobBody(printerId, { content: Buffer.from('%PDF-1.4 another').toString('base64') }) },
    ],
  ],
  ['print-jobs/idempotency-conflict', (printerId) => twice({ json: ofType(printerId, 'raw_base64') })],
  ['print-jobs/idempotency-conflict', (printerId) => twice({ json: ofType(printerId, 'pdf_uri') })],
  ['print-jobs/idempotency-conflict', (printerId) => twice({ form: jobBody(printerId) })],
  ['print-jobs/idempotency-conflict', (printerId) => [{ json: jobBody(printerId) }, { form: jobBody(printerId) }]],
  ['print-jobs/idempotency-conflict', (printerId) => [{ form: jobBody(printerId) }, { json: jobBody(printerId) }]],
];

const twice = (sent: Sent): readonly [Sent, Sent] => [sent, sent];

const ofType = (printerId: number, contentType: string): JsonObject =>
  jobBody(printerId, { contentType, content: contentOf(contentType) });

/** Submissions with one key to one printer. */
async function submitter(context: CheckContext): Promise<(key: string, title?: string) => Promise<Answer>> {
  const { printerId } = await context.computers.away();
  return (key, title = 'Once') => context.api.post('/printjobs', jobBody(printerId, { title }), idempotencyKey(key));
}

export const IDEMPOTENCY_RULES: Rules = {
  'idempotency/conflict': {
    title: 'A second job with a used X-Idempotency-Key gets 409 Conflict, whatever else it contains',
    needs: ['printer'],
    async run(context) {
      const { judge } = context;
      const post = await submitter(context);
      const key = newIdempotencyKey(context);
      context.demand('print-jobs/idempotency-first-accepted', expectStatus(await post(key), 201));
      const second = await post(key);
      if (judge('print-jobs/idempotency-conflict', expectStatus(second, CONFLICT)))
        judge('errors/conflict', expectErrorCode(second, CONFLICT_CODE));
      judge('print-jobs/idempotency-key-counts', expectStatus(await post(key, 'Another'), CONFLICT));
      const { printerId } = await context.computers.away();
      for (const [clause, make] of REPEATED) {
        const [first, again] = make(printerId);
        const request = { method: 'POST', path: '/printjobs', headers: idempotencyKey(newIdempotencyKey(context)) };
        context.require(expectStatus(await context.api.send({ ...request, ...first }), 201));
        judge(clause, expectStatus(await context.api.send({ ...request, ...again }), CONFLICT));
      }
    },
  },
  'idempotency/kept': {
    title: 'A key stays used for other printers, after many other keys, and when its job is cancelled, done or expired',
    needs: ['computer'],
    async run(context) {
      const { api, judge, require, random } = context;
      const post = await submitter(context);
      const key = newIdempotencyKey({ random });
      const first = await post(key);
      require(expectStatus(first, 201));
      const elsewhere = await submitter(context);
      judge('print-jobs/idempotency-key-counts', expectStatus(await elsewhere(key), CONFLICT));
      const most = context.target.timekeeper.isVirtual ? OTHERS : OTHERS_REAL;
      for (let others = 0; others < most; others++)
        require(expectStatus(await post(newIdempotencyKey({ random })), 201));
      judge('print-jobs/idempotency-conflict', expectStatus(await post(key), CONFLICT));
      require(expectSuccess(await api.delete(`/printjobs/${String(first.value)}`)));
      judge('print-jobs/idempotency-conflict', expectStatus(await post(key), CONFLICT));
      const computer = await context.computers.connect();
      const away = await context.computers.away();
      const doneKey = idempotencyKey(newIdempotencyKey({ random }));
      const { seconds, expiring, expiredKey } = await submitExpiring(context, 1, async (expireAfter) => {
        const body = jobBody(away.printerId, { expireAfter });
        // Another one each time: a refusal may use it up.
        const own = idempotencyKey(newIdempotencyKey({ random }));
        await submit(context, body, own);
        return { seconds: expireAfter, expiring: body, expiredKey: own };
      });
      const done = await submit(context, jobBody(computer.printerId), doneKey);
      if (!(await computer.waitForJob(done))) throw new CheckEnded('blocked', `job ${done} was not delivered`);
      await computer.report(done, 'done');
      const afterDone = await api.post('/printjobs', jobBody(computer.printerId), doneKey);
      judge('print-jobs/idempotency-conflict', expectStatus(afterDone, CONFLICT));
      if (!context.target.link?.program) {
        const failedKey = idempotencyKey(newIdempotencyKey({ random }));
        const failed = await submit(context, jobBody(computer.printerId), failedKey);
        if (!(await computer.waitForJob(failed))) throw new CheckEnded('blocked', `job ${failed} was not delivered`);
        await computer.report(failed, 'error');
        const afterError = await api.post('/printjobs', jobBody(computer.printerId), failedKey);
        judge('print-jobs/idempotency-conflict', expectStatus(afterError, CONFLICT));
      }
      await context.elapse(lateMs(TOLERANCES.expiryLate, context.target) + seconds * 1_000);
      const afterExpiry = await api.post('/printjobs', expiring, expiredKey);
      judge('print-jobs/idempotency-conflict', expectStatus(afterExpiry, CONFLICT));
      require(expectSuccess(await api.delete(`/computers/${computer.computerId}`)));
      const afterDeletion = await api.post('/printjobs', jobBody(away.printerId), doneKey);
      judge('print-jobs/idempotency-conflict', expectStatus(afterDeletion, CONFLICT));
    },
  },
  'idempotency/of-child': {
    title: 'A key that an Integrator sent for a Child is refused the second time, even with the Child’s API keys',
    needs: ['computer', 'child-account'],
    async run(context) {
      const child = await context.children.create();
      const apiKey = await newKey(context, child.api, 'computer');
      const { printerId } = await context.computers.away({ owner: { apiKey, api: child.api, cleaner: child.cleaner } });
      const key = idempotencyKey(newIdempotencyKey(context));
      const own = await newKey(context, child.api, 'own');
      const post = (api = child.api): Promise<Answer> => api.post('/printjobs', jobBody(printerId), key);
      context.require(expectStatus(await post(), 201));
      // What some languages take for nothing.
      const withNought = (): Promise<Answer> => child.api.post('/printjobs', jobBody(printerId), idempotencyKey('0'));
      context.require(expectSuccess(await withNought()));
      context.judge('print-jobs/idempotency-conflict', expectStatus(await withNought(), CONFLICT));
      // The Integrator again, and two API keys of the Child: all of them act for one account.
      for (const api of [child.api, context.callAs(apiKey), context.callAs(own)]) {
        context.judge('print-jobs/idempotency-conflict', expectStatus(await post(api), CONFLICT));
      }
    },
  },
  'idempotency/no-conflict': {
    title: 'Equal jobs without a key and with different keys are all accepted',
    needs: ['printer'],
    async run({ computers, api, judge, random }) {
      const { printerId } = await computers.away();
      const post = (headers: readonly (readonly [string, string])[]): Promise<Answer> =>
        api.post('/printjobs', jobBody(printerId), headers);
      const twice = async (first: readonly (readonly [string, string])[], second = first) =>
        firstOf(expectStatus(await post(first), 201), expectStatus(await post(second), 201));
      judge('print-jobs/idempotency-optional', await twice([]));
      for (const [what, one, other] of LIKE_KEYS) {
        const key = newIdempotencyKey({ random });
        const first = await post(idempotencyKey(one(key)));
        // How long a key may be is not printed.
        if (what !== 'another key' && expectRefusal(first) === undefined) continue;
        const second = await post(idempotencyKey(other(key)));
        judge('print-jobs/idempotency-other-key', firstOf(expectStatus(first, 201), expectStatus(second, 201)));
      }
    },
  },
  'idempotency/conflict-makes-no-job': {
    title: 'A job refused with 409 does not exist, and the first one is untouched',
    needs: ['computer'],
    async run(context) {
      const { printerId } = await context.computers.away();
      const key = idempotencyKey(newIdempotencyKey(context));
      const first = await submit(context, jobBody(printerId), key);
      context.require(expectStatus(await context.api.post('/printjobs', jobBody(printerId), key), CONFLICT));
      const list = await context.api.get(`/printers/${printerId}/printjobs`);
      context.judge('print-jobs/idempotency-conflict-no-job', expectIds(list, [first]));
    },
  },
  'idempotency/day': {
    title: 'A key is refused for 24 hours after its first use, and accepted afterwards',
    needs: ['printer', 'virtual-clock'],
    async run(context) {
      const { judge } = context;
      const post = await submitter(context);
      const key = newIdempotencyKey(context);
      // From noon: its 24 hours are those of no calendar.
      await context.elapse((1.5 * DAY_MS - (context.target.timekeeper.now() % DAY_MS)) % DAY_MS);
      context.require(expectStatus(await post(key), 201));
      await context.elapse(`${DAY_HOURS - 1}h59m${60 - EARLY_S}s`);
      judge('limits/idempotency-within', expectStatus(await post(key), CONFLICT));
      await context.elapse(`${EARLY_S + lateMs(TOLERANCES.keyLate, context.target) / 1_000}s`);
      const again = await post(key);
      judge('limits/idempotency-reuse', expectStatus(again, 201));
      // The refused repeat was just now: had it prolonged the time, the key would still be taken.
      judge('limits/idempotency-from-first-use', expectStatus(again, 201));
      // Its new use is one like the first.
      judge('print-jobs/idempotency-conflict', expectStatus(await post(key), CONFLICT));
    },
  },
  ...gapCheck('gap/idempotency-refused', ['printer'], async (context) => {
    const { printerId } = await context.computers.away();
    const key = idempotencyKey(newIdempotencyKey(context));
    const refused = await context.api.post('/printjobs', jobBody(printerId, { qty: 0 }), key);
    context.require(expectRefusal(refused));
    return [seen('after a refusal', await context.api.post('/printjobs', jobBody(printerId), key))];
  }),
  ...gapCheck('gap/idempotency-empty', ['printer'], async (context) => {
    const { printerId } = await context.computers.away();
    const post = async (): Promise<Answer> => context.api.post('/printjobs', jobBody(printerId), idempotencyKey(''));
    return [seen('first', await post()), seen('second', await post())];
  }),
  ...gapCheck('gap/idempotency-length', ['printer'], async (context) => {
    const post = await submitter(context);
    const lines: string[] = [];
    for (const length of KEY_LENGTHS) {
      const key = newIdempotencyKey(context).padEnd(length, '-');
      const [first, again] = [await post(key), await post(key)];
      lines.push(`${length} characters: ${first.status}, and again ${again.status}`);
    }
    return lines;
  }),
  ...gapCheck('gap/idempotency-scope', ['computer', 'second-account'], async (context) => {
    const { printerId } = await context.computers.away();
    const theirs = await context.computers.away({ owner: 'second-account' });
    const key = idempotencyKey(newIdempotencyKey(context));
    await submit(context, jobBody(printerId), key);
    return [seen('in another account', await context.secondApi.post('/printjobs', jobBody(theirs.printerId), key))];
  }),
};
