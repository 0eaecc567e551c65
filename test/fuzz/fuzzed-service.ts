/**
 * The service that is fuzzed, as a process of its own: a crash is a crash, and its memory is its own.
 *
 * It reports its port, and at every message from its parent how much memory it uses after a collection.
 */

import { createServer } from 'node:http';

import { systemClock } from '../../src/common/clock.ts';
import { portOf } from '../../src/common/port-of.ts';
import { createRandom } from '../../src/common/random.ts';
import { attachService, serverOptions } from '../../src/service/http/http-server.ts';
import { createService } from '../../src/service/server.ts';
import { testAccounts } from '../support/running-service.ts';
import { ScriptedComputer } from '../support/scripted-computer.ts';

/** What the process reports to its parent. */
export interface ServiceReport {
  readonly port: number;
  /** Living objects and buffers, after a collection. */
  readonly usedBytes: number;
  readonly residentBytes: number;
  readonly faults: readonly string[];
}

const faults: string[] = [];
const service = createService({
  clock: systemClock,
  random: createRandom(1),
  accounts: testAccounts,
  limits: 'off',
  onFault: (error) => faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
});
const server = createServer(serverOptions());
attachService(server, service);
server.listen(0, '127.0.0.1', () => void begin());

async function begin(): Promise<void> {
  // One computer with a printer that has been there and is gone: jobs for it are accepted and wait.
  const port = portOf(server);
  await (await ScriptedComputer.connect(`http://127.0.0.1:${port}`))[Symbol.asyncDispose]();
  process.on('message', () => void report(port));
  await report(port);
}

async function report(port: number): Promise<void> {
  for (let count = 0; count < 3; count++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const message: ServiceReport = { port, usedBytes: heapUsed + external, residentBytes: rss, faults };
  process.send?.(message);
}
