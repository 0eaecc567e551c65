/**
 * The whole suite against the reference service on a virtual clock.
 */

import { hash } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { buildRunRecord } from '../../src/conformance/record/build-record.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { runConformance, type ConformanceResult } from '../../src/conformance/run/run-conformance.ts';
import type { Target } from '../../src/target/target.ts';
import { readBaselineRows } from '../support/baseline-page.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { EMITTED_PAGE, emittedPage } from './emitted-page.ts';

/** Of the process, not of the wall: it takes ten alone, and up to a third more on a core that others use too. */
const CPU_SECONDS_MOST = 14;
const LIMIT_MS = 60_000;

let target: Target;
let result: ConformanceResult;
let cpuSeconds: number;

beforeAll(async () => {
  target = await startEmbeddedTarget();
  const before = process.cpuUsage();
  result = await runConformance({ target, seed: 1 });
  const { user, system } = process.cpuUsage(before);
  cpuSeconds = (user + system) / 1_000_000;
}, LIMIT_MS);

afterAll(() => target.close());

it('passes every check, in ten seconds of processor time or so', () => {
  const others = result.outcomes.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
  expect(others.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  expect(result.outcomes.map(({ check }) => check.id)).toEqual(CHECKS.map(({ id }) => id));
  expect(result.exitCode).toBe(0);
  expect(readBaselineRows(EMITTED_PAGE), 'npm run prove emitted writes the page').toEqual(
    emittedPage(result.outcomes).rows,
  );
  expect(cpuSeconds).toBeLessThan(CPU_SECONDS_MOST);
});

it('accounts for every clause: covered, excluded with a reason, or not yet', () => {
  const record = buildRunRecord(result);
  const { covered, excluded, notYet, total } = record.summary.clauses;
  expect(covered + excluded + notYet).toBe(total);
  expect(Object.keys(record.clauses)).toHaveLength(total);
  const unexplained = Object.values(record.clauses).filter(({ status, reason }) => status === 'excluded' && !reason);
  expect(unexplained).toEqual([]);
});

it('leaves nothing behind: no computer, no printer, no waiting job, no account, no tag', async () => {
  const key = Buffer.from(`${target.apiKey}:`).toString('base64');
  const headers = { Authorization: `Basic ${key}` };
  const computers = await fetch(`${target.baseUrl}/computers`, { headers });
  const cancelled = await fetch(`${target.baseUrl}/printjobs`, { method: 'DELETE', headers });
  const account = await fetch(`${target.baseUrl}/whoami`, { headers });
  expect(await account.json()).toMatchObject({ childAccounts: [], Tags: [], numComputers: 0, connected: [] });
  expect(await computers.json()).toEqual([]);
  expect(await cancelled.json()).toEqual([]);
});

it(
  'sends the same requests, byte for byte, for the same seed, and others for another',
  async () => {
    const again = await runOnAnother({ seed: 1 });
    expect(requestsOf(again)).toEqual(requestsOf(result));
    const grep = '^print-jobs/';
    const [first, other] = [await runOnAnother({ seed: 1, grep }), await runOnAnother({ seed: 2, grep })];
    expect(requestsOf(other)).not.toEqual(requestsOf(first));
  },
  LIMIT_MS,
);

async function runOnAnother(options: { seed: number; grep?: string }): Promise<ConformanceResult> {
  const fresh = await startEmbeddedTarget();
  const ran = await runConformance({ target: fresh, ...options });
  await fresh.close();
  return ran;
}

function requestsOf({ exchanges }: ConformanceResult): readonly string[] {
  return exchanges.map(({ request }) =>
    JSON.stringify([request.method, request.path, request.headers, digestOf(request.body)]),
  );
}

/** The ports of our own receivers are those that happen to be free. */
function digestOf(body: Uint8Array | string = ''): string {
  return hash('sha256', typeof body === 'string' ? body.replaceAll(/127\.0\.0\.1:\d+/g, 'us') : body);
}
