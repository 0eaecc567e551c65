/**
 * Proven: the content keys of what the long proofs have shown, as they are committed. `npm run test:rest` tries again what
 * has another key now; with PLATEN_NOTE_PROVEN it writes the keys of what passed.
 *
 *   npm run prove mutants, cells, variants ─► proven/*.json ─► their tests
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

export type Proof = 'mutants' | 'cells' | 'variants';

const FOLDER = fileURLToPath(new URL('proven/', import.meta.url));
const schema = z.array(z.string());

const fileOf = (proof: Proof): string => path.join(FOLDER, `${proof}.json`);

export function provenKeys(proof: Proof): ReadonlySet<string> {
  const file = fileOf(proof);
  return new Set(existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : []);
}

/** Replaces the keys of a proof. */
export function noteProven(proof: Proof, keys: Iterable<string>): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(proof), `${JSON.stringify([...keys].toSorted(), undefined, 2)}\n`);
}

/** For the test that tries them: written only where that is asked for. */
export function noteTried(proof: Proof, keys: Iterable<string>): void {
  if (process.env['PLATEN_NOTE_PROVEN'] !== undefined) noteProven(proof, keys);
}
