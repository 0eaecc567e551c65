/**
 * Damage: what is in a data file cannot be read, or cannot be what was stored. It is named by its table and row.
 */

import { ActionableError } from '../../common/actionable-error.ts';

export interface Damage {
  readonly table: string;
  /** Its key, such as `42`, or where it is: `after 41`. */
  readonly row: string;
  readonly what: string;
}

export class DamagedRow extends ActionableError {
  readonly damage: Damage;

  constructor(damage: Damage, options?: ErrorOptions) {
    super('usage', `the data file is damaged: ${sentenceOf(damage)}`, REPAIR, options);
    this.damage = damage;
  }
}

export const REPAIR = 'See what else is damaged with platen start --data FILE --check, or go on with a copy of it.';

const BROKEN_JSON = 'its JSON cannot be read';
export const WRONG_TYPE = 'a value has another type than it was stored with';
export const MISSING_DOCUMENT = 'the document is missing';
export const CHANGED_DOCUMENT = 'the document is not as it was accepted';

export function sentenceOf({ table, row, what }: Damage): string {
  return `table ${table}, row ${row}: ${what}`;
}

/** Primary codes of SQLite for a file that has other bytes than SQLite wrote: CORRUPT, NOTADB. */
const DAMAGED: readonly number[] = [11, 26];
/** IOERR: in a read, a place of the disk that gives nothing back; in a write, a disk that takes nothing. */
const IO_ERROR = 10;

/** Whether a statement failed because of what is in the file. */
export function isDamage(error: unknown, of: 'read' | 'write'): boolean {
  // A whole number that no value of ours can have.
  if (error instanceof RangeError) return true;
  const code = sqliteCode(error);
  return DAMAGED.includes(code) || (of === 'read' && code === IO_ERROR);
}

/** Primary code of an error of SQLite; 0 for any other error. */
export function sqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) % 256 : 0;
}

/** The value of a column of JSON. @throws DamagedRow */
export function storedJson(text: string, table: string, row: number | string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What the parser says shows a part of the text, which may be a key.
    throw new DamagedRow({ table, row: String(row), what: BROKEN_JSON });
  }
}
