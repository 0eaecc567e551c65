import { expect, it } from 'vitest';

import { createRandom } from '../../../../src/common/random.ts';
import type { Check } from '../../../../src/conformance/check.ts';
import { runChecks } from '../../../../src/conformance/run/runner.ts';
import { startMeddlingProxy } from '../../../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../../../support/embedded-target.ts';

const SHAPES = {
  'an object of keys by name': (answer: unknown) => answer,
  'a list of names and keys': ({ ApiKeys }: { readonly ApiKeys: object }) => ({
    keys: Object.entries(ApiKeys).map(([name, key]) => ({ name, key: String(key) })),
  }),
  'the first key alone': ({ ApiKeys }: { readonly ApiKeys: object }) => Object.values(ApiKeys)[0] as unknown,
};

/** Many enough to be worth accounts of their own. */
const CHECKS = Array.from({ length: 12 }, (_, index): Check => ({
  id: `some/check-${index}`,
  title: 'It is alone in its account',
  clauses: ['misc/ping'],
  needs: [],
  locks: ['account'],
  run: async ({ judge }) => void judge('misc/ping', undefined),
}));

it.each(Object.entries(SHAPES))('makes accounts where POST /account answers with %s', async (_, change) => {
  const target = await startEmbeddedTarget();
  const proxy = await startMeddlingProxy(target.baseUrl, {
    meddle: ({ method, path, status, body }) =>
      method === 'POST' && path === '/account' && status === 201
        ? { body: JSON.stringify(change(JSON.parse(body) as { readonly ApiKeys: object })) }
        : undefined,
  });
  const { keys, leftBehind } = await runChecks({
    target: { ...target, baseUrl: proxy.url },
    checks: CHECKS,
    random: createRandom(1),
    runTag: 'tag',
    levelOf: () => 'must',
    order: 'overlapping',
  });
  await proxy.close();
  await target.close();
  expect(new Set(keys).size).toBeGreaterThanOrEqual(CHECKS.length);
  expect(leftBehind).toEqual([]);
});

it('says once what stays on a target that went away', async () => {
  const target = await startEmbeddedTarget();
  let closed: Promise<void> | undefined;
  const run: Check['run'] = async ({ api }) => {
    await (closed ??= target.close());
    await api.get('/ping');
  };
  const { leftBehind } = await runChecks({
    target,
    checks: CHECKS.map((check) => ({ ...check, run })),
    random: createRandom(1),
    runTag: 'tag',
    levelOf: () => 'must',
    order: 'overlapping',
    restartLimit: '10ms',
  });
  expect(leftBehind).toEqual(['not cleaned up: what checks had made until the target went away']);
});
