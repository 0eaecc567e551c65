/**
 * The version of this package, from its package.json.
 */

import { readFileSync } from 'node:fs';
import { isObject } from './json-value.ts';

/** The same file seen from `src/common` and from `dist/common`. */
const MANIFEST = new URL('../../package.json', import.meta.url);

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  return isObject(manifest) ? String(manifest['version']) : 'unknown';
}
