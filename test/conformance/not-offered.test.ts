/**
 * Services that lack a part of the API: declared, the run is good, and only checks that ask for that part are left out;
 * not declared, the part is found and named, and nothing else is lost.
 */

import { beforeAll, describe, expect, it } from 'vitest';

import { runConformance, type ConformanceResult } from '../../src/conformance/run/run-conformance.ts';
import type { Endpoint } from '../../src/specification/clause.ts';
import { endpointFor } from '../../src/oracle/endpoint-for.ts';
import { endpointOfNeed, endpointsOf, OFFER_GROUPS, type OfferGroup } from '../../src/targets/offers.ts';
import { startMeddlingProxy } from '../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { withoutEndpoints } from '../support/without-endpoints.ts';
import { commitSample } from '../tiers/commit-sample.ts';

const FAMILIES = OFFER_GROUPS.slice(0, OFFER_GROUPS.indexOf('misc') + 1);
const PAIRS = FAMILIES.flatMap((one, index) => FAMILIES.slice(index + 1).map((other) => [one, other] as const));
const ALL: readonly (readonly OfferGroup[])[] = [...OFFER_GROUPS.map((name) => [name]), ...PAIRS];
const TRIED = commitSample('not offered', ALL, 6);
const RUN_MS = 400_000;
/** A check that asks for nothing that is printed. */
const ASKS_NOTHING = 'service/unknown';

interface Lacking {
  readonly names: readonly string[];
  /** How the service answers there. */
  readonly status: number;
  readonly isDeclared: boolean;
  readonly grep?: string;
  /** The body of all its errors, where that is not as printed. */
  readonly error?: string;
}

/** The reference service without these routes. */
async function check({ names, status, isDeclared, grep, error }: Lacking): Promise<ConformanceResult> {
  const service = await startEmbeddedTarget();
  const { rewrite, meddle } = withoutEndpoints(names, status);
  const proxy = await startMeddlingProxy(service.baseUrl, {
    rewrite,
    meddle: (answer) => ({ ...meddle(answer), ...(error !== undefined && answer.status >= 400 && { body: error }) }),
  });
  try {
    const absent = isDeclared ? (names as readonly OfferGroup[]) : [];
    // As any service at an address; the reference service in this process is taken to have everything.
    const target = { ...service, kind: 'remote', linkName: 'websocket', baseUrl: proxy.url, absent } as const;
    return await runConformance({ target, seed: 1, ...(grep !== undefined && { grep }) });
  } finally {
    await proxy.close();
    await service.close();
  }
}

let whole: ConformanceResult;

beforeAll(async () => {
  whole = await check({ names: [], status: 404, isDeclared: true });
}, RUN_MS);

/** Whether a check asks for one of these where everything is there, by itself or by a question to the service. */
async function asksFor(id: string, endpoints: readonly Endpoint[]): Promise<boolean> {
  const { check: found, exchanges } = whole.outcomes.find(({ check: { id: one } }) => one === id) ?? {};
  const needed = found?.needs.map(endpointOfNeed) ?? [];
  if (needed.some((one) => one && endpoints.includes(one))) return true;
  if (askedFor(exchanges?.map(({ exchange }) => exchange) ?? [], endpoints) > 0) return true;
  // What a question asks is sent by whichever check comes first; alone, it is this one.
  const [alone, idle] = await Promise.all([exact(id), exact(ASKS_NOTHING)].map(checkOfWhole));
  return askedFor(alone ?? [], endpoints) > askedFor(idle ?? [], endpoints);
}

const exact = (id: string): string => `^${id}$`;

async function checkOfWhole(grep: string): Promise<ConformanceResult['exchanges']> {
  return (await check({ names: [], status: 404, isDeclared: true, grep })).exchanges;
}

function askedFor(exchanges: ConformanceResult['exchanges'], endpoints: readonly Endpoint[]): number {
  const asked = exchanges.map(({ request }) => endpointFor(request.method, request.path));
  return asked.filter((one) => one && endpoints.includes(one)).length;
}

describe.each(TRIED)('a service that is declared to lack %s %s', (...names) => {
  it('passes, and loses only what asks for them', { timeout: RUN_MS }, async () => {
    const given = names.filter((name) => name !== undefined);
    const { outcomes, exitCode, notOffered } = await check({ names: given, status: 404, isDeclared: true });
    const bad = outcomes.filter(({ verdict }) => !['pass', 'observed', 'not-applicable'].includes(verdict));
    expect(bad.map(({ check: { id }, verdict, message }) => `${verdict} ${id}: ${message}`)).toEqual([]);
    expect(exitCode).toBe(0);
    expect(notOffered.map(({ isDeclared }) => isDeclared)).toEqual(given.map(() => true));
    const lost = outcomes.filter(({ verdict }) => verdict === 'not-applicable').map(({ check: { id } }) => id);
    const unasked: string[] = [];
    for (const id of lost) if (!(await asksFor(id, given.flatMap(endpointsOf)))) unasked.push(id);
    expect(unasked).toEqual([]);
  });
});

describe('a part of the API that is not there and not declared', () => {
  it.each([
    { names: ['webhooks'], status: 404 },
    { names: ['scales'], status: 501 },
    { names: ['tags'], status: 404 },
    { names: ['DELETE /computers', 'GET /printjobs/states'], status: 405 },
  ])('is named, and breaks nothing: $names', { timeout: RUN_MS }, async ({ names, status }) => {
    const grep = '^(webhooks|scales|tags|computers|states)/|^matrix/(credentials|odd-sets)$';
    const { outcomes, exitCode, notOffered } = await check({ names, status, isDeclared: false, grep });
    expect(exitCode).toBe(1);
    expect(notOffered.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    const failed = outcomes.filter(({ verdict }) => ['fail', 'blocked', 'harness-error'].includes(verdict));
    expect(failed.map(({ check: { id }, message }) => `${id}: ${message}`)).toEqual([]);
    const lost = outcomes.filter(({ verdict }) => verdict === 'not-offered').map(({ check: { id } }) => id);
    expect(lost.length).toBeGreaterThan(0);
    const unasked: string[] = [];
    for (const id of lost) if (!(await asksFor(id, names.flatMap(endpointsOf)))) unasked.push(id);
    expect(unasked).toEqual([]);
  });

  it('holds nothing up, where how the service refuses is asked there', { timeout: RUN_MS }, async () => {
    const lacking = { names: ['webhooks'], status: 404, isDeclared: false, error: '{"error": "no"}' } as const;
    const { outcomes } = await check({ ...lacking, grep: '^misc/noop-refusals$' });
    expect(outcomes.map(({ verdict }) => verdict)).toEqual(['pass']);
  });
});
