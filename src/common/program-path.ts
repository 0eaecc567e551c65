/**
 * Program path: where a program of this machine is, also where an ordinary PATH does not lead to it.
 */

import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Where Debian, Fedora and macOS keep what an ordinary PATH does not name. */
const EXTRA_PATH = '/usr/sbin:/usr/local/sbin:/sbin';

/** PATH with those folders. */
export function widePath(): string {
  return `${process.env['PATH'] ?? ''}:${EXTRA_PATH}`;
}

/** Undefined where this machine does not have the program. */
export function programPath(program: string): string | undefined {
  const folders = widePath()
    .split(':')
    .filter((folder) => folder !== '');
  return folders.map((folder) => path.join(folder, program)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
