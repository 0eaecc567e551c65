import { readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';

import { buildRunRecord } from '../../../../src/conformance/record/build-record.ts';
import { runConformance } from '../../../../src/conformance/run/run-conformance.ts';
import { SCHEMAS } from '../../../../src/record/run-record.ts';
import { renderJson } from '../../../../src/report/json.ts';
import { readRecord } from '../../../../src/report/read/read-record.ts';
import { startEmbeddedTarget } from '../../../support/embedded-target.ts';
import { HOSTILE, madeUpLoad, madeUpRun, madeUpScenarios } from '../../../support/run-records.ts';

function problemsOf(text: string): readonly string[] {
  const read = readRecord(text);
  return read.ok ? [] : read.error.map(({ line, column, at, message }) => `${line}:${column} ${at}: ${message}`);
}

function isValid(record: unknown): boolean {
  const schema: unknown = JSON.parse(
    readFileSync(new URL('../../../../docs/run.schema.json', import.meta.url), 'utf8'),
  );
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  return ajv.validate(schema as object, record);
}

it('reads what a real run wrote, all of it, and the published schema agrees', async () => {
  const target = await startEmbeddedTarget();
  const result = await runConformance({
    target,
    seed: 3,
    grep: '^(misc|paging|gaps)/',
    shard: { index: 1, count: 2 },
  });
  await target.close();
  const record = buildRunRecord(result);
  const read = readRecord(renderJson(record));
  expect(read).toEqual({ ok: true, value: JSON.parse(renderJson(record)) });
  expect(isValid(JSON.parse(renderJson(record)))).toBe(true);
  expect(record.selection).toMatchObject({ profile: 'full', shards: { held: [1], of: 2 } });
});

it.each([
  ['a check with failures', madeUpRun({ words: HOSTILE })],
  ['scenarios', madeUpScenarios(HOSTILE)],
  ['a load', madeUpLoad(HOSTILE)],
])('takes %s as it is, and the published schema agrees', (_, record) => {
  expect(readRecord(renderJson(record))).toEqual({ ok: true, value: JSON.parse(renderJson(record)) });
  expect(isValid(JSON.parse(renderJson(record)))).toBe(true);
});

it('knows every field of a load record', () => {
  const record: unknown = JSON.parse(renderJson(madeUpLoad()));
  // What a schema does not name is left out of what it parses.
  expect(SCHEMAS.load.parse(record)).toEqual(record);
});

it('lets keys pass that a later platen may add, and refuses what is another version', () => {
  const record = { ...madeUpRun(), added: { later: true } };
  expect(readRecord(JSON.stringify(record))).toEqual({ ok: true, value: record });
  expect(problemsOf(JSON.stringify({ ...record, recordVersion: 2 }, undefined, 2))).toEqual([
    '3:20 recordVersion: version 2 of the format, and this platen reads version 1: a newer platen wrote it, and is needed to read it',
  ]);
  expect(problemsOf(JSON.stringify({ ...record, kind: 'juggle' }))[0]).toContain('kind: must be check or run');
});

it('names each problem with its line, column and place', () => {
  const record = madeUpRun({ results: 1, failures: 0 });
  const broken = {
    ...record,
    seed: 'seven',
    runId: '../../etc',
    startedAt: 'yesterday',
    checks: [{ ...record.checks[0], verdict: 'passed', durationMs: -1 }],
  };
  expect(problemsOf(JSON.stringify(broken, undefined, 1))).toEqual([
    '6:11 runId: must be letters, digits, dots and dashes, 100 of them at most',
    "7:10 seed: must be a number, not 'seven'",
    "8:15 startedAt: must be a time such as 2026-01-31T08:00:00.000Z, not 'yesterday'",
    expect.stringMatching(/^\d+:15 checks\[0\]\.verdict: 'passed' is not known; did you mean 'pass'\?$/),
    expect.stringMatching(/^\d+:18 checks\[0\]\.durationMs: must be at least 0$/),
  ]);
});

it.each([
  ['nothing', ''],
  ['half a record', renderJson(madeUpRun()).slice(0, 4_000)],
  ['another JSON document', '{"name":"platen"}'],
  ['a list', '[]'],
  ['a number', '1e999'],
  ['lists without end', '['.repeat(100_000)],
  ['a record that is nothing but its head', '{"tool":"platen","recordVersion":1,"kind":"check"}'],
  ['a kind that every object has', '{"tool":"platen","recordVersion":1,"kind":"constructor"}'],
  ['a prototype', '{"__proto__":{"tool":"platen"},"recordVersion":1,"kind":"check"}'],
])('refuses %s with a reason', (_, text) => {
  expect(problemsOf(text).length).toBeGreaterThan(0);
});
