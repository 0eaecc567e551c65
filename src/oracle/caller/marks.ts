/**
 * Marks: what tells one thing that an app wants printed from another: printer, title, content, options and qty. Two
 * runs are compared by the multisets of their marks, so that identical labels on purpose count as what they are.
 *
 * Where two unharmed runs differ in a field, what differs of it is masked. What is stable stays: with digits masked
 * always, label 1 and label 2 would be one.
 */

import { createHash } from 'node:crypto';

import { isObject, parseText } from '../../common/json-value.ts';
import { SUBMISSION, type CallerHistory, type SeenRequest } from '../../record/caller-history.ts';
import { REQUEST_HEADERS } from '../../specification/headers.ts';

const KEY_HEADER = REQUEST_HEADERS.idempotencyKey.name.toLowerCase();
const FIELDS = ['printer', 'title', 'content', 'options', 'qty'] as const;
type Field = (typeof FIELDS)[number];

export type Mark = Readonly<Record<Field, string>>;

export interface Submission {
  readonly request: SeenRequest;
  readonly mark: Mark;
  /** Undefined where none was sent, or an empty one. */
  readonly key: string | undefined;
}

/** What is compared of each field: all of it, its shape, or nothing. */
export type Mask = Readonly<Record<Field, 'all' | 'shape' | 'nothing'>>;

export function submissionsOf({ requests }: Pick<CallerHistory, 'requests'>): readonly Submission[] {
  return requests
    .filter(({ place }) => place === SUBMISSION)
    .map((request) => ({ request, mark: markOf(request), key: request.headers[KEY_HEADER] || undefined }));
}

/** The fields of a submission, from JSON or a form. */
export function fieldsOf({ body }: Pick<SeenRequest, 'body'>): Readonly<Record<string, unknown>> {
  const text = body.toString();
  const read = parseText(text);
  if (read.ok && isObject(read.value)) return read.value;
  return Object.fromEntries(new URLSearchParams(text));
}

function markOf(request: SeenRequest): Mark {
  const { printerId, title, content, options, qty = 1 } = fieldsOf(request);
  return {
    printer: textOf(printerId),
    title: textOf(title),
    content: textOf(content),
    options: textOf(options),
    qty: textOf(qty),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** What has to be masked for two unharmed runs to be alike. */
export function maskFor(one: readonly Submission[], other: readonly Submission[]): Mask {
  const levelOf = (field: Field): Mask[Field] => {
    const level = (['all', 'shape'] as const).find((tried) => areSame(shown(one), shown(other), tried));
    function shown(submissions: readonly Submission[]): readonly string[] {
      return submissions.map(({ mark }) => mark[field]);
    }
    return level ?? 'nothing';
  };
  return Object.fromEntries(FIELDS.map((field) => [field, levelOf(field)])) as Mask;
}

/** How often each occurs is not asked: the app may print more of it each time. */
function areSame(one: readonly string[], other: readonly string[], level: 'all' | 'shape'): boolean {
  const [a, b] = [one, other].map((texts) => [...new Set(texts.map((text) => masked(text, level)))].toSorted());
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Names a group of submissions that are the same to this mask. */
export function groupName(mark: Mark, mask: Mask): string {
  return FIELDS.map((field) => (mask[field] === 'nothing' ? '' : hash(masked(mark[field], mask[field])))).join(' ');
}

/** What differs between two unharmed runs, a sentence each. */
export function maskInWords(mask: Mask): readonly string[] {
  return FIELDS.filter((field) => mask[field] !== 'all').map((field) =>
    mask[field] === 'shape'
      ? `The ${field} of a job has another number, date or id each time, which is not compared.`
      : `The ${field} of a job is another each time, and is not compared.`,
  );
}

/** UUIDs, other ids in hexadecimal, numbers, dates. */
const BY_CHANCE = /[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}|\b(?=[a-f]*\d)[\da-f]{8,}\b|\d+/gi;

function masked(text: string, level: 'all' | 'shape'): string {
  return level === 'all' ? text : decoded(text).replaceAll(BY_CHANCE, '#');
}

const BASE64 = /^[A-Za-z\d+/]{8,}={0,2}$/;

function decoded(text: string): string {
  return BASE64.test(text) ? Buffer.from(text, 'base64').toString('latin1') : text;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** A title without numbers and ids: what an app's code has there. */
export function titleShape({ title }: Mark): string {
  return masked(title, 'shape');
}
