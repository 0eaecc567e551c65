/**
 * A second implementation of the service, for the checks to be tried on: written from the specification and
 * docs/device-link.md alone, sharing no code with the reference service. Where the specification is silent it
 * does, on purpose, something else than the reference service, within what callers must expect.
 *
 *   http-front ─► account-, device-, job-routes, webhooks ─► store (in memory)
 *   device-link ──────────────────────────────────────────────┘
 */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { accountRoutes } from './account-routes.ts';
import { realClock, type ServiceClock } from './clock.ts';
import { DeviceLinkEnd, type ConnectionInfo } from './device-link.ts';
import { deviceRoutes } from './device-routes.ts';
import { createHttpFront } from './http-front.ts';
import { Jobs } from './job-routes.ts';
import { Store, timestamp, type Job } from './store.ts';
import { Webhooks } from './webhooks.ts';

export interface SecondServiceOptions {
  /** Of an Integrator Account. */
  readonly apiKey: string;
  /** Of a Single Account. */
  readonly secondApiKey: string;
  /** Real time when left out. */
  readonly clock?: ServiceClock;
  /** 10 requests a second, 35 in a burst. Default true. */
  readonly hasRateLimit?: boolean;
  readonly port?: number;
}

export interface SecondService {
  readonly url: string;
  close(): Promise<void>;
}

export async function startSecondService(options: SecondServiceOptions): Promise<SecondService> {
  const { apiKey, secondApiKey, clock = realClock, hasRateLimit = true, port = 0 } = options;
  const store = new Store(clock);
  for (const [email, key, mayHaveChildren] of [
    ['first@second.example', apiKey, true],
    ['other@second.example', secondApiKey, false],
  ] as const) {
    store.addAccount({ parent: null, mayHaveChildren, email, keys: new Map([['main', key]]) });
  }
  const webhooks = new Webhooks(store);
  const jobs = new Jobs(store, {
    queued: (job: Job) => link.offer(job),
    recorded: (job, { state, message }) =>
      webhooks.publish(job.account, 'print job state', { printJobId: job.id, state, message }),
  });
  const link = new DeviceLinkEnd(store, jobs, {
    connectionsChanged: (computer, connections, event) =>
      webhooks.publish(computer.account, 'computer state', {
        state: computer.isConnected ? 'connected' : 'disconnected',
        connections: connections.map(connectionJson),
        event: connectionJson(event),
      }),
  });
  const server = createHttpFront({
    store,
    hasRateLimit,
    routes: [
      ...accountRoutes(store, link),
      ...deviceRoutes(store, {
        computerRemoved: (computer) => link.computerRemoved(computer),
        refresh: (account) => link.refresh(account),
      }),
      ...jobs.routes(),
      ...webhooks.routes(),
    ],
  });
  link.listen(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      link.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function connectionJson({ hostname, version, edition, since }: ConnectionInfo): {
  readonly [key: string]: string | null;
} {
  return { hostname, version, edition, connectionTimestamp: timestamp(since) };
}
