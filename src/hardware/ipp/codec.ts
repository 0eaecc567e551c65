/**
 * IPP codec: messages to bytes and back (RFC 8010, 3).
 *
 *   version code request-id │ group attribute attribute … │ group … │ end │ document
 *    2      2    4            tag   tag name value           tag      0x03   bytes
 *
 * A further value of an attribute is an attribute without a name. A collection is a value that opens, has
 * members (a name as a value of its own, then values without a name) and closes; it may hold collections.
 *
 * What comes in is hostile: lengths are checked before anything is read, nesting and numbers are limited,
 * and each fault names the byte where it was found.
 */

import {
  OUT_OF_BAND_TAGS,
  STRING_TAGS,
  type GroupType,
  type IppAttribute,
  type IppGroup,
  type IppValue,
  type OutOfBand,
  type StringType,
} from './attribute.ts';

export interface IppMessage {
  readonly version: { readonly major: number; readonly minor: number };
  /** The operation of a request, the status of a response. */
  readonly code: number;
  readonly requestId: number;
  readonly groups: readonly IppGroup[];
  /** What follows the attributes: the document of a request that sends one. */
  readonly data: Uint8Array;
}

/** The bytes are not an IPP message; the message says what is wrong and at which byte. */
export class IppFormatError extends Error {
  override readonly name = 'IppFormatError';
}

const TAG = {
  endOfAttributes: 0x03,
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  octetString: 0x30,
  dateTime: 0x31,
  resolution: 0x32,
  rangeOfInteger: 0x33,
  beginCollection: 0x34,
  textWithLanguage: 0x35,
  nameWithLanguage: 0x36,
  endCollection: 0x37,
  memberName: 0x4a,
} as const;

const VALUE_TAGS = { ...TAG, ...STRING_TAGS, ...OUT_OF_BAND_TAGS };

const GROUP_TAGS: Readonly<Record<Exclude<GroupType, 'other'>, number>> = {
  operation: 0x01,
  job: 0x02,
  printer: 0x04,
  unsupported: 0x05,
  subscription: 0x06,
};

/** Tags below are delimiters, those from here on are values. */
const FIRST_VALUE_TAG = 0x10;
const HEADER_BYTES = 8;

const GROUP_OF = new Map<number, GroupType>(Object.entries(GROUP_TAGS).map(([type, tag]) => [tag, type as GroupType]));
const STRING_TYPE_OF = new Map<number, StringType>(
  Object.entries(STRING_TAGS).map(([type, tag]) => [tag, type as StringType]),
);
const OUT_OF_BAND_OF = new Map<number, OutOfBand>(
  Object.entries(OUT_OF_BAND_TAGS).map(([type, tag]) => [tag, type as OutOfBand]),
);

/** Far more than any client sends. */
const MOST_VALUES = 20_000;
const DEEPEST_COLLECTION = 16;

/** @throws IppFormatError when the bytes are not a message */
export function decodeMessage(bytes: Uint8Array): IppMessage {
  return new Decoder(bytes).message();
}

