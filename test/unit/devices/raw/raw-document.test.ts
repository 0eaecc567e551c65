import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { recogniseRaw, type RawContent } from '../../../../src/devices/raw/raw-document.ts';
import { fixtureDocument, PrintRoom } from '../../../support/print-room.ts';

const LABEL = '^XA^FO40,40^A0N,60,60^FDPRIORITY^FS^XZ\n';
const UEL = '\x1b%-12345X';

function recognise(text: string): RawContent {
  return recogniseRaw(Buffer.from(text, 'latin1'));
}

describe('the language of a RAW document', () => {
  it.each([
    ['nothing', '', 'empty'],
    ['a PDF with blank lines before', '\n\n%PDF-1.7\n', 'pdf'],
    ['a PJL wrapper alone', `${UEL}@PJL INFO STATUS\r\n${UEL}`, 'pjl'],
    ['PostScript in a PJL wrapper', `${UEL}@PJL ENTER LANGUAGE = POSTSCRIPT\n%!PS\nshowpage\n`, 'postscript'],
    ['PCL XL in a PJL wrapper', `${UEL}@PJL ENTER LANGUAGE=PCLXL\n) HP-PCL XL;2;0\n`, 'pcl-xl'],
    ['a PDF in a PJL wrapper', `${UEL}@PJL ENTER LANGUAGE=PDF\n%PDX`, 'pdf'],
    ['PostScript after an end of transmission', '\x04%!PS-Adobe-3.0\n', 'postscript'],
    ['PCL XL', ') HP-PCL XL;2;0;Comment\n', 'pcl-xl'],
    ['PCL', '\x1bE\x1b&l0OHello\f\x1bE', 'pcl'],
    ['ESC/POS that begins with emphasised print', '\x1bE\x01TOTAL\n\x1dV\0', 'esc-pos'],
    ['ESC/POS', '\x1b@\x1ba\x01Shop\n', 'esc-pos'],
    ['a status request of ESC/POS', '\x10\x04\x01\x1b@\x1dV\0', 'esc-pos'],
    ['ESC/P of a dot matrix printer', '\x1b@\x1bP\x1b3\x18Hello\r\n', 'esc-p'],
    ['Star line mode', '\x1b@\x1b\x1da\x01Shop\n\x1bd\x02', 'star'],
    ['a picture', '\x89PNG\r\n\x1a\n', 'raster'],
    ['a CUPS raster', 'RaS2', 'raster'],
    ['ZPL', LABEL, 'zpl'],
    ['ZPL after the settings a driver sends', '\x10CT~~CD,~CC^~CT~\n^XA~TA000^XZ', 'zpl'],
    ['EPL', '\nN\nq609\nQ203,26\nA26,26,0,3,1,1,N,"Hi"\nP1\n', 'epl'],
    ['CPCL', '! 0 200 200 210 1\r\nTEXT 4 0 30 40 Hi\r\nPRINT\r\n', 'cpcl'],
    ['a CPCL session', '! U1 setvar "device.languages" "zpl"\r\n', 'cpcl'],
    ['TSPL', 'SIZE 4,6\r\nGAP 0.12,0\r\nCLS\r\nPRINT 1,1\r\n', 'tspl'],
    ['DPL', '\x02n\r\x02L\rH07\r121100001000100Hi\rE\r', 'dpl'],
    ['SBPL', '\x02\x1bA\x1bV100\x1bQ2\x1bZ\x03', 'sbpl'],
    ['text', 'Dear customer,\r\n\fsee you.\n', 'text'],
    ['text beyond ASCII', Buffer.from('Größe: 두꺼운 용지\n').toString('latin1'), 'text'],
    ['a page of a web server', '<!DOCTYPE html><html>', 'text'],
    ['NULs', '\0\0\0\0', 'unknown'],
  ])('is recognised in %s', (_, text, language) => {
    expect(recognise(text).language).toBe(language);
  });
});

