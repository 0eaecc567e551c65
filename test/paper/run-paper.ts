/**
 * What comes out for PDFs, beside what MuPDF and Poppler make of them.
 *
 *   npm run prove paper -- FOLDER...
 *
 * Prints every PDF below the folders on paper of its own size, and compares the number of pages, their size, and the
 * pictures of the first, second and last one. Each document that is not alike is named, with the kind of difference; the
 * last lines count the kinds. Exits with 1 when a document comes out otherwise than both renderers draw it. Public
 * collections are in the repositories of pdf.js, qpdf, pdfcpu, PDFBox, pikepdf, OCRmyPDF and others.
 *
 * Wants mutool and pdftocairo: apt-get install mupdf-tools poppler-utils.
 */

import { globSync } from 'node:fs';
import path from 'node:path';

import { systemClock } from '../../src/common/clock.ts';
import { Press } from '../../src/devices/press/press.ts';
import { comparePaper, KINDS, type Kind } from './compared-paper.ts';

/** Two programs and a worker are at work for each. */
const AT_ONCE = 2;
/** Sheets that are otherwise than all renderers draw them. */
const WRONG: readonly Kind[] = ['blank', 'pages', 'size', 'picture'];

async function main(folders: readonly string[]): Promise<number> {
  const files = folders.flatMap((folder) =>
    globSync('**/*.[pP][dD][fF]', { cwd: folder }).map((file) => path.join(folder, file)),
  );
  if (files.length === 0) {
    process.stderr.write('no PDF found: name a folder, as in npm run prove paper -- FOLDER\n');
    return 64;
  }
  await using press = new Press(systemClock);
  const counts = new Map<Kind, number>();
  const left = files.toSorted();
  const lane = async (): Promise<void> => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      const { kind, detail } = await comparePaper(press, file);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (kind !== 'alike') process.stdout.write(`${KINDS[kind]}: ${file}: ${detail}\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  process.stdout.write(`\n${files.length} documents\n`);
  for (const [kind, what] of Object.entries(KINDS)) {
    process.stdout.write(`${String(counts.get(kind as Kind) ?? 0).padStart(6)} ${what}\n`);
  }
  return WRONG.some((kind) => counts.has(kind)) ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
