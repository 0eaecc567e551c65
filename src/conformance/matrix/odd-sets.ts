/**
 * Odd sets in every path that takes one: empty, malformed, with a zero, huge. What is no set is refused, and above all
 * never taken for the whole list by a DELETE.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint, PathPart } from '../../specification/clause.ts';
import type { PathPartName } from '../../specification/endpoints.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { expectErrorObject, expectNo5xx, mismatchIn, type Answer } from '../expect/answer.ts';
import { isEmptyArray } from '../expect/records.ts';
import { firstReason, type MatrixRules } from './matrix-rule.ts';
import { childParty, enableDownload, furnish, ownParty, type Furnished } from './party.ts';
import { judgeRefusals, type RefusalPlan, type Trial } from './refusals.ts';
import { soundRequest, UNKNOWN } from './sound-request.ts';

const setsOf = ({ parts }: Endpoint): readonly PathPart[] => parts.filter(({ isSet }) => isSet);
const HUGE_SET_IDS = 300;
/** No service has come so far: none of its own things is among them. */
const HUGE_SET_FROM = 7_000_000_000_000;

/** `own` is an id that the account has. */
const ODD: readonly {
  readonly what: string;
  readonly set: (own: string) => string;
  readonly expected: Trial['expected'];
}[] = [
  {
    what: 'a set that is a word',
    set: () => 'x',
    expected: [['service/set-text-refused', expectErrorObject]],
  },
  {
    what: 'a set of an id and a word',
    set: (own) => `${own},x`,
    expected: [['service/set-text-refused', expectErrorObject]],
  },
  {
    what: 'a set with a fraction',
    set: (own) => `${own}.5`,
    expected: [['service/set-text-refused', expectErrorObject]],
  },
  { what: 'a set of 0', set: () => '0', expected: [['service/set-zero-refused', expectNothingMatched]] },
  {
    what: 'an id beyond all integers',
    set: () => '99999999999999999999',
    expected: [['service/no-5xx-on-bad-input', expectNo5xx]],
  },
  {
    what: `a set of ${HUGE_SET_IDS} ids`,
    set: () => Array.from({ length: HUGE_SET_IDS }, (_, index) => HUGE_SET_FROM + index).join(),
    expected: [['service/no-5xx-on-bad-input', expectNo5xx]],
  },
];

/** Expects a refusal, or nothing at all. */
function expectNothingMatched(answer: Answer): Mismatch | undefined {
  const isRefused = answer.status >= 400 && answer.status < 500;
  const isNothing = answer.status < 300 && isEmptyArray(answer.value);
  return isRefused || isNothing ? undefined : mismatchIn(answer, 'a 4xx status or an empty array');
}

export const ODD_SET_RULES: MatrixRules = {
  'matrix/odd-sets': {
    columns: ['malformed and huge sets'],
    title: 'No path accepts a set that does not consist of ids, and a request refused for its set does nothing',
    locks: ['account'],
    whyNot: (endpoint) => firstReason([setsOf(endpoint).length === 0, 'has no set in its path']),
    judge: (context, endpoints) =>
      judgeRefusals(context, harmless(context, endpoints), {
        nothing: 'service/set-refused-does-nothing',
        open: openWith(context, (endpoint, party) => oddOf(context, endpoint, party)),
      }),
  },
  'matrix/empty-sets': {
    columns: ['empty sets'],
    title: 'No request that changes something takes an empty set for all records',
    locks: ['account'],
    whyNot: (endpoint) =>
      firstReason(
        [setsOf(endpoint).length === 0, 'has no set in its path'],
        [endpoint.effect === 'none', 'changes nothing: an empty set may be the list'],
      ),
    judge: (context, endpoints) =>
      judgeRefusals(context, harmless(context, endpoints), {
        nothing: 'service/set-empty-never-all',
        open: openWith(context, (endpoint, party) => emptyOf(context, endpoint, party)),
      }),
  },
};

/** A service that takes such a set for everything would empty the account. */
function harmless(context: CheckContext, endpoints: readonly Endpoint[]): readonly Endpoint[] {
  if (isDisposable(context) || context.target.isIntegrator === true) return endpoints;
  const reads = endpoints.filter(({ effect }) => effect === 'none');
  const reason = 'would empty the account where a service takes such a set for everything';
  if (reads.length === 0) throw new CheckEnded('untestable', reason);
  context.note(`nothing that changes something is sent: it ${reason}`);
  return reads;
}

const isDisposable = ({ target }: CheckContext): boolean => target.isDisposable === true;

function openWith(
  context: CheckContext,
  trials: (endpoint: Endpoint, party: Furnished) => Promise<readonly Trial[]>,
): RefusalPlan['open'] {
  return async (endpoints) => {
    const mayEmpty = isDisposable(context) || context.target.isIntegrator !== true;
    const party = await furnish(
      context,
      mayEmpty ? ownParty(context) : await childParty(context, 'a Child'),
      endpoints,
    );
    return {
      watched: [{ party, paths: [] }],
      trials: (endpoint) => trials(endpoint, party),
      restore: () => enableDownload(party),
    };
  };
}

async function oddOf(context: CheckContext, endpoint: Endpoint, { api, values }: Furnished): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  for (const { name } of setsOf(endpoint)) {
    const part = name as PathPartName;
    for (const { what, set, expected } of ODD) {
      const odd = { ...values, [part]: set(values[part] ?? UNKNOWN[part]) };
      trials.push({ what: `${what} as ${name}`, api, request: await soundRequest(context, endpoint, odd), expected });
    }
  }
  return trials;
}

async function emptyOf(
  context: CheckContext,
  endpoint: Endpoint,
  { api, values }: Furnished,
): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  const expected: Trial['expected'] = [['service/no-5xx-on-bad-input', expectNo5xx]];
  for (const { name } of setsOf(endpoint)) {
    const request = await soundRequest(context, endpoint, { ...values, [name]: '' });
    trials.push({ what: `nothing as ${name}`, api, request, expected });
    if (!request.path.endsWith('/')) continue;
    const doubled = { ...request, path: `${request.path}/` };
    trials.push({ what: `nothing as ${name}, and another slash`, api, request: doubled, expected });
  }
  return trials;
}
