import { afterAll, expect, it } from 'vitest';

import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { Press } from '../../../../src/devices/press/press.ts';
import { prepare, submit, type PrintRequest } from '../../../../src/devices/printer/print-queue.ts';
import { PRINTER_PROFILES } from '../../../../src/devices/printer/printer-profile.ts';
import { VirtualPrinter } from '../../../../src/devices/printer/printer.ts';
import { fixtureDocument } from '../../../support/print-room.ts';

const clock = new VirtualClock();
const press = new Press(clock);
afterAll(() => press.close());

const REQUEST: PrintRequest = {
  jobId: 7,
  title: 'Invoice',
  document: fixtureDocument('three-pages.pdf'),
  isRaw: false,
  options: { pages: '2-' },
  submissions: 2,
};

function laser(): VirtualPrinter {
  const description = { profile: PRINTER_PROFILES.load('laser-a4') };
  return new VirtualPrinter(1, description, { clock, press, timeScale: 0, trayCapacity: 20 }, { refresh() {} });
}

it('prints a document that came over no link', async () => {
  const printer = laser();
  const prepared = await prepare(REQUEST, printer, press);
  expect(printer.printouts()).toEqual([]);
  if (prepared.ok) submit(prepared.value, printer);
  const summaries = printer.printouts(7).map(({ submission, title, kind }) => [submission, title, kind]);
  expect(summaries).toEqual([
    [1, 'Invoice', 'sheets'],
    [2, 'Invoice', 'sheets'],
  ]);
});

it('says why a printer cannot print a document', async () => {
  const prepared = await prepare({ ...REQUEST, options: { paper: 'A9' } }, laser(), press);
  expect(prepared.ok ? '' : prepared.error).toContain('print option paper = "A9"');
});
