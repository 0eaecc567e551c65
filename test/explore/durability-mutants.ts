/**
 * Mutants of durability: reference services that lose, at each start, a part of what they had accepted. No check sees
 * them, since none restarts a service.
 */

import { StoredIdempotencyKeys } from '../../src/service/gate/idempotency.ts';
import type { ServiceRules } from '../../src/service/service-rules.ts';

/** Years away, and still a time that can be written. */
const FAR_MS = 4_000_000_000_000;

/** What each loses, and a day that shows it. */
const LOSSES: Readonly<Record<string, readonly [sql: string, seed: number]>> = {
  'idempotency keys are forgotten': ['DELETE FROM idempotency_keys', 73],
  'events that wait for their retry are forgotten': ['DELETE FROM webhook_events', 156],
  'jobs that wait expire no more': [`UPDATE print_jobs SET expire_ms = ${FAR_MS} WHERE delivery = 0`, 61],
  'jobs that wait are lost': ['DELETE FROM print_jobs WHERE delivery = 0', 33],
  'jobs that are done wait again': ['UPDATE print_jobs SET delivery = 0', 32],
  'states are lost': ['DELETE FROM print_job_states', 32],
};

interface DurabilityMutant {
  readonly name: string;
  /** The seed of a day that shows it. */
  readonly seed: number;
  readonly rules: Partial<ServiceRules>;
}

export const DURABILITY_MUTANTS: readonly DurabilityMutant[] = Object.entries(LOSSES).map(([name, [sql, seed]]) => ({
  name,
  seed,
  rules: {
    // Asked when a service starts, before it reads its jobs and events.
    idempotencyKeys: (database) => {
      database.write(() => database.prepare(sql).run());
      return new StoredIdempotencyKeys(database);
    },
  },
}));
