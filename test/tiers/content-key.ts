/**
 * Content key: a hash of everything that the outcome of a long test depends on, which are the files that its modules
 * reach by imports. What was tried with the same key need not be tried again.
 *
 *   modules ─► all that they import, types apart ─► the hash of their text
 */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { readImports } from '../architecture/import-graph.ts';
import { PROJECT } from '../support/command-line.ts';

const TREES = ['src', 'test'];
const KEY_DIGITS = 16;

let imports: ReadonlyMap<string, readonly string[]> | undefined;
const hashes = new Map<string, string>();

/**
 * @param modules - below the project, such as `src/conformance/rules/tags.ts`
 * @param list - a module that imports more than the test uses, such as the list of all checks: not followed
 */
export function contentKey(modules: Iterable<string>, list?: string): string {
  const hash = createHash('sha256');
  for (const file of [...reachedFrom(modules, list)].toSorted()) hash.update(`${file} ${hashOf(file)}\n`);
  return hash.digest('hex').slice(0, KEY_DIGITS);
}

function reachedFrom(modules: Iterable<string>, list?: string): ReadonlySet<string> {
  imports ??= readAllImports();
  // What the packages do, and with which options all of it runs.
  const reached = new Set(['package-lock.json']);
  const left = [...modules];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (reached.has(file) || file === list) continue;
    reached.add(file);
    left.push(...(imports.get(file) ?? []));
  }
  return reached;
}

function readAllImports(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const tree of TREES) {
    for (const { from, to, typesOnly } of readImports(path.join(PROJECT, tree))) {
      if (typesOnly) continue;
      const file = `${tree}/${from}`;
      const imported = path.posix.join(tree, to);
      found.set(file, [...(found.get(file) ?? []), imported]);
    }
  }
  return found;
}

function hashOf(file: string): string {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const place = path.join(PROJECT, file);
  const made = existsSync(place) ? createHash('sha256').update(readFileSync(place)).digest('hex') : '';
  hashes.set(file, made);
  return made;
}
