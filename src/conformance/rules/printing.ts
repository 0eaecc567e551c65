/** Checks with a virtual computer that really prints: from the submission to the paper. */

import { Room as PrintingRoom, type RoomDescription } from '../../devices/room.ts';
import type { Printout } from '../../devices/printout.ts';
import { eventually, WaitExpired } from '../../common/waiter.ts';
import { LinkError } from '../../link/device-link.ts';
import { CheckEnded } from '../check-ended.ts';
import type { Check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { asRecords, isId } from '../expect/records.ts';
import { expectThat } from '../expect/that.ts';
import { jobBody, stateNames, submit } from '../jobs.ts';

const PRINTING_LIMIT = '15s';

const DESK: RoomDescription = {
  computers: [{ name: 'printing desk', printers: [{ profile: 'laser-a4', name: 'Laser of a check' }] }],
};

interface Desk {
  readonly room: PrintingRoom;
  readonly printerId: number;
}

/** A room with one computer and one printer, for as long as `work` takes. */
async function atDesk(context: CheckContext, work: (desk: Desk) => Promise<void>): Promise<void> {
  const { target, random } = context;
  if (!target.link) throw new CheckEnded('untestable', 'the target has no link for computers');
  const room = new PrintingRoom(DESK, {
    clock: target.clock,
    random: random.stream('desk'),
    link: target.link,
    serviceUrl: target.baseUrl,
    credential: { kind: 'api-key', key: target.apiKey },
  });
  try {
    await room.connect();
    const computerId = room.computers[0]?.id ?? 0;
    const printers = await context.api.get(`/computers/${computerId}/printers`);
    const printerId = asRecords(printers.value)?.[0]?.['id'];
    context.require(
      expectThat(isId(printerId), printers.request, 'the printer that was reported', printers.value),
    );
    await work({ room, printerId: Number(printerId) });
    await room.close();
    await context.api.delete(`/computers/${computerId}`);
  } catch (error) {
    if (error instanceof LinkError)
      throw new CheckEnded('blocked', `no computer could be connected: ${error.message}`);
    throw error;
  } finally {
    await room.close();
  }
}

/** What came out for a job, once the service shows it as done. */
async function printed(
  context: CheckContext,
  { room }: Desk,
  jobId: number,
): Promise<readonly Printout[] | undefined> {
  try {
    return await eventually({
      description: `job ${jobId} to be done and on paper`,
      limit: PRINTING_LIMIT,
      timekeeper: context.target.timekeeper,
      every: 250,
      probe: async () => {
        const names = await stateNames(context, jobId);
        const printouts = room.printouts(jobId);
        return names.includes('done') && printouts.length > 0 ? printouts : undefined;
      },
    });
  } catch (error) {
    if (error instanceof WaitExpired) return undefined;
    throw error;
  }
}

export const PRINTING_CHECKS: readonly Check[] = [
  {
    id: 'printing/documents',
    title: 'A PDF and RAW bytes travel from the submission to paper, and are done',
    clauses: ['print-jobs/content-type-pdf-base64', 'print-jobs/content-type-raw-base64', 'states/done'],
    needs: ['computer'],
    run: (context) =>
      atDesk(context, async (desk) => {
        const pdf = await submit(context, jobBody(desk.printerId));
        const sheets = await printed(context, desk, pdf);
        const first = sheets?.[0];
        const count = first?.kind === 'sheets' ? first.sheets.length : 0;
        context.judge(
          'states/done',
          expectThat(sheets !== undefined, `job ${pdf}`, 'done and on paper', 'it was not'),
        );
        context.judge(
          'print-jobs/content-type-pdf-base64',
          expectThat(count === 1, `sheets printed for job ${pdf}`, '1', count),
        );
        const bytes = Buffer.from([0x1b, 0x40, 0x00, 0xff, 0x0a]);
        const body = jobBody(desk.printerId, {
          contentType: 'raw_base64',
          content: bytes.toString('base64'),
        });
        const raw = await submit(context, body);
        const out = (await printed(context, desk, raw))?.[0];
        const got = out?.kind === 'raw' ? Buffer.from(out.bytes).toString('hex') : 'nothing RAW';
        context.judge(
          'print-jobs/content-type-raw-base64',
          expectThat(
            got === bytes.toString('hex'),
            `bytes printed for job ${raw}`,
            bytes.toString('hex'),
            got,
          ),
        );
      }),
  },
];
