/**
 * Checks of what every response must keep, and every record in one. Each sends a handful of requests of its own,
 * so that it can run alone, and then judges all responses of the run so far: for each caller, and after all that
 * happened before.
 */

import type { HeaderPair } from '../../common/header-pairs.ts';
import { isObject } from '../../common/json-value.ts';
import { recordRules, type RecordName } from '../../oracle/exchange-rules.ts';
import type { Invariant } from '../../oracle/invariant.ts';
import {
  ACCESS_CONTROL_INVARIANTS,
  ACCOUNT_INVARIANTS,
  CONTENT_INVARIANTS,
  DIGEST_INVARIANTS,
  ERROR_INVARIANTS,
  judgeHistory,
  LIST_INVARIANTS,
  RECORD_INVARIANTS,
  REFUSAL_INVARIANTS,
  REQUEST_ID_INVARIANTS,
  ROBUSTNESS_INVARIANTS,
  TIMING_INVARIANTS,
  VERSION_INVARIANTS,
} from '../../oracle/invariants.ts';
import { RESPONSE_HEADERS } from '../../specification/headers.ts';
import type { Rule, Rules } from '../check.ts';
import type { ApiRequest } from '../context/api-client.ts';
import { CheckEnded, ifOffered } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import { deliveredJob, jobBody, submit } from '../context/jobs.ts';
import { connectScales, plainScale, scalesPath } from '../context/scales.ts';
import { createWebhook, listWebhooks, newWebhookFields } from '../context/webhook-settings.ts';
import { expectFound } from '../expect/answer.ts';

/** A success without a body worth reading, one with an object, lists, and the common refusals. */
async function probe({ api, uniqueText }: CheckContext): Promise<void> {
  // What a caller names several of its requests is the Request-Id of none.
  const id = uniqueText('request');
  const named: readonly HeaderPair[] = [RESPONSE_HEADERS.requestId.name, `X-${RESPONSE_HEADERS.requestId.name}`].map(
    (name) => [name, id],
  );
  const probes: readonly ApiRequest[] = [
    { method: 'GET', path: '/ping' },
    { method: 'GET', path: '/noop', headers: named },
    // As a browser asks.
    { method: 'GET', path: '/whoami', headers: [['Accept', 'text/html, */*;q=0.8']] },
    { method: 'GET', path: '/computers', headers: named },
    { method: 'GET', path: '/printers?limit=3&dir=asc' },
    { method: 'GET', path: '/printjobs?limit=3&dir=asc' },
    { method: 'GET', path: '/noop', authorization: null },
    { method: 'GET', path: '/no-such-path', headers: named },
  ];
  for (const request of probes) await ifOffered(api.send(request));
}

function everyResponse(
  title: string,
  invariants: readonly Invariant[],
  show: (context: CheckContext) => Promise<unknown> = probe,
): Rule {
  return {
    title,
    runsLast: true,
    async run(context) {
      await show(context);
      const judgements = judgeHistory(context.history.read, invariants);
      for (const { clause, mismatches } of judgements.filter(({ judged }) => judged > 0)) {
        context.judge(clause, mismatches[0]);
        if (mismatches.length > 1) context.note(`${clause}: ${mismatches.length} responses of the run break it`);
      }
      const silent = judgements.find(({ judged }) => judged === 0);
      if (silent) throw new CheckEnded('blocked', `the run saw no response that ${silent.clause} speaks of`);
    },
  };
}

/** @param show - has the service show one */
function everyRecord(name: RecordName, show: (context: CheckContext) => Promise<unknown>): Rule {
  return everyResponse(
    `Every ${name} in an answer has all its fields, each of the right type`,
    recordRules(name),
    show,
  );
}

export const EVERY_RESPONSE_RULES: Rules = {
  'every-record/accounts': everyRecord('account', async ({ api, demand, secondApi, target }) => {
    for (const caller of target.secondApiKey === undefined ? [api] : [api, secondApi]) {
      demand('accounts/whoami', expectFound(await caller.get('/whoami'), 'an account object', isObject));
    }
  }),
  'every-record/computers': {
    ...everyRecord('computer', async ({ api, computers }) =>
      api.get(`/computers/${(await computers.away()).computerId}`),
    ),
    needs: ['printer'],
  },
  'every-record/printers': {
    ...everyRecord('printer', async ({ api, computers }) => api.get(`/printers/${(await computers.away()).printerId}`)),
    needs: ['printer'],
  },
  'every-record/states': {
    ...everyRecord('state', async (context) => {
      const { api, computers, target } = context;
      const { printerId } = await computers.away();
      await api.get(`/printjobs/${await submit(context, jobBody(printerId))}/states`);
      if (!target.link) return;
      const computer = await computers.connect();
      const done = await deliveredJob(context, computer);
      await computer.report(done, 'done', { message: 'in the queue' });
      await api.get(`/printjobs/${done}/states`);
      // A client program decides itself what has failed.
      if (target.link.program) return;
      const failed = await deliveredJob(context, computer);
      await computer.report(failed, 'error', { message: null, data: null });
      await api.get(`/printjobs/${failed}/states`);
    }),
    needs: ['printer'],
  },
  'every-record/readings': {
    ...everyRecord('reading', async (context) => {
      const { computer, weigh } = await connectScales(context, [plainScale('a')]);
      await weigh('a');
      await context.api.get(scalesPath(computer.computerId));
    }),
    needs: ['scale'],
  },
  'every-record/webhooks': {
    ...everyRecord('webhook', async (context) => {
      await createWebhook(context, newWebhookFields(context));
      await listWebhooks(context);
    }),
    locks: ['account'],
  },
  'every-response/content-type': everyResponse(
    'Every response has Content-Type application/json and is JSON',
    CONTENT_INVARIANTS,
  ),
  'every-response/request-id': everyResponse(
    'Every response has a Request-Id of its own, whatever the caller names its requests',
    REQUEST_ID_INVARIANTS,
  ),
  'every-response/timing': everyResponse('Every response says how long it took', TIMING_INVARIANTS),
  'every-response/digest': everyResponse('Every response carries the MD5 of its body', DIGEST_INVARIANTS),
  'every-response/api-version': everyResponse('Every response names the version of the API', VERSION_INVARIANTS),
  'every-response/access-control': everyResponse(
    'Every response carries the access-control headers',
    ACCESS_CONTROL_INVARIANTS,
  ),
  'every-response/error-object': everyResponse(
    'Every error response has the error object, with uid equal to Request-Id',
    ERROR_INVARIANTS,
  ),
  'every-response/account': everyResponse(
    'Every success names its account and how it was recognised',
    ACCOUNT_INVARIANTS,
  ),
  'every-response/refusal': everyResponse(
    'Every 401 asks for Basic credentials and names no account',
    REFUSAL_INVARIANTS,
  ),
  'every-response/list-headers': everyResponse('Every list states its size, offset, limit and total', LIST_INVARIANTS),
  'every-response/ids': everyResponse(
    'Every new job and every record in a list has a positive integer as id, which the list has once',
    RECORD_INVARIANTS,
  ),
  'every-response/no-server-error': everyResponse('No request gets a 5xx', ROBUSTNESS_INVARIANTS),
};
