/**
 * Mutant key: changes when anything changes that decides whether a mutant is caught: its module, the modules of the checks
 * of its clause, what runs them, and the service.
 */

import { globSync } from 'node:fs';
import path from 'node:path';

import { isObject } from '../../src/common/json-value.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { PROJECT } from '../support/command-line.ts';
import { contentKey } from '../tiers/content-key.ts';
import type { Mutant } from './mutant.ts';

/** Imports every check: of these, those of the clause count. */
const REGISTRY = 'src/conformance/registry.ts';
const RUNS_IT = ['test/mutants/try-mutant.ts'];
/** Where a mutant stands that no module exports by itself. */
const CATALOGUE = 'test/mutants/catalogue.ts';

/** To import one is to run it. */
const PROGRAMS = ['test/mutants/run-*.ts'];

type Places = ReadonlyMap<string, string>;

/** The key of each mutant; several that depend on the same modules share one. */
export async function mutantKeys(mutants: readonly Mutant[]): Promise<ReadonlyMap<Mutant, string>> {
  const checkPlaces = await placesIn(['src/conformance/rules/*.ts', 'src/conformance/matrix/**/*.ts'], Object.keys);
  const mutantPlaces = await placesIn(['test/mutants/*mutants.ts'], namesOfMutants);
  const known = new Map<string, string>();
  const keyOf = (mutant: Mutant): string => {
    const checks = CHECKS.filter(({ clauses }) => clauses.includes(mutant.clause)).map(({ id }) => id);
    const places = [
      mutantPlaces.get(nameOf(mutant)) ?? CATALOGUE,
      ...checks.map((id) => checkPlaces.get(id) ?? REGISTRY),
    ];
    const modules = [...new Set([...RUNS_IT, ...places])].toSorted();
    const name = modules.join(' ');
    const key = known.get(name) ?? contentKey(modules, modules.includes(REGISTRY) ? undefined : REGISTRY);
    known.set(name, key);
    return key;
  };
  return new Map(mutants.map((mutant) => [mutant, keyOf(mutant)]));
}

/** Which module exports an object or a list that has a name. */
async function placesIn(patterns: string[], namesIn: (value: object) => readonly string[]): Promise<Places> {
  const places = new Map<string, string>();
  for (const file of globSync(patterns, { cwd: PROJECT, exclude: PROGRAMS })) {
    const module = (await import(path.join(PROJECT, file))) as Readonly<Record<string, unknown>>;
    for (const value of Object.values(module)) {
      if (typeof value === 'object' && value !== null) for (const name of namesIn(value)) places.set(name, file);
    }
  }
  return places;
}

function namesOfMutants(value: object): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => (isObject(one) && 'clause' in one ? nameOf(one as unknown as Mutant) : []));
}

function nameOf({ clause, name }: Mutant): string {
  return `${clause}: ${name}`;
}
