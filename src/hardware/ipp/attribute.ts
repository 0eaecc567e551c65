/**
 * IPP attributes: a name with one or more typed values (RFC 8010, 3; RFC 8011, 5.1).
 *
 * The types are a closed set, so that a value can only be written the way the wire has it. Makers for the
 * common ones stand below: `keyword('sides-default', 'one-sided')`.
 */

/** Types whose value is a string on the wire, by their value tags. */
export const STRING_TAGS = {
  textWithoutLanguage: 0x41,
  nameWithoutLanguage: 0x42,
  keyword: 0x44,
  uri: 0x45,
  uriScheme: 0x46,
  charset: 0x47,
  naturalLanguage: 0x48,
  mimeMediaType: 0x49,
} as const;

/** Values that say why there is no value (RFC 8010, 3.5.2). */
export const OUT_OF_BAND_TAGS = { unsupported: 0x10, unknown: 0x12, 'no-value': 0x13 } as const;

export type StringType = keyof typeof STRING_TAGS;
export type OutOfBand = keyof typeof OUT_OF_BAND_TAGS;

export type IppValue =
  | { readonly type: 'integer' | 'enum'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: StringType; readonly value: string }
  | {
      readonly type: 'textWithLanguage' | 'nameWithLanguage';
      readonly language: string;
      readonly value: string;
    }
  | { readonly type: 'rangeOfInteger'; readonly lower: number; readonly upper: number }
  /** `unit` 3 is dots an inch, 4 dots a centimetre. */
  | { readonly type: 'resolution'; readonly x: number; readonly y: number; readonly unit: number }
  | { readonly type: 'dateTime' | 'octetString'; readonly bytes: Uint8Array }
  | { readonly type: 'collection'; readonly members: readonly IppAttribute[] }
  | { readonly type: OutOfBand }
  /** A tag that this codec does not know: kept as it came. */
  | { readonly type: 'other'; readonly tag: number; readonly bytes: Uint8Array };

export interface IppAttribute {
  readonly name: string;
  /** At least one. */
  readonly values: readonly IppValue[];
}

export type GroupType = 'operation' | 'job' | 'printer' | 'unsupported' | 'subscription' | 'other';

export interface IppGroup {
  readonly type: GroupType;
  readonly attributes: readonly IppAttribute[];
}

export function integer(name: string, ...values: readonly number[]): IppAttribute {
  return { name, values: values.map((value) => ({ type: 'integer', value })) };
}

export function enumeration(name: string, ...values: readonly number[]): IppAttribute {
  return { name, values: values.map((value) => ({ type: 'enum', value })) };
}

export function boolean(name: string, value: boolean): IppAttribute {
  return { name, values: [{ type: 'boolean', value }] };
}

export function keyword(name: string, ...values: readonly string[]): IppAttribute {
  return strings('keyword', name, values);
}

export function text(name: string, ...values: readonly string[]): IppAttribute {
  return strings('textWithoutLanguage', name, values);
}

export function nameText(name: string, ...values: readonly string[]): IppAttribute {
  return strings('nameWithoutLanguage', name, values);
}

export function uri(name: string, ...values: readonly string[]): IppAttribute {
  return strings('uri', name, values);
}

export function mediaType(name: string, ...values: readonly string[]): IppAttribute {
  return strings('mimeMediaType', name, values);
}

export function strings(type: StringType, name: string, values: readonly string[]): IppAttribute {
  return { name, values: values.map((value) => ({ type, value })) };
}

export function range(name: string, lower: number, upper: number): IppAttribute {
  return { name, values: [{ type: 'rangeOfInteger', lower, upper }] };
}

export function octets(name: string, ...values: readonly string[]): IppAttribute {
  return {
    name,
    values: values.map((value) => ({ type: 'octetString', bytes: Buffer.from(value, 'utf8') })),
  };
}

/** In dots an inch. */
export function resolution(name: string, ...values: readonly (readonly [x: number, y: number])[]): IppAttribute {
  return { name, values: values.map(([x, y]) => ({ type: 'resolution', x, y, unit: DOTS_AN_INCH })) };
}

export const DOTS_AN_INCH = 3;

export function collection(name: string, ...values: readonly (readonly IppAttribute[])[]): IppAttribute {
  return { name, values: values.map((members) => ({ type: 'collection', members })) };
}

export function noValue(name: string): IppAttribute {
  return { name, values: [{ type: 'no-value' }] };
}

/** RFC 2579 DateAndTime in UTC, 11 octets. */
export function dateTime(name: string, ms: number): IppAttribute {
  const date = new Date(ms);
  const bytes = Buffer.alloc(11);
  bytes.writeUInt16BE(date.getUTCFullYear(), 0);
  bytes.set(
    [
      date.getUTCMonth() + 1,
      date.getUTCDate(),
      date.getUTCHours(),
      date.getUTCMinutes(),
      date.getUTCSeconds(),
      Math.floor(date.getUTCMilliseconds() / 100),
      '+'.charCodeAt(0),
    ],
    2,
  );
  return { name, values: [{ type: 'dateTime', bytes }] };
}

/** The first value as a string, of whatever string type it is; undefined when it is not one. */
export function stringOf(attribute: IppAttribute | undefined): string | undefined {
  const value = attribute?.values[0];
  return value && 'value' in value && typeof value.value === 'string' ? value.value : undefined;
}

/** The first value as a number; undefined when it is not one. */
export function numberOf(attribute: IppAttribute | undefined): number | undefined {
  const value = attribute?.values[0];
  return value && 'value' in value && typeof value.value === 'number' ? value.value : undefined;
}

/** Whether the first value is the boolean true. */
export function isTrue(attribute: IppAttribute | undefined): boolean {
  const value = attribute?.values[0];
  return value?.type === 'boolean' && value.value;
}

export function stringsOf(attribute: IppAttribute | undefined): string[] {
  return (attribute?.values ?? []).flatMap((value) =>
    'value' in value && typeof value.value === 'string' ? [value.value] : [],
  );
}

/** The members of the first value; undefined when it is not a collection. */
export function membersOf(attribute: IppAttribute | undefined): readonly IppAttribute[] | undefined {
  const value = attribute?.values[0];
  return value?.type === 'collection' ? value.members : undefined;
}
