/**
 * Second renderers: programs that have nothing to do with the press and draw the same PDFs.
 *
 *   mutool (MuPDF)      as on a screen: annotations print or not
 *   pdftocairo (Poppler) as printed: a PDF of what prints is made first
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { PNG } from 'pngjs';

/** Levels from 0, black, to 255, a byte a pixel. */
export interface GrayPicture {
  readonly width: number;
  readonly height: number;
  readonly levels: Uint8Array;
}

export interface SecondRenderer {
  readonly name: string;
  /** Undefined for a document that it cannot open. */
  pageCount(file: string): Promise<number | undefined>;
  /** Page `page`, from 1; undefined where it cannot draw it. `asPrinted`: without what only screens show. */
  draw(file: string, page: number, asPrinted: boolean): Promise<GrayPicture | undefined>;
}

/** A side of 100 points has 56 pixels: enough to see letters move, and quickly drawn. */
export const DPI = 40;
const MOST_MS = 25_000;
const MOST_BYTES = 256 * 1024 * 1024;

export const MUTOOL: SecondRenderer = {
  name: 'mutool',
  async pageCount(file) {
    const pages = await output('mutool', ['pages', file]);
    return pages?.toString('latin1').match(/^<page pagenum="\d+">\n</gmu)?.length;
  },
  async draw(file, page) {
    const pgm = await output('mutool', [
      'draw',
      '-q',
      '-r',
      String(DPI),
      '-c',
      'gray',
      '-F',
      'pgm',
      '-o',
      '-',
      file,
      String(page),
    ]);
    return pgm && fromPgm(pgm);
  },
};

export const POPPLER: SecondRenderer = {
  name: 'poppler',
  async pageCount(file) {
    const facts = await output('pdfinfo', [file]);
    const [, count] = /^Pages: +(\d+)$/mu.exec(facts?.toString('latin1') ?? '') ?? [];
    return count === undefined ? undefined : Number(count);
  },
  async draw(file, page, asPrinted) {
    if (!asPrinted) return drawnByPoppler(file, page);
    const folder = mkdtempSync(path.join(tmpdir(), 'platen-paper-'));
    try {
      const printed = path.join(folder, 'printed.pdf');
      await output('pdftocairo', ['-q', '-pdf', ...only(page), file, printed]);
      return await drawnByPoppler(printed, 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

async function drawnByPoppler(file: string, page: number): Promise<GrayPicture | undefined> {
  const argv = ['-q', '-cropbox', '-r', String(DPI), '-gray', '-png', '-singlefile', ...only(page), file, '-'];
  const png = await output('pdftocairo', argv);
  if (!png?.length) return undefined;
  const { width, height, data } = PNG.sync.read(png);
  return { width, height, levels: data.filter((_, index) => index % 4 === 0) };
}

function only(page: number): string[] {
  return ['-f', String(page), '-l', String(page)];
}

const run = promisify(execFile);

/** What a program writes; undefined where it fails or takes too long. */
async function output(program: string, argv: readonly string[]): Promise<Buffer | undefined> {
  const options = { encoding: 'buffer', timeout: MOST_MS, maxBuffer: MOST_BYTES, killSignal: 'SIGKILL' } as const;
  const ended = await run(program, argv, options).catch(() => undefined);
  return ended?.stdout;
}

/** `P5 width height 255`, each followed by white space, and comments; then a byte a pixel. */
function fromPgm(pgm: Buffer): GrayPicture | undefined {
  const [head = '', width, height] = /^P5\s(?:#.*\n)*(\d+) (\d+)\s255\s/u.exec(pgm.toString('latin1', 0, 200)) ?? [];
  if (head === '') return undefined;
  return { width: Number(width), height: Number(height), levels: pgm.subarray(head.length) };
}
