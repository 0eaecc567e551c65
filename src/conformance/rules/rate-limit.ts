/**
 * Checks of the request rate, from outside and by intervals.
 *
 *   burst 25 │ pause │ nine a second for 10 s │ pause │ 40 a second for 5 s │ pause │ 5 at once
 *    no 429  │       │        no 429          │       │ 429 for some        │       │ no 429
 *
 * Nine a second and not ten: a service that counts 30 in windows of 3 s, which is ten a second too, would refuse
 * one that is sent a few milliseconds too early.
 *
 * Each check begins and ends with a pause, so that it finds the limit at rest and leaves it so.
 */

import { basicAuthorization } from '../../common/basic-authorization.ts';
import { durationMs } from '../../common/duration.ts';
import type { Mismatch } from '../../oracle/mismatch.ts';
import { findWrongRefusal, measureRate } from '../../oracle/rate-limit.ts';
import { ERRORS } from '../../specification/errors.ts';
import type { Rules } from '../check.ts';
import { apiKeyPath } from '../context/account-paths.ts';
import type { ApiClient } from '../context/api-client.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import {
  DRAINING,
  expectSomeRefused,
  noops,
  PAUSE,
  requireService,
  RULE,
  sendAtOnce,
  sendOne,
  TOO_MANY,
  type Sent,
} from '../context/excess.ts';
import { idempotencyKey, jobBody, newIdempotencyKey } from '../context/jobs.ts';
import { newKey } from '../context/keys-and-tags.ts';
import { expectError, expectErrorObject, expectSuccess, idsIn } from '../expect/answer.ts';
import { expectEqual, expectThat } from '../expect/that.ts';

const LONG_PAUSE = '10s';
/** How many API keys of one account: if each had a rate of its own, this many at once would all be answered. */
const KEYS = 3;
/** Requests of every kind that changes nothing. */
const LOOKS = ['/noop', '/whoami', '/computers', '/printers', '/printjobs', '/webhooks'] as const;
/** Requests to a Child with nothing to lose: one for each method that changes something, without submissions. */
const WRITES = [
  { method: 'DELETE', path: '/printjobs' },
  { method: 'PUT', path: '/account/state', json: 'active' },
  { method: 'PATCH', path: '/account', json: { lastname: 'changed' } },
] as const;
/** A little more than nine a second. */
const POLITE_MS = 110;
/** Four at a time are forty a second. */
const EXCESS = { atOnce: 4, everyMs: 100 };

/** A number of requests at once, again and again for a span of time. */
async function sendSteadily(
  context: CheckContext,
  api: ApiClient,
  { atOnce, everyMs }: { readonly atOnce: number; readonly everyMs: number },
  forMs: number,
): Promise<readonly Sent[]> {
  const { timekeeper } = context.target;
  const startMs = timekeeper.now();
  const sent: Sent[] = [];
  for (let dueMs = 0; dueMs < forMs; dueMs += everyMs) {
    await timekeeper.elapse(Math.max(0, startMs + dueMs - timekeeper.now()));
    sent.push(...(await sendAtOnce(context, noops(api, atOnce))));
  }
  return sent;
}

function expectNoWrongRefusal(sent: readonly Sent[], what: string): Mismatch | undefined {
  const wrong = findWrongRefusal(sent, RULE);
  const refused = sent.filter(({ isRefused }) => isRefused);
  const mismatch = expectThat(!wrong, what, `no ${TOO_MANY}`, `${TOO_MANY} for ${refused.length} of ${sent.length}`);
  return mismatch && wrong ? { ...mismatch, exchange: wrong.answer.position } : mismatch;
}

