/**
 * Given file: one that a person names on the command line. It may lie anywhere, and may be a pipe, as of `<(…)`, which
 * is read without holding the process up.
 */

import { isUtf8 } from 'node:buffer';
import { constants, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';

import { usageError, type ActionableError } from './actionable-error.ts';
import { failure, success, type Outcome } from './outcome.ts';
import { MOST_FILE_BYTES, readRegularFile, tooLong, whyUnreadable } from './regular-file.ts';

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
  return usageError(`cannot read ${file}: ${reason}`, nextStep);
}

async function contentOf(file: string): Promise<Outcome<Buffer, string>> {
  try {
    if (!statSync(file).isFIFO()) return readRegularFile(file);
    // Waits for a writer as for anything else: a signal is still heard.
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    return await wholeOf(new Socket({ fd, readable: true, writable: false }));
  } catch (error) {
    return failure(whyUnreadable(error));
  }
}

async function wholeOf(stream: AsyncIterable<Buffer>): Promise<Outcome<Buffer, string>> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    length += piece.length;
    if (length > MOST_FILE_BYTES) return failure(tooLong(MOST_FILE_BYTES));
  }
  return success(Buffer.concat(pieces));
}
