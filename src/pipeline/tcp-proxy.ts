/**
 * TCP proxy: stands in a connection that is not HTTP, such as one to port 9100, and breaks it where a fault rule
 * says so.
 *
 *   sender ══ bytes ══► proxy ── does a fault happen to this connection? ──► printer
 *
 * The place of a connection is `tcp`; each connection is an occasion.
 */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import { sleep, type Clock } from '../common/clock.ts';
import type { FaultPlan, Firing } from '../common/fault-plan.ts';
import type { FaultMeaning } from '../common/fault-rule.ts';
import { countSetting, durationSetting } from '../common/fault-settings.ts';
import { keysOf } from '../common/keys-of.ts';
import { portOf } from '../common/port-of.ts';

export const TCP_FAULTS = {
  reset: { does: 'the connection is reset before anything goes through' },
  cut: { does: 'the connection is reset in the middle', settings: { bytes: 'after this number of bytes (40)' } },
  'lost-answer': { does: 'all goes through, and the connection is reset in place of the answer' },
  latency: { does: 'what is sent is late', settings: { delay: 'how much later (400ms)' } },
} as const satisfies Readonly<Record<string, FaultMeaning>>;

const NAMES = keysOf(TCP_FAULTS);
const CUT_AFTER_BYTES = 40;
const LATENCY_MS = 400;

export interface TcpProxyOptions {
  readonly clock: Clock;
  readonly faults: FaultPlan;
  readonly to: { readonly host: string; readonly port: number };
  /** 0 takes any that is free. */
  readonly port: number;
}

export interface TcpProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** Rejects as `listen` does. */
export async function startTcpProxy(options: TcpProxyOptions): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    open.add(caller.on('close', () => open.delete(caller)));
    caller.on('error', () => undefined);
    const firing = options.faults.firstOf('tcp', NAMES);
    if (firing?.fault === 'reset') {
      caller.resetAndDestroy();
      return;
    }
    const printer = connect({ ...options.to, allowHalfOpen: true });
    open.add(printer.on('close', () => open.delete(printer)));
    carry(caller, printer, { firing, clock: options.clock });
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

interface Carrying {
  readonly firing: Firing | undefined;
  readonly clock: Clock;
}

function carry(caller: Socket, printer: Socket, carrying: Carrying): void {
  const reset = (): void => {
    for (const socket of [caller, printer]) socket.resetAndDestroy();
  };
  // One side that breaks breaks the other; an end in good order is carried on below.
  for (const [socket, other] of [
    [caller, printer],
    [printer, caller],
  ] as const) {
    socket.setNoDelay(true).on('error', () => undefined);
    socket.once('close', (hadError) => void (hadError && other.resetAndDestroy()));
  }
  caller.once('close', () => printer.destroySoon());
  void there(caller, printer, carrying, reset).catch(reset);
  void back(printer, caller, carrying, reset).catch(reset);
}

async function there(caller: Socket, printer: Socket, { firing, clock }: Carrying, reset: () => void): Promise<void> {
  let left = firing?.fault === 'cut' ? countSetting(firing, 'bytes', CUT_AFTER_BYTES) : Infinity;
  let isLate = firing?.fault === 'latency';
  for await (const bytes of caller as AsyncIterable<Buffer>) {
    if (firing && isLate) await sleep(clock, durationSetting(firing, 'delay', LATENCY_MS));
    isLate = false;
    if (bytes.length >= left) {
      await new Promise((written) => printer.write(bytes.subarray(0, left), written));
      // Before the loop is left, which would end the connection in good order.
      return reset();
    }
    left -= bytes.length;
    if (!printer.write(bytes)) await once(printer, 'drain');
  }
  printer.end();
}

/** An answer may be no more than the end of the connection. */
async function back(printer: Socket, caller: Socket, { firing }: Carrying, reset: () => void): Promise<void> {
  for await (const bytes of printer as AsyncIterable<Buffer>) {
    if (firing?.fault === 'lost-answer') return reset();
    if (!caller.write(bytes)) await once(caller, 'drain');
  }
  if (firing?.fault === 'lost-answer') return reset();
  caller.end();
}
