import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { BeyondProgram, type SubmittedJob } from '../../../../src/link/device-link.ts';
import type { Printout } from '../../../../src/devices/printer/printout.ts';
import {
  ExpectedJobs,
  isOut,
  recognise,
  seenOnPaper,
  type ExpectedJob,
} from '../../../../src/targets/client/paper-jobs.ts';
import { PrinterOnDesk } from '../../../support/hardware-printer.ts';

const DOCUMENTS = new URL('../../../../fixtures/documents/', import.meta.url);
const PDF = readFileSync(new URL('three-pages.pdf', DOCUMENTS));
const OTHER = readFileSync(new URL('invoice.pdf', DOCUMENTS));
const LABEL = Buffer.from('^XA^FDone^FS^XZ');

type Changes = Partial<Omit<SubmittedJob, 'contentType'>> & { readonly contentType?: string };

function expecting(...jobs: readonly (readonly [jobId: number, changes?: Changes])[]): ExpectedJobs {
  const expected = new ExpectedJobs();
  for (const [jobId, changes] of jobs) {
    const plain = { jobId, printerId: 1, title: `Invoice ${jobId}0`, contentType: 'pdf_base64', qty: 1, options: {} };
    expected.add({ ...plain, content: PDF.toString('base64'), ...changes } as SubmittedJob);
  }
  return expected;
}

function label(text: string, changes: Changes = {}): Changes {
  return { contentType: 'raw_base64', content: Buffer.from(text).toString('base64'), ...changes };
}

function only(expected: ExpectedJobs): ExpectedJob {
  const [first] = expected.all;
  if (!first) throw new Error('no job is expected');
  return first;
}

async function printed(desk: PrinterOnDesk, bytes: Uint8Array, title: string): Promise<Printout> {
  const printout = desk.printed();
  await desk.hardware.print({ protocol: 'ipp', id: 1, user: '', title, bytes }, () => undefined);
  return printout;
}

/** The ids of the jobs that these are, one after the other, on the printer with this id. */
async function recognised(
  expected: ExpectedJobs,
  papers: readonly (readonly [bytes: Uint8Array, title: string])[],
  printerId = 1,
): Promise<readonly (number | undefined)[]> {
  await using desk = new PrinterOnDesk();
  const { printer, press } = desk;
  const ids: (number | undefined)[] = [];
  for (const [bytes, title] of papers) {
    const out = await printed(desk, bytes, title);
    const found = await recognise(out, { printerId, printer, press }, expected);
    found?.printouts.push(out);
    ids.push(found?.job.jobId);
  }
  return ids;
}

