import { PDFDocument } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../../../src/common/clock.ts';
import { LabelDrawing } from '../../../../src/devices/press/label-drawing.ts';
import { Press } from '../../../../src/devices/press/press.ts';
import type { LabelStock } from '../../../../src/devices/press/print-settings.ts';
import { labelStockOf } from '../../../../src/devices/printer/paper.ts';
import { PRINTER_PROFILES } from '../../../../src/devices/printer/printer-profile.ts';
import { fixtureDocument, PrintRoom } from '../../../support/print-room.ts';
import { pixelsOf } from '../../../support/png-pixels.ts';
import { PLAIN } from '../../../support/print-settings.ts';

const press = new Press(systemClock);
const hasty = new Press(systemClock, { timeMs: 3_000, memoryMb: 512 });
afterAll(() => Promise.all([press.close(), hasty.close()]));

/** 2 × 1 inch at 203 dpi. */
const SMALL: LabelStock = { widthMm: 50.8, heightMm: 25.4, dotsPerMm: 8 };
const BOX = '^XA^FO0,0^GB80,40,40^FS^XZ';

function drawing(zpl: string, stock: LabelStock | undefined = SMALL, by = press): LabelDrawing {
  return new LabelDrawing(Buffer.from(zpl, 'latin1'), stock, by);
}

/** A press that is to draw with this module. */
function pressWith(source: string, timeMs = 2_000): Press {
  const limits = { timeMs, memoryMb: 512 };
  return new Press(systemClock, limits, `data:text/javascript,${encodeURIComponent(source)}`);
}

async function pageSizes(pdf: Uint8Array | undefined): Promise<string[]> {
  const document = await PDFDocument.load(pdf ?? new Uint8Array());
  return document.getPages().map((page) => `${page.getWidth().toFixed(1)} × ${page.getHeight().toFixed(1)}`);
}

/** Left, top, right and bottom of what is black on a side, in points: at 72 dpi a pixel is one. */
async function inkOf(pdf: Uint8Array | undefined, side = 1): Promise<readonly number[]> {
  const { width, red } = pixelsOf(Buffer.from(await press.pngOf(pdf ?? new Uint8Array(), side, 72)));
  const dark = red.flatMap((value, index) => (value < 128 ? [[index % width, Math.floor(index / width)]] : []));
  const [across, down] = [0, 1].map((axis) => dark.map((point) => point[axis] ?? 0));
  return [
    Math.min(...(across ?? [])),
    Math.min(...(down ?? [])),
    Math.max(...(across ?? [])) + 1,
    Math.max(...(down ?? [])) + 1,
  ];
}

