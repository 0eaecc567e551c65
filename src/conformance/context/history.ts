/**
 * History: every exchange of a run in the order they ended, so that it can be judged as a whole: as it came, for
 * evidence, and as it was read, for rules of every response.
 */

import type { Exchange } from '../../wire/http-exchange.ts';

export interface History {
  readonly exchanges: readonly Exchange[];
  /** The same, with what the service does otherwise throughout as the specification prints it. */
  readonly read: readonly Exchange[];
  /** Adds an exchange and returns its position. */
  add(exchange: Exchange): number;
  readAs(position: number, exchange: Exchange): void;
}

export function createHistory(): History {
  const exchanges: Exchange[] = [];
  const read: Exchange[] = [];
  return {
    exchanges,
    read,
    add(exchange) {
      read.push(exchange);
      return exchanges.push(exchange) - 1;
    },
    readAs(position, exchange) {
      read[position] = exchange;
    },
  };
}
