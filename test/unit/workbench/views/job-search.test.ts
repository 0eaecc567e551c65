import { expect, it } from 'vitest';

import { asksForText, fitsSearch, fitsText, parseSearch } from '../../../../src/workbench/views/job-search.ts';
import { jobSummary } from '../../../support/job-summary.ts';

const JOB = jobSummary({
  title: 'Delivery note 12',
  printer: { id: 1, name: 'Label 4x6' },
  source: 'shop',
});

it.each([
  '',
  '   ',
  'note',
  'NOTE 12',
  '"delivery note"',
  'title:delivery',
  'title:"note 12"',
  'printer:label',
  'printer:"label 4x6" state:done',
  'computer:front source:shop id:7',
  '-state:error -receipt',
  'text:whatever',
])('finds the job by `%s`', (search) => {
  expect(fitsSearch(JOB, parseSearch(search))).toBe(true);
});

it.each([
  'receipt',
  'note state:error',
  'state:don',
  'id:77',
  'printer:laser',
  '"note delivery"',
  '-note',
  'colour:red',
])('does not find it by `%s`', (search) => {
  expect(fitsSearch(JOB, parseSearch(search))).toBe(false);
});

it('compares the text on the sheets with what follows text:', () => {
  const terms = parseSearch('text:"page 2" -text:secret note');
  expect(asksForText(terms)).toBe(true);
  expect(fitsText('Page 2 of 3', terms)).toBe(true);
  expect(fitsText('Page 2, SECRET', terms)).toBe(false);
  expect(fitsText('Page 1', terms)).toBe(false);
  expect(asksForText(parseSearch('title:text'))).toBe(false);
});

it('reads a search that is half typed', () => {
  expect(parseSearch('title:"deliv').map(({ wanted }) => wanted)).toEqual(['deliv']);
  expect(parseSearch('printer:')).toHaveLength(1);
  expect(parseSearch(`${'a:'.repeat(5_000)}"`).length).toBeGreaterThan(0);
});