describe('labels in ZPL', () => {
  it('are pages of the size of the stock, as many as come out', async () => {
    const three = drawing(`${BOX}^XA^FO9,9^A0N,30,30^FDtwice^FS^PQ2^XZ`);
    expect(three.sides(3)).toBe(3);
    expect(three.notDrawn(3)).toBeNull();
    expect(await pageSizes(await three.pdf(3))).toEqual(Array.from({ length: 3 }, () => '144.0 × 72.0'));
    expect(await pageSizes(await three.pdf(2))).toHaveLength(2);
  });

  it.each([
    [8, [0, 0, 28, 14]],
    [24, [0, 0, 9, 5]],
  ])('are as large as %i dots a millimetre make them, from the upper left corner', async (dotsPerMm, ink) => {
    const box = drawing(BOX, { ...SMALL, dotsPerMm });
    const seen = await inkOf(await box.pdf(1));
    for (const [index, edge] of ink.entries()) expect(Math.abs((seen[index] ?? -9) - edge)).toBeLessThan(1.5);
  });

  it('are shown as they are read, also where ^POI turns them in the printer', async () => {
    const [left = 9, top = 9] = await inkOf(await drawing(BOX.replace('^FO', '^POI^FO')).pdf(1));
    expect([left, top]).toEqual([0, 0]);
  });

  it('come out in their order, each copy after its first', async () => {
    const wide = '^XA^FO0,0^GB200,20,20^FS^XZ';
    const pdf = await drawing(`${BOX.replace('^XZ', '^PQ2^XZ')}${wide}`).pdf(3);
    const rights = await Promise.all([1, 2, 3].map(async (side) => (await inkOf(pdf, side))[2] ?? 0));
    expect(rights.map((right) => right > 50)).toEqual([false, false, true]);
  });

  it('are the same bytes each time, on another press too', async () => {
    await using another = new Press(systemClock);
    const label = fixtureDocument('zpl-label.zpl').toString('latin1');
    const first = await drawing(label).pdf(1);
    expect(await drawing(label).pdf(1)).toEqual(first);
    expect(await drawing(label, SMALL, another).pdf(1)).toEqual(first);
  });

  it.each([
    [
      'a stored template that a label is made of',
      '^XA^DFE:T.ZPL^FS^FO0,0^FN1^A0N,30,30^FS^XZ^XA^XFE:T.ZPL^FN1^FDx^FS^XZ',
    ],
    ['settings before a label', `^XA^MCY^XZ^XA~TA000^JUS^LRN^CI28^XZ${BOX}`],
    ['a changed prefix', '^XA^CC+^XZ+XA+FO0,0+GB80,40,40+FS+XZ'],
    ['binary graphics that look like labels', '^XA^FO0,0^GFB,20,20,1,^XZ^XA^FDa^FS^XZ^XA^^FS^XZ'],
    ['letters beyond ASCII', Buffer.from('^XA^CI28^FO0,0^A0N,60,60^FDGröße^FS^XZ').toString('latin1')],
    ['lower-case commands', '^xa^fo0,0^a0n,60,60^fdGr^fs^xz'],
    ['letters of an old code page', '^XA^CI27^FO0,0^A0N,60,60^FDGr\xf6\xdfe^FS^XZ'],
  ])('are drawn with %s', async (_, zpl) => {
    const one = drawing(zpl);
    expect([await pageSizes(await one.pdf(1)), one.notDrawn(1)]).toEqual([['144.0 × 72.0'], null]);
    const [left = 99] = await inkOf(await one.pdf(1));
    expect(left).toBeLessThan(10);
  });

  it.each(['0', 'A', 'Q'])('name the letters that are boxes in font %s, and no others', async (font) => {
    const labelOf = (letter: string): LabelDrawing =>
      drawing(Buffer.from(`^XA^CI28^FO0,0^A${font}N,60,60^FD${letter}^FS^XZ`).toString('latin1'));
    const pictureOf = async (letter: string): Promise<string> =>
      Buffer.from(await press.pngOf((await labelOf(letter).pdf(1)) ?? new Uint8Array(), 1, 203.2)).toString('base64');
    const box = await pictureOf('\uE123');
    for (const letter of ['k', 'é', 'ą', 'ā', 'Ł', '€', 'Ω', 'Ж', 'א', '漢', '😀']) {
      const isBox = (await pictureOf(letter)) === box;
      expect(labelOf(letter).notDrawn(1)).toBe(isBox ? `letters that the font has not: ${letter}` : null);
    }
  });

  it('name no letters of bar codes', () => {
    expect(drawing(Buffer.from('^XA^CI28^CF0^BQN,2,4^FDQA,漢^FS^XZ').toString('latin1')).notDrawn(1)).toBeNull();
  });

  it('have the data of their fields as text, whether they are drawn or not', () => {
    const zpl = '^XA^FO1,1^FDPRIORITY^FS^FO1,9^FD0123^FS^PQ2^XZ^XA^FDGr\xc3\xb6\xc3\x9fe^FS^XZ';
    const texts = ['PRIORITY\n0123', 'PRIORITY\n0123', 'Größe'];
    expect(drawing(zpl).texts(3)).toEqual(texts);
    expect(drawing(zpl).texts(1)).toEqual(texts.slice(0, 1));
    expect(new LabelDrawing(Buffer.from(zpl, 'latin1'), undefined, press).texts(3)).toEqual(texts);
  });
});

/** Data and parameters that each of them takes. */
const BARCODES: readonly string[] = [
  '^B2N,40^FD12345678',
  '^B3N,N,40^FD12345',
  '^B7N,8^FD12345',
  '^BCN,40^FD12345',
  '^BD2^FH^FD001840152382802[)>_1E01_1D961Z00004951_1DUPSN_1D_06X610_1D159_1D1234567_1D1/1_1D_1DY_1D634 ALPHA DR_1DPITTSBURGH_1DPA_1E_04',
  '^BEN,40^FD123456789012',
  '^BON,4^FD12345',
  '^BQN,2,4^FDQA,12345',
  '^BXN,4,200^FD12345',
];

