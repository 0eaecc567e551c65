/**
 * Given file: one that a person names on the command line. It may lie anywhere, and may be a pipe, as of `<(…)`, which
 * is read without holding the process up.
 */

import { isUtf8 } from 'node:buffer';
import { closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { Socket } from 'node:net';

import { usageError, type ActionableError } from './actionable-error.ts';
import { sleep, systemClock } from './clock.ts';
import { shownPath } from './named-place.ts';
import { failure, success, type Outcome } from './outcome.ts';
import { MOST_FILE_BYTES, readRegularFile, tooLong, whyUnreadable } from './regular-file.ts';
import { startStopwatch } from './stopwatch.ts';

/** What stands for standard input where a file is named. */
export const STANDARD_INPUT = '-';

/** @throws ActionableError of kind usage when it cannot be read, is not text, or is too long */
export async function readTextFile(file: string, nextStep: string): Promise<string> {
  const bytes = await readGivenFile(file, nextStep);
  if (!isUtf8(bytes)) throw usageError(`${file} is not text in UTF-8`, 'Save it as UTF-8, or name another file.');
  return bytes.toString('utf8');
}

/** @throws ActionableError of kind usage when it cannot be read, or is too long */
export async function readGivenFile(file: string, nextStep: string): Promise<Buffer> {
  const read = await contentOf(file);
  if (read.ok) return read.value;
  throw unreadableFile(file, read.error, nextStep);
}

/** Standard input, to its end. @throws ActionableError of kind usage when it is too long */
export async function readStandardInput(nextStep: string): Promise<Buffer> {
  const read = await wholeOf(process.stdin);
  if (read.ok) return read.value;
  throw unreadableFile('standard input', read.error, nextStep);
}

function unreadableFile(file: string, reason: string, nextStep: string): ActionableError {
  return usageError(`cannot read ${shownPath(file)}: ${reason}`, nextStep);
}

async function contentOf(file: string): Promise<Outcome<Buffer, string>> {
  try {
    if (!statSync(file).isFIFO()) return readRegularFile(file);
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const first = await firstOf(fd);
    if (!first) return failure('it is a pipe, and nobody writes to it');
    // Waits for the rest as for anything else: a signal is still heard.
    return await wholeOf(new Socket({ fd, readable: true, writable: false }), first);
  } catch (error) {
    return failure(whyUnreadable(error));
  }
}

const PIECE_BYTES = 64 * 1024;
const WRITER_LIMIT_MS = 5_000;
const LOOK_EVERY_MS = 20;

/**
 * What is in a pipe so far: nothing where its writer has yet to begin. A poll of the pipe would not end without one.
 *
 * @returns undefined, and the pipe closed, where no writer has come by the limit
 */
async function firstOf(fd: number): Promise<Buffer | undefined> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (const elapsedMs = startStopwatch(); elapsedMs() < WRITER_LIMIT_MS; await sleep(systemClock, LOOK_EVERY_MS)) {
    const count = readSoFar(fd, piece);
    if (count !== 0) return piece.subarray(0, count ?? 0);
  }
  closeSync(fd);
  return undefined;
}

/** @returns how many bytes; 0 where there is no writer, undefined where there is one who has not written yet */
function readSoFar(fd: number, piece: Buffer): number | undefined {
  try {
    return readSync(fd, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

async function wholeOf(
  stream: AsyncIterable<Buffer>,
  first: Buffer = Buffer.alloc(0),
): Promise<Outcome<Buffer, string>> {
  const pieces: Buffer[] = [first];
  let { length } = first;
  for await (const piece of stream) {
    pieces.push(piece);
    length += piece.length;
    if (length > MOST_FILE_BYTES) return failure(tooLong(MOST_FILE_BYTES));
  }
  return success(Buffer.concat(pieces));
}
