/**
 * Redaction: takes secrets out of what the workbench shows of the traffic.
 *
 *   headers   authorization, cookies and secrets become `…`
 *   query     values of parameters whose name speaks of a secret
 *   bodies    such fields, in JSON and in forms
 *   anywhere  the keys that the workbench knows, and what has the form of one
 */

import { formDecoded } from '../../common/form-decoded.ts';
export const HIDDEN = '…';

const SECRET_NAME = /auth|key|pass|secret|sign|token|credential|cookie|session|\bpin\b|^sig$/i;
/** Names that only look like it: nothing secret is in them. */
const HARMLESS_NAME = /^(?:x-idempotency-key|x-auth-with|www-authenticate|x-authorized-as|access-control-)/i;
/** API keys and client keys as the service makes them (choices api-keys and client-key). */
const KEY_FORM = /\b(?:[0-9a-f]{40}|ck-[A-Za-z0-9]{44})\b/g;
const JSON_FIELD = /("(?:[^"\\]|\\.){0,64}")(\s*:\s*)("(?:[^"\\]|\\.)*"?|\[[^\]{}]*\]?)/g;
/** In addresses within a text. */
const USER_INFO = /(:\/\/)[^/@\s"]{1,200}@/g;
const QUERY_FIELD = /([?&])([^=&?"\s]{1,100})=([^&"\s]*)/g;
const FORM_FIELD = /(^|[&?])([^=&]{1,200})=([^&]*)/g;

export class Redaction {
  readonly #keys: () => readonly string[];

  /** @param keys - the keys that are known at the moment */
  constructor(keys: () => readonly string[]) {
    this.#keys = keys;
  }

  /** Text with no known key in it, nor anything of the form of one. */
  text(text: string): string {
    let shown = text;
    // The longest first: one key may be the beginning of another.
    for (const key of this.#keys().toSorted((a, b) => b.length - a.length)) {
      if (key === '') continue;
      shown = shown.replaceAll(key, HIDDEN).replaceAll(encodeURIComponent(key), HIDDEN);
    }
    return shown.replaceAll(KEY_FORM, HIDDEN);
  }

  /** A request target: the path, and the query with the values hidden that are secrets. */
  target(target: string): string {
    const at = target.indexOf('?');
    if (at === -1) return this.text(target);
    return this.text(target.slice(0, at) + hideFields(target.slice(at)));
  }

  /** A foreign address: without user info and without any value of the query. */
  foreignUrl(text: string): string {
    if (!URL.canParse(text)) return this.text(text);
    const url = new URL(text);
    url.username = '';
    url.password = '';
    const names = [...url.searchParams.keys()];
    url.search = '';
    url.hash = '';
    const query = names.map((name) => `${encodeURIComponent(name)}=${HIDDEN}`).join('&');
    return this.text(query === '' ? url.href : `${url.href}?${query}`);
  }

  header(name: string, value: string): string {
    const isSecret = SECRET_NAME.test(name) && !HARMLESS_NAME.test(name);
    return isSecret ? HIDDEN : this.text(value);
  }

  /** A body: JSON, form, or neither. Works on a part of one too. */
  body(text: string): string {
    const isForm = /^[^\s{["=]{1,200}=/.test(text);
    const shown = isForm ? hideFields(text) : text.replaceAll(JSON_FIELD, hideJsonField);
    return this.text(hideFields(shown.replaceAll(USER_INFO, `$1${HIDDEN}@`), QUERY_FIELD));
  }
}

function hideJsonField(whole: string, name: string, colon: string): string {
  return isSecretName(name.slice(1, -1)) ? `${name}${colon}"${HIDDEN}"` : whole;
}

function hideFields(text: string, field = FORM_FIELD): string {
  return text.replaceAll(field, (whole, before: string, name: string) =>
    isSecretName(formDecoded(name)) ? `${before}${name}=${HIDDEN}` : whole,
  );
}

function isSecretName(name: string): boolean {
  return name === 'user' || SECRET_NAME.test(name);
}
