/**
 * SQLite of Node, loaded without the warning that it is experimental: Node 22 gives it at every start, and a program
 * that uses platen as a library can do nothing about it.
 */

import type * as Sqlite from 'node:sqlite';

/** Loaded by a call: an import would have warned before any code of ours runs. */
export function loadSqlite(load = (): typeof Sqlite => process.getBuiltinModule('node:sqlite')): typeof Sqlite {
  const emitAny = process.emitWarning.bind(process);
  const own = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  process.emitWarning = (...args: readonly unknown[]): void => {
    if (!String(args[0]).startsWith('SQLite is an experimental')) Reflect.apply(emitAny, process, args);
  };
  try {
    return load();
  } finally {
    if (own) Object.defineProperty(process, 'emitWarning', own);
  }
}
