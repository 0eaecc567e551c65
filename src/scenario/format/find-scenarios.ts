/**
 * Finds scenario files, and reads all of them before any is played: a mistake in the last one must not
 * show after the others have run.
 */

import { readdirSync } from 'node:fs';
import path from 'node:path';

import { usageError } from '../../common/actionable-error.ts';
import { FileReach } from '../../common/file-reach.ts';
import { readTextFile } from '../../common/given-file.ts';
import { foundAt } from '../../common/named-place.ts';
import { formatProblem, type Problem } from '../../common/problem.ts';
import { readRoom, readScenario, type ReadRoom, type ReadScenario } from './read-scenario.ts';

export interface ScenarioFile extends ReadScenario {
  /** As named, or as found below the folder that was named. */
  readonly file: string;
}

const ENDINGS = new Set(['.yaml', '.yml']);

/**
 * The scenarios of a file, or of a folder with those below it, in alphabetical order.
 *
 * @param allowed - folders from which files are read that they name, beside their own and the working folder
 * @throws ActionableError when no scenario is there, or with every mistake found in them
 */
export async function loadScenarios(place: string, allowed: readonly string[] = []): Promise<readonly ScenarioFile[]> {
  const files = filesOf(place);
  if (files.length === 0) {
    throw usageError(
      `there is no scenario in ${place}`,
      'Name a scenario file (.yaml) or a folder that contains some.',
    );
  }
  const problems: string[] = [];
  const scenarios: ScenarioFile[] = [];
  for (const file of files) {
    const text = await (file === place ? readTextFile(file, NEXT_STEP) : foundText(file, place, allowed));
    const read = readScenario(text, path.dirname(file), allowed);
    if (read.ok) scenarios.push({ ...read.value, file });
    else problems.push(...read.error.map((problem: Problem) => formatProblem(file, problem)));
  }
  if (problems.length === 0) return scenarios;
  throw usageError(
    ['the scenario has errors', ...problems],
    'Fix them; docs/scenarios.md says what a scenario may contain. A day that was found on a pipeline needs its --target.',
  );
}

const NEXT_STEP = 'Name a file you may read.';

/** What lies in a folder is not what the command line names: it may be a link to anywhere. */
function foundText(file: string, folder: string, allowed: readonly string[]): string {
  const read = new FileReach(folder, allowed).read(file);
  if (read.ok) return read.value.toString('utf8');
  throw usageError(read.error, 'Take it out of the folder, or name it itself.');
}

/** The room of a file. @throws ActionableError with every mistake found in it */
export async function loadRoom(file: string, allowed: readonly string[] = []): Promise<ReadRoom> {
  const read = readRoom(await readTextFile(file, NEXT_STEP), path.dirname(file), allowed);
  if (read.ok) return read.value;
  const problems = read.error.map((problem) => formatProblem(file, problem));
  throw usageError(['the room has mistakes', ...problems], 'Fix them; docs/scenarios.md describes rooms.');
}

function filesOf(place: string): readonly string[] {
  const found = foundAt(place);
  if (!found)
    throw usageError(
      `there is no file or folder ${place}`,
      'Name a scenario file (.yaml) or a folder that contains some.',
    );
  if (!found.isDirectory() && !ENDINGS.has(path.extname(place))) {
    throw usageError(
      `${place} is not a scenario: its name must end in .yaml or .yml`,
      'Name a scenario file, or a folder of them.',
    );
  }
  if (!found.isDirectory()) return [place];
  return filesBelow(place).toSorted();
}

/** Links to folders are not followed: one may lead to a folder above. */
function filesBelow(folder: string): readonly string[] {
  const own = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !isOfOthers(name));
  return own.flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(place);
    return ENDINGS.has(path.extname(place)) ? [place] : [];
  });
}

/** Packages that are installed there, and what tools keep in folders and files with a dot. */
function isOfOthers(part: string): boolean {
  return part === 'node_modules' || part.startsWith('.');
}
