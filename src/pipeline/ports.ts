/**
 * Ports for the programs of pipelines. They lie below those that the system gives out by itself: a program that was
 * killed has to find its port free when it is started again.
 */

import { once } from 'node:events';
import { createServer } from 'node:net';

import { createRandom } from '../common/random.ts';

const LOWEST = 20_000;
const HIGHEST = 32_000;

export class Ports {
  #next = createRandom(`ports of ${process.pid}`).integer(LOWEST, HIGHEST);

  /** One that nothing listens on, and that this has not given out lately. */
  async free(): Promise<number> {
    for (;;) {
      const port = this.#next;
      this.#next = port === HIGHEST ? LOWEST : port + 1;
      if (await isFree(port)) return port;
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
