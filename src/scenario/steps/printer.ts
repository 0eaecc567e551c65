/**
 * What people do at printers: load paper; add, rename and remove one on its computer.
 */

import { z } from 'zod';

import { gives, uses } from '../vocabulary/names.ts';
import { count, name, printerProfileName } from '../vocabulary/schema-types.ts';
import { KEPT } from '../vocabulary/outcome.ts';
import { profilesOf } from '../vocabulary/own-files.ts';
import { stepKind } from './step.ts';

const paperArgs = z.strictObject({
  printer: name.describe('The printer.'),
  tray: z.string().describe('Name of its tray.'),
  sheets: count.describe('Number of sheets; 0 empties a tray that had endless paper.'),
});

export const loadPaper = stepKind<z.output<typeof paperArgs>>({
  about: 'Paper is put into a tray; a printer that had run out resumes.',
  args: paperArgs,
  summary: ({ printer, sheets }) => `load ${sheets} sheets into ${printer}`,
  names: ({ printer }) => uses('printer', printer, 'printer'),
  async run({ printer, tray, sheets }, setup) {
    setup.printer(printer).loadPaper(tray, sheets);
    await setup.settle();
    return KEPT;
  },
});

const addArgs = z.strictObject({
  computer: name.describe('The computer.'),
  profile: printerProfileName,
  name: name.describe('Its name, also for later steps.'),
});

export const addPrinter = stepKind<z.output<typeof addArgs>>({
  about: 'A printer is installed on a computer.',
  args: addArgs,
  summary: ({ computer, name: printer }) => `add ${printer} to ${computer}`,
  names: ({ computer, name: printer }) => [
    ...uses('computer', computer, 'computer'),
    ...gives('printer', printer, 'name'),
  ],
  async run({ computer: where, profile, name: called }, setup) {
    const computer = setup.computer(where);
    const printer = computer.addPrinter({ profile: profilesOf(setup.files).printer(profile), name: called });
    setup.cast.add(called, { printer, computer });
    await setup.settle();
    return KEPT;
  },
});

const renameArgs = z.strictObject({
  printer: name.describe('The printer; later steps still use this name.'),
  to: z.string().min(1).describe('Its new name for the service.'),
});

export const renamePrinter = stepKind<z.output<typeof renameArgs>>({
  about: 'A printer is renamed on its computer.',
  args: renameArgs,
  summary: ({ printer, to }) => `rename ${printer} to ${to}`,
  names: ({ printer }) => uses('printer', printer, 'printer'),
  async run({ printer: called, to }, setup) {
    // From now on known by its id, whatever its name.
    await setup.printerId(called);
    const { printer, computer } = setup.cast.printer(called);
    computer.renamePrinter(printer, to);
    await setup.settle();
    return KEPT;
  },
});

export const removePrinter = stepKind({
  about: 'A printer is removed from its computer.',
  args: name,
  summary: (printer) => `remove ${printer}`,
  names: (printer) => uses('printer', printer),
  async run(called, setup) {
    await setup.printerId(called);
    const { printer, computer } = setup.cast.printer(called);
    computer.removePrinter(printer);
    await setup.settle();
    return KEPT;
  },
});
