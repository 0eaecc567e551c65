/**
 * Names and types of fields: keys in another case, ids as text, times as numbers, and what else of a field says the
 * same in another type.
 */

import { isObject } from '../common/json-value.ts';
import { datetimeMs } from '../common/timestamp.ts';
import type { Field } from '../specification/clause.ts';
import type { ClauseId } from '../specification/clauses.ts';
import { changingRecords, firstRecords, nameOf, type AnswerView, type ShownRecord } from './answer-view.ts';
import type { Found, Manner } from './manner.ts';
import { plainName } from './shapes.ts';

export const otherKeys: Manner = (view) => {
  for (const shown of firstRecords(view)) {
    const [renamed] = renamedIn(shown);
    if (renamed) return [keysFound(view, renamed)];
  }
  return [];
};

interface Renamed {
  readonly key: string;
  readonly printed: string;
  readonly clause: string;
}

function keysFound(view: AnswerView, { key, printed, clause }: Renamed): Found {
  const style = styleOf(key);
  return {
    deviation: {
      id: `keys in ${style}`,
      clauses: [clause as ClauseId],
      at: `body of ${nameOf(view)}`,
      expected: `the key ${printed}`,
      actual: `keys in ${style}, ${key} among them`,
      isThroughout: true,
    },
    read: (seen) => changingRecords(seen, withPrintedKeys),
  };
}

/** Fields that are there under a key that differs from the printed one in case or in separators alone. */
function renamedIn({ record, fields }: ShownRecord): readonly Renamed[] {
  const keys = Object.keys(record).filter((key) => !Object.hasOwn(fields, key));
  if (keys.length === 0) return [];
  return Object.entries(fields).flatMap(([printed, { clause }]) => {
    const key = Object.hasOwn(record, printed) ? undefined : keys.find((one) => plainName(one) === plainName(printed));
    return key === undefined ? [] : [{ key, printed, clause }];
  });
}

function withPrintedKeys(shown: ShownRecord): ShownRecord['record'] {
  const printed = new Map(renamedIn(shown).map(({ key, printed: name }) => [key, name]));
  return Object.fromEntries(Object.entries(shown.record).map(([key, value]) => [printed.get(key) ?? key, value]));
}

function styleOf(key: string): string {
  if (key.includes('_')) return 'snake_case';
  if (key.includes('-')) return 'kebab-case';
  if (key === key.toLowerCase()) return 'lower case';
  return /^[A-Z]/.test(key) ? 'PascalCase' : 'another case';
}

export const otherTypes: Manner = (view) => {
  const found = firstRecords(view).flatMap(({ record, fields }) =>
    Object.entries(fields).flatMap(([name, field]) => {
      const otherType = Object.hasOwn(record, name) ? otherTypeOf(name, field, record[name]) : undefined;
      return otherType === undefined ? [] : [typeFound(view, name, field, otherType)];
    }),
  );
  return [...new Map(found.map((one) => [one.deviation.id, one])).values()];
};

const ID_CLAUSE: ClauseId = 'service/id-positive-integer';

function typeFound(
  view: AnswerView,
  name: string,
  field: Field,
  { isThroughout, isUnknown, actual }: OtherType,
): Found {
  return {
    deviation: {
      id: isThroughout ? `${field.type} as ${actual}` : `${field.clause} as ${actual}`,
      clauses:
        field.type === 'integer' && isThroughout ? [ID_CLAUSE, field.clause as ClauseId] : [field.clause as ClauseId],
      at: `${name} of ${nameOf(view)}`,
      expected: field.type,
      actual,
      ...(isThroughout && { isThroughout }),
      ...(isUnknown && { missing: name, isUnknown }),
    },
    read: (seen) =>
      changingRecords(seen, ({ record, fields }) =>
        Object.fromEntries(
          Object.entries(record).map(([key, value]) => {
            const printed = fields[key];
            const isMeant = printed && (isThroughout ? printed.type === field.type : printed.clause === field.clause);
            const other = isMeant && otherTypeOf(key, printed, value);
            return [key, other && other.isThroughout === isThroughout ? other.value : value];
          }),
        ),
      ),
  };
}

interface OtherType {
  readonly actual: string;
  /** As printed. */
  readonly value: unknown;
  readonly isThroughout?: true;
  /** It says less than the printed type would. */
  readonly isUnknown?: true;
}

const NUMBER = /^-?\d+(\.\d+)?$/;
/** They are known to come as other datetimes too. */
const OPEN_TIMES: ReadonlySet<string> = new Set([
  'scales/field-client-reported-create-timestamp',
  'events/field-created-at',
]);

/** What a value says in another type than printed; undefined where it is right, or says nothing. */
function otherTypeOf(name: string, { type, clause, also }: Field, value: unknown): OtherType | undefined {
  if (also !== undefined || value === null || isObject(value)) return undefined;
  if (type === 'integer' || type === 'number') {
    if (typeof value !== 'string' || !NUMBER.test(value)) return undefined;
    return { actual: 'a string', value: Number(value), ...(/id$/i.test(name) && { isThroughout: true }) };
  }
  if (type === 'timestamp') {
    const ms = typeof value === 'number' && !OPEN_TIMES.has(clause) ? datetimeMs(value) : undefined;
    if (ms === undefined) return undefined;
    const read = { value: new Date(ms).toISOString(), isThroughout: true } as const;
    return ms === value ? { ...read, actual: 'a number' } : { ...read, actual: 'a number of seconds', isUnknown: true };
  }
  if (type === 'boolean') {
    return value === 'true' || value === 'false' ? { actual: 'a string', value: value === 'true' } : undefined;
  }
  return type === 'string' && typeof value === 'number' ? { actual: 'a number', value: String(value) } : undefined;
}
