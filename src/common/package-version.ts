/**
 * The version of this package, from its package.json.
 */

import { readFileSync } from 'node:fs';

/** The same file seen from `src/common` and from `dist/common`. */
const MANIFEST = new URL('../../package.json', import.meta.url);

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return known ? String(manifest.version) : 'unknown';
}
