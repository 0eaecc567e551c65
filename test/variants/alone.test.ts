/**
 * A check that is chosen alone comes to what it comes to in a whole run: where the dialect has to be asked in its
 * middle, what that makes must not get between the records that it judges.
 */

import { expect, it } from 'vitest';

import { CHECKS } from '../../src/conformance/registry.ts';
import { DIMENSIONS } from './dimensions/dimensions.ts';
import { tryCombination } from './try-combination.ts';

const OF_LISTS = CHECKS.map(({ id }) => id).filter((id) => /^(paging\/|sets\/|matrix\/list-pages$)/.test(id));

it.each(OF_LISTS)('%s accuses no service whose jobs have another name for their id', async (id) => {
  const combination = { 'print-job-record': 'printJobId in place of id' };
  expect((await tryCombination(DIMENSIONS, combination, [id])).alarms).toEqual([]);
});
