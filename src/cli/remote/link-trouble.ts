/**
 * Link trouble: what to do when computers cannot connect to a service.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { LinkError, linesOf } from '../../link/device-link.ts';

/** @throws ActionableError for what is about the link, else the error itself */
export function explainLink(who: string, url: string, error: unknown): never {
  if (!(error instanceof LinkError)) throw error;
  const [first = '', ...others] = linesOf(error.failure);
  const isAway = error.failure.reason === 'unreachable';
  throw new ActionableError(
    'unreachable',
    [isAway ? first : `${who} cannot connect to ${url}: ${first}`, ...others],
    isAway
      ? 'Is the service running, and is the port right?'
      : 'Does the service implement docs/device-link.md at this address, and accept this key?',
    { cause: error },
  );
}
