/**
 * Leftovers: what a check made in the account apart from computers, jobs and Child Accounts. Each is removed
 * after the check by the path that names it alone; one that is gone already counts as removed. The account
 * object shows whether tags are gone.
 */

import { messageOf } from '../../common/error-message.ts';
import { isObject } from '../../common/json-value.ts';
import { textsIn } from '../expect/answer.ts';
import type { ApiClient } from './api-client.ts';
import { isAbsence } from './check-ended.ts';
import type { Owner, OwnerAccess } from './computers.ts';
import { tagPath } from './account-paths.ts';

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
      for (const [owner, made] of Map.groupBy(paths, ([, one]) => one)) {
        const { cleaner } = owners[owner];
        const removed: string[] = [];
        for (const [path] of made) {
          const problem = await remove(cleaner, path);
          if (problem === undefined) removed.push(path);
          else problems.push(problem);
        }
        problems.push(...(await remainingTags(cleaner, removed)));
      }
      return problems;
    },
  };
}

/** What a check removed by itself is not there any more, in either word of HTTP. */
const GONE: ReadonlySet<number> = new Set([404, 410]);

async function remove(cleaner: ApiClient, path: string): Promise<string | undefined> {
  try {
    const { status } = await cleaner.delete(path);
    const isGone = status < 300 || GONE.has(status);
    return isGone ? undefined : `not cleaned up: DELETE ${path} answered ${status}`;
  } catch (error) {
    // It was not made either.
    return isAbsence(error) ? undefined : `not cleaned up: ${messageOf(error)}`;
  }
}

const TAG_PATH = tagPath('');

/** A line for each tag that a DELETE answered well and did not remove. */
async function remainingTags(cleaner: ApiClient, removed: readonly string[]): Promise<readonly string[]> {
  const tags = removed.filter((path) => path.startsWith(TAG_PATH));
  if (tags.length === 0) return [];
  try {
    const { value } = await cleaner.get('/whoami');
    const texts = new Set(textsIn(isObject(value) ? value['Tags'] : value));
    const remaining = tags.filter((path) => texts.has(decodeURIComponent(path.slice(TAG_PATH.length))));
    return remaining.map((path) => `not cleaned up: DELETE ${path} was answered, and GET /whoami still shows the tag`);
  } catch (error) {
    return [`not cleaned up: ${messageOf(error)}`];
  }
}
