/**
 * The whole suite against the reference service on a virtual clock.
 */

import { hash } from 'node:crypto';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { createRandom } from '../../src/common/random.ts';
import { buildRunRecord } from '../../src/conformance/record/build-record.ts';
import { levelOf } from '../../src/conformance/verdict/levels.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { runChecks } from '../../src/conformance/run/runner.ts';
import type { Target } from '../../src/target/target.ts';
import { readBaselineRows } from '../support/baseline-page.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { EMITTED_PAGE, emittedPage } from './emitted-page.ts';

let target: Target;

beforeEach(async () => {
  target = await startEmbeddedTarget();
});

afterEach(() => target.close());

it('passes every check, in less than ten seconds of processor time', async () => {
  const before = process.cpuUsage();
  const result = await runConformance({ target, seed: 1 });
  const others = result.outcomes.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
  expect(others.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  expect(result.outcomes.length).toBeGreaterThanOrEqual(80);
  expect(result.exitCode).toBe(0);
  expect(readBaselineRows(EMITTED_PAGE), 'npm run prove emitted writes the page').toEqual(
    emittedPage(result.outcomes).rows,
  );
  // Not the time on the wall: that of a busy machine says nothing about the suite.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000_000).toBeLessThan(10);
}, 30_000);

it('accounts for every clause: covered, excluded with a reason, or not yet', async () => {
  const record = buildRunRecord(await runConformance({ target, seed: 1, grep: '^misc/' }));
  const { covered, excluded, notYet, total } = record.summary.clauses;
  expect(covered + excluded + notYet).toBe(total);
  expect(Object.keys(record.clauses)).toHaveLength(total);
  const unexplained = Object.values(record.clauses).filter(
    ({ status, reason }) => status === 'excluded' && !reason,
  );
  expect(unexplained).toEqual([]);
});

it('leaves nothing behind: no computer, no printer, no waiting job, no account, no tag', async () => {
  await runConformance({ target, seed: 1 });
  const result = await runConformance({ target, seed: 1, grep: '^misc/noop$' });
  const key = Buffer.from(`${target.apiKey}:`).toString('base64');
  const headers = { Authorization: `Basic ${key}` };
  const computers = await fetch(`${target.baseUrl}/computers`, { headers });
  const cancelled = await fetch(`${target.baseUrl}/printjobs`, { method: 'DELETE', headers });
  const account = await fetch(`${target.baseUrl}/whoami`, { headers });
  expect(await account.json()).toMatchObject({ childAccounts: [], Tags: [], numComputers: 0, connected: [] });
  expect(await computers.json()).toEqual([]);
  expect(await cancelled.json()).toEqual([]);
  expect(result.exitCode).toBe(0);
}, 30_000);

/** The ports of our own receivers are those that happen to be free. */
function digestOf(body: Uint8Array | string = ''): string {
  return hash('sha256', typeof body === 'string' ? body.replaceAll(/127\.0\.0\.1:\d+/g, 'us') : body);
}

async function requestsOfARun(seed: number): Promise<readonly string[]> {
  const fresh = await startEmbeddedTarget();
  const { history } = await runChecks({
    target: fresh,
    checks: CHECKS,
    random: createRandom(seed),
    runTag: 'same',
    levelOf,
  });
  await fresh.close();
  return history.exchanges.map(({ request }) =>
    JSON.stringify([request.method, request.path, request.headers, digestOf(request.body)]),
  );
}

it('sends the same requests, byte for byte, for the same seed, and others for another', async () => {
  const first = await requestsOfARun(5);
  expect(await requestsOfARun(5)).toEqual(first);
  expect(await requestsOfARun(6)).not.toEqual(first);
}, 60_000);
