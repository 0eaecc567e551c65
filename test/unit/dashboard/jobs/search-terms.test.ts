import { expect, it } from 'vitest';

import { hasTerm, termOf, toggled } from '../../../../src/dashboard/jobs/search-terms.ts';
import { parseSearch } from '../../../../src/workbench/views/job-search.ts';

it.each(['done', 'sent_to_client', 'Office MFP', 'Label 4x6'])(
  'writes a filter for %s as the search reads it',
  (name) => {
    expect(parseSearch(termOf('printer', name))).toEqual([
      { field: 'printer', wanted: name.toLowerCase(), isNot: false },
    ]);
  },
);

it('puts a filter in place of another of its field, and takes it back', () => {
  const search = toggled('invoice state:done', 'state', 'state:error');
  expect(search).toBe('invoice state:error');
  const both = toggled(search, 'printer', 'printer:"Office MFP"');
  expect(both).toBe('invoice state:error printer:"Office MFP"');
  expect(hasTerm(both, 'printer:"Office MFP"')).toBe(true);
  expect(toggled(both, 'printer', 'printer:"Office MFP"')).toBe('invoice state:error');
});
