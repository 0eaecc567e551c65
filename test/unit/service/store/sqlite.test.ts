import { once } from 'node:events';

import { expect, it } from 'vitest';

import { loadSqlite } from '../../../../src/service/store/database.ts';

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
