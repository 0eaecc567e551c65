/**
 * Job options: what an IPP job asks for (RFC 8011, 5.2), held against what the printer supports, as the
 * settings that the press prints with.
 *
 *   attribute ─► one reader each ─► a setting │ recorded, without effect │ unsupported
 *
 * What is unsupported fails the job only where the client asks for fidelity; otherwise the printer's default
 * stands in for it, and the answer names it.
 */

import { settingsFrom } from '../../devices/printer/print-options.ts';
import { paperNamed } from '../../devices/printer/paper.ts';
import type { PrintSettings } from '../../devices/press/print-settings.ts';
import type { PrinterProfile } from '../../devices/printer/printer-profile.ts';
import { NUP_GRIDS } from '../../devices/press/side-layout.ts';
import type { JobOptions } from '../hardware-printer.ts';
import { membersOf, numberOf, stringOf, DOTS_AN_INCH, type IppAttribute, type IppValue } from './attribute.ts';
import { customPaper, sizeIn, type Keyword, type Medium } from './media.ts';
import { profileAttributes, type ProfileAttributes } from './printer-attributes.ts';

export interface IppJobOptions extends JobOptions {
  /** What the printer does not support, as the client sent it. */
  readonly unsupported: readonly IppAttribute[];
}

type Settings = Partial<PrintSettings>;

/** Undefined: the printer does not support the value. */
type Reader = (attribute: IppAttribute, printer: Readable) => Settings | undefined;

interface Readable {
  readonly profile: PrinterProfile;
  readonly attributes: ProfileAttributes;
}

/** Degrees clockwise for portrait, landscape, reverse landscape and reverse portrait. */
const ROTATIONS = new Map([
  [3, null],
  [4, 90],
  [5, 270],
  [6, 180],
] as const);

const NO_EFFECT: Settings = {};

const READERS: Readonly<Record<string, Reader>> = {
  copies: readCopies,
  sides: readSides,
  media: readMedia,
  'media-col': readMediaCollection,
  'page-ranges': readPageRanges,
  'number-up': readNumberUp,
  'orientation-requested': readOrientation,
  'print-color-mode': readColorMode,
  'print-scaling': readScaling,
  'printer-resolution': readResolution,
  'multiple-document-handling': readHandling,
  'print-quality': oneOf('print-quality-supported'),
  'output-bin': oneOf('output-bin-supported'),
  finishings: oneOf('finishings-supported'),
  'print-content-optimize': oneOf('print-content-optimize-supported'),
  'print-rendering-intent': oneOf('print-rendering-intent-supported'),
};

/** Job attributes that say nothing about paper. */
const PASSED_OVER = ['job-sheets', 'job-priority', 'job-hold-until', 'overrides'];

export function readJobOptions(asked: readonly IppAttribute[], profile: PrinterProfile): IppJobOptions {
  const printer = { profile, attributes: profileAttributes(profile) };
  const unsupported: IppAttribute[] = [];
  const ignored: Record<string, string> = {};
  const applied: Record<string, unknown> = {};
  const settings: Settings[] = [];

  for (const attribute of asked) {
    const { name } = attribute;
    const read = READERS[name]?.(attribute, printer) ?? (PASSED_OVER.includes(name) ? NO_EFFECT : undefined);
    if (read === undefined) {
      unsupported.push(attribute);
      ignored[name] = 'the printer does not support it';
      continue;
    }
    settings.push(read);
    if (Object.keys(read).length > 0) applied[name] = plainValues(attribute);
    else ignored[name] = 'it has no effect on the sheets';
  }
  return {
    settings: Object.assign(settingsFrom({}, profile), ...settings),
    record: { asked: plainAttributes(asked), applied, ignored },
    unsupported,
  };
}

/** Why no printer may take these options together (RFC 8011, 5.2.7; PWG 5100.7, 6.3); undefined where one may. */
export function contradictionIn(asked: readonly IppAttribute[]): string | undefined {
  const names = asked.map(({ name }) => name);
  if (names.includes('media') && names.includes('media-col')) return 'media and media-col exclude each other';
  const ranges = asked.find(({ name }) => name === 'page-ranges')?.values ?? [];
  let last = 0;
  for (const range of ranges) {
    if (range.type !== 'rangeOfInteger') continue;
    if (range.lower <= last || range.upper < range.lower) return 'page-ranges must ascend and not overlap';
    last = range.upper;
  }
  return undefined;
}

function readCopies(attribute: IppAttribute, { profile }: Readable): Settings | undefined {
  const copies = numberOf(attribute);
  const most = Math.max(1, profile.capabilities?.copies ?? Infinity);
  return copies === undefined || copies < 1 || copies > most ? undefined : { copies };
}

function readSides(attribute: IppAttribute, { profile }: Readable): Settings | undefined {
  const sides = stringOf(attribute);
  if (sides === 'one-sided') return { duplex: 'one-sided' };
  if (profile.capabilities?.duplex !== true) return undefined;
  if (sides === 'two-sided-long-edge') return { duplex: 'long-edge' };
  return sides === 'two-sided-short-edge' ? { duplex: 'short-edge' } : undefined;
}

function readMedia(attribute: IppAttribute, printer: Readable): Settings | undefined {
  const name = stringOf(attribute);
  const { media } = printer.attributes;
  const medium = media.media.find((one) => one.name === name);
  if (medium) return paperSetting(medium, printer);
  const source = media.sources.find(({ keyword }) => keyword === name);
  if (source) return { tray: source.name };
  const paper = name?.startsWith('custom_') ? customPaper(media, sizeIn(name), name) : undefined;
  return paper && { paper };
}