describe('the count of a RAW document', () => {
  it.each([
    ['a label', LABEL, 1],
    ['a label five times', LABEL.replace('^XZ', '^PQ5,0,1,Y^XZ'), 5],
    ['a quantity of 0, which is 1', LABEL.replace('^XZ', '^PQ0,1,,N^XZ'), 1],
    ['a template without its data', LABEL.replace('^XZ', '^PQ1<#if x>^XZ'), 1],
    ['settings, which print nothing', `^XA^MCY^XZ^XA~TA000^JUS^LRN^CI28^XZ${LABEL}`, 1],
    ['a deletion, which prints nothing', `${LABEL}^XA^IDR:LABEL.GRF^FS^XZ`, 1],
    ['a stored template, and a label made of it', `^XA^DFE:T.ZPL^FS^FO1,1^FN1^FS^XZ^XA^XFE:T.ZPL^FN1^FDx^FS^XZ`, 1],
    ['a field without data', '^XA^FO1,1^FD^FS^XZ', 0],
    ['a label begun again after something was drawn', '^XA^FDx^FS^XA^XZ', 1],
    ['a changed prefix of control commands', '^XA^CT+^XZ+CC@@XA@FDx@FS@XZ', 1],
    ['a label begun twice', `^XA${LABEL}`, 1],
    ['a label that is not ended', `${LABEL}^XA^FDx^FS`, 1],
    ['lower case', '^xa^fo1,1^fdx^fs^xz', 1],
    ['another prefix', '^XA^CC+^XZ+XA+FDx+FS+XZ'.replace('^XZ', '+XZ'), 1],
    ['binary graphics that look like labels', '^XA^GFB,20,20,1,^XZ^XA^FDa^FS^XZ^XA^FS^XZ', 1],
  ])('is of labels for ZPL: %s', (_, text, labels) => {
    expect(recognise(text)).toMatchObject({ language: 'zpl', counted: 'labels', count: labels });
  });

  it.each([
    ['EPL, sets times copies', 'N\nA1,1,0,1,1,1,N,"x"\nP2,3\nN\nP1\n', 7],
    ['EPL, past its pictures', 'N\nGW1,1,1,4,\nP9\n\nP1\n', 1],
    ['CPCL, its quantity for each print', '! 0 200 200 210 4\r\nPRINT\r\n! 0 200 200 210 1\r\nPRINT\r\n', 5],
    ['TSPL, sets times copies', 'SIZE 4,6\r\nCLS\r\nPRINT 2,3\r\nCLS\r\nPRINT 1\r\n', 7],
    ['TSPL, past its pictures', 'CLS\r\nBITMAP 0,0,1,10,1,\r\nPRINT 9\r\nPRINT 1\r\n', 1],
    ['DPL', '\x02L\rH07\rQ0003\rE\r\x02L\rE\r', 4],
    ['SBPL', '\x1bA\x1bQ2\x1bZ\x1bA\x1bZ', 3],
  ])('is of labels for %s', (_, text, labels) => {
    expect(recognise(text)).toMatchObject({ counted: 'labels', count: labels });
  });

  it.each([
    ['no cut', '\x1b@\x1ba\x01Hello\n', 1],
    ['two cuts', '\x1b@\x1ba\x01A\n\x1dV\0B\n\x1dVB\x00', 2],
    ['a feed before the cut that looks like a cut', '\x1b@\x1dVB\x1dV\0x', 1],
    ['the old cuts', '\x1b@A\n\x1biB\n\x1bm', 2],
    ['a picture of cuts', `\x1b@\x1dv0\0\x03\0\x02\0${'\x1dV\0'.repeat(2)}\x1dV\0`, 1],
    ['a picture in columns', `\x1b@\x1ba0\x1b*!\x02\0${'\x1dV\0'.repeat(2)}\x1dV\0`, 1],
    ['a stored picture', `\x1b@x\n\x1d(L\x06\0${'\x1dV\0'.repeat(2)}\x1dV\0`, 1],
    ['a barcode', '\x1b@\x1dkI\x03\x1dV\0\x1dV\0', 1],
  ])('is of receipts for ESC/POS: %s', (_, text, receipts) => {
    expect(recognise(text)).toMatchObject({ language: 'esc-pos', counted: 'receipts', count: receipts });
  });

  it.each([
    ['PCL, two form feeds', '\x1bEone\ftwo\f\x1bE', 2],
    ['PCL, a page that only the reset ends', '\x1bEone\ftwo\x1bE', 2],
    ['PCL, three copies', '\x1bE\x1b&l3Xone\ftwo\f\x1bE', 6],
    ['PCL, a paper of number 26', '\x1bE\x1b&l26Ax\f\x1bE', 1],
    ['PCL, form feeds in a picture', '\x1bE\x1b*b2m3W\f\f\f\f\x1bE', 1],
    ['PCL, a letter after a picture', '\x1bE\x1b(s4W\f\f\f\fx\f\x1bE', 1],
    ['PCL, copies of the wrapper', `${UEL}@PJL SET COPIES = 4\n@PJL ENTER LANGUAGE=PCL\n\x1bEx\f\x1bE${UEL}`, 4],
    ['PostScript that announces its pages', '%!PS-Adobe-3.0\n%%Pages: 3\nshowpage showpage showpage\n', 3],
    ['PostScript that announces them at the end', '%!PS\n%%Pages: (atend)\nshowpage\n%%Pages: 1\n', 1],
    ['PostScript that announces them twice, of which the last counts', '%!PS\n%%Pages: 7\n%%Pages: 2\n', 2],
    ['PostScript that announces nothing', '%!PS\nshowpage\n/x 1 def showpage\n', 2],
    ['PostScript with copies', '%!PS\n/#copies 5 def\n%%Pages: 2\n', 10],
    ['text of 67 lines', 'line\n'.repeat(67), 2],
    ['text of 66 lines', 'line\n'.repeat(66), 1],
    ['text with form feeds', 'one\ftwo\f', 2],
  ])('is of pages for %s', (_, text, pages) => {
    expect(recognise(text)).toMatchObject({ counted: 'pages', count: pages });
  });

  it.each([
    ['a PDF', '%PDF-1.7', 'a PDF sent as RAW'],
    ['PostScript that lies', '%!PS\n%%Pages: 9\nshowpage\n', 'its text has showpage 1 times'],
    ['a web page', '<html>', 'it looks like an HTML page'],
    ['a macro', '\x1b@\x1d:\x1dV\0\x1d:\x1d^\xff\0\0', 'it runs a macro'],
    ['a label that is not ended', '^XA^FDx^FS', 'its last label is not ended by ^XZ'],
  ])('comes with a note for %s', (_, text, note) => {
    expect(recognise(text).note).toContain(note);
  });

  it('is right for the documents that ship with platen', () => {
    expect(recogniseRaw(fixtureDocument('zpl-label.zpl'))).toEqual({
      language: 'zpl',
      counted: 'labels',
      count: 1,
      note: null,
    });
    expect(recogniseRaw(fixtureDocument('receipt.escpos'))).toMatchObject({ language: 'esc-pos', count: 1 });
    expect(recogniseRaw(fixtureDocument('invoice.pdf'))).toMatchObject({ language: 'pdf', count: null });
  });

  it.each([
    ['ZPL', LABEL],
    ['EPL', 'N\nA1,1,0,1,1,1,N,"x"\nP2,3\n'],
    ['TSPL', 'SIZE 4,6\r\nCLS\r\nPRINT 2,3\r\n'],
    ['CPCL', '! 0 200 200 210 4\r\nPRINT\r\n'],
    ['DPL', '\x02L\rQ0003\rE\r'],
    ['ESC/POS', '\x1b@\x1ba\x01A\n\x1dV\0'],
    ['PCL', '\x1bEone\ftwo\f\x1bE'],
    ['text', 'one\f'],
  ])('adds up when %s documents are sent one after another', (_, document) => {
    const once = recognise(document).count ?? 0;
    expect(once).toBeGreaterThan(0);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), (times) => {
        expect(recognise(document.repeat(times)).count).toBe(once * times);
      }),
    );
  });
});

