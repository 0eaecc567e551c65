/**
 * Archive file: the HTTP archive that a command is given.
 */

import { usageError, type ActionableError } from '../../common/actionable-error.ts';
import { readTextFile } from '../../common/given-file.ts';
import { readHttpArchive, type ArchivedExchange } from '../../record/http-archive.ts';

/** @throws ActionableError when it cannot be read, or is no archive */
export async function readArchive(file: string): Promise<readonly ArchivedExchange[]> {
  const archive = readHttpArchive(await readTextFile(file, 'Name an HTTP archive (.har).'));
  if (archive.ok) return archive.value;
  throw usageError(`${file} is not an HTTP archive: ${archive.error}`, 'Save the traffic as HAR 1.2, with its bodies.');
}

/** What an archive without a request to a printing service is refused with. */
export function noPrinting(file: string): ActionableError {
  return usageError(
    `no request in ${file} is one of the printing API`,
    'Record what is sent to the service itself: paths such as /printjobs and /printers.',
  );
}
