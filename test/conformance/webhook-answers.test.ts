/** One thing that is wrong with an answer about webhooks is said once. */

import { expect, it } from 'vitest';

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { startMeddlingProxy, type Meddle } from '../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';

/** What the checks say that a service breaks whose answers about webhooks are changed so. */
async function brokenBy(meddle: Meddle): Promise<readonly string[]> {
  const target = await startEmbeddedTarget();
  const proxy = await startMeddlingProxy(target.baseUrl, { meddle });
  try {
    const { outcomes } = await runConformance({
      target: { ...target, baseUrl: proxy.url },
      seed: 1,
      grep: '^webhooks/(update|delete)$',
    });
    return outcomes.flatMap(({ verdict, judgements }) =>
      judgements.flatMap(({ clause, mismatch }) => (mismatch ? [`${verdict} ${clause}`] : [])),
    );
  } finally {
    await proxy.close();
    await target.close();
  }
}

it('warns once of answers that show the list before the change', async () => {
  let list = '[]';
  const broken = await brokenBy(({ method, path, status, body }) => {
    if (status < 300 && /^(PATCH|DELETE) \/webhook\//.test(`${method} ${path}`)) return { body: list };
    if (`${method} ${path}` === 'GET /webhooks') list = body;
    return undefined;
  });
  expect(broken).toEqual(['warn webhooks/update-answer-shows-change', 'warn webhooks/delete-answer-shows-change']);
});

it('does not say of an answer without a list that it is also an old one', async () => {
  const broken = await brokenBy(({ method, path, status }) =>
    status < 300 && /^(PATCH|DELETE) \/webhook\//.test(`${method} ${path}`) ? { body: 'true' } : undefined,
  );
  expect(new Set(broken)).toEqual(new Set(['fail webhooks/update-answers-list', 'fail webhooks/delete-answers-list']));
});
