/**
 * printers, computers: what the service says of them, and what came out of the printers in all.
 */

import { z } from 'zod';

import { computers as computerRecords, readRecord } from '../setup/records.ts';
import { count } from '../vocabulary/schema-types.ts';
import type { Setup } from '../setup/setup.ts';
import type { Break } from '../vocabulary/outcome.ts';
import { expectationKind } from './expectation.ts';

const stateName = z.string().min(1);

interface WantedPrinter {
  readonly state?: string;
  readonly name?: string;
  readonly sheets?: number;
}

export const printers = expectationKind<WantedPrinter>({
  about:
    'By name of a printer: its state for the service (in short `Laser: online`), and all sheets that came out of it.',
  of: 'printer',
  wanted: z.union([
    stateName.transform((state) => ({ state })),
    z.strictObject({
      state: stateName.exactOptional().describe('Its state for the service.'),
      name: z.string().exactOptional().describe('Its name for the service.'),
      sheets: count.exactOptional().describe('Sheets that came out of it, for all jobs.'),
    }),
  ]),
  async judge(name, { state, name: wantedName, sheets }, setup) {
    const { computer } = setup.cast.printer(name);
    const id = await setup.printerId(name);
    const record = (await setup.printersOf(computer)).find((one) => one.id === id);
    const out = setup
      .printer(name)
      .printouts()
      .flatMap((one) => (one.kind === 'sheets' ? one.sheets : []));
    return [
      ...differing(`state of ${name}`, state, record ? (record.state ?? 'null') : 'no such printer'),
      ...differing(`name of ${name}`, wantedName, record?.name ?? 'no such printer'),
      ...differing(`sheets out of ${name}`, sheets, out.length),
    ];
  },
});

interface WantedComputer {
  readonly state?: string;
  readonly printers?: number;
}

export const computers = expectationKind<WantedComputer>({
  about:
    'By name of a computer: its state for the service (in short `DESK: connected`), and how many printers it has there.',
  of: 'computer',
  wanted: z.union([
    stateName.transform((state) => ({ state })),
    z.strictObject({
      state: stateName.exactOptional().describe('Its state for the service.'),
      printers: count.exactOptional().describe('Printers that the service lists for it.'),
    }),
  ]),
  async judge(name, { state, printers: wantedPrinters }, setup) {
    const computer = setup.computer(name);
    const seen = wantedPrinters === undefined ? undefined : (await setup.printersOf(computer)).length;
    return [
      ...differing(`state of ${name}`, state, await stateOf(setup.cast.computerId(computer), setup)),
      ...differing(`printers of ${name}`, wantedPrinters, seen),
    ];
  },
});

async function stateOf(id: number, setup: Setup): Promise<string> {
  const path = `/computers/${id}`;
  const [record] = readRecord(computerRecords, await setup.api.look(path), path);
  return record?.state ?? 'no such computer';
}

function differing(
  at: string,
  wanted: string | number | undefined,
  seen: string | number | undefined,
): readonly Break[] {
  if (wanted === undefined || wanted === seen) return [];
  return [{ at, expected: String(wanted), actual: String(seen), jobs: [] }];
}
