/**
 * Makes the pictures of docs/sheets.md: `node docs/generate/sheets.ts`. Run again, it writes the same
 * bytes. Every picture is a side as a room prints it, the last one a label in ZPL.
 */

import { readFileSync, writeFileSync } from 'node:fs';

import { systemClock } from '../../src/common/clock.ts';
import { Press } from '../../src/devices/press/press.ts';
import { readPrintOptions } from '../../src/devices/printer/print-options.ts';
import { PRINTER_PROFILES, type PrinterProfile } from '../../src/devices/printer/printer-profile.ts';
import { LabelDrawing } from '../../src/devices/press/label-drawing.ts';
import { labelStockOf } from '../../src/devices/printer/paper.ts';

interface Picture {
  readonly file: string;
  readonly document: string;
  readonly profile: PrinterProfile;
  readonly options: Readonly<Record<string, unknown>>;
  /** From 1; the first unless given. */
  readonly side?: number;
  readonly dpi?: number;
}

const mfp = PRINTER_PROFILES.load('office-mfp');
const onMac: PrinterProfile = { ...mfp, os: 'macos' };
const onWindows: PrinterProfile = { ...mfp, os: 'windows' };
/** The same device with paper that is fed long edge first, as its landscape A4 tray does. */
const landscape: PrinterProfile = {
  ...onMac,
  defaults: { ...mfp.defaults, paper: 'A4 landscape' },
  capabilities: { ...mfp.capabilities, papers: { 'A4 landscape': [2970, 2100] } },
};
const SMALL_DPI = 48;

const PICTURES: readonly Picture[] = [
  { file: '2-up-landscape', document: 'three-pages.pdf', profile: landscape, options: { nup: 2 } },
  ...[1, 2].map((side) => ({
    file: `duplex-short-edge-${side === 1 ? 'front' : 'back'}`,
    document: 'three-pages.pdf',
    profile: mfp,
    options: { duplex: 'short-edge' },
    side,
  })),
  {
    file: 'rotate-90-fit',
    document: 'invoice.pdf',
    profile: mfp,
    options: { rotate: 90, fit_to_page: true },
  },
  { file: 'grayscale', document: 'invoice.pdf', profile: onWindows, options: { color: false } },
  {
    file: 'label-4x6',
    document: 'label-4x6.pdf',
    profile: PRINTER_PROFILES.load('label-4x6'),
    options: {},
    dpi: 72,
  },
];

const press = new Press(systemClock);
for (const { file, document, profile, options, side = 1, dpi = SMALL_DPI } of PICTURES) {
  const read = readPrintOptions(options, profile);
  if (!read.ok) throw new Error(`${file}: ${read.error}`);
  const { pdf } = await press.sheetsOf(fixture(document), read.value.settings);
  await keep(file, pdf, side, dpi);
}
const stock = labelStockOf(PRINTER_PROFILES.load('label-4x6'));
const labels = new LabelDrawing(fixture('zpl-label.zpl'), stock, press);
const drawn = await labels.pdf(1);
if (!drawn) throw new Error(`label-zpl: ${labels.notDrawn(1)}`);
await keep('label-zpl', drawn, 1, 102);
await press.close();

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/documents/${name}`, import.meta.url));
}

async function keep(file: string, pdf: Uint8Array, side: number, dpi: number): Promise<void> {
  const png = await press.pngOf(pdf, side, dpi);
  writeFileSync(new URL(`../images/${file}.png`, import.meta.url), png);
}
