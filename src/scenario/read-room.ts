/**
 * Reads a room file: what stands under `room:` in a scenario, as a file of its own.
 */

import { failure, success, type Outcome } from '../common/outcome.ts';
import { knownKeys } from './json-schema.ts';
import type { Problem } from '../common/problem.ts';
import { roomSchema, type ScenarioRoom } from './room-schema.ts';
import { schemaProblems } from '../common/schema-problems.ts';
import { readYaml } from '../common/yaml-source.ts';

export function readRoom(text: string): Outcome<ScenarioRoom, readonly Problem[]> {
  const source = readYaml(text);
  if (!source.ok) return source;
  const parsed = roomSchema.safeParse(source.value.value, { reportInput: true });
  if (parsed.success) return success(parsed.data);
  return failure(schemaProblems(parsed.error.issues, source.value, keysOfRoom));
}

function keysOfRoom(path: readonly PropertyKey[]): readonly string[] {
  return knownKeys(['room', ...path]);
}
