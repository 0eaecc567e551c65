/**
 * Printer services: what DNS-SD says of a printer, from its addresses and its IPP attributes (PWG 5100.14, 4.2; Bonjour
 * Printing Specification 1.2.1).
 *
 *   ipp://127.0.0.1:8632/ipp/print/desk-laser ─► _ipp._tcp, port 8632, rp=ipp/print/desk-laser, ty=…, pdl=…, URF=…
 */

import type { PrinterProfile } from '../../devices/printer/printer-profile.ts';
import { modelOf } from '../device-id.ts';
import type { HardwarePrinter } from '../hardware-printer.ts';
import { isTrue, stringOf, stringsOf, type IppAttribute } from '../ipp/attribute.ts';
import { profileAttributes } from '../ipp/printer-attributes.ts';
import { attributeOf } from '../ipp/request.ts';
import { printerUuid } from '../ipp/uuid.ts';

export interface PrinterService {
  /** As `_ipp._tcp`. */
  readonly type: string;
  readonly subtypes: readonly string[];
  readonly port: number;
  /** Strings of the form `key=value`. */
  readonly txt: readonly string[];
}

/** Protocols that are announced → URI, of one printer. */
export type AnnouncedUris = Readonly<Partial<Record<AnnouncedProtocol, string>>>;
export const ANNOUNCED_PROTOCOLS = ['ipp', 'ipps', 'lpd', 'raw'] as const;
type AnnouncedProtocol = (typeof ANNOUNCED_PROTOCOLS)[number];

interface ServiceKind {
  readonly type: string;
  readonly subtypes: readonly string[];
  /** A client prefers the service of a printer with the lowest number. */
  readonly priority: number;
}

const KINDS: Readonly<Record<AnnouncedProtocol, ServiceKind>> = {
  ipp: { type: '_ipp._tcp', subtypes: ['_print', '_universal'], priority: 10 },
  ipps: { type: '_ipps._tcp', subtypes: ['_print', '_universal'], priority: 20 },
  lpd: { type: '_printer._tcp', subtypes: [], priority: 40 },
  raw: { type: '_pdl-datastream._tcp', subtypes: [], priority: 50 },
};

/** A printer without LPD holds its name under this type all the same, at port 0 (Bonjour Printing, 4.2). */
const FLAGSHIP: PrinterService = { type: KINDS.lpd.type, subtypes: [], port: 0, txt: [] };

const LONGEST_STRING_BYTES = 255;

export function servicesOf(printer: HardwarePrinter, uris: AnnouncedUris): PrinterService[] {
  const services = ANNOUNCED_PROTOCOLS.flatMap((protocol) => {
    const uri = uris[protocol];
    if (uri === undefined) return [];
    const { type, subtypes, priority } = KINDS[protocol];
    const { port, pathname } = new URL(uri);
    const rp = pathname.slice(1);
    const keys = { txtvers: '1', qtotal: '1', ...(rp && { rp }), priority, ...keysOf(printer, uris) };
    return [{ type, subtypes, port: Number(port), txt: Object.entries(keys).map(([key, value]) => `${key}=${value}`) }];
  });
  return uris.lpd === undefined ? [...services, FLAGSHIP] : services;
}

function keysOf(printer: HardwarePrinter, { ipp, ipps }: AnnouncedUris): Record<string, string> {
  const { profile } = printer;
  const { template, description, media } = profileAttributes(profile);
  const all = [...description, ...template];
  const find = (name: string): IppAttribute | undefined => attributeOf(all, name);
  const model = stringOf(find('printer-make-and-model')) ?? '';
  const { maker, model: name } = modelOf(model);
  const admin = ipps?.replace('ipps:', 'https:') ?? ipp?.replace('ipp:', 'http:');
  const text = {
    ty: model,
    product: `(${model})`,
    usb_MFG: maker,
    usb_MDL: name,
    ...(admin !== undefined && { adminurl: new URL('/', admin).href }),
    note: stringOf(find('printer-location')) ?? '',
    pdl: joined(stringsOf(find('document-format-supported'))),
    URF: joined(stringsOf(find('urf-supported'))),
    kind: KIND_OF[profile.kind] ?? 'document',
    PaperMax: paperMax(Math.max(...media.media.map(({ width, height }) => Math.min(width, height)))),
    Color: flag(isTrue(find('color-supported'))),
    Duplex: flag(stringsOf(find('sides-supported')).some((sides) => sides.startsWith('two-sided'))),
    Copies: flag(highest(find('copies-supported')) > 1),
    Collate: flag(
      stringsOf(find('multiple-document-handling-supported')).some((one) => one.endsWith('documents-collated-copies')),
    ),
    UUID: printerUuid(printer).replace('urn:uuid:', ''),
    ...(ipps !== undefined && { TLS: '1.3' }),
  };
  return Object.fromEntries(Object.entries(text).map(([key, value]) => [key, clipped(key, value)]));
}

const KIND_OF: Partial<Record<PrinterProfile['kind'], string>> = { label: 'label', receipt: 'receipt,roll' };

/** The short side of the largest paper in hundredths of a millimetre, up to which a name holds. */
const PAPER_MAX: readonly (readonly [shortSide: number, name: string])[] = [
  [20_900, '<legal-A4'],
  [21_600, 'legal-A4'],
  [29_800, 'tabloid-A3'],
  [45_900, 'isoC-A2'],
];

function paperMax(shortSide: number): string {
  return PAPER_MAX.find(([most]) => shortSide <= most)?.[1] ?? '>isoC-A2';
}

function flag(is: boolean): 'T' | 'F' {
  return is ? 'T' : 'F';
}

function highest(attribute: IppAttribute | undefined): number {
  const value = attribute?.values[0];
  return value?.type === 'rangeOfInteger' ? value.upper : 1;
}

/** As many as one string holds, beside its key. */
function joined(values: readonly string[]): string {
  const room = LONGEST_STRING_BYTES - 'pdl='.length;
  const kept = values.filter((_, index) => values.slice(0, index + 1).join(',').length <= room);
  return kept.join(',');
}

/** A string of TXT holds 255 bytes; a character that is cut in two is left out. */
function clipped(key: string, value: string): string {
  const room = LONGEST_STRING_BYTES - key.length - 1;
  return Buffer.from(value)
    .subarray(0, room)
    .toString()
    .replace(/\uFFFD$/, '');
}
