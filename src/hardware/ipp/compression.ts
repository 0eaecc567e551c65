/** Compression of IPP documents: `none`, `deflate` (raw, RFC 1951) and `gzip` (RFC 1952). */

import { promisify } from 'node:util';
import { gunzip, inflateRaw } from 'node:zlib';

import type { StatusName } from './operations.ts';

/** A document that the printer refuses, with the status that says so. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault';
  readonly status: StatusName;

  constructor(status: StatusName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** A small request may not become a large document. */
const MOST_BYTES = 256 * 1024 * 1024;

const INFLATE: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  deflate: (bytes) => promisify(inflateRaw)(bytes, { maxOutputLength: MOST_BYTES }),
  gzip: (bytes) => promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES }),
};

/** @throws DocumentFault when the bytes are not compressed so, or become too many */
export async function uncompressed(bytes: Uint8Array, compression: string): Promise<Uint8Array> {
  try {
    return (await INFLATE[compression]?.(bytes)) ?? bytes;
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw new DocumentFault(
      isTooLarge ? 'client-error-request-entity-too-large' : 'client-error-compression-error',
      isTooLarge ? `the document is larger than ${MOST_BYTES} bytes` : `the document is not ${compression}`,
      { cause: error },
    );
  }
}
