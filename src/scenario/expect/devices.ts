/**
 * printers, computers: what the service says of them, and what came out of the printers in all.
 */

import { z } from 'zod';

import { computers as computerRecords, readRecord } from '../records.ts';
import { count } from '../schema-types.ts';
import type { Stage } from '../stage.ts';
import type { Break } from '../step-outcome.ts';
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
  async judge(name, { state, name: wantedName, sheets }, stage) {
    const { computer } = stage.cast.printer(name);
    const id = await stage.printerId(name);
    const record = (await stage.printersOf(computer)).find((one) => one.id === id);
    const out = stage
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
  async judge(name, { state, printers: wantedPrinters }, stage) {
    const computer = stage.computer(name);
    const seen = wantedPrinters === undefined ? undefined : (await stage.printersOf(computer)).length;
    return [
      ...differing(`state of ${name}`, state, await stateOf(stage.cast.computerId(computer), stage)),
      ...differing(`printers of ${name}`, wantedPrinters, seen),
    ];
  },
});

async function stateOf(id: number, stage: Stage): Promise<string> {
  const path = `/computers/${id}`;
  const [record] = readRecord(computerRecords, await stage.api.look(path), path);
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
