/**
 * Mutants of records that are rarely looked at, by product: each field of an account that is no Integrator, of a
 * computer that is away, of its printers, and of the only state of a job is of another type.
 */

import type { Field } from '../../src/specification/clause.ts';
import type { ClauseId } from '../../src/specification/clauses.ts';
import {
  ACCOUNT_FIELDS,
  COMPUTER_FIELDS,
  PRINT_JOB_STATE_FIELDS,
  PRINTER_FIELDS,
} from '../../src/specification/fields.ts';
import { inAnswers, type Mutant } from './mutant.ts';
import { json } from './mutants.ts';

type Fields = Record<string, unknown>;

interface Rare {
  readonly name: string;
  readonly answers: RegExp;
  readonly fields: Readonly<Record<string, Field & { readonly clause: ClauseId }>>;
  /** The records of an answer that are changed. */
  readonly change: (change: (record: Fields) => Fields) => (value: never) => unknown;
}

const isAway = ({ state }: Fields): boolean => state === 'disconnected';
const eachThat =
  (isRare: (record: Fields) => boolean) =>
  (change: (record: Fields) => Fields) =>
  (records: readonly Fields[]): unknown =>
    records.map((record) => (isRare(record) ? change(record) : record));

const RARE: readonly Rare[] = [
  {
    name: 'an account that is no Integrator',
    answers: /^GET \/whoami$/,
    fields: ACCOUNT_FIELDS,
    change: (change) => (account: Fields) => (account['canCreateSubAccounts'] === true ? account : change(account)),
  },
  {
    name: 'a computer that is away',
    answers: /^GET \/computers(\/[\d,]+)?(\?|$)/,
    fields: COMPUTER_FIELDS,
    change: eachThat(isAway),
  },
  {
    name: 'a printer whose computer is away',
    answers: /^GET (\/computers\/[\d,]+)?\/printers(\/[\d,]+)?(\?|$)/,
    fields: PRINTER_FIELDS,
    change: eachThat(({ computer }) => isAway(computer as Fields)),
  },
  {
    name: 'the only state of a job',
    answers: /^GET \/printjobs\/([\d,]+\/)?states/,
    fields: PRINT_JOB_STATE_FIELDS,
    change: (change) => (histories: readonly (readonly Fields[])[]) =>
      histories.map((history) => (history.length === 1 ? history.map(change) : history)),
  },
];

export const EVERY_RECORD_MUTANTS: readonly Mutant[] = RARE.flatMap(({ name, answers, fields, change }) =>
  Object.entries(fields).map(([field, { type, clause }]) => {
    const wrong = type === 'integer' ? '7' : 7;
    const meddle = json(
      answers,
      change((record) => ({ ...record, [field]: wrong })),
    );
    return inAnswers(clause, `${field} of ${name} is ${JSON.stringify(wrong)}`, meddle);
  }),
);
