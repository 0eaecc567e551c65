/**
 * platen/vitest as a project uses it: fixtures and matchers, and what the matchers say when they fail.
 */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, describe, onTestFinished, vi } from 'vitest';

import { within } from '../../src/common/waiter.ts';
import { MATCHERS, type MatcherContext, type MatcherResult } from '../../src/testing/matchers.ts';
import { expect, platenTest, test } from '../../src/vitest.ts';
import type { Platen } from '../../src/workbench/library/platen.ts';
import type { Job } from '../../src/workbench/library/workbench-jobs.ts';
import { printRequest } from '../support/print-request.ts';
import { rawPrint } from '../support/raw-print.ts';

test('gives a test an account with printers, and shows what came out of them', async ({ platen }) => {
  const printerId = await platen.printer('Laser').id();
  const id = await printRequest(platen, { printerId, title: 'Invoice 7', options: { copies: 2 } });
  const job = await platen.jobs.wait({ title: /invoice/i, state: 'done' });
  expect(job.id).toBe(id);
  expect(job).toHaveState('done');
  expect(job).toHaveSheets(6);
  await expect(job).toHavePrinted('page 3 of 3');
  await expect(job).toHavePrinted(/page \d of 3/);
  await expect(job).not.toHavePrinted('page 4');
  expect((await platen.jobs.list())[0]).toHaveState('done');
});

test('begins each test afresh', async ({ platen }) => {
  expect(await platen.jobs.list()).toEqual([]);
});

test.fails('fails a test that ends before a matcher has answered', async ({ platen }) => {
  const job = await platen.print('three-pages');
  void expect(job).toHavePrinted('page 1');
});

describe('of tests that run at the same time', () => {
  const asked = Promise.withResolvers<void>();
  const other = Promise.withResolvers<void>();

  test.concurrent('one waits for its matcher', async ({ platen }) => {
    const job = await platen.print('three-pages');
    vi.spyOn(job, 'text').mockImplementation(async () => {
      asked.resolve();
      await within(other.promise, { description: 'the end of the other test', limit: '2s' });
      return 'page 1';
    });
    await expect(job).toHavePrinted('page 1');
  });

  test.concurrent('another one may end meanwhile', async ({ platen }) => {
    onTestFinished(() => other.resolve());
    expect(await platen.jobs.list()).toEqual([]);
    await asked.promise;
  });
});

describe('a matcher that fails says why', () => {
  test('by the path of the job', async ({ platen }) => {
    await printRequest(platen, { printerId: await platen.printer('Laser').id(), title: 'Letter' });
    const job = await platen.jobs.wait({ state: 'done' });
    expect(() => expect(job).toHaveState('error')).toThrow(/job \d+ \(Letter\) is done, not error\n {2}0ms {2}new/);
    expect(() => expect(job).toHaveSheets(1)).toThrow(/3 sheets came out of Laser for job \d+, not 1/);
    await expect(expect(job).toHavePrinted('Dear')).rejects.toThrow(
      /no "Dear" is on the sheets of job \d+, which say:\n.*three-pages\.pdf, page 1/s,
    );
  });

  test('by what is wrong with its arguments', async ({ platen }) => {
    expect(() => MATCHERS.toHaveState('done', 'done')).toThrow('toHaveState wants a job');
    const job = { id: 1, title: 'Letter', state: 'done' };
    const complaint = "there is no state 'dnoe'; did you mean 'done'?";
    // @ts-expect-error -- as a program in JavaScript writes it
    expect(() => expect(job).toHaveState('dnoe')).toThrow(complaint);
    // @ts-expect-error -- as a program in JavaScript writes it
    expect(() => expect(job).not.toHaveState('dnoe')).toThrow(complaint);
    expect(MATCHERS.toHaveState({ ...job, state: 'held back' }, 'held back')).toMatchObject({ pass: true });
    await expect(MATCHERS.toWeigh(platen, '1 g')).rejects.toThrow('toWeigh wants a scale');
  });
});

