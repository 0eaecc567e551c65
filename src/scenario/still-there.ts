/**
 * Whether a service still answers, asked after a scenario went wrong on it. Any answer over HTTP counts, also a
 * bad one: what is wrong with it is what scenarios tell.
 */

import type { Target } from '../target/target.ts';
import { createHttpSender } from '../wire/http-exchange.ts';

const PATIENCE_MS = 5_000;

export async function isStillThere({ baseUrl }: Pick<Target, 'baseUrl'>): Promise<boolean> {
  const sender = createHttpSender({ limitMs: PATIENCE_MS });
  try {
    const outcome = await sender.send({ method: 'GET', baseUrl, path: '/ping', headers: [] });
    return outcome.ok;
  } finally {
    await sender.close();
  }
}
