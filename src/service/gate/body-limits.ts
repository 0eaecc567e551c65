/**
 * How much structure a request body may have, in any encoding. The specification limits its bytes alone;
 * without these limits 50 MB of brackets would grow into gigabytes of objects (gap/body-structure).
 */

import { invalidContent, type ApiError } from './api-error.ts';

/** Objects and arrays inside each other. */
export const BODY_MAX_DEPTH = 32;

/** Values, names included. No body of the specification comes close. */
export const BODY_MAX_VALUES = 100_000;

export function tooDeep(): ApiError {
  return invalidContent(`the body has more than ${BODY_MAX_DEPTH} levels`);
}

export function tooManyValues(): ApiError {
  return invalidContent(`the body has more than ${BODY_MAX_VALUES} values`);
}

export function repeatedName(name: string): ApiError {
  return invalidContent(`'${name.slice(0, 40)}' occurs twice in the body`);
}
