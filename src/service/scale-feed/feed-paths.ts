/**
 * Paths of the scale feed: what a subscription asks for. They are read as the paths of the API are:
 * percent-encoded segments, with a trailing slash or without.
 */

import { failure, success, type Outcome } from '../../common/outcome.ts';
import type { ScaleQuery } from '../domain/scale.ts';
import { ApiError } from '../gate/api-error.ts';
import { parseRequestTarget } from '../gate/request-target.ts';
import { Router, type Params, type Route } from '../gate/router.ts';

export type Subject =
  | { readonly kind: 'scales'; readonly query: ScaleQuery }
  /** All computers of the account if no id is given. */
  | { readonly kind: 'connections'; readonly computerId: number | undefined };

type ReadSubject = (params: Params) => Subject;

const PATH_MAX_CHARACTERS = 2_000;
const SUBSCRIBE = 'SUBSCRIBE';

const scales: ReadSubject = (params) => ({
  kind: 'scales',
  query: {
    computerId: readInteger(params['computer_id']),
    deviceName: params['device_name'],
    deviceNum: readInteger(params['device_number']),
  },
});

const connections: ReadSubject = (params) => ({
  kind: 'connections',
  computerId: readInteger(params['computer_id']),
});

const PATHS: Readonly<Record<string, ReadSubject>> = {
  '/scales': scales,
  '/computer/{computer_id}/scales': scales,
  '/computer/{computer_id}/scales/{device_name}': scales,
  '/computer/{computer_id}/scale/{device_name}/{device_number}': scales,
  '/computers/connections': connections,
  '/computer/{computer_id}/connections': connections,
};

const ROUTER = new Router(
  Object.entries(PATHS).map(([path, handler]): Route<ReadSubject> => ({ method: SUBSCRIBE, path, handler })),
);

/** What a path subscribes to, or why it subscribes to nothing. */
export function readSubscriptionPath(path: unknown): Outcome<Subject, string> {
  if (typeof path !== 'string' || path.length > PATH_MAX_CHARACTERS) {
    return failure(`the path must be a string of at most ${PATH_MAX_CHARACTERS} characters`);
  }
  try {
    const match = ROUTER.match(SUBSCRIBE, parseRequestTarget(path).segments);
    if (match.kind === 'found') return success(match.handler(match.params));
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof RangeError)) throw error;
    return failure(error.message);
  }
  return failure(`there is nothing to subscribe to at '${path.slice(0, 100)}'`);
}

/** @throws RangeError when the text is not an integer */
function readInteger(text: string | undefined): number | undefined {
  if (text === undefined || /^\d+$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new RangeError(`'${text.slice(0, 40)}' in the path is not an integer`);
}
