/**
 * Address of a service as a person gives it. Credentials in one would be shown wherever it is: it may have none, and
 * what is no address is repeated without what may be one.
 */

import { usageError } from './actionable-error.ts';

/**
 * @param what - whose address it is, such as `a service`
 * @param nextStep - how to write one
 * @throws ActionableError of kind usage when it cannot be read, or has more than the place
 */
export function addressOf(text: string, what: string, nextStep: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usageError(`'${shownAddress(text)}' is not the address of ${what}`, nextStep);
  }
  // A password with a slash in it makes a host of the user, and a path of the rest.
  if (/[@?#]/.test(url.href.replace(url.origin, ''))) {
    throw usageError(`the address of ${what} has no user, query or fragment`, 'Give the bare address.');
  }
  return url;
}

/** An address, several of which the last is shown, or what was meant to be one, for a message. */
export function shownAddress(text: string): string {
  return text.replace(/^(\s*\w+:[/\\]+)?.*@/s, '$1').replace(/[?#].*/s, '');
}
