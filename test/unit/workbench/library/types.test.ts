/**
 * Types of the library: names that exist complete in an editor, others do not compile. What is wrong here stands in
 * functions that never run: `npm run check` compiles them.
 */

import { expect, expectTypeOf, it } from 'vitest';

import type { DocumentName, JobState, Platen, PrintOptions } from '../../../../src/index.ts';
import { start } from '../../../../src/index.ts';
import { documentNames } from '../../../../src/devices/document/shipped-documents.ts';
import { expect as platenExpect, platenTest } from '../../../../src/vitest.ts';
import type { PRINT_OPTIONS } from '../../../../src/specification/inputs.ts';

export async function named(platen: Platen): Promise<void> {
  await platen.printer('Laser').fault('media-jam', { after: 2 });
  await platen.scale('Counter').fault('drift', { with: { divisions: 2 } });
  await platen.computer('DESK').fault('crash-after-acknowledged');
  await platen.computer('DESK').fault('latency', { probability: 0.5, with: { delay: '1s' } });
  await platen.faults.add({ at: 'link/DESK', fault: 'drop' });
  const job = await platen.print('invoice', { options: { duplex: 'long-edge', rotate: 90, copies: 2 } });
  await platen.print('./letters/reminder.pdf');
  await platen.jobs.wait({ state: ['done', 'error'] });
  await platen.addComputer({ name: 'A', printers: [{ profile: 'laser-a4' }], scales: [{ profile: 'mettler-ps60' }] });
  platenExpect(job).not.toHaveState('error');
  const printout = await platen.printouts.wait({ protocol: 'raw' });
  await platenExpect(printout).toHavePrinted('Total');
  await platenExpect(platen.printouts.wait()).resolves.toMatchSheet('receipt.png');
  await start({ room: { computers: [{ name: 'A', printers: [{ profile: './my-printer.json' }] }] } });
}

export async function misspelt(platen: Platen): Promise<void> {
  // @ts-expect-error media-jam
  await platen.printer('Laser').fault('medja-jam');
  // @ts-expect-error a fault of a printer
  await platen.scale('Counter').fault('media-jam');
  // @ts-expect-error drop
  await platen.computer('DESK').fault('dropp');
  // @ts-expect-error a fault of a link, at a printer
  await platen.faults.add({ at: 'printer/Laser', fault: 'drop' });
  // @ts-expect-error link/
  await platen.faults.add({ at: 'links/DESK', fault: 'drop' });
  // @ts-expect-error lpd
  await platen.printouts.wait({ protocol: 'lp' });
  // @ts-expect-error a printout has no state
  platenExpect(await platen.printouts.wait()).toHaveState('done');
  // @ts-expect-error invoice
  await platen.print('invoise');
  // @ts-expect-error long-edge
  await platen.print('invoice', { options: { duplex: 'long' } });
  // @ts-expect-error copies
  const job = await platen.print('invoice', { options: { copes: 2 } });
  // @ts-expect-error done
  await platen.jobs.wait({ state: 'finished' });
  // @ts-expect-error done
  platenExpect(job).toHaveState('don');
  // @ts-expect-error a job has no weight
  await platenExpect(job).toWeigh('1 kg');
  // @ts-expect-error laser-a4
  await platen.addComputer({ name: 'A', printers: [{ profile: 'nonsense' }] });
  // @ts-expect-error laser-a4
  platenTest({ room: { computers: [{ name: 'A', printers: [{ profile: 'nonsense' }] }] } });
}

it('has the states, options and documents that there are', () => {
  expectTypeOf<'sent_to_client' | 'queued_to_print' | 'expired'>().toExtend<JobState>();
  expectTypeOf<PrintOptions['duplex']>().toEqualTypeOf<'long-edge' | 'short-edge' | 'one-sided' | undefined>();
  expectTypeOf<keyof PrintOptions>().toEqualTypeOf<keyof typeof PRINT_OPTIONS>();
  const names: readonly DocumentName[] = ['invoice', 'three-pages', 'zpl-label'];
  const stems = documentNames().map((name) => name.replace(/\.\w+$/, ''));
  expect(names.filter((name) => !stems.includes(name))).toEqual([]);
});
