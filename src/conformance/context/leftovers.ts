/**
 * Leftovers: what a check made in the account apart from computers, jobs and Child Accounts. Each is removed
 * after the check by the path that names it alone; one that is gone already counts as removed.
 */

import { messageOf } from '../../common/error-message.ts';
import type { ApiClient } from './api-client.ts';
import type { Owner, OwnerAccess } from './computers.ts';

export interface Leftovers {
  readonly add: (path: string, owner?: Owner) => void;
  /** Removes them, and returns a line for each that could not be. */
  close(): Promise<readonly string[]>;
}

export function createLeftovers(owners: Readonly<Record<Owner, OwnerAccess>>): Leftovers {
  const paths = new Map<string, Owner>();
  return {
    add: (path, owner = 'account') => {
      paths.set(path, owner);
    },
    async close() {
      const problems: string[] = [];
      for (const [path, owner] of paths) problems.push(...(await remove(owners[owner].cleaner, path)));
      return problems;
    },
  };
}

/** What a check removed by itself is not there any more, in either word of HTTP. */
const GONE: ReadonlySet<number> = new Set([404, 410]);

async function remove(cleaner: ApiClient, path: string): Promise<readonly string[]> {
  try {
    const { status } = await cleaner.delete(path);
    const isGone = status < 300 || GONE.has(status);
    return isGone ? [] : [`not cleaned up: DELETE ${path} answered ${status}`];
  } catch (error) {
    return [`not cleaned up: ${messageOf(error)}`];
  }
}
