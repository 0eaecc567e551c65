/** Effects on computers and print jobs, seen in lists, in states, and at the computer that gets the jobs. */

import { ERRORS } from '../../../specification/errors.ts';
import {
  idempotencyKey,
  newIdempotencyKey,
  jobBody,
  readHistories,
  stateNames,
  submit,
  submitExpiring,
} from '../../context/jobs.ts';
import type { ConnectedComputer } from '../../context/computers.ts';
import { expectBody, expectIdArray, expectIds, expectNone, expectStatus, idsIn } from '../../expect/answer.ts';
import type { JsonObject } from '../../../common/json-value.ts';
import { expectExcludes, expectIncludes } from '../../expect/that.ts';
import { lateMs, TOLERANCES } from '../../expect/tolerances.ts';
import { judgementsOf, PLAIN_TEXTS } from '../delivered-jobs.ts';
import { pathOf } from '../sound-request.ts';
import type { Effect, OpenPart, Part } from './effect.ts';
import { listEffects } from './list-effects.ts';
import { deliveredAgain, openStage, type PrintingStage } from './printing-stage.ts';

export const PRINTING: Part = {
  id: 'printing',
  title: 'Jobs arrive complete, list newest first and can be cancelled',
  needs: ['computer'],
  holds: ['computers'],
  has: ({ family }) => family === 'computers' || family === 'printers' || family === 'print-jobs',
  open(context, caller) {
    const stage = openStage(context, caller);
    const effects = {
      ...listEffects(stage),
      ...stateEffects(stage),
      ...cancelEffects(stage),
      ...computerEffects(stage),
      'POST /printjobs': submission(stage),
    };
    return { effects, settle: stage.settle };
  },
};

const OPTIONS = { copies: 2, duplex: 'long-edge', paper: 'A4' };
const AUTHENTICATION = { type: 'BasicAuth', credentials: { user: 'a user', pass: 'a pass' } };
const EXPIRES_S = 2;

/** A job with everything, and one with nothing but what it needs. */
function bodiesFor({ context }: PrintingStage): readonly JsonObject[] {
  const whole = { options: OPTIONS, qty: 3 };
  // A client program would look for the document.
  if (context.target.link?.program) return [whole, {}];
  const ofUri = { contentType: 'pdf_uri', content: 'https://documents.example/a.pdf', authentication: AUTHENTICATION };
  return [{ ...whole, ...ofUri }, {}];
}

function submission(stage: PrintingStage): Effect {
  const { context, desk, attic } = stage;
  const { api, uniqueText, target } = context;
  return async (judge) => {
    const computer = await desk();
    for (const fields of bodiesFor(stage)) {
      const body = jobBody(computer.printerId, fields);
      const submitted = { what: uniqueText('job'), body, texts: PLAIN_TEXTS, encoding: 'json', isOdd: false } as const;
      for (const [clause, mismatch] of await judgementsOf(context, computer, submitted)) judge(clause, mismatch);
    }
    const key = idempotencyKey(newIdempotencyKey(context));
    const first = await api.post('/printjobs', jobBody(computer.printerId), key);
    judge('print-jobs/idempotency-first-accepted', expectStatus(first, 201));
    const again = await api.post('/printjobs', jobBody(computer.printerId), key);
    judge('print-jobs/idempotency-conflict', expectStatus(again, ERRORS.Conflict.status));
    // Lists its own printer: others may have submitted a later job in the account.
    const newest = await api.get(`/printers/${computer.printerId}/printjobs?limit=1`);
    judge('print-jobs/created-listed', expectIds(newest, [Number(first.value)]));
    const { printerId } = await attic();
    const { seconds, expiring } = await submitExpiring(context, EXPIRES_S, async (expireAfter) => ({
      seconds: expireAfter,
      expiring: await submit(context, jobBody(printerId, { expireAfter })),
    }));
    await context.elapse(seconds * 1_000 + lateMs(TOLERANCES.expiryLate, target) + 1_000);
    const names = await stateNames(context, expiring);
    judge('print-jobs/body-expire-after', expectIncludes(`states of job ${expiring}`, names, 'expired'));
  };
}

