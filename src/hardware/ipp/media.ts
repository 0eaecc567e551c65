/**
 * Media: the papers, trays and media types of a printer profile under the names that IPP has for them.
 *
 *   'A4 (210 x 297 mm)' [2099, 2970]  ◄──►  iso_a4_210x297mm        21000 × 29700
 *   '4.00x6.00"'        [1016, 1524]  ◄──►  na_index-4x6_4x6in      10160 × 15240
 *   '80x50mm'           [501, 801]    ◄──►  custom_80x50mm_50.1x80.1mm
 *   'Tray 1'                          ◄──►  tray-1
 *   extent [[127, 127], [1041, 9906]] ◄──►  custom_min_12.7x12.7mm, custom_max_104.1x990.6mm
 *
 * Names go both ways: what a client asks for by its IPP name is found in the profile again. Sizes of paper
 * are named by PWG 5101.1; a second paper of the same size gets a custom name. IPP counts in hundredths of a
 * millimetre, profiles in tenths.
 */

import type { Paper } from '../../devices/press/print-settings.ts';
import type { PrinterProfile } from '../../devices/printer/printer-profile.ts';
import { plainName, unusedName } from '../plain-name.ts';
import { collection, integer, keyword, type IppAttribute } from './attribute.ts';

export interface Medium {
  /** As IPP names it, such as `iso_a4_210x297mm`. */
  readonly name: string;
  /** As the profile names it; null for paper that a printer without a list of papers is given. */
  readonly paper: string | null;
  /** In hundredths of a millimetre. */
  readonly width: number;
  readonly height: number;
  /** Not printed on, on each side, in hundredths of a millimetre. */
  readonly margin: number;
}

/** A name of a profile and the keyword that stands for it. */
export interface Keyword {
  readonly keyword: string;
  readonly name: string;
}

export interface PrinterMedia {
  /** At least one; the first is the default. */
  readonly media: readonly Medium[];
  /** The least and the most that paper of other sizes may measure; undefined where no other is taken. */
  readonly custom: { readonly least: Size; readonly most: Size } | undefined;
  readonly sources: readonly Keyword[];
  readonly types: readonly Keyword[];
  readonly defaultSource: string;
  readonly defaultType: string;
}

/** Self-describing names of PWG 5101.1: the size is what stands last in them. */
const STANDARD_SIZES = `
  iso_a0_841x1189mm iso_a1_594x841mm iso_a2_420x594mm iso_a3_297x420mm iso_a4_210x297mm iso_a5_148x210mm
  iso_a6_105x148mm iso_a7_74x105mm iso_b3_353x500mm iso_b4_250x353mm iso_b5_176x250mm iso_b6_125x176mm
  iso_c4_229x324mm iso_c5_162x229mm iso_c6_114x162mm iso_dl_110x220mm iso_sra3_320x450mm iso_sra4_225x320mm
  jis_b4_257x364mm jis_b5_182x257mm jis_b6_128x182mm jpn_hagaki_100x148mm jpn_oufuku_148x200mm
  jpn_chou3_120x235mm jpn_chou4_90x205mm jpn_kaku2_240x332mm jpn_you4_105x235mm
  na_letter_8.5x11in na_legal_8.5x14in na_executive_7.25x10.5in na_ledger_11x17in na_invoice_5.5x8.5in
  na_index-3x5_3x5in na_index-4x6_4x6in na_5x7_5x7in na_govt-letter_8x10in na_govt-legal_8x13in
  na_foolscap_8.5x13in na_number-9_3.875x8.875in na_number-10_4.125x9.5in na_monarch_3.875x7.5in
  na_personal_3.625x6.5in na_a2_4.375x5.75in na_arch-a_9x12in na_arch-b_12x18in na_arch-c_18x24in
  na_arch-d_24x36in na_arch-e_36x48in na_super-b_13x19in na_fanfold-us_11x14.875in na_10x14_10x14in
  na_11x15_11x15in om_folio_210x330mm om_small-photo_100x150mm oe_photo-l_3.5x5in prc_16k_146x215mm
  roc_16k_7.75x10.75in roc_8k_10.75x15.5in`
  .trim()
  .split(/\s+/)
  .map((name) => ({ name, ...sizeIn(name) }));

