/**
 * Load fault: a service that is broken in one way, and where a load must notice it.
 */

import type { LoadScenario } from '../../src/load/plan/load-scenario.ts';
import type { ServiceRules } from '../../src/service/service-rules.ts';
import type { Meddle, Rewrite } from '../mutants/meddling-proxy.ts';
import type { Meddling } from './meddled-link.ts';

export interface LoadFault {
  /** What the service does. */
  readonly name: string;
  /** The finding that must tell of it, such as `ledger lost`; see findingsOf. */
  readonly caughtAs: string;
  readonly rules?: Partial<ServiceRules>;
  readonly rewrite?: Rewrite | undefined;
  readonly meddle?: Meddle | undefined;
  readonly link?: Meddling | undefined;
  /** The computers take a known job for a new one: what is delivered again prints again. */
  readonly forgetful?: true;
  readonly limits?: 'spec';
  /** What it needs beside the usual load. */
  readonly scenario?: Partial<LoadScenario>;
}

/** True for each n-th call. */
export function each(n: number): () => boolean {
  let count = 0;
  return () => ++count % n === 0;
}
