/**
 * Reader: what answers are taken for. What a service does otherwise than printed is learnt from a sound request, once
 * an endpoint and only where an answer makes it doubtful; where it is met again, it is counted, and read as printed.
 *
 *   answer ─► differs? ─► as a sound request to this endpoint is answered? ─┬─► read as printed, and counted
 *                                                                           └─► as it is: checks judge it
 */

import { exchangeAs, viewOf } from '../../stage/answer-view.ts';
import type { Deviation } from '../../stage/deviation.ts';
import type { Ask, Found } from '../../stage/manner.ts';
import { MANNERS } from '../../stage/manners.ts';
import type { Exchange } from '../../wire/http-exchange.ts';

/** Each endpoint has a clause that prints what a service does otherwise throughout. */
export type MetPlace = Pick<Deviation, 'at' | 'clauses'>;

/** A deviation that a check met at a place, and the first exchange that shows it there. */
export interface MetDeviation {
  readonly deviation: Deviation;
  readonly here: MetPlace;
  readonly exchange: number;
}

/** What asks: an act is tried in its place. */
interface Asking {
  /** The acts that are being tried, one for the sake of another. */
  readonly acts?: ReadonlySet<ActName> | undefined;
  /** Ends what must not see the things of a trial, which this exchange asks for. Without it, the trial is at once. */
  readonly postpone?: ((exchange: Exchange) => void) | undefined;
}

export interface Reader<From extends Asking> {
  read(exchange: Exchange, from: From, get: Ask['get']): Promise<Reading>;
}

interface Reading {
  readonly exchange: Exchange;
  readonly met: readonly Omit<MetDeviation, 'exchange'>[];
}

/** What of a service is tried by a sound request: `GET /whoami`, or how it refuses. */
export type ActName = string;
export const REFUSAL: ActName = 'refusal';

/** Sends it, tells in which ways the answer deviates, and then cleans up. */
export type TryAct<From extends Asking> = (
  act: ActName,
  from: From,
  tell: (deviations: readonly Deviation[]) => void,
) => Promise<void>;

export function createReader<From extends Asking>(tryAct: TryAct<From>): Reader<From> {
  const tried = new Map<ActName, Promise<ReadonlySet<string>>>();
  /** What was tried by now, and may still be cleaning up: that asks as well. */
  const known = new Map<ActName, ReadonlySet<string>>();
  /** By id, each as it was met first. */
  const learnt = new Map<string, Deviation>();

  /** By caller. */
  const accounts = new Map<string, Promise<unknown>>();

  const learn = async (act: ActName, from: From): Promise<ReadonlySet<string>> => {
    let ids: ReadonlySet<string> = new Set();
    await tryAct(act, from, (deviations) => {
      for (const deviation of deviations) if (!learnt.has(deviation.id)) learnt.set(deviation.id, deviation);
      ids = new Set(deviations.map(({ id }) => id));
      if (!from.acts) known.set(act, ids);
    });
    return ids;
  };
  const isLearnt = async ({ deviation, isHidden }: Found, exchange: Exchange, from: From): Promise<boolean> => {
    const { id, isThroughout } = deviation;
    if (isThroughout && learnt.has(id)) return true;
    if (isHidden) return false;
    const act = actOf(exchange);
    // The answer may be the very one that it is learnt from.
    if (from.acts?.has(act)) return true;
    // What is refused makes nothing.
    if (act !== REFUSAL && !tried.has(act)) from.postpone?.(exchange);
    const asked = known.get(act) ?? tried.get(act) ?? learn(act, from);
    // An act that is tried on the way to another one may wait for that one.
    if (!from.acts && asked instanceof Promise) tried.set(act, asked);
    return (await asked).has(id);
  };

  const accountOf = (caller: string, get: Ask['get']): Promise<unknown> => {
    const account = accounts.get(caller) ?? get('/whoami').then((answer) => answer?.value);
    accounts.set(caller, account);
    return account;
  };

  return {
    async read(exchange, from, get) {
      const { request } = exchange;
      if (request.method !== 'GET' && request.path.startsWith('/account')) accounts.clear();
      const ask: Ask = { get, account: () => accountOf(callerOf(request), get) };
      const met: Omit<MetDeviation, 'exchange'>[] = [];
      let view = viewOf(exchange);
      for (const manner of MANNERS) {
        for (const found of manner(view)) {
          const { deviation, read } = found;
          if (!(await isLearnt(found, exchange, from))) continue;
          met.push({ deviation: learnt.get(deviation.id) ?? deviation, here: deviation });
          view = await read(view, ask);
        }
      }
      return { exchange: met.length === 0 ? exchange : exchangeAs(exchange, view), met };
    },
  };
}

/** What of the headers of a request says whose it is. */
function callerOf({ headers }: Exchange['request']): string {
  return JSON.stringify(headers.filter(([name]) => /^(authorization|x-child-account-.*)$/i.test(name)));
}

function actOf(exchange: Exchange): ActName {
  const { endpoint, status } = viewOf(exchange);
  return endpoint && status < 400 ? `${endpoint.method} ${endpoint.path}` : REFUSAL;
}
