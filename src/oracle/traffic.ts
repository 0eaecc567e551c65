/**
 * Traffic: judges exchanges between a service and its callers, as a browser, a proxy or a test recorded them.
 *
 *   exchanges ─┬─► rules of each exchange ────────────► broken
 *              └─► account judge, as one history ─────► unexplained: unless another caller acted meanwhile
 *
 * Nothing is known of the service but what was recorded, and others may have used the same accounts.
 */

import type { ClauseId } from '../specification/clauses.ts';
import { CLAUSES } from '../specification/clauses.ts';
import type { Level } from '../specification/clause.ts';
import type { ArchivedExchange } from '../record/http-archive.ts';
import { parseJson } from '../common/json-value.ts';
import { asSent } from './account/as-sent.ts';
import { judgeAccount } from './account/judge-account.ts';
import type { SeenExchange } from './account/observation.ts';
import { endpointFor } from './endpoint-for.ts';
import { CREDENTIAL_RULES, EXCHANGE_RULES } from './exchange-rules.ts';
import { header, requestHeader, type Invariant, type ObservedExchange } from './invariant.ts';
import { INVARIANTS, judgeHistory } from './invariants.ts';
import type { Mismatch } from './mismatch.ts';

/** A clause that exchanges break, with the first of them. */
export interface BrokenByTraffic {
  readonly clause: ClauseId;
  readonly level: Level;
  /** How many exchanges break it, of how many that it says something about. */
  readonly count: number;
  readonly judged: number;
  readonly example: Mismatch;
}

export interface TrafficJudgement {
  /** The address of the service, as most exchanges have it; undefined where none of them looks like one of its. */
  readonly service: string | undefined;
  readonly exchanges: number;
  /** With other services; without an answer; with an answer whose body was not kept. */
  readonly leftOut: { readonly elsewhere: number; readonly unanswered: number; readonly bodyless: number };
  /** Clauses that were judged. */
  readonly judged: number;
  readonly broken: readonly BrokenByTraffic[];
  /** What is broken if no other caller used the accounts meanwhile. */
  readonly unexplained: readonly (Mismatch & { readonly clause: ClauseId })[];
}

const LEVEL_OF = new Map(CLAUSES.map(({ id, level }) => [id, level]));

export function judgeTraffic(archive: readonly ArchivedExchange[]): TrafficJudgement {
  const asked = archive.filter(({ request }) => request.method !== 'OPTIONS');
  const service = serviceIn(asked);
  const own = asked.filter(({ request }) => service !== undefined && pathBelow(service, request.url) !== undefined);
  const answered = own.filter(({ response }) => response !== undefined);
  const exchanges = answered.flatMap((one) => observed(one, service ?? ''));
  const byRules = judgeHistory(exchanges, rulesFor(exchanges));
  const overTime = judgeOverTime(exchanges);
  const clauses = new Set(byRules.filter(({ judged }) => judged > 0).map(({ clause }) => clause));
  const named = new Set(byRules.flatMap(({ clause, mismatches }) => (mismatches.length > 0 ? [clause] : [])));
  return {
    service,
    exchanges: exchanges.length,
    leftOut: {
      elsewhere: asked.length - own.length,
      unanswered: own.length - answered.length,
      bodyless: answered.length - exchanges.length,
    },
    judged: new Set([...clauses, ...overTime.judged.keys()]).size,
    broken: brokenIn(byRules),
    unexplained: overTime.broken.filter(({ clause }) => !named.has(clause)),
  };
}

/** A clause may be judged by several rules, as that of a field which is shown in several places. */
function brokenIn(byRules: ReturnType<typeof judgeHistory>): readonly BrokenByTraffic[] {
  return [...Map.groupBy(byRules, ({ clause }) => clause)].flatMap(([clause, lines]) => {
    const mismatches = lines.flatMap((line) => line.mismatches);
    const [example] = mismatches.toSorted((one, other) => (one.exchange ?? 0) - (other.exchange ?? 0));
    const level = LEVEL_OF.get(clause);
    if (!example || (level !== 'must' && level !== 'should')) return [];
    const judged = lines.reduce((sum, line) => sum + line.judged, 0);
    return [{ clause, level, count: mismatches.length, judged, example }];
  });
}

