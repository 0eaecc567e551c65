/** A request that should have been refused, and did something, is named among all that were sent. */

import { expect, it } from 'vitest';

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { startMeddlingProxy } from '../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';

it('names the request that took an empty set for everything', { timeout: 60_000 }, async () => {
  const service = await startEmbeddedTarget();
  const proxy = await startMeddlingProxy(service.baseUrl, {
    rewrite: ({ method, path }) =>
      method === 'DELETE' && path === '/printjobs//' ? { path: '/printjobs' } : undefined,
  });
  const target = { ...service, baseUrl: proxy.url };
  const { outcomes, exchanges } = await runConformance({ target, seed: 1, grep: '^matrix/empty-sets$' });
  await proxy.close();
  await service.close();
  const broken = outcomes.flatMap(({ judgements }) => judgements.flatMap(({ mismatch }) => mismatch ?? []));
  const shown = exchanges[broken[0]?.exchange ?? -1]?.request;
  expect(`${shown?.method} ${shown?.path}`).toBe('DELETE /printjobs//');
  expect(broken[0]?.at).toContain('nothing as print_job_set, and another slash: ');
});
