import { once } from 'node:events';

import { beforeEach, expect, it } from 'vitest';

import { loadSqlite } from '../../../../src/service/store/data-file.ts';
import { Database } from '../../../../src/service/store/database.ts';
import { RowBatch } from '../../../../src/service/store/row-batch.ts';

let database: Database;
let ran: string[];
beforeEach(() => {
  database = Database.open(undefined);
  ran = [];
  return () => database.close();
});

const log = (what: string) => (): void => void ran.push(what);
const save = (): unknown => database.prepare("INSERT INTO counters VALUES ('jobs', 1)").run();
const failing = (): never => {
  throw new Error('the disk is full');
};
const saved = (): number => database.prepare('SELECT * FROM counters').all().length;

it('runs what several writes of a turn ask for once, before its commit and after it', async () => {
  const account = {};
  const after = log('after');
  for (const write of ['first', 'second']) {
    database.write(() => database.beforeCommit(account, log(`before, for the ${write}`)));
    database.afterCommit(after);
  }
  expect(ran).toEqual([]);
  await database.committed();
  expect(ran).toEqual(['before, for the second', 'after']);
});

it('runs nothing after a commit that fails, and goes on with the next one', async () => {
  database.write(() => {
    save();
    database.beforeCommit({}, failing);
  });
  const after = log('after');
  database.afterCommit(after);
  await expect(database.committed()).rejects.toThrow('the disk is full');
  expect(saved()).toBe(0);
  database.write(save);
  database.afterCommit(after);
  await database.committed();
  expect({ ran, saved: saved() }).toEqual({ ran: ['after'], saved: 1 });
});

it('cannot be written until as much as was refused can be stored, and leaves nothing of the trial', () => {
  const contents = new RowBatch(database, 'print_job_contents');
  const limit = (pages: number): unknown => database.prepare(`PRAGMA max_page_count = ${pages}`).get();
  limit(50);
  expect(() => database.writeHot(() => contents.add([1, 'x'.repeat(1_000_000), 0]))).toThrow('full');
  database.write(save);
  expect(() => database.tryWrite()).toThrow('full');
  limit(1_000);
  database.tryWrite();
  expect({ saved: saved(), records: database.prepare('SELECT * FROM records').all() }).toEqual({
    saved: 1,
    records: [],
  });
});

it('keeps quiet that SQLite is experimental, and nothing else', async () => {
  const before = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  const warned = once(process, 'warning') as Promise<[Error]>;
  const sqlite = loadSqlite(() => {
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
    process.emitWarning('the disk is full', 'OtherWarning');
    return process.getBuiltinModule('node:sqlite');
  });
  const [warning] = await warned;
  expect(warning).toMatchObject({ name: 'OtherWarning', message: 'the disk is full' });
  expect(Object.getOwnPropertyDescriptor(process, 'emitWarning')).toEqual(before);
  expect(sqlite.DatabaseSync).toBeTypeOf('function');
});

it('undoes all writes of a turn when a hot one fails, and goes on with the next turn', async () => {
  database.write(save);
  const committed = database.committed();
  expect(() => database.writeHot(failing)).toThrow('the disk is full');
  await expect(committed).rejects.toThrow('the disk is full');
  expect(saved()).toBe(0);
  database.writeHot(save);
  await database.committed();
  expect(saved()).toBe(1);
});

it('lets a listener who hears of a turn that failed write at once, for the next turn', async () => {
  database.write(save);
  database.whenCommitted((error) => {
    ran.push(String(error));
    database.write(save);
    database.afterCommit(log('after'));
  });
  expect(() => database.writeHot(failing)).toThrow('the disk is full');
  expect(ran).toEqual(['Error: the disk is full']);
  await database.committed();
  expect({ ran, saved: saved() }).toEqual({ ran: ['Error: the disk is full', 'after'], saved: 1 });
});
