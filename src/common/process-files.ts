/**
 * Process files: what a system tells of its processes below /proc. Empty where it cannot be read: another system, the
 * process of another user, or one that has ended.
 */

import { readdirSync, readFileSync } from 'node:fs';

export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
