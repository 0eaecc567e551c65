import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';

import type { RunRecord } from '../../../src/record/run-record.ts';
import { annotationsOf, renderGithubSummary } from '../../../src/report/github.ts';
import { readRecord } from '../../../src/report/read/read-record.ts';
import { REPORTER_NAMES, type ReporterName } from '../../../src/report/reporter-names.ts';
import { reportFiles } from '../../../src/report/reporters.ts';
import { renderRun } from '../../../src/report/terminal/run-terminal.ts';
import { writtenAnnotation } from '../../../src/report/terminal/written.ts';
import { HOSTILE, madeUpLoad, madeUpRun, madeUpScenarios } from '../../support/run-records.ts';
import { readXml, type XmlElement } from '../../support/xml-tree.ts';
import { onTerminal } from '../../support/on-terminal.ts';

const KINDS: readonly (readonly [string, RunRecord])[] = [
  ['check', madeUpRun({ results: 40, failures: 5, words: HOSTILE })],
  ['run', madeUpScenarios(HOSTILE)],
  ['load', madeUpLoad(HOSTILE)],
];

async function reportOf(name: ReporterName, records: readonly RunRecord[]): Promise<string> {
  const [content] = (await reportFiles(records, [name])).values();
  return Buffer.from(content ?? '').toString('utf8');
}

it.each(KINDS)('gives the same bytes for the same %s record, in every form', async (_, record) => {
  const again = readRecord(JSON.stringify(record));
  if (!again.ok) throw new Error('the record is read');
  const names = REPORTER_NAMES;
  expect(await reportFiles([again.value], names)).toEqual(await reportFiles([record], names));
  expect([...(await reportFiles([record], names)).keys()]).toEqual([
    'run.json',
    'run.ndjson',
    'junit.xml',
    'ctrf.json',
    'github-summary.md',
    'report.html',
    'report.pdf',
    'badge.svg',
  ]);
});

it('shows several runs together where a format can, and numbers the files where it cannot', async () => {
  const files = await reportFiles([madeUpRun(), madeUpScenarios()], ['html', 'pdf', 'junit', 'badge']);
  expect([...files.keys()]).toEqual([
    'report.html',
    'report.pdf',
    'junit-1.xml',
    'junit-2.xml',
    'badge-1.svg',
    'badge-2.svg',
  ]);
});

it.each(KINDS)('writes CTRF of a %s that its schema takes', async (_, record) => {
  const ctrf: unknown = JSON.parse(await reportOf('ctrf', [record]));
  const schemaFile = createRequire(import.meta.url)
    .resolve('ctrf')
    .replace(/index\.cjs$/, 'ctrf-schema-0.0.json');
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(schemaFile, 'utf8')) as object);
  expect([validate(ctrf), validate.errors]).toEqual([true, null]);
});

it('counts in CTRF what it lists', async () => {
  const { results } = JSON.parse(await reportOf('ctrf', [madeUpRun({ results: 40, failures: 5 })])) as {
    results: { summary: Record<string, number>; tests: readonly { status: string }[] };
  };
  expect(results.summary).toMatchObject({
    tests: 40,
    passed: 35,
    failed: 5,
    skipped: 0,
    pending: 0,
    other: 0,
  });
  expect(results.tests.filter(({ status }) => status === 'failed')).toHaveLength(5);
});

it.each(KINDS)(
  'writes JUnit of a %s that is well-formed, adds up, and holds the words of the target as text',
  async (_, record) => {
    const root = readXml(await reportOf('junit', [record]));
    const cases = root.children.flatMap(({ children }) => children.filter(({ name }) => name === 'testcase'));
    const count = (name: string): number =>
      cases.filter(({ children }) => children.some((one) => one.name === name)).length;
    expect(root.name).toBe('testsuites');
    expect(root.attributes).toMatchObject({
      tests: String(cases.length),
      failures: String(count('failure')),
      errors: String(count('error')),
    });
    expect([...namesIn(root)].filter((name) => !KNOWN_ELEMENTS.has(name))).toEqual([]);
    const [failure] = cases.flatMap(({ children }) => children);
    expect(failure?.text).toContain('<img src=x onerror="globalThis.taken = 1">');
  },
);

const KNOWN_ELEMENTS = new Set([
  'testsuites',
  'testsuite',
  'properties',
  'property',
  'testcase',
  'failure',
  'error',
  'system-out',
]);

function namesIn({ name, children }: XmlElement): ReadonlySet<string> {
  return new Set([name, ...children.flatMap((child) => [...namesIn(child)])]);
}

const XSD = fileURLToPath(new URL('../../support/junit.xsd', import.meta.url));

it.each(KINDS)('writes JUnit of a %s that the schema takes', { tags: ['xmllint'] }, async (_, record) => {
  const input = await reportOf('junit', [record]);
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', XSD, '-'], { input });
  expect([status, String(stderr).split('\n').slice(0, 3)]).toEqual([0, expect.anything()]);
});

it.each(KINDS)('writes a line of JSON for the %s, each result, and the sum', async (_, record) => {
  const lines = (await reportOf('ndjson', [record]))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
  expect(lines.map(({ type }) => type)).toEqual(['run', ...lines.slice(2).map(() => 'result'), 'summary']);
});

it.each(KINDS)('annotates a %s with one command a line, whatever the target says', (_, record) => {
  const lines = annotationsOf([record]).map(writtenAnnotation);
  for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) [^\r\n]*::[^\r\n]*$/);
  expect(lines[0]).toContain('%0A::error title=taken::taken');
  expect(lines.at(-1)).toContain('FAILED');
});

it('annotates no more than GitHub shows', () => {
  expect(annotationsOf([madeUpRun({ results: 100, failures: 60 })]).map(writtenAnnotation)).toHaveLength(10);
});

it.each(KINDS)('summarises a %s in Markdown without any markup of the target', (_, record) => {
  const markdown = renderGithubSummary([record]);
  const outside = markdown.replaceAll(/^(`{3,})sh\n[\s\S]*?\n\1$/gm, '').replaceAll(/(`+)[^\n]*?\1/g, '');
  expect(outside).not.toMatch(/<(?!details>|summary>|\/details>|\/summary>|!-- -->)/);
  expect(outside).not.toMatch(/@everyone|www\.taken|https:\/\/taken/);
  expect(outside).not.toMatch(/^(#+ taken|```)/m);
});

it('keeps the summary below what a step may have', () => {
  const large = renderGithubSummary([madeUpRun({ results: 1_000, failures: 1_000, words: HOSTILE.repeat(20) })]);
  expect(Buffer.byteLength(large)).toBeLessThan(1_000_000);
});

it.each(KINDS)('shows a %s on a terminal without any sequence of the target', (_, record) => {
  const text = onTerminal(renderRun(record));
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E\u2066]/u);
  expect(text).toContain(String.raw`\u001b[2J`);
});

it('draws a badge that is XML, with a text for readers who cannot see it', async () => {
  const good = readXml(await reportOf('badge', [madeUpRun({ failures: 0 })]));
  expect(good.attributes['aria-label']).toBe('conformance: 700/700 clauses, passed');
  const bad = readXml(await reportOf('badge', [madeUpRun({ failures: 2 })]));
  expect(bad.attributes['aria-label']).toBe('conformance: 698/700 clauses, failed');
  const scenarios = readXml(await reportOf('badge', [madeUpScenarios(HOSTILE)]));
  expect(scenarios.attributes['aria-label']).toBe('scenarios: 1/2, failed');
});
