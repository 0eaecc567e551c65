/**
 * Schema problems: what is wrong with a value by its schema, in words for its author. All values that come from
 * elsewhere are read here: those of a file with the place of each problem, others with its path.
 *
 *   unrecognized key `printre` ─► "there is no key 'printre' here; did you mean 'printer'?"
 */

import type { z } from 'zod';

import { meantHint, nearestName, plainest } from './nearest-name.ts';
import { failure, success, type Outcome } from './outcome.ts';
import { formatPath, type Path, type Problem } from './problem.ts';
import type { YamlSource } from './yaml-source.ts';

type Issue = z.core.$ZodIssue;

/** More than these are of no use. */
const MOST_PROBLEMS = 20;

/** The value of a file in the shape of the schema, or its problems in the order of the file. */
export function readFileAs<Value>(schema: z.ZodType<Value>, source: YamlSource): Outcome<Value, readonly Problem[]> {
  const { data, error } = schema.safeParse(source.value, { reportInput: true });
  return error ? failure(schemaProblems(schema, error.issues, source)) : success(data);
}

/** A value in the shape of the schema; the error says in one line what is wrong, and where: `jobs[2].id: must be …`. */
export function readValueAs<Value>(schema: z.ZodType<Value>, value: unknown): Outcome<Value, string> {
  const read = readFileAs(schema, { value, problemAt, problemWithKey: (path, _, message) => problemAt(path, message) });
  if (read.ok) return read;
  return failure(read.error.map(({ at, message }) => (at === '' ? message : `${at}: ${message}`)).join('; '));
}

/** The place of a value that came without a file: its path alone. */
function problemAt(path: Path, message: string): Problem {
  return { line: 1, column: 1, at: formatPath(path), message };
}

function schemaProblems(schema: z.ZodType, issues: readonly Issue[], source: YamlSource): readonly Problem[] {
  return issues
    .filter((issue) => issue.code !== 'custom' || !hasUnknownKey(issues, issue.path))
    .slice(0, MOST_PROBLEMS)
    .flatMap((issue) => problemsOf(issue, [], source, schema))
    .toSorted(inOrderOfFile);
}

/** What a rule says of an object that lacks its key, where that is misspelled, says the same again. */
function hasUnknownKey(issues: readonly Issue[], path: Path): boolean {
  return issues.some((one) => one.code === 'unrecognized_keys' && formatPath(one.path) === formatPath(path));
}

export function inOrderOfFile(a: Problem, b: Problem): number {
  return a.line - b.line || a.column - b.column;
}

function problemsOf(issue: Issue, base: Path, source: YamlSource, schema: z.ZodType): readonly Problem[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, path);
    return issue.keys.map((key) => source.problemWithKey(path, key, unknownKey(key, known)));
  }
  if (issue.code === 'invalid_union') {
    const branch = nearestBranch(issue.errors);
    if (branch.length > 0) return branch.flatMap((inner) => problemsOf(inner, path, source, schema));
  }
  return [source.problemAt(path, wordsFor(issue))];
}

/** As much of a JSON Schema as leads to the keys of an object. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly propertyNames?: { readonly enum?: readonly string[] };
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
}

/** The keys that the object at a path may have. */
export function knownKeys(schema: z.ZodType, path: Path = []): readonly string[] {
  const root = schema.toJSONSchema({ io: 'input', reused: 'inline', unrepresentable: 'any' }) as SchemaNode;
  const nodes = path.reduce<readonly SchemaNode[]>(
    (found, part) => found.flatMap((node) => inside(node, part)),
    forms(root),
  );
  const keys = nodes.flatMap(({ properties = {}, propertyNames }) => [
    ...Object.keys(properties),
    ...(propertyNames?.enum ?? []),
  ]);
  return [...new Set(keys)];
}

function inside({ properties = {}, additionalProperties, items }: SchemaNode, part: PropertyKey): SchemaNode[] {
  if (typeof part === 'number') return forms(items);
  return forms(
    properties[String(part)] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined),
  );
}

/** A schema and the alternatives it has. */
function forms(node: SchemaNode | undefined): SchemaNode[] {
  return node ? [node, ...(node.anyOf ?? []).flatMap(forms)] : [];
}

