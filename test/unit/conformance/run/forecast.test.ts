/**
 * Lanes on the reference service: where its accounts come from, and what is said where there is but one.
 */

import { afterEach, beforeEach, expect, it } from 'vitest';

import { buildRunRecord } from '../../../../src/conformance/record/build-record.ts';
import { CHECKS } from '../../../../src/conformance/registry.ts';
import type { Forecast } from '../../../../src/conformance/run/forecast.ts';
import { describeForecast } from '../../../../src/conformance/run/forecast.ts';
import { runConformance } from '../../../../src/conformance/run/run-conformance.ts';
import { viewOfCheck } from '../../../../src/report/view/check-view.ts';
import { remoteTarget, type RemoteTargetOptions } from '../../../../src/targets/remote.ts';
import { start, type StartedPlaten } from '../../../../src/workbench/start.ts';
import { startMeddlingProxy } from '../../../mutants/meddling-proxy.ts';

let workbench: StartedPlaten;

beforeEach(async () => {
  workbench = await start({ port: 0, room: 'none', limits: 'off' });
});

afterEach(() => workbench.close());

/** More checks than are worth lanes, and none that waits. */
const MANY = CHECKS.map(({ id }) => id).filter((id) => /^(misc|tags|api-keys|accounts)\//.test(id));

async function begin(access: Omit<RemoteTargetOptions, 'url'>, url = workbench.url) {
  const forecasts: Forecast[] = [];
  const target = await remoteTarget({ url, requestsPerSecond: 1_000, ...access });
  const result = await runConformance({ target, seed: 1, ids: MANY, onBegin: (one) => forecasts.push(one) });
  const [forecast] = forecasts;
  if (!forecast) throw new Error('nothing was said before the first check');
  const record = buildRunRecord(result);
  const ran = viewOfCheck(record).facts.find(([label]) => label === 'Run')?.[1] ?? '';
  return { result, forecast, ran };
}

it('makes its accounts with the key of an Integrator Account that is given beside the main one', async () => {
  const { result, forecast } = await begin({
    apiKey: workbench.secondApiKey,
    integratorApiKey: workbench.apiKey,
    isIntegrator: false,
  });
  expect(forecast).toMatchObject({ lanes: 10, lack: undefined });
  expect(result.leftBehind).toEqual([]);
  expect(result.outcomes.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
});

it('finds the key of a new account where the service answers it', async () => {
  const proxy = await startMeddlingProxy(workbench.url, {
    meddle: ({ method, path, body, status }) => {
      if (method !== 'POST' || path !== '/account' || status >= 300) return undefined;
      const { ApiKeys, ...rest } = JSON.parse(body) as { readonly ApiKeys: Readonly<Record<string, string>> };
      const keys = Object.entries(ApiKeys).map(([name, value]) => ({ name, secret: { value } }));
      return { body: JSON.stringify({ ...rest, keys }) };
    },
  });
  const { forecast } = await begin({ apiKey: workbench.apiKey }, proxy.url);
  await proxy.close();
  expect(forecast).toMatchObject({ lanes: 10, lack: undefined });
});

it('says at its start and in its headline why there is one lane, and what that costs', async () => {
  const { forecast, ran } = await begin({ apiKey: workbench.secondApiKey });
  expect(forecast.lanes).toBe(1);
  const lack = /no Child Account could be made: POST \/account answered 40\d; 10 lanes would take about \d+s/;
  expect(describeForecast(forecast)).toMatch(/^about \d+s for \d+ checks in one lane: /);
  expect(describeForecast(forecast)).toMatch(lack);
  expect(describeForecast({ ...forecast, checks: 1 })).toMatch(/ for 1 check in /);
  expect(ran).toMatch(lack);
});
