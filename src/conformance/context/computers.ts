/**
 * Computers of a check: they exist for it alone, and their jobs with them. All of it is removed after the
 * check, by id; nothing that was there before is touched.
 */

import { messageOf } from '../../common/error-message.ts';
import { isObject, sortedJson, type JsonObject } from '../../common/json-value.ts';
import type { Random } from '../../common/random.ts';
import { within } from '../../common/waiter.ts';
import { BeyondProgram, LinkError } from '../../link/device-link.ts';
import type { PrinterReport } from '../../link/messages.ts';
import type { Target } from '../../targets/target.ts';
import { asRecords, isId } from '../expect/records.ts';
import { expectStatus, expectNone } from '../expect/answer.ts';
import { lateMs, TOLERANCES } from '../expect/tolerances.ts';
import { refuseToWrite, type ApiClient } from './api-client.ts';
import { borrowComputer } from './borrowed-computer.ts';
import { CheckEnded, ifOffered, isAbsence } from './check-ended.ts';
import { ABSENT_STATUSES } from './offers.ts';
import { connectScriptedComputer, type ComputerPlan, type ScriptedComputer } from './scripted-computer.ts';

/** A computer with the ids that its printers got, in the order in which they were reported. */
export interface ConnectedComputer extends ScriptedComputer {
  readonly printerIds: readonly number[];
  /** The first printer. */
  readonly printerId: number;
}

/** Whose computer it is: of the account that the checks work in, or of the second one. */
export type Owner = 'account' | 'second-account';

/** A computer of an owner; any other one that the check knows how to act for may be named too. */
export interface ConnectPlan extends Partial<ComputerPlan> {
  readonly owner?: Owner | ComputerOwner;
  /** Connects with this client key instead of the API key of the owner. */
  readonly clientKey?: string | undefined;
}

export interface Computers {
  /** A connected computer. Default: with one plain printer. */
  connect(plan?: ConnectPlan): Promise<ConnectedComputer>;
  /** A computer that has reported its printers and gone away: jobs for it wait. */
  away(plan?: ConnectPlan): Promise<ConnectedComputer>;
  /** Has a computer removed as well that the check has connected by other means. */
  adopt(computerId: number, owner?: Owner): void;
  /** Removes computers and jobs, and returns a line for each thing that could not be removed. */
  close(): Promise<readonly string[]>;
}

/** How to act for the owner of a computer. */
export interface ComputerOwner {
  /** What its computers connect with, unless they have client keys. */
  readonly apiKey?: string;
  readonly api: ApiClient;
  /** A client for the cleaning up. */
  readonly cleaner: ApiClient;
}

export interface OwnerAccess extends ComputerOwner {
  readonly apiKey: string;
}

export interface ComputersOptions {
  readonly target: Target;
  readonly owners: Readonly<Record<Owner, OwnerAccess>>;
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
const GOODBYE_LIMITS = { link: '5s', program: '20s' } as const;

interface MadeComputer {
  readonly owner: ComputerOwner;
  readonly computerId: number;
}

export function createComputers({ target, owners, random, name, jobIds }: ComputersOptions): Computers {
  const computers: { readonly owner: ComputerOwner; readonly computer: ScriptedComputer }[] = [];
  const adopted: MadeComputer[] = [];
  let count = 0;
  let hasBorrowed = false;

  const connect = async ({
    owner: given = 'account',
    clientKey,
    ...plan
  }: ConnectPlan = {}): Promise<ConnectedComputer> => {
    const owner = typeof given === 'string' ? owners[given] : given;
    refuseToWrite(target);
    const { link, usePrinter } = target;
    if (!link && usePrinter !== undefined && isPlain({ owner: given, clientKey, ...plan })) {
      hasBorrowed = true;
      return borrowComputer(owners.account.api, usePrinter);
    }
    if (!link) throw new CheckEnded('untestable', 'the target has no link for computers');
    const whole: ComputerPlan = { name: `${name} ${++count}`, printers: [plainPrinter()], ...plan };
    if (link.program) whole.printers.forEach(refuseMadeUp);
    refuseToSay(target, plan.client);
    const computer = await orBlocked(() =>
      connectScriptedComputer({
        deliveryLimitMs: lateMs(TOLERANCES.deliveryLate, target),
        link,
        ask: async (path) => (await owner.cleaner.get(path)).value,
        serviceUrl: target.baseUrl,
        credential:
          clientKey === undefined
            ? { kind: 'api-key', key: owner.apiKey ?? '' }
            : { kind: 'client-key', key: clientKey },
        timekeeper: target.timekeeper,
        random: random.stream(`computer-${count}`),
        plan: whole,
      }),
    );
    computers.push({ owner, computer });
    const reportPrinters: ScriptedComputer['reportPrinters'] = (printers) => {
      if (link.program) printers.forEach(refuseMadeUp);
      return computer.reportPrinters(printers);
    };
    const known = await knownIds(printerIdsOf(owner.api, computer, target));
    const again: ScriptedComputer['connect'] = (more) => {
      refuseToSay(target, more);
      return orBlocked(() => computer.connect(more));
    };
    return {
      ...computer,
      connect: again,
      reportPrinters,
      get printerIds() {
        return known();
      },
      get printerId() {
        return known()[0] ?? 0;
      },
    };
  };

  return {
    connect,
    async away(plan) {
      const computer = await connect(plan);
      // A check that a printer of the account will do for needs none that is away.
      if (hasBorrowed) return computer;
      await computer.disconnect();
      await target.timekeeper.elapse(0);
      return computer;
    },
    adopt: (computerId, owner = 'account') => {
      adopted.push({ owner: owners[owner], computerId });
    },
    async close() {
      const problems: string[] = [];
      for (const { computer } of computers) {
        const limit = target.link?.program ? GOODBYE_LIMITS.program : GOODBYE_LIMITS.link;
        const goodbye = { description: 'a computer to say goodbye', limit };
        await attempt(problems, () => within(computer.disconnect(), goodbye));
      }
      const made = computers.map(({ owner, computer: { computerId } }) => ({ owner, computerId }));
      made.push(...adopted);
      if (hasBorrowed) await removeJobs(owners.account.cleaner, jobIds, problems);
      await removeComputers(made, jobIds, problems);
      return problems;
    },
  };
}

async function removeComputers(
  made: readonly MadeComputer[],
  jobIds: readonly number[],
  problems: string[],
): Promise<void> {
  for (const [{ cleaner }, owned] of Map.groupBy(made, ({ owner }) => owner)) {
    await removeJobs(cleaner, jobIds, problems);
    const ids = owned.map(({ computerId }) => computerId);
    await attempt(problems, () => removeAll(cleaner, '/computers', ids));
  }
}

function refuseToSay(target: Target, client: ConnectPlan['client']): void {
  if (client) refuseProgram({ target }, 'sets properties of a client; a client program reports its own');
}

/** Ends a check where client programs run the computers, with what it takes that they do not do. */
export function refuseProgram({ target }: { readonly target: Target }, why: string): void {
  if (target.link?.program) throw new BeyondProgram(why);
}

/** The printer states that a check can bring about, through the link or through a client. */
const STATES: readonly (string | null)[] = ['online', 'offline', 'out_of_paper'];

/** A print system says of its queues what it has found out. What of that no check judges may differ. */
function refuseMadeUp({ capabilities, state }: PrinterReport): void {
  const hasPlainOnes = sortedJson(capabilities) === sortedJson(PLAIN_CAPABILITIES);
  if (hasPlainOnes && STATES.includes(state)) return;
  throw new BeyondProgram('needs a printer with made-up properties; a client program reports those of its queues');
}

/** Whether any computer of the account with a printer will do. */
function isPlain({ owner, clientKey, ...plan }: ConnectPlan): boolean {
  return owner === 'account' && clientKey === undefined && Object.values(plan).every((value) => value === undefined);
}

async function removeJobs(cleaner: ApiClient, jobIds: readonly number[], problems: string[]): Promise<void> {
  for (let first = 0; first < jobIds.length; first += CLEAN_UP_BATCH) {
    const jobs = jobIds.slice(first, first + CLEAN_UP_BATCH);
    await attempt(problems, () => removeAll(cleaner, '/printjobs', jobs));
  }
}

/** What `connect` connects. Ends the check as blocked when the link refuses it. */
export async function orBlocked<T>(connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    throw new CheckEnded('blocked', `no computer could be connected: ${error.message}`);
  }
}

