/**
 * Print: from a document to its sheets in one step, for tests.
 *
 *   document ─► POST /printjobs ─► done ─► all sheets out ─► Job
 *                                  └─ or PrintFailed, which says where it stopped
 */

import { z } from 'zod';

import { usageError, type ActionableError } from '../../common/actionable-error.ts';
import type { Duration } from '../../common/duration.ts';
import { givenObject } from '../../common/given-object.ts';
import { ensureKnown } from '../../common/nearest-name.ts';
import { severalOf } from '../../common/several-of.ts';
import type { DocumentName } from '../../devices/shipped-names.ts';
import type { AccountPrinterView, RoomView } from '../../record/control-types.ts';
import { titleInWords } from '../../record/title-words.ts';
import type { InputField } from '../../specification/clause.ts';
import { PRINT_OPTIONS } from '../../specification/inputs.ts';
import { JobWaitExpired } from '../views/job-query.ts';
import { documentOf, readDocument, type PrintableDocument } from './document.ts';
import { askService } from './service-call.ts';
import type { Job, WorkbenchJobs } from './workbench-jobs.ts';

/** A document that ships, or a file by its path: `invoice`, `letters/reminder.pdf`. */
export type PrintableFile = DocumentName | `${string}.${string}` | `${string}/${string}`;

type ValueOf<Field extends InputField> = Field extends { readonly values: readonly (infer Value)[] }
  ? Value
  : Field['type'] extends 'boolean'
    ? boolean
    : Field['type'] extends 'integer'
      ? number
      : string;

/** Options of a print job, by the names of the specification. */
export type PrintOptions = { readonly [Name in keyof typeof PRINT_OPTIONS]?: ValueOf<(typeof PRINT_OPTIONS)[Name]> };

export interface PrintRequest {
  /** Name of a printer; the default printer unless given. */
  readonly printer?: string | undefined;
  /** Name of its computer, where printers of two have this name. */
  readonly computer?: string | undefined;
  readonly options?: PrintOptions | null | undefined;
  /** The name of the document unless given. */
  readonly title?: string | undefined;
  /** How often the document is handed to the print queue; once unless given. */
  readonly qty?: number | undefined;
  /** Sends the document to the printer as it is, whatever it looks like. */
  readonly raw?: boolean | undefined;
  /** 5 s unless given. */
  readonly timeout?: Duration | undefined;
}

const REQUEST: Readonly<Record<keyof PrintRequest, true>> = {
  printer: true,
  computer: true,
  options: true,
  title: true,
  qty: true,
  raw: true,
  timeout: true,
};

/** What is printed on: an account of a workbench. */
interface Account {
  readonly url: string;
  readonly apiKey: string;
  readonly jobs: WorkbenchJobs;
  printers(): Promise<AccountPrinterView[]>;
  room(): Promise<RoomView>;
}

/** States after which nothing more happens to a job. */
const LAST_STATES = ['done', 'error', 'expired', 'deleted'] as const;

export function isLastState(state: string): boolean {
  return LAST_STATES.some((last) => last === state);
}

/** A job that did not print as it should; `job` has its timeline and the sheets that did come out. */
export class PrintFailed extends Error {
  override readonly name = 'PrintFailed';
  readonly job: Job;

  constructor(message: string, job: Job) {
    super(message);
    this.job = job;
  }
}

export async function printDocument(
  platen: Account,
  document: PrintableFile | Uint8Array,
  request: PrintRequest,
): Promise<Job> {
  givenObject('the second argument of print', "{ printer: 'Laser' }", request);
  const { printer, computer, options, title, qty = 1, raw = false, timeout } = request;
  // A program in JavaScript would not learn that one has no effect.
  for (const name of Object.keys(request)) ensureKnown('key of print', name, Object.keys(REQUEST));
  givenObject('the options of print', '{ copies: 2 }', options ?? {});
  for (const name of Object.keys(options ?? {})) ensureKnown('print option', name, Object.keys(PRINT_OPTIONS));
  const { name, contentType, content } = await read(document, raw);
  const { id: printerId } = chosen(await platen.printers(), printer, computer);
  const body = { printerId, contentType, content: Buffer.from(content).toString('base64'), title: title ?? name };
  const job = { ...body, source: 'platen.print', options, qty };
  const id = z.int().parse(await askService(platen, 'POST', '/printjobs', 'Change what is printed.', job));
  try {
    const ended = await platen.jobs.wait({ id, state: LAST_STATES }, { timeout });
    if (ended.state !== 'done') throw await failure(platen, ended);
    return await platen.jobs.wait({ id, printouts: qty }, { timeout });
  } catch (error) {
    if (error instanceof JobWaitExpired) throw await failure(platen, await platen.jobs.get(id));
    throw error;
  }
}

async function read(document: PrintableFile | Uint8Array, raw: boolean): Promise<PrintableDocument> {
  return typeof document === 'string'
    ? readDocument(document, raw)
    : documentOf(Buffer.from(document), 'the document', raw);
}

function chosen(
  all: readonly AccountPrinterView[],
  name: string | undefined,
  computer: string | undefined,
): AccountPrinterView {
  const printers = computer === undefined ? all : all.filter((printer) => printer.computer === computer);
  const [found, ...others] = name === undefined ? defaults(printers) : printers.filter((one) => one.name === name);
  if (found && others.length === 0) return found;
  if (found && name !== undefined) throw ambiguous(name, [found, ...others]);
  const names = printers.map((printer) => `'${printer.name}'`).join(', ');
  const wanted = name === undefined ? '' : ` '${name}'`;
  const where = computer === undefined ? 'the account' : computer;
  throw usageError(`${where} has no printer${wanted}. It has ${names || 'none'}.`, 'Name one that it has.');
}

function defaults(printers: readonly AccountPrinterView[]): readonly AccountPrinterView[] {
  return [...printers.filter((printer) => printer.default), ...printers].slice(0, 1);
}

function ambiguous(name: string, printers: readonly AccountPrinterView[]): ActionableError {
  const places = printers.map(({ computer }) => computer);
  const nextStep = 'Name its computer as well, or give each a name of its own.';
  return usageError(`${severalOf('printer', name, printers.length, places)}. ${nextStep}`, nextStep);
}

async function failure(platen: Account, job: Job): Promise<PrintFailed> {
  const reason = job.state === 'done' ? job.paperToCome : (lastMessage(job) ?? (await absence(platen, job)));
  const still = isLastState(job.state) ? '' : 'still ';
  const what = `job ${job.id} (${titleInWords(job.title)}) is ${still}${job.state}`;
  return new PrintFailed(reason === undefined ? what : `${what}${job.state === 'done' ? ', ' : ': '}${reason}`, job);
}

function lastMessage({ state, timeline }: Job): string | undefined {
  if (!isLastState(state)) return undefined;
  return timeline.findLast((entry) => entry.state === state)?.message ?? undefined;
}

/** Says so if a waiting job's computer is not connected. */
async function absence(platen: Account, { computer }: Job): Promise<string | undefined> {
  const { computers } = await platen.room();
  const isThere = computers.some(({ name, connected }) => name === computer.name && connected);
  return isThere ? undefined : `computer ${computer.name} is not connected`;
}
