/**
 * Account requests: the bodies of POST and PATCH /account, checked field by field.
 *
 * Everything is checked before anything is done, so that a refused request leaves nothing behind.
 */

import { isObject } from '../../common/json-value.ts';
import { TAG_NAME } from '../../specification/inputs.ts';
import { LIMITS } from '../../specification/limits.ts';
import { badRequest } from '../gate/api-error.ts';
import {
  bodyObject,
  hasAtMost,
  listIn,
  mapIn,
  optionalText,
  readAll,
  readPresent,
  requiredText,
  withinLimit,
  type Reader,
  type Readers,
} from './fields.ts';

const TAG_NAME_PATTERN = new RegExp(TAG_NAME.pattern);

interface AccountFields {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly password: string;
  readonly creatorRef: string | null;
}

export interface AccountCreation extends AccountFields {
  readonly apiKeyNames: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

export type AccountUpdate = Partial<AccountFields>;

const readPassword: Reader<string> = ({ password }, name) => {
  const minimum = LIMITS.passwordBytes.value;
  if (typeof password === 'string' && Buffer.byteLength(password) >= minimum) return withinLimit(password, name);
  throw badRequest(`${name}: a string of at least ${minimum} bytes is required`);
};

const READERS: Readers<AccountFields> = {
  firstname: requiredText,
  lastname: requiredText,
  email: requiredText,
  password: readPassword,
  // Choice: an empty one counts as none, since forms send empty fields.
  creatorRef: (fields, name) => optionalText(fields, name) || null,
};

/** @throws ApiError 400 naming the field and what it must be */
export function readAccountCreation(sent: unknown): AccountCreation {
  const body = bodyObject(sent, 'an object with Account');
  const account = body['Account'];
  if (!isObject(account)) {
    throw badRequest('Account: an object with firstname, lastname, email and password is required');
  }
  return {
    ...readAll(account, READERS),
    apiKeyNames: readApiKeyNames(body['ApiKeys']),
    tags: readTags(body['Tags']),
  };
}

/** @throws ApiError 400 naming the field and what it must be */
export function readAccountUpdate(body: unknown): AccountUpdate {
  if (body === undefined) return {};
  return readPresent(bodyObject(body, 'an object with the fields to change'), READERS);
}

/** Choice: a name given twice counts once. */
function readApiKeyNames(names: unknown): readonly string[] {
  const maximum = LIMITS.apiKeyNames.value;
  if (names === undefined || names === null) return [];
  const list = listIn(names);
  if (!list || list.length > maximum) throw badRequest(`ApiKeys: must be an array of at most ${maximum} names`);
  return list.map(readApiKeyName);
}

function readApiKeyName(name: unknown): string {
  const maximum = LIMITS.apiKeyNameBytes.value;
  if (typeof name === 'string' && name !== '' && Buffer.byteLength(name) <= maximum) return name;
  throw badRequest(`ApiKeys: each name must be a string of 1 to ${maximum} bytes`);
}

function readTags(tags: unknown): Readonly<Record<string, string>> {
  if (tags === undefined || tags === null) return {};
  const map = mapIn(tags);
  if (!map) throw badRequest('Tags: must be an object of names and values');
  return Object.fromEntries(
    Object.entries(map).map(([name, value]) => [checkTagName(name), checkTagValueAtCreation(name, value)]),
  );
}

/** @throws ApiError 400 when a tag cannot have this name */
export function checkTagName(name: string): string {
  if (TAG_NAME_PATTERN.test(name) && name.length <= TAG_NAME.maxLength) return name;
  throw badRequest(
    `a tag name has 1 to ${TAG_NAME.maxLength} letters, digits, dots, dashes and underscores, unlike '${name.slice(0, 80)}'`,
  );
}

/** @throws ApiError 400 when the value is not a string, or too long */
export function checkTagValue(value: unknown): string {
  const limit = LIMITS.tagValueCharacters.value;
  if (typeof value !== 'string') throw badRequest('the value of a tag must be a JSON string');
  if (hasAtMost(value, limit)) return value;
  throw badRequest(`the value of a tag has at most ${limit} characters`);
}

/** Counted in bytes, where the tag endpoints count characters: the specification has it so. */
function checkTagValueAtCreation(name: string, value: unknown): string {
  const limit = LIMITS.creationTagValueBytes.value;
  if (typeof value === 'string' && Buffer.byteLength(value) <= limit) return value;
  throw badRequest(`Tags: the value of '${name}' must be a string of at most ${limit} bytes`);
}
