/**
 * History: every exchange of a run in the order they ended, so that it can be judged as a whole.
 */

import type { Exchange } from '../../wire/http-exchange.ts';

export interface History {
  readonly exchanges: readonly Exchange[];
  /** Adds an exchange and returns its position. */
  add(exchange: Exchange): number;
}

export function createHistory(): History {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    add: (exchange) => exchanges.push(exchange) - 1,
  };
}
