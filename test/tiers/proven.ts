/**
 * Proven: the content keys of what the long proofs have shown, as it is committed. `npm run test:all` tries again what has
 * another key now.
 *
 *   npm run prove mutants, cells, variants ─► proven.json ─► their tests
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { z } from 'zod';

const BOOK = new URL('proven.json', import.meta.url);

const schema = z.record(z.string(), z.array(z.string()));

/** @param proof - such as `mutants` */
export function provenKeys(proof: string): ReadonlySet<string> {
  return new Set(read()[proof]);
}

/** Replaces the keys of a proof. */
export function noteProven(proof: string, keys: Iterable<string>): void {
  writeFileSync(BOOK, `${JSON.stringify({ ...read(), [proof]: [...keys].toSorted() }, undefined, 2)}\n`);
}

function read(): z.infer<typeof schema> {
  return existsSync(BOOK) ? schema.parse(JSON.parse(readFileSync(BOOK, 'utf8'))) : {};
}
