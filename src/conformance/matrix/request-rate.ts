/**
 * The request rate at every endpoint that can be asked without harm: once it is used up, none of them is answered as if
 * there were no rate.
 *
 *   65 × GET /noop  ─► 429 for some     each endpoint a few times ─► 429, or it is asked 65 times itself
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../specification/clause.ts';
import type { CheckContext } from '../context/context.ts';
import { DRAINING, expectSomeRefused, noops, PAUSE, requireService, sendAtOnce } from '../context/excess.ts';
import type { Answer } from '../expect/answer.ts';
import { atEndpoint, firstReason, type MatrixRules } from './matrix-rule.ts';
import { soundRequest } from './sound-request.ts';

const EXCEEDED = 'limits/request-rate-exceeded';
/** An endpoint that answers as often may have a rate of its own, or none. */
const TRIES = 3;
/** In real time some of the rate comes back while they are sent. */
const ROUNDS = 2;

export const REQUEST_RATE_RULES: MatrixRules = {
  'matrix/request-rate': {
    columns: ['requests beyond the rate'],
    title: 'Every request that reads, or names a missing record, gets some 429s for sustained excess',
    locks: ['request-rate', 'account/webhooks', 'account/downloads'],
    whyNot: ({ authenticated, effect, parts }) =>
      firstReason(
        [!authenticated, 'needs no credentials'],
        [effect === 'creates', 'would create something each time'],
        [
          effect !== 'none' && parts.length === 0,
          'would change what is there; rate-limit/as-child tries one of each method',
        ],
      ),
    judge: judgeRate,
  },
};

type Send = () => Promise<Answer>;

interface Asked {
  readonly endpoint: Endpoint;
  readonly send: Send;
}

const times = (count: number, send: Send): readonly Send[] => Array.from({ length: count }, () => send);

async function judgeRate(context: CheckContext, endpoints: readonly Endpoint[]): Promise<void> {
  await requireService(context);
  const { elapse, judge, unpaced } = context;
  const asked: Asked[] = [];
  for (const endpoint of endpoints) {
    const request = await soundRequest(context, endpoint, {});
    asked.push({ endpoint, send: () => unpaced.account.send(request) });
  }
  await elapse(PAUSE);
  let suspects: readonly Asked[] = asked;
  for (let round = 0; round < ROUNDS && suspects.length > 0; round++) {
    const drained = await sendAtOnce(context, noops(unpaced.account, DRAINING));
    const tried = await sendAtOnce(
      context,
      suspects.flatMap(({ send }) => times(TRIES, send)),
    );
    await elapse(PAUSE);
    const unlimited = expectSomeRefused(drained, `GET /noop: ${DRAINING} requests at once`);
    judge(EXCEEDED, unlimited);
    if (unlimited) return;
    suspects = suspects.filter((_, index) =>
      tried.slice(index * TRIES, (index + 1) * TRIES).every(({ isRefused }) => !isRefused),
    );
  }
  for (const { endpoint, send } of suspects)
    judge(EXCEEDED, await judgeAlone(context, endpoint, times(DRAINING, send)));
}

async function judgeAlone(
  context: CheckContext,
  endpoint: Endpoint,
  requests: readonly Send[],
): Promise<Mismatch | undefined> {
  const excess = await sendAtOnce(context, requests);
  await context.elapse(PAUSE);
  return atEndpoint(endpoint, 'beyond the rate', expectSomeRefused(excess, `${DRAINING} requests at once`));
}