class Decoder {
  readonly #bytes: Buffer;
  #at = 0;
  #valuesLeft = MOST_VALUES;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  message(): IppMessage {
    this.#need(HEADER_BYTES, 'the header');
    const [major, minor] = [this.#byte(), this.#byte()];
    const code = this.#short();
    const requestId = this.#bytes.readInt32BE(this.#at);
    this.#at += 4;
    const groups = this.#groups();
    return { version: { major, minor }, code, requestId, groups, data: this.#bytes.subarray(this.#at) };
  }

  #groups(): IppGroup[] {
    const groups: IppGroup[] = [];
    for (;;) {
      const tag = this.#byte('a group or the end of the attributes');
      if (tag === TAG.endOfAttributes) return groups;
      if (tag >= FIRST_VALUE_TAG) throw this.#fault(`a value (tag ${hex(tag)}) before any group`);
      groups.push({ type: GROUP_OF.get(tag) ?? 'other', attributes: this.#attributes() });
    }
  }

  #attributes(): IppAttribute[] {
    const attributes: { readonly name: string; readonly values: IppValue[] }[] = [];
    while (this.#peek() >= FIRST_VALUE_TAG) {
      const tag = this.#byte();
      const name = this.#string(this.#short(), 'the name of an attribute');
      const value = this.#value(tag, 0);
      const last = attributes.at(-1);
      if (name !== '') attributes.push({ name, values: [value] });
      else if (last) last.values.push(value);
      else throw this.#fault('a further value of no attribute');
    }
    return attributes;
  }

  #value(tag: number, depth: number): IppValue {
    if (--this.#valuesLeft < 0) throw this.#fault(`more than ${MOST_VALUES} values`);
    const length = this.#short();
    const bytes = this.#take(length, `a value of tag ${hex(tag)}`);
    if (tag === TAG.beginCollection) return { type: 'collection', members: this.#members(depth + 1) };
    const stringType = STRING_TYPE_OF.get(tag);
    if (stringType) return { type: stringType, value: bytes.toString('utf8') };
    const outOfBand = OUT_OF_BAND_OF.get(tag);
    if (outOfBand) return { type: outOfBand };
    return this.#plainValue(tag, bytes);
  }

  #plainValue(tag: number, bytes: Buffer): IppValue {
    switch (tag) {
      case TAG.integer:
      case TAG.enum:
        this.#mustMeasure(bytes, 4, tag);
        return { type: tag === TAG.integer ? 'integer' : 'enum', value: bytes.readInt32BE(0) };
      case TAG.boolean:
        this.#mustMeasure(bytes, 1, tag);
        return { type: 'boolean', value: bytes[0] !== 0 };
      case TAG.rangeOfInteger:
        this.#mustMeasure(bytes, 8, tag);
        return { type: 'rangeOfInteger', lower: bytes.readInt32BE(0), upper: bytes.readInt32BE(4) };
      case TAG.resolution:
        this.#mustMeasure(bytes, 9, tag);
        return {
          type: 'resolution',
          x: bytes.readInt32BE(0),
          y: bytes.readInt32BE(4),
          unit: bytes.readInt8(8),
        };
      case TAG.dateTime:
        this.#mustMeasure(bytes, 11, tag);
        return { type: 'dateTime', bytes: Uint8Array.from(bytes) };
      case TAG.octetString:
        return { type: 'octetString', bytes: Uint8Array.from(bytes) };
      case TAG.textWithLanguage:
      case TAG.nameWithLanguage:
        return this.#withLanguage(tag, bytes);
      default:
        return { type: 'other', tag, bytes: Uint8Array.from(bytes) };
    }
  }

  /** A length and a language, a length and the text. */
  #withLanguage(tag: number, bytes: Buffer): IppValue {
    const type = tag === TAG.textWithLanguage ? 'textWithLanguage' : 'nameWithLanguage';
    const languageEnd = bytes.length < 4 ? Infinity : 2 + bytes.readUInt16BE(0);
    if (languageEnd + 2 > bytes.length || languageEnd + 2 + bytes.readUInt16BE(languageEnd) > bytes.length) {
      throw this.#fault(`a ${type} whose parts do not fit in it`);
    }
    const textStart = languageEnd + 2;
    return {
      type,
      language: bytes.toString('utf8', 2, languageEnd),
      value: bytes.toString('utf8', textStart, textStart + bytes.readUInt16BE(languageEnd)),
    };
  }

