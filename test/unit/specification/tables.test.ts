/** What the tables of src/specification promise each other. */

import { expect, it } from 'vitest';
import { CLAUSES } from '../../../src/specification/clauses.ts';
import { ENDPOINTS } from '../../../src/specification/endpoints.ts';
import * as errors from '../../../src/specification/errors.ts';
import * as fields from '../../../src/specification/fields.ts';
import * as headers from '../../../src/specification/headers.ts';
import * as inputs from '../../../src/specification/inputs.ts';
import * as states from '../../../src/specification/states.ts';

const TABLES = Object.entries<object>({ ...errors, ...fields, ...headers, ...inputs, ...states }).filter(
  ([name]) => !name.endsWith('_CLAUSES'),
);

/** Rows that share the one clause that the specification has for them. */
const ONE_CLAUSE = new Set(['MEASUREMENT_UNITS', 'DOCUMENT_CREDENTIALS_INPUT']);

it.each(TABLES.filter(([name]) => !ONE_CLAUSE.has(name)))('gives each row of %s a clause of its own', (_, table) => {
  const named = Object.values(table).flatMap((row: unknown) =>
    typeof row === 'object' && row !== null && 'clause' in row ? [row.clause] : [],
  );
  expect(new Set(named).size).toBe(named.length);
});

it('lists every path and method once, each with a clause of its own', () => {
  const routes = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(routes).size).toBe(ENDPOINTS.length);
  expect(new Set(ENDPOINTS.map(({ clause }) => clause)).size).toBe(ENDPOINTS.length);
});

it('has a clause beyond every edge of a limit', () => {
  const ids = new Set(CLAUSES.map(({ id }) => id));
  const edges = [...ids].filter((id) => id.endsWith('-at-accepted'));
  const alone = edges.filter((id) => {
    const stem = id.replace(/-at-accepted$/, '');
    return !ids.has(`${stem}-over-refused`) && !ids.has(`${stem}-under-refused`);
  });
  expect(edges.length).toBeGreaterThan(5);
  expect(alone).toEqual([]);
});
