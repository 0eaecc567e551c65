/**
 * Scenario files: what there is to play, for a person to choose from.
 */

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ScenarioView } from '../../record/control-types.ts';

const FOLDER = fileURLToPath(new URL('../../../scenarios/', import.meta.url));

/** The scenario files that ship, by path. */
export async function scenarios(): Promise<ScenarioView[]> {
  const { parse } = await import('yaml');
  const files = (await readdir(FOLDER, { recursive: true })).filter((file) => file.endsWith('.yaml'));
  const views = await Promise.all(
    files.map(async (file): Promise<ScenarioView> => {
      const head = parse(await readFile(path.join(FOLDER, file), 'utf8')) as Readonly<Record<string, unknown>> | null;
      const text = (key: string): string => (typeof head?.[key] === 'string' ? head[key].trim() : '');
      const kind = head?.['traffic'] === undefined ? 'run' : 'load';
      return { path: file.split(path.sep).join('/'), title: text('title'), why: text('why'), kind };
    }),
  );
  return views.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Where one of them is. */
export function fileOf({ path: name }: ScenarioView): string {
  return path.join(FOLDER, name);
}
