/**
 * Standing between: the connections of a pipeline in which platen stands, each with a fault plan of its own.
 */

import { usageError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { messageOf } from '../common/error-message.ts';
import { FaultPlan } from '../common/fault-plan.ts';
import { createRandom } from '../common/random.ts';
import { HTTP_FAULTS, startFaultProxy } from '../wire/fault-proxy.ts';
import { keysOf } from '../common/keys-of.ts';
import type { Between } from './pipeline-file.ts';
import type { Step } from './steps.ts';
import { startTcpProxy, TCP_FAULTS } from './tcp-proxy.ts';

type Break = Extract<Step, { break: unknown }>['break'];

export interface Connection {
  /** What stands for it in the pipeline file. */
  readonly address: string;
  readonly faults: FaultPlan;
  close(): Promise<void>;
}

export function isHttp(to: string): boolean {
  return to.startsWith('http:');
}

/** The faults that it can have. */
export function faultsOf(to: string): readonly string[] {
  return isHttp(to) ? keysOf(HTTP_FAULTS) : keysOf(TCP_FAULTS);
}

/** @param to - its address, with everything filled in. @throws ActionableError when it cannot be opened */
export async function standBetween(name: string, to: string, { port = 0 }: Between): Promise<Connection> {
  const faults = new FaultPlan(systemClock, createRandom(name));
  try {
    if (isHttp(to)) {
      const proxy = await startFaultProxy({ clock: systemClock, faults, serviceUrl: to, port });
      return { address: proxy.url + new URL(to).pathname.replace(/\/$/, ''), faults, close: () => proxy.close() };
    }
    const { protocol, hostname, port: toPort } = new URL(to);
    const address = { host: hostname, port: Number(toPort) };
    const proxy = await startTcpProxy({ clock: systemClock, faults, to: address, port });
    return { address: `${protocol}//127.0.0.1:${proxy.port}`, faults, close: () => proxy.close() };
  } catch (error) {
    throw usageError(
      `platen cannot stand in '${name}': ${messageOf(error)}`,
      `Correct between.${name}, which leads to ${to}.`,
    );
  }
}

export function breakConnection({ faults }: Connection, { fault, on, after, times }: Break): void {
  const at = on === undefined ? '*' : `http/${on} `;
  faults.add({ at, fault, ...(after !== undefined && { after }), ...(times !== undefined && { times }) });
}
