/**
 * Printer attributes: what an IPP printer says of itself, from its profile and from how it stands now
 * (RFC 8011, 5.4; PWG 5100.14, IPP Everywhere).
 *
 * Two kinds: what never changes, made once for each profile and shared by all printers of it, and what is
 * asked anew each time (state, reasons, jobs, times, addresses).
 */

import type { PrinterProfile } from '../../devices/printer/printer-profile.ts';
import { deviceId } from '../device-id.ts';
import {
  boolean,
  collection,
  dateTime,
  enumeration,
  integer,
  keyword,
  mediaType,
  nameText,
  octets,
  range,
  resolution,
  strings,
  text,
  uri,
  type IppAttribute,
} from './attribute.ts';
import { attributesFromJson } from './attribute-json.ts';
import { isIdentity } from './identity.ts';
import { mediaCollection, mediaOf, mediaSize, sizeName, type PrinterMedia } from './media.ts';
import { OPERATIONS, PRINTER_STATES, type PrinterState } from './operations.ts';

/** Holds `printer-description` and `job-template`, the two groups that a client may ask for by name. */
export interface ProfileAttributes {
  readonly media: PrinterMedia;
  readonly template: readonly IppAttribute[];
  readonly description: readonly IppAttribute[];
  /** Long: given only to those that name it. */
  readonly mediaDatabase: IppAttribute;
}

const DOCUMENT_FORMATS = [
  'application/octet-stream',
  'application/pdf',
  'image/jpeg',
  'image/pwg-raster',
  'image/urf',
] as const;

const COMPRESSIONS = ['none', 'deflate', 'gzip'] as const;

/** How long an open job waits for its document. */
export const MULTIPLE_OPERATION_TIMEOUT_S = 60;
export const WHICH_JOBS = ['completed', 'not-completed', 'aborted', 'all', 'canceled', 'pending'] as const;

const JOB_TEMPLATE_NAMES = [
  'copies',
  'finishings',
  'media',
  'media-col',
  'multiple-document-handling',
  'number-up',
  'orientation-requested',
  'output-bin',
  'overrides',
  'page-ranges',
  'print-color-mode',
  'print-content-optimize',
  'print-quality',
  'print-rendering-intent',
  'print-scaling',
  'printer-resolution',
  'sides',
];

const NO_FINISHING = 3;
const ORIENTATIONS = [3, 4, 5, 6];
const QUALITIES = [3, 4, 5];
const NORMAL_QUALITY = 4;
/** What drivers report of printers that make any number of copies. */
const MOST_COPIES = 9_999;
const MOST_K_OCTETS = 1_048_576;
const TYPICAL_DPI: readonly [number, number] = [600, 600];

const MADE = new WeakMap<PrinterProfile, ProfileAttributes>();

export function profileAttributes(profile: PrinterProfile): ProfileAttributes {
  const made = MADE.get(profile) ?? make(profile);
  MADE.set(profile, made);
  return made;
}

function make(profile: PrinterProfile): ProfileAttributes {
  const made = madeOf(profile);
  return profile.ipp ? inPlaceOf(made, attributesFromJson(profile.ipp)) : made;
}

/** What a clone answers: the attributes of its original, and its own identity. */
function inPlaceOf(made: ProfileAttributes, original: readonly IppAttribute[]): ProfileAttributes {
  const groups = Map.groupBy(original, ({ name }) => {
    if (name === made.mediaDatabase.name) return 'database';
    return TEMPLATE_NAME.test(name) && JOB_TEMPLATE_NAMES.includes(name.replace(TEMPLATE_NAME, ''))
      ? 'template'
      : 'description';
  });
  return {
    media: made.media,
    template: groups.get('template') ?? [],
    description: [...made.description.filter(isIdentity), ...(groups.get('description') ?? [])],
    mediaDatabase: groups.get('database')?.[0] ?? made.mediaDatabase,
  };
}

const TEMPLATE_NAME = /-(default|ready|supported)$/;

function madeOf(profile: PrinterProfile): ProfileAttributes {
  const media = mediaOf(profile);
  return {
    media,
    template: [...mediaAttributes(media), ...layoutAttributes(profile), ...colorAttributes(profile)],
    description: [...documentAttributes(profile), ...serviceAttributes(), ...machineAttributes(profile)],
    mediaDatabase: collection('media-col-database', ...media.media.map((medium) => mediaCollection(medium))),
  };
}

