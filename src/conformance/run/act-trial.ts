/**
 * Act trial: how the service does what checks build on, learnt from a sound request to an endpoint, with things of the
 * account that are made for it. What cannot be tried is not learnt, and for checks to judge.
 */

import { createRandom } from '../../common/random.ts';
import { ENDPOINTS } from '../../specification/endpoints.ts';
import { ERRORS } from '../../specification/errors.ts';
import { namingOf } from '../../stage/shapes.ts';
import type { ApiRequest, Transport } from '../context/api-client.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { openContext, type CheckContext } from '../context/context.ts';
import { REFUSAL, type ActName, type MetDeviation, type TryAct } from '../context/reader.ts';
import { createTraffic } from '../context/traffic.ts';
import { createDialect } from '../dialect/dialect.ts';
import { nameOf } from '../matrix/matrix-rule.ts';
import { furnish, ownParty, valuesFor } from '../matrix/party.ts';
import { isMissing, soundRequest } from '../matrix/sound-request.ts';

/**
 * @param leftBehind - gets a line for each thing that a trial could not remove
 * @param signal - of the run: once it is interrupted, nothing is tried
 */
export function actTrial(runTag: string, leftBehind: string[], signal: AbortSignal): TryAct<Transport> {
  return async (act, asking, tell) => {
    if (signal.aborted) return;
    const isNested = asking.acts !== undefined;
    const tag = `${runTag}-${[...(asking.acts ?? []), act].join('-')}`;
    const transport: Transport = {
      ...asking,
      postpone: undefined,
      // What finds out what is there reads answers, and may wait for this very trial.
      offers: undefined,
      exchanges: [],
      wireFailures: [],
      met: [],
      acts: new Set([...(asking.acts ?? []), act]),
      jobIds: [],
      idNameOf: () => Promise.resolve(undefined),
      webhookUrls: new Set(),
      traffic: createTraffic(),
      signal: new AbortController().signal,
    };
    // Not the dialect of the run: one of its questions may be what waits for this.
    const dialect = createDialect(asking.target.dialect ?? {}, tag);
    const open = openContext({
      checkId: `act/${isNested ? 'inner' : 'outer'}`,
      transport,
      random: createRandom(tag),
      runTag: createRandom(tag).hex(8),
      propertyRuns: 1,
      speak: (question) => dialect.speak(question, transport),
    });
    try {
      await perform(open.context, act, transport);
      tell(transport.met.map(({ deviation }) => deviation));
    } catch (error) {
      if (!(error instanceof CheckEnded)) throw error;
      tell([]);
    } finally {
      leftBehind.push(...(await open.close()).map((line) => `${act}: ${line}`), ...dialect.leftBehind);
    }
  };
}

/** Changes what is not made for the trial, or what other checks look at. */
const HARMFUL = /^(PATCH \/account|PUT \/account\/state|PUT \/scale|PATCH \/download\/.*)$/;

/** What an act is met with on the way to it has an act of its own. */
async function perform(context: CheckContext, act: ActName, transport: Transport): Promise<void> {
  if (act === REFUSAL) return performRefusals(context, transport);
  if (HARMFUL.test(act)) return;
  const meant = ENDPOINTS.find((one) => nameOf(one) === act);
  const endpoint = meant && namingOf(meant);
  // What deletes all is tried by what it names.
  if (!endpoint || endpoint.isUnrestricted) return;
  const party = await furnish(context, ownParty(context), [endpoint]);
  const values = valuesFor(endpoint, party);
  if (isMissing(endpoint, values)) return;
  const request = await soundRequest(context, endpoint, values);
  if (endpoint.effect === 'creates' && endpoint.parts.length > 0) context.removeLater(request.path);
  transport.met.length = 0;
  await context.api.send(request);
}

const refused = (path: string): ApiRequest => ({ method: 'GET', path, authorization: null });
const misread = (path: string): ApiRequest => ({ method: 'POST', path, body: 'no JSON' });
/** Two of each kind: what one endpoint alone does is for checks to judge. */
const REFUSED: readonly (readonly [ApiRequest, ApiRequest])[] = [
  [refused('/noop'), refused('/whoami')],
  [misread('/printjobs'), misread('/webhook')],
];

/** Leaves as met what both of a kind show. */
async function performRefusals({ api }: CheckContext, { met, target }: Transport): Promise<void> {
  const metBy = async (request: ApiRequest): Promise<readonly MetDeviation[]> => {
    met.length = 0;
    const { status } = await api.send(request);
    // Too many requests are refused whatever they ask for, and that may look otherwise.
    return status === ERRORS.TooManyRequests.status ? [] : [...met];
  };
  const learnt: MetDeviation[] = [];
  for (const [one, other] of target.isReadOnly === true ? REFUSED.slice(0, 1) : REFUSED) {
    const shown = await metBy(one);
    const again = new Set((shown.length > 0 ? await metBy(other) : []).map(({ deviation }) => deviation.id));
    learnt.push(...shown.filter(({ deviation }) => again.has(deviation.id)));
  }
  met.splice(0, met.length, ...learnt);
}
