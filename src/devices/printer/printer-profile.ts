/**
 * Printer profile: what a printer model is like, as a file a person edits (fixtures/printers/*.json).
 *
 * `capabilities` is what the driver reports, odd values included, and is passed on to the service as it
 * is. The rest says how the machine really behaves. `why` says what is odd about it.
 */

import { z } from 'zod';

import { PRINT_RATE_FIELDS } from '../../specification/fields.ts';
import { PRINT_OPTIONS } from '../../specification/inputs.ts';
import { ProfileFiles } from '../profile-files.ts';

const tenthsMm = z.number().int();

const printRate = z.strictObject({
  unit: z.enum(PRINT_RATE_FIELDS.unit.values),
  rate: z.number(),
});

/** Every member may be missing or null: there are drivers that report nothing. */
const printerCapabilities = z.strictObject({
  bins: z.array(z.string()).nullish(),
  collate: z.boolean().nullish(),
  color: z.boolean().nullish(),
  copies: z.number().int().nullish(),
  dpis: z.array(z.string()).nullish(),
  duplex: z.boolean().nullish(),
  /** `[[minWidth, minHeight], [maxWidth, maxHeight]]` in tenths of a millimetre. */
  extent: z.array(z.array(tenthsMm)).nullish(),
  medias: z.array(z.string()).nullish(),
  nup: z.array(z.number().int()).nullish(),
  /** Paper name → `[width, height]` in tenths of a millimetre. */
  papers: z.record(z.string(), z.tuple([tenthsMm.nullable(), tenthsMm.nullable()])).nullish(),
  printrate: printRate.nullish(),
  supports_custom_paper_size: z.boolean().nullish(),
});

/** The printer's own settings, used where a job leaves the choice to it. */
const printerDefaults = z.strictObject({
  /** Absent: each sheet takes the size of its document page. */
  paper: z.string().optional(),
  /** Absent: the printer chooses a tray itself. */
  bin: z.string().optional(),
  media: z.string().optional(),
  dpi: z.string().optional(),
  duplex: z.enum(PRINT_OPTIONS.duplex.values).default('one-sided'),
  collate: z.boolean().default(true),
  /** false: gray unless a job asks for colour. */
  color: z.boolean().default(true),
});

/** Ways in which drivers depart from the specification. */
const printerQuirks = z.strictObject({
  ignoresColor: z.boolean().default(false),
  /** 180 comes out as 0, 270 as 90. */
  rotateMod180: z.boolean().default(false),
  /** `media` has no effect unless `bin` is given as well. */
  mediaNeedsBin: z.boolean().default(false),
  /** A duplex side takes twice the time of a one-sided one. */
  halfRateDuplex: z.boolean().default(false),
});

/** How fast the machine really is; it may differ from the `printrate` its driver reports. */
const printerSpeed = z.strictObject({
  /** From the start of a job to its first sheet, when the printer was idle. */
  firstPageOutMs: z.number().nonnegative().default(0),
  /**
   * How fast the paper moves, in millimetres a second: for label and receipt printers, whose sheets are long or short.
   */
  mmPerSecond: z.number().positive().optional(),
  /** Without it the driver's `printrate` counts; without any of these, sheets come out at once. */
  printrate: printRate.optional(),
});

/** What a receipt printer is like. */
const receiptHead = z.strictObject({
  /** What it takes bytes for that could be in several languages. */
  language: z.enum(['esc-pos', 'star']).default('esc-pos'),
  /** The numbers of the code pages that it has; without it all that its language knows. */
  codePages: z.array(z.number().int()).optional(),
  /** What it takes of documents while it cannot print them. */
  bufferBytes: z.number().int().positive().default(4_096),
});

/** Name → runs of values of one type; src/hardware reads them. */
const ippAttributes = z.record(z.string().min(1), z.array(z.record(z.string(), z.array(z.json()))));

const printerProfile = z.strictObject({
  kind: z.enum([
    'laser',
    'inkjet',
    'office-mfp',
    'production',
    'plotter',
    'label',
    'receipt',
    'dot-matrix',
    'fax',
    'virtual',
    'unknown',
  ]),
  /** The name a computer gives the printer unless the room names it. */
  name: z.string().min(1),
  /** The driver's name for the model. */
  description: z.string(),
  /** What is odd about it, and what it is therefore good for. */
  why: z.string().min(20),
  os: z.enum(['windows', 'macos', 'cups']),
  /** The client's printing backend on Windows; elsewhere it has one only. */
  backend: z.enum(['engine6', 'older']).default('engine6'),
  defaults: printerDefaults.prefault({}),
  quirks: printerQuirks.prefault({}),
  speed: printerSpeed.prefault({}),
  receipt: receiptHead.prefault({}),
  /** Tray → sheets in it at the start. A tray that is not named here never runs empty. */
  trays: z.record(z.string(), z.number().int().nonnegative()).default({}),
  /** As reported; one that is `offline` prints nothing until it is put online. */
  state: z.string().nullable().default('online'),
  capabilities: printerCapabilities.nullable(),
  /** Attributes that it answers over IPP in place of those made from `capabilities`; `platen clone` writes them. */
  ipp: ippAttributes.optional(),
});

export type PrinterCapabilities = z.infer<typeof printerCapabilities>;
export type PrintRate = z.infer<typeof printRate>;
export type PrinterProfile = z.infer<typeof printerProfile>;

/** The profiles that ship with platen. */
export const PRINTER_PROFILES = new ProfileFiles('printer', printerProfile);
