/**
 * What a job that its computer calls done has not printed yet, and what holds it.
 */

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { keysOf } from '../../../src/common/keys-of.ts';
import { PRINTER_FAULTS, stopsSheets } from '../../../src/devices/printer/printer-fault.ts';
import { start, type Job, type StartedPlaten } from '../../../src/index.ts';
import { paperToCome } from '../../../src/record/paper-words.ts';
import { readDocument } from '../../../src/scenario/vocabulary/documents.ts';

let platen: StartedPlaten;
beforeAll(async () => {
  platen = await start({ port: 0, clock: 'virtual', limits: 'off' });
});
afterAll(() => platen.close());
beforeEach(() => platen.reset());

async function print(document: string, printer = 'Laser', qty = 1): Promise<Job> {
  const found = (await platen.printers()).find(({ name }) => name === printer);
  const isRaw = !document.endsWith('.pdf');
  const response = await fetch(`${platen.url}/printjobs`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${platen.apiKey}:`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      printerId: found?.id,
      contentType: isRaw ? 'raw_base64' : 'pdf_base64',
      content: Buffer.from(readDocument(document, new Map())).toString('base64'),
      qty,
      title: document,
    }),
  });
  expect(response.status).toBe(201);
  return platen.jobs.wait({ title: document, state: 'done' });
}

function wordsOf({ sheets, sheetsDue, held }: Job): string | undefined {
  return paperToCome({ sheets: sheets.length, sheetsDue, held });
}

it.each(keysOf(PRINTER_FAULTS).filter((fault) => stopsSheets(fault)))(
  'says that %s holds two of three sheets, until it is cleared',
  async (fault) => {
    await platen.printer('Laser').fault(fault, { after: 1 });
    const { id } = await print('three-pages.pdf');
    const held = await platen.jobs.get(id);
    expect(held).toMatchObject({ state: 'done', sheetsDue: 3, held: `Laser has ${fault}` });
    expect(wordsOf(held)).toBe(`1 of 3 sheets out: Laser has ${fault}`);
    await platen.faults.clear();
    await platen.jobs.wait({ id, printouts: 1 });
    const out = await platen.jobs.get(id);
    expect(out).toMatchObject({ sheetsDue: 3, held: null });
    expect(wordsOf(out)).toBeUndefined();
  },
);

it('counts one sheet as one', () => {
  expect(paperToCome({ sheets: 0, sheetsDue: 1, held: null })).toBe('0 of 1 sheet out');
});

it('counts every submission, also those that wait for the one that is held', async () => {
  await platen.printer('Laser').fault('media-jam', { after: 4 });
  const { id } = await print('three-pages.pdf', 'Laser', 3);
  const job = await platen.jobs.get(id);
  expect(job).toMatchObject({ sheetsDue: 9, held: 'Laser has media-jam' });
  expect(job.sheets).toHaveLength(4);
});

it('has no number of sheets for labels, but what holds them', async () => {
  await platen.printer('Label 4x6').fault('cover-open');
  const { id } = await print('zpl-label.zpl', 'Label 4x6');
  const job = await platen.jobs.get(id);
  expect(job).toMatchObject({ sheetsDue: 0, held: 'Label 4x6 has cover-open' });
  expect(wordsOf(job)).toBe('not all of it is out: Label 4x6 has cover-open');
});
