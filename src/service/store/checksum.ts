/**
 * Checksum of a document, stored with it as it is accepted: where a disk gives back other bytes, they are not printed.
 * It is fast, and against accidents: who can change the file can change the checksum, too.
 */

import { crc32 } from 'node:zlib';

export function checksumOf(content: string): number {
  return crc32(content);
}
