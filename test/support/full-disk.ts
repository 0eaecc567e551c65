/**
 * A service whose disk is full when a test says so.
 */

import { StoredIdempotencyKeys, type IdempotencyKeys } from '../../src/service/gate/idempotency.ts';
import type { ServiceObserver } from '../../src/service/service-observer.ts';
import type { Database } from '../../src/service/store/database.ts';
import { runService, type RunningService } from './running-service.ts';

/** The idempotency key of a job that cannot be stored. */
export const ON_FULL_DISK = 'on a full disk';

export interface FillableService extends AsyncDisposable {
  readonly service: RunningService;
  /** Has the commit of this turn, or of the next one, fail. */
  fillOnce(): void;
}

/** @param jobState - hears of states, as the program that runs a service does */
export async function runOnFillableDisk(
  jobState: ServiceObserver['jobState'] = () => undefined,
): Promise<FillableService> {
  let database: Database | undefined;
  const service = await runService({
    rules: {
      idempotencyKeys: (used) => {
        database = used;
        const keys = new StoredIdempotencyKeys(used);
        const claim: IdempotencyKeys['claim'] = (accountId, key, nowMs) => {
          if (key === ON_FULL_DISK) used.beforeCommit({}, refuse);
          return keys.claim(accountId, key, nowMs);
        };
        return { claim };
      },
    },
    observer: {
      answered: () => undefined,
      submitted: () => undefined,
      jobState,
      connection: () => undefined,
      delivered: () => undefined,
    },
    onFault: () => undefined,
  });
  return {
    service,
    fillOnce: () => database?.writeHot(() => database?.beforeCommit({}, refuse)),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

function refuse(): never {
  throw new Error('database or disk is full');
}
