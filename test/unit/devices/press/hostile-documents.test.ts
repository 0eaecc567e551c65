/**
 * Documents that are wrong in more than forty ways. Each ends in `done` or in `error` with a reason,
 * and the computer prints the next job.
 */

import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import { startStopwatch } from '../../../../src/common/stopwatch.ts';
import { Press } from '../../../../src/devices/press/press.ts';
import { buildPdf, deflateBomb, firstExtra, type PdfKnobs } from '../../../support/pdf-builder.ts';
import { fixtureDocument, PrintRoom } from '../../../support/print-room.ts';
import { A4, PLAIN } from '../../../support/print-settings.ts';
import { sidePixels } from '../../../support/side-pixels.ts';

const BOX = '/MediaBox [0 0 200 300]';
const FORM_LOOP = `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /A ${firstExtra()} 0 R >> >> /Length 5 >>\nstream\n/A Do\nendstream`;
/** Each level names the next twice: 2^40 pages in forty objects. */
const DOUBLING = Array.from({ length: 40 }, (_, level) => {
  const next = level === 39 ? 3 : firstExtra() + level + 1;
  return `<< /Type /Pages /Kids [${next} 0 R ${next} 0 R] /Count 2 >>`;
});

/** What comes out all the same: viewers and printers put up with it. */
const PRINTABLE: Readonly<Record<string, PdfKnobs>> = {
  'a sound document': {},
  'a version that does not exist': { header: '%PDF-9.9\n' },
  'a thousand bytes before the header': { before: 'x'.repeat(1_000) },
  'a byte order mark before the header': { before: '\xef\xbb\xbf' },
  'a page after the end': { after: '<html>'.repeat(300) },
  'a page count that is too high': { count: '99' },
  'a page count of nothing': { count: '0' },
  'a page count below nothing': { count: '-1' },
  'no page count': { tree: '<< /Type /Pages /Kids [3 0 R] >>' },
  'a page count that is a name': { count: '/Many' },
  'offsets that are a little wrong': { offset: (at) => at + 7 },
  'offsets that are all nothing': { offset: () => 0 },
  'no xref': { xref: '' },
  'an xref of text': { xref: 'xref\nnothing to see here\n' },
  'startxref beyond the end': { startxref: 'startxref\n999999\n' },
  'no startxref': { startxref: '' },
  'no trailer': { trailer: '' },
  'no end mark': { end: '' },
  'no root in the trailer': { trailer: 'trailer\n<< /Size 5 >>\n' },
  'a root that is not a catalog': { trailer: 'trailer\n<< /Size 5 /Root 4 0 R >>\n' },
  'no media box': { page: '' },
  'a media box of nothing': { page: '/MediaBox [0 0 0 0]' },
  'a media box upside down': { page: '/MediaBox [0 300 200 0]' },
  'a media box of three numbers': { page: '/MediaBox [0 0 200]' },
  'a media box of names': { page: '/MediaBox [/a /b /c /d]' },
  'a media box far from the origin': { page: '/MediaBox [-9000 -9000 -8800 -8700]' },
  'a crop box beside the media box': { page: `${BOX} /CropBox [500 500 600 600]` },
  'a crop box that is a name': { page: `${BOX} /CropBox /x` },
  'a user unit': { page: `${BOX} /UserUnit 2` },
  'a user unit below nothing': { page: `${BOX} /UserUnit -2` },
  'a rotation of 450': { page: `${BOX} /Rotate 450` },
  'a rotation of 45': { page: `${BOX} /Rotate 45` },
  'a rotation that is a name': { page: `${BOX} /Rotate /Left` },
  'no contents': { contentsEntry: '' },
  'contents that are not there': { contentsEntry: '/Contents 99 0 R' },
  'contents that are the catalog': { contentsEntry: '/Contents 1 0 R' },
  'contents of which some are missing': { contentsEntry: '/Contents [4 0 R 99 0 R 3 0 R]' },
  'a stream shorter than it says': { contentLength: '99999' },
  'a stream longer than it says': { contentLength: '2' },
  'a stream of unknown length': { contentLength: '99 0 R' },
  'contents that mean nothing': { content: '(((( << /a BT ET Q Q Q [ ] ] ] \xff\x00' },
  'a hundred thousand saved states': { content: 'q '.repeat(100_000) },
  'a form that draws itself': {
    page: `${BOX} /Resources << /XObject << /A ${firstExtra()} 0 R >> >>`,
    content: '/A Do',
    extra: [FORM_LOOP],
  },
  'annotations that are a name': { page: `${BOX} /Annots /x` },
  'annotations that are not there': { page: `${BOX} /Annots [99 0 R null 7]` },
  'a form that is a number': { catalog: '<< /Type /Catalog /Pages 2 0 R /AcroForm 7 >>' },
  'a form whose fields name each other': {
    catalog: `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${firstExtra()} 0 R] >> >>`,
    extra: [`<< /FT /Tx /T (a) /Kids [${firstExtra()} 0 R] >>`],
  },
  'contents that do not inflate': { contentEntries: '/Filter /FlateDecode' },
  'contents under an unknown filter': { contentEntries: '/Filter /Magic' },
  'contents that are a picture': { contentEntries: '/Filter /DCTDecode' },
  'contents that inflate to 50 MB': { contentEntries: '/Filter /FlateDecode', content: deflateBomb(50) },
  'a page as wide as a town': { page: '/MediaBox [0 0 1000000000 1000000000]' },
  'a user unit of a thousand miles': { page: `${BOX} /UserUnit 75000` },
  'a page of a thousandth of a point': { page: '/MediaBox [0 0 0.001 0.001]' },
  'arrays in arrays, twenty thousand deep': { page: `${BOX} /X ${'['.repeat(20_000)}${']'.repeat(20_000)}` },
};

