/**
 * platen.print(): from a document to its sheets, and what it says when they do not come.
 */

import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { start, PrintFailed, type StartedPlaten } from '../../../../src/index.ts';

let platen: StartedPlaten;

beforeAll(async () => {
  platen = await start({ port: 0, clock: 'virtual', limits: 'off' });
});
beforeEach(() => platen.reset());
afterAll(() => platen.close());

describe('print() gives the job with its sheets', () => {
  it('of a document that ships, by its name', async () => {
    const job = await platen.print('three-pages', { options: { duplex: 'long-edge', copies: 2 } });
    expect(job).toMatchObject({ state: 'done', title: 'three-pages.pdf', printer: { name: 'Laser' } });
    expect([job.sheets.length, job.paperToCome]).toEqual([4, undefined]);
  });

  it('of a file, on the printer that is named, as often as asked', async () => {
    const job = await platen.print('fixtures/documents/invoice.pdf', { printer: 'Office MFP', qty: 2, title: 'Twice' });
    expect(job).toMatchObject({ title: 'Twice', printer: { name: 'Office MFP' }, printouts: [{}, {}] });
  });

  it('without options, as the specification allows it', async () => {
    expect((await platen.print('invoice', { options: null })).sheets).toHaveLength(1);
  });

  it('of bytes, in the language of a printer too', async () => {
    const pdf = await platen.print(readFileSync('fixtures/documents/invoice.pdf'));
    expect(pdf.sheets).toHaveLength(1);
    const label = await platen.print(Buffer.from('^XA^FDhello^FS^XZ'), { printer: 'Label 4x6' });
    expect(Buffer.from(await label.raw()).toString()).toBe('^XA^FDhello^FS^XZ');
  });
});

describe('print() says', () => {
  it('what holds the sheets that did not come', async () => {
    await platen.printer('Laser').fault('media-jam', { after: 1 });
    const failed = await failure(platen.print('three-pages'));
    expect(failed.message).toBe('job 1 (three-pages.pdf) is done, 1 of 3 sheets out: Laser has media-jam');
    expect(failed.job.sheets).toHaveLength(1);
  });

  it('that the printer forgot the job, until it is repaired', async () => {
    await platen.printer('Laser').fault('forgets-jobs');
    const { message, job } = await failure(platen.print('invoice'));
    expect(message).toBe('job 1 (invoice.pdf) is done, 0 of 1 sheet out: Laser has forgets-jobs');
    await platen.printer('Laser').clear();
    expect(await platen.jobs.get(job.id)).toMatchObject({ sheets: [], sheetsDue: 0, held: null });
  });

  it('that a printer of labels forgot the job', async () => {
    await platen.printer('Label 4x6').fault('forgets-jobs');
    const { message } = await failure(platen.print(Buffer.from('^XA^FDhello^FS^XZ'), { printer: 'Label 4x6' }));
    expect(message).toBe('job 1 (the document) is done, not all of it is out: Label 4x6 has forgets-jobs');
  });

  it('why a job failed', async () => {
    const { message } = await failure(platen.print('encrypted'));
    expect(message).toMatch(/^job 1 \(encrypted\.pdf\) is error: .*password/);
  });

  it('that its computer is away', async () => {
    await platen.computer('FRONT-DESK').disconnect();
    const { message } = await failure(platen.print('invoice', { printer: 'Laser', timeout: '1m' }));
    expect(message).toBe('job 1 (invoice.pdf) is still new: computer FRONT-DESK is not connected');
  });

  it('which printers and documents there are', async () => {
    await expect(platen.print('invoice', { printer: 'Lazer' })).rejects.toThrow(
      "the account has no printer 'Lazer'. It has 'Laser', 'Label 4x6', 'Unknown Printer', 'Office MFP'.",
    );
    await expect(platen.print('invoise.pdf')).rejects.toThrow("did you mean 'invoice'?");
    await expect(platen.print(Buffer.from('hello'))).rejects.toThrow('the document is neither a PDF nor');
    await expect(platen.print(Buffer.from('Привет, принтер'))).rejects.toThrow('it begins with "Привет, прин"');
    await expect(platen.print(Buffer.from('Größe', 'latin1'))).rejects.toThrow('it begins with "Größe"');
  });

  it.each([
    [{ optoins: { copies: 2 } }, "there is no key of print 'optoins'; did you mean 'options'?"],
    [{ options: { copes: 2 } }, "there is no print option 'copes'; did you mean 'copies'?"],
    [{ options: { copy: 2 } }, "there is no print option 'copy'; there are bin, collate, color, copies"],
  ])('that a program in JavaScript misspelt a key: %j', async (request, complaint) => {
    await expect(platen.print('invoice', JSON.parse(JSON.stringify(request)) as object)).rejects.toThrow(complaint);
    expect(await platen.jobs.list()).toEqual([]);
  });
});

async function failure(printing: Promise<unknown>): Promise<PrintFailed> {
  const error: unknown = await printing.catch((reason: unknown) => reason);
  if (error instanceof PrintFailed) return error;
  throw new Error('it did not fail as it should', { cause: error });
}