/** A paper that a profile already calls as PWG 5101.1 does keeps its name. */
const SELF_DESCRIBING = /^[a-z]+_[a-z0-9.-]+_[\d.]+x[\d.]+(in|mm)$/;
/** So do trays and media types that are called as IPP calls them. */
const KEYWORD = /^[a-z][a-z0-9._-]*$/;

const POINTS_PER_HUNDREDTH_MM = 72 / 2540;

const TYPICAL = ['iso_a4_210x297mm', 'na_letter_8.5x11in'];
/** Drivers round: to PPD points, or to whole millimetres. */
const SAME_SIZE = 100;
const OFFICE_MARGIN = 423;
/** These print to the edge of what is fed to them. */
const WITHOUT_MARGIN: readonly PrinterProfile['kind'][] = ['label', 'receipt', 'plotter', 'virtual'];

/** These cut off what they are asked for, whatever their drivers say. */
const ON_A_ROLL: readonly PrinterProfile['kind'][] = ['label', 'receipt'];

/** Keywords that clients know, for the names that drivers give their trays. */
const KNOWN_SOURCES: readonly (readonly [RegExp, string])[] = [
  [/auto/i, 'auto'],
  [/by-?pass|multi-?purpose|^mp tray/i, 'by-pass-tray'],
  [/manual/i, 'manual'],
  [/large capacity|^lct/i, 'large-capacity'],
];

/** The media of a printer, in the order of its profile with its default first. */
export function mediaOf(profile: PrinterProfile): PrinterMedia {
  const { capabilities, defaults } = profile;
  const media = namedMedia(profile);
  const byDefault = media.find(({ paper }) => paper === defaults.paper);
  const sources = keywordsFor(capabilities?.bins ?? [], KNOWN_SOURCES);
  const types = keywordsFor(capabilities?.medias ?? [], []);
  return {
    media: byDefault ? [byDefault, ...media.filter((medium) => medium !== byDefault)] : media,
    custom: customSizes(profile),
    sources,
    types,
    defaultSource: usual(sources, defaults.bin, 'auto'),
    defaultType: usual(types, defaults.media, 'stationery'),
  };
}

/** What the profile names; else the typical one if the printer has it, or its first. */
function usual(known: readonly Keyword[], name: string | undefined, typical: string): string {
  const named = known.find((one) => one.name === name)?.keyword;
  const isKnown = known.length === 0 || known.some(({ keyword }) => keyword === typical);
  return named ?? (isKnown ? typical : (known[0]?.keyword ?? typical));
}

function namedMedia({ kind, capabilities }: PrinterProfile): Medium[] {
  const taken = new Set<string>();
  const edge = WITHOUT_MARGIN.includes(kind) ? 0 : OFFICE_MARGIN;
  const named = Object.entries(capabilities?.papers ?? {}).flatMap(([paper, [width, height]]): Medium[] => {
    if (!width || !height || width < 0 || height < 0) return [];
    const size = { width: width * 10, height: height * 10 };
    const margin = /full bleed|borderless|rand(los|frei)/i.test(paper) ? 0 : edge;
    const standard = STANDARD_SIZES.find((one) => !taken.has(one.name) && isSameSize(one, size));
    const isNamed = SELF_DESCRIBING.test(paper) && !taken.has(paper);
    const medium = isNamed ? { name: paper, ...size } : (standard ?? { name: customName(paper, size, taken), ...size });
    taken.add(medium.name);
    return [{ ...medium, paper, margin }];
  });
  if (named.length > 0) return named;
  const typical = STANDARD_SIZES.filter(({ name }) => TYPICAL.includes(name));
  return typical.map((medium) => ({ ...medium, paper: null, margin: edge }));
}

