/**
 * Import graph of a source tree: which file imports which, and which layer that makes depend on which.
 *
 * Reads imports by their fixed form (the formatter sees to it) rather than with a parser: a statement
 * begins its line, and a specifier is a string literal.
 */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { ArrowTable } from './layer-table.ts';

export interface Import {
  /** Paths relative to the root of the tree, with forward slashes. */
  readonly from: string;
  readonly to: string;
  readonly typesOnly: boolean;
}

const STATEMENT = /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'(\.{1,2}\/[^']+)'/gm;
/** Modules loaded while running: `import('./x.ts')`. */
const EXPRESSION = /\bimport\(\s*'(\.{1,2}\/[^']+\.tsx?)'/g;
/** Programs of workers and child processes: `siblingModule(import.meta.url, 'x')`. */
const SIBLING = /\bsiblingModule\(import\.meta\.url,\s*'([^']+)'/g;

/** Every import between files below `root`. */
export function readImports(root: string): Import[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.ts') || file.endsWith('.tsx'));
  return files.flatMap((file) => importsOf(file, readFileSync(path.join(root, file), 'utf8')));
}

function importsOf(from: string, source: string): Import[] {
  const resolve = (specifier = ''): string => path.posix.join(path.posix.dirname(from), specifier);
  const statements = [...source.matchAll(STATEMENT)].map(([, type, specifier]) => ({
    from,
    to: resolve(specifier),
    typesOnly: type !== undefined,
  }));
  const loaded = [
    ...[...source.matchAll(EXPRESSION)].map(([, specifier]) => resolve(specifier)),
    ...[...source.matchAll(SIBLING)].map(([, name]) => resolve(`./${name}.ts`)),
  ];
  return [...statements, ...loaded.map((to) => ({ from, to, typesOnly: false }))];
}

/** The layer of a file: its top folder, or its own name when it stands at the top. */
export function layerOf(file: string): string {
  return file.split('/')[0]?.replace(/\.tsx?$/, '') ?? file;
}

/** Arrows that are drawn and not in the table, each with an import that draws it and the line to change. */
export function undeclaredArrows(imports: readonly Import[], arrows: ArrowTable, design: ArrowTable): string[] {
  const problems = new Map<string, string>();
  const valuesFirst = imports.toSorted((a, b) => Number(a.typesOnly) - Number(b.typesOnly));
  for (const { from, to, typesOnly } of valuesFirst) {
    const [layer, target] = [layerOf(from), layerOf(to)];
    if (layer === target || allows(arrows[layer], target, typesOnly)) continue;
    if (problems.has(`${layer} ${target}`)) continue;
    const arrow = typesOnly ? `types:${target}` : target;
    const remedy = allows(design[layer], target, typesOnly)
      ? `the design allows it: add '${arrow}' to the line '${layer}' of ARROWS`
      : `the design forbids it: move the code, or change the line '${layer}' of DESIGN and say why`;
    problems.set(`${layer} ${arrow}`, `${layer} → ${arrow} (${from} imports ${to}): ${remedy}`);
  }
  return [...problems.values()];
}

/** Whether a line of the table has the arrow; one that may carry values may carry types. */
export function allows(line: readonly string[] = [], target: string, typesOnly: boolean): boolean {
  return line.includes(target) || (typesOnly && line.includes(`types:${target}`));
}

/** Arrows of the table that no import draws any more. */
export function staleArrows(imports: readonly Import[], arrows: ArrowTable): string[] {
  const drawn = new Set<string>();
  for (const { from, to, typesOnly } of imports) {
    drawn.add(`${layerOf(from)} types:${layerOf(to)}`);
    if (!typesOnly) drawn.add(`${layerOf(from)} ${layerOf(to)}`);
  }
  return Object.entries(arrows).flatMap(([layer, targets]) =>
    targets
      .filter((target) => !drawn.has(`${layer} ${target}`))
      .map((target) => `${layer} → ${target}: nothing draws it, take it out of the line '${layer}' of ARROWS`),
  );
}

/** Cycles of imports between files, `import type` included, each once: `a.ts → b.ts → a.ts`. */
export function importCycles(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(file);
    if (seenAt >= 0) cycles.push([...trail.slice(seenAt), file].join(' → '));
    if (seenAt >= 0 || finished.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...trail, file]);
    finished.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return cycles;
}

/** The folder of a file inside its layer; undefined for a file that stands in the layer itself. */
export function folderOf(file: string): string | undefined {
  const [, folder, ...rest] = file.split('/');
  return rest.length > 0 ? folder : undefined;
}

/** Imports inside a layer that climb from a folder to one that stands later in the order, or in no order at all. */
export function climbingImports(imports: readonly Import[], layer: string, order: readonly string[]): string[] {
  const rank = (folder: string): number => order.indexOf(folder);
  return imports.flatMap(({ from, to }) => {
    const [folder, target] = [folderOf(from), folderOf(to)];
    if (layerOf(from) !== layer || layerOf(to) !== layer) return [];
    if (folder === undefined || target === undefined || folder === target) return [];
    if (rank(target) >= 0 && rank(target) < rank(folder)) return [];
    return [`${layer}: ${folder} → ${target} (${from} imports ${to})`];
  });
}

/**
 * Circles inside the folders, the nested ones too. What stands in a folder counts as one place: a file, or a
 * folder with everything in it.
 */
export function folderCycles(imports: readonly Import[]): string[] {
  const arrows = imports.map(({ from, to }) => ({ ...placesOf(from, to), typesOnly: false }));
  return importCycles(arrows.filter(({ from, to }) => from !== to && from.includes('/')));
}

/** The places of two files in the last folder that holds both. */
function placesOf(from: string, to: string): { from: string; to: string } {
  const [a, b] = [from.split('/'), to.split('/')];
  const parts = a.findIndex((part, index) => part !== b[index]);
  return { from: a.slice(0, parts + 1).join('/'), to: b.slice(0, parts + 1).join('/') };
}
