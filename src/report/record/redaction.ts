/**
 * Redaction: no key ever reaches a report, in whatever form it was sent or came back.
 */

import type { ShellSecret } from '../../wire/curl.ts';

/** Replaces secrets in a text by the names of their variables. */
export type Redact = (text: string) => string;

/** A shorter form is hidden where it stands alone only: inside a text it would be part of any word. */
const TELLING_CHARACTERS = 6;

/** A redaction of these secrets: as they are, as Basic credentials, percent-encoded and JSON-escaped. */
export function createRedaction(secrets: readonly ShellSecret[]): Redact {
  const names = new Map<string, string>();
  for (const { value, variable } of secrets) {
    for (const form of value === '' ? [] : formsOf(value))
      if (!names.has(form)) names.set(form, `$${variable}`);
  }
  if (names.size === 0) return (text) => text;
  // Longer forms first: a key may be part of the credentials made of it. One pass: there may be hundreds.
  const forms = [...names.keys()].toSorted((left, right) => right.length - left.length);
  const any = new RegExp(forms.map(patternOf).join('|'), 'g');
  return (text) => text.replaceAll(any, (form) => names.get(form) ?? '');
}

function patternOf(form: string): string {
  const literal = form.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`);
  return form.length >= TELLING_CHARACTERS ? literal : `(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`;
}

function formsOf(secret: string): readonly string[] {
  const plain = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const encoded = [`${secret}:`, secret].flatMap((text) => {
    const base64 = Buffer.from(text).toString('base64');
    return [base64, base64.replace(/=+$/, ''), Buffer.from(text).toString('base64url')];
  });
  return [...new Set([...plain, ...encoded])];
}

/** The value with every text in it redacted; names of properties stay. */
export function redactDeep<Value>(value: Value, redact: Redact): Value {
  return walk(value, redact) as Value;
}

function walk(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, redact)]));
}