/** The states of a job that is done, and of one that waits. */
function stateEffects({ context, printed, waiting }: PrintingStage): OpenPart['effects'] {
  const { api } = context;
  const judgeStates =
    (isSet: boolean): Effect =>
    async (judge) => {
      const [done, [waits = 0]] = [await printed(), await waiting()];
      const answer = await api.get(isSet ? `/printjobs/${done},${waits}/states` : '/printjobs/states');
      const histories = readHistories(answer);
      const namesOf = (id: number): readonly unknown[] => histories?.get(id)?.map(({ name }) => name) ?? [];
      const isShown = namesOf(done).length > 0 && namesOf(waits).length > 0;
      judge(
        isSet ? 'print-jobs/states-set' : 'print-jobs/states-all',
        expectStatus(answer, 200),
        expectBody(answer, `the states of ${done} and ${waits}`, () => isShown),
      );
      judge('states/done', expectIncludes(`states of job ${done} in ${answer.request}`, namesOf(done), 'done'));
      judge('states/new', expectIncludes(`states of job ${waits} in ${answer.request}`, namesOf(waits), 'new'));
      judge(
        'states/sent-to-client-not-before',
        expectExcludes(`states of job ${waits}`, namesOf(waits), 'sent_to_client'),
      );
    };
  return { 'GET /printjobs/states': judgeStates(false), 'GET /printjobs/{print_job_set}/states': judgeStates(true) };
}

/** Each cancels one job beside those that wait; the last one all of them. */
function cancelEffects({ context, store, waiting, cancelled }: PrintingStage): OpenPart['effects'] {
  const { api } = context;
  const cancelOne =
    (printer: 0 | 1): Effect =>
    async (judge, endpoint) => {
      await waiting();
      const printerId = (await store()).printerIds[printer];
      const id = await submit(context, jobBody(Number(printerId)));
      const path = pathOf(endpoint, { printer_set: String(printerId), print_job_set: String(id) });
      const answer = await api.delete(path);
      judge('print-jobs/delete-200-ids', expectStatus(answer, 200), expectIdArray(answer, [id]));
      cancelled(id, judge);
    };
  return {
    'DELETE /printjobs/{print_job_set}': cancelOne(0),
    'DELETE /printers/{printer_set}/printjobs/{print_job_set}': cancelOne(0),
    // All jobs of that printer.
    'DELETE /printers/{printer_set}/printjobs': cancelOne(1),
    'DELETE /printjobs': async (judge) => {
      const computer = await store();
      const id = await submit(context, jobBody(computer.printerId));
      const answer = await api.delete('/printjobs');
      const isAmong = Array.isArray(answer.value) && answer.value.includes(id);
      judge(
        'print-jobs/delete-200-ids',
        expectStatus(answer, 200),
        expectBody(answer, `${id} among the ids`, () => isAmong),
      );
      const got = await deliveredAgain(context, computer);
      judge(
        'print-jobs/cancelled-not-delivered',
        expectExcludes(`jobs delivered to computer ${computer.computerId}`, got, id),
      );
    },
  };
}

function computerEffects({ context, desk, store, attic }: PrintingStage): OpenPart['effects'] {
  const { api } = context;
  return {
    'DELETE /computers/{computer_set}': async (judge) => {
      const [kept, { computerId }] = [await store(), await attic()];
      const answer = await api.delete(`/computers/${computerId}`);
      judge('computers/delete-set', expectStatus(answer, 200), expectIdArray(answer, [computerId]));
      judge('computers/delete-removes', expectNone(await api.get(`/computers/${computerId}`), [computerId]));
      judge('computers/delete-removes', expectNone(await api.get('/computers'), [computerId]));
      judge(
        'computers/delete-leaves-others',
        expectIds(await api.get(`/computers/${kept.computerId}`), [kept.computerId]),
      );
    },
    'DELETE /computers': async (judge) => {
      const computers: readonly ConnectedComputer[] = [await desk(), await store()];
      for (const computer of computers) await computer.disconnect();
      await context.elapse(0);
      const ids = computers.map(({ computerId }) => computerId);
      // One that a caller beside the run connects meanwhile may be there in the end.
      const before = idsIn(await api.get('/computers')) ?? [];
      const answer = await api.delete('/computers');
      const affected: readonly unknown[] = Array.isArray(answer.value) ? answer.value : [];
      const areAmong = ids.every((id) => affected.includes(id));
      judge(
        'computers/delete-removes',
        expectStatus(answer, 200),
        expectBody(answer, `${ids.join()} among the ids`, () => areAmong),
      );
      const removed = [...before, ...ids];
      const list = await api.get('/computers');
      const areGone = (): boolean => idsIn(list)?.every((id) => !removed.includes(id)) === true;
      judge('computers/delete-removes', expectStatus(list, 200), expectBody(list, 'no computer from before', areGone));
    },
  };
}