describe('a RAW printout', () => {
  it('says what it is, and keeps the bytes', async () => {
    await using room = await PrintRoom.connected('label-4x6');
    const label = fixtureDocument('zpl-label.zpl');
    await room.print({ contentType: 'raw_base64', content: label.toString('base64') });
    const [printout] = room.printer.printouts();
    expect(printout).toMatchObject({ kind: 'raw', length: label.length });
    expect(printout).toMatchObject({ content: { language: 'zpl', counted: 'labels', count: 1, note: null } });
  });
});

describe('a hostile RAW document', () => {
  const pieces = ['^XA', '^XZ', '^FDx', '^PQ9', '~DY', '^GFB,9,9,9,', '\x1b@', '\x1b*', '\x1d(L', '\x1dk', '\x1bE'];
  const more = ['\x1b&l9X', '\x1b*b9W', UEL, '@PJL ENTER LANGUAGE=PCL', '%!', '%%Pages: 1', '\nP1\n', '! 0 2 2 2 2'];
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...pieces, ...more), fc.string({ unit: 'binary', maxLength: 5 })), {
      maxLength: 40,
    })
    .map((parts) => Buffer.from(parts.join(''), 'latin1'));

  it('never throws and is never altered, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.uint8Array({ maxLength: 300 })), (bytes) => {
        const before = Buffer.from(bytes);
        const { count } = recogniseRaw(bytes);
        expect(Buffer.compare(before, bytes)).toBe(0);
        expect(count === null || (Number.isSafeInteger(count) && count >= 0)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['ZPL', LABEL.replace('^XZ', '^PQ99999999^XZ'), 'it asks for 99999999 labels'],
    ['EPL', 'N\nA1,1,0,1,1,1,N,"x"\nP999999999,999999999\n', 'labels; counting stops at 100000'],
    ['TSPL', 'CLS\r\nPRINT 999999999\r\n', 'it asks for 999999999 labels'],
    ['CPCL', '! 0 200 200 210 99999999\r\nPRINT\r\n', 'it asks for 99999999 labels'],
    ['PCL', '\x1bE\x1b&l32767X\f\f\f\f\f\x1bE', 'it asks for 163835 pages'],
    ['PostScript', '%!PS\n%%Pages: 999999999\n/#copies 9999 def\n', 'pages; counting stops at 100000'],
    [
      'PJL around PCL',
      `${UEL}@PJL SET COPIES=999999999\n@PJL ENTER LANGUAGE=PCL\n\x1bE\f\x1bE`,
      'it asks for 999999999 pages',
    ],
  ])('of %s asks for no more than is counted', (_, text, note) => {
    expect(recognise(text)).toMatchObject({ count: 100_000 });
    expect(recognise(text).note).toContain(note);
  });

  // Any work that grew with the square of the length would run for hours.
  it.each([
    '^',
    '^XA',
    '^XA^FDx',
    '^PQ1',
    '~DYR:A,B,',
    '^CC',
    '\f',
    '\n',
    ' ',
    'a',
    '\x1b',
    '\x1b@',
    '\x1d',
    '\x1dk',
    '\x1d(L',
    '\x1b&l',
    '\x1b*b1m',
    '%!',
    '%!\n%%Pages:',
    '%!/#copies ',
    `${UEL}@PJL `,
    'N\nP1,',
    'N\nGW1,1,1,1,',
    '\x02L\r',
    '! 0 1 1 1 1\n',
    '! ',
    'PRINT \t',
    'CLS\nPRINT 1,',
    '\x1bA',
    '<html>',
    '\0',
    '%PDF-',
    '\x1bE\x1b(s1',
    '9',
  ])('of %j, over and over, takes time by its length', (piece) => {
    const text = piece.repeat(Math.ceil(2_000_000 / piece.length));
    expect(recognise(text).language).not.toBe('empty');
  });

  it('is read to a bound, and says so', () => {
    const long = recognise(LABEL.repeat(120_000));
    expect(long.count).toBe(100_000);
    expect(long.note).toContain('only the first 4194304 of 4680000 bytes were read');
  });
});