function mediaAttributes({ media, custom, sources, types, defaultSource, defaultType }: PrinterMedia): IppAttribute[] {
  const sourceKeywords = sources.length > 0 ? sources.map((source) => source.keyword) : [defaultSource];
  const typeKeywords = types.length > 0 ? types.map((type) => type.keyword) : [defaultType];
  const margins = [...new Set(media.map(({ margin }) => margin))].toSorted((a, b) => a - b);
  const [first] = media;
  const standard = first ? [mediaCollection(first, defaultSource, defaultType)] : [];
  return [
    keyword('media-default', first?.name ?? 'iso_a4_210x297mm'),
    keyword('media-supported', ...media.map(({ name }) => name), ...(custom ? customNames(custom) : [])),
    keyword('media-ready', first?.name ?? 'iso_a4_210x297mm'),
    collection('media-col-default', ...standard),
    collection('media-col-ready', ...standard),
    keyword('media-source-supported', ...sourceKeywords),
    keyword('media-type-supported', ...typeKeywords),
    collection(
      'media-size-supported',
      ...media.map((medium) => membersOfSize(medium)),
      ...(custom ? [customRange(custom)] : []),
    ),
    ...['bottom', 'left', 'right', 'top'].map((side) => integer(`media-${side}-margin-supported`, ...margins)),
    keyword(
      'media-col-supported',
      'media-bottom-margin',
      'media-left-margin',
      'media-right-margin',
      'media-size',
      'media-size-name',
      'media-source',
      'media-top-margin',
      'media-type',
    ),
  ];
}

type CustomSizes = NonNullable<PrinterMedia['custom']>;

function customNames({ least, most }: CustomSizes): string[] {
  return [`custom_min_${sizeName(least)}`, `custom_max_${sizeName(most)}`];
}

function customRange({ least, most }: CustomSizes): readonly IppAttribute[] {
  return [range('x-dimension', least.width, most.width), range('y-dimension', least.height, most.height)];
}

function membersOfSize(size: { readonly width: number; readonly height: number }): readonly IppAttribute[] {
  const [value] = mediaSize(size).values;
  return value?.type === 'collection' ? value.members : [];
}

function layoutAttributes({ capabilities, defaults }: PrinterProfile): IppAttribute[] {
  const copies = Math.max(1, capabilities?.copies ?? MOST_COPIES);
  const sides = capabilities?.duplex ? ['one-sided', 'two-sided-long-edge', 'two-sided-short-edge'] : ['one-sided'];
  const nup = capabilities?.nup?.filter((count) => count > 0) ?? [];
  return [
    integer('copies-default', 1),
    range('copies-supported', 1, copies),
    keyword('sides-default', defaults.duplex === 'one-sided' ? 'one-sided' : `two-sided-${defaults.duplex}`),
    keyword('sides-supported', ...sides),
    integer('number-up-default', 1),
    integer('number-up-supported', ...new Set([1, ...nup])),
    enumeration('orientation-requested-default', 3),
    enumeration('orientation-requested-supported', ...ORIENTATIONS),
    keyword('output-bin-default', 'face-down'),
    keyword('output-bin-supported', 'face-down'),
    keyword('overrides-supported', 'document-number', 'pages'),
    boolean('page-ranges-supported', true),
    enumeration('finishings-default', NO_FINISHING),
    enumeration('finishings-ready', NO_FINISHING),
    enumeration('finishings-supported', NO_FINISHING),
    keyword('multiple-document-handling-default', 'separate-documents-collated-copies'),
    keyword(
      'multiple-document-handling-supported',
      'separate-documents-uncollated-copies',
      'separate-documents-collated-copies',
    ),
    keyword('print-scaling-default', 'auto'),
    keyword('print-scaling-supported', 'auto', 'auto-fit', 'fit', 'none'),
  ];
}

