/**
 * Print options: what a job asks for, held against what the printer can do.
 *
 *   options ─► one reader an option ─► applied (value) | ignored (reason) | refused (message)
 *                                              │
 *                              one refusal: the job ends in `error`, nothing is printed
 *
 * Choices where the specification leaves it open: an unknown tray, paper, medium or resolution, and more
 * copies than the printer takes, refuse the job, as does a value of the wrong type. A driver that reports
 * nothing about a property cannot refuse a value of it, so the option is passed over with that reason.
 * Numbers and booleans may arrive as text, as form encoded requests carry them.
 */

import { failure, success, type Outcome } from '../common/outcome.ts';
import { paperNamed, type Paper } from './paper.ts';
import type { PrinterCapabilities, PrinterProfile } from './printer-profile.ts';

/** What became of the options of one job. Keys are option names. */
export interface OptionsRecord {
  /** As the job carried them. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly applied: Readonly<Record<string, unknown>>;
  /** Option name → why it had no effect. */
  readonly ignored: Readonly<Record<string, string>>;
}

/** The settings a job is printed with. */
export interface PrintSettings {
  /** The text of a page set; absent means all pages. */
  readonly pages?: string;
  readonly copies: number;
  /** Absent: each sheet takes the size of its document page. */
  readonly paper?: Paper;
}

export interface ReadOptions {
  readonly settings: PrintSettings;
  readonly record: OptionsRecord;
}

type Reading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'applied'; readonly value: unknown }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'refused'; readonly message: string };

type Reader = (value: unknown, capabilities: PrinterCapabilities | null) => Reading;

const ABSENT: Reading = { kind: 'absent' };

const READERS: Readonly<Record<string, Reader>> = {
  bin: oneOf('bin', (capabilities) => capabilities?.bins),
  collate: readCollate,
  color: notSimulated('color'),
  copies: readCopies,
  dpi: oneOf('dpi', (capabilities) => capabilities?.dpis),
  duplex: notSimulated('duplex'),
  fit_to_page: notSimulated('fit_to_page'),
  media: oneOf('media', (capabilities) => capabilities?.medias),
  nup: notSimulated('nup'),
  pages: readPages,
  paper: readPaper,
  rotate: notSimulated('rotate'),
};

/**
 * Reads the options of a job for a printer.
 *
 * @returns the settings and the record, or a message naming the first option that cannot be met
 */
export function readPrintOptions(
  asked: Readonly<Record<string, unknown>>,
  profile: Pick<PrinterProfile, 'capabilities' | 'defaults'>,
): Outcome<ReadOptions, string> {
  const applied: Record<string, unknown> = {};
  const ignored: Record<string, string> = {};
  for (const [option, value] of Object.entries(asked)) {
    const reading = readOption(option, value, profile.capabilities);
    if (reading.kind === 'refused') return failure(reading.message);
    if (reading.kind === 'applied') applied[option] = reading.value;
    if (reading.kind === 'ignored') ignored[option] = reading.reason;
  }
  return success({ settings: settingsFrom(applied, profile), record: { asked, applied, ignored } });
}

function readOption(option: string, value: unknown, capabilities: PrinterCapabilities | null): Reading {
  const reader = Object.hasOwn(READERS, option) ? READERS[option] : undefined;
  if (!reader) return { kind: 'ignored', reason: 'no print option of this name' };
  return value === null || value === undefined ? ABSENT : reader(value, capabilities);
}

function settingsFrom(
  applied: Readonly<Record<string, unknown>>,
  { capabilities, defaults }: Pick<PrinterProfile, 'capabilities' | 'defaults'>,
): PrintSettings {
  const paperName = textOf(applied['paper']) ?? defaults.paper;
  const paper = paperName === undefined ? undefined : paperNamed(paperName, capabilities);
  const pages = textOf(applied['pages']);
  return {
    copies: Number(applied['copies'] ?? 1),
    ...(pages === undefined ? {} : { pages }),
    ...(paper ? { paper } : {}),
  };
}

/** A choice among names that the driver reports; the empty string stands for no choice. */
function oneOf(
  option: string,
  namesOf: (capabilities: PrinterCapabilities | null) => readonly string[] | null | undefined,
): Reader {
  return (value, capabilities) => {
    if (value === '') return ABSENT;
    if (typeof value !== 'string') return wrongType(option, value, 'a text');
    const names = namesOf(capabilities);
    if (!names) return { kind: 'ignored', reason: `the printer does not report its choices of ${option}` };
    if (!names.includes(value)) return refusedValue(option, value, 'the printer has none of that name');
    return { kind: 'applied', value };
  };
}

function readPaper(value: unknown, capabilities: PrinterCapabilities | null): Reading {
  const papers = capabilities?.papers;
  const reading = oneOf('paper', () => papers && Object.keys(papers))(value, capabilities);
  if (reading.kind !== 'applied' || paperNamed(String(value), capabilities)) return reading;
  return {
    kind: 'ignored',
    reason: 'the driver reports no size for this paper; sheets take the size of the document page',
  };
}

function readCopies(value: unknown, capabilities: PrinterCapabilities | null): Reading {
  const copies = integerOf(value);
  if (copies === undefined || copies < 1) return wrongType('copies', value, 'a positive integer');
  const most = capabilities?.copies;
  if (typeof most === 'number' && copies > most) {
    return refusedValue('copies', value, `the printer makes at most ${most}`);
  }
  return { kind: 'applied', value: copies };
}

function readCollate(value: unknown): Reading {
  const collate = booleanOf(value);
  if (collate === undefined) return wrongType('collate', value, 'true or false');
  if (collate) return { kind: 'applied', value: true };
  return { kind: 'ignored', reason: 'not simulated: copies come out collated' };
}

/** The text is judged where the number of pages is known; here only that it is text. */
function readPages(value: unknown): Reading {
  if (typeof value === 'number') return { kind: 'applied', value: String(value) };
  return typeof value === 'string' ? { kind: 'applied', value } : wrongType('pages', value, 'a page set');
}

function notSimulated(option: string): Reader {
  return () => ({ kind: 'ignored', reason: `not simulated: ${option} has no effect on the sheets` });
}

function wrongType(option: string, value: unknown, wanted: string): Reading {
  return refusedValue(option, value, `${wanted} is needed`);
}

function refusedValue(option: string, value: unknown, why: string): Reading {
  return { kind: 'refused', message: `print option ${option} = ${JSON.stringify(value)}: ${why}` };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function integerOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

function booleanOf(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}
