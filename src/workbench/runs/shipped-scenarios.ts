/**
 * Shipped scenarios: what is below `scenarios/` of the package, by name. Commands and the page find them from any
 * folder.
 *
 *   jam-on-page-three                              a scenario
 *   edge-cases/jam-on-page-three                   the same
 *   scenarios/edge-cases/jam-on-page-three.yaml    the same, as in a clone
 *   edge-cases                                     a folder of them
 */

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ScenarioView } from '../../record/control-types.ts';

const FOLDER = fileURLToPath(new URL('../../../scenarios/', import.meta.url));
const ENDING = '.yaml';

/** Where a scenario or a folder of this name is; undefined when none has it. */
export function shippedPlace(written: string): string | undefined {
  const name = written.replace(/^(\.\/)?scenarios(\/|$)/, '').replace(/\/$|\.ya?ml$/, '');
  if (name === '') return FOLDER;
  const found = shippedPaths().find((file) => [nameOf(file), withoutEnding(file)].includes(name));
  if (found !== undefined) return shippedFile(found);
  return shippedGroups().includes(name) ? shippedFile(name) : undefined;
}

/** The file of a path below `scenarios`. */
export function shippedFile(file: string): string {
  return path.join(FOLDER, file);
}

/** Every name by which `shippedPlace` finds a scenario or a folder. */
export function shippedNames(): readonly string[] {
  return [...shippedGroups(), ...shippedPaths().map(nameOf)];
}

/** The scenarios, by path, with their titles. */
export async function shippedScenarios(): Promise<ScenarioView[]> {
  return Promise.all(shippedPaths().map(viewOf));
}

/** The scenario of this name or path; undefined when none has it. */
export async function shippedScenario(written: string): Promise<ScenarioView | undefined> {
  const found = shippedPaths().find((file) => [file, nameOf(file)].includes(written));
  return found === undefined ? undefined : viewOf(found);
}

/** By path, once read: they ship with the program, and do not change while it runs. */
const views = new Map<string, ScenarioView>();

async function viewOf(file: string): Promise<ScenarioView> {
  const view = views.get(file) ?? (await readView(file));
  views.set(file, view);
  return view;
}

async function readView(file: string): Promise<ScenarioView> {
  const { parse } = await import('yaml');
  const head = parse(await readFile(shippedFile(file), 'utf8')) as Readonly<Record<string, unknown>> | null;
  const text = (key: string): string => (typeof head?.[key] === 'string' ? head[key].trim() : '');
  const kind = head?.['traffic'] === undefined ? 'run' : 'load';
  return { name: nameOf(file), group: groupOf(file), path: file, title: text('title'), why: text('why'), kind };
}

function shippedPaths(): readonly string[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ENDING));
  return files.map((file) => file.split(path.sep).join('/')).toSorted();
}

function shippedGroups(): readonly string[] {
  return [...new Set(shippedPaths().map(groupOf))];
}

function groupOf(file: string): string {
  return path.posix.dirname(file);
}

function nameOf(file: string): string {
  return path.posix.basename(file, ENDING);
}

function withoutEnding(file: string): string {
  return file.slice(0, -ENDING.length);
}
