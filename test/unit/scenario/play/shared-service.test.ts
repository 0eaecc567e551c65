/** A service that was not started for the scenarios: its account may have things already, and keeps what it has. */

import { afterEach, expect, it } from 'vitest';

import { scenarioOf, scenarioSchema } from '../../../../src/scenario/format/scenario.ts';
import { runScenarios } from '../../../../src/scenario/play/run-scenarios.ts';
import { ServiceClient } from '../../../../src/targets/service-client.ts';
import type { Target } from '../../../../src/targets/target.ts';
import { startEmbeddedTarget } from '../../../support/embedded-target.ts';

const COUNTING = {
  title: 'It counts what there is',
  why: 'It is played by a test of the player.',
  room: { computers: [{ name: 'DESK', printers: [{ profile: 'laser-a4', name: 'Laser' }] }] },
  steps: [{ request: { path: '/computers', length: 1 } }],
  expect: { printers: { Laser: { sheets: 0 } } },
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function sharedTarget(): Promise<Target & { readonly api: ServiceClient }> {
  const target = await startEmbeddedTarget();
  const api = new ServiceClient(target);
  closing.push(
    () => target.close(),
    () => api.close(),
  );
  return { ...target, kind: 'remote', isDisposable: false, api };
}

/** Plays it twice: the second time the account has what the first time left. */
async function playTwice(target: Target, text: object): Promise<readonly (readonly [verdict: string, why: string])[]> {
  const files = { documents: new Map(), pictures: new Map(), profiles: new Map() };
  const scenario = scenarioOf(scenarioSchema.parse(text), files);
  const file = { file: 'counting.yaml', scenario, files, load: null, stepLines: [1] };
  const venue = { kind: 'shared', target } as const;
  const { played } = await runScenarios([file, { ...file }], { venue, keep: (name) => name });
  return played.map(({ verdict, message }) => [verdict, message]);
}

it('plays each scenario in a Child Account of its own, and leaves none', async () => {
  const { api, ...target } = await sharedTarget();
  expect(await playTwice(target, COUNTING)).toEqual([
    ['pass', ''],
    ['pass', ''],
  ]);
  expect(await api.look('/computers')).toEqual([]);
  expect(await api.look('/whoami')).toMatchObject({ childAccounts: [] });
});

it('does not fail a service for what the account of the key had before', async () => {
  const { api, ...target } = await sharedTarget();
  const played = await playTwice(
    { ...target, isIntegrator: false },
    { ...COUNTING, steps: [{ request: { path: '/computers', length: 0 } }] },
  );
  expect(played.map(([verdict]) => verdict)).toEqual(['inconclusive', 'inconclusive']);
  expect(played[0]?.[1]).toContain('the key of an Integrator Account would give the scenario an account of its own');
  expect(await api.look('/computers')).toEqual([]);
});

it('fails the same where the account is the scenario’s own', async () => {
  const { api: _api, ...target } = await sharedTarget();
  const played = await playTwice(target, { ...COUNTING, steps: [{ request: { path: '/computers', length: 0 } }] });
  expect(played.map(([verdict]) => verdict)).toEqual(['fail', 'fail']);
});

it('leaves open what the specification leaves open, and names it', async () => {
  const { api: _api, ...target } = await sharedTarget();
  const steps = [{ request: { path: '/ping', answers: 418, gap: 'gap/ping-body' } }];
  expect(await playTwice(target, { ...COUNTING, steps })).toEqual(
    Array.from({ length: 2 }, () => ['inconclusive', expect.stringContaining('leaves this open (gap/ping-body)')]),
  );
});
