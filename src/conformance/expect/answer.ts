/**
 * Answer: a view of a response for checks, and what can be expected of it: status, headers, error, lists of
 * records, bare arrays of ids, and strings anywhere in a body whose shape the specification does not show.
 *
 * The value of its body is `unknown`: nothing that the service says about itself is believed unchecked.
 */

import { requestName } from '../../common/request-name.ts';
import { isObject, NotJson, parseJson, showValue } from '../../common/json-value.ts';
import { headerValues } from '../../common/header-pairs.ts';
import { type Exchange } from '../../wire/http-exchange.ts';
import { absentAmong, ofList, type Mismatch } from '../../oracle/mismatch.ts';
import { showsTag } from '../../oracle/shown-tag.ts';
import { ERROR_FIELDS } from '../../specification/errors.ts';
import { isText, recordIds } from './records.ts';
import { expectThat } from './that.ts';

export interface Answer {
  /** Position in the history of the run. */
  readonly position: number;
  readonly exchange: Exchange;
  /** `GET /ping`: for messages. */
  readonly request: string;
  readonly status: number;
  /** As it was sent, where the status is read otherwise. */
  readonly sentStatus: number;
  /** Where its records have their id, if it is a list. Ends the check where that could not be found out. */
  readonly idName: string;
  /** The value of the JSON body, or a NotJson. */
  readonly value: unknown;
  /** The first header of this name, any case. */
  header(name: string): string | undefined;
}

export const usualIdName = (): string => 'id';

export function answerOf(
  exchange: Exchange,
  position: number,
  idName = usualIdName,
  sentStatus = exchange.response.status,
): Answer {
  const { request, response } = exchange;
  let parsed: { readonly value: unknown } | undefined;
  return {
    position,
    exchange,
    request: requestName(request),
    status: response.status,
    sentStatus,
    get idName() {
      return idName();
    },
    get value() {
      parsed ??= { value: parseJson(response.body) };
      return parsed.value;
    },
    header: (name) => headerValues(response.headers, name)[0],
  };
}

/** A mismatch in the body of an answer, or in the part of it that `at` names. */
export function mismatchIn(
  { position, request, value }: Answer,
  expected: string,
  actual = showValue(value),
  at = `body of ${request}`,
): Mismatch {
  const isEmpty = value instanceof NotJson && value.text === '';
  return { expected, actual, at, exchange: position, ...absentAmong(isEmpty ? undefined : value) };
}

function wrongStatus(answer: Answer, expected: string, status: string): Mismatch {
  const actual = `status ${answer.sentStatus} with ${showValue(answer.value)}`;
  return { ...mismatchIn(answer, expected, actual, answer.request), wanted: { status } };
}

export function expectStatus(answer: Answer, status: number): Mismatch | undefined {
  return answer.status === status ? undefined : wrongStatus(answer, `status ${status}`, String(status));
}

export function expectSuccess(answer: Answer): Mismatch | undefined {
  return answer.status >= 200 && answer.status < 300 ? undefined : wrongStatus(answer, 'a 2xx status', '2..');
}

/** Expects any status but one that says that the service itself failed. */
export function expectNo5xx({ status, request }: Answer): Mismatch | undefined {
  return expectThat(status < 500, `status of ${request}`, 'no 5xx', status);
}

/** Expects a 4xx: the specification says that it is refused, and not how. */
export function expectRefusal(answer: Answer): Mismatch | undefined {
  return answer.status >= 400 && answer.status < 500 ? undefined : wrongStatus(answer, 'a 4xx status', '4..');
}

/** Expects a 4xx with the error object, whatever its status and code. */
export function expectErrorObject(answer: Answer): Mismatch | undefined {
  return expectRefusal(answer) ?? expectBody(answer, 'the error object', isErrorObject);
}

function isErrorObject(value: unknown): boolean {
  return isObject(value) && Object.keys(ERROR_FIELDS).every((key) => isText(value[key]));
}

/** Expects a header; without `accepts` any value that is not empty will do. */
export function expectHeader(
  answer: Answer,
  name: string,
  expected = 'a value',
  accepts?: (value: string) => boolean,
): Mismatch | undefined {
  const value = answer.header(name);
  if (value !== undefined && (accepts ? accepts(value) : value !== '')) return undefined;
  const actual = value === undefined ? 'no such header' : showValue(value);
  const at = `header ${name} of ${answer.request}`;
  const mismatch = { expected, actual, at, exchange: answer.position, ...absentAmong(value) };
  return accepts ? mismatch : { ...mismatch, wanted: { header: name } };
}

export function expectHeaderValue(answer: Answer, name: string, wanted: string): Mismatch | undefined {
  const mismatch = expectHeader(answer, name, showValue(wanted), (value) => value === wanted);
  return mismatch && { ...mismatch, wanted: { header: name, value: wanted } };
}

export function expectBody(
  answer: Answer,
  expected: string,
  accepts: (value: unknown) => boolean,
): Mismatch | undefined {
  return accepts(answer.value) ? undefined : mismatchIn(answer, expected);
}

