import { expect, it } from 'vitest';

import { viewOfScenarios } from '../../../../src/report/view/scenario-view.ts';
import { madeUpScenarios } from '../../../support/run-records.ts';

it('says of a run on a service that died where it did, and not that platen broke', () => {
  const record = madeUpScenarios();
  const summary = { ...record.summary, lostIn: 'scenarios/jam.yaml', exitCode: 75 };
  expect(viewOfScenarios({ ...record, summary })).toMatchObject({
    word: 'CUT SHORT',
    sentence: 'The service stopped answering in scenarios/jam.yaml; what follows was not played.',
  });
  expect(viewOfScenarios({ ...record, summary: { ...summary, lostIn: null, exitCode: 70 } }).word).toBe('BROKEN');
});

it.each([
  ['nothing', { kind: 'embedded', baseUrl: null }, ''],
  ['its address', { kind: 'remote', baseUrl: 'http://127.0.0.1:9' }, ' http://127.0.0.1:9'],
  [
    'its descriptor',
    { kind: 'remote', baseUrl: 'http://127.0.0.1:9', descriptor: 'our target.yaml' },
    " --target 'our target.yaml'",
  ],
  [
    'its address, link and callback host',
    { kind: 'remote', baseUrl: 'http://127.0.0.1:9', link: '/our links/one.ts', callbackHost: 'build-7.example' },
    " http://127.0.0.1:9 --link '/our links/one.ts' --callback-host build-7.example",
  ],
  [
    'its descriptor, with what was given beside it,',
    { kind: 'remote', baseUrl: 'http://127.0.0.1:9', descriptor: 'a.yaml', url: 'http://127.0.0.1:9', link: 'none' },
    ' http://127.0.0.1:9 --target a.yaml --link none',
  ],
] as const)('repeats a scenario on the service that it failed on, which %s names', (_by, named, place) => {
  const record = madeUpScenarios();
  const target = { name: 'a service', ...named };
  const failed = record.scenarios.map((scenario) => ({
    ...scenario,
    verdict: 'fail' as const,
    id: 'jam.yaml',
    seed: 7,
  }));
  const [shown] = viewOfScenarios({ ...record, target, scenarios: failed }).results;
  expect(shown?.repeat).toBe(`platen run jam.yaml${place} --seed 7`);
});
