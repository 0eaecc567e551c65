/**
 * Reads a scenario file: text → value → schema → names. Reports every problem with its place.
 */

import { z } from 'zod';

import { FileReach } from '../../common/file-reach.ts';
import { isObject } from '../../common/json-value.ts';
import { failure, success, type Outcome } from '../../common/outcome.ts';
import type { Path, Problem } from '../../common/problem.ts';
import { inOrderOfFile, readFileAs } from '../../common/schema-problems.ts';
import { readYaml, type YamlSource } from '../../common/yaml-source.ts';
import type { LoadScenario } from '../../load/plan/load-scenario.ts';
import { KnownNames, type NameUse } from '../vocabulary/names.ts';
import { readOwnFiles, type OwnFiles, type UnreadFile } from '../vocabulary/own-files.ts';
import { namesAt } from '../setup/place-faults.ts';
import { readTraffic, type TrafficFiles } from './read-traffic.ts';
import { roomOf, roomSchema, type ScenarioRoom } from './room-schema.ts';
import { scenarioOf, scenarioSchema, type Scenario } from './scenario.ts';

export interface ReadScenario {
  readonly scenario: Scenario;
  /** The lines of the steps, in order. */
  readonly stepLines: readonly number[];
  /** Played instead of steps if there is traffic. */
  readonly load: LoadScenario | null;
  readonly files: OwnFiles;
}

/**
 * @param folder - that of the file: the paths of its documents start there
 * @param allowed - folders beside it and the working folder from which files are read that it names
 */
export function readScenario(
  text: string,
  folder: string,
  allowed: readonly string[] = [],
): Outcome<ReadScenario, readonly Problem[]> {
  const source = readFilled(text, 'title, why, and either traffic or steps and expect');
  if (!source.ok) return source;
  const renamed = renamedKeys(source.value);
  if (renamed.length > 0) return failure(renamed);
  const parsed = readFileAs(scenarioSchema, source.value);
  if (!parsed.ok) return parsed;
  const reach = new FileReach(folder, allowed);
  const files = readOwnFiles(source.value.value, folder, reach);
  if (!files.ok) return failure(unreadIn(source.value, files.error));
  const scenario = scenarioOf(parsed.value, files.value);
  const load = loadOf(scenario, source.value, { folder, reach, profiles: files.value.profiles });
  const problems = [
    ...nameProblems(scenario, source.value),
    ...virtualQueues(scenario, source.value),
    ...(load.ok ? [] : load.error),
  ];
  if (!load.ok || problems.length > 0) return failure(problems.toSorted(inOrderOfFile));
  return success({
    scenario,
    load: load.value,
    files: files.value,
    stepLines: scenario.steps.map((_, index) => source.value.problemAt(['steps', index], '').line),
  });
}

function readFilled(text: string, wanted: string): Outcome<YamlSource, readonly Problem[]> {
  const source = readYaml(text);
  if (!source.ok || !isEmpty(source.value.value)) return source;
  return failure([source.value.problemAt([], `the file is empty: it needs ${wanted}`)]);
}

function isEmpty(value: unknown): boolean {
  return value === null || (isObject(value) && Object.keys(value).length === 0);
}

/** Keys of the file that have another name now. */
const RENAMED = { disasters: 'chaos' };

function renamedKeys(source: YamlSource): readonly Problem[] {
  const given = source.value;
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(RENAMED)
    .filter(([key]) => key in given)
    .map(([key, now]) => source.problemWithKey([], key, `the name of this key is '${now}' now`));
}

function loadOf(
  scenario: Scenario,
  source: YamlSource,
  files: TrafficFiles,
): Outcome<LoadScenario | null, readonly Problem[]> {
  const { traffic } = scenario;
  const problems = traffic === undefined ? onlyInLoads(scenario, source) : virtualClock(source);
  const read = traffic && readTraffic(scenario, traffic, files);
  if (read?.ok === false) problems.push(...read.error.map(({ path, message }) => source.problemAt(path, message)));
  if (problems.length > 0) return failure(problems);
  return success(read?.ok ? read.value : null);
}

function onlyInLoads({ room, chaos, expect }: Scenario, source: YamlSource): Problem[] {
  const places: Path[] = room.loadOnly.map((path) => ['room', ...path]);
  if (chaos !== undefined) places.push(['chaos']);
  for (const key of ['thresholds', 'abort'] as const) if (expect[key].length > 0) places.push(['expect', key]);
  return places.map((path) => source.problemAt(path, 'has no meaning without traffic'));
}

/** Looks at the file, as the schema fills in a virtual clock. */
function virtualClock(source: YamlSource): Problem[] {
  const given = source.value;
  if (!isObject(given) || given['clock'] !== 'virtual') return [];
  return [source.problemAt(['clock'], 'cannot be virtual: load is measured in real time; omit it')];
}

function virtualQueues({ clock, steps }: Scenario, source: YamlSource): readonly Problem[] {
  const step = steps.findIndex(({ kind }) => kind === 'lp');
  if (step < 0 || clock === 'real') return [];
  return [
    source.problemWithKey(
      ['steps', step],
      'lp',
      'needs the line `clock: real` in the scenario: CUPS works in real time',
    ),
  ];
}

function nameProblems({ account, room, faults, steps, expect }: Scenario, source: YamlSource): readonly Problem[] {
  const known = new KnownNames();
  if (account !== undefined) known.add('account', account);
  for (const computer of room.computers) known.add('computer', computer);
  for (const printer of room.printers) known.add('printer', printer.name, printer.computer);
  for (const scale of room.scales) known.add('scale', scale.name, scale.computer);
  const check = (use: NameUse, base: Path): readonly Problem[] => {
    const complaint = known.complaint(use);
    if (complaint === undefined) return [];
    const path = [...base, ...use.path];
    if (!use.isKey) return [source.problemAt(path, complaint)];
    return [source.problemWithKey(path.slice(0, -1), use.name, complaint)];
  };
  return [
    ...faults.flatMap(({ at }, index) => namesAt(at).flatMap((use) => check(use, ['faults', index]))),
    ...steps.flatMap(({ names }, index) => names.flatMap((use) => check(use, ['steps', index]))),
    ...expect.names.flatMap((use) => check(use, ['expect'])),
  ];
}

function unreadIn(source: YamlSource, unread: readonly UnreadFile[]): readonly Problem[] {
  return unread.map(({ path, message }) => source.problemAt(path, message)).toSorted(inOrderOfFile);
}

/** A room, and the profiles of printers that it names by a path. */
export interface ReadRoom extends ScenarioRoom {
  readonly profiles: OwnFiles['profiles'];
}

/** Reads a room file: what stands under `room:` in a scenario, as a file of its own. Its parameters are those there. */
export function readRoom(
  text: string,
  folder: string,
  allowed: readonly string[] = [],
): Outcome<ReadRoom, readonly Problem[]> {
  const source = readFilled(text, 'computers');
  if (!source.ok) return source;
  const parsed = readFileAs(roomSchema, source.value);
  if (!parsed.ok) return parsed;
  const files = readOwnFiles(source.value.value, folder, new FileReach(folder, allowed));
  if (!files.ok) return failure(unreadIn(source.value, files.error));
  return success({ ...roomOf(parsed.value, files.value), profiles: files.value.profiles });
}

/** The format as a JSON Schema of draft 7, which all editors support. */
export function scenarioJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(scenarioSchema, { io: 'input', target: 'draft-7', reused: 'inline' });
  return { title: 'platen scenario', ...schema };
}
