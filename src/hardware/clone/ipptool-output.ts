/**
 * Output of `ipptool -tv URI get-printer-attributes.test`: what a printer says of itself, as a file that its owner can
 * send.
 *
 *   sides-supported (1setOf keyword) = one-sided,two-sided-long-edge
 *   media-col-ready (collection) = {media-size={x-dimension=21000 y-dimension=29700} media-source=tray-1}
 *
 * The types of members are not in it: they follow from how their values look. A text with a comma and no blank after it
 * looks like two.
 */

import { usageError } from '../../common/actionable-error.ts';
import { OUT_OF_BAND_TAGS, STRING_TAGS, type IppAttribute, type IppValue } from '../ipp/attribute.ts';
import { PRINTER_STATES } from '../ipp/operations.ts';
import { ENUM_NAMES } from './enum-names.ts';

/** Attributes of the answer itself, not of the printer. */
const OF_ANSWER = /^(attributes-(charset|natural-language)|status-(code|message))$/;
const LINE = /^ +([a-z][\w.-]*) \((1setOf )?([\w-]+)\) = ?(.*)$/gm;

/** @param source - where the text comes from, for people. @throws ActionableError without attributes of a printer */
export function attributesFromIpptool(output: string, source: string): IppAttribute[] {
  // What was asked stands before what was received.
  const received = output.slice(Math.max(0, output.search(/^ +RECEIVED: /m)));
  const found = new Map<string, IppAttribute>();
  for (const [, name = '', set, type = '', text = ''] of received.matchAll(LINE)) {
    if (OF_ANSWER.test(name) || found.has(name)) continue;
    const parts = set === undefined ? [text] : partsOf(text, type);
    const values = parts.flatMap((part) => valueFrom(name, type, part) ?? []);
    if (values.length > 0) found.set(name, { name, values });
  }
  if (found.has('printer-state')) return [...found.values()];
  throw usageError(
    `${source} has no attributes of a printer`,
    'Name the output of `ipptool -tv URI get-printer-attributes.test`, or a PPD file that ends in .ppd.',
  );
}

/** Where the values of a set part; within braces only members do. */
const SEPARATORS: Readonly<Record<string, RegExp>> = {
  octetString: /,(?=[\w-]+=)/,
  textWithoutLanguage: /,(?! )/,
  nameWithoutLanguage: /,(?! )/,
};

function partsOf(text: string, type: string): readonly string[] {
  return type === 'collection' ? outside(text, /,/g) : text.split(SEPARATORS[type] ?? ',');
}

/** The parts of a text between what matches outside of braces. */
function outside(text: string, separator: RegExp): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { index, 0: found } of text.matchAll(separator)) {
    const before = text.slice(start, index);
    if (before.split('{').length !== before.split('}').length) continue;
    parts.push(before);
    start = index + found.length;
  }
  return [...parts, text.slice(start)];
}

function valueFrom(name: string, type: string, text: string): IppValue | undefined {
  if (type in STRING_TAGS) return { type: type as keyof typeof STRING_TAGS, value: text };
  if (type in OUT_OF_BAND_TAGS) return { type: type as keyof typeof OUT_OF_BAND_TAGS };
  return READERS[type]?.(text, name);
}

type Reader = (text: string, name: string) => IppValue | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  integer: (text) => ({ type: 'integer', value: Number(text) }),
  enum: enumFrom,
  boolean: (text) => ({ type: 'boolean', value: text === 'true' }),
  rangeOfInteger: rangeFrom,
  resolution: resolutionFrom,
  // One that is not closed was too long for ipptool.
  collection: (text) => (text.endsWith('}') ? { type: 'collection', members: membersFrom(text) } : undefined),
  octetString: (text) => ({ type: 'octetString', bytes: Buffer.from(unescaped(text), 'latin1') }),
  textWithLanguage: (text) => withLanguage('textWithLanguage', text),
  nameWithLanguage: (text) => withLanguage('nameWithLanguage', text),
};

function enumFrom(text: string, name: string): IppValue | undefined {
  const names: Readonly<Record<string, number>> | undefined =
    name === 'printer-state' ? PRINTER_STATES : ENUM_NAMES[name.replace(/-(default|ready|supported)$/, '')];
  const value = names?.[text] ?? Number(text);
  // A vendor's name without a number is of no use to a client.
  return Number.isNaN(value) ? undefined : { type: 'enum', value };
}

function rangeFrom(text: string): IppValue | undefined {
  const [, lower, upper] = /^(-?\d+)-(-?\d+)$/.exec(text) ?? [];
  return upper === undefined ? undefined : { type: 'rangeOfInteger', lower: Number(lower), upper: Number(upper) };
}

function resolutionFrom(text: string): IppValue | undefined {
  const [, x, y = x, unit] = /^(\d+)(?:x(\d+))?dp(i|cm)$/.exec(text) ?? [];
  return unit === undefined
    ? undefined
    : { type: 'resolution', x: Number(x), y: Number(y), unit: unit === 'i' ? 3 : 4 };
}

function withLanguage(type: 'textWithLanguage' | 'nameWithLanguage', text: string): IppValue | undefined {
  const [, value, language] = /^(.*)\[([\w-]+)\]$/.exec(text) ?? [];
  return value === undefined || language === undefined ? undefined : { type, language, value };
}

/** `\ ` for a blank, `\012` for a byte. */
function unescaped(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replaceAll(/\\(\d{3}|.)/g, (_whole, sign: string) =>
      sign.length === 3 ? String.fromCodePoint(Number.parseInt(sign, 8)) : sign,
    );
}

/** `{a=1 b={c=x d=2-3}}` */
function membersFrom(text: string): readonly IppAttribute[] {
  return outside(text.slice(1, -1), / (?=[a-z][\w.-]*=)/g).flatMap((member) => {
    const at = member.indexOf('=');
    const name = member.slice(0, at);
    const values = outside(member.slice(at + 1), /,(?! )/g).map((part) => memberFrom(name, part));
    return at > 0 ? [{ name, values }] : [];
  });
}

function memberFrom(name: string, text: string): IppValue {
  if (text.startsWith('{')) return { type: 'collection', members: membersFrom(text) };
  if (/^-?\d+$/.test(text)) return { type: 'integer', value: Number(text) };
  if (text === 'true' || text === 'false') return { type: 'boolean', value: text === 'true' };
  const known = rangeFrom(text) ?? resolutionFrom(text);
  if (known) return known;
  if (name.endsWith('orientation')) return enumFrom(text, 'orientation-requested') ?? { type: 'keyword', value: text };
  return { type: /[^\w.-]/.test(text) ? 'nameWithoutLanguage' : 'keyword', value: text };
}
