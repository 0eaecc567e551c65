import { expect, it } from 'vitest';

import type { ExploreRecord } from '../../../../src/record/explore-record.ts';
import { viewOfExplore } from '../../../../src/report/view/explore-view.ts';
import { madeUpExplore } from '../../../support/run-records.ts';

const FILE = 'reports/explore/found/print-jobs-idempotency-conflict/scenario.yaml';
const REMOTE = { name: 'a service', kind: 'remote', baseUrl: 'https://service.example' } as const;

it.each<readonly [ExploreRecord['target'], string]>([
  [madeUpExplore().target, ''],
  [REMOTE, ' https://service.example'],
  [{ ...REMOTE, descriptor: 'my targets/staging.yaml' }, " --target 'my targets/staging.yaml'"],
])('plays what was found again on the service where it was found: %o', (target, place) => {
  const { results } = viewOfExplore({ ...madeUpExplore(), target });
  expect(results.map(({ repeat }) => repeat)).toEqual([`platen run ${FILE}${place}`]);
});
