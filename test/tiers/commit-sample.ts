/**
 * Commit sample: a part of a long list that `npm test` tries, another one for each commit, the same each time for one.
 */

import { spawnSync } from 'node:child_process';

import { createRandom } from '../../src/common/random.ts';
import { PROJECT } from '../support/command-line.ts';

/** @param name - of the list: different lists are drawn apart */
export function commitSample<T>(name: string, items: readonly T[], count: number): readonly T[] {
  const random = createRandom(commitSeed()).stream(name);
  const left = [...items];
  const drawn = new Set<T>();
  while (drawn.size < count && left.length > 0) drawn.add(left.splice(random.integer(0, left.length - 1), 1)[0] as T);
  return items.filter((item) => drawn.has(item));
}

/** The hash of the commit that is checked out, as a number; 0 outside a repository. */
function commitSeed(): number {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: PROJECT, encoding: 'utf8' });
  return Number.parseInt((stdout ?? '').slice(0, 8), 16) || 0;
}
