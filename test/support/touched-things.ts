/**
 * What of an account as a whole a check touched, as its exchanges tell: things that there are once, or a few times,
 * in an account, so that two checks which touch them at the same time see each other.
 */

import { headerValues } from '../../src/common/header-pairs.ts';
import type { ConformanceResult } from '../../src/conformance/run/run-conformance.ts';
import { AUTHENTICATION_HEADERS } from '../../src/specification/headers.ts';
import { type Exchange } from '../../src/wire/http-exchange.ts';

/** Whose thing it is, and what: `account/webhooks`. */
export type Touched = `${'account' | 'second-account'}/${string}`;

/** Requests, as method and path, by what they touch. */
const THINGS: Readonly<Record<string, RegExp>> = {
  webhooks: /^\w+ \/+webhooks?\b/,
  downloads: /^\w+ \/+download\/clients?\b/,
  'simulated-scale': /^PUT \/+scale\b|^GET \/+computer\/0\//,
  computers: /^DELETE \/+(computers|printers|printjobs)\/*(\?|$)/,
  everything: /^(DELETE \/+account|PATCH \/+account|PUT \/+account\/state)\/*(\?|$)/,
};

/** Only of an Integrator: there it is to be declared, as a webhook hears of it. */
const SUBMISSION = /^POST \/+printjobs\/*(\?|$)/;

/** Ids of the accounts that all checks of a run share. */
export interface SharedAccounts {
  readonly account: string;
  readonly 'second-account': string;
}

export function touchedBy(
  { exchanges }: ConformanceResult['outcomes'][number],
  shared: SharedAccounts,
  isOfIntegrator: boolean,
): ReadonlySet<Touched> {
  return new Set(exchanges.flatMap(({ exchange }) => touchedIn(exchange, shared, isOfIntegrator)));
}

function touchedIn(
  { request, response }: Exchange,
  shared: SharedAccounts,
  isOfIntegrator: boolean,
): readonly Touched[] {
  // If it is no account, or one that the check made for itself, no other check is in it.
  const id = headerValues(response.headers, AUTHENTICATION_HEADERS.account.name)[0];
  const whose = (['account', 'second-account'] as const).find((owner) => shared[owner] === id);
  if (whose === undefined) return [];
  const said = `${request.method} ${request.path}`;
  const things = Object.keys(THINGS).filter((name) => THINGS[name]?.test(said));
  const prints = isOfIntegrator && whose === 'account' && response.status < 300 && SUBMISSION.test(said);
  return [...things, ...(prints ? ['computers'] : [])].map((name) => `${whose}/${name}` as const);
}
