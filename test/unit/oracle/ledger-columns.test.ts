import { expect, it } from 'vitest';

import { LedgerColumns } from '../../../src/oracle/ledger-columns.ts';

const ROWS_OF_A_CHUNK = 16_384;
const ROW_BYTES = 53;
const LATEST_US = 2 ** 32 - 2;

function withRows(count: number): LedgerColumns {
  const columns = new LedgerColumns();
  for (let row = 0; row < count; row++) columns.add();
  return columns;
}

it('counts to the largest number of a cell, and stays there', () => {
  const columns = withRows(1);
  const counts = Array.from({ length: 257 }, () => {
    columns.add1('deliveries', 0);
    return columns.get('deliveries', 0);
  });
  expect([counts[0], counts[1], counts[254], counts[256]]).toEqual([1, 2, 255, 255]);
});

it.each([0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 5, 2 ** 40 - 1])('keeps the number %i whole', (number) => {
  const columns = withRows(1);
  columns.setJobId(0, number);
  columns.setIntendedUs(0, number);
  expect([columns.jobId(0), columns.intendedUs(0)]).toEqual([number, number]);
});

it('keeps the numbers of a row of a later chunk', () => {
  const columns = withRows(ROWS_OF_A_CHUNK + 1);
  columns.setJobId(ROWS_OF_A_CHUNK, 7);
  columns.setIntendedUs(ROWS_OF_A_CHUNK, 5);
  expect([columns.jobId(ROWS_OF_A_CHUNK), columns.intendedUs(ROWS_OF_A_CHUNK)]).toEqual([7, 5]);
});

it.each([
  ['at the intended start', 5_000, 5_000],
  ['a moment later', 5_001, 5_001],
  ['rounded', 5_001.6, 5_002],
  ['before the intended start', 4_000, 5_000],
  ['as late as can be kept', 5_000 + LATEST_US, 5_000 + LATEST_US],
  ['later than that', 5_000 + 2 * LATEST_US, 5_000 + LATEST_US],
])('keeps when something happened: %s', (_, atUs, kept) => {
  const columns = withRows(1);
  columns.setIntendedUs(0, 5_000);
  expect(columns.stamp(0, 'sent')).toBeUndefined();
  columns.setStamp(0, 'sent', atUs);
  expect([columns.stamp(0, 'sent'), columns.stamp(0, 'accepted')]).toEqual([kept, undefined]);
});

it('keeps what a cell is set to, in the first row and in the last one of each chunk', () => {
  const columns = withRows(2 * ROWS_OF_A_CHUNK + 1);
  const rows = [0, 1, ROWS_OF_A_CHUNK - 1, ROWS_OF_A_CHUNK, 2 * ROWS_OF_A_CHUNK];
  for (const row of rows) columns.set('printer', row, row + 70_000);
  expect(rows.map((row) => columns.get('printer', row))).toEqual(rows.map((row) => row + 70_000));
  expect([columns.get('printer', 2), columns.get('account', 0)]).toEqual([0, 0]);
});

it('numbers its rows', () => {
  const columns = withRows(ROWS_OF_A_CHUNK);
  expect([columns.add(), columns.add()]).toEqual([ROWS_OF_A_CHUNK, ROWS_OF_A_CHUNK + 1]);
});

it('has zeros in rows that are not there', () => {
  const columns = withRows(1);
  columns.set('account', ROWS_OF_A_CHUNK, 7);
  expect(columns.get('account', ROWS_OF_A_CHUNK)).toBe(0);
});

it.each([
  [0, 0],
  [1, 1],
  [ROWS_OF_A_CHUNK, 1],
  [ROWS_OF_A_CHUNK + 1, 2],
])('holds %i rows in %i chunks', (rows, chunks) => {
  expect(withRows(rows).bytes).toBe(chunks * ROWS_OF_A_CHUNK * ROW_BYTES);
});

it.each([1, 2, 100, ROWS_OF_A_CHUNK, 2 * ROWS_OF_A_CHUNK + 3])('adds rows that it wrote, after %i others', (before) => {
  const count = ROWS_OF_A_CHUNK + 7;
  const written = withRows(count);
  for (let row = 0; row < count; row++) {
    written.setJobId(row, (row + 1) * 1_000_003);
    written.set('deliveries', row, row % 256);
  }
  const bytes = written.toBytes();
  expect(bytes.byteLength).toBe(count * ROW_BYTES);
  const columns = withRows(before);
  columns.set('deliveries', before - 1, 9);
  columns.append(bytes, count);
  expect(columns.rows).toBe(before + count);
  expect(columns.get('deliveries', before - 1)).toBe(9);
  for (const row of [0, 1, 255, ROWS_OF_A_CHUNK - 1, ROWS_OF_A_CHUNK, count - 1]) {
    expect(columns.jobId(before + row)).toBe((row + 1) * 1_000_003);
    expect(columns.get('deliveries', before + row)).toBe(row % 256);
  }
});

it.each([-1, 1])('refuses bytes that are not as many rows as they should be (%i)', (more) => {
  const bytes = withRows(3).toBytes();
  const columns = new LedgerColumns();
  expect(() => columns.append(bytes, 3 + more)).toThrow(
    new RangeError(`159 bytes are not ${3 + more} rows of a ledger`),
  );
  expect(columns.rows).toBe(0);
});

it('adds rows to none', () => {
  const columns = new LedgerColumns();
  const written = withRows(2);
  written.setJobId(1, 7);
  columns.append(written.toBytes(), 2);
  expect([columns.rows, columns.jobId(0), columns.jobId(1)]).toEqual([2, 0, 7]);
});
