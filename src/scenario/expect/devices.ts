/**
 * printers, computers: what the service says of them, and what the printers printed in all.
 */

import { z } from 'zod';

import { computers as computerRecords, readRecord } from '../setup/records.ts';
import { computerState, count, printerState } from '../vocabulary/schema-types.ts';
import type { Setup } from '../setup/setup.ts';
import type { Break } from '../vocabulary/outcome.ts';
import { expectationKind } from './expectation.ts';

const printerDetails = z.strictObject({
  state: printerState.exactOptional().describe('Its state as the service shows it.'),
  name: z.string().exactOptional().describe('Its name as the service shows it.'),
  sheets: count.exactOptional().describe('Sheets that it printed, all jobs together.'),
  printouts: count.exactOptional().describe('Documents that it printed.'),
  rawBytes: count.exactOptional().describe('Bytes that it printed in its own language.'),
  paper: z.string().exactOptional().describe('Name of the paper of every sheet that it printed.'),
});

export const printers = expectationKind<z.output<typeof printerDetails>>({
  about:
    'By name of a printer: its state as the service shows it (in short `Laser: online`), and all sheets that it printed.',
  of: 'printer',
  wanted: z.union([printerState.transform((state) => ({ state })), printerDetails]),
  async judge(name, { state, name: wantedName, sheets, printouts, rawBytes, paper }, setup) {
    const { computer } = setup.cast.printer(name);
    const id = await setup.printerId(name);
    const record = (await setup.printersOf(computer)).find((one) => one.id === id);
    const printed = setup.printer(name).printouts();
    const out = printed.flatMap((one) => (one.kind === 'sheets' ? one.sheets : []));
    const bytes = printed.reduce((sum, one) => sum + (one.kind === 'raw' ? one.length : 0), 0);
    const papers = [...new Set(out.map((sheet) => sheet.paper.name ?? 'without a name'))].join(', ');
    return [
      ...differing(`state of ${name}`, state, record ? (record.state ?? 'null') : 'no such printer').map((one) => ({
        ...one,
        gap: 'gap/printer-transitions' as const,
      })),
      ...differing(`name of ${name}`, wantedName, record?.name ?? 'no such printer'),
      ...differing(`sheets of ${name}`, sheets, out.length),
      ...differing(`printouts of ${name}`, printouts, printed.length),
      ...differing(`raw bytes of ${name}`, rawBytes, bytes),
      ...differing(`paper of ${name}`, paper, papers),
    ];
  },
});

const computerDetails = z.strictObject({
  state: computerState.exactOptional().describe('Its state as the service shows it.'),
  printers: count.exactOptional().describe('Number of printers that the service lists for it.'),
});

export const computers = expectationKind<z.output<typeof computerDetails>>({
  about:
    'By name of a computer: its state as the service shows it (in short `DESK: connected`), and how many printers the service lists for it.',
  of: 'computer',
  wanted: z.union([computerState.transform((state) => ({ state })), computerDetails]),
  async judge(name, { state, printers: wantedPrinters }, setup) {
    const computer = setup.computer(name);
    const seen = wantedPrinters === undefined ? undefined : (await setup.printersOf(computer)).length;
    const states = differing(`state of ${name}`, state, await stateOf(setup.cast.computerId(computer), setup, state));
    return [
      ...states.map((one) => ({ ...one, gap: 'gap/computer-transitions' as const })),
      ...differing(`printers of ${name}`, wantedPrinters, seen),
    ];
  },
});

/** Only `disconnected` is printed: any other state is a word of the service for `connected`, where that is wanted. */
async function stateOf(id: number, setup: Setup, wanted: string | undefined): Promise<string> {
  const path = `/computers/${id}`;
  const [record] = readRecord(computerRecords, await setup.api.look(path), path);
  if (record?.state === undefined) return 'no such computer';
  return wanted === 'connected' && record.state !== 'disconnected' ? wanted : record.state;
}

function differing(
  at: string,
  wanted: string | number | undefined,
  seen: string | number | undefined,
): readonly Break[] {
  if (wanted === undefined || wanted === seen) return [];
  return [{ at, expected: String(wanted), actual: String(seen), jobs: [] }];
}
