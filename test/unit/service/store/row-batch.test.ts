import { beforeEach, expect, it } from 'vitest';

import { Database } from '../../../../src/service/store/database.ts';
import { RowBatch } from '../../../../src/service/store/row-batch.ts';

let database: Database;
let batch: RowBatch;
beforeEach(() => {
  database = Database.open(undefined);
  batch = new RowBatch(database, 'counters');
  return () => database.close();
});

const add = (id: number, kind = `kind ${id}`): void => database.writeHot(() => batch.add([kind, id]));
const stored = (): unknown[] =>
  database
    .prepare('SELECT last_id FROM counters ORDER BY last_id')
    .all()
    .map((row) => row['last_id']);
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

it.each([1, 31, 32, 33, 70])('stores %i rows of a turn with its commit', async (count) => {
  for (const id of upTo(count)) add(id);
  await database.committed();
  expect(stored()).toEqual(upTo(count));
});

it('stores rows when they are to be read, and long ones at once', () => {
  add(1);
  expect(stored()).toEqual([]);
  batch.store();
  expect(stored()).toEqual([1]);
  add(2, 'x'.repeat(100_001));
  expect(stored()).toEqual([1, 2]);
});

it('undoes rows with the write that added them, and no others', async () => {
  add(1);
  const failing = (): void =>
    database.write(() => {
      batch.add(['of a write that is undone', 2]);
      throw new Error('undone');
    });
  expect(failing).toThrow('undone');
  add(3);
  database.write(() => batch.add(['of a write that is not', 4]));
  await database.committed();
  expect(stored()).toEqual([1, 3, 4]);
});

it('fails the whole turn for a row that cannot be stored, and goes on with the next', async () => {
  for (const id of [1, 2]) add(id, 'the same kind twice');
  await expect(database.committed()).rejects.toThrow('UNIQUE');
  add(3);
  await database.committed();
  expect(stored()).toEqual([3]);
});

it('forgets the rows of a turn that fails before they are stored', async () => {
  add(1);
  const committed = database.committed();
  const failing = (): void =>
    database.writeHot(() => {
      throw new Error('the disk is full');
    });
  expect(failing).toThrow('the disk is full');
  await expect(committed).rejects.toThrow('the disk is full');
  add(2);
  await database.committed();
  expect(stored()).toEqual([2]);
});
