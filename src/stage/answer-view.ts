/**
 * View of an answer: an exchange with the service as values, read step by step as the specification prints it.
 */

import { hash } from 'node:crypto';

import { headerValues, type HeaderPair } from '../common/header-pairs.ts';
import { isObject, type JsonObject, NotJson, parseJson } from '../common/json-value.ts';
import { endpointFor } from '../oracle/endpoint-for.ts';
import type { Endpoint, Field, FieldType } from '../specification/clause.ts';
import { CAPABILITY_FIELDS, COMPUTER_FIELDS, STATISTIC_MEASURES } from '../specification/fields.ts';
import { RESPONSE_HEADERS } from '../specification/headers.ts';
import { ANSWERS, RESOURCES } from '../specification/resources.ts';
import type { Exchange } from '../wire/http-exchange.ts';

export interface AnswerView {
  /** Undefined for a path that the specification does not print. */
  readonly endpoint: Endpoint | undefined;
  /** As it was asked for, with its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  /** Sent with credentials. */
  readonly isAuthenticated: boolean;
  /** The value of the JSON body, or a NotJson. */
  readonly value: unknown;
}

export type Fields = Readonly<Record<string, Field>>;

export function viewOf({ request, response }: Exchange): AnswerView {
  let parsed: { readonly value: unknown } | undefined;
  return {
    endpoint: endpointFor(request.method, request.path),
    path: request.path,
    status: response.status,
    headers: response.headers,
    isAuthenticated: headerValues(request.headers, 'Authorization').length > 0,
    get value() {
      parsed ??= { value: parseJson(response.body) };
      return parsed.value;
    },
  };
}

/** The exchange with an answer as it was read. What speaks of its body speaks of the one that was read. */
export function exchangeAs(exchange: Exchange, { status, headers, value }: AnswerView): Exchange {
  const { response } = exchange;
  const body = value instanceof NotJson ? response.body : Buffer.from(JSON.stringify(value));
  const { contentMd5, contentType } = RESPONSE_HEADERS;
  const digest = hash('md5', body, 'base64');
  const isRight = headerValues(headers, contentMd5.name)[0] === hash('md5', response.body, 'base64');
  const digested = isRight ? withHeader(headers, contentMd5.name, digest) : headers;
  // A 204 has no content, and need not speak of it.
  const described =
    response.status === 204
      ? withHeader(withHeader(headers, contentMd5.name, digest), contentType.name, contentType.value)
      : digested;
  return { ...exchange, response: { status, headers: described, body } };
}

function withHeader(headers: readonly HeaderPair[], name: string, value: string): readonly HeaderPair[] {
  return [...headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase()), [name, value]];
}

export const isSuccess = ({ status }: AnswerView): boolean => status >= 200 && status < 300;

/** `DELETE /printjobs`: how a deviation names where it was met. */
export function nameOf({ endpoint }: AnswerView): string {
  return endpoint ? `${endpoint.method} ${endpoint.path}` : 'any request';
}

/** The fields of what an endpoint answers; undefined where the specification does not show them. */
export function fieldsOf({ returns }: Endpoint): Fields | undefined {
  const answer = ANSWERS[returns];
  return answer.kind === 'value' || answer.kind === 'open' ? undefined : RESOURCES[answer.of].fields;
}

export interface ShownRecord {
  readonly record: JsonObject;
  readonly fields: Fields;
  /** The fields are the ones that may be there, not the ones that must. */
  readonly isOpen?: true | undefined;
}

/** The first record of an answer, and those in it. */
export function firstRecords(view: AnswerView): readonly ShownRecord[] {
  const fields = view.endpoint && isSuccess(view) ? fieldsOf(view.endpoint) : undefined;
  if (!view.endpoint || !fields) return [];
  const first = isOne(view.endpoint) ? view.value : firstOf(view.value);
  return isObject(first) ? withInner({ record: first, fields }) : [];
}

const isOne = ({ returns }: Endpoint): boolean => ANSWERS[returns].kind === 'one';

/** The first one of a list, of lists, or of lists by id. */
function firstOf(value: unknown): unknown {
  if (!Array.isArray(value) && !isObject(value)) return undefined;
  const [first] = Object.values(value) as readonly unknown[];
  return Array.isArray(first) ? (first as readonly unknown[])[0] : first;
}

function withInner(shown: ShownRecord): readonly ShownRecord[] {
  const { record, fields } = shown;
  const inner = Object.entries(fields).flatMap(([name, field]) => {
    const ofField = innerOf(field, record[name]);
    return ofField ? withInner(ofField) : [];
  });
  return [shown, ...inner];
}

/** The record that a field holds, where its keys are printed. */
function innerOf({ type, fields, anyOfFields }: Field, record: unknown): ShownRecord | undefined {
  const ofType = INNER[type] ?? fields;
  if (!ofType || !isObject(record)) return undefined;
  return { record, fields: ofType, isOpen: type === 'statistic' ? true : anyOfFields };
}

const INNER: Readonly<Partial<Record<FieldType, Fields>>> = {
  'Computer object': COMPUTER_FIELDS,
  'capabilities object': CAPABILITY_FIELDS,
  statistic: Object.fromEntries(
    Object.entries(STATISTIC_MEASURES).map(([name, { clause }]) => [name, { type: 'number', clause }]),
  ),
};

/** The view with each of its records changed, those in others too. */
export function changingRecords(view: AnswerView, change: (shown: ShownRecord) => JsonObject): AnswerView {
  const fields = view.endpoint && fieldsOf(view.endpoint);
  if (!view.endpoint || !fields) return view;
  const changed = (value: unknown): unknown =>
    isObject(value) ? changedRecord({ record: value, fields }, change) : value;
  return { ...view, value: isOne(view.endpoint) ? changed(view.value) : changedMembers(view.value, changed) };
}

function changedMembers(value: unknown, changed: (value: unknown) => unknown): unknown {
  const each = (member: unknown): unknown => (Array.isArray(member) ? member.map(changed) : changed(member));
  if (Array.isArray(value)) return value.map(each);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, each(member)]));
}

function changedRecord({ record, fields }: ShownRecord, change: (shown: ShownRecord) => JsonObject): JsonObject {
  const changed = change({ record, fields });
  const inner = Object.entries(fields).flatMap(([name, field]) => {
    const ofField = innerOf(field, changed[name]);
    return ofField ? [[name, changedRecord(ofField, change)] as const] : [];
  });
  return { ...changed, ...Object.fromEntries(inner) };
}
