/**
 * Capabilities: what CUPS says of a queue in the words of the API, and the print options of a job in those of `lp`.
 * Papers, trays and media have the names of IPP.
 */

import { stringsOf, DOTS_AN_INCH, type IppAttribute } from '../hardware/ipp/attribute.ts';

export type FindAttribute = (name: string) => IppAttribute | undefined;

const TENTHS_OF_MM = { mm: 10, in: 254 } as const;

export function capabilitiesOf(find: FindAttribute): Readonly<Record<string, unknown>> {
  const all = (name: string): readonly string[] => stringsOf(find(`${name}-supported`));
  const papers = Object.fromEntries(all('media').flatMap((name) => sizeIn(name) ?? []));
  const [copies] = find('copies-supported')?.values ?? [];
  const edge = (pick: (...lengths: number[]) => number, side: 0 | 1): number =>
    pick(...Object.values(papers).map((size) => size[side]));
  return {
    bins: all('media-source'),
    collate: all('multiple-document-handling').some((handling) => handling.endsWith('-collated-copies')),
    color: all('print-color-mode').includes('color'),
    copies: copies?.type === 'rangeOfInteger' ? copies.upper : 1,
    dpis: (find('printer-resolution-supported')?.values ?? []).flatMap((value) =>
      value.type === 'resolution' && value.unit === DOTS_AN_INCH ? [`${value.x}x${value.y}`] : [],
    ),
    duplex: all('sides').some((sides) => sides.startsWith('two-sided')),
    extent: Object.keys(papers).length > 0 ? [Math.min, Math.max].map((pick) => [edge(pick, 0), edge(pick, 1)]) : [],
    medias: all('media-type'),
    nup: [],
    papers,
    printrate: null,
    supports_custom_paper_size: false,
  };
}

type NamedSize = readonly [name: string, size: readonly [width: number, height: number]];

/** `iso_a4_210x297mm` → 2100 × 2970. The names of IPP end in the size; bounds of custom sizes are none. */
function sizeIn(name: string): readonly NamedSize[] | undefined {
  const [, width, height, unit] = /_([\d.]+)x([\d.]+)(mm|in)$/.exec(name) ?? [];
  if (/^custom_(min|max)/.test(name) || (unit !== 'mm' && unit !== 'in')) return undefined;
  const tenths = (length: string | undefined): number => Math.round(Number(length) * TENTHS_OF_MM[unit]);
  return [[name, [tenths(width), tenths(height)]]];
}

const ORIENTATIONS: Readonly<Record<string, number>> = { 0: 3, 90: 4, 270: 5, 180: 6 };

/** Print options of the API → options of `lp`. What is not in the table has no effect on CUPS. */
const OPTIONS: Readonly<Record<string, (value: string) => string>> = {
  bin: (value) => `InputSlot=${inPpd(value)}`,
  collate: (value) => `collate=${value}`,
  color: (value) => `print-color-mode=${value === 'true' ? 'color' : 'monochrome'}`,
  copies: (value) => `copies=${value}`,
  dpi: (value) => `printer-resolution=${value}dpi`,
  duplex: (value) => `sides=${value === 'one-sided' ? value : `two-sided-${value}`}`,
  fit_to_page: (value) => `print-scaling=${value === 'true' ? 'fit' : 'none'}`,
  media: (value) => `MediaType=${inPpd(value)}`,
  pages: (value) => `page-ranges=${value.replaceAll(/(^|,)-/g, '$11-')}`,
  paper: (value) => `media=${value}`,
  rotate: (value) => `orientation-requested=${ORIENTATIONS[value] ?? ''}`,
};

export function lpOptions(options: Readonly<Record<string, unknown>>): readonly string[] {
  const chosen = Object.entries(options).filter(
    ([, value]) => /number|boolean|string/.test(typeof value) && value !== '',
  );
  return chosen.flatMap(([name, value]) => OPTIONS[name]?.(String(value)) ?? []);
}

/** Queues without a driver are described by a PPD, which writes `tray-2` as `Tray2`. */
function inPpd(keyword: string): string {
  return keyword.replaceAll(/(?:^|-)(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}
