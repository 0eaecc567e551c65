/**
 * The reference service as a target on a virtual clock, for tests of the suite. `rules` replaces rules; requests are counted
 * as the specification says.
 */

import type { ServiceOptions } from '../../src/service/server.ts';
import { virtualTimekeeper } from '../../src/common/timekeeper.ts';
import { webSocketLink } from '../../src/link/websocket-link.ts';
import { DEFAULT_REQUESTS_PER_SECOND, type Target } from '../../src/targets/target.ts';
import { FIRST_KEY, runService, SECOND_KEY } from './running-service.ts';

export async function startEmbeddedTarget(options: Partial<ServiceOptions> = {}): Promise<Target> {
  const service = await runService({ limits: 'spec', ...options });
  return {
    name: 'reference service',
    kind: 'embedded',
    baseUrl: service.url,
    apiKey: FIRST_KEY,
    secondApiKey: SECOND_KEY,
    isIntegrator: true,
    requestsPerSecond: DEFAULT_REQUESTS_PER_SECOND,
    isDisposable: true,
    clock: service.clock,
    timekeeper: virtualTimekeeper(service.clock),
    link: webSocketLink({ clock: service.clock }),
    ...(options.dataFile !== undefined && { restart: async () => service.service.restart() }),
    close: async () => service[Symbol.asyncDispose](),
  };
}
