/**
 * Endpoint trial: whether an endpoint is there, tried once a run and only when an answer makes that doubtful. First
 * with things that do not exist; where their absence may be why it answers 404, with things that are made for it.
 */

import type { Endpoint } from '../../spec/clause.ts';
import { endpointFor, endpointName } from '../../target/offers.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { ABSENT_STATUSES } from '../context/offers.ts';
import { furnish, ownParty, valuesFor } from '../matrix/party.ts';
import { isMissing, pathOf, soundRequest } from '../matrix/sound-request.ts';
import { inProbe, type ProbesOptions } from './probes.ts';

/** What would harm the account that the checks work in. */
function isHarmful({ method, path, isUnrestricted }: Endpoint): boolean {
  return isUnrestricted || (method === 'PUT' && path === '/account/state');
}

/**
 * Whether the endpoint is there. What cannot be found out is taken to be there.
 *
 * @param seen - the status that makes it doubtful; undefined where it was not asked yet
 * @returns undefined where only an answer to a check can tell
 */
export async function isEndpointThere(
  options: ProbesOptions,
  endpoint: Endpoint,
  { seen, leftBehind }: { readonly seen: number | undefined; readonly leftBehind: string[] },
): Promise<boolean | undefined> {
  const { kind, isReadOnly } = options.target;
  // The reference service in this process needs no trial: there a failure is a finding.
  if (kind === 'embedded') return true;
  const isTried = !isHarmful(endpoint) && (isReadOnly !== true || endpoint.effect === 'none');
  if (!isTried) return seen === undefined ? undefined : !ABSENT_STATUSES.has(seen);
  return inProbe(options, `endpoint/${endpointName(endpoint)}`, leftBehind, async (context) => {
    const { status } = await tryUnknown(context, endpoint);
    const { parts, path, effect } = endpoint;
    const mayBeThing = path === '/printjobs' || (parts.length > 0 && effect !== 'creates');
    if (status === 404 && mayBeThing) return tryKnown(context, endpoint);
    return !ABSENT_STATUSES.has(status);
  });
}

async function tryUnknown({ api, removeLater }: CheckContext, endpoint: Endpoint): Promise<{ status: number }> {
  const { method, effect, parts } = endpoint;
  const path = pathOf(endpoint, {});
  if (effect === 'creates' && parts.length > 0) removeLater(path);
  return api.send({ method, path, ...(effect !== 'none' && effect !== 'deletes' && { json: {} }) });
}

async function tryKnown(context: CheckContext, endpoint: Endpoint): Promise<boolean> {
  try {
    const party = await furnish(context, ownParty(context), [endpoint]);
    const values = valuesFor(endpoint, party);
    if (isMissing(endpoint, values)) return !cannotBeMade(context, endpoint);
    const request = await soundRequest(context, endpoint, values);
    if (endpoint.effect === 'creates' && endpoint.parts.length > 0) context.removeLater(request.path);
    return !ABSENT_STATUSES.has((await context.api.send(request)).status);
  } catch (error) {
    if (!(error instanceof CheckEnded)) throw error;
    return !cannotBeMade(context, endpoint);
  }
}

/** Whether what the endpoint names takes another one of its family that is not there. */
function cannotBeMade({ history }: CheckContext, endpoint: Endpoint): boolean {
  return history.exchanges.some(({ request, response }) => {
    const other = endpointFor(request.method, request.path);
    return other !== endpoint && other?.family === endpoint.family && ABSENT_STATUSES.has(response.status);
  });
}
