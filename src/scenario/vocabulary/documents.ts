/**
 * Documents of a scenario: by the name of a fixture (`invoice.pdf`), or by a path from the folder of the scenario file
 * (`./my.pdf`, `../shared/my.pdf`, `/srv/my.pdf`).
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { placeOfShipped } from '../../devices/document/shipped-documents.ts';

/** Whether a name is the path of a file, not the name of a fixture. */
export function isOwnDocument(name: string): boolean {
  return name.includes('/');
}

/** One that ships, or one of the scenario's own, which were read with it. */
export function readDocument(name: string, own: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return own.get(name) ?? readFileSync(placeOfShipped(name));
}

export function placeOfDocument(name: string, folder: string): string {
  return isOwnDocument(name) ? placeOfFile(name, folder) : placeOfShipped(name);
}

/** @param folder - that of the scenario file */
export function placeOfFile(named: string, folder: string): string {
  return path.isAbsolute(named) ? named : path.join(folder, named);
}

/** Whether a file of this name is printed as a PDF. Anything else is in a printer's own language. */
export function isPdfName(name: string): boolean {
  return path.extname(name).toLowerCase() === '.pdf';
}
