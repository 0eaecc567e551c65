/**
 * Keys that the service hands out during a run: secrets as the one that the run was given, as long as the
 * accounts live that they belong to. Found in what was answered, so that no check has to remember them.
 *
 *   GET, POST /account/apikey/…   GET /client/key/…   POST /account   every key that a request was made with
 */

import { formDecoded } from '../../common/form-decoded.ts';
import { parseJson } from '../../common/json-value.ts';
import { type Exchange } from '../../wire/http-exchange.ts';
import { timestampMs } from '../../common/timestamp.ts';
import { headerValues } from '../../common/header-pairs.ts';

const HANDED_OUT = /^(GET|POST) \/+(account\/apikey|client\/key)\/|^POST \/+account\/?(\?|$)/;
/** Shorter strings are not keys: names, states, words. */
const KEY_LEAST_CHARACTERS = 16;
/** User names that let a request through; shorter ones may be part of any word. */
const USER_LEAST_CHARACTERS = 8;

/** Each key once. */
export function handedOutKeys(exchanges: readonly Exchange[]): readonly string[] {
  const keys = new Set<string>();
  for (const { request, response } of exchanges) {
    if (response.status >= 400) continue;
    const user = userOf(headerValues(request.headers, 'authorization')[0]);
    if (user !== undefined && user.length >= USER_LEAST_CHARACTERS) keys.add(user);
    if (!HANDED_OUT.test(`${request.method} ${request.path}`)) continue;
    const said = formDecoded(`${request.path} ${Buffer.from(request.body ?? '').toString('utf8')}`);
    for (const text of valuesIn(parseJson(response.body))) if (isKey(text, said)) keys.add(text);
  }
  return [...keys];
}

/** What comes back as it was sent is a name, an email or a value of ours. */
function isKey(text: string, said: string): boolean {
  const mayBeKey = text.length >= KEY_LEAST_CHARACTERS && /^[!-?A-~]+$/.test(text) && timestampMs(text) === undefined;
  return mayBeKey && !said.includes(text);
}

/** Every text in a value, without names of members. */
function valuesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(valuesIn);
}

function userOf(authorization: string | undefined): string | undefined {
  const [, encoded] = /^basic\s+(\S+)$/i.exec(authorization ?? '') ?? [];
  const user = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':')[0];
  return user === '' ? undefined : user;
}
