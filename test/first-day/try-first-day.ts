/**
 * Checks a service that is right in everything but what is planted, and sums up what its team would read. It is known by
 * its address and keys alone, as the services of others are.
 */

import { ActionableError } from '../../src/common/actionable-error.ts';
import { buildRunRecord } from '../../src/conformance/record/build-record.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import type { CheckRecord, CheckRunRecord } from '../../src/record/check-record.ts';
import type { Verdict } from '../../src/record/words.ts';
import { remoteTarget } from '../../src/targets/remote.ts';
import type { Target } from '../../src/targets/target.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { withDigest } from '../mutants/meddling-proxy.ts';
import { startMutant } from '../mutants/try-mutant.ts';
import { withoutEndpoints } from '../support/without-endpoints.ts';
import type { PlantedDeviation } from './deviations.ts';

export interface FirstDayResult {
  /** Clauses that heads of causes name, the cause that most checks hang on first. */
  readonly heads: readonly (readonly string[])[];
  /** All that are said to be broken. */
  readonly clauses: readonly string[];
  readonly checks: number;
  /** Broken clauses that are laid to others, each with the other. */
  readonly consequences: Readonly<Record<string, string>>;
  /** Checks that came to no verdict. */
  readonly lost: readonly string[];
  /** What is said not to be there. */
  readonly notOffered: readonly string[];
  readonly exitCode: number;
}

export interface FirstDayOptions {
  /** A pattern of the ids of the checks to run. Default: all. */
  readonly checks?: string | undefined;
  /** What it has not built, by the names of a descriptor. */
  readonly absent?: readonly string[] | undefined;
}

export function tryFirstDay(planted: readonly PlantedDeviation[], options: FirstDayOptions): Promise<FirstDayResult> {
  const deviating: Mutant = {
    name: planted.map(({ name }) => name).join(', '),
    clause: 'misc/ping',
    meddle: (answer) =>
      planted.reduce((changed, { meddle }) => {
        const seen = { ...answer, ...changed };
        return { ...changed, ...withDigest(seen, meddle(seen) ?? {}) };
      }, {}),
  };
  const { absent = [] } = options;
  const lacking: Mutant = { name: `no ${absent.join(', ')}`, clause: 'misc/ping', ...withoutEndpoints(absent, 404) };
  return tryMutated(absent.length > 0 ? bothOf(lacking, deviating) : deviating, options);
}

export async function tryMutated(mutant: Mutant, options: FirstDayOptions): Promise<FirstDayResult> {
  try {
    return summed(await recordOf(mutant, options));
  } catch (error) {
    if (!(error instanceof ActionableError)) throw error;
    return { ...NOTHING_HEARD, lost: [error.message] };
  }
}

const NOTHING_HEARD: FirstDayResult = {
  heads: [],
  clauses: [],
  checks: 1,
  consequences: {},
  lost: [],
  notOffered: [],
  exitCode: 75,
};

/** @throws ActionableError where it is not taken for a service */
async function recordOf(mutant: Mutant, { checks = '' }: FirstDayOptions): Promise<CheckRunRecord> {
  const pattern = new RegExp(checks);
  await using started = await startMutant(careful(mutant));
  const target = await elsewhere(started);
  const ids = CHECKS.map(({ id }) => id).filter((id) => pattern.test(id));
  return buildRunRecord(await runConformance({ target, seed: 1, ids }));
}

/** As a descriptor tells of it, but on a clock of this process. */
async function elsewhere({ baseUrl, apiKey, secondApiKey, link, clock, timekeeper }: Target): Promise<Target> {
  const remote = await remoteTarget({ url: baseUrl, apiKey, secondApiKey, link });
  return { ...remote, linkName: 'websocket', clock, timekeeper };
}

/** Mutants that can be had two at a time. */
export function goTogether(one: Mutant, other: Mutant): boolean {
  const rules = [one, other].flatMap((mutant) => Object.keys(mutant.rules ?? {}));
  return !isOnLink(one) && !isOnLink(other) && new Set(rules).size === rules.length;
}

function isOnLink({ link, frames, rewriteUpgrade, meddleFrames, spreadFrames }: Mutant): boolean {
  return Boolean(link ?? frames ?? rewriteUpgrade ?? meddleFrames ?? spreadFrames);
}

export function bothOf(one: Mutant, other: Mutant): Mutant {
  const [first, second] = [careful(one), careful(other)];
  return {
    name: `${one.name}; ${other.name}`,
    clause: one.clause,
    rules: { ...one.rules, ...other.rules },
    async rewrite(request, ask) {
      const changed = { ...request, ...(await first.rewrite?.(request, ask)) };
      return { ...changed, ...(await second.rewrite?.({ ...changed, body: Buffer.from(changed.body) }, ask)) };
    },
    async meddle(answer, ask) {
      const changed = { ...answer, ...withDigest(answer, (await first.meddle?.(answer, ask)) ?? {}) };
      return { ...changed, ...withDigest(changed, (await second.meddle?.(changed, ask)) ?? {}) };
    },
  };
}

/** A mutant is made for the checks of its clause: what others send, and it cannot read, passes as it is. */
function careful({ rewrite, meddle, ...mutant }: Mutant): Mutant {
  return {
    ...mutant,
    ...(rewrite && { rewrite: async (request, ask) => unlessUnread(() => rewrite(request, ask)) }),
    ...(meddle && { meddle: async (answer, ask) => unlessUnread(() => meddle(answer, ask)) }),
  };
}

async function unlessUnread<T>(change: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await change();
  } catch {
    return undefined;
  }
}

const WITHOUT_VERDICT: ReadonlySet<Verdict> = new Set(['blocked', 'untestable', 'inconclusive', 'harness-error']);

function summed(record: CheckRunRecord): FirstDayResult {
  const { checks, clauses, linkClauses, deviations = [], target, summary } = record;
  const told = new Set(deviations.flatMap((deviation) => deviation.clauses));
  const others = checks
    .filter(({ verdict, followsFrom }) => verdict === 'fail' && followsFrom === undefined)
    .toSorted((left, right) => left.requests - right.requests)
    .map(brokenIn)
    .filter((broken) => !broken.every((clause) => told.has(clause)));
  return {
    heads: [
      ...deviations.map((one) => [...one.clauses, ...(one.likewise ?? []).map(({ clause }) => clause)]),
      ...others,
    ],
    clauses: Object.entries(clauses).flatMap(([id, { outcome }]) => (outcome === 'broken' ? [id] : [])),
    checks: checks.length,
    consequences: Object.fromEntries(
      Object.entries({ ...clauses, ...linkClauses }).flatMap(([id, { since }]) =>
        since === undefined ? [] : [[id, since]],
      ),
    ),
    lost: checks.filter(({ verdict }) => WITHOUT_VERDICT.has(verdict)).map(({ id }) => id),
    notOffered: target.notOffered?.map(({ name }) => name) ?? [],
    exitCode: summary.exitCode,
  };
}

function brokenIn({ evidence }: CheckRecord): readonly string[] {
  return evidence.judgements.flatMap(({ clause, mismatch }) => (mismatch ? [clause] : []));
}

/** Whether one of the clauses that a head names prints what was planted. */
export function isHeadedBy({ clauses }: PlantedDeviation, head: readonly string[]): boolean {
  return clauses.some((wanted) =>
    head.some((clause) => (wanted.endsWith('*') ? clause.startsWith(wanted.slice(0, -1)) : clause === wanted)),
  );
}
