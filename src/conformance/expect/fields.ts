/**
 * Fields of a resource, judged against the field tables of the specification: each field is there and
 * of its type. What a value means is for the checks of its clause.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { expectField, type FieldTable } from '../../oracle/record-fields.ts';
import type { ClauseId } from '../../specification/clauses.ts';
import { COMPUTER_FIELDS } from '../../specification/fields.ts';
import { expectEqual, firstOf } from './that.ts';

/** Judges every field of the table, a null by the clause for it. `at` names the object: `body[0]`. */
export function judgeFields(
  judge: (clause: ClauseId, mismatch: Mismatch | undefined) => void,
  table: FieldTable,
  value: JsonObject,
  at: string,
): void {
  for (const [name, field] of Object.entries(table)) {
    const mismatch = expectField(value, at, name, field);
    const { clause, notNull } = field;
    const isNull = notNull !== undefined && value[name] === null;
    judge(clause, isNull ? undefined : mismatch);
    if (notNull !== undefined) judge(notNull, isNull ? mismatch : undefined);
  }
}

/** Expects the Computer object in a Printer object to be what the computer lists show. */
export function expectListedComputer(printer: JsonObject, computer: JsonObject): Mismatch | undefined {
  const inside = isObject(printer['computer']) ? printer['computer'] : {};
  const fields = Object.keys(COMPUTER_FIELDS);
  return firstOf(...fields.map((name) => expectEqual(`printer.computer.${name}`, inside[name], computer[name])));
}
