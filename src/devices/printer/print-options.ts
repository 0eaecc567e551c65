/**
 * Print options: what a job asks for, held against what the printer can do.
 *
 *   options ─► one reader an option ─► applied (value) | ignored (reason) | refused (message)
 *              (option-readers.ts)                │
 *                              one refusal: the job ends in `error`, nothing is printed
 */

import { failure, success, type Outcome } from '../../common/outcome.ts';
import type { PrintSettings } from '../press/print-settings.ts';
import { OPTION_READERS, type AppliedOptions, type OptionTaker, type Reading } from './option-readers.ts';
import { paperNamed } from './paper.ts';
import type { PrinterProfile } from './printer-profile.ts';

/** What became of the options of one job. Keys are option names. */
export interface OptionsRecord {
  /** As the job carried them. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly applied: Readonly<Record<string, unknown>>;
  /** Option name → why it had no effect. */
  readonly ignored: Readonly<Record<string, string>>;
}

export interface ReadOptions {
  readonly settings: PrintSettings;
  readonly record: OptionsRecord;
}

/**
 * Reads the options of a job for a printer.
 *
 * @returns the settings and the record, or a message naming the first option that cannot be met
 */
export function readPrintOptions(
  asked: Readonly<Record<string, unknown>>,
  profile: OptionTaker & Pick<PrinterProfile, 'defaults'>,
): Outcome<ReadOptions, string> {
  const applied: Record<string, unknown> = {};
  const ignored: Record<string, string> = {};
  for (const [option, value] of Object.entries(asked)) {
    const reading = readOption(option, value, profile, asked);
    if (reading.kind === 'refused') return failure(reading.message);
    if (reading.kind === 'applied') applied[option] = reading.value;
    if (reading.kind === 'ignored') ignored[option] = reading.reason;
  }
  const settings = settingsFrom(applied, profile);
  return success({ settings, record: { asked, applied, ignored } });
}

function readOption(
  option: string,
  value: unknown,
  profile: OptionTaker,
  asked: Readonly<Record<string, unknown>>,
): Reading {
  if (!isPrintOption(option)) return { kind: 'ignored', reason: 'there is no print option of this name' };
  if (value === null || value === undefined) return { kind: 'absent' };
  return OPTION_READERS[option](value, profile, asked);
}

function isPrintOption(option: string): option is keyof AppliedOptions {
  return Object.hasOwn(OPTION_READERS, option);
}

/** The options that took effect, and the printer's defaults for the rest. */
export function settingsFrom(
  applied: AppliedOptions,
  { capabilities, defaults }: Pick<PrinterProfile, 'capabilities' | 'defaults'>,
): PrintSettings {
  const paper = applied.paper ?? defaults.paper;
  return {
    pages: applied.pages ?? null,
    copies: applied.copies ?? 1,
    collate: applied.collate ?? defaults.collate,
    duplex: applied.duplex ?? defaults.duplex,
    nup: applied.nup ?? 1,
    paper: (paper === undefined ? undefined : paperNamed(paper, capabilities)) ?? null,
    fitToPage: applied.fit_to_page ?? false,
    rotate: applied.rotate ?? null,
    gray: capabilities?.color === false || !(applied.color ?? defaults.color),
    tray: applied.bin ?? defaults.bin ?? null,
    media: applied.media ?? defaults.media ?? null,
    dpi: applied.dpi ?? defaults.dpi ?? null,
  };
}
