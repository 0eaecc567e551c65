/**
 * Mutants of submitting: what is taken and what is not, and what a refusal leaves behind.
 */

import { hash } from 'node:crypto';
import { sleep, systemClock } from '../../src/common/clock.ts';
import { broken, inAnswers, inRequests, type Mutant } from './mutant.ts';

import { FIRST_KEY, SECOND_KEY } from '../support/running-service.ts';
import type { Meddle, PassingAnswer, PassingRequest } from './meddling-proxy.ts';
import { headerOf, instead, jsonOf, refuse, status, isForm } from './mutant-tools.ts';
import { basicOf, json } from './mutants.ts';

type Submitting = Pick<Mutant, 'rewrite' | 'meddle'>;
type Job = Readonly<Record<string, unknown>>;

const SUBMIT = /^POST \/printjobs$/;
const LISTS = /^GET \/(printers\/\d+\/)?printjobs/;
const CONFLICT = JSON.stringify({ uid: 'x', code: 'Conflict', message: 'used before' });
const REFUSAL = JSON.stringify({ uid: 'x', code: 'BadRequest', message: 'refused on the way' });
const KEY = 'X-Idempotency-Key';

const isSubmission = ({ method, path }: Pick<PassingRequest, 'method' | 'path'>): boolean =>
  SUBMIT.test(`${method} ${path}`);
const keyOf = (request: PassingRequest): string | undefined => headerOf(request, KEY);
const jobOf = (request: PassingRequest): Job => (jsonOf(request) ?? {}) as Job;

/** Another key; undefined without one. */
const otherKey = (change: (key: string, request: PassingRequest) => string): Submitting => ({
  rewrite: instead(SUBMIT, (request) => ({
    headers: request.headers.map((value, index) =>
      index % 2 === 1 && request.headers[index - 1]?.toLowerCase() === KEY.toLowerCase()
        ? change(value, request)
        : value,
    ),
  })),
});

/** Refused with 409 from the second time on. */
function onlyOnce(nameOf: (answer: PassingAnswer) => string | undefined): Submitting {
  const known = new Set<string>();
  return {
    meddle: (answer) => {
      const name = isSubmission(answer) ? nameOf(answer) : undefined;
      if (name === undefined) return undefined;
      if (known.has(name)) return { status: 409, body: CONFLICT };
      known.add(name);
      return undefined;
    },
  };
}

const isOdd = (request: PassingRequest): boolean => jobOf(request)['qty'] === 0;

/** A job with a qty of 0 is refused, and goes on as one with a qty of 1; `isListed` or only printed. */
function refusedStays(isListed: boolean): Submitting {
  const refused = new Set<number>();
  return {
    rewrite: instead(SUBMIT, (request) =>
      isOdd(request) ? { body: JSON.stringify({ ...jobOf(request), qty: 1 }) } : undefined,
    ),
    meddle: (answer) => {
      if (isSubmission(answer) && isOdd(answer.request)) {
        refused.add(Number(answer.body));
        return { status: 400, body: REFUSAL };
      }
      if (isListed) return undefined;
      return json(LISTS, (jobs: readonly { readonly id: number }[]) => jobs.filter(({ id }) => !refused.has(id)))(
        answer,
      );
    },
  };
}

/** Some jobs of a run wait for their answers, by their number. */
export function slowSubmission(delayMs: number, isSlow: (count: number) => boolean): Meddle {
  let jobs = 0;
  return async ({ method, path }) => {
    if (method === 'POST' && path === '/printjobs' && isSlow(++jobs)) await sleep(systemClock, delayMs);
    return undefined;
  };
}

export const SUBMISSION_MUTANTS: readonly Mutant[] = [
  inAnswers(
    'print-jobs/created-as-form',
    'numbers of a form are refused for being texts',
    refuse(SUBMIT, ({ request }) => isForm(request) && request.body.includes('qty=')),
  ),
  inRequests('service/form-same-meaning', 'expireAfter of a form is overlooked', (request) =>
    isForm(request) ? { body: request.body.toString('utf8').replace(/&expireAfter=\d+/, '') } : undefined,
  ),
  inRequests('print-jobs/qty-zero-refused', 'a qty of 0 in a form is taken for none', (request) =>
    isForm(request) ? { body: request.body.toString('utf8').replace(/&qty=0(?!\d)/, '') } : undefined,
  ),
  inAnswers(
    'print-jobs/created-201',
    'an empty password is refused',
    refuse(SUBMIT, ({ request }) => request.body.includes('"pass":""')),
  ),
  inRequests('service/form-same-meaning', 'a plus in a form stays a plus', (request) =>
    isForm(request) ? { body: request.body.toString('utf8').replaceAll('+', '%2B') } : undefined,
  ),
  inAnswers(
    'print-jobs/created-as-form',
    'options of a form are refused for being no object',
    refuse(SUBMIT, ({ request }) => isForm(request) && request.body.includes('options')),
  ),
  inAnswers(
    'print-jobs/answers-at-once',
    'POST /printjobs waits for the computer, and gives up',
    status(SUBMIT, 504, undefined, REFUSAL),
  ),
  inAnswers(
    'print-jobs/answers-at-once',
    'POST /printjobs looks for a few seconds whether the computer comes',
    slowSubmission(3_300, (count) => count === 1),
  ),
  broken('print-jobs/refused-leaves-nothing', 'a refused job is listed', refusedStays(true)),
  broken('print-jobs/refused-leaves-nothing', 'a refused job is delivered all the same', refusedStays(false)),
  inRequests(
    'print-jobs/printer-id-foreign-refused',
    'whoever knows the id of a printer prints on it',
    instead(SUBMIT, ({ headers }) => ({
      headers: headers.map((value) => (value === basicOf(SECOND_KEY) ? basicOf(FIRST_KEY) : value)),
    })),
  ),
  inRequests(
    'print-jobs/list-of-printers-only',
    'a list of the jobs of a printer has those of all printers',
    instead(/^GET \/printers\/\d+\/printjobs$/, () => ({ path: '/printjobs' })),
  ),
  inRequests(
    'print-jobs/states-set-only',
    'states of a set are those of all jobs',
    instead(/^GET \/printjobs\/[\d,]+\/states$/, () => ({ path: '/printjobs/states' })),
  ),

  // Idempotency
  inAnswers(
    'print-jobs/idempotency-first-accepted',
    'a key that nobody knows is refused',
    refuse(SUBMIT, ({ request }) => keyOf(request) !== undefined),
  ),
  broken(
    'print-jobs/idempotency-optional',
    'equal jobs count as one also without a key',
    onlyOnce(({ request }) => (keyOf(request) === undefined ? request.body.toString('utf8') : undefined)),
  ),
  broken(
    'print-jobs/idempotency-key-counts',
    'a key counts for the job that it came with',
    otherKey((key, { body }) => `${key} ${hash('md5', body)}`),
  ),
  broken(
    'print-jobs/idempotency-other-key',
    'keys are compared in lower case',
    otherKey((key) => key.toLowerCase()),
  ),
  broken(
    'print-jobs/idempotency-other-key',
    'of a key the first 64 characters count',
    otherKey((key) => key.slice(0, 64)),
  ),
];