describe('a barcode of a label', () => {
  it.each(BARCODES)('is drawn with %s', async (barcode) => {
    const one = drawing(`^XA^FO9,9${barcode}^FS^XZ`);
    const asText = drawing(`^XA^FO9,9${barcode.replace(/^.B[^^]*/, '')}^FS^XZ`);
    expect(await inkOf(await one.pdf(1))).not.toEqual(await inkOf(await asText.pdf(1)));
  });
});

describe('labels in ZPL without a picture', () => {
  it('are those of a printer that prints no labels', async () => {
    const none = new LabelDrawing(Buffer.from(BOX), undefined, press);
    expect([none.sides(1), none.notDrawn(1), await none.pdf(1)]).toEqual([
      0,
      'the printer is not a label printer',
      undefined,
    ]);
  });

  it('are those past the twenty-fifth', async () => {
    const many = drawing(BOX.repeat(30));
    expect(many.notDrawn(30)).toBe('of 30 labels only the first 25 are drawn');
    expect(await pageSizes(await many.pdf(30))).toHaveLength(25);
    expect(drawing(BOX.replace('^XZ', '^PQ99999999^XZ')).sides(1_000)).toBe(1_000);
  });

  it('are those on paper that is larger than any', async () => {
    const wide = drawing(BOX, { ...SMALL, widthMm: 3_000, heightMm: 3_000 });
    expect(await wide.pdf(1)).toBeUndefined();
    expect(wide.notDrawn(1)).toBe('its labels are too large');
  });

  it.each('0 1 4 5 8 9 A B F I J K L M P R S T U Z'.split(' '))(
    'are all where one has the barcode ^B%s',
    async (letter) => {
      const none = drawing(`${BOX}^XA^FO9,9^B${letter}N^FD12345^FS^XZ`);
      const why = expect.stringContaining(`the renderer does not draw the barcode ^B${letter} (`);
      expect([none.sides(2), none.notDrawn(2), await none.pdf(2)]).toEqual([0, why, undefined]);
    },
  );

  it('are not those with a barcode in a label that does not come out', async () => {
    const one = drawing(`${BOX}^XA^FO9,9^BUN^FD12345678901`);
    expect([one.notDrawn(1), await pageSizes(await one.pdf(1))]).toEqual([null, ['144.0 × 72.0']]);
  });

  it.each([
    ['cannot be loaded', 'throw new Error("broken")', 'could not be loaded: broken'],
    ['throws', renderer('throw new Error("no way")'), "the renderer says 'no way'"],
    ['draws another number of labels', renderer('return []'), 'its labels are 1, of which the renderer draws 0'],
    ['draws something else', renderer('return [btoa("GIF89a")]'), 'makes pictures of a kind'],
    ['never ends', renderer('for (;;);'), 'took longer than 2s'],
    ['never answers', renderer('await new Promise(() => {})'), 'took longer than 2s'],
    ['ends its thread', renderer('process.exit(1)'), 'the worker ended'],
    [
      'takes all memory',
      renderer('const kept = []; for (;;) kept.push(new Uint8Array(1e7).fill(1))'),
      'took more than 512 MB of memory',
      // A busy machine takes a while to fill it.
      20_000,
    ],
  ])('are those of a renderer that %s; the press lives on', async (_, source, why, timeMs?: number) => {
    await using odd = pressWith(source, timeMs);
    const none = drawing(BOX, SMALL, odd);
    expect(await none.pdf(1)).toBeUndefined();
    expect([none.sides(1), none.notDrawn(1)]).toEqual([0, expect.stringContaining(why)]);
    const pdf = fixtureDocument('invoice.pdf');
    expect((await odd.sheetsOf(pdf, PLAIN)).sheets).toHaveLength(1);
  });

  it.each([
    ['a box without bounds', '^XA^FO0,0^GB999999999,999999999,999999999^FS^XZ'],
    ['graphics that lie about their size', '^XA^FO0,0^GFA,99999999,99999999,99999,FF^FS^XZ'],
    ['letters larger than any label', '^XA^FO0,0^A0N,32000,32000^FDWWWW^FS^XZ'],
    ['a barcode without end', `^XA^BY10^BCN,32000,Y,N,N^FD${'1'.repeat(3_000)}^FS^XZ`],
    ['a barcode that holds too much', `^XA^BQN,2,100^FDQA,${'x'.repeat(9_000)}^FS^XZ`],
    ['a template that calls itself', '^XA^DFE:T.ZPL^FS^XFE:T.ZPL^FS^FO1,1^FDx^FS^XZ^XA^XFE:T.ZPL^FDx^FS^XZ'],
    ['a hundred thousand fields', `^XA${'^FO1,1^A0N,30,30^FDxyz^FS'.repeat(100_000)}^XZ`],
    ['a label that says nothing the renderer knows', '^xa^fo1,1^fdx^fs^xz'],
    ['a bad graphic among good ones', '^XA^FO0,0^GFA,9,9,1,zz!!^FS^XZ'],
    [
      'bytes of any kind',
      `^XA^FD${Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('latin1')}^FS^XZ`,
    ],
  ])(
    'or with one, %s ends within the limits',
    async (_, zpl) => {
      const hostile = drawing(zpl, SMALL, hasty);
      const pdf = await hostile.pdf(1);
      expect(pdf === undefined).toBe(hostile.notDrawn(1) !== null);
      const next = drawing(BOX, SMALL, hasty);
      expect([await pageSizes(await next.pdf(1)), next.notDrawn(1)]).toEqual([['144.0 × 72.0'], null]);
    },
    60_000,
  );
});

