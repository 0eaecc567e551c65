/**
 * Schema problems: what is wrong with a value by its schema, in words for the author of the file.
 *
 *   unrecognized key `printre` ─► "there is no key 'printre' here; did you mean 'printer'?"
 */

import type { z } from 'zod';

import { nearestName } from './nearest-name.ts';
import { formatPath, type Path, type Problem } from './problem.ts';
import type { YamlSource } from './yaml-source.ts';

type Issue = z.core.$ZodIssue;

/** The keys that the schema allows at a path. */
export type KnownKeys = (path: Path) => readonly string[];

/** The problems of these issues, in the order of the file. */
export function schemaProblems(issues: readonly Issue[], source: YamlSource, knownKeys: KnownKeys): readonly Problem[] {
  const told = issues.filter((issue) => issue.code !== 'custom' || !hasUnknownKey(issues, issue.path));
  return told.flatMap((issue) => problemsOf(issue, [], source, knownKeys)).toSorted(inOrderOfFile);
}

/** What a rule says of an object that lacks its key, where that is misspelled, says the same again. */
function hasUnknownKey(issues: readonly Issue[], path: Path): boolean {
  return issues.some((one) => one.code === 'unrecognized_keys' && formatPath(one.path) === formatPath(path));
}

export function inOrderOfFile(a: Problem, b: Problem): number {
  return a.line - b.line || a.column - b.column;
}

function problemsOf(issue: Issue, base: Path, source: YamlSource, knownKeys: KnownKeys): readonly Problem[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(path);
    return issue.keys.map((key) => source.problemWithKey(path, key, unknownKey(key, known)));
  }
  if (issue.code === 'invalid_union') {
    const branch = nearestBranch(issue.errors);
    if (branch.length > 0) return branch.flatMap((inner) => problemsOf(inner, path, source, knownKeys));
  }
  return [source.problemAt(path, wordsFor(issue))];
}

function unknownKey(key: string, known: readonly string[]): string {
  const meant = nearestName(key, known);
  if (meant !== undefined) return `there is no key '${key}' here; did you mean '${meant}'?`;
  return `there is no key '${key}' here${known.length > 0 ? `; there are ${known.join(', ')}` : ''}`;
}

/** Of several forms a value may have, the one it comes closest to. */
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
  if (issue.code === 'invalid_type' && issue.input === undefined) return `is missing: ${articled(issue.expected)}`;
  if (issue.code === 'invalid_type') return `must be ${articled(issue.expected)}`;
  if (issue.code === 'invalid_value') return wrongChoice(issue);
  if (issue.code === 'too_small')
    return `must ${sizeOf(issue.origin)} at least ${issue.minimum}${UNITS[issue.origin] ?? ''}`;
  if (issue.code === 'too_big')
    return `must ${sizeOf(issue.origin)} at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`;
  if (issue.code === 'invalid_union') return unionWords(issue);
  return issue.message;
}

/** What a size is counted in; numbers are not counted. */
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', set: ' entries' };

function sizeOf(origin: string): string {
  return Object.hasOwn(UNITS, origin) ? 'have' : 'be';
}

/** None of its forms is near: so all are named. */
function unionWords({ errors }: Extract<Issue, { code: 'invalid_union' }>): string {
  const words = errors.flatMap(([first]) => (first === undefined ? [] : [wordsFor(first).replace(/^must be /, '')]));
  return words.length === 0 ? 'has no form that is known here' : `must be ${[...new Set(words)].join(', or ')}`;
}

/** Of more choices than these, the nearest says more than all of them. */
const MOST_CHOICES = 10;

function wrongChoice({ values, input }: Extract<Issue, { code: 'invalid_value' }>): string {
  const choices = values.map(String);
  const meant = typeof input === 'string' ? nearestName(input, choices) : undefined;
  if (choices.length <= MOST_CHOICES) {
    return `must be ${choices.join(' or ')}${meant === undefined ? '' : `; did you mean '${meant}'?`}`;
  }
  const given = typeof input === 'string' ? `'${input}'` : 'this';
  return `${given} is not known${meant === undefined ? `; there are ${choices.join(', ')}` : `; did you mean '${meant}'?`}`;
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
