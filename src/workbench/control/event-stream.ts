/**
 * Event stream: the live feed over HTTP, as server-sent events.
 */

import type { ServerResponse } from 'node:http';

import { systemClock } from '../../common/clock.ts';
import type { FeedClient, FeedEvent, LiveFeed } from '../logs/live-feed.ts';

/** Unsent bytes at which a client has to catch up first. */
const MOST_UNSENT_BYTES = 256 * 1024;
/** Proxies end connections on which nothing is said. */
const SIGN_OF_LIFE_MS = 15_000;

/** Serves one client until it goes. @param lastId - value of its `Last-Event-ID` */
export function streamEvents(response: ServerResponse, feed: LiveFeed, lastId: number | undefined): void {
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