// ── Which exchanges ──────────────────────────────────────────────────────────────────────────────────

/** The address that most exchanges have before a path of the API. */
function serviceIn(archive: readonly ArchivedExchange[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { request } of archive) {
    const base = baseOf(request.method, new URL(request.url));
    if (base !== undefined) counts.set(base, (counts.get(base) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

/** What stands before the longest end of the address that is a path of the API. */
function baseOf(method: string, { origin, pathname }: URL): string | undefined {
  const cuts = [...pathname.matchAll(/\//g)].map(({ index }) => index);
  const cut = cuts.find((index) => endpointFor(method, pathname.slice(index)) !== undefined);
  return cut === undefined ? undefined : origin + pathname.slice(0, cut);
}

function pathBelow(service: string, url: string): string | undefined {
  const { origin, pathname, search } = new URL(url);
  const whole = origin + pathname + search;
  return whole.startsWith(`${service}/`) ? whole.slice(service.length) : undefined;
}

function observed({ request, response, sentMs, receivedMs }: ArchivedExchange, service: string): ObservedExchange[] {
  if (response?.body === undefined) return [];
  const { method, headers, body } = request;
  const path = pathBelow(service, request.url) ?? '';
  return [
    { request: { method, path, headers, body }, response: { ...response, body: response.body }, sentMs, receivedMs },
  ];
}

// ── By which rules ───────────────────────────────────────────────────────────────────────────────────

/** What a recorder may have changed: a digest is that of the bytes before they were unpacked. */
const UNSURE: Readonly<Partial<Record<ClauseId, (exchange: ObservedExchange) => boolean>>> = {
  'service/content-md5-of-body': (exchange) => header(exchange, 'content-encoding') !== undefined,
  'service/elapsed-seconds': ({ sentMs, receivedMs }) => receivedMs === sentMs,
};

/** Browsers leave credentials out of what they save. */
function rulesFor(exchanges: readonly ObservedExchange[]): readonly Invariant[] {
  const hasCredentials = exchanges.some((exchange) => requestHeader(exchange, 'authorization') !== undefined);
  const rules = [...INVARIANTS, ...EXCHANGE_RULES, ...(hasCredentials ? CREDENTIAL_RULES : [])];
  return rules.map((rule) => {
    const isUnsure = UNSURE[rule.clause];
    return isUnsure ? { ...rule, concerns: (exchange) => !isUnsure(exchange) && rule.concerns(exchange) } : rule;
  });
}

/** How far the clocks of the recorder and of the service are apart is unknown. */
function judgeOverTime(exchanges: readonly ObservedExchange[]): ReturnType<typeof judgeAccount> {
  return judgeAccount({
    history: inOrder(exchanges),
    circumstances: {
      isCallersAlone: true,
      isLinkDisturbed: true,
      isHttpDisturbed: true,
      isWhole: false,
      isReference: false,
      isVirtual: false,
      isMoved: false,
      clockErrorMs: Infinity,
      dialect: {},
    },
    levels: ['must'],
  });
}

/** As they were answered; those that were under way at the same time say so. */
function inOrder(exchanges: readonly ObservedExchange[]): readonly SeenExchange[] {
  let group = 0;
  let untilMs = -Infinity;
  const seen = exchanges.map((http): SeenExchange => {
    if (http.sentMs >= untilMs) group++;
    untilMs = Math.max(untilMs, http.receivedMs);
    const { sentMs, receivedMs: atMs, request, response } = http;
    return {
      kind: 'exchange',
      atMs,
      sentMs,
      together: group,
      ...asSent(request),
      value: parseJson(response.body),
      http,
    };
  });
  const sizes = Map.groupBy(seen, ({ together }) => together);
  return seen
    .map(({ together, ...one }): SeenExchange => {
      const isAlone = together === undefined || sizes.get(together)?.length === 1;
      return isAlone ? one : { ...one, together };
    })
    .toSorted((one, other) => one.atMs - other.atMs);
}
