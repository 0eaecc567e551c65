/**
 * API keys and tags as a target wants them: the bodies of their requests, and where their answers have a key, are gaps.
 */

import { MEDIA_TYPES } from '../../specification/headers.ts';
import type { Dialect } from '../../targets/dialect.ts';
import { expectSuccess, type Answer } from '../expect/answer.ts';
import { leavesOf, placeOf, valueAt } from '../../common/places.ts';
import { expectThat } from '../expect/that.ts';
import { apiKeyPath, tagPath } from './account-paths.ts';
import type { ApiClient, Content } from './api-client.ts';
import { ifOffered } from './check-ended.ts';
import type { CheckContext } from './context.ts';

const withType = (type: string, body: string): Content => ({ headers: [['Content-Type', type]], body });

export const API_KEY_BODIES: Readonly<Record<Dialect['api-key-body'], Content>> = {
  none: {},
  'empty-json': withType(MEDIA_TYPES.json.value, ''),
  'empty-object': { json: {} },
};

export const TAG_BODIES: Readonly<Record<Dialect['tag-body'], (value: string) => Content>> = {
  'json-string': (value) => ({ json: value }),
  object: (value) => ({ json: { value } }),
  text: (value) => withType('text/plain', value),
};

/** Names of what a careless service finds where it has stored nothing: members of any object, and words of JSON. */
export const INHERITED_NAMES = ['constructor', 'toString', '__proto__', 'null', 'true', '0'] as const;

/** The answer to the creation of an API key. */
export async function postKey(context: CheckContext, name: string, api = context.api): Promise<Answer> {
  const body = API_KEY_BODIES[await context.speak('api-key-body')];
  return api.send({ method: 'POST', path: apiKeyPath(name), ...body });
}

/** The answer to the writing of a tag. */
export async function postTag(context: CheckContext, name: string, value: string, api = context.api): Promise<Answer> {
  const body = TAG_BODIES[await context.speak('tag-body')](value);
  return api.send({ method: 'POST', path: tagPath(name), ...body });
}

/** A new key of the account that this client acts for. Ends the check as blocked when it cannot be made. */
export async function newKey(context: CheckContext, api: ApiClient, name: string): Promise<string> {
  const created = await postKey(context, name, api);
  context.require(expectSuccess(created));
  const key = await shownKey(context, { created, name, api });
  context.require(expectSuccess(await tryKey(context.callAs(key))));
  return key;
}

/** The key that a creation made, where the target shows keys, whether it authenticates or not. */
export async function shownKey(context: CheckContext, { created, name, api = context.api }: Creating): Promise<string> {
  const { isOfGet, place } = placeOfKey(await context.speak('new-key'), name);
  const shown = isOfGet ? await api.get(apiKeyPath(name)) : created;
  const key = valueAt(shown.value, place);
  context.require(expectThat(typeof key === 'string', `${place} of ${shown.request}`, 'a key', shown.value));
  return String(key);
}

/** The answer to the creation of a key of this name. */
interface Creating {
  readonly created: Answer;
  readonly name: string;
  readonly api?: ApiClient | undefined;
}

/** Before the place of a key that is read by GET /account/apikey/{description}, as its creation does not show it. */
const OF_GET = 'GET ';

/** Where a key of this name stands: in the answer to its creation, or in that of GET /account/apikey/{description}. */
export function placeOfKey(answer: string, name: string): { readonly isOfGet: boolean; readonly place: string } {
  const isOfGet = answer.startsWith(OF_GET);
  return { isOfGet, place: (isOfGet ? answer.slice(OF_GET.length) : answer).replace('{name}', name) };
}

/**
 * The key that a creation made, as its answer shows it or else the GET of its name, with its place. A string that is
 * the whole answer is the key, whether it authenticates or not: then nothing else is looked at.
 */
export async function createdKey(
  context: CheckContext,
  { created, name, api = context.api }: Creating,
): Promise<FoundKey | undefined> {
  const found = await keyIn(context, created);
  if (found || isWholeKey(created)) return found;
  const read = await keyIn(context, await api.get(apiKeyPath(name)));
  return read && { ...read, place: OF_GET + read.place };
}

/** Whether an answer is nothing but what may be a key. */
function isWholeKey({ value }: Answer): boolean {
  return typeof value === 'string' && mayBeKey(value);
}

/** As createdKey, of a check. Ends it as untestable where no answer of the target shows keys. */
export async function keyCreatedBy(
  context: CheckContext,
  created: Answer,
  name: string,
  api = context.api,
): Promise<string | undefined> {
  const found = await createdKey(context, { created, name, api });
  if (!found && !isWholeKey(created)) await context.speak('new-key');
  return found?.key;
}

/**
 * Where GET /account/apikey/{name} shows a key, with `{name}` for its name; undefined where no key is shown twice.
 * Leaves the account with one key more.
 */
export async function placeOfShownKey(context: CheckContext, api: ApiClient): Promise<string | undefined> {
  const name = 'shown-again';
  const key = await newKey(context, api, name);
  return placeOf((await api.get(apiKeyPath(name))).value, key)?.replace(name, '{name}');
}

/** More strings of an answer are not tried as keys. */
const STRINGS_TRIED = 12;
const KEY_MIN_CHARACTERS = 8;

interface FoundKey {
  readonly key: string;
  readonly place: string;
}

/** The string in an answer that authenticates, which is how a key is known, and its place; undefined when none does. */
export async function keyIn(context: CheckContext, answer: Answer): Promise<FoundKey | undefined> {
  const [first] = await keysIn(context, answer, 1);
  return first;
}

/** As keyIn, all of them up to this number. */
export async function keysIn({ callAs }: CheckContext, answer: Answer, most: number): Promise<readonly FoundKey[]> {
  const found: FoundKey[] = [];
  const { likely = [], odd = [] } = Object.groupBy(leavesOf(answer.value).filter(isUserName), ([, leaf]) =>
    mayBeKey(leaf) ? 'likely' : 'odd',
  );
  for (const [place, leaf] of [...likely, ...odd].slice(0, STRINGS_TRIED)) {
    const key = String(leaf);
    if ((await tryKey(callAs(key))).status < 300) found.push({ key, place });
    if (found.length === most) break;
  }
  return found;
}

/** By the endpoint that does nothing, or another one that every account has. */
async function tryKey(api: ApiClient): Promise<Answer> {
  return (await ifOffered(api.get('/noop'))) ?? (await api.get('/whoami'));
}

/** What Basic credentials have room for before the colon: nothing is printed of how a key looks. */
function isUserName([, leaf]: readonly [string, string | number]): boolean {
  return typeof leaf === 'string' && leaf !== '' && !/[:\p{Cc}]/u.test(leaf);
}

function mayBeKey(leaf: string | number): boolean {
  return typeof leaf === 'string' && leaf.length >= KEY_MIN_CHARACTERS && /^[\x21-\x7e]+$/.test(leaf);
}
