/**
 * Print options: what a job asks for, held against what the printer can do.
 *
 *   options ─► one reader an option ─► applied (value) | ignored (reason) | refused (message)
 *              (option-readers.ts)                │
 *                              one refusal: the job ends in `error`, nothing is printed
 */

import { failure, success, type Outcome } from '../../common/outcome.ts';
import { OPTION_READERS, type OptionTaker, type Reading } from './option-readers.ts';
import { settingsFrom, type AppliedOptions, type PrintSettings } from './print-settings.ts';
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
  if (!isPrintOption(option)) return { kind: 'ignored', reason: 'no print option of this name' };
  if (value === null || value === undefined) return { kind: 'absent' };
  return OPTION_READERS[option](value, profile, asked);
}

function isPrintOption(option: string): option is keyof AppliedOptions {
  return Object.hasOwn(OPTION_READERS, option);
}