/** Where no list shows printers, only a check that wants one of them ends. */
async function knownIds(listed: Promise<readonly number[]>): Promise<() => readonly number[]> {
  try {
    const ids = await listed;
    return () => ids;
  } catch (error) {
    if (!isAbsence(error)) throw error;
    return () => {
      throw error;
    };
  }
}

/** What answers lists may be a moment behind what was reported. */
const LISTED_LATE_MS = [100, 200, 400, 800] as const;

/** Ids of the printers that a computer has reported, found again by their names. */
async function printerIdsOf(
  api: ApiClient,
  computer: ScriptedComputer,
  { timekeeper }: Pick<Target, 'timekeeper'>,
): Promise<readonly number[]> {
  // A service may have no list for a computer without any.
  if (computer.printers.length === 0) return [];
  for (const lateMs of LISTED_LATE_MS) {
    const { ids } = await listedPrinters(api, computer);
    if (ids.every(isId)) return ids;
    await timekeeper.elapse(lateMs);
  }
  const { ids, request } = await listedPrinters(api, computer);
  const missing = computer.printers.find((_, index) => !isId(ids[index]));
  if (!missing) return ids.filter(isId);
  throw new CheckEnded('blocked', `${request} does not list the printer '${missing.name}' that was reported`);
}

async function listedPrinters(
  api: ApiClient,
  { computerId, printers }: ScriptedComputer,
): Promise<{ readonly ids: readonly unknown[]; readonly request: string }> {
  const own = await ifOffered(api.get(`/computers/${computerId}/printers`));
  const isThere = own && !ABSENT_STATUSES.has(own.status);
  // The newest come first.
  const answer = isThere ? own : await api.get('/printers');
  const mismatch = expectStatus(answer, 200);
  if (mismatch) throw new CheckEnded('blocked', mismatch);
  const listed = asRecords(answer.value) ?? [];
  const isOwn = ({ computer }: JsonObject): boolean => isObject(computer) && computer['id'] === computerId;
  const records = isThere ? listed : listed.filter(isOwn);
  const ids = printers.map(({ name }, index) => {
    const isAlone = printers.length === 1 && records.length === 1;
    return (isAlone ? records[index] : records.find((one) => one['name'] === name))?.['id'];
  });
  return { ids, request: answer.request };
}

/** One by one where a service refuses the set, as it may for a single one that is gone. */
async function removeAll(api: ApiClient, list: string, ids: readonly number[]): Promise<void> {
  if ((await api.delete(`${list}/${ids.join(',')}`)).status < 300) return;
  for (const id of ids) {
    const { status } = await api.delete(`${list}/${id}`);
    if (status < 300 || expectNone(await api.get(`${list}/${id}`), [id]) === undefined) continue;
    throw new Error(`DELETE ${list}/${id} answered ${status}`);
  }
}

async function attempt(problems: string[], work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    problems.push(`not cleaned up: ${messageOf(error)}`);
  }
}
