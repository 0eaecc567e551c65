/** The tables have a row for everything the specification prints, counted by hand from it. */

import { describe, expect, it } from 'vitest';
import { CLAUSES } from '../../../src/spec/clauses.ts';
import { ENDPOINTS } from '../../../src/spec/endpoints.ts';
import { ERRORS, ERROR_FIELDS } from '../../../src/spec/errors.ts';
import * as fields from '../../../src/spec/fields.ts';
import { GAPS } from '../../../src/spec/gaps.ts';
import * as headers from '../../../src/spec/headers.ts';
import * as inputs from '../../../src/spec/inputs.ts';
import { LIMITS } from '../../../src/spec/limits.ts';
import { ACCOUNT_STATES, STABLE_PRINT_JOB_STATES } from '../../../src/spec/states.ts';

/** How many rows the specification prints in each of its tables. */
const PRINTED_ROWS: readonly [name: string, table: object, rows: number][] = [
  ['account', fields.ACCOUNT_FIELDS, 16],
  ['computer', fields.COMPUTER_FIELDS, 9],
  ['printer', fields.PRINTER_FIELDS, 8],
  ['capabilities', fields.CAPABILITY_FIELDS, 12],
  ['printrate', fields.PRINT_RATE_FIELDS, 2],
  ['print job state', fields.PRINT_JOB_STATE_FIELDS, 7],
  ['scale data', fields.SCALE_FIELDS, 13],
  ['measurement units', fields.MEASUREMENT_UNITS, 4],
  ['webhook', fields.WEBHOOK_FIELDS, 8],
  ['statistic measures', fields.STATISTIC_MEASURES, 5],
  ['event', fields.EVENT_FIELDS, 5],
  ['POST /printjobs body', inputs.PRINT_JOB_INPUT, 9],
  ['print options', inputs.PRINT_OPTIONS, 12],
  ['list parameters', inputs.LIST_PARAMETERS, 3],
  ['account creation', inputs.ACCOUNT_CREATION_INPUT, 7],
  ['account update', inputs.ACCOUNT_UPDATE_INPUT, 5],
  ['webhook creation', inputs.WEBHOOK_INPUT, 3],
  ['operating systems', inputs.OPERATING_SYSTEMS, 2],
  ['stable print job states', STABLE_PRINT_JOB_STATES, 5],
  ['account states', ACCOUNT_STATES, 2],
  ['errors', ERRORS, 7],
  ['error object', ERROR_FIELDS, 3],
  ['list headers', headers.LIST_HEADERS, 4],
  ['access-control headers', headers.ACCESS_CONTROL_HEADERS, 4],
  ['request headers', headers.REQUEST_HEADERS, 7],
];

describe('tables of the specification', () => {
  it.each(PRINTED_ROWS)('%s: every printed row', (_name, table, rows) => {
    expect(Object.keys(table)).toHaveLength(rows);
  });

  it.each(PRINTED_ROWS.filter(([, table]) => table !== fields.MEASUREMENT_UNITS))(
    '%s: a clause of its own for each row',
    (_name, table) => {
      const named = Object.values(table).map((row: { clause: string }) => row.clause);
      expect(new Set(named).size).toBe(named.length);
    },
  );

  it('lists every path and method once, each with a clause of its own', () => {
    const routes = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(routes).size).toBe(48);
    expect(new Set(ENDPOINTS.map(({ clause }) => clause)).size).toBe(48);
    expect(routes).toHaveLength(48);
  });

  it('files every path under the chapter of its clause', () => {
    expect(ENDPOINTS.filter(({ family, clause }) => !clause.startsWith(`${family}/`))).toEqual([]);
  });

  it('asks for authentication everywhere but at GET /ping', () => {
    expect(ENDPOINTS.filter((endpoint) => !endpoint.authenticated).map(({ path }) => path)).toEqual([
      '/ping',
    ]);
  });

  it('pages the ten collection paths of computers, printers and print jobs', () => {
    const paged = ENDPOINTS.filter((endpoint) => endpoint.paginated);
    expect(paged.map(({ family }) => family).toSorted()).toEqual([
      ...Array<string>(2).fill('computers'),
      ...Array<string>(4).fill('print-jobs'),
      ...Array<string>(4).fill('printers'),
    ]);
    expect(new Set(paged.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('marks nothing as observed but jre', () => {
    const observed = Object.values(fields)
      .flatMap((table) => Object.entries<object>(table))
      .filter(([, row]) => 'basis' in row && row.basis === 'observed');
    expect(observed.map(([name]) => name)).toEqual(['jre']);
  });
});

describe('numbers that agree wherever they stand', () => {
  it('expireAfter defaults to fourteen days', () => {
    expect(LIMITS.expireAfterDefaultSeconds.value).toBe(14 * 24 * 60 * 60);
    expect(inputs.PRINT_JOB_INPUT.expireAfter.default).toBe(LIMITS.expireAfterDefaultSeconds.value);
  });

  it('a page has 100 records by default', () => {
    expect(inputs.LIST_PARAMETERS.limit.default).toBe(LIMITS.pageSize.value);
  });

  it('qty defaults to one', () => {
    expect(inputs.PRINT_JOB_INPUT.qty.default).toBe(LIMITS.qtyDefault.value);
  });

  it('account states are the values of the state field', () => {
    expect([...fields.ACCOUNT_FIELDS.state.values]).toEqual(Object.keys(ACCOUNT_STATES));
  });
});

describe('clauses and gaps', () => {
  it('are at least 350, and a gap for each of the seventeen lines that say not shown', () => {
    expect(CLAUSES.length).toBeGreaterThanOrEqual(350);
    expect(GAPS.filter(({ kind }) => kind === 'not-shown').length).toBeGreaterThanOrEqual(17);
  });

  it('have a beyond for every edge of a limit', () => {
    const ids = new Set(CLAUSES.map(({ id }) => id));
    const edges = [...ids].filter((id) => id.endsWith('-at-accepted'));
    const lonely = edges.filter((id) => {
      const stem = id.replace(/-at-accepted$/, '');
      return !ids.has(`${stem}-over-refused`) && !ids.has(`${stem}-under-refused`);
    });
    expect(edges.length).toBeGreaterThan(5);
    expect(lonely).toEqual([]);
  });
});
