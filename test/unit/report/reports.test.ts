import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { ActionableError } from '../../../src/common/actionable-error.ts';
import { mapStrings } from '../../../src/common/map-strings.ts';
import { buildRunRecord } from '../../../src/conformance/record/build-record.ts';
import { createRedaction } from '../../../src/conformance/record/redaction.ts';
import { runConformance } from '../../../src/conformance/run/run-conformance.ts';
import { readBaseline } from '../../../src/conformance/verdict/baseline.ts';
import type { CheckRunRecord } from '../../../src/record/check-record.ts';
import { renderJson } from '../../../src/report/json.ts';
import { renderJunit } from '../../../src/report/junit.ts';
import { renderProgress, renderRun } from '../../../src/report/terminal/run-terminal.ts';
import { writeReports } from '../../../src/report/write-reports.ts';
import type { Target } from '../../../src/targets/target.ts';
import { targetOf } from '../../support/odd-servers.ts';
import { onTerminal } from '../../support/on-terminal.ts';

/** Odd enough to need every kind of escaping. */
const CANARY = 'canary-"key"/<&>+ü-0123456789';

let target: Target;
let record: CheckRunRecord;
const progress: string[] = [];

beforeEach(async () => {
  progress.length = 0;
  // Echoes whatever it was sent, the key in several forms included.
  target = await targetOf((request, response) => {
    response.writeHead(200, { 'X-Echo': String(request.headers.authorization), 'Request-Id': 'r1' });
    response.end(JSON.stringify({ path: request.url, key: CANARY, encoded: encodeURIComponent(CANARY) }));
  }, CANARY);
  const result = await runConformance({
    target,
    seed: 42,
    grep: '^(misc|print-jobs|idempotency)/',
    onProgress: (one) => progress.push(onTerminal([renderProgress(one)])),
  });
  record = buildRunRecord(result);
});

afterEach(() => target.close());

it('builds the one result format', () => {
  expect(Object.keys(record)).toEqual([
    'tool',
    'recordVersion',
    'platenVersion',
    'kind',
    'runId',
    'startedAt',
    'durationMs',
    'seed',
    'target',
    'selection',
    'summary',
    'clauses',
    'gaps',
    'dialect',
    'deviations',
    'checks',
  ]);
  expect(record).toMatchObject({ tool: 'platen', recordVersion: 1, kind: 'check', seed: 42 });
  expect(record.runId).toMatch(/^check-\d{8}T\d{6}Z-002a$/);
  for (const check of record.checks) {
    expect(Object.keys(check)).toEqual([
      'id',
      'title',
      'clauses',
      'needs',
      'level',
      'verdict',
      'durationMs',
      'requests',
      'waitedMs',
      'message',
      ...(check.verdict === 'fail' ? ['signature'] : []),
      'evidence',
    ]);
  }
  const { total, ...byVerdict } = record.summary.checks;
  expect(Object.values(byVerdict).reduce((sum, count) => sum + count, 0)).toBe(total);
});

it('never lets a key into any report, whatever form it travelled in', () => {
  const reports = [renderJson(record), renderJunit(record), onTerminal(renderRun(record), true), progress.join('\n')];
  const forms = [
    CANARY,
    JSON.stringify(CANARY).slice(1, -1),
    encodeURIComponent(CANARY),
    Buffer.from(`${CANARY}:`).toString('base64').slice(0, 24),
    'canary-',
  ];
  for (const report of reports) for (const form of forms) expect(report).not.toContain(form);
  expect(reports[0]).toContain('$PLATEN_API_KEY');
});

it('shows for a failure the clause with its sentence, expected, actual, the exchange, and how to repeat it', () => {
  const text = onTerminal(renderRun(record));
  const [failure = ''] = /FAIL misc\/noop [\s\S]*?\n\n/.exec(text) ?? [];
  expect(failure).toContain('misc/noop-body-is-request-id (must): The body of GET /noop');
  expect(failure).toContain('expected the Request-Id of the response');
  expect(failure).toContain('actual   {"path":"/noop"');
  expect(failure).toContain('GET /noop → 200 in');
  expect(failure).toMatch(/repeat +curl -sS -i .*-u "\$PLATEN_API_KEY:" 'http:\/\/127\.0\.0\.1:\d+\/noop'/);
});

it('ends with a headline: checks, clauses, and the seed', () => {
  const lines = onTerminal(renderRun(record)).trimEnd().split('\n').slice(-4);
  expect(lines[0]).toMatch(/^\d+ checks: \d+ passed, \d+ failed.*\d+ not testable here/);
  expect(lines[1]).toMatch(/^\d+ clauses: \d+ covered.*\d+ excluded with a reason, \d+ not yet$/);
  expect(lines[2]).toMatch(/^FAILED: The service breaks \d+ of the \d+ clauses/);
  expect(lines[3]).toMatch(/\d+ requests?.* in \S+, seed 42$/);
});

