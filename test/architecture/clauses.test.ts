/**
 * The specification as data is consistent: ids and tables agree, and nothing in src/specification computes.
 */

import { globSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ClauseGroup } from '../../src/specification/clause.ts';
import { CLAUSES } from '../../src/specification/clauses.ts';
import { GAPS } from '../../src/specification/gaps.ts';
import { LIMITS } from '../../src/specification/limits.ts';

const SPEC = new URL('../../src/specification/', import.meta.url);
/** Names that the specification takes from HTTP, where they have other uses. */
const HTTP_HEADERS = new Set(['content-type', 'content-md5', 'www-authenticate']);

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const modules = await Promise.all(
  readdirSync(SPEC).map(async (file) => ({
    file,
    exported: (await import(new URL(file, SPEC).href)) as Record<string, unknown>,
  })),
);
const clauseIds = new Set(CLAUSES.map((clause) => clause.id));

/** Every value under `key` anywhere in the exports of src/specification, with the place where it stands. */
function valuesOf(key: string): { at: string; value: unknown }[] {
  const found: { at: string; value: unknown }[] = [];
  const visit = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === key) found.push({ at, value: inner });
      visit(inner, `${at}.${name}`);
    }
  };
  for (const { file, exported } of modules) visit(exported, file);
  return found;
}

it('gives every clause and every gap an id of its own', () => {
  const ids = [...CLAUSES, ...GAPS].map((entry) => entry.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it('files every clause under the chapter its id begins with, in slugs', () => {
  const wrong = CLAUSES.filter(({ id, chapter }) => {
    const [first, second, ...rest] = id.split('/');
    return first !== chapter || !SLUG.test(second ?? '') || rest.length > 0;
  });
  expect(wrong).toEqual([]);
});

it('begins the id of every gap with gap/', () => {
  expect(GAPS.filter(({ id }) => !SLUG.test(id.replace(/^gap\//, '')))).toEqual([]);
});

it('states every clause in a sentence that no other clause has', () => {
  const statements = CLAUSES.map((clause) => `${clause.party}: ${clause.statement}`);
  expect(statements.filter((text, index) => statements.indexOf(text) !== index)).toEqual([]);
  expect(CLAUSES.filter(({ statement }) => !/^\S.+\.$/s.test(statement))).toEqual([]);
  expect(GAPS.filter(({ question }) => !question.endsWith('?'))).toEqual([]);
});

it('says that what takes days needs a virtual clock, and nothing else does', () => {
  const wrong = CLAUSES.filter(({ span, needs }) => (span === 'days') !== needs.includes('virtual-clock'));
  expect(wrong).toEqual([]);
});

it('joins the clauses of every chapter file', () => {
  const written = modules.flatMap(({ exported }) =>
    Object.entries(exported)
      .filter(([name]) => name.endsWith('_CLAUSES'))
      .flatMap(([, groups]) => groups as readonly ClauseGroup[])
      .flatMap(({ statements }) => Object.keys(statements)),
  );
  expect(new Set(written)).toEqual(clauseIds);
});

it('names an existing clause in every entry of every table', () => {
  const named = valuesOf('clause');
  expect(named.length).toBeGreaterThan(250);
  expect(named.filter(({ value }) => !clauseIds.has(String(value)))).toEqual([]);
});

it('exports data, and one function: the notation of a group of clauses', () => {
  const functions = modules.flatMap(({ file, exported }) =>
    Object.entries(exported)
      .filter(([, value]) => typeof value === 'function')
      .map(([name]) => `${file}: ${name}`),
  );
  expect(functions).toEqual(['clause.ts: given']);
});

it('repeats the number of a limit in the statement of its clause, or names where it is refused', () => {
  const words: Record<number, string> = { 1: 'one', 5: 'five', 8: 'eight', 10: 'ten' };
  const beyond: Record<number, string> = { 64: '65', 1024: '1025', 16: '17', 10: 'eleven', 8: 'seven' };
  const once = /once|given up|one record/i;
  const silent = Object.values(LIMITS).filter(({ value, clause }) => {
    const statement = CLAUSES.find(({ id }) => id === clause)?.statement.toLowerCase() ?? '';
    const tokens = [String(value), words[value], beyond[value]].filter((token) => token !== undefined);
    return !tokens.some((token) => statement.includes(token)) && !(value === 1 && once.test(statement));
  });
  expect(silent).toEqual([]);
});

it('names its headers in src/specification and nowhere else in src', () => {
  const names = valuesOf('name')
    .filter(({ at }) => at.startsWith('headers.ts'))
    .map(({ value }) => String(value).toLowerCase())
    .filter((name) => !HTTP_HEADERS.has(name));
  const files = globSync('**/*.{ts,tsx}', { cwd: new URL('..', SPEC) }).filter(
    (file) => !file.startsWith('specification/'),
  );
  const written = files.flatMap((file) => {
    const strings = readFileSync(new URL(`../${file}`, SPEC), 'utf8').matchAll(/'([\w-]+)'/g);
    return [...strings].flatMap(([, text = '']) => (names.includes(text.toLowerCase()) ? [`${file}: ${text}`] : []));
  });
  expect(names.length).toBeGreaterThan(20);
  expect(written).toEqual([]);
});