export const RATE_LIMIT_RULES: Rules = {
  'rate-limit/science': {
    title: 'A burst and nine requests a second are answered; sustained excess gets some 429s, which stop afterwards',
    locks: ['request-rate'],
    async run(context) {
      await requireService(context);
      const { elapse, judge, note, observe } = context;
      const api = context.unpaced.account;
      await elapse(PAUSE);
      const burst = await sendAtOnce(context, noops(api, 25));
      judge('limits/request-burst', expectNoWrongRefusal(burst, '25 requests at once'));
      await elapse(PAUSE);
      // What is a little less than the rate is refused only when its burst is used up.
      const politeFor = context.target.timekeeper.isVirtual ? '30s' : '10s';
      const polite = await sendSteadily(context, api, { atOnce: 1, everyMs: POLITE_MS }, durationMs(politeFor));
      judge('limits/request-rate', expectNoWrongRefusal(polite, 'nine requests a second'));
      await elapse(PAUSE);
      const excess = await sendSteadily(context, api, EXCESS, durationMs('5s'));
      await elapse(LONG_PAUSE);
      const after = await sendAtOnce(context, noops(api, 5));
      judge('limits/request-rate-recovers', expectNoWrongRefusal(after, '5 requests after a pause'));
      await elapse(PAUSE);
      judge('limits/request-rate-recovers', await expectNoPenalty(context, api));
      await elapse(PAUSE);
      const { burst: tolerated, perSecond } = measureRate(excess);
      note(`measured: a burst of ${tolerated}, and ${perSecond.toFixed(1)} requests a second`);
      // A service that counts refused requests never lets a caller through that keeps asking.
      const isCounted = perSecond < RULE.perSecond / 2;
      observe('gap/rate-limit-refused-cost', isCounted ? 'it counts' : 'it does not count');
      judgeExcess(context, excess);
    },
  },
  'rate-limit/as-child': {
    title: 'An Integrator acting as a Child gets some 429s for sustained excess, whatever it requests',
    needs: ['child-account'],
    locks: ['request-rate'],
    async run(context) {
      await requireService(context);
      const { children, elapse, judge, unpaced } = context;
      const { byId, byEmail, byCreatorRef } = await children.create();
      const headers = [byId, byEmail, byCreatorRef] as const;
      await elapse(PAUSE);
      const looks = Array.from({ length: DRAINING }, (_, index) => () => {
        const path = LOOKS[index % LOOKS.length] ?? '/noop';
        return unpaced.account.get(path, headers.slice(index % headers.length).slice(0, 1));
      });
      const excess = await sendAtOnce(context, looks);
      await elapse(PAUSE);
      judge('limits/request-rate-exceeded', expectSomeRefused(excess, `${DRAINING} requests at once as a Child`));
      for (const write of context.target.timekeeper.isVirtual ? WRITES : []) {
        const writes = Array.from(
          { length: DRAINING },
          () => () => unpaced.account.send({ ...write, headers: [byId] }),
        );
        const sent = await sendAtOnce(context, writes);
        await elapse(PAUSE);
        const at = `${DRAINING} requests at once of ${write.method} ${write.path} as a Child`;
        judge('limits/request-rate-exceeded', expectSomeRefused(sent, at));
      }
    },
  },
  'rate-limit/keys-together': {
    title: 'The rate applies to an account or an address: the keys of an account share it',
    locks: ['request-rate'],
    async run(context) {
      await requireService(context);
      const { elapse, judge, unpaced } = context;
      const keys = [context.target.apiKey];
      while (keys.length < KEYS) {
        const name = `rate-${context.naming.hex(10)}`;
        context.removeLater(apiKeyPath(name));
        keys.push(await newKey(context, context.api, name));
      }
      await elapse(PAUSE);
      const looks = Array.from({ length: DRAINING }, (_, index) => () => {
        const authorization = basicAuthorization(keys[index % keys.length] ?? '');
        return unpaced.account.send({ method: 'GET', path: '/noop', authorization });
      });
      const excess = await sendAtOnce(context, looks);
      await elapse(PAUSE);
      const at = `${DRAINING} requests at once with ${KEYS} keys of one account`;
      judge('limits/request-rate-exceeded', expectSomeRefused(excess, at));
    },
  },
  'rate-limit/does-nothing': {
    title: 'A submission refused with 429 creates no job',
    needs: ['computer'],
    locks: ['request-rate'],
    async run(context) {
      await requireService(context);
      const { api, elapse, judge, unpaced, random } = context;
      const { printerId } = await context.computers.away();
      await elapse(PAUSE);
      const submissions = Array.from({ length: DRAINING }, () => {
        const headers = idempotencyKey(newIdempotencyKey({ random }));
        return (client: ApiClient) => client.post('/printjobs', jobBody(printerId), headers);
      });
      const sent = await sendAtOnce(
        context,
        submissions.map((submit) => () => submit(unpaced.account)),
      );
      await elapse(PAUSE);
      const refused = submissions.filter((_, index) => sent[index]?.isRefused);
      if (refused.length === 0) throw new CheckEnded('inconclusive', `none of ${DRAINING} submissions was refused`);
      const list = await api.get(`/printers/${printerId}/printjobs?limit=${DRAINING}`);
      const accepted = DRAINING - refused.length;
      const count = idsIn(list)?.length;
      const at = `jobs after ${accepted} accepted and ${refused.length} refused submissions`;
      judge('limits/request-rate-does-nothing', expectEqual(at, count, accepted));
    },
  },
  'rate-limit/accounts-apart': {
    title: 'Excess requests of one account do not affect another account at another address',
    needs: ['second-account'],
    locks: ['request-rate'],
    async run(context) {
      await requireService(context);
      const { elapse, judge, observe, unpaced, require } = context;
      await elapse(PAUSE);
      const excess = await sendAtOnce(context, noops(unpaced.account, DRAINING));
      const sameAddress = await unpaced.second.get('/noop');
      const elsewhere = await unpaced.elsewhere?.get('/noop');
      await elapse(PAUSE);
      require(expectSuccess(await context.secondApi.get('/noop')));
      if (!excess.some(({ isRefused }) => isRefused)) {
        throw new CheckEnded('inconclusive', `none of ${DRAINING} requests at once was refused`);
      }
      const isShared = sameAddress.status === TOO_MANY;
      observe('gap/rate-limit-scope', isShared ? 'per address, or per address and account' : 'per account');
      const isRefusedElsewhere = elsewhere?.status === TOO_MANY;
      // Nothing between platen and an embedded service hides addresses from it.
      if (isShared && (!elsewhere || (isRefusedElsewhere && context.target.kind !== 'embedded'))) {
        throw new CheckEnded('inconclusive', 'a service may count by address, and sees only one of this machine');
      }
      const mismatch = isShared && elsewhere ? expectSuccess(elsewhere) : undefined;
      judge('limits/request-rate-accounts-apart', mismatch);
    },
  },
};

/** After a first 429, expects an answer as soon as all requests together were no more than the rate allows. */
async function expectNoPenalty(context: CheckContext, api: ApiClient): Promise<Mismatch | undefined> {
  const sent: Sent[] = [];
  while (sent.length < DRAINING && !sent.at(-1)?.isRefused) sent.push(await sendOne(context, () => api.get('/noop')));
  const pauseMs = (1_000 * (sent.length + 1)) / RULE.perSecond;
  await context.elapse(`${pauseMs}ms`);
  const next = await sendOne(context, () => api.get('/noop'));
  return expectNoWrongRefusal(
    [...sent.slice(0, -1), next],
    `a request ${pauseMs / 1_000} s after the first ${TOO_MANY}`,
  );
}

function judgeExcess({ judge }: CheckContext, excess: readonly Sent[]): void {
  const refused = excess.filter(({ isRefused }) => isRefused);
  judge('limits/request-rate-exceeded', expectSomeRefused(excess, `${excess.length} requests at 40 a second`));
  for (const { answer } of refused) {
    judge('errors/too-many-requests', expectError(answer, ERRORS.TooManyRequests));
    judge('errors/too-many-requests-object', expectErrorObject(answer));
  }
}