function customSizes({ kind, capabilities }: PrinterProfile): PrinterMedia['custom'] {
  const isTaken = capabilities?.supports_custom_paper_size === true || ON_A_ROLL.includes(kind);
  const [[width = 0, height = 0] = [], [mostWidth = 0, mostHeight = 0] = []] = capabilities?.extent ?? [];
  if (!isTaken || width <= 0 || height <= 0 || mostWidth < width || mostHeight < height) return undefined;
  return {
    least: { width: width * 10, height: height * 10 },
    most: { width: mostWidth * 10, height: mostHeight * 10 },
  };
}

/** Paper that the profile does not name, for a size that the printer takes: its own name, or its size. */
export function customPaper({ custom }: PrinterMedia, size: Size, name = sizeName(size)): Paper | undefined {
  if (!custom) return undefined;
  const { least, most } = custom;
  const isTaken =
    size.width >= least.width && size.width <= most.width && size.height >= least.height && size.height <= most.height;
  if (!isTaken) return undefined;
  return { name, widthPt: size.width * POINTS_PER_HUNDREDTH_MM, heightPt: size.height * POINTS_PER_HUNDREDTH_MM };
}

/** `54x60mm` */
export function sizeName({ width, height }: Size): string {
  return `${width / 100}x${height / 100}mm`;
}

function isSameSize(a: Size, b: Size): boolean {
  return Math.abs(a.width - b.width) <= SAME_SIZE && Math.abs(a.height - b.height) <= SAME_SIZE;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** `custom_80x50mm_50.1x80.1mm`; the middle part tells two papers of one size apart. */
function customName(paper: string, size: Size, taken: ReadonlySet<string>): string {
  const keyword = keywordOf(paper) || 'paper';
  return unusedName((suffix) => `custom_${keyword}${suffix}_${sizeName(size)}`, taken);
}

function keywordsFor(
  names: readonly string[],
  known: readonly (readonly [pattern: RegExp, keyword: string])[],
): Keyword[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const base = KEYWORD.test(name)
      ? name
      : (known.find(([pattern]) => pattern.test(name))?.[1] ?? (keywordOf(name) || 'other'));
    const keyword = unusedName((suffix) => `${base}${suffix}`, taken);
    taken.add(keyword);
    return { keyword, name };
  });
}

const LONGEST_KEYWORD = 60;

function keywordOf(name: string): string {
  return plainName(name).slice(0, LONGEST_KEYWORD).replace(/-$/, '');
}

/** `…_8.5x11in` in hundredths of a millimetre; 0 where the name says no size. */
export function sizeIn(name: string): Size {
  const [, width = '0', height = '0', unit] = /_([\d.]+)x([\d.]+)(in|mm)$/.exec(name) ?? [];
  const hundredthsMm = unit === 'in' ? 2540 : 100;
  return {
    width: Math.round(Number(width) * hundredthsMm),
    height: Math.round(Number(height) * hundredthsMm),
  };
}

export function mediaSize({ width, height }: Size): IppAttribute {
  return collection('media-size', [integer('x-dimension', width), integer('y-dimension', height)]);
}

/** A medium as a member of `media-col-database` and the like. */
export function mediaCollection(medium: Medium, source?: string, type?: string): IppAttribute[] {
  const parts = [medium.name, source, type].filter((part) => part !== undefined);
  return [
    keyword('media-key', parts.join('_')),
    mediaSize(medium),
    keyword('media-size-name', medium.name),
    ...['bottom', 'left', 'right', 'top'].map((side) => integer(`media-${side}-margin`, medium.margin)),
    ...(source === undefined ? [] : [keyword('media-source', source)]),
    ...(type === undefined ? [] : [keyword('media-type', type)]),
  ];
}