function unknownKey(key: string, known: readonly string[]): string {
  if (known.includes(key)) return `the key '${key}' cannot stand beside the other keys here`;
  const meant = nearestName(key, known);
  if (meant !== undefined) return `there is no key '${key}' here${meantHint(meant)}`;
  const longer = known.filter((name) => name.split('-').includes(key)).map((name) => `'${name}'`);
  if (longer.length > 0) return `there is no key '${key}' here; did you mean ${longer.join(' or ')}?`;
  return `there is no key '${key}' here${known.length > 0 ? `; there are ${known.join(', ')}` : ''}`;
}

/** The problems of the form that the value comes closest to. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const ofItsKind = branches.filter((issues) => !issues.some(isAboutKind));
  const candidates = ofItsKind.length > 0 ? ofItsKind : branches.filter(([first]) => first?.code !== 'invalid_type');
  return candidates.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

/** The value is of another type altogether, such as an object instead of a word. */
function isAboutKind({ code, path }: Issue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
}

function wordsFor(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return OF_THE_LIBRARY.test(issue.message) ? demand(articled(issue.expected), issue.input) : issue.message;
    case 'invalid_value':
      return wrongChoice(issue);
    case 'too_small':
      return size(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return size(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'invalid_union':
      return unionWords(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      if (!OF_THE_LIBRARY.test(issue.message)) return issue.message;
      if ('prefix' in issue) return demand(`a string that begins with '${String(issue.prefix)}'`, issue.input);
      return demand(FORMATS[issue.format] ?? `of the form ${issue.pattern ?? issue.format}`, issue.input);
    case 'invalid_key':
    case 'invalid_element':
    case 'unrecognized_keys':
    case 'custom':
      break;
  }
  return OF_THE_LIBRARY.test(issue.message) ? 'is not valid here' : issue.message;
}

function demand(what: string, input: unknown): string {
  return input === undefined ? `is missing: ${what}` : `must be ${what}, not ${found(input)}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a time such as 2026-01-31T08:00:00.000Z',
  url: 'a URL',
};

/** Messages of rules that have no words of their own. */
const OF_THE_LIBRARY = /^Invalid /;

const LONGEST_SHOWN = 40;

/** A value in a sentence: as it is if it is short, else its kind. */
export function found(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const shown = typeof value === 'string' ? `'${value}'` : String(value);
  return shown.length > LONGEST_SHOWN ? `a ${typeof value} of ${shown.length} characters` : shown;
}

/** What a size is counted in, one and several; numbers are not counted. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
};

function size(origin: string, relation: string, limit: number | bigint): string {
  if (origin === 'string' && limit === 1) return 'must not be empty';
  const [one, several] = UNITS[origin] ?? [];
  if (one === undefined) return `must be ${relation} ${limit}`;
  return `must have ${relation} ${limit} ${Number(limit) === 1 ? one : several}`;
}

/** None of its forms is near: so all are named. */
function unionWords({ errors, input, message }: Extract<Issue, { code: 'invalid_union' }>): string {
  if (!OF_THE_LIBRARY.test(message)) return message;
  const allowed = errors.flatMap(([first]) => (first === undefined ? [] : [allowedBy(first)]));
  if (allowed.length === 0) return 'matches none of the forms that are allowed here';
  return demand([...new Set(allowed)].join(', or '), input);
}

function allowedBy(issue: Issue): string {
  if (issue.code === 'invalid_type') return articled(issue.expected);
  if (issue.code === 'invalid_value') return issue.values.join(' or ');
  return wordsFor(issue);
}

/** The most choices that a message lists; of a longer list it suggests the nearest. */
const MOST_CHOICES = 10;

function wrongChoice({ values, input }: Extract<Issue, { code: 'invalid_value' }>): string {
  const choices = values.map(String);
  const meant = typeof input === 'string' ? nearestName(input, choices) : undefined;
  const hint = meantHint(meant);
  if (input === undefined || choices.length <= MOST_CHOICES) return demand(choices.join(' or '), input) + hint;
  return `${found(input)} is not known${hint || `; there are ${choices.length}, such as ${plainest(choices, MOST_CHOICES).join(', ')}`}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object of keys and values',
  record: 'an object of keys and values',
};

function articled(expected: string): string {
  return KINDS[expected] ?? expected;
}
