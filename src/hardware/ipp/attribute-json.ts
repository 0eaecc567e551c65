/**
 * IPP attributes as JSON, for printer profiles that hold those of a real printer.
 *
 *   "media-supported": [{ "keyword": ["iso_a4_210x297mm"] }, { "nameWithoutLanguage": ["Our label"] }]
 *
 * A list of runs: values of one type, in their order, under the name of the type. Ranges and resolutions are arrays of
 * numbers, collections objects, bytes hexadecimal where they are not text (`octetString` else `octetStringHex`).
 */

import { usageError } from '../../common/actionable-error.ts';
import { OUT_OF_BAND_TAGS, STRING_TAGS, type IppAttribute, type IppValue } from './attribute.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
/** Type → values of it. */
type Run = Readonly<Record<string, readonly Json[]>>;
export type AttributesJson = Readonly<Record<string, readonly Run[]>>;

export function attributesToJson(attributes: readonly IppAttribute[]): AttributesJson {
  return Object.fromEntries(attributes.map(({ name, values }) => [name, runsOf(values)]));
}

function runsOf(values: readonly IppValue[]): Run[] {
  const runs: { readonly type: string; readonly values: Json[] }[] = [];
  for (const value of values) {
    const [type, json] = typedJson(value);
    const last = runs.at(-1);
    if (last?.type === type) last.values.push(json);
    else runs.push({ type, values: [json] });
  }
  return runs.map((run) => ({ [run.type]: run.values }));
}

function typedJson(value: IppValue): [type: string, json: Json] {
  const { type } = value;
  if (type === 'octetString' || type === 'dateTime') return bytesToJson(type, value.bytes);
  if (type === 'rangeOfInteger') return [type, [value.lower, value.upper]];
  if (type === 'resolution') return [type, [value.x, value.y, value.unit]];
  if (type === 'collection') return [type, attributesToJson(value.members)];
  if (type === 'other') return [type, [value.tag, Buffer.from(value.bytes).toString('hex')]];
  if (type === 'textWithLanguage' || type === 'nameWithLanguage') return [type, [value.language, value.value]];
  return [type, 'value' in value ? value.value : null];
}

function bytesToJson(type: string, bytes: Uint8Array): [type: string, json: Json] {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  const isText = type === 'octetString' && Buffer.from(text, 'utf8').equals(buffer);
  return isText ? [type, text] : [`${type}Hex`, buffer.toString('hex')];
}

/** @throws ActionableError naming the attribute that cannot be read */
export function attributesFromJson(json: AttributesJson): IppAttribute[] {
  return Object.entries(json).map(([name, runs]) => ({ name, values: valuesFrom(name, runs) }));
}

function valuesFrom(name: string, runs: readonly Run[]): IppValue[] {
  return runs.flatMap((run) =>
    Object.entries(run).flatMap(([type, values]) =>
      values.map((json) => {
        const value = READERS[type]?.(json);
        if (value) return value;
        throw usageError(
          `IPP attribute ${name} cannot have the value ${JSON.stringify(json)} of type '${type}'`,
          `Use one of ${Object.keys(READERS).join(', ')}, as \`platen clone\` writes them.`,
        );
      }),
    ),
  );
}

type Reader = (json: Json) => IppValue | undefined;

const isNumbers = (json: Json): json is readonly number[] =>
  Array.isArray(json) && json.every((one) => Number.isInteger(one));
const isStrings = (json: Json): json is readonly string[] =>
  Array.isArray(json) && json.every((one) => typeof one === 'string');
const isRuns = (json: Json): json is AttributesJson =>
  typeof json === 'object' && json !== null && Object.values(json).every((runs) => Array.isArray(runs));
const isHex = (json: Json): json is string => typeof json === 'string' && /^([0-9a-f]{2})*$/.test(json);

const number =
  (type: 'integer' | 'enum'): Reader =>
  (json) =>
    typeof json === 'number' && Number.isInteger(json) ? { type, value: json } : undefined;
const withLanguage =
  (type: 'textWithLanguage' | 'nameWithLanguage'): Reader =>
  (json) => {
    const [language, value] = isStrings(json) ? json : [];
    return language === undefined || value === undefined ? undefined : { type, language, value };
  };
const hex =
  (type: 'octetString' | 'dateTime'): Reader =>
  (json) =>
    isHex(json) ? { type, bytes: Buffer.from(json, 'hex') } : undefined;

function stringReaders(): Record<string, Reader> {
  const types = Object.keys(STRING_TAGS) as (keyof typeof STRING_TAGS)[];
  return Object.fromEntries(
    types.map((type) => [type, (json: Json) => (typeof json === 'string' ? { type, value: json } : undefined)]),
  );
}

function outOfBandReaders(): Record<string, Reader> {
  const types = Object.keys(OUT_OF_BAND_TAGS) as (keyof typeof OUT_OF_BAND_TAGS)[];
  return Object.fromEntries(types.map((type) => [type, (json: Json) => (json === null ? { type } : undefined)]));
}

const READERS: Readonly<Record<string, Reader>> = {
  ...stringReaders(),
  ...outOfBandReaders(),
  integer: number('integer'),
  enum: number('enum'),
  boolean: (json) => (typeof json === 'boolean' ? { type: 'boolean', value: json } : undefined),
  textWithLanguage: withLanguage('textWithLanguage'),
  nameWithLanguage: withLanguage('nameWithLanguage'),
  rangeOfInteger: (json) => {
    const [lower, upper] = isNumbers(json) ? json : [];
    return lower === undefined || upper === undefined ? undefined : { type: 'rangeOfInteger', lower, upper };
  },
  resolution: (json) => {
    const [x, y, unit] = isNumbers(json) ? json : [];
    return x === undefined || y === undefined || unit === undefined ? undefined : { type: 'resolution', x, y, unit };
  },
  collection: (json) => (isRuns(json) ? { type: 'collection', members: attributesFromJson(json) } : undefined),
  octetString: (json) =>
    typeof json === 'string' ? { type: 'octetString', bytes: Buffer.from(json, 'utf8') } : undefined,
  octetStringHex: hex('octetString'),
  dateTimeHex: hex('dateTime'),
  other: (json) => {
    const [tag, bytes] = Array.isArray(json) ? (json as readonly Json[]) : [];
    if (typeof tag !== 'number' || bytes === undefined || !isHex(bytes)) return undefined;
    return { type: 'other', tag, bytes: Buffer.from(bytes, 'hex') };
  },
};