  #members(depth: number): IppAttribute[] {
    if (depth > DEEPEST_COLLECTION) throw this.#fault(`collections nested more than ${DEEPEST_COLLECTION} deep`);
    const members: { readonly name: string; readonly values: IppValue[] }[] = [];
    for (;;) {
      const tag = this.#byte('a member of a collection');
      this.#take(this.#short(), 'the name of a member, which must be empty');
      if (tag === TAG.endCollection) {
        this.#take(this.#short(), 'the end of a collection');
        return members.filter(({ values }) => values.length > 0);
      }
      if (tag === TAG.memberName) {
        members.push({ name: this.#string(this.#short(), 'the name of a member'), values: [] });
        continue;
      }
      const last = members.at(-1);
      if (!last || tag < FIRST_VALUE_TAG) throw this.#fault(`a member value (tag ${hex(tag)}) without a name`);
      last.values.push(this.#value(tag, depth));
    }
  }

  #mustMeasure(bytes: Buffer, length: number, tag: number): void {
    if (bytes.length !== length) {
      throw this.#fault(`a value of tag ${hex(tag)} with ${bytes.length} bytes in place of ${length}`);
    }
  }

  #peek(): number {
    return this.#bytes[this.#at] ?? 0;
  }

  #byte(what = 'a byte'): number {
    this.#need(1, what);
    return this.#bytes.readUInt8(this.#at++);
  }

  #short(): number {
    this.#need(2, 'a length');
    this.#at += 2;
    return this.#bytes.readUInt16BE(this.#at - 2);
  }

  #string(length: number, what: string): string {
    return this.#take(length, what).toString('utf8');
  }

  #take(length: number, what: string): Buffer {
    this.#need(length, what);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #need(length: number, what: string): void {
    if (this.#at + length > this.#bytes.length) throw this.#fault(`the message ends before ${what}`);
  }

  #fault(what: string): IppFormatError {
    return new IppFormatError(`${what}, at byte ${this.#at}`);
  }
}

export function encodeMessage({ version, code, requestId, groups, data }: IppMessage): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(version.major, 0);
  header.writeUInt8(version.minor, 1);
  header.writeUInt16BE(code, 2);
  header.writeInt32BE(requestId, 4);
  const chunks: Uint8Array[] = [header];
  for (const { type, attributes } of groups) {
    chunks.push(Buffer.of(type === 'other' ? GROUP_TAGS.unsupported : GROUP_TAGS[type]));
    for (const attribute of attributes) encodeAttribute(attribute, chunks);
  }
  chunks.push(Buffer.of(TAG.endOfAttributes), data);
  return Buffer.concat(chunks);
}

function encodeAttribute({ name, values }: IppAttribute, chunks: Uint8Array[]): void {
  for (const [index, value] of values.entries()) encodeValue(index === 0 ? name : '', value, chunks);
}

function encodeValue(name: string, value: IppValue, chunks: Uint8Array[]): void {
  const tag = tagOf(value);
  chunks.push(Buffer.of(tag), sized(utf8(name)), sized(bytesOf(value)));
  if (value.type !== 'collection') return;
  for (const member of value.members) {
    chunks.push(Buffer.of(TAG.memberName, 0, 0), sized(utf8(member.name)));
    for (const one of member.values) encodeValue('', one, chunks);
  }
  chunks.push(Buffer.of(TAG.endCollection, 0, 0, 0, 0));
}

function tagOf(value: IppValue): number {
  if (value.type === 'other') return value.tag;
  if (value.type === 'collection') return TAG.beginCollection;
  return VALUE_TAGS[value.type];
}

function bytesOf(value: IppValue): Uint8Array {
  if ('bytes' in value) return value.bytes;
  if ('language' in value) return Buffer.concat([utf8(value.language), utf8(value.value)].map(sized));
  if (value.type === 'rangeOfInteger') return int32(value.lower, value.upper);
  if (value.type === 'resolution') return Buffer.concat([int32(value.x, value.y), Buffer.of(value.unit)]);
  // The members of a collection follow its value; out-of-band values have no bytes.
  if (!('value' in value)) return Buffer.alloc(0);
  if (typeof value.value === 'boolean') return Buffer.of(value.value ? 1 : 0);
  return typeof value.value === 'number' ? int32(value.value) : utf8(value.value);
}

function utf8(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}

function int32(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number, 4 * index);
  return bytes;
}

/** Bytes with their length before them. */
function sized(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function hex(tag: number): string {
  return `0x${tag.toString(16).padStart(2, '0')}`;
}
