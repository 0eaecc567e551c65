import fc from 'fast-check';
import { expect, it } from 'vitest';

import { annotationsOf } from '../../../src/report/github.ts';
import { readRecord } from '../../../src/report/read/read-record.ts';
import { REPORTER_NAMES } from '../../../src/report/reporter-names.ts';
import { reportFiles } from '../../../src/report/reporters.ts';
import { renderRun } from '../../../src/report/terminal/run-terminal.ts';
import { writtenAnnotation } from '../../../src/report/terminal/written.ts';
import { HOSTILE, madeUpLoad, madeUpRun, madeUpScenarios } from '../../support/run-records.ts';
import { readXml } from '../../support/xml-tree.ts';
import { onTerminal } from '../../support/on-terminal.ts';

/** A record in which some values are others: what a schema lets pass must not break any report. */
function changed(value: unknown, changes: ReadonlyMap<number, unknown>, counter = { at: 0 }): unknown {
  const change = changes.get(counter.at++);
  if (change !== undefined) return change;
  if (Array.isArray(value)) return value.map((item: unknown) => changed(item, changes, counter));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, changed(item, changes, counter)] as const);
  return Object.fromEntries(entries);
}

const RECORDS = [madeUpRun({ results: 3, failures: 2, clauses: 6 }), madeUpScenarios(), madeUpLoad()];

const strange = fc.oneof(
  fc.constantFrom(
    '',
    HOSTILE,
    'constructor',
    '__proto__',
    '9999-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
  ),
  fc.constantFrom(0, -1, 1e308, 9_007_199_254_740_991, 5e-324),
  fc.constantFrom<unknown>(null, [], {}, [[]], { toString: 1 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

it('renders whatever the schema lets pass, and refuses the rest', async () => {
  let rendered = 0;
  const changes = fc.array(fc.tuple(fc.nat(240), strange), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...RECORDS), changes, async (record, pairs) => {
      const read = readRecord(JSON.stringify(changed(record, new Map(pairs))));
      if (!read.ok) return;
      rendered++;
      const files = await reportFiles([read.value], REPORTER_NAMES);
      readXml(String(files.get('junit.xml')));
      readXml(String(files.get('badge.svg')));
      annotationsOf([read.value]).map(writtenAnnotation);
      onTerminal(renderRun(read.value), true);
    }),
    { numRuns: 300 },
  );
  expect(rendered).toBeGreaterThan(30);
}, 60_000);
