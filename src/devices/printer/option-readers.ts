/**
 * Option readers: one for each print option of the specification. A reader says what happens with one
 * value on one printer: applied, ignored with a reason, refused with a message, or treated as absent.
 *
 * Choices where the specification leaves it open (docs/sheets.md has them all in one table):
 * - Refused, so that the job ends in `error`: a value of the wrong type; an unknown tray, paper, medium,
 *   resolution or n-up; more copies than the printer takes; two sides on a printer that has one.
 * - Ignored: a choice of which the driver reports nothing, as it cannot be wrong; an option the client
 *   has no effect for on this system (`nup` off macOS, `color` off Windows, both backend 6 only on it);
 *   colour on a printer without; paper of unknown size, where sheets take the size of the document page.
 * - `collate: true` is done by the spooler where the printer cannot, and `one-sided` is always possible.
 * - The empty string means no choice for bin, dpi, media and paper, and is a wrong value for all others.
 * - Numbers and booleans may arrive as strings, as form encoded requests carry them.
 */

import type { Duplex, Rotation } from '../press/print-settings.ts';
import { NUP_GRIDS } from '../press/side-layout.ts';
import { paperNamed } from './paper.ts';
import type { PrinterCapabilities, PrinterProfile } from './printer-profile.ts';

export type Reading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'applied'; readonly value: unknown }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'refused'; readonly message: string };

/** What of a profile decides about options. */
export type OptionTaker = Pick<PrinterProfile, 'capabilities' | 'os' | 'backend' | 'quirks'>;

/** Options by name, each of the type its reader gives. */
export interface AppliedOptions {
  readonly bin?: string;
  readonly collate?: boolean;
  readonly color?: boolean;
  readonly copies?: number;
  readonly dpi?: string;
  readonly duplex?: Duplex;
  readonly fit_to_page?: boolean;
  readonly media?: string;
  readonly nup?: number;
  readonly pages?: string;
  readonly paper?: string;
  readonly rotate?: Rotation;
}

type Asked = Readonly<Record<string, unknown>>;
type Reader = (value: unknown, taker: OptionTaker, asked: Asked) => Reading;

const ABSENT: Reading = { kind: 'absent' };
const ROTATIONS: readonly number[] = [0, 90, 180, 270] satisfies Rotation[];
const TWO_SIDED: readonly unknown[] = ['long-edge', 'short-edge'];
const OLDER_BACKEND = 'on Windows it needs the backend engine6';

export const OPTION_READERS: Readonly<Record<keyof AppliedOptions, Reader>> = {
  bin: oneOf('bin', (capabilities) => capabilities?.bins),
  collate: readCollate,
  color: readColor,
  copies: readCopies,
  dpi: oneOf('dpi', (capabilities) => capabilities?.dpis),
  duplex: readDuplex,
  fit_to_page: readFitToPage,
  media: readMedia,
  nup: readNup,
  pages: readPages,
  paper: readPaper,
  rotate: readRotate,
};

/** A choice among names that the driver reports. */
function oneOf(
  option: string,
  namesOf: (capabilities: PrinterCapabilities | null) => readonly string[] | null | undefined,
): Reader {
  return (value, { capabilities }) => {
    if (value === '') return ABSENT;
    if (typeof value !== 'string') return wrongType(option, value, 'a string');
    const names = namesOf(capabilities);
    if (!names) return unreported(option);
    if (!names.includes(value)) return refused(option, value, 'the printer has none with that name');
    return applied(value);
  };
}

const readKnownPaper = oneOf('paper', (capabilities) => {
  const papers = capabilities?.papers;
  return papers && Object.keys(papers);
});

function readPaper(value: unknown, taker: OptionTaker, asked: Asked): Reading {
  const reading = readKnownPaper(value, taker, asked);
  if (reading.kind !== 'applied' || paperNamed(String(value), taker.capabilities)) return reading;
  return ignored('the driver reports no size for this paper; sheets take the size of the document page');
}