function colorAttributes({ capabilities, defaults }: PrinterProfile): IppAttribute[] {
  const isColor = capabilities?.color === true;
  const dpis = resolutionsOf(capabilities?.dpis ?? []);
  const usual = dpis.find(([x, y]) => `${x}x${y}` === defaults.dpi) ?? dpis.at(-1) ?? TYPICAL_DPI;
  return [
    boolean('color-supported', isColor),
    keyword('print-color-mode-default', isColor && defaults.color ? 'auto' : 'monochrome'),
    keyword('print-color-mode-supported', ...(isColor ? ['auto', 'color', 'monochrome'] : ['monochrome'])),
    keyword('print-content-optimize-default', 'auto'),
    keyword('print-content-optimize-supported', 'auto'),
    enumeration('print-quality-default', NORMAL_QUALITY),
    enumeration('print-quality-supported', ...QUALITIES),
    keyword('print-rendering-intent-default', 'auto'),
    keyword('print-rendering-intent-supported', 'auto'),
    resolution('printer-resolution-default', usual),
    resolution('printer-resolution-supported', ...(dpis.length > 0 ? dpis : [TYPICAL_DPI])),
  ];
}

/** `600x600` as [600, 600]; other forms that drivers report are not resolutions that IPP could name. */
function resolutionsOf(dpis: readonly string[]): [number, number][] {
  return dpis.flatMap((dpi) => {
    const [, x, y] = /^(\d{2,5})x(\d{2,5})$/.exec(dpi) ?? [];
    return x === undefined ? [] : [[Number(x), Number(y)] as [number, number]];
  });
}

function documentAttributes({ capabilities }: PrinterProfile): IppAttribute[] {
  const isColor = capabilities?.color === true;
  return [
    mediaType('document-format-default', 'application/octet-stream'),
    mediaType('document-format-supported', ...DOCUMENT_FORMATS),
    keyword('compression-supported', ...COMPRESSIONS),
    keyword('pdl-override-supported', 'attempted'),
    resolution('pwg-raster-document-resolution-supported', [300, 300], [600, 600]),
    keyword('pwg-raster-document-sheet-back', 'normal'),
    keyword('pwg-raster-document-type-supported', 'black_1', 'sgray_8', ...(isColor ? ['srgb_8'] : [])),
    keyword('urf-supported', 'V1.4', 'CP1', 'RS300-600', 'W8', ...(isColor ? ['SRGB24'] : []), 'PQ3-4-5'),
    range('job-k-octets-supported', 0, MOST_K_OCTETS),
  ];
}

function serviceAttributes(): IppAttribute[] {
  return [
    strings('charset', 'charset-configured', ['utf-8']),
    strings('charset', 'charset-supported', ['us-ascii', 'utf-8']),
    strings('naturalLanguage', 'natural-language-configured', ['en']),
    strings('naturalLanguage', 'generated-natural-language-supported', ['en']),
    keyword('ipp-versions-supported', '1.1', '2.0'),
    keyword('ipp-features-supported', 'ipp-everywhere'),
    enumeration('operations-supported', ...Object.values(OPERATIONS)),
    keyword('identify-actions-default', 'sound'),
    keyword('identify-actions-supported', 'display', 'sound'),
    keyword('job-creation-attributes-supported', ...JOB_TEMPLATE_NAMES),
    boolean('job-ids-supported', true),
    integer('job-priority-default', 50),
    integer('job-priority-supported', 1),
    nameText('job-sheets-default', 'none'),
    nameText('job-sheets-supported', 'none'),
    boolean('multiple-document-jobs-supported', false),
    integer('multiple-operation-time-out', MULTIPLE_OPERATION_TIMEOUT_S),
    keyword('multiple-operation-time-out-action', 'abort-job'),
    boolean('preferred-attributes-supported', false),
    keyword('printer-get-attributes-supported', 'document-format'),
    strings('uriScheme', 'reference-uri-schemes-supported', ['http', 'https']),
    keyword('which-jobs-supported', ...WHICH_JOBS),
    boolean('printer-is-accepting-jobs', true),
  ];
}

