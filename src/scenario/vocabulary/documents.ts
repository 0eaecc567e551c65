/**
 * Documents of a scenario: by the name of a fixture (`invoice.pdf`), or by a path from the folder of the scenario file
 * (`./my.pdf`, `../shared/my.pdf`, `/srv/my.pdf`).
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { failure, success, type Outcome } from '../../common/outcome.ts';
import { unreadableFile } from '../../common/unreadable-file.ts';
import { placeOfShipped } from '../../devices/document/shipped-documents.ts';

/** Whether a name is the path of a file, not the name of a fixture. */
export function isOwnDocument(name: string): boolean {
  return name.includes('/');
}

/** @throws Error when there is no such file; readScenario has made sure that there is */
export function readDocument(name: string, folder: string): Uint8Array {
  return readFileSync(placeOfDocument(name, folder));
}

export function placeOfDocument(name: string, folder: string): string {
  return isOwnDocument(name) ? placeOfFile(name, folder) : placeOfShipped(name);
}

/** @param folder - that of the scenario file */
export function placeOfFile(named: string, folder: string): string {
  return path.isAbsolute(named) ? named : path.join(folder, named);
}

/** A file that a scenario names; a failure says why it cannot be read. */
export function readNamedFile(place: string): Outcome<Buffer, string> {
  try {
    return success(readFileSync(place));
  } catch (error) {
    return failure(unreadableFile(place, error, '').message);
  }
}

/** Whether a file of this name is printed as a PDF. Anything else is in a printer's own language. */
export function isPdfName(name: string): boolean {
  return path.extname(name).toLowerCase() === '.pdf';
}
