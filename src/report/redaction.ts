/**
 * Redaction: no key ever reaches a report, in whatever form it was sent or came back.
 */

import type { ShellSecret } from '../wire/curl.ts';

/** Replaces secrets in a text by the names of their variables. */
export type Redact = (text: string) => string;

/** A shorter form is hidden where it stands alone only: inside a text it would be part of any word. */
const TELLING_CHARACTERS = 6;

/** A redaction of these secrets: as they are, as Basic credentials, percent-encoded and JSON-escaped. */
export function createRedaction(secrets: readonly ShellSecret[]): Redact {
  const forms = secrets
    .filter(({ value }) => value !== '')
    .flatMap(({ value, variable }) => formsOf(value).map((form) => [form, `$${variable}`] as const))
    // Longer forms first: a key may be part of the credentials made of it.
    .toSorted(([left], [right]) => right.length - left.length);
  return (text) => forms.reduce((redacted, [form, name]) => hide(redacted, form, name), text);
}

function hide(text: string, form: string, name: string): string {
  if (form.length >= TELLING_CHARACTERS) return text.replaceAll(form, name);
  const alone = new RegExp(`(?<![A-Za-z0-9])${form.replaceAll(/[^A-Za-z0-9]/g, '\\$&')}(?![A-Za-z0-9])`, 'g');
  return text.replaceAll(alone, name);
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
