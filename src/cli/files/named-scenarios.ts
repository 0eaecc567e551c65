/**
 * Scenarios that the command line names: a file, a folder of files, or the name of what ships with platen. What a
 * person has wins over what ships.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';

import { usageError, type ActionableError } from '../../common/actionable-error.ts';
import { meantHint, nearestName } from '../../common/nearest-name.ts';
import type { ScenarioFile } from '../../scenario/format/find-scenarios.ts';
import { shippedNames, shippedPlace, shippedScenarios } from '../../workbench/runs/shipped-scenarios.ts';
import { table } from '../../report/terminal/table.ts';
import { outJson, out } from '../screen/terminal.ts';

/** @throws ActionableError when no scenario has the name, or with every mistake found in them */
export async function namedScenarios(
  place: string | undefined,
  allowed?: readonly string[],
): Promise<readonly ScenarioFile[]> {
  if (place === undefined || place === '') {
    throw usageError('which scenario?', 'Name one, or a file: `platen run --list` shows those that ship with platen.');
  }
  const found = existsSync(place) ? place : shippedPlace(place);
  if (found === undefined) throw unknownScenario(place);
  // Loaded here: it imports the YAML parser.
  const { loadScenarios } = await import('../../scenario/format/find-scenarios.ts');
  return loadScenarios(found === place ? place : shortPath(found), allowed);
}

function unknownScenario(place: string): ActionableError {
  const written = path.basename(place).replace(/\.ya?ml$/, '');
  const names = shippedNames();
  const meant = nearestName(written, names) ?? names.find((name) => name.startsWith(`${written}-`));
  return usageError(
    `there is no file, folder or scenario ${place}${meantHint(meant)}`,
    'Name a scenario file (.yaml), a folder of them, or one of `platen run --list`.',
  );
}

/** From here where it is below, else from the root. */
function shortPath(file: string): string {
  const fromHere = path.relative('', file);
  return fromHere.startsWith('..') ? file : fromHere;
}

/** platen run --list: the scenarios that ship, or those of a place, by folder. */
export async function listScenarios(
  place: string | undefined,
  isJson: boolean,
  allowed?: readonly string[],
): Promise<void> {
  const rows = place === undefined ? await shippedScenarios() : await scenariosOf(place, allowed);
  if (isJson) return outJson(rows);
  const groups = Map.groupBy(rows, ({ group }) => group);
  const lines = [...groups].flatMap(([group, inGroup], index) => [
    ...(index === 0 ? [] : ['']),
    `${group}:`,
    ...table(
      inGroup.map(({ name, title }) => [name, title]),
      '  ',
    ),
  ]);
  out(lines);
}

async function scenariosOf(
  place: string,
  allowed?: readonly string[],
): Promise<Awaited<ReturnType<typeof shippedScenarios>>> {
  return (await namedScenarios(place, allowed)).map(({ file, load, scenario: { title, why } }) => ({
    name: path.basename(file, path.extname(file)),
    group: path.dirname(file),
    path: file,
    title,
    why,
    kind: load === null ? 'run' : 'load',
  }));
}
