/**
 * Account requests: the bodies of POST and PATCH /account, checked field by field.
 *
 * Everything is checked before anything is done, so that a refused request leaves nothing behind. No
 * message repeats a value: a password must not get into anybody's log.
 */

import { LIMITS } from '../../spec/limits.ts';
import { badRequest } from '../gate/api-error.ts';
import { isObject, type Fields } from './body-fields.ts';
import { checkTagName, checkTagValueAtCreation } from './tag.ts';

export interface AccountCreation {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly password: string;
  readonly creatorRef: string | null;
  readonly apiKeyNames: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

/** The fields that a caller wants changed; the others are missing. */
export type AccountUpdate = Partial<Omit<AccountCreation, 'apiKeyNames' | 'tags'>>;

/** @throws ApiError 400 naming the field and what it must be */
export function readAccountCreation(body: unknown): AccountCreation {
  const account = isObject(body) ? body['Account'] : undefined;
  if (!isObject(body) || !isObject(account)) {
    throw badRequest('Account: an object with firstname, lastname, email and password is required');
  }
  return {
    firstname: readText(account, 'firstname'),
    lastname: readText(account, 'lastname'),
    email: readText(account, 'email'),
    password: readPassword(account),
    creatorRef: readCreatorRef(account),
    apiKeyNames: readApiKeyNames(body['ApiKeys']),
    tags: readTags(body['Tags']),
  };
}

const UPDATE_READERS = {
  firstname: (body: Fields) => readText(body, 'firstname'),
  lastname: (body: Fields) => readText(body, 'lastname'),
  email: (body: Fields) => readText(body, 'email'),
  password: readPassword,
  creatorRef: readCreatorRef,
} as const;

/** @throws ApiError 400 naming the field and what it must be */
export function readAccountUpdate(body: unknown): AccountUpdate {
  if (body === undefined) return {};
  if (!isObject(body)) throw badRequest('the body must be an object with the fields to change');
  const present = Object.entries(UPDATE_READERS).filter(([name]) => body[name] !== undefined);
  return Object.fromEntries(present.map(([name, read]) => [name, read(body)]));
}

function readText(fields: Fields, name: string): string {
  const text = fields[name];
  if (typeof text === 'string' && text !== '') return text;
  throw badRequest(`${name}: a text that is not empty is required`);
}

function readPassword(fields: Fields): string {
  const { password } = fields;
  const minimum = LIMITS.passwordBytes.value;
  if (typeof password === 'string' && Buffer.byteLength(password) >= minimum) return password;
  throw badRequest(`password: a text of at least ${minimum} bytes is required`);
}

/** Choice: an empty one is none, since forms send empty fields. */
function readCreatorRef({ creatorRef = null }: Fields): string | null {
  if (creatorRef === null || creatorRef === '') return null;
  if (typeof creatorRef === 'string') return creatorRef;
  throw badRequest('creatorRef: must be a text');
}

/** Choice: a name given twice counts once. */
function readApiKeyNames(names: unknown): readonly string[] {
  const maximum = LIMITS.apiKeyNames.value;
  if (names === undefined || names === null) return [];
  if (!Array.isArray(names) || names.length > maximum) {
    throw badRequest(`ApiKeys: must be an array of at most ${maximum} names`);
  }
  return names.map(readApiKeyName);
}

function readApiKeyName(name: unknown): string {
  const maximum = LIMITS.apiKeyNameBytes.value;
  if (typeof name === 'string' && name !== '' && Buffer.byteLength(name) <= maximum) return name;
  throw badRequest(`ApiKeys: each name must be a text of 1 to ${maximum} bytes`);
}

/** An empty array is taken too: some languages have no other way to write an empty map. */
function readTags(tags: unknown): Readonly<Record<string, string>> {
  if (tags === undefined || tags === null || (Array.isArray(tags) && tags.length === 0)) return {};
  if (!isObject(tags)) throw badRequest('Tags: must be an object of names and values');
  return Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [checkTagName(name), checkTagValueAtCreation(name, value)]),
  );
}