describe('the stock of a label printer', () => {
  it.each([
    ['label-4x6', { widthMm: 101.6, heightMm: 152.4, dotsPerMm: 8 }],
    ['label-zebra-zpl', { widthMm: 101.6, heightMm: 152.4, dotsPerMm: 8 }],
    ['label-4xl', { dotsPerMm: 12 }],
  ])('is the paper and the resolution of %s', (name, stock) => {
    const { widthMm = 0, heightMm = 0, dotsPerMm } = labelStockOf(PRINTER_PROFILES.load(name)) ?? {};
    const rounded = { widthMm: Math.round(widthMm * 10) / 10, heightMm: Math.round(heightMm * 10) / 10 };
    expect({ ...rounded, dotsPerMm }).toMatchObject(stock);
  });

  it('is 4 × 6 inches at 203 dpi where the driver reports nothing', () => {
    const silent = { ...PRINTER_PROFILES.load('label-4x6'), capabilities: null };
    expect(labelStockOf(silent)).toMatchObject({ widthMm: expect.closeTo(101.6), dotsPerMm: 8 });
    expect(labelStockOf(PRINTER_PROFILES.load('laser-a4'))).toBeUndefined();
  });
});

describe('a printout of labels', () => {
  it('has a picture of those that are out, and its bytes as they were sent', async () => {
    await using room = await PrintRoom.connected('label-4x6');
    const label = fixtureDocument('zpl-label.zpl');
    await room.print({ contentType: 'raw_base64', content: label.toString('base64'), qty: 2 });
    const [printout, second] = room.printer.printouts();
    if (printout?.kind !== 'raw' || second?.kind !== 'raw') throw new Error('nothing raw came out');
    expect(Buffer.compare(printout.bytes, label)).toBe(0);
    expect(printout.drawn).toMatchObject({ sides: 1, notDrawn: null, widthPt: expect.closeTo(288) });
    expect(await pageSizes(await printout.drawn?.pdf())).toEqual(['288.0 × 432.0']);
    expect(await second.drawn?.pdf()).toBe(await printout.drawn?.pdf());
    const png = Buffer.from((await printout.drawn?.png(1)) ?? []);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([812, 1219]);
    expect(printout.drawn?.texts()[0]).toContain('PRIORITY\nExample Supplies');
  });
});

function renderer(body: string): string {
  return `export const ready = Promise.resolve({ api: { async zplToBase64MultipleAsync() { ${body} } } });`;
}
