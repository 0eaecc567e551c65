/**
 * Given object: what a program passes where an object is due. One in JavaScript may pass its only value instead.
 */

import { found } from './schema-problems.ts';

/**
 * What was given, if it is an object of keys and values.
 *
 * @param what - the argument, for a message: `the query of jobs.wait`
 * @throws TypeError when it is anything else, with the example of one
 */
export function givenObject<Given extends object>(what: string, example: string, given: Given): Given {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  throw new TypeError(`${what} must be an object, such as ${example}, not ${found(given)}`);
}
