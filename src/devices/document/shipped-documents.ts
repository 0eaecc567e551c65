/**
 * Shipped documents: what there is to print without a document of one's own.
 */

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../../../fixtures/documents/', import.meta.url);
const NO_DOCUMENTS = new Set(['README.md', 'generate.ts']);

/** Names of the files, such as `invoice.pdf`. */
export function documentNames(): readonly string[] {
  return readdirSync(FOLDER).filter((name) => !NO_DOCUMENTS.has(name));
}

/** The path of a document that ships. */
export function placeOfShipped(name: string): string {
  return fileURLToPath(new URL(name, FOLDER));
}
