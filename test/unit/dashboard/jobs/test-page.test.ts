import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { testPage } from '../../../../src/dashboard/jobs/test-page.ts';
import { PRINTER_PROFILES } from '../../../../src/devices/printer/printer-profile.ts';
import { start, type StartedPlaten } from '../../../../src/workbench/start.ts';
import { printRequest } from '../../../support/print-request.ts';
import { sidePixels, type SidePixels } from '../../../support/side-pixels.ts';

it.each(['Hello from platen', 'a (b) \\ c', 'Drucker für Café'])(
  'the test page of %j is a PDF of one page as large as a label',
  async (text) => {
    const pdf = await PDFDocument.load(Buffer.from(testPage(text).content, 'base64'));
    expect(pdf.getPageCount()).toBe(1);
    expect(pdf.getPage(0).getSize()).toEqual({ width: 288, height: 432 });
  },
);

describe('on the usual paper of every printer', () => {
  const profiles = PRINTER_PROFILES.names();
  let platen: StartedPlaten;
  beforeAll(async () => {
    const printers = profiles.map((profile) => ({ profile, name: profile }));
    platen = await start({
      port: 0,
      clock: 'virtual',
      limits: 'off',
      room: { computers: [{ name: 'DESK', printers }] },
    });
  });
  afterAll(() => platen.close());

  it.each(profiles)('the test page can be read as a whole: %s', async (profile) => {
    const printer = platen.printer(profile);
    await printer.change({ online: true });
    const printerId = await printer.id();
    const id = await printRequest(platen, { printerId, ...testPage(`Test page of ${profile}`) });
    const job = await platen.jobs.wait({ id, printouts: 1 }, { timeout: '5m' });
    // The rule below the text crosses three quarters of the page.
    expect(inkedShare(await sidePixels(await job.pdf()))).toBeGreaterThan(0.6);
  });
});

/** How much of the paper, across or along, what is printed takes. */
function inkedShare(side: SidePixels): number {
  const { width, height } = side;
  const columns: number[] = [];
  const rows: number[] = [];
  for (let left = 0; left < width; left++) {
    for (let top = 0; top < height; top++) {
      if (side.at(left, top)[0] > 200) continue;
      columns.push(left);
      rows.push(top);
    }
  }
  return Math.max(spanOf(columns) / width, spanOf(rows) / height);
}

function spanOf(places: readonly number[]): number {
  return places.length === 0 ? 0 : places.reduce((a, b) => Math.max(a, b)) - places.reduce((a, b) => Math.min(a, b));
}
