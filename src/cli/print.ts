/**
 * platen print: submits a document and, if asked to, waits for it and saves its sheets.
 */

import { InvalidArgumentError, type Command } from 'commander';
import { z } from 'zod';

import { ensureWritable } from '../common/folder.ts';
import { meantOrAll } from '../common/nearest-name.ts';
import { realTimekeeper } from '../common/timekeeper.ts';
import { eventually, WaitExpired } from '../common/waiter.ts';
import type { InputField } from '../specification/clause.ts';
import { PRINT_OPTIONS } from '../specification/inputs.ts';
import type { StablePrintJobState } from '../specification/states.ts';
import { readDocument } from '../workbench/library/document.ts';
import { historiesIn, jobStates, type JobStateRecord } from '../scenario/setup/records.ts';
import { isLastState } from '../workbench/library/print.ts';
import { line, styled, type Line } from '../report/terminal/line.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { paperNews, saveSheets, type PaperNews, type SavedSheets } from './files/sheets.ts';
import {
  controlTokenOption,
  duration,
  filled,
  jsonOption,
  keyOption,
  positiveInteger,
  urlOption,
} from './options/option-values.ts';
import { choosePrinter, type PrinterRecord } from './remote/printers.ts';
import { Remote, type RemoteOptions } from './remote/remote.ts';
import { out, outJson } from './screen/terminal.ts';

interface PrintFlags extends RemoteOptions {
  readonly printer?: string;
  readonly option?: PrintOptions;
  readonly qty?: number;
  readonly title?: string;
  readonly raw?: true;
  readonly wait?: true;
  readonly timeout: string;
  readonly out?: string;
  readonly json?: true;
  readonly quiet?: true;
}

export function printCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('print')
    .description('print a document')
    .argument(
      '<document>',
      'a PDF, or a file in the printer’s own language; - reads standard input; or the name of one that ships: invoice',
    )
    .option('-p, --printer <printer>', 'name or id of the printer (default: the default printer)')
    .option('-o, --option <name=value>', 'a print option; repeat for more', collectPrintOption)
    .option('--qty <number>', 'how many times the document is sent to the print queue', positiveInteger)
    .option('--title <title>', 'name of the job (default: name of the file)')
    .option('--raw', 'send the file to the printer as it is')
    .option('-w, --wait', 'wait until it is printed')
    .option('--timeout <duration>', 'how long to wait', duration, '30s')
    .option('--out <folder>', 'save the sheets there as PDF and PNG; implies --wait', filled)
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(controlTokenOption())
    .addOption(jsonOption())
    .option('-q, --quiet', 'print nothing but errors')
    .action(async (document: string, flags: PrintFlags) => finish(await run(document, flags)));
}

async function run(file: string, flags: PrintFlags): Promise<ExitCode> {
  const document = await readDocument(file, flags.raw === true);
  if (flags.out !== undefined) ensureWritable(flags.out);
  const remote = new Remote(flags);
  const printer = await choosePrinter(remote, flags.printer);
  const answer = remote.post('/printjobs', {
    printerId: printer.id,
    contentType: document.contentType,
    content: document.content.toString('base64'),
    title: flags.title ?? document.name,
    source: 'platen print',
    options: flags.option ?? {},
    qty: flags.qty,
  });
  const jobId = await remote.shaped(z.int(), 'the id of a job', answer);
  if (!flags.wait && flags.out === undefined) return accepted(jobId, printer, flags);
  return follow(remote, jobId, printer, flags);
}

function accepted(id: number, printer: PrinterRecord, flags: PrintFlags): ExitCode {
  if (flags.json) outJson({ id, printer: printer.name, state: 'new' });
  else if (!flags.quiet) out(`job ${id} → ${printer.name} (${printer.computer.name})`);
  return EXIT.good;
}

/** Slower than the ten requests a second that the specification grants, with room for others. */
const LOOK_EVERY = '150ms';

type JobState = Pick<JobStateRecord, 'state' | 'message'>;

