/**
 * Matrix rule: what holds at every endpoint of a kind, judged at each of them.
 *
 *   endpoints of the specification × rules ─► cells, each with the check that judges it, or the reason why none can
 *
 * A rule says where it applies by what the table of endpoints says, never by a list of its own.
 */

import type { Mismatch } from '../../oracle/mismatch.ts';
import type { Endpoint } from '../../specification/clause.ts';
import type { Rule } from '../check.ts';
import type { CheckContext } from '../context/context.ts';
import { expectSuccess, type Answer } from '../expect/answer.ts';

export interface MatrixRule extends Omit<Rule, 'run'> {
  /** The columns that it fills, alone or with other rules. */
  readonly columns: readonly string[];
  /** Why it cannot judge this endpoint; undefined where it does. */
  readonly whyNot: (endpoint: Endpoint) => string | undefined;
  /** Judges these endpoints, each by itself. */
  readonly judge: (context: CheckContext, endpoints: readonly Endpoint[]) => Promise<void>;
}

/** By the id of the check that a rule becomes. */
export type MatrixRules = Readonly<Record<string, MatrixRule>>;

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** A mismatch that says at which endpoint, and in which of its cases. */
export function atEndpoint(endpoint: Endpoint, what: string, mismatch: Mismatch | undefined): Mismatch | undefined {
  if (!mismatch) return undefined;
  return { ...mismatch, at: `${nameOf(endpoint)}, ${what}: ${mismatch.at}`, part: mismatch.part ?? mismatch.at };
}

/** Expects a success. The short path of a download may also redirect to the file: gap/client-download-short-path. */
export function expectServed({ clause }: Endpoint, answer: Answer): Mismatch | undefined {
  const isRedirect = answer.status >= 300 && answer.status < 400;
  return isRedirect && clause === 'client-downloads/latest-short-path' ? undefined : expectSuccess(answer);
}

/** The first reason that applies: `[holds, reason]`. */
export function firstReason(...reasons: readonly (readonly [holds: boolean, reason: string])[]): string | undefined {
  return reasons.find(([holds]) => holds)?.[1];
}
