/**
 * A service without a link, with a printer of the account that checks may use: a busy one, at a computer
 * that takes what is submitted.
 */

import { expect, it } from 'vitest';

import { createRandom } from '../../src/common/random.ts';
import { plainPrinter } from '../../src/conformance/context/computers.ts';
import { connectScriptedComputer } from '../../src/conformance/context/scripted-computer.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { runChecks } from '../../src/conformance/run/runner.ts';
import { levelOf } from '../../src/conformance/verdict/levels.ts';
import type { CheckOutcome } from '../../src/conformance/verdict/outcome.ts';
import type { Target } from '../../src/targets/target.ts';
import { startMeddlingProxy, type Meddle } from '../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { basic } from '../support/running-service.ts';

const OF_PRINTERS = CHECKS.filter(({ needs }) => needs.includes('printer'));

async function verdictsWith(
  usePrinter: string | undefined,
  meddle: Meddle = () => undefined,
): Promise<readonly CheckOutcome[]> {
  const { link, ...target } = await startEmbeddedTarget();
  const proxy = await startMeddlingProxy(target.baseUrl, { meddle });
  if (!link) throw new Error('no link');
  await connectScriptedComputer({
    link,
    serviceUrl: target.baseUrl,
    credential: { kind: 'api-key', key: target.apiKey },
    timekeeper: target.timekeeper,
    random: createRandom('desk'),
    plan: { name: 'Desk', printers: [plainPrinter({ name: 'Office' }), plainPrinter({ key: '2', name: 'Other' })] },
  });
  for (const printerId of [1, 2, 1, 2, 1]) {
    const body = JSON.stringify({ printerId, contentType: 'raw_base64', content: 'aGk=' });
    await ask(target, 'POST', '/printjobs', body);
  }
  const run = { checks: OF_PRINTERS, random: createRandom(1), runTag: 'tag', levelOf };
  const borrowing: Target = { ...target, baseUrl: proxy.url, kind: 'remote', isDisposable: false, usePrinter };
  const { outcomes } = await runChecks({ ...run, target: borrowing, order: 'one-by-one' });
  expect(await ask(target, 'GET', '/computers')).toMatchObject([{ name: 'Desk' }]);
  await proxy.close();
  await target.close();
  return outcomes;
}

async function ask(
  { baseUrl, apiKey }: Pick<Target, 'baseUrl' | 'apiKey'>,
  method: string,
  path: string,
  body?: string,
): Promise<unknown> {
  const headers = { Authorization: basic(apiKey), 'Content-Type': 'application/json' };
  const response = await fetch(baseUrl + path, { method, headers, ...(body !== undefined && { body }) });
  return response.json();
}

it.each(['Office', '1'])(
  'judges with a busy printer of the account what a printer is enough for: %s',
  async (printer) => {
    expect(OF_PRINTERS.length).toBeGreaterThan(15);
    const wrong = (await verdictsWith(printer)).filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
    expect(wrong.map(({ check, verdict, message }) => `${check.id} ${verdict}: ${message}`)).toEqual([]);
  },
  60_000,
);

it('tells once what deviates and reads it as printed, also where it can remove no job', async () => {
  const outcomes = await verdictsWith('Office', ({ method, path, status }) => {
    if (method === 'DELETE' && path.startsWith('/printjobs')) return { status: 404, body: '{"code":"NotFound"}' };
    return method === 'POST' && path === '/printjobs' && status === 201 ? { status: 200 } : undefined;
  });
  const wrong = outcomes.filter(({ verdict }) => ['fail', 'blocked', 'inconclusive'].includes(verdict));
  expect(wrong.map(({ check, message }) => `${check.id}: ${message}`)).toEqual([
    'print-jobs/created: status of POST /printjobs: expected status 201, got status 200',
  ]);
}, 60_000);

it('says what it would need where no printer may be used, and which one it did not find', async () => {
  for (const { verdict, message } of await verdictsWith(undefined)) {
    expect([verdict, message]).toEqual(['untestable', expect.stringContaining('use: {printer: …}')]);
  }
  for (const { verdict, message } of await verdictsWith('Nowhere')) {
    expect([verdict, message]).toEqual(['blocked', expect.stringContaining('the account has no printer "Nowhere"')]);
  }
}, 60_000);
