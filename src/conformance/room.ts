/**
 * Room of a check: the computers that exist for it alone, and what it made in the account. All of it is
 * removed behind the check, by id; nothing that was there before is touched.
 */

import type { Random } from '../common/random.ts';
import { within } from '../common/waiter.ts';
import { LinkError } from '../link/device-link.ts';
import type { PrinterReport } from '../link/messages.ts';
import { describeMismatch } from '../oracle/mismatch.ts';
import type { Target } from '../target/target.ts';
import type { ApiClient } from './api-client.ts';
import { CheckEnded } from './check-ended.ts';
import { expectStatus } from './expect/response.ts';
import { asRecords, isId } from './expect/records.ts';
import { connectScriptedComputer, type ComputerPlan, type ScriptedComputer } from './scripted-computer.ts';

/** A computer of the room with the ids its printers have got, in the order they were reported. */
export interface RoomComputer extends ScriptedComputer {
  readonly printerIds: readonly number[];
  /** The first printer. */
  readonly printerId: number;
}

export interface Room {
  /** A connected computer; with one plain printer unless told otherwise. */
  connect(plan?: Partial<ComputerPlan>): Promise<RoomComputer>;
  /** A computer that has reported its printers and gone away: jobs for it wait. */
  away(plan?: Partial<ComputerPlan>): Promise<RoomComputer>;
  /** Removes computers and jobs, and returns a line for each thing that could not be removed. */
  close(): Promise<readonly string[]>;
}

export interface RoomOptions {
  readonly target: Target;
  readonly api: ApiClient;
  /** A client for the cleaning up. */
  readonly cleaner: ApiClient;
  readonly random: Random;
  /** Names the computers, so that a person who sees one knows where it comes from. */
  readonly name: string;
  /** Ids of jobs that the check has made. */
  readonly jobIds: readonly number[];
}

/** An ordinary printer; `more` changes what a check is about. */
export function plainPrinter(more: Partial<PrinterReport> = {}): PrinterReport {
  return {
    key: 'printer-1',
    name: 'Plain Printer',
    description: 'A printer of a check',
    default: true,
    state: 'online',
    capabilities: PLAIN_CAPABILITIES,
    ...more,
  };
}

const PLAIN_CAPABILITIES = {
  bins: ['Tray 1', 'Tray 2'],
  collate: true,
  copies: 99,
  color: true,
  dpis: ['300x300', '600x600'],
  duplex: true,
  extent: [
    [900, 1270],
    [2159, 3556],
  ],
  medias: ['Plain'],
  nup: [1, 2, 4],
  papers: { A4: [2100, 2970], Letter: [2159, 2794] },
  printrate: { unit: 'ppm', rate: 20 },
  supports_custom_paper_size: true,
};

/** Jobs removed by one request. */
const CLEAN_UP_BATCH = 100;
const GOODBYE_LIMIT = '5s';

export function createRoom({ target, api, cleaner, random, name, jobIds }: RoomOptions): Room {
  const computers: RoomComputer[] = [];
  let count = 0;

  const connect = async (plan: Partial<ComputerPlan> = {}): Promise<RoomComputer> => {
    if (!target.link) throw new CheckEnded('untestable', 'the target has no link for computers');
    const whole: ComputerPlan = { name: `${name} ${++count}`, printers: [plainPrinter()], ...plan };
    const computer = await connectOrBlock({
      link: target.link,
      serviceUrl: target.baseUrl,
      apiKey: target.apiKey,
      timekeeper: target.timekeeper,
      random: random.stream(`computer-${count}`),
      plan: whole,
    });
    const printerIds = await printerIdsOf(api, computer);
    const member: RoomComputer = Object.assign(computer, { printerIds, printerId: printerIds[0] ?? 0 });
    computers.push(member);
    return member;
  };

  return {
    connect,
    async away(plan) {
      const computer = await connect(plan);
      await computer.disconnect();
      await target.timekeeper.elapse(0);
      return computer;
    },
    async close() {
      const problems: string[] = [];
      for (const computer of computers) {
        const goodbye = { description: 'a computer to say goodbye', limit: GOODBYE_LIMIT };
        await attempt(problems, () => within(computer.disconnect(), goodbye));
      }
      for (let first = 0; first < jobIds.length; first += CLEAN_UP_BATCH) {
        const set = jobIds.slice(first, first + CLEAN_UP_BATCH).join(',');
        await attempt(problems, () => remove(cleaner, `/printjobs/${set}`));
      }
      const set = computers.map((computer) => computer.computerId).join(',');
      if (set !== '') await attempt(problems, () => remove(cleaner, `/computers/${set}`));
      return problems;
    },
  };
}

async function connectOrBlock(
  options: Parameters<typeof connectScriptedComputer>[0],
): Promise<ScriptedComputer> {
  try {
    return await connectScriptedComputer(options);
  } catch (error) {
    if (error instanceof LinkError) {
      throw new CheckEnded('blocked', `no computer could be connected: ${error.message}`);
    }
    throw error;
  }
}

/** Ids of the printers that a computer has reported, found again by their names. */
async function printerIdsOf(api: ApiClient, computer: ScriptedComputer): Promise<readonly number[]> {
  const answer = await api.get(`/computers/${computer.computerId}/printers?limit=1000`);
  const mismatch = expectStatus(answer, 200);
  if (mismatch) throw new CheckEnded('blocked', describeMismatch(mismatch));
  return computer.printers.map(({ name }) => {
    const id = asRecords(answer.value)?.find((record) => record['name'] === name)?.['id'];
    if (isId(id)) return id;
    throw new CheckEnded(
      'blocked',
      `${answer.request} does not list the printer '${name}' that was reported`,
    );
  });
}

async function remove(api: ApiClient, path: string): Promise<void> {
  const answer = await api.delete(path);
  if (answer.status >= 300) throw new Error(`DELETE ${path} answered ${answer.status}`);
}

async function attempt(problems: string[], work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    problems.push(`not cleaned up: ${error instanceof Error ? error.message : String(error)}`);
  }
}
