/**
 * Hostile inputs for the ports that an operating system prints to: requests that are right, then cut, stretched
 * and changed, and bytes that are nothing at all.
 */

import type { Random } from '../../src/common/random.ts';
import { boolean, integer, keyword, mediaType, nameText, strings, uri } from '../../src/hardware/ipp/attribute.ts';
import { encodeMessage } from '../../src/hardware/ipp/codec.ts';
import { OPERATIONS } from '../../src/hardware/ipp/operations.ts';

export type HostilePort = 'ipp' | 'raw' | 'lpd' | 'snmp' | 'usb';

export const HOSTILE_PORTS: readonly HostilePort[] = ['ipp', 'raw', 'lpd', 'snmp', 'usb'];

const CODES = Object.values(OPERATIONS);

/** The bytes of one input, the same for the same random stream. `printerUri` is that of the printer under attack. */
export function hostileInput(port: HostilePort, printerUri: string, random: Random): Buffer {
  return random.fraction() < 0.1 ? nonsense(random) : damaged(SOUND[port](printerUri, random), random);
}

const SOUND: Readonly<Record<HostilePort, (printerUri: string, random: Random) => Buffer>> = {
  ipp: ippRequest,
  raw: (_, random) =>
    Buffer.from(
      random.pick(['^XA^FDlabel^FS^XZ', '~HS', '\x10\x04\x01', '\x1b@receipt\n\x1dV0', '%PDF-1.7\n']),
      'latin1',
    ),
  lpd: (_, random) =>
    Buffer.from(
      random.pick([
        '\x02desk-laser\n\x0212 cfA001desk\nPada\nJtitle\n\0\x035 dfA001desk\nhello\0',
        '\x03desk-laser\n',
        '\x04desk-laser 1\n',
        '\x05desk-laser ada 1\n',
        '\x02desk-laser\n\x030 dfA001desk\nhello',
      ]),
      'latin1',
    ),
  snmp: () => Buffer.from('302602010104067075626c6963a019020101020100020100300e300c06082b060102010101000500', 'hex'),
  usb: usbSession,
};

function ippRequest(printerUri: string, random: Random): Buffer {
  return encodeMessage({
    version: { major: random.pick([1, 2]), minor: 0 },
    code: random.pick(CODES),
    requestId: 1,
    groups: [
      {
        type: 'operation',
        attributes: [
          strings('charset', 'attributes-charset', ['utf-8']),
          strings('naturalLanguage', 'attributes-natural-language', ['en']),
          uri('printer-uri', printerUri),
          nameText('requesting-user-name', random.hex(4)),
          integer('job-id', random.integer(1, 20)),
          boolean('last-document', true),
          mediaType('document-format', random.pick(['application/octet-stream', 'image/pwg-raster', 'image/jpeg'])),
          keyword('compression', random.pick(['none', 'gzip', 'deflate'])),
        ],
      },
      {
        type: 'job',
        attributes: [integer('copies', random.integer(-1, 1_000)), keyword('sides', random.hex(3))],
      },
    ],
    data: nonsense(random),
  });
}

/** The import of the printer or the scale, and a few transfers. */
function usbSession(_: string, random: Random): Buffer {
  const begin = Buffer.alloc(40);
  begin.writeUInt16BE(0x0111, 0);
  begin.writeUInt16BE(random.pick([0x8003, 0x8003, 0x8003, 0x8005]), 2);
  begin.write(random.pick(['1-1', '1-2']), 8, 'latin1');
  const transfers = Array.from({ length: random.integer(0, 6) }, (_none, index) => {
    const data = nonsense(random);
    const isIn = random.chance(0.5);
    const head = Buffer.alloc(48);
    const words = [random.pick([1, 1, 1, 2]), index + 1, 0x10002, Number(isIn), random.integer(0, 2), 0, data.length];
    for (const [at, word] of words.entries()) head.writeUInt32BE(word, at * 4);
    head.set([random.pick([0x80, 0x81, 0xa1, 0x21, 0x00]), random.integer(0, 12), 0, random.integer(0, 0x22)], 40);
    head.writeUInt16LE(random.pick([0, 18, 255, 65_535]), 46);
    return isIn ? head : Buffer.concat([head, data]);
  });
  return Buffer.concat([begin, ...transfers]);
}

function nonsense(random: Random): Buffer {
  return Buffer.from(random.hex(2 * random.integer(0, 40)), 'hex');
}

/** A few bytes changed, some left out, some doubled; sometimes none. */
function damaged(bytes: Buffer, random: Random): Buffer {
  let out = Buffer.from(bytes);
  for (let count = random.integer(0, 3); count > 0 && out.length > 0; count--) {
    const at = random.integer(0, out.length - 1);
    const kind = random.integer(0, 3);
    if (kind === 0) out[at] = random.integer(0, 255);
    if (kind === 1) out = Buffer.from(out.subarray(0, at));
    if (kind === 2) out = Buffer.concat([out.subarray(0, at), out.subarray(at + random.integer(1, 8))]);
    if (kind === 3) out = Buffer.concat([out.subarray(0, at), nonsense(random), out.subarray(at)]);
  }
  return out;
}