const readKnownMedia = oneOf('media', (capabilities) => capabilities?.medias);

function readMedia(value: unknown, taker: OptionTaker, asked: Asked): Reading {
  const reading = readKnownMedia(value, taker, asked);
  if (reading.kind !== 'applied' || !taker.quirks.mediaNeedsBin || asked['bin']) return reading;
  return ignored('this driver takes media only together with bin');
}

function readCopies(value: unknown, { capabilities }: OptionTaker): Reading {
  const copies = integerOf(value);
  if (copies === undefined || copies < 1) return wrongType('copies', value, 'a positive integer');
  const most = capabilities?.copies;
  if (typeof most === 'number' && copies > most) {
    return refused('copies', value, `the printer makes at most ${most}`);
  }
  return applied(copies);
}

function readCollate(value: unknown): Reading {
  const collate = booleanOf(value);
  return collate === undefined ? wrongType('collate', value, 'true or false') : applied(collate);
}

function readColor(value: unknown, { capabilities, os, backend, quirks }: OptionTaker): Reading {
  const color = booleanOf(value);
  if (color === undefined) return wrongType('color', value, 'true or false');
  if (os !== 'windows') return ignored('it has effect on Windows only');
  if (backend !== 'engine6') return ignored(OLDER_BACKEND);
  if (quirks.ignoresColor) return ignored('this client ignores it');
  if (color && capabilities?.color === false) return ignored('the printer has no colour');
  return applied(color);
}

function readDuplex(value: unknown, { capabilities }: OptionTaker): Reading {
  if (value === 'one-sided') return applied(value);
  if (!TWO_SIDED.includes(value)) return wrongType('duplex', value, 'long-edge, short-edge or one-sided');
  const able = capabilities?.duplex;
  if (typeof able !== 'boolean') return unreported('duplex');
  return able ? applied(value) : refused('duplex', value, 'the printer prints one side only');
}

function readFitToPage(value: unknown, { os, backend }: OptionTaker): Reading {
  const fit = booleanOf(value);
  if (fit === undefined) return wrongType('fit_to_page', value, 'true or false');
  return os === 'windows' && backend !== 'engine6' ? ignored(OLDER_BACKEND) : applied(fit);
}

function readNup(value: unknown, { capabilities, os }: OptionTaker): Reading {
  const nup = integerOf(value);
  if (nup === undefined || nup < 1) return wrongType('nup', value, 'a positive integer');
  if (os !== 'macos') return ignored('it has effect on macOS only');
  if (nup === 1) return applied(1);
  const choices = capabilities?.nup;
  if (!choices) return unreported('nup');
  if (choices.includes(nup) && NUP_GRIDS.has(nup)) return applied(nup);
  return refused('nup', value, 'the printer does not put that many pages on a side');
}

/** The page set is judged where the number of pages is known; here only its type. */
function readPages(value: unknown): Reading {
  if (typeof value === 'number') return applied(String(value));
  return typeof value === 'string' ? applied(value) : wrongType('pages', value, 'a page set');
}

function readRotate(value: unknown, { quirks }: OptionTaker): Reading {
  const degrees = integerOf(value);
  if (degrees === undefined || !ROTATIONS.includes(degrees)) {
    return wrongType('rotate', value, '0, 90, 180 or 270');
  }
  return applied(quirks.rotateMod180 ? degrees % 180 : degrees);
}

function applied(value: unknown): Reading {
  return { kind: 'applied', value };
}

function ignored(reason: string): Reading {
  return { kind: 'ignored', reason };
}

function unreported(option: string): Reading {
  return ignored(`the printer does not report its choices of ${option}`);
}

function wrongType(option: string, value: unknown, wanted: string): Reading {
  return refused(option, value, `${wanted} is needed`);
}

function refused(option: string, value: unknown, why: string): Reading {
  return { kind: 'refused', message: `print option ${option} = ${JSON.stringify(value)}: ${why}` };
}

function integerOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

function booleanOf(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}
