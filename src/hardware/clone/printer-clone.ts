/**
 * Printer clone: the profile of a printer from what it says of itself.
 *
 *   attributes ─┬─ without its identity, as they are ─► `ipp`: what the clone answers
 *               └─ media, trays, sides, colours … ────► `capabilities`, `defaults`: how it prints
 */

import type { PrinterProfile } from '../../devices/printer/printer-profile.ts';
import { attributesToJson, type AttributesJson } from '../ipp/attribute-json.ts';
import {
  DOTS_AN_INCH,
  isTrue,
  membersOf,
  numberOf,
  stringOf,
  stringsOf,
  text,
  type IppAttribute,
} from '../ipp/attribute.ts';
import { isIdentity } from '../ipp/identity.ts';
import { sizeIn } from '../ipp/media.ts';

type Capabilities = NonNullable<PrinterProfile['capabilities']>;

/** What a file of fixtures/printers contains; what has a default is left out. */
export interface PrinterClone {
  readonly kind: PrinterProfile['kind'];
  readonly name: string;
  readonly description: string;
  readonly why: string;
  readonly os: PrinterProfile['os'];
  readonly defaults: Partial<PrinterProfile['defaults']>;
  readonly capabilities: Capabilities;
  readonly ipp?: AttributesJson;
}

/** @param source - where the attributes come from, for people */
export function cloneOf(attributes: readonly IppAttribute[], source: string): PrinterClone {
  const find = findIn(attributes);
  const description = stringOf(find('printer-make-and-model')) ?? 'Printer';
  const capabilities = capabilitiesFrom(find);
  const own = attributes.filter((attribute) => !isIdentity(attribute)).map(withoutSerialNumber);
  return {
    kind: kindFrom(find, capabilities),
    name: description,
    description,
    why: `Cloned from ${source}: it answers as that printer does`,
    os: 'cups',
    defaults: defaultsFrom(find, capabilities),
    capabilities,
    ipp: attributesToJson(own),
  };
}

export type Find = (name: string) => IppAttribute | undefined;

export function findIn(attributes: readonly IppAttribute[]): Find {
  return (name) => attributes.find((one) => one.name === name);
}

const LIMIT_NAMES = /^custom_(min|max)_/;
const TENTHS = 10;

/** Papers, trays and media have the names of IPP. */
export function capabilitiesFrom(find: Find): Capabilities {
  const media = stringsOf(find('media-supported'));
  const rate = numberOf(find('pages-per-minute'));
  const copies = find('copies-supported')?.values[0];
  const limits = ['custom_min_', 'custom_max_'].map((prefix) => media.find((name) => name.startsWith(prefix)));
  const extent = limits.flatMap((name) => (name === undefined ? [] : [tenthsOf(name)]));
  return {
    bins: stringsOf(find('media-source-supported')),
    collate: stringsOf(find('multiple-document-handling-supported')).includes('separate-documents-collated-copies'),
    color: stringsOf(find('print-color-mode-supported')).includes('color') || isTrue(find('color-supported')),
    copies: copies?.type === 'rangeOfInteger' ? copies.upper : 1,
    dpis: resolutionsIn(find('printer-resolution-supported')),
    duplex: stringsOf(find('sides-supported')).some((sides) => sides.startsWith('two-sided')),
    ...(extent.length === 2 && { extent }),
    medias: stringsOf(find('media-type-supported')),
    nup: countsIn(find('number-up-supported')),
    papers: Object.fromEntries(media.filter((name) => !LIMIT_NAMES.test(name)).map((name) => [name, tenthsOf(name)])),
    ...(rate !== undefined && rate > 0 && { printrate: { unit: 'ppm', rate } as const }),
    supports_custom_paper_size: extent.length === 2,
  };
}

function tenthsOf(medium: string): [number, number] {
  const { width, height } = sizeIn(medium);
  return [Math.round(width / TENTHS), Math.round(height / TENTHS)];
}

function resolutionsIn(attribute: IppAttribute | undefined): string[] {
  return (attribute?.values ?? []).flatMap((value) =>
    value.type === 'resolution' && value.unit === DOTS_AN_INCH ? [`${value.x}x${value.y}`] : [],
  );
}

/** Integers, and all within ranges. */
function countsIn(attribute: IppAttribute | undefined): number[] {
  return (attribute?.values ?? []).flatMap((value) => {
    if (value.type === 'integer') return [value.value];
    if (value.type !== 'rangeOfInteger') return [];
    return Array.from(
      { length: Math.min(MOST_PAGES_A_SIDE, value.upper - value.lower + 1) },
      (_, n) => value.lower + n,
    );
  });
}

const MOST_PAGES_A_SIDE = 16;

function defaultsFrom(find: Find, { papers, bins, medias }: Capabilities): PrinterClone['defaults'] {
  const paper = stringOf(find('media-default'));
  const members = membersOf(find('media-col-default')) ?? [];
  const bin = stringOf(members.find(({ name }) => name === 'media-source'));
  const media = stringOf(members.find(({ name }) => name === 'media-type'));
  const [dpi] = resolutionsIn(find('printer-resolution-default'));
  const sides = stringOf(find('sides-default'));
  return {
    ...(paper !== undefined && papers?.[paper] && { paper }),
    ...(bin !== undefined && bins?.includes(bin) && { bin }),
    ...(media !== undefined && medias?.includes(media) && { media }),
    ...(dpi !== undefined && { dpi }),
    duplex:
      sides === 'two-sided-long-edge' ? 'long-edge' : sides === 'two-sided-short-edge' ? 'short-edge' : 'one-sided',
    color: stringOf(find('print-color-mode-default')) !== 'monochrome',
  };
}

/** Labels are no wider than this, in tenths of a millimetre. */
const WIDEST_LABEL = 1_100;

function kindFrom(find: Find, { papers }: Capabilities): PrinterProfile['kind'] {
  const markers = [...stringsOf(find('marker-types')), ...stringsOf(find('printer-supply-description'))].join(' ');
  const widths = Object.values(papers ?? {}).map(([width]) => width ?? 0);
  if (widths.length > 0 && widths.every((width) => width <= WIDEST_LABEL)) return 'label';
  if (/toner/i.test(markers)) return 'laser';
  return /ink/i.test(markers) ? 'inkjet' : 'unknown';
}

/** A device id may tell the serial number. */
function withoutSerialNumber(attribute: IppAttribute): IppAttribute {
  if (attribute.name !== 'printer-device-id') return attribute;
  const id = stringOf(attribute) ?? '';
  return text(attribute.name, id.replaceAll(/(?<=^|;)(SN|SERN|SERIALNUMBER):[^;]*;/gi, ''));
}