/** Whether one of these texts stands in the body, whichever way its JSON is written. */
export function showsAny({ value }: Answer, texts: readonly string[]): boolean {
  const shown = JSON.stringify(value);
  return texts.some((text) => shown.includes(text));
}

/** Expects such a body, with any status that says success. */
export function expectFound(
  answer: Answer,
  expected: string,
  accepts: (value: unknown) => boolean,
): Mismatch | undefined {
  return expectSuccess(answer) ?? expectBody(answer, expected, accepts);
}

export interface ErrorRow {
  readonly status: number;
  /** Null where the specification prints none. */
  readonly code: string | null;
}

/** Expects this error: its status, and its code where the specification prints one. */
export function expectError(answer: Answer, { status, code }: ErrorRow): Mismatch | undefined {
  return expectStatus(answer, status) ?? (code === null ? undefined : expectErrorCode(answer, code));
}

export function expectErrorCode(answer: Answer, code: string): Mismatch | undefined {
  const actual = isObject(answer.value) ? answer.value['code'] : answer.value;
  if (actual === code) return undefined;
  const at = `body.code of ${answer.request}`;
  return { ...mismatchIn(answer, showValue(code), showValue(actual), at), wanted: { code } };
}

/** The ids of its records; undefined when it is not a list of records that have one. */
export function idsIn({ value, idName }: Answer): readonly number[] | undefined {
  return recordIds(value, idName);
}

/** Expects an array of objects that each have an id. */
export function expectRecords(answer: Answer): Mismatch | undefined {
  const ids = answer.idName === 'id' ? 'ids' : `an id at ${answer.idName}`;
  return expectBody(answer, `an array of objects with ${ids}`, () => idsIn(answer) !== undefined);
}

/** Expects records with exactly these ids, in this order. */
export function expectIds(answer: Answer, ids: readonly number[]): Mismatch | undefined {
  const seen = idsIn(answer);
  if (!seen) return expectRecords(answer);
  if (sameIds(seen, ids)) return undefined;
  const isOrder = sameIds(inOrder(seen), inOrder(ids));
  return ofList(
    mismatchIn(answer, `records ${showIds(ids)}`, `records ${showIds(seen)}`),
    isOrder ? 'order' : 'records',
  );
}

/** Expects none of these records: a list without them, or a refusal, as an id that does not exist may get. */
export function expectNone(answer: Answer, ids: readonly number[]): Mismatch | undefined {
  if (expectRefusal(answer) === undefined) return undefined;
  const seen = idsIn(answer);
  if (!seen) return expectRecords(answer);
  const shown = seen.filter((id) => ids.includes(id));
  return shown.length === 0 ? undefined : mismatchIn(answer, `no record ${showIds(ids)}`, `records ${showIds(seen)}`);
}

/** Expects a bare array of exactly these ids, in any order. */
export function expectIdArray(answer: Answer, ids: readonly number[]): Mismatch | undefined {
  const seen = answer.value;
  if (Array.isArray(seen) && sameIds(inOrder(seen), inOrder(ids))) return undefined;
  return mismatchIn(answer, `an array of the ids ${showIds(ids)}, each once`);
}

export function sameIds(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index]);
}

function inOrder(ids: readonly unknown[]): readonly unknown[] {
  return ids.toSorted((a, b) => Number(a) - Number(b));
}

/** Long lists by their ends: `[109, 108 … 10] (100)`. */
function showIds(ids: readonly unknown[]): string {
  if (ids.length <= 12) return `[${ids.join(', ')}]`;
  return `[${ids.slice(0, 3).join(', ')} … ${ids.slice(-3).join(', ')}] (${ids.length} of them)`;
}

/** Every text in a value, names of members included. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

/** Expects each of these texts somewhere in the body. */
export function expectTexts(answer: Answer, wanted: readonly string[]): Mismatch | undefined {
  const texts = textsIn(answer.value);
  const missing = wanted.find((text) => !texts.includes(text));
  return missing === undefined ? undefined : mismatchIn(answer, `${showValue(missing)} in it`);
}

/** Expects an account object to show these tags. @param wanted - by name */
export function expectTags(answer: Answer, wanted: Readonly<Record<string, string>>): Mismatch | undefined {
  const tags = isObject(answer.value) ? answer.value['Tags'] : undefined;
  const missing = Object.entries(wanted).find(([name, value]) => !showsTag(tags, name, value));
  return missing && mismatchIn(answer, `${missing.join(': ')} in it`, showValue(tags), `Tags of ${answer.request}`);
}

/** Expects none of these texts anywhere in the body. */
export function expectNoTexts(answer: Answer, unwanted: readonly string[]): Mismatch | undefined {
  const found = textsIn(answer.value).find((text) => unwanted.includes(text));
  return found === undefined ? undefined : mismatchIn(answer, `nothing of ${showValue(found)}`);
}
