/**
 * What a document may try: to keep its printer busy for long, so that a sound one for another printer has to wait; to
 * end what draws it; and to hold up everybody by its size alone.
 */

import { sleep, systemClock } from '../../../src/common/clock.ts';
import { startStopwatch } from '../../../src/common/stopwatch.ts';
import { buildPdf, deflateBomb, endlessPicture, firstExtra } from '../../support/pdf-builder.ts';
import { tried, type Attack, type AttackTable } from '../attack.ts';
import type { AttackedBench } from '../attacked-bench.ts';
import { busyFactor } from '../busy.ts';

/** How soon the sheet of a sound document has to be there. */
const SHEET_LIMIT_MS = 5_000;
const IN_TIME = 'its sheet in time';

const MEGABYTE = 1024 * 1024;
const BOX = '/MediaBox [0 0 200 300]';

/** Each level names the next twice. */
function doubling(levels: number, made: (next: number, isLast: boolean) => string): string[] {
  return Array.from({ length: levels }, (_, level) => {
    const isLast = level === levels - 1;
    return made(isLast ? 3 : firstExtra() + level + 1, isLast);
  });
}

const PAGES = doubling(40, (next) => `<< /Type /Pages /Kids [${next} 0 R ${next} 0 R] /Count 2 >>`);
const FORMS = doubling(40, (next, isLast) => {
  const drawn = isLast ? '' : '/A Do /A Do';
  return `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /A ${next} 0 R >> >> /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`;
});
const DRAWS_FIRST = `${BOX} /Resources << /XObject << /A ${firstExtra()} 0 R >> >>`;

function picture(width: number, height: number): string {
  return `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Length 1 >>\nstream\nx\nendstream`;
}

/** Made when their row is played. */
const DOCUMENTS: Readonly<Record<string, () => Uint8Array>> = {
  'a page tree that contains itself': () => buildPdf({ kids: '[2 0 R]' }),
  'a trillion pages': () => buildPdf({ kids: `[${firstExtra()} 0 R]`, extra: PAGES }),
  'another trillion pages': () => buildPdf({ kids: `[${firstExtra()} 0 R]`, extra: [...PAGES, 'null'] }),
  'a count of 2147483647 pages': () => buildPdf({ count: '2147483647' }),
  '100,000 pages': () => buildPdf({ kids: `[${'3 0 R '.repeat(100_000)}]`, count: '100000' }),
  'a form that draws itself': () =>
    buildPdf({
      page: DRAWS_FIRST,
      content: '/A Do',
      extra: FORMS.slice(0, 1).map((form) => form.replace('/A 3', `/A ${firstExtra()}`)),
    }),
  'a trillion forms': () => buildPdf({ page: DRAWS_FIRST, content: '/A Do', extra: FORMS }),
  'a page of 1e9 points': () => buildPdf({ page: '/MediaBox [0 0 1000000000 1000000000]' }),
  'contents that inflate to 1 GB': () =>
    buildPdf({ contentEntries: '/Filter /FlateDecode', content: deflateBomb(1_000) }),
  'objects that inflate to 600 MB': () =>
    buildPdf({ contentEntries: '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', content: deflateBomb(600) }),
  'contents of 21 MB': () => buildPdf({ content: Buffer.alloc(21 * MEGABYTE, 'q Q ') }),
  'a picture of 60,000 × 60,000': () =>
    buildPdf({ page: DRAWS_FIRST, content: '/A Do', extra: [picture(60_000, 60_000)] }),
  '200,000 annotations': () => buildPdf({ page: `${BOX} /Annots [${'<< /Subtype /Square >> '.repeat(200_000)}]` }),
  'lists in lists, a million deep': () =>
    buildPdf({ page: `${BOX} /X ${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}` }),
  '20 MB of comments': () => buildPdf({ header: `%PDF-1.4\n${'%'.repeat(20 * MEGABYTE)}\n` }),
  '20 MB of blanks': () => buildPdf({ header: `%PDF-1.4\n${' '.repeat(20 * MEGABYTE)}\n` }),
  junk: () => Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(MEGABYTE, '9 0 obj << /A ')]),
  '36 MB of nothing': () => Buffer.alloc(36 * MEGABYTE),
};