/** What cannot be printed, and the reason that is reported. */
const HOPELESS: Readonly<Record<string, readonly [PdfKnobs, string]>> = {
  'two thousand bytes before the header': [{ before: 'x'.repeat(2_000) }, 'is not a PDF'],
  'no header': [{ header: '' }, 'is not a PDF'],
  'bytes that were read as text': [
    { header: '%PDF-1.4\n%\x81\x82\x83\x84\n', finish: (file) => Buffer.from(file.toString('utf8')) },
    'as by reading them as text',
  ],
  'half of it': [{ pageCount: 9, finish: (file) => file.subarray(0, file.length * 0.02) }, 'is truncated'],
  'zeros in place of its objects': [{ finish: (file) => file.fill(0, 20, file.length - 20) }, 'the document'],
  'no catalog': [{ catalog: 'null' }, 'the document'],
  'no page tree': [{ tree: 'null' }, 'the document'],
  'no list of pages': [{ kids: 'null' }, 'has no pages'],
  'a page tree that contains itself': [{ kids: '[2 0 R]' }, 'in a circle'],
  'pages that are not there': [{ kids: '[99 0 R]' }, 'has no pages'],
  'pages that are numbers': [{ kids: '[7]' }, 'has no pages'],
  'a page that is its own parent': [{ page: '/Parent 3 0 R' }, 'in a circle'],
  'a trillion pages in forty objects': [{ kids: `[${firstExtra()} 0 R]`, extra: DOUBLING }, 'the document took'],
};

/** What takes more memory than there is, however long it may take. */
const TOO_LARGE: Readonly<Record<string, PdfKnobs>> = {
  'two contents that inflate to 600 MB each': {
    contentsEntry: '/Contents [4 0 R 4 0 R]',
    contentEntries: '/Filter /FlateDecode',
    content: deflateBomb(600),
  },
  'objects that inflate to 600 MB': {
    contentEntries: '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode',
    content: deflateBomb(600),
  },
};

const hastyRoom = new PrintRoom('laser-a4', { timeMs: 4_000, memoryMb: 256 });
const patientRoom = new PrintRoom('laser-a4', { timeMs: 60_000, memoryMb: 256 });
beforeAll(async () => {
  await Promise.all([hastyRoom, patientRoom].map((room) => room.computer.connect()));
});
afterAll(async () => {
  await Promise.all([hastyRoom, patientRoom].map((room) => room[Symbol.asyncDispose]()));
});

let jobs = 0;

/** Prints a document and returns what became of the job, `done` or the reason. */
async function fate(document: Uint8Array, room = hastyRoom): Promise<{ jobId: number; outcome: string }> {
  const jobId = ++jobs;
  await room.print({ jobId, content: Buffer.from(document).toString('base64') });
  const state = room.link.statesOf(jobId).at(-1) ?? 'nothing';
  return { jobId, outcome: state === 'error' ? (room.link.messageOf(jobId) ?? 'no reason') : state };
}

async function pdfOf(jobId: number): Promise<Uint8Array> {
  const [printout] = hastyRoom.printer.printouts(jobId);
  return printout?.kind === 'sheets' ? printout.pdf() : Buffer.of();
}

