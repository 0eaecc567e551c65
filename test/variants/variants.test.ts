/**
 * Conforming variants pass. Here all that go together at once, and the committed table of each by itself;
 * `npm run prove variants` tries them one by one.
 */

import { expect, it } from 'vitest';

import { readBaselineRows } from '../support/baseline-page.ts';
import { allAtOnce } from './all-at-once.ts';
import { tryVariant } from './try-variant.ts';
import { VARIANT_PAGE } from './variant-page.ts';
import { VARIANTS } from './variants.ts';

it('lets a service pass that answers nearly every gap differently', async () => {
  const { alarms } = await tryVariant(allAtOnce());
  expect(alarms).toEqual([]);
}, 120_000);

it('lists each variant once in the committed table, where all of them pass', () => {
  const rows = readBaselineRows(VARIANT_PAGE);
  expect(rows.map(([id, where, what]) => [id, where, what])).toEqual(
    VARIANTS.map(({ id, where, what }) => [`\`${id}\``, `\`${where}\``, what]),
  );
  expect(rows.filter(([, , , result]) => !result?.startsWith('passes'))).toEqual([]);
});
