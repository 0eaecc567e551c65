import { beforeEach, expect, it } from 'vitest';

import { Database } from '../../../../src/service/store/database.ts';

let database: Database;
let ran: string[];
beforeEach(() => {
  database = Database.open(undefined);
  ran = [];
  return () => database.close();
});

const log = (what: string) => (): void => void ran.push(what);
const save = (): unknown => database.prepare("INSERT INTO counters VALUES ('jobs', 1)").run();
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
    database.beforeCommit({}, () => {
      throw new Error('the disk is full');
    });
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
