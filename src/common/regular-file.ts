/**
 * Regular file: its whole content, read from the handle that was looked at. A pipe, a device or a socket is refused
 * without being read, and so is what is longer than it may be, whatever size it claims.
 */

import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';

import { messageOf } from './error-message.ts';
import { WRONG_PATHS } from './named-place.ts';
import { failure, success, type Outcome } from './outcome.ts';

/** Ten times the record of a run of a thousand failed checks with all their evidence. */
export const MOST_FILE_BYTES = 128 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
// A link that was put in its place meanwhile is not followed; and to open a pipe does not wait for its writer.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const REASONS: Readonly<Record<string, string>> = {
  ...WRONG_PATHS,
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'reading it is not allowed',
  EPERM: 'reading it is not allowed',
  ELOOP: 'its links lead nowhere',
};

/** Why a file cannot be read, in words, from an error of the file system. */
export function whyUnreadable(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? messageOf(error);
}

export interface RegularFileOptions {
  /** In bytes. */
  readonly most?: number | undefined;
  /** Why a file that is really there may not be read; undefined for one that may. */
  readonly refusal?: (place: string) => string | undefined;
}

/** The content, or why it is not read. */
export function readRegularFile(
  file: string,
  { most = MOST_FILE_BYTES, refusal }: RegularFileOptions = {},
): Outcome<Buffer, string> {
  let handle: number | undefined;
  try {
    const real = realpathSync(file);
    // Looked at before as well: to open a device may set it in motion.
    const early = whyNotRegular(statSync(real)) ?? refusal?.(real);
    if (early !== undefined) return failure(early);
    handle = openSync(real, FLAGS);
    const found = fstatSync(handle);
    const reason =
      whyNotRegular(found) ?? refusal?.(placeOf(handle, real)) ?? (found.size > most ? tooLong(most) : undefined);
    return reason === undefined ? wholeOf(handle, most) : failure(reason);
  } catch (error) {
    return failure(whyUnreadable(error));
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Why it is not read at all; undefined for a regular file. */
export function whyNotRegular(found: Stats): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isDirectory()) return 'it is a folder';
  if (found.isFIFO()) return 'it is a pipe';
  return found.isSocket() ? 'it is a socket' : 'it is a device';
}

export function tooLong(most: number): string {
  return `it is longer than ${most} bytes`;
}

/** Where an open file is. Linux knows of each; elsewhere its path is followed once more. */
function placeOf(handle: number, real: string): string {
  return process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${handle}`) : realpathSync(real);
}

/** It may grow while it is read, and some claim no size at all. */
function wholeOf(handle: number, most: number): Outcome<Buffer, string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const count = readSync(handle, piece);
    if (count === 0) return success(Buffer.concat(pieces));
    pieces.push(piece.subarray(0, count));
    length += count;
    if (length > most) return failure(tooLong(most));
  }
}
