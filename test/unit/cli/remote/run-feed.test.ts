import { expect, it } from 'vitest';

import { openFeed } from '../../../../src/cli/remote/run-feed.ts';
import { madeUpExplore } from '../../../support/run-records.ts';

it('has the record so far of a run that is shown nowhere, without how far it is, until the run has ended', async () => {
  await using feed = await openFeed({});
  expect(feed.soFar()).toBeUndefined();
  const record = madeUpExplore();
  feed.show(() => ({ ...record, progress: { done: 1, total: 2, remainingMs: null, doing: 'day 1' } }));
  expect(feed.soFar()).toEqual(record);
  await feed.end(record);
  expect(feed.soFar()).toBeUndefined();
});
