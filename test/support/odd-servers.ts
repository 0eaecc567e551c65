/**
 * Servers that are no service of this kind, or one on its worst day.
 */

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

import { systemClock } from '../../src/common/clock.ts';
import { portOf } from '../../src/common/port-of.ts';
import { realTimekeeper } from '../../src/common/timekeeper.ts';
import type { Target } from '../../src/targets/target.ts';

/** A target that answers every request with this listener. */
export async function targetOf(listener: RequestListener, apiKey = 'some-key'): Promise<Target> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${portOf(server)}`;
  return {
    name: baseUrl,
    kind: 'remote',
    baseUrl,
    apiKey,
    clock: systemClock,
    timekeeper: realTimekeeper,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