describe('a computer that is given a document with', () => {
  it.each(Object.entries(PRINTABLE))('%s prints a sheet, again the same', async (_, knobs) => {
    const first = await fate(buildPdf(knobs));
    const second = await fate(buildPdf(knobs));
    expect([first.outcome, second.outcome]).toEqual(['done', 'done']);
    const pdf = await pdfOf(first.jobId);
    expect(Buffer.compare(await pdfOf(second.jobId), pdf)).toBe(0);
    expect((await sidePixels(pdf)).width).toBe(595);
  });

  it.each(Object.entries(HOPELESS))(
    '%s reports why it cannot print it, and prints the next one',
    async (_, [knobs, reason]) => {
      const { jobId, outcome } = await fate(buildPdf(knobs));
      expect(outcome).toContain(reason);
      expect(hastyRoom.printer.printouts(jobId)).toEqual([]);
      expect((await fate(buildPdf())).outcome).toBe('done');
    },
  );

  it.each(Object.entries(TOO_LARGE))(
    '%s reports that it takes too much memory, and prints the next one',
    async (_, knobs) => {
      const { jobId, outcome } = await fate(buildPdf(knobs), patientRoom);
      expect(outcome).toContain('memory');
      expect(patientRoom.printer.printouts(jobId)).toEqual([]);
      expect((await fate(buildPdf(), patientRoom)).outcome).toBe('done');
    },
    60_000,
  );
});

describe('documents with passwords and forms', () => {
  it('opens a document that only its owner may change', async () => {
    await using press = new Press(systemClock);
    const { pdf } = await press.sheetsOf(fixtureDocument('owner-password.pdf'), PLAIN);
    expect(await press.textOf(pdf, 1)).toContain('for your eyes only');
  });

  it('prints the fields of a form as they look, but for hidden ones', async () => {
    await using press = new Press(systemClock);
    const { pdf } = await press.sheetsOf(fixtureDocument('form.pdf'), PLAIN);
    const text = await press.textOf(pdf, 1);
    expect(text).toContain('Front Desk');
    expect(text).not.toContain('not for print');
    const pixels = await sidePixels(pdf);
    const ticked = [...pixels.all()].filter(([red]) => red < 100).length;
    const plain = await press.sheetsOf(await withoutFields(fixtureDocument('form.pdf')), PLAIN);
    const unticked = [...(await sidePixels(plain.pdf)).all()].filter(([red]) => red < 100).length;
    expect(ticked).toBeGreaterThan(unticked + 200);
  });
});

describe('large pages', () => {
  it('find no paper where the printer takes the size of the page', async () => {
    await using press = new Press(systemClock);
    const wide = buildPdf({ page: `${BOX} /UserUnit 75000` });
    await expect(press.sheetsOf(wide, PLAIN)).rejects.toThrow('no paper is as large as 15000000 ×');
  });
});

describe('long documents', () => {
  it('come out 4-up in under two seconds for 500 pages', async () => {
    await using press = new Press(systemClock);
    const document = await textPages(500, 20);
    await press.sheetsOf(fixtureDocument('invoice.pdf'), PLAIN);
    const elapsedMs = startStopwatch();
    const { sheets } = await press.sheetsOf(document, { ...PLAIN, nup: 4, paper: A4 });
    expect(elapsedMs()).toBeLessThan(2_000);
    expect(sheets).toHaveLength(125);
  });

  it('come out whole for 5,000 pages', async () => {
    await using press = new Press(systemClock);
    const document = await textPages(5_000, 1);
    const { sheets } = await press.sheetsOf(document, { ...PLAIN, duplex: 'long-edge' });
    expect(sheets).toHaveLength(2_500);
    expect(sheets.at(-1)?.sides[1]?.sourcePages).toEqual([5_000]);
    // The press itself gives up after twenty seconds, and the document has to be made.
  }, 40_000);
});

async function withoutFields(bytes: Uint8Array): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes);
  const form = document.getForm();
  for (const field of form.getFields()) form.removeField(field);
  return document.save({ updateFieldAppearances: false });
}

async function textPages(count: number, lines: number): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont('Helvetica');
  for (let page = 1; page <= count; page++) {
    const sheet = document.addPage([A4.widthPt, A4.heightPt]);
    for (let line = 0; line < lines; line++) {
      sheet.drawText(`Page ${page}, line ${line}: a row of an ordinary report`, {
        x: 60,
        y: 760 - line * 30,
        size: 11,
        font,
      });
    }
  }
  return document.save({ objectsPerTick: Number.POSITIVE_INFINITY });
}
