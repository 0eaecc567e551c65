import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { BeyondProgram, type SubmittedJob } from '../../../../src/link/device-link.ts';
import type { Printout } from '../../../../src/devices/printer/printout.ts';
import { isOut, recognise, seenOnPaper, type ExpectedJob } from '../../../../src/target/client/paper-jobs.ts';
import { PrinterOnDesk } from '../../../support/hardware-printer.ts';

const DOCUMENTS = new URL('../../../../fixtures/documents/', import.meta.url);
const PDF = readFileSync(new URL('three-pages.pdf', DOCUMENTS));
const OTHER = readFileSync(new URL('invoice.pdf', DOCUMENTS));
const LABEL = Buffer.from('^XA^FDone^FS^XZ');

function job(jobId: number, more: Partial<SubmittedJob> = {}): ExpectedJob {
  const content = PDF.toString('base64');
  const plain = {
    jobId,
    printerId: 1,
    title: `Invoice ${jobId}0`,
    contentType: 'pdf_base64',
    content,
    options: {},
    qty: 1,
  };
  return { job: { ...plain, ...more } as SubmittedJob, printouts: [] };
}

async function printed(bytes: Uint8Array, title: string): Promise<Printout> {
  await using desk = new PrinterOnDesk();
  const printout = desk.printed();
  await desk.hardware.print({ protocol: 'ipp', id: 1, user: '', title, bytes }, () => undefined);
  return printout;
}

describe('a job on paper', () => {
  it.each([
    ['by its title', 'Invoice 20', 2],
    ['by a title that was cut', 'Invoice 2', 2],
    ['by a title with something before it', 'Front desk: Invoice 30', 3],
    ['by its id in the title', 'Job 2 of the service', 2],
  ])('is recognised %s', async (_how, title, jobId) => {
    const jobs = [job(1), job(2), job(3)];
    expect(recognise(await printed(PDF, title), 1, jobs)?.job.jobId).toBe(jobId);
  });

  it('is recognised by its bytes where the title is lost', async () => {
    const content = LABEL.toString('base64');
    const jobs = [job(1), job(2, { contentType: 'raw_base64', content }), job(3, { contentType: 'raw_base64' })];
    expect(recognise(await printed(LABEL, 'untitled'), 1, jobs)?.job.jobId).toBe(2);
  });

  it('is recognised on sheets where the printer understands its bytes, and on no sheets else', async () => {
    const pdf = job(1, { title: 'Same', contentType: 'raw_base64' });
    const label = job(2, { title: 'Same', contentType: 'raw_base64', content: LABEL.toString('base64') });
    expect(recognise(await printed(PDF, 'Same'), 1, [label, pdf])).toBe(pdf);
    expect(recognise(await printed(LABEL, 'Same'), 1, [label])).toBe(label);
  });

  it('is recognised without any mark where no other job of the printer is to come', async () => {
    const [first, second, elsewhere] = [job(1), job(2), job(3, { printerId: 2 })];
    const out = await printed(PDF, 'untitled');
    expect(recognise(out, 1, [first, second, elsewhere])).toBeUndefined();
    first.printouts.push(await printed(PDF, 'Invoice 10'));
    expect(recognise(out, 1, [first, second, elsewhere])).toBe(second);
  });

  it('that comes out once more than it should is the same job again', async () => {
    const [first, twin] = [job(1, { title: 'Twice' }), job(2, { title: 'Twice' })];
    const found: number[] = [];
    for (const out of [await printed(PDF, 'Twice'), await printed(PDF, 'Twice'), await printed(PDF, 'Twice')]) {
      const one = recognise(out, 1, [first, twin]);
      found.push(one?.job.jobId ?? 0);
      one?.printouts.push(out);
    }
    expect(found).toEqual([1, 2, 2]);
    expect([isOut(first), isOut(twin)]).toEqual([true, true]);
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
    const whole = await seen(job(1), PDF);
    expect(whole).toMatchObject({ title: 'On paper', content: PDF.toString('base64'), options: {}, qty: 1 });
  });

  it('is another document where other pages came out', async () => {
    const other = await seen(job(1), OTHER);
    expect(other.content).not.toBe(PDF.toString('base64'));
  });

  it('is the bytes of a label', async () => {
    const label = job(1, { contentType: 'raw_base64', content: LABEL.toString('base64') });
    expect((await seen(label, LABEL)).content).toBe(LABEL.toString('base64'));
    const cut = job(1, { contentType: 'raw_base64', content: LABEL.toString('base64') });
    expect((await seen(cut, LABEL.subarray(0, 9))).content).toBe(LABEL.subarray(0, 9).toString('base64'));
  });

  it('is options that were not carried out', async () => {
    expect((await seen(job(1, { options: { copies: 2 } }), PDF)).options).toEqual({
      'on paper': '3 sheets, one-sided',
      expected: '6 sheets, one-sided',
    });
  });

  it.each(['source', 'authentication', 'createTimestamp', 'expireAt'] as const)('is not its %s', async (field) => {
    const whole = await seen(job(1), PDF);
    expect(() => whole[field]).toThrow(BeyondProgram);
  });

  it('is not an option that leaves no mark', async () => {
    const tray = await seen(job(1, { options: { copies: 1, bin: 'Tray 1' } }), PDF);
    expect(() => tray.options).toThrow('option bin of a job is not seen on paper');
  });
});
