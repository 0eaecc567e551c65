/**
 * Tags: the rules for their names and values. The tag endpoints count a value in characters, the creation of
 * an account counts it in bytes, as the specification says.
 */

import { LIMITS } from '../../spec/limits.ts';
import { badRequest } from '../gate/api-error.ts';

const NAME_CHARACTERS = LIMITS.tagNameCharacters.value;
const NAME = new RegExp(`^[A-Za-z0-9._-]{1,${NAME_CHARACTERS}}$`);

/** @throws ApiError 400 when a tag cannot have this name */
export function checkTagName(name: string): string {
  if (NAME.test(name)) return name;
  throw badRequest(
    `a tag name has 1 to ${NAME_CHARACTERS} letters, digits, dots, dashes and underscores, unlike '${name.slice(0, 80)}'`,
  );
}

/** @throws ApiError 400 when the value is not a string, or too long */
export function checkTagValue(value: unknown): string {
  const limit = LIMITS.tagValueCharacters.value;
  if (typeof value !== 'string') throw badRequest('the value of a tag must be a JSON string');
  // A string of n characters has at most 2n UTF-16 units: no need to count a very long one.
  if (value.length <= limit * 2 && Array.from(value).length <= limit) return value;
  throw badRequest(`the value of a tag has at most ${limit} characters`);
}

/** @throws ApiError 400 when the value is not a string, or too long */
export function checkTagValueAtCreation(name: string, value: unknown): string {
  const limit = LIMITS.creationTagValueBytes.value;
  if (typeof value === 'string' && Buffer.byteLength(value) <= limit) return value;
  throw badRequest(`Tags: the value of '${name}' must be a string of at most ${limit} bytes`);
}
