/**
 * Checks that meet in an account: what happens there beside one does not change its verdict. That what each touches
 * there is declared, `reference-service.test.ts` sees.
 */

import { afterEach, expect, it } from 'vitest';

import { createRandom } from '../../src/common/random.ts';
import { connectScriptedComputer, type ScriptedComputer } from '../../src/conformance/context/scripted-computer.ts';
import { plainPrinter } from '../../src/conformance/context/computers.ts';
import { jobBody } from '../../src/conformance/context/jobs.ts';
import type { Lock } from '../../src/conformance/check.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { locksOf } from '../../src/conformance/run/locks.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { ServiceClient } from '../../src/targets/service-client.ts';
import type { Target } from '../../src/targets/target.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { startMeddlingProxy } from '../mutants/meddling-proxy.ts';

const LIMIT_MS = 180_000;

let target: Target | undefined;

afterEach(() => target?.close());

const ALONE: readonly Lock[] = ['account', 'second-account', 'request-rate'];

/** Computers with a printer and a job come and go in an account, one at each call, at random. */
function restlessNeighbour({ link, baseUrl, clock, timekeeper }: Target, apiKey: string): () => Promise<void> {
  if (!link) throw new Error('no link');
  const random = createRandom(apiKey);
  const client = new ServiceClient({ baseUrl, apiKey, clock });
  const computers: ScriptedComputer[] = [];
  let count = 0;
  const arrive = async (): Promise<void> => {
    const plan = { name: `neighbour-${++count}`, printers: [plainPrinter({ name: `Neighbour ${count}` })] };
    const credential = { kind: 'api-key', key: apiKey } as const;
    const options = { link, serviceUrl: baseUrl, credential, timekeeper, random, plan };
    const computer = await connectScriptedComputer(options);
    computers.push(computer);
    const [printer] = await client.listAll(`/computers/${computer.computerId}/printers`);
    await client.send({ method: 'POST', path: '/printjobs', json: jobBody(Number(printer?.['id'])) });
  };
  const leave = async (computer: ScriptedComputer): Promise<void> => {
    await computer.disconnect();
    await client.send({ method: 'DELETE', path: `/computers/${computer.computerId}` });
  };
  return () => {
    const first = random.integer(0, 2) > 0 ? computers.shift() : undefined;
    return first ? leave(first) : arrive();
  };
}

/** Verdicts that are not good, beside a neighbour in both accounts that does something at one request in `rarity`. */
async function troubledBeside(ids: readonly string[], rarity: number): Promise<readonly string[]> {
  // A limit would be met by both together.
  const alone = await startEmbeddedTarget({ limits: 'off' });
  target = alone;
  const neighbours = [alone.apiKey, alone.secondApiKey ?? ''].map((key) => restlessNeighbour(alone, key));
  const random = createRandom(1);
  const pause = async (): Promise<void> => {
    for (const act of neighbours) if (random.integer(1, rarity) === 1) await act();
  };
  const proxy = await startMeddlingProxy(alone.baseUrl, { pause });
  const beside = { ...alone, baseUrl: proxy.url, requestsPerSecond: undefined };
  const { outcomes } = await runConformance({ target: beside, seed: 1, ids });
  await proxy.close();
  const bad = outcomes.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
  return bad.map(({ check, message }) => `${check.id}: ${message}`);
}

it(
  'comes to the same verdicts beside a restless neighbour, where a check does not have the account to itself',
  async () => {
    const shares = CHECKS.filter((check) => !ALONE.some((lock) => locksOf(check).has(lock)));
    const ids = shares.map(({ id }) => id);
    expect(await troubledBeside(ids, 15)).toEqual([]);
  },
  LIMIT_MS,
);

it('would find a check that counts what others change too', async () => {
  const [found = ''] = await troubledBeside(['accounts/computers'], 1);
  expect(found).toMatch(/^accounts\/computers: numComputers after one more computer: expected/);
});

it('accuses no service of a simulated reading that another check left in the second account', async () => {
  target = await startEmbeddedTarget();
  const { baseUrl, secondApiKey = '', clock } = target;
  const second = new ServiceClient({ baseUrl, apiKey: secondApiKey, clock });
  const reading = { mass: [779_000_000, null], deviceName: 'Service Test Scale', deviceNum: 0 };
  expect(await second.send({ method: 'PUT', path: '/scale', json: reading })).toMatchObject({ status: 200 });
  const { outcomes } = await runConformance({
    target,
    seed: 1,
    ids: ['scales/simulated-apart', 'scale-websocket/apart'],
  });
  expect(outcomes.map(({ verdict, message }) => `${verdict} ${message}`)).toEqual(['pass ', 'pass ']);
});
