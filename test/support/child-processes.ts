/**
 * Child processes: gives orders to several copies of a module, each one order at a time, and takes their replies.
 */

import { fork, type ChildProcess } from 'node:child_process';

export interface OrderedWork<Order, Reply> {
  /** Answers each message with one. */
  readonly module: URL;
  readonly processes: number;
  /** The next order; undefined when there are no more. */
  readonly next: () => Order | undefined;
  readonly took: (reply: Reply, order: Order) => void;
}

/** @throws Error when a process ends without a reply */
export async function orderFrom<Order extends object, Reply>(work: OrderedWork<Order, Reply>): Promise<void> {
  await Promise.all(Array.from({ length: work.processes }, () => workThrough(work)));
}

async function workThrough<Order extends object, Reply>(work: OrderedWork<Order, Reply>): Promise<void> {
  let child: ChildProcess | undefined;
  for (let order = work.next(); order !== undefined; order = work.next()) {
    child ??= fork(work.module, { serialization: 'advanced' });
    work.took(await replyTo<Reply>(child, order), order);
  }
  child?.disconnect();
}

function replyTo<Reply>(child: ChildProcess, order: object): Promise<Reply> {
  child.send(order);
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void =>
      reject(new Error(`the process ended with ${code} at ${JSON.stringify(order).slice(0, 300)}`));
    child.once('exit', ended);
    child.once('message', (reply: Reply) => {
      child.off('exit', ended);
      resolve(reply);
    });
  });
}
