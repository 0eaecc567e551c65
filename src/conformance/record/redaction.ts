/**
 * Redaction: no key ever reaches a report, in whatever form it was sent or came back. Secret are the keys a
 * run was given, those of accounts made for it, and those the service handed out.
 */

import { spellingsOf } from '../../common/spellings.ts';
import type { ShellSecret } from '../../wire/curl.ts';
import type { ConformanceResult } from '../run/run-conformance.ts';

/** Replaces secrets in a text by the names of their variables. */
export type Redact = (text: string) => string;

/** A shorter form is hidden where it stands alone only: inside a text it may be part of a word. */
const TELLING_CHARACTERS = 16;

/** A redaction of these secrets: as they are, as Basic credentials, percent-encoded and JSON-escaped. */
export function createRedaction(secrets: readonly ShellSecret[]): Redact {
  const names = new Map<string, string>();
  for (const { value, variable } of secrets) {
    for (const form of value === '' ? [] : formsOf(value)) if (!names.has(form)) names.set(form, `$${variable}`);
  }
  if (names.size === 0) return (text) => text;
  // Longer forms first: a key may be part of the credentials made of it. One pass: there may be hundreds.
  const forms = [...names.keys()].toSorted((left, right) => right.length - left.length);
  const any = new RegExp(forms.map(patternOf).join('|'), 'g');
  const mayHaveOne = sieveOf(forms);
  return (text) => (mayHaveOne(text) ? text.replaceAll(any, (form) => names.get(form) ?? '') : text);
}

const BEGINNING_CHARACTERS = 8;
const HASHED_CHARACTERS = 4;
const HASH_BITS = 16;
const GOLDEN_RATIO = 0x9e3779b1;

/** The slot for four characters, packed into a number. */
const slotOf = (four: number): number => Math.imul(four, GOLDEN_RATIO) >>> (32 - HASH_BITS);

/** Whether one of the forms may be in a text, by how they begin: faster than a search for each of hundreds. */
function sieveOf(forms: readonly string[]): (text: string) => boolean {
  const length = Math.min(BEGINNING_CHARACTERS, ...forms.map((form) => form.length));
  if (length < HASHED_CHARACTERS) return () => true;
  const beginnings = new Set(forms.map((form) => form.slice(0, length)));
  const isTaken = new Uint8Array(1 << HASH_BITS);
  for (const beginning of beginnings) {
    let four = 0;
    for (let index = 0; index < length; index++) four = (four << 8) | (beginning.charCodeAt(index) & 0xff);
    isTaken[slotOf(four)] = 1;
  }
  return (text) => {
    let four = 0;
    for (let index = 0; index < text.length; index++) {
      four = (four << 8) | (text.charCodeAt(index) & 0xff);
      if (isTaken[slotOf(four)] === 1 && beginnings.has(text.slice(index + 1 - length, index + 1))) return true;
    }
    return false;
  };
}

function patternOf(form: string): string {
  const literal = form.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`);
  return form.length >= TELLING_CHARACTERS ? literal : `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`;
}

/** As it is, and as the user of Basic credentials. */
function formsOf(secret: string): readonly string[] {
  return [...new Set([...spellingsOf(secret), ...spellingsOf(`${secret}:`)])];
}

/** The secrets of a run, longest first: one key may be the beginning of the other. */
export function secretsOf({
  target,
  keys,
  handedOut,
}: Pick<ConformanceResult, 'target' | 'keys' | 'handedOut'>): readonly ShellSecret[] {
  const named = new Map<string, string>();
  const add = (value: string | undefined, variable: string): void => {
    if (value !== undefined && value !== '' && !named.has(value)) named.set(value, variable);
  };
  add(target.apiKey, 'PLATEN_API_KEY');
  add(target.secondApiKey, 'PLATEN_SECOND_API_KEY');
  add(target.integratorApiKey, 'PLATEN_INTEGRATOR_API_KEY');
  // What was done in an account made for the run can be repeated in the one that stays.
  for (const key of keys) add(key, 'PLATEN_API_KEY');
  for (const key of handedOut) add(key, 'PLATEN_KEY_OF_CHECK');
  return [...named]
    .map(([value, variable]) => ({ value, variable }))
    .toSorted((left, right) => right.value.length - left.value.length);
}