describe('a sheet', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-sheets-'));
  const context: MatcherContext = { testPath: path.join(folder, 'a.test.ts'), currentTestName: 'a' };
  const before = process.cwd();

  afterEach(() => {
    vi.unstubAllEnvs();
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });

  test('is compared with the picture that the first run wrote', async ({ platen }) => {
    vi.stubEnv('CI', '');
    const [letter, invoice] = await twoJobs(platen);
    expect(await toMatchSheet(context, letter, 'letter.png', { side: 2 })).toMatchObject({ pass: true });
    expect(readFileSync(path.join(folder, 'letter.png')).equals(await letter.png(2))).toBe(true);
    expect(await toMatchSheet(context, letter, 'letter.png', { side: 2 })).toMatchObject({ pass: true });
    process.chdir(folder);
    const different = await toMatchSheet(context, invoice, 'letter.png');
    expect(different.pass).toBe(false);
    expect(different.message()).toMatch(/^side 1 of job \d+ \(Invoice\) does not look as in letter\.png: \d+ of /);
    const [, actual = ''] = /actual +(\S+)/.exec(different.message()) ?? [];
    expect(readFileSync(actual).equals(await invoice.png(1))).toBe(true);
  });

  test('is written anew when the runner is asked to, and never in CI', async ({ platen }) => {
    vi.stubEnv('CI', '');
    const [letter, invoice] = await twoJobs(platen);
    await toMatchSheet(context, letter, 'letter.png');
    const asked = { ...context, snapshotState: { _updateSnapshot: 'all' } };
    vi.stubEnv('CI', 'true');
    expect(await toMatchSheet(asked, invoice, 'letter.png')).toMatchObject({ pass: false });
    expect(await toMatchSheet(asked, invoice, 'new.png')).toMatchObject({ pass: false });
    expect(existsSync(path.join(folder, 'new.png'))).toBe(false);
    vi.stubEnv('CI', 'false');
    expect(await toMatchSheet(asked, invoice, 'letter.png')).toMatchObject({ pass: true });
    expect(readFileSync(path.join(folder, 'letter.png')).equals(await invoice.png(1))).toBe(true);
  });

  test('is not compared with a tolerance in percent, which would pass whatever came out', async ({ platen }) => {
    const letter = await platen.print('three-pages');
    const result = toMatchSheet(context, letter, 'letter.png', { tolerance: 5 });
    await expect(result).rejects.toThrow('a tolerance is a share from 0 to 1, not 5');
  });

  test('that is not out says what holds it', async ({ platen }) => {
    await platen.printer('Laser').fault('media-jam', { after: 1 });
    await printRequest(platen, { printerId: await platen.printer('Laser').id(), title: 'Letter' });
    const job = await platen.jobs.wait({ state: 'done' });
    const missing = await toMatchSheet(context, await platen.jobs.get(job.id), 'letter.png', { side: 2 });
    expect(missing.pass).toBe(false);
    expect(missing.message()).toMatch(/is not out: 1 of 3 sheets out: Laser has media-jam/);
  });
});

test('weighs', async ({ platen }) => {
  const desk = platen.computer('FRONT-DESK');
  const scale = await desk.addScale({ profile: 'mettler-ps60', name: 'Counter scale' });
  await scale.put('250 g');
  await expect(scale).toWeigh('250 g');
  await expect(expect(scale).toWeigh('1 kg')).rejects.toThrow(/shows \S+ \w+.*, not 1 kg/);
  await scale.remove();
  await expect(scale).toWeigh(0);
});

const alone = platenTest({ room: { computers: [{ name: 'DESK', printers: [{ profile: 'laser-a4' }] }] } });

alone('starts with the room that a project wants', async ({ platen }) => {
  expect((await platen.printers()).map(({ computer }) => computer)).toEqual(['DESK']);
});

const exposed = platenTest({ expose: { raw: 0 } });

exposed('sees what a program prints past the service', async ({ platen }) => {
  await rawPrint(await platen.printer('Label 4x6').address('raw'), '^XA^FDBox 12^FS^XZ');
  const printout = await platen.printouts.wait({ printer: 'Label 4x6' });
  await expect(printout).toHavePrinted(/Box 1/);
  await expect(expect(printout).toHavePrinted('Box 13')).rejects.toThrow(
    'no "Box 13" is on the sheets of printout raw.1.printer-2.1, which say:\nBox 12',
  );
  expect(() => MATCHERS.toHaveSheets(printout, 1)).toThrow('toHaveSheets wants a job from platen.print');
});

function toMatchSheet(
  context: MatcherContext,
  ...given: Parameters<typeof MATCHERS.toMatchSheet>
): Promise<MatcherResult> {
  return MATCHERS.toMatchSheet.call(context, ...given);
}

async function twoJobs(platen: Platen): Promise<readonly [Job, Job]> {
  const printerId = await platen.printer('Laser').id();
  await printRequest(platen, { printerId, title: 'Letter' });
  await printRequest(platen, { printerId, title: 'Invoice', options: { pages: '3' } });
  const wait = (title: string): Promise<Job> => platen.jobs.wait({ title, printouts: 1 });
  return [await wait('Letter'), await wait('Invoice')];
}
