/**
 * PNG writer for opaque pictures: 8-bit RGB, no filters, one IDAT.
 * Source: PNG specification (third edition), chunks IHDR, IDAT, IEND.
 */

import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const RGB = 2;

/** Encodes `width` × `height` pixels given as RGBA bytes; transparency is dropped. */
export function encodePng(width: number, height: number, rgba: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, RGB, 0, 0, 0], 8);
  const pixels = deflateSync(scanlines(width, height, rgba), { level: 6 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each line begins with its filter type, 0 for none. */
function scanlines(width: number, height: number, rgba: Uint8Array): Uint8Array {
  const lines = new Uint8Array(height * (1 + width * 3));
  let to = 0;
  let from = 0;
  for (let y = 0; y < height; y++) {
    to++;
    for (let x = 0; x < width; x++, from += 4) {
      lines[to++] = rgba[from] ?? 0;
      lines[to++] = rgba[from + 1] ?? 0;
      lines[to++] = rgba[from + 2] ?? 0;
    }
  }
  return lines;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
