/**
 * A service that does one thing otherwise than printed is told so once, by the clause that prints it, and all else is
 * judged. Here a deviation of each kind, without the checks that send most; `npm run prove first-day` tries all of them by
 * all checks.
 */

import { expect, it } from 'vitest';

import { PLANTED } from './deviations.ts';
import { isHeadedBy, tryFirstDay } from './try-first-day.ts';

const CHECKS = '^(?!matrix|races|rate-limit)';
/** Clauses that one deviation may be said to break: some are printed twice. */
const CLAUSES_MOST = 3;
const LOST_MOST = 0.02;

/** Those of which each kind has one; of all of them, some name more clauses, which the proof shows. */
const NAMES: readonly string[] = [
  'POST /printjobs answers 200',
  'GET /computers answers 201',
  'POST /printjobs answers {"id": 5}',
  'POST /printjobs answers {"printJobId": 5, "state": "new"}',
  'DELETE of jobs answers ids as strings',
  'all lists stand in {"data": […]}',
  'all lists stand in {"items": […], "total": n}',
  'POST /webhook answers the one webhook',
  'no X-Account',
  'no Request-Id',
  '401 is 403',
  'all keys are in snake_case',
  'lists begin with the oldest',
];
const KINDS = PLANTED.filter(({ name }) => NAMES.includes(name));

it.each(KINDS)('tells once: $name', { timeout: 180_000 }, async (planted) => {
  const { heads, clauses, checks, lost } = await tryFirstDay([planted], { checks: CHECKS });
  expect(isHeadedBy(planted, heads[0] ?? []), `headed by ${heads[0]?.join(', ')}`).toBe(true);
  expect(clauses.length).toBeLessThanOrEqual(CLAUSES_MOST);
  expect(lost.length / checks, `without a verdict: ${lost.join(', ')}`).toBeLessThanOrEqual(LOST_MOST);
});

/** What the setup of checks would take, and the trial of one waits for that of the other. */
const LACKING = [
  ['GET /computers/{computer_set}/printers', 'GET /printers answers 201', '^printers/'],
  ['GET /computers/{computer_set}/printers', 'POST /printjobs answers 200', '^print-jobs/(created|lists)$'],
  ['GET /printjobs/{print_job_set}/states', 'GET /printers answers 201', '^(states|printers)/'],
  ['POST /printjobs', 'no X-Account', '^(accounts/|print-jobs/created)'],
  ['GET /computers', 'errors are {"error": {…}}', '^(computers/|every-response/error-object)'],
  ['GET /webhooks', 'POST /webhook answers the one webhook', '^webhooks/'],
] as const;

it.each(LACKING)('without %s, %s, is told both', { timeout: 60_000 }, async (name, deviation, checks) => {
  const planted = PLANTED.filter((one) => one.name === deviation);
  const [one] = planted;
  const { heads, clauses, lost, notOffered } = await tryFirstDay(planted, { checks, absent: [name] });
  expect(one && isHeadedBy(one, heads[0] ?? []), `headed by ${heads[0]?.join(', ')}`).toBe(true);
  expect(clauses.length).toBeLessThanOrEqual(CLAUSES_MOST);
  expect(lost).toEqual([]);
  expect(notOffered).toEqual([name]);
});