interface PrinterSeen {
  readonly id: number;
  readonly name: string;
}

async function printerNamed(bench: AttackedBench, name: string): Promise<number> {
  const { text } = await bench.call('GET', '/printers');
  return (JSON.parse(text) as readonly PrinterSeen[]).find((printer) => printer.name === name)?.id ?? 0;
}

async function print(bench: AttackedBench, printer: string, document: Uint8Array, kind = 'pdf'): Promise<number> {
  const printerId = await printerNamed(bench, printer);
  const content = Buffer.from(document).toString('base64');
  const { text } = await bench.call('POST', '/printjobs', {
    printerId,
    title: 'x',
    contentType: `${kind}_base64`,
    content,
  });
  return Number(text);
}

/** Documents of their own: what was pressed before is not pressed again. */
let pages = 0;

async function soundSheet(bench: AttackedBench): Promise<string> {
  pages++;
  return sheetOf(bench, await print(bench, 'Office MFP', buildPdf({ content: `${pages} ${pages} 100 150 re f` })));
}

async function sheetOf(bench: AttackedBench, jobId: number): Promise<string> {
  const elapsedMs = startStopwatch();
  const limitMs = SHEET_LIMIT_MS * busyFactor();
  while (elapsedMs() < limitMs) {
    const { status } = await bench.ask('GET', `/_platen/jobs/${jobId}/sheets.pdf`);
    if (status === 200) return IN_TIME;
    await sleep(systemClock, 20);
  }
  return `no sheet after ${limitMs} ms`;
}

/** They go to two printers, turn by turn, and are not waited for. */
const BAD_PRINTERS = ['Laser', 'Unknown Printer'];

const heldUp = Object.entries(DOCUMENTS).map(([what, made], index) =>
  tried(`${what}, and then a sound document for another printer`, IN_TIME, async (bench) => {
    await print(bench, BAD_PRINTERS[index % BAD_PRINTERS.length] ?? '', made());
    return soundSheet(bench);
  }),
);

/** In a printer's own language, as large as a request may be. */
const RAW: Readonly<Record<string, () => Uint8Array>> = {
  labels: () => Buffer.alloc(36 * MEGABYTE, '^XA^FDx^FS^XZ'),
  carets: () => Buffer.alloc(36 * MEGABYTE, '^A'),
  cuts: () => Buffer.concat([Buffer.from('\x1b@'), Buffer.alloc(36 * MEGABYTE, '\x1dV0')]),
  'form feeds': () => Buffer.alloc(36 * MEGABYTE, 'x\f'),
};

const raw = Object.entries(RAW).map(([what, made]) =>
  tried(`36 MB of ${what} in a printer's own language`, IN_TIME, async (bench) => {
    await print(bench, 'Label 4x6', made(), 'raw');
    return soundSheet(bench);
  }),
);

const undrawable: Attack = tried(
  'a picture that ends what draws it, while the picture of a sound document is asked for',
  '422 CannotBeDrawn, 200',
  async (bench) => {
    const [bad, sound] = [
      await print(bench, 'Office MFP', endlessPicture()),
      await print(bench, 'Office MFP', buildPdf()),
    ];
    for (const jobId of [bad, sound]) await sheetOf(bench, jobId);
    const [refused, drawn] = await Promise.all(
      [bad, sound].map((jobId) => bench.ask('GET', `/_platen/jobs/${jobId}/sheets/1.png`)),
    );
    const { code } = JSON.parse(refused?.text ?? '{}') as { readonly code?: string };
    return `${refused?.status} ${code}, ${drawn?.status}`;
  },
);

export const DOCUMENT_ATTACKS: AttackTable = {
  kind: 'a document',
  against: 'bench',
  attacks: [undrawable, ...heldUp, ...raw],
};