describe('a job on paper', () => {
  it.each([
    ['by its title', 'Invoice 20', 2],
    ['by a title that was cut', 'Invoice 2', 2],
    ['by a title with something before it', 'Front desk: Invoice 30', 3],
    ['by its id in the title', 'Job 2 of the service', 2],
  ])('is recognised %s', async (_how, title, jobId) => {
    expect(await recognised(expecting([1], [2], [3]), [[PDF, title]])).toEqual([jobId]);
  });

  it('is recognised by its bytes where the title is lost', async () => {
    const jobs = expecting([1], [2, label('^XA^FDone^FS^XZ')], [3, { contentType: 'raw_base64' }]);
    expect(await recognised(jobs, [[LABEL, 'untitled']])).toEqual([2]);
  });

  it('is recognised by its pages where the title is lost', async () => {
    const jobs = expecting([1], [2, { content: OTHER.toString('base64') }]);
    const papers = [OTHER, PDF].map((bytes) => [bytes, 'untitled'] as const);
    expect(await recognised(jobs, papers)).toEqual([2, 1]);
  });

  it('is, of several jobs of one document whose titles are lost, the next of its printer', async () => {
    const jobs = expecting([1, { printerId: 2 }], [2], [3]);
    const papers = Array.from({ length: 2 }, () => [PDF, ''] as const);
    expect(await recognised(jobs, papers)).toEqual([2, 3]);
    expect(await recognised(jobs, [[PDF, '']], 2)).toEqual([1]);
  });

  it('is found on the paper of another printer', async () => {
    expect(await recognised(expecting([1], [2, label('^XA^FDone^FS^XZ')]), [[LABEL, '']], 7)).toEqual([2]);
  });

  it('is recognised on sheets where the printer understands its bytes, and on no sheets else', async () => {
    const raw = label('^XA^FDone^FS^XZ', { title: 'Same' });
    const jobs = expecting([1, raw], [2, { title: 'Same', contentType: 'raw_base64' }]);
    expect(await recognised(jobs, [[PDF, 'Same']])).toEqual([2]);
    expect(await recognised(expecting([1, raw]), [[LABEL, 'Same']])).toEqual([1]);
  });

  it('is recognised without any mark where no other job of the printer is to come', async () => {
    const jobs = expecting([1], [2], [3, { printerId: 2 }]);
    expect(await recognised(jobs, [[OTHER, 'untitled']])).toEqual([undefined]);
    expect(await recognised(jobs, [[PDF, 'Invoice 10']])).toEqual([1]);
    expect(await recognised(jobs, [[OTHER, 'untitled']])).toEqual([2]);
  });

  it('that comes out once more than it should is the same job again', async () => {
    const jobs = expecting([1, { title: 'Twice' }], [2, { title: 'Twice' }]);
    const papers = Array.from({ length: 3 }, () => [PDF, 'Twice'] as const);
    expect(await recognised(jobs, papers)).toEqual([1, 2, 2]);
    expect(jobs.all.map(isOut)).toEqual([true, true]);
  });

  it('that comes out again without a title is the last one of its document', async () => {
    const papers = Array.from({ length: 3 }, () => [PDF, ''] as const);
    expect(await recognised(expecting([1], [2]), papers)).toEqual([1, 2, 2]);
  });
});

async function seen(expected: ExpectedJob, bytes: Uint8Array): Promise<Awaited<ReturnType<typeof seenOnPaper>>> {
  await using desk = new PrinterOnDesk();
  const printout = desk.printed();
  await desk.hardware.print({ protocol: 'ipp', id: 1, user: '', title: 'On paper', bytes }, () => undefined);
  expected.printouts.push(await printout);
  return await seenOnPaper(expected, 'laser', desk.printer, desk.press);
}

describe('what is seen of a job', () => {
  it('is the document as it was submitted, where its pages came out', async () => {
    const whole = await seen(only(expecting([1])), PDF);
    expect(whole).toMatchObject({ title: 'On paper', content: PDF.toString('base64'), options: {}, qty: 1 });
  });

  it('is another document where other pages came out', async () => {
    const other = await seen(only(expecting([1])), OTHER);
    expect(other.content).not.toBe(PDF.toString('base64'));
  });

  it('is the bytes of a label', async () => {
    const whole = only(expecting([1, label('^XA^FDone^FS^XZ')]));
    expect((await seen(whole, LABEL)).content).toBe(LABEL.toString('base64'));
    const cut = only(expecting([1, label('^XA^FDone^FS^XZ')]));
    expect((await seen(cut, LABEL.subarray(0, 9))).content).toBe(LABEL.subarray(0, 9).toString('base64'));
  });

  it('is options that were not carried out', async () => {
    expect((await seen(only(expecting([1, { options: { copies: 2 } }])), PDF)).options).toEqual({
      'on paper': '3 sheets, one-sided',
      expected: '6 sheets, one-sided',
    });
  });

  it.each(['source', 'authentication', 'createTimestamp', 'expireAt'] as const)('is not its %s', async (field) => {
    const whole = await seen(only(expecting([1])), PDF);
    expect(() => whole[field]).toThrow(BeyondProgram);
  });

  it('is not an option that leaves no mark', async () => {
    const tray = await seen(only(expecting([1, { options: { copies: 1, bin: 'Tray 1' } }])), PDF);
    expect(() => tray.options).toThrow('option bin of a job is not seen on paper');
  });
});