it('names the reason where checks could not be tried', () => {
  const text = onTerminal(renderRun(record));
  expect(text).toContain('not judged, untestable: needs a computer, and the target has no link');
  expect(text).toContain('    print-jobs/created\n');
});

it('uses colour only when asked to', () => {
  expect(onTerminal(renderRun(record))).not.toContain('\u001b[');
  expect(onTerminal(renderRun(record), true)).toContain('\u001b[');
});

it('reports each check as it ends', () => {
  expect(progress).toHaveLength(record.checks.length);
  expect(progress[0]).toMatch(/^ *1\/\d+ \w+ +[a-z-]+\/[a-z-]+ {2}[A-Z]/);
});

it('writes JUnit that adds up and is well-formed', () => {
  const xml = renderJunit(record);
  const count = (pattern: RegExp): number => xml.match(pattern)?.length ?? 0;
  expect(count(/<testcase /g)).toBe(record.checks.length);
  expect(count(/<failure /g)).toBe(record.summary.checks.fail);
  expect(count(/<skipped /g)).toBe((record.summary.checks.untestable ?? 0) + (record.summary.checks.inconclusive ?? 0));
  expect(xml).toMatch(new RegExp(`<testsuites name="platen check" tests="${record.checks.length}"`));
  expect(xml.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|#39;|#10;)/);
  expect(xml.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

it('writes the files, whole, and nothing beside them', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'reports-'));
  const folder = join(temporary.path, 'deep', 'er');
  const paths = await writeReports(record, folder);
  const names = ['run.json', 'junit.xml', 'known-template.yaml'];
  expect(paths).toEqual(names.map((name) => join(folder, name)));
  expect(readdirSync(folder).toSorted()).toEqual([...names, 'failures'].toSorted());
  const template = readBaseline(readFileSync(join(folder, 'known-template.yaml'), 'utf8'));
  expect(JSON.stringify(template)).toContain('is still to be filled in');
  expect(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))).toEqual(record);
});

it('says where it cannot write', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'reports-'));
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  const outcome = await writeReports(record, file).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(ActionableError);
  expect(outcome).toMatchObject({ kind: 'usage', message: expect.stringContaining(file) });
});

it('redacts keys of any length and writing, wherever they stand', () => {
  const keys = ['abc', 'ключ-от-счёта', 'key "with" marks', '0123456789abcdef0123456789abcdef'];
  for (const some of [keys, keys.slice(1)]) {
    const redact = createRedaction(some.map((value, index) => ({ value, variable: `K${index}` })));
    for (const [index, key] of some.entries()) {
      expect(redact(`${key} and ${key.slice(0, -1)} and ${key}`)).toBe(
        `$K${index} and ${key.slice(0, -1)} and $K${index}`,
      );
      expect(redact(JSON.stringify([key]))).toBe(`["$K${index}"]`);
      expect(redact(encodeURIComponent(key))).toBe(`$K${index}`);
      expect(redact(Buffer.from(`${key}:`).toString('base64'))).toBe(`$K${index}`);
    }
  }
});

it('redacts the longer of two keys first, and leaves the names of fields alone', () => {
  const redact = createRedaction([
    { value: 'key-one', variable: 'ONE' },
    { value: 'key-one-of-another', variable: 'TWO' },
    { value: '', variable: 'NONE' },
  ]);
  expect(redact('key-one-of-another, key-one')).toBe('$TWO, $ONE');
  expect(mapStrings({ kind: ['a key-one', 1, null] }, redact)).toEqual({ kind: ['a $ONE', 1, null] });
});

it('leaves the id of a clause whole that has a key in it', () => {
  const redact = createRedaction([{ value: 'other-key', variable: 'KEY' }]);
  expect(redact('errors/no-other-keys: other-key')).toBe('errors/no-other-keys: $KEY');
});

it('hides a key of few letters where it stands alone, and leaves words that contain it whole', async () => {
  await target.close();
  target = await targetOf((_request, response) => response.end('{"kind":"k","checks":"ok"}'), 'k');
  const short = buildRunRecord(await runConformance({ target, seed: 1, grep: '^misc/' }));
  expect(short.runId).toMatch(/^check-\d/);
  const text = onTerminal(renderRun(short)) + renderJson(short) + renderJunit(short);
  expect(text).toContain('{\\"kind\\":\\"$PLATEN_API_KEY\\",\\"checks\\":\\"ok\\"}');
});
