/**
 * Routes of the workbench itself: is it up, what is it, its clock, back to the seed.
 */

import type { ServerResponse } from 'node:http';

import { z } from 'zod';

import { systemClock } from '../../../common/clock.ts';
import { passingOrMs } from '../../../common/duration-schema.ts';
import { packageVersion } from '../../../common/package-version.ts';
import * as schema from '../../../record/control-workbench.ts';
import type { InfoView, KeyView } from '../../../record/control-types.ts';
import type { FeedClient, FeedEvent, LiveFeed } from '../../logs/live-feed.ts';
import type { Workbench } from '../../workbench.ts';
import { ApiError, forbidden } from '../../../service/gate/api-error.ts';
import { json } from '../control-reply.ts';
import { account, route, type ControlRoute } from '../control-route.ts';

const HEALTHY = { status: 'ready' };

export const WORKBENCH_ROUTES: readonly ControlRoute[] = [
  route('GET /health', {
    summary: 'whether the service answers, and can store and read what it is sent; without a key or a token',
    answer: schema.health,
    handler: (_, workbench) => {
      const trouble = workbench.service.trouble();
      if (trouble !== undefined) throw new ApiError(503, 'NotReady', trouble);
      return json(HEALTHY);
    },
  }),
  route('GET /info', {
    summary: 'address, version, seed and clock; no key',
    answer: schema.info,
    handler: (_, workbench) => json(infoOf(workbench)),
  }),
  route('GET /key', {
    summary: 'the API key, for the page: wants the header `X-Platen-Page: 1`, or the control token',
    answer: schema.key,
    handler: ({ headers }, workbench) => json(keyFor(headers['x-platen-page'], workbench)),
  }),
  route('GET /events', {
    summary: 'what happens, as server-sent events; `Last-Event-ID` continues where a reader left off',
    answer: 'text/event-stream',
    handler: ({ headers }, { feed }) => {
      if (feed.readers >= MOST_READERS) throw tooManyReaders();
      return { stream: (response) => streamEvents(response, feed, lastEventId(headers['last-event-id'])) };
    },
  }),
  route('GET /clock', {
    summary: 'the time, whether it is virtual, and whether it passes by itself',
    answer: schema.clock,
    handler: (_, { time }) => json(time.view()),
  }),
  route('POST /clock/advance', {
    summary: 'moves a virtual clock on, by `{"by": "14d"}`, at most 366d; answers when all that came due has settled',
    answer: schema.clock,
    body: z.strictObject({ by: passingOrMs }),
    handler: async ({ body }, { time }) => {
      if (!time.isVirtual) throw onRealTime('advanced');
      await time.advance(body.by);
      return json(time.view());
    },
  }),
  route('POST /clock/resume', {
    summary: 'lets a virtual clock run with real time',
    answer: schema.clock,
    handler: (_, { time }) => {
      if (!time.resume()) throw onRealTime('resumed');
      return json(time.view());
    },
  }),
  route('POST /clock/freeze', {
    summary: 'freezes the clock again',
    answer: schema.clock,
    handler: async (_, { time }) => {
      if (!(await time.freeze())) throw onRealTime('frozen');
      return json(time.view());
    },
  }),
  route('POST /reset', {
    summary: 'back to the seed: no jobs, the room as it was at the start; of one account with `account`',
    answer: schema.health,
    query: z.object({ account }),
    handler: async ({ query }, workbench) => {
      await workbench.reset(query.account);
      return json(HEALTHY);
    },
  }),
];

function infoOf(workbench: Workbench): InfoView {
  return {
    version: packageVersion(),
    url: workbench.url,
    startedAt: workbench.startedAt,
    seed: workbench.seed,
    clock: workbench.time.view(),
    limits: workbench.limits,
    controlTokenRequired: workbench.controlToken !== undefined,
    accounts: workbench.rooms.accounts().length,
  };
}

/** A caller beyond loopback has shown the token; on loopback the header makes a browser ask first. */
function keyFor(header: string | string[] | undefined, workbench: Workbench): KeyView {
  if (workbench.controlToken !== undefined || header === '1') return { apiKey: workbench.apiKey };
  throw forbidden('send the header X-Platen-Page: 1');
}

function lastEventId(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

function onRealTime(what: string): ApiError {
  return new ApiError(409, 'RealClock', `this workbench runs on real time, which cannot be ${what}`);
}

/** Each is sent all that happens. */
const MOST_READERS = 100;

function tooManyReaders(): ApiError {
  return new ApiError(503, 'TooManyReaders', `${MOST_READERS} readers have the events already: end one of them`);
}

/** Unsent bytes at which a client has to catch up first. */
const MOST_UNSENT_BYTES = 256 * 1024;
/** Proxies end connections on which nothing is said. */
const SIGN_OF_LIFE_MS = 15_000;

/** Serves one client until it goes. @param lastId - value of its `Last-Event-ID` */
function streamEvents(response: ServerResponse, feed: LiveFeed, lastId: number | undefined): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write('retry: 1000\n\n');
  const client: FeedClient = {
    get ready() {
      return response.writableLength < MOST_UNSENT_BYTES;
    },
    send: (events) => void response.write(events.map(frame).join('')),
    drop: () => response.destroy(),
  };
  const leave = feed.join(client, lastId);
  const signs = systemClock.beat(SIGN_OF_LIFE_MS, () => {
    if (client.ready) response.write(': \n\n');
  });
  response.once('close', () => {
    signs.cancel();
    leave();
  });
}

function frame({ id, name, data }: FeedEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;
}
