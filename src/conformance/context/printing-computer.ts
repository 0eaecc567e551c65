/**
 * Printing computer: a virtual computer of src/devices with one printer, for checks where real printing
 * matters. What was submitted comes out as sheets or bytes.
 */

import type { Printout } from '../../devices/printer/printout.ts';
import { Room, type RoomDescription } from '../../devices/room.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { asRecords, isId } from '../expect/records.ts';
import { expectEqual, expectThat } from '../expect/that.ts';
import { CheckEnded } from './check-ended.ts';
import { orBlocked } from './computers.ts';
import type { CheckContext } from './context.ts';
import { stateNames } from './jobs.ts';
import { inTime } from './in-time.ts';

/** What is slow here may be this machine: a document of 50 MB is fetched by our own computer, or goes through CUPS. */
const PRINTING_LIMITS = { link: '45s', program: '90s' } as const;

const ROOM: RoomDescription = {
  computers: [{ name: 'printing computer', printers: [{ profile: 'laser-a4', name: 'Laser of a check' }] }],
};

/** Undefined when nothing came out in time. */
export type Printouts = readonly Printout[] | undefined;

export interface PrintingComputer {
  readonly room: Room;
  readonly printerId: number;
}

/** A room with one computer and one printer, for as long as `work` takes. */
export async function withPrintingComputer(
  context: CheckContext,
  work: (computer: PrintingComputer) => Promise<void>,
): Promise<void> {
  const { target, random } = context;
  if (!target.link) throw new CheckEnded('untestable', 'the target has no link for computers');
  const room = new Room(ROOM, {
    clock: target.clock,
    random: random.stream('printing'),
    link: target.link,
    press: context.press,
    serviceUrl: target.baseUrl,
    credential: { kind: 'api-key', key: target.apiKey },
  });
  try {
    await orBlocked(() => room.connect());
    const computerId = room.computers[0]?.id ?? 0;
    context.computers.adopt(computerId);
    const printers = await context.api.get(`/computers/${computerId}/printers`);
    const printerId = asRecords(printers.value)?.[0]?.['id'];
    context.require(expectThat(isId(printerId), printers.request, 'the printer that was reported', printers.value));
    await work({ room, printerId: Number(printerId) });
  } finally {
    await room.close();
  }
}

/** Expects that a job came out as one sheet. */
export function expectOneSheet(printouts: Printouts, jobId: number): Mismatch | undefined {
  const first = printouts?.[0];
  return expectEqual(`sheets printed for job ${jobId}`, first?.kind === 'sheets' ? first.sheets.length : 0, 1);
}

/** Expects that a job came out as these bytes. */
export function expectBytes(printouts: Printouts, jobId: number, bytes: Buffer): Mismatch | undefined {
  const first = printouts?.[0];
  const got = first?.kind === 'raw' ? Buffer.from(first.bytes).toString('hex') : 'nothing RAW';
  return expectEqual(`bytes printed for job ${jobId}`, got, bytes.toString('hex'));
}

/** What came out for a job, once the service shows it as done. */
export function printed(context: CheckContext, { room }: PrintingComputer, jobId: number): Promise<Printouts> {
  return inTime({
    description: `job ${jobId} to be done and on paper`,
    limit: context.target.link?.program ? PRINTING_LIMITS.program : PRINTING_LIMITS.link,
    timekeeper: context.target.timekeeper,
    every: 250,
    probe: async () => {
      const names = await stateNames(context, jobId);
      const printouts = room.printouts(jobId);
      return names.includes('done') && printouts.length > 0 ? printouts : undefined;
    },
  });
}
