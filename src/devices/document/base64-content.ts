/**
 * Base64 content: the document of a `_base64` job. Line breaks are taken, as senders make them; anything
 * else outside the standard alphabet, or a length that cannot be, is an error rather than a short document.
 */

import { failure, success, type Outcome } from '../../common/outcome.ts';
import { inSlices, type SlicedWork } from '../../common/sliced-work.ts';

const STRANGE = /[^A-Za-z0-9+/=\s]/;

/** Read in some milliseconds; a multiple of four, so that no byte is in two pieces. */
const PIECE_CHARACTERS = 4 * 1024 * 1024;

/** The bytes, or what is wrong with the text. Missing padding is taken. */
export async function decodeBase64(text: string): Promise<Outcome<Uint8Array, string>> {
  const plain = await inSlices(decodePlain(text));
  return plain ? success(plain) : decodeWithCare(text);
}

/**
 * The bytes of text as most senders make it: without line breaks, with padding. Decoding skips what is not of
 * the alphabet, which then shows in the length; `-`, `_` and characters beyond ASCII may be taken for digits.
 */
function* decodePlain(text: string): SlicedWork<Uint8Array | undefined> {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const bytes = Buffer.allocUnsafe((text.length / 4) * 3 - padding);
  let filled = 0;
  for (let from = 0; from < text.length; from += PIECE_CHARACTERS) {
    if (from > 0) yield;
    const piece = text.slice(from, from + PIECE_CHARACTERS);
    if (piece.includes('-') || piece.includes('_') || Buffer.byteLength(piece) !== piece.length) return undefined;
    filled += bytes.write(piece, filled, 'base64');
  }
  return filled === bytes.length ? bytes : undefined;
}

function decodeWithCare(text: string): Outcome<Uint8Array, string> {
  const strange = STRANGE.exec(text);
  if (strange) return failure(`the content is not base64: ${JSON.stringify(strange[0])} at ${strange.index}`);
  const digits = text.replace(/\s+/g, '');
  const unpadded = digits.replace(/={1,2}$/, '');
  if (unpadded.includes('=')) return failure('the content is not base64: padding in the middle');
  if (unpadded.length % 4 === 1) return failure('the content is not base64: its last character is alone');
  return success(Buffer.from(unpadded, 'base64'));
}
