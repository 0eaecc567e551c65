/**
 * Routes of the traffic: requests that the service got, requests that it made.
 */

import { z } from 'zod';

import { inSlices } from '../../../common/sliced-work.ts';
import * as schema from '../../../record/control-traffic.ts';
import { notFound } from '../../../service/gate/api-error.ts';
import { json } from '../control-reply.ts';
import { account, idIn, route, wholeNumber, type ControlRoute } from '../control-route.ts';

const DEFAULT_LIMIT = 200;

export const TRAFFIC_ROUTES: readonly ControlRoute[] = [
  route('GET /requests', {
    summary: 'the newest requests that the service got, oldest first, without secrets',
    answer: schema.requestList,
    query: z.object({
      since: wholeNumber('only entries with a higher id'),
      limit: wholeNumber('how many; 200 unless given'),
      account,
    }),
    handler: async ({ query: { since, limit = DEFAULT_LIMIT, account: accountId } }, { traffic }) =>
      json({ entries: await inSlices(traffic.list({ since, limit, accountId })) }),
  }),
  route('DELETE /requests', {
    summary: 'forgets the requests received so far; ids continue',
    answer: schema.requestList,
    handler: (_, { traffic, feed }) => {
      traffic.clear();
      feed.announceAll('reset', {});
      return json({ entries: [] });
    },
  }),
  route('GET /deliveries', {
    summary: 'the newest requests to webhooks, oldest first: attempts, answers, when what failed is due again',
    answer: schema.deliveryList,
    query: z.object({ account }),
    handler: async ({ query }, { deliveries }) => json({ entries: await inSlices(deliveries.list(query.account)) }),
  }),
  route('POST /deliveries/{id}/redeliver', {
    summary: 'repeats a request to a webhook; it is neither counted nor retried',
    answer: schema.delivery,
    handler: async ({ params }, { deliveries, service }) => {
      const id = idIn(params, 'delivery');
      const model = deliveries.toRepeat(id);
      if (!model) throw notFound(`there is no delivery ${id}`);
      await service.deliverAgain(model);
      return json(deliveries.newestRepeat(id));
    },
  }),
];