function readMediaCollection(attribute: IppAttribute, printer: Readable): Settings | undefined {
  const members = membersOf(attribute);
  if (!members) return undefined;
  const member = (name: string): IppAttribute | undefined => members.find((one) => one.name === name);
  const { sources, types, defaultSource, defaultType } = printer.attributes.media;
  const paper = paperOf(member, printer);
  const tray = named(member('media-source'), sources, defaultSource);
  const media = named(member('media-type'), types, defaultType);
  if (paper === undefined || tray === undefined || media === undefined) return undefined;
  return { ...paper, ...(tray && { tray }), ...(media && { media }) };
}

/** By its name or by its size; nothing where the collection says neither. */
function paperOf(member: (name: string) => IppAttribute | undefined, printer: Readable): Settings | undefined {
  const { media } = printer.attributes;
  const name = stringOf(member('media-size-name'));
  const size = membersOf(member('media-size'));
  if (name === undefined && size === undefined) return NO_EFFECT;
  const x = numberOf(size?.find((one) => one.name === 'x-dimension'));
  const y = numberOf(size?.find((one) => one.name === 'y-dimension'));
  const medium = media.media.find((one) => (name === undefined ? isSize(one, x, y) : one.name === name));
  if (medium) return paperSetting(medium, printer);
  const paper = customPaper(media, x && y ? { width: x, height: y } : sizeIn(name ?? ''), name);
  return paper && { paper };
}

/** Clients convert between inches and millimetres. */
const TOLERANCE = 100;

function isSize({ width, height }: Medium, x = NaN, y = NaN): boolean {
  return Math.abs(width - x) <= TOLERANCE && Math.abs(height - y) <= TOLERANCE;
}

function paperSetting({ paper }: Medium, { profile }: Readable): Settings {
  const sheet = paper === null ? undefined : paperNamed(paper, profile.capabilities);
  return sheet ? { paper: sheet } : NO_EFFECT;
}

/** The profile's name for a keyword; null where nothing is asked, undefined where it is not known. */
function named(
  attribute: IppAttribute | undefined,
  known: readonly Keyword[],
  usual: string,
): string | null | undefined {
  const asked = stringOf(attribute);
  if (asked === undefined) return null;
  return known.find(({ keyword }) => keyword === asked)?.name ?? (asked === usual ? null : undefined);
}

function readPageRanges({ values }: IppAttribute): Settings | undefined {
  const ranges = values.map((value) =>
    value.type === 'rangeOfInteger' && value.lower >= 1 && value.lower <= value.upper
      ? `${value.lower}-${value.upper}`
      : undefined,
  );
  return ranges.includes(undefined) ? undefined : { pages: ranges.join(',') };
}

function readNumberUp(attribute: IppAttribute, { profile }: Readable): Settings | undefined {
  const nup = numberOf(attribute);
  if (nup === 1) return { nup };
  const isSupported = nup !== undefined && profile.capabilities?.nup?.includes(nup) && NUP_GRIDS.has(nup);
  return isSupported ? { nup } : undefined;
}

function readOrientation(attribute: IppAttribute): Settings | undefined {
  const rotate = ROTATIONS.get((numberOf(attribute) ?? 0) as 3);
  if (rotate === undefined) return undefined;
  return rotate === null ? NO_EFFECT : { rotate };
}

function readColorMode(attribute: IppAttribute, { profile }: Readable): Settings | undefined {
  const mode = stringOf(attribute);
  if (mode === 'monochrome') return { gray: true };
  if (profile.capabilities?.color !== true) return undefined;
  return mode === 'color' || mode === 'auto' ? { gray: false } : undefined;
}

function readScaling(attribute: IppAttribute): Settings | undefined {
  const scaling = stringOf(attribute);
  if (scaling === 'fit' || scaling === 'auto-fit') return { fitToPage: true };
  return scaling === 'none' || scaling === 'auto' ? { fitToPage: false } : undefined;
}

function readResolution({ values: [value] }: IppAttribute, { attributes }: Readable): Settings | undefined {
  if (value?.type !== 'resolution' || value.unit !== DOTS_AN_INCH) return undefined;
  const supported = attributes.template.find(({ name }) => name === 'printer-resolution-supported');
  const isSupported = supported?.values.some((one) => isSame(one, value));
  return isSupported ? { dpi: `${value.x}x${value.y}` } : undefined;
}

function readHandling(attribute: IppAttribute): Settings | undefined {
  const handling = stringOf(attribute);
  if (handling === 'separate-documents-collated-copies') return { collate: true };
  return handling === 'separate-documents-uncollated-copies' ? { collate: false } : undefined;
}

/** An attribute without an effect on sheets, whose values the printer lists. */
function oneOf(supportedName: string): Reader {
  return ({ values }, { attributes }) => {
    const supported = attributes.template.find(({ name }) => name === supportedName)?.values ?? [];
    return values.every((value) => supported.some((one) => isSame(one, value))) ? NO_EFFECT : undefined;
  };
}

function isSame(a: IppValue, b: IppValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Attributes for people and for records: a value as it is, several as an array. */
function plainAttributes(attributes: readonly IppAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map((attribute) => [attribute.name, plainValues(attribute)]));
}

function plainValues({ values }: IppAttribute): unknown {
  const plain = values.map(plainValue);
  return plain.length === 1 ? plain[0] : plain;
}

function plainValue(value: IppValue): unknown {
  if ('value' in value) return value.value;
  if ('bytes' in value) return Buffer.from(value.bytes).toString('hex');
  if (value.type === 'rangeOfInteger') return `${value.lower}-${value.upper}`;
  if (value.type === 'collection') return plainAttributes(value.members);
  if (value.type !== 'resolution') return null;
  return `${value.x}x${value.y}${value.unit === DOTS_AN_INCH ? 'dpi' : 'dpcm'}`;
}
