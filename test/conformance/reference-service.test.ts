/**
 * The whole suite against the reference service on a virtual clock: once here, once more, and once from outside. Whatever
 * has to be seen in a whole run is seen in these, since each takes long.
 */

import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildRunRecord } from '../../src/conformance/record/build-record.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { isOfIntegrator, locksOf } from '../../src/conformance/run/locks.ts';
import { runConformance, type ConformanceResult } from '../../src/conformance/run/run-conformance.ts';
import { describedTarget } from '../../src/targets/described.ts';
import { ServiceClient } from '../../src/targets/service-client.ts';
import type { Target } from '../../src/targets/target.ts';
import { readBaselineRows } from '../support/baseline-page.ts';
import { startWorkbench, type RunningWorkbench } from '../support/command-line.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { codeBlocks, readPage } from '../support/markdown.ts';
import { readApiDocument } from '../support/openapi-validator.ts';
import { touchedBy } from '../support/touched-things.ts';
import { EMITTED_PAGE, emittedPage } from './emitted-page.ts';
import { observeCheck, type ObservedCheck } from './observed-check.ts';

/**
 * The most processor time, in units of a known piece of work: a run takes about 30. Seconds would say how busy the
 * machine is: they grow by half on a core that other programs use too.
 */
const WORK_MOST = 40;
const LIMIT_MS = 300_000;
/** Exchanges of each operation and status that are held against docs/openapi.json. */
const MOST_OF_EACH = 20;

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

it('leaves nothing behind: no computer, no printer, no waiting job, no account, no tag, no webhook', async () => {
  const key = Buffer.from(`${target.apiKey}:`).toString('base64');
  const headers = { Authorization: `Basic ${key}` };
  const computers = await fetch(`${target.baseUrl}/computers`, { headers });
  const cancelled = await fetch(`${target.baseUrl}/printjobs`, { method: 'DELETE', headers });
  const account = await fetch(`${target.baseUrl}/whoami`, { headers });
  expect(await account.json()).toMatchObject({ childAccounts: [], Tags: [], numComputers: 0, connected: [] });
  expect(await computers.json()).toEqual([]);
  expect(await cancelled.json()).toEqual([]);
  const webhooks = await fetch(`${target.baseUrl}/webhooks`, { headers });
  expect(await webhooks.json()).toEqual([]);
});

it('declares all that a check touches of an account that other checks work in', async () => {
  const shared = {
    account: await accountOf(target.apiKey),
    'second-account': await accountOf(target.secondApiKey ?? ''),
  };
  const undeclared = result.outcomes.flatMap((outcome) => {
    const locks = locksOf(outcome.check);
    const isHeld = (touched: string): boolean => [...locks].some((lock) => `${touched}/`.startsWith(`${lock}/`));
    const touched = touchedBy(outcome, shared, isOfIntegrator(outcome.check));
    return [...touched].filter((one) => !isHeld(one)).map((one) => [outcome.check.id, one]);
  });
  expect(undeclared, 'give the rule these locks').toEqual([]);
});

async function accountOf(apiKey: string): Promise<string> {
  const client = new ServiceClient({ baseUrl: target.baseUrl, apiKey });
  const account = (await client.look('/whoami')) as { readonly id: number };
  await client.close();
  return String(account.id);
}

describe('a second run', () => {
  let observed: ObservedCheck;

  beforeAll(async () => {
    observed = await observeCheck(MOST_OF_EACH);
  }, LIMIT_MS);

  it('sends the same requests, byte for byte, for the same seed', () => {
    expect(requestsOf(observed.result)).toEqual(requestsOf(result));
  });

  it('makes requests that succeed and gets answers as docs/openapi.json describes them', () => {
    const { validated, undescribed, succeeded, problems } = observed;
    expect(problems).toEqual([]);
    const { paths } = readApiDocument();
    expect(succeeded.size).toBe(Object.values(paths).flatMap((methods) => Object.values(methods)).length);
    expect(undescribed / validated).toBeLessThan(0.1);
    expect(observed.result.exitCode).toBe(0);
  });
});

it(
  'sends others for another seed',
  async () => {
    const grep = '^print-jobs/';
    const [first, other] = [await runOnAnother({ seed: 1, grep }), await runOnAnother({ seed: 2, grep })];
    expect(requestsOf(other)).not.toEqual(requestsOf(first));
  },
  LIMIT_MS,
);

async function runOnAnother(options: { seed: number; grep: string }): Promise<ConformanceResult> {
  const fresh = await startEmbeddedTarget();
  const ran = await runConformance({ target: fresh, ...options });
  await fresh.close();
  return ran;
}

describe('in a process of its own, whose clock a hook moves by the descriptor of the guide', () => {
  let workbench: RunningWorkbench;
  let folder: string;

  beforeAll(async () => {
    workbench = await startWorkbench(['--clock', 'virtual']);
    folder = mkdtempSync(path.join(tmpdir(), 'platen-clock-'));
  });

  afterAll(async () => {
    await workbench.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function runByGuide(grep?: string): Promise<ConformanceResult> {
    const block = codeBlocks(readPage('docs/guides/check-a-service.md')).find(({ lead }) =>
      lead.endsWith('`clock.yaml`:'),
    );
    const file = path.join(folder, 'clock.yaml');
    writeFileSync(file, block?.text ?? '');
    const described = await describedTarget({ file, environment: {}, url: workbench.url });
    const ran = await runConformance({ target: described, seed: 1, grep });
    await described.close();
    return ran;
  }

  it(
    'comes to the same verdicts, check for check, and leaves nothing behind',
    async () => {
      const moved = await runByGuide();
      expect(verdictsOf(moved)).toEqual(verdictsOf(result));
      expect(moved).toMatchObject({ exitCode: 0, leftBehind: [] });
      expect(moved.outcomes.every(({ verdict }) => verdict === 'pass' || verdict === 'observed')).toBe(true);
    },
    LIMIT_MS,
  );

  it(
    'does so too on a clock that goes on by itself between two moves',
    async () => {
      await fetch(`${workbench.url}/_platen/clock/resume`, { method: 'POST' });
      const { outcomes } = await runByGuide('^(states/times|scale-(data/age|retention/)|event-delivery/)');
      expect(outcomes.map(({ check, verdict, message }) => [check.id, verdict, message])).toEqual(
        outcomes.map(({ check }) => [check.id, 'pass', '']),
      );
    },
    LIMIT_MS,
  );
});

const verdictsOf = ({ outcomes }: ConformanceResult): readonly string[] =>
  outcomes.map(({ check, verdict, message }) => `${check.id} ${verdict}${verdict === 'observed' ? '' : message}`);

/** How often a check looks again for what is under way, is up to the machine. */
function requestsOf({ exchanges }: ConformanceResult): readonly string[] {
  const all = exchanges.map(({ request }) =>
    JSON.stringify([request.method, request.path, request.headers, digestOf(request.body)]),
  );
  return all.filter((request, index) => request !== all[index - 1]);
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
