/**
 * Endpoint trial: whether an endpoint is there, tried once a run and only when an answer makes that doubtful. First
 * with things that do not exist; where their absence may be why it answers 404, with things that are made for it.
 */

import type { Endpoint } from '../../specification/clause.ts';
import { endpointName } from '../../targets/offers.ts';
import { endpointFor } from '../../oracle/endpoint-for.ts';
import type { ApiRequest } from '../context/api-client.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { ABSENT_STATUSES } from '../context/offers.ts';
import type { Answer } from '../expect/answer.ts';
import { furnish, ownParty, valuesFor } from '../matrix/party.ts';
import { isMissing, pathOf, soundRequest } from '../matrix/sound-request.ts';
import { inProbe, type ProbesOptions } from './probes.ts';

/** What would harm the account that the checks work in. */
function isHarmful({ method, path, isUnrestricted }: Endpoint): boolean {
  return isUnrestricted || (method === 'PUT' && path === '/account/state');
}

/**
 * Whether the endpoint is there.
 *
 * @param seen - the status that makes it doubtful; undefined where it was not asked yet
 * @returns undefined where that cannot be told
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
  return inProbe(options, `endpoint/${endpointName(endpoint)}`, leftBehind, (context) =>
    tryOut(context, endpoint),
  ).catch((error: unknown) => {
    // No answer is no sign that it is not there.
    if (error instanceof CheckEnded) return true;
    throw error;
  });
}

/** Lists that are there for any name, also for one that does not exist. */
const OF_ANY_NAME: ReadonlySet<string> = new Set(['scales/list', 'scales/list-by-name']);

async function tryOut(context: CheckContext, endpoint: Endpoint): Promise<boolean | undefined> {
  const { status } = await tryUnknown(context, endpoint);
  const { parts, path, effect, clause } = endpoint;
  const mayBeThing = path === '/printjobs' || (parts.length > 0 && effect !== 'creates');
  if (status === 404 && mayBeThing && !OF_ANY_NAME.has(clause)) return tryKnown(context, endpoint);
  return !ABSENT_STATUSES.has(status);
}

async function tryUnknown(context: CheckContext, endpoint: Endpoint): Promise<Answer> {
  const { method, effect } = endpoint;
  const json = effect === 'creates' || effect === 'changes' ? { json: {} } : {};
  return send(context, endpoint, { method, path: pathOf(endpoint, {}), ...json });
}

/** What it makes by a name goes with the trial. */
async function send({ api, removeLater }: CheckContext, endpoint: Endpoint, request: ApiRequest): Promise<Answer> {
  const answer = await api.send(request);
  const isMade = answer.status < 300 && endpoint.effect === 'creates' && endpoint.parts.length > 0;
  if (isMade) removeLater(request.path);
  return answer;
}

async function tryKnown(context: CheckContext, endpoint: Endpoint): Promise<boolean | undefined> {
  try {
    const party = await furnish(context, ownParty(context), [endpoint]);
    const values = valuesFor(endpoint, party);
    if (isMissing(endpoint, values)) return cannotBeMade(context, endpoint) ? false : undefined;
    const { status } = await send(context, endpoint, await soundRequest(context, endpoint, values));
    return !ABSENT_STATUSES.has(status);
  } catch (error) {
    if (!(error instanceof CheckEnded)) throw error;
    return cannotBeMade(context, endpoint) ? false : undefined;
  }
}

/** Whether what the endpoint names takes another one of its family that is not there. */
function cannotBeMade({ history }: CheckContext, endpoint: Endpoint): boolean {
  return history.exchanges.some(({ request, response }) => {
    const other = endpointFor(request.method, request.path);
    return other !== endpoint && other?.family === endpoint.family && ABSENT_STATUSES.has(response.status);
  });
}
