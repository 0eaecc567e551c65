/**
 * Documents of a scenario: by the name of a fixture (`invoice.pdf`), or by a path beside the scenario file
 * (`./my.pdf`).
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { placeOfShipped } from '../../devices/document/shipped-documents.ts';

/** Whether a name is that of a file beside the scenario. */
export function isOwnDocument(name: string): boolean {
  return name.startsWith('./');
}

/** @throws Error when there is no such file; readScenario has made sure that there is */
export function readDocument(name: string, folder: string): Uint8Array {
  return readFileSync(placeOfDocument(name, folder));
}

export function placeOfDocument(name: string, folder: string): string {
  return isOwnDocument(name) ? path.join(folder, name) : placeOfShipped(name);
}

/** Whether a file of this name is printed as a PDF. Anything else is in a printer's own language. */
export function isPdfName(name: string): boolean {
  return path.extname(name).toLowerCase() === '.pdf';
}