function machineAttributes({ description, kind, capabilities, speed }: PrinterProfile): IppAttribute[] {
  const rate = speed.printrate ?? capabilities?.printrate;
  const perMinute = Math.max(1, Math.round(rate?.unit === 'cpm' || !rate ? 10 : rate.rate));
  const isColor = capabilities?.color === true;
  return [
    text('printer-make-and-model', clipped(description)),
    text('printer-device-id', deviceId(description, 'PDF,PWGRaster,AppleRaster,JPEG')),
    integer('pages-per-minute', perMinute),
    ...(isColor ? [integer('pages-per-minute-color', perMinute)] : []),
    text('printer-location', ''),
    text('printer-organization', ''),
    text('printer-organizational-unit', ''),
    { name: 'printer-geo-location', values: [{ type: 'unknown' }] },
    octets('printer-input-tray', ...inputTrays(capabilities?.bins ?? [])),
    ...supplies(kind, isColor),
  ];
}

/** Text attributes of printers hold 127 octets. */
function clipped(name: string): string {
  return name.slice(0, 40).toWellFormed() || 'Printer';
}

const TRAY_FACTS = 'mediafeed=0;mediaxfeed=0;maxcapacity=-2;level=-2;status=0';

function inputTrays(bins: readonly string[]): string[] {
  const names = bins.length > 0 ? bins : ['Main'];
  return names.map((name) => {
    const type = /manual/i.test(name) ? 'sheetFeedManual' : 'sheetFeedAutoRemovableTray';
    return `type=${type};${TRAY_FACTS};name=${name.replaceAll(/[^\x20-\x7e]|;/g, '?')};`;
  });
}

const SUPPLY_COLORS = ['cyan', 'magenta', 'yellow', 'black'];

function supplies(kind: PrinterProfile['kind'], isColor: boolean): IppAttribute[] {
  const type = kind === 'inkjet' ? 'ink' : 'toner';
  const colors = isColor ? SUPPLY_COLORS : ['black'];
  const supply = (color: string, index: number): string =>
    `index=${index + 1};class=supplyThatIsConsumed;type=${type};unit=percent;maxcapacity=100;level=80;colorantname=${color};`;
  return [
    octets('printer-supply', ...colors.map(supply)),
    text('printer-supply-description', ...colors.map((color) => `${color} ${type}`)),
  ];
}

export interface PrinterStanding {
  readonly name: string;
  readonly uuid: string;
  /** Each of its addresses, as `ipp:` or `ipps:`. */
  readonly uris: readonly string[];
  readonly pageUrl: string;
  readonly state: PrinterState;
  /** `none`, or reasons with their severity: `media-jam-error`. */
  readonly reasons: readonly string[];
  readonly queuedJobs: number;
  /** In milliseconds since the epoch. */
  readonly nowMs: number;
  readonly startedMs: number;
  readonly stateChangedMs: number;
}

export function standingAttributes(standing: PrinterStanding): IppAttribute[] {
  const { name, uuid, uris, pageUrl, state, reasons, queuedJobs, nowMs, startedMs, stateChangedMs } = standing;
  const seconds = (ms: number): number => upTime(ms, startedMs);
  return [
    uri('printer-uri-supported', ...uris),
    keyword('uri-security-supported', ...uris.map((one) => (one.startsWith('ipps:') ? 'tls' : 'none'))),
    keyword('uri-authentication-supported', ...uris.map(() => 'none')),
    nameText('printer-name', name),
    text('printer-info', clipped(name)),
    uri('printer-uuid', uuid),
    uri('printer-more-info', pageUrl),
    uri('printer-supply-info-uri', pageUrl),
    uri('printer-icons', `${pageUrl}icon.png`),
    enumeration('printer-state', PRINTER_STATES[state]),
    keyword('printer-state-reasons', ...reasons),
    text('printer-state-message', reasons.join(', ')),
    integer('queued-job-count', queuedJobs),
    integer('printer-up-time', seconds(nowMs)),
    dateTime('printer-current-time', nowMs),
    integer('printer-state-change-time', seconds(stateChangedMs)),
    dateTime('printer-state-change-date-time', stateChangedMs),
    integer('printer-config-change-time', seconds(startedMs)),
    dateTime('printer-config-change-date-time', startedMs),
  ];
}

/** Seconds since the printer was switched on, at least 1 as RFC 8011 wants it. */
export function upTime(ms: number, startedMs: number): number {
  return Math.max(1, Math.floor((ms - startedMs) / 1_000) + 1);
}
