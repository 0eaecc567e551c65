/**
 * Long list: an array of records that would take too long, and too much memory, in one piece.
 *
 *   records ─► length and MD5, slice by slice ─► headers ─► chunk after chunk, as fast as the caller reads
 *
 * The text is made twice, and never held as a whole: of a thousand jobs for one printer, the printer is there once.
 */

import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { nextTurn, type SlicedWork } from '../../common/sliced-work.ts';
import type { JsonRecord } from '../gate/request-context.ts';

/** Hashed, or sent, in about a millisecond. */
const CHUNK_CHARACTERS = 256 * 1024;

export interface LongList {
  readonly bytes: number;
  /** Base64 */
  readonly md5: string;
  /** The first chunk of its text. */
  readonly beginning: string;
  readonly chunks: () => Iterable<string>;
}

export function* prepareList(records: readonly JsonRecord[], isPretty: boolean): SlicedWork<LongList> {
  const chunks = (): Iterable<string> => chunksOf(isPretty ? prettyTexts(records) : plainTexts(records));
  const hash = createHash('md5');
  let bytes = 0;
  let beginning: string | undefined;
  for (const chunk of chunks()) {
    beginning ??= chunk;
    const encoded = Buffer.from(chunk);
    bytes += encoded.length;
    hash.update(encoded);
    yield;
  }
  return { bytes, md5: hash.digest('base64'), beginning: beginning ?? '', chunks };
}

/** Sends the body of a response whose headers are written. A caller who leaves gets no more of it. */
export function sendList(response: ServerResponse, { chunks }: LongList): void {
  pipeline(Readable.from(paced(chunks())), response).catch(() => response.destroy());
}

/** A caller who reads fast would keep a stream from pausing. */
async function* paced(chunks: Iterable<string>): AsyncIterable<string> {
  for (const chunk of chunks) {
    yield chunk;
    await nextTurn();
  }
}

function* plainTexts(records: readonly JsonRecord[]): Iterable<string> {
  for (const [index, record] of records.entries()) {
    yield index === 0 ? '[' : ',';
    yield* record;
  }
  yield ']';
}

/** As JSON.stringify indents the whole array. */
function* prettyTexts(records: readonly JsonRecord[]): Iterable<string> {
  for (const [index, record] of records.entries()) {
    yield index === 0 ? '[\n' : ',\n';
    yield JSON.stringify([JSON.parse(record.join(''))], null, 2).slice('[\n'.length, -'\n]'.length);
  }
  yield '\n]';
}

function* chunksOf(texts: Iterable<string>): Iterable<string> {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
