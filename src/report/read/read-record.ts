/**
 * Reads run.json: a file from any source becomes a record of a known kind, or problems at
 * their line and column.
 */

import { z } from 'zod';

import { readJson } from '../../common/json-source.ts';
import { failure, success, type Outcome } from '../../common/outcome.ts';
import type { Problem } from '../../common/problem.ts';
import { readFileAs } from '../../common/schema-problems.ts';
import type { YamlSource } from '../../common/yaml-source.ts';
import { RECORD_VERSION } from '../../record/fields.ts';
import { SCHEMAS, type RunRecord } from '../../record/run-record.ts';

/** What every version of the format says of itself. */
const heading = z.looseObject({ tool: z.literal('platen'), recordVersion: z.int(), kind: z.string() });

export function readRecord(text: string): Outcome<RunRecord, readonly Problem[]> {
  const source = readJson(text);
  if (!source.ok) return source;
  const { value } = source.value;
  const head = heading.safeParse(value);
  if (!head.success) return failure([source.value.problemAt([], 'this is not the record of a platen run')]);
  const { recordVersion, kind } = head.data;
  if (recordVersion !== RECORD_VERSION) {
    return failure([source.value.problemAt(['recordVersion'], wordsForVersion(recordVersion))]);
  }
  const schema = Object.entries(SCHEMAS).find(([known]) => known === kind)?.[1];
  if (!schema) return failure([source.value.problemAt(['kind'], `must be ${Object.keys(SCHEMAS).join(' or ')}`)]);
  return parse(schema, source.value);
}

function wordsForVersion(version: number): string {
  const hint =
    version > RECORD_VERSION ? 'a newer platen wrote it, and is needed to read it' : 'there is no such version';
  return `version ${version} of the format, and this platen reads version ${RECORD_VERSION}: ${hint}`;
}

function parse(schema: z.ZodType<RunRecord>, source: YamlSource): Outcome<RunRecord, readonly Problem[]> {
  const parsed = readFileAs(schema, source);
  // As it was read, not as it was parsed: keys of a later platen stay, and so does the order.
  return parsed.ok ? success(source.value as RunRecord) : parsed;
}