async function follow(remote: Remote, id: number, printer: PrinterRecord, flags: PrintFlags): Promise<ExitCode> {
  const last = await lastState(remote, id, flags.timeout);
  const saved =
    last.state === 'done' && flags.out !== undefined
      ? await saveSheets(remote, {
          jobId: id,
          printouts: flags.qty ?? 1,
          folder: flags.out,
          timeout: flags.timeout,
        })
      : NOTHING_SAVED;
  const news = last.state === 'done' ? await paperNews(remote, id) : NO_NEWS;
  const { trouble, ignored } = news;
  const message = last.message ?? trouble?.text ?? null;
  const { isIncomplete, ...written } = saved;
  if (flags.json) outJson({ id, printer: printer.name, state: last.state, message, ignored, ...written });
  else if (!flags.quiet) out(describe(id, printer, last, saved, news));
  if (isIncomplete || trouble?.isHeld) return EXIT.incomplete;
  if (last.state === 'done') return EXIT.good;
  return isLastState(last.state) ? EXIT.failed : EXIT.incomplete;
}

const NO_NEWS: PaperNews = { ignored: {} };
const NOTHING_SAVED: SavedSheets = { files: [], notDrawn: null };

/** The final state of a job, or the one it has when the time is up. */
async function lastState(remote: Remote, id: number, limit: string): Promise<JobState> {
  let seen: JobState = { state: 'new' };
  const probe = async (): Promise<JobState | undefined> => {
    const states = jobStates.safeParse(await remote.get(`/printjobs/${id}/states`));
    seen =
      historiesIn(states.data ?? [])
        .get(id)
        ?.at(-1) ?? seen;
    return isLastState(seen.state) ? seen : undefined;
  };
  try {
    return await eventually({
      description: `the end of job ${id}`,
      limit,
      every: LOOK_EVERY,
      timekeeper: realTimekeeper,
      probe,
    });
  } catch (error) {
    if (error instanceof WaitExpired) return seen;
    throw error;
  }
}

/** States in which a job is not yet at its computer, or the computer is away. */
const WAITING: readonly string[] = ['new', 'sent_to_client'] satisfies StablePrintJobState[];

function describe(
  id: number,
  printer: PrinterRecord,
  last: JobState,
  { files, notDrawn, isIncomplete }: SavedSheets,
  { trouble, ignored }: PaperNews,
): readonly Line[] {
  const isOver = isLastState(last.state);
  const state = styled(last.state === 'done' ? 'green' : 'red', last.state);
  const isTroubled = trouble !== undefined && (isIncomplete || trouble.isHeld);
  const what = line`${isOver ? '' : 'still '}${state}${isTroubled ? `, ${trouble.text}` : ''}`;
  const lines: Line[] = [line`job ${id} → ${printer.name} (${printer.computer.name}): ${what}`];
  if (isTroubled) {
    lines.push(
      `  Repair the printer (\`platen fault --clear\`)${isIncomplete ? ', or wait longer with --timeout' : ''}.`,
    );
  }
  if (last.state !== 'done' && last.message) lines.push(`  ${last.message}`);
  if (!isOver) {
    const doing = WAITING.includes(last.state) ? 'It waits for its computer' : 'Its computer is working on it';
    lines.push(`  ${doing}. Look again with \`platen jobs\`, or wait longer with --timeout.`);
  }
  lines.push(...Object.entries(ignored).map(([name, why]) => `  option ${name} had no effect: ${why}`));
  lines.push(...files.map((file) => `  ${file}`));
  if (notDrawn !== null) lines.push(`  not drawn: ${notDrawn}`);
  return lines;
}

/** `--option pages=2-3`. Their names and types are those of the specification. */
const FIELDS: Readonly<Record<string, InputField>> = PRINT_OPTIONS;

type PrintOptions = Readonly<Record<string, string | number | boolean>>;

/** Adds one `name=value` to the others. */
function collectPrintOption(text: string, before: PrintOptions = {}): PrintOptions {
  const [name, value] = splitOnce(text);
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (!field)
    throw new InvalidArgumentError(`there is no print option '${name}'; ${meantOrAll(name, Object.keys(FIELDS))}`);
  if (value === undefined) throw new InvalidArgumentError(`write ${name}=VALUE`);
  return { ...before, [name]: typedValue(name, value, field) };
}

function splitOnce(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Only the type is checked: values are for the service and the printer to judge. */
function typedValue(name: string, value: string, { type }: InputField): string | number | boolean {
  if (type === 'integer') {
    if (/^-?\d{1,15}$/.test(value)) return Number(value);
    throw new InvalidArgumentError(`${name} must be an integer`);
  }
  if (type === 'boolean') {
    if (value === 'true' || value === 'false') return value === 'true';
    throw new InvalidArgumentError(`${name} must be true or false`);
  }
  return value;
}
