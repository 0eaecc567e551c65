/**
 * Job wait expired: no job was what somebody waited for.
 */

import type { NearMiss } from '../views/job-query.ts';

export class JobWaitExpired extends Error {
  override readonly name = 'JobWaitExpired';
  /** The jobs that came closest, and why they were not it. */
  readonly closest: readonly NearMiss[];

  constructor(message: string, closest: readonly NearMiss[]) {
    super(message);
    this.closest = closest;
  }
}
