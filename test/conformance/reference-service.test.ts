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

/**
 * Of the processor, in terms of a known piece of work: about 22 of it. Seconds would say how busy the machine is:
 * they grow by half on a core that other programs use too.
 */
const WORK_MOST = 34;
const LIMIT_MS = 180_000;

let target: Target;
let result: ConformanceResult;
let work: number;

beforeAll(async () => {
  target = await startEmbeddedTarget();
  const pieces = [pieceOfWork()];
  const stopwatch = processorSeconds();
  result = await runConformance({ target, seed: 1 });
  const seconds = stopwatch();
  pieces.push(pieceOfWork());
  work = (seconds * pieces.length) / pieces.reduce((sum, piece) => sum + piece);
}, LIMIT_MS);

afterAll(() => target.close());

it('passes every check, with no more work for the processor than it should take', () => {
  const others = result.outcomes.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
  expect(others.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([]);
  expect(result.outcomes.map(({ check }) => check.id)).toEqual(CHECKS.map(({ id }) => id));
  expect(result.exitCode).toBe(0);
  expect(readBaselineRows(EMITTED_PAGE), 'npm run prove emitted writes the page').toEqual(
    emittedPage(result.outcomes).rows,
  );
  expect(work).toBeLessThan(WORK_MOST);
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

/** Seconds that a fixed amount of parsing and hashing takes, as a check does much of it. */
function pieceOfWork(): number {
  const seconds = processorSeconds();
  const records = Array.from({ length: 1_000 }, (_, id) => ({
    id,
    name: `Printer ${id}`,
    state: 'online',
    copies: [1, 99],
  }));
  for (let round = 0; round < 1_000; round++) hash('sha256', JSON.stringify(JSON.parse(JSON.stringify(records))));
  return seconds();
}

function processorSeconds(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000_000;
  };
}
