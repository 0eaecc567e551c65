import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { checkDataFile } from '../../../src/service/data-file-check.ts';
import { alteredCopy, checkOf, documentsIn, makeDataFile, startOn } from '../../support/damaged-data.ts';
import { runService, type RunningService } from '../../support/running-service.ts';
import { ScriptedComputer } from '../../support/scripted-computer.ts';

let folder: string;
let whole: string;
let copies = 0;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-damaged-'));
  whole = path.join(folder, 'whole.db');
  await makeDataFile(whole);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const copyWith = (sql: string): string => alteredCopy(whole, path.join(folder, `${++copies}.db`), sql);

/** A service on this file, and what it told of faults. */
async function runOn(dataFile: string): Promise<[RunningService, string[]]> {
  const faults: string[] = [];
  const service = await runService({ dataFile, onFault: (error) => void faults.push((error as Error).message) });
  return [service, faults];
}

it('finds a file whole that a service has made, with every row of it', async () => {
  expect(checkDataFile(whole)).toMatchObject({ damage: [], rows: { print_jobs: 14, print_job_contents: 13 } });
  expect(await startOn(whole)).toBe('starts');
});

it('adds checksums to the documents of a file of the version before', async () => {
  const file = copyWith('ALTER TABLE print_job_contents DROP COLUMN checksum; PRAGMA user_version = 2');
  expect(checkOf(file)).toMatch(/^refused: .*its documents have no checksums yet \(format 2\)/);
  expect(await startOn(file)).toBe('starts');
  expect(checkOf(file)).toBe('whole');
  expect(documentsIn(file)).toEqual(documentsIn(whole));
});

it('delivers no document that is not as it was accepted, ends its job with the reason, and delivers the others', async () => {
  const file = copyWith("UPDATE print_job_contents SET content = 'QUJE' WHERE job_id = 2");
  const [service, faults] = await runOn(file);
  await using _ = service;
  await using computer = await ScriptedComputer.connect(service.url);
  await computer.hear('job', ({ jobId }) => jobId === 9);
  expect(computer.jobs).toEqual([3, 4, 5, 6, 7, 8, 9]);
  expect((await service.call('GET', '/printjobs/2/states')).body).toMatchObject([
    [{ state: 'new' }, { state: 'error', message: expect.stringContaining('not as it was accepted') as string }],
  ]);
  expect(faults).toEqual([
    'the data file is damaged: table print_job_contents, row 2: the document is not as it was accepted',
  ]);
});

it('delivers the other jobs when the options of one cannot be read', async () => {
  const [service, faults] = await runOn(copyWith("UPDATE print_jobs SET options = '{' WHERE id = 2"));
  await using _ = service;
  await using computer = await ScriptedComputer.connect(service.url);
  await computer.hear('job', ({ jobId }) => jobId === 9);
  expect((await service.call('GET', '/printjobs/2')).body).toMatchObject([{ state: 'error' }]);
  expect(faults).toEqual(['the data file is damaged: table print_jobs, row 2: its JSON cannot be read']);
});

it('answers 500 for a row that cannot be read, tells which, and goes on', async () => {
  const file = copyWith("UPDATE print_jobs SET created_ms = 'today' WHERE id = 5");
  const [service, faults] = await runOn(file);
  await using _ = service;
  expect(service.service.admin.trouble()).toBeUndefined();
  expect((await service.call('GET', '/printjobs/5')).status).toBe(500);
  expect(service.service.admin.trouble()).toContain('table print_jobs, row 5');
  expect((await service.call('GET', '/printjobs/4')).status).toBe(200);
  expect(faults).toEqual([
    'the data file is damaged: table print_jobs, row 5: a value has another type than it was stored with',
  ]);
});

it('lets other jobs expire when one that is due cannot be read', async () => {
  const file = copyWith(
    "UPDATE print_jobs SET expire_ms = 1 WHERE id IN (4, 5); UPDATE print_jobs SET title = x'07' WHERE id = 4",
  );
  const [service, faults] = await runOn(file);
  await using _ = service;
  await service.clock.advance(1_000);
  expect((await service.call('GET', '/printjobs/5')).body).toMatchObject([{ state: 'expired' }]);
  expect(faults).toEqual([expect.stringContaining('table print_jobs, row 4')]);
});
