/**
 * Documents behind passwords: 40-bit RC4, security handler revision 2, as old documents still use it.
 * Source: PDF 1.7, algorithms 1 to 4.
 */

import { createHash } from 'node:crypto';

export interface Encryption {
  readonly owner: Buffer;
  readonly user: Buffer;
  /** The entry `ID` of the trailer. */
  readonly id: string;
  /** Bytes of a stream or string in the object of this number, encrypted. */
  readonly of: (object: number, bytes: string) => Buffer;
}

export const PERMISSIONS = -4;

/** The 32 bytes that fill a password up. */
const PASSWORD_FILL = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

export function encryption(userPassword: string, ownerPassword: string): Encryption {
  const id = md5(Buffer.from('platen encrypted fixture'));
  const secret = filled(userPassword);
  const owner = rc4(md5(filled(ownerPassword)).subarray(0, 5), secret);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const key = md5(secret, owner, permissions, id).subarray(0, 5);
  const hex = id.toString('hex');
  return {
    owner,
    user: rc4(key, PASSWORD_FILL),
    id: `[<${hex}> <${hex}>]`,
    of: (object, bytes) => rc4(md5(key, Buffer.from([object, 0, 0, 0, 0])).subarray(0, 10), Buffer.from(bytes)),
  };
}

function filled(password: string): Buffer {
  return Buffer.concat([Buffer.from(password), PASSWORD_FILL]).subarray(0, 32);
}

function md5(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** OpenSSL no longer offers RC4, and old documents still use it. */
function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number): void => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let i = 0;
  let j = 0;
  return Buffer.from(data).map((byte) => {
    i = (i + 1) & 255;
    j = (j + (state[i] ?? 0)) & 255;
    swap(i, j);
    return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0);
  }) as Buffer;
}
