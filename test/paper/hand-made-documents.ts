/**
 * Hand-made documents: what has come out wrong from real ones, each reduced to the part that did it. All have the line
 * "Order 4711"; most add a blue square, a button or a note, which prints or does not.
 *
 *   5 font │ 6 … the objects of the document
 */

import { deflateSync } from 'node:zlib';

import { buildPdf } from '../support/pdf-builder.ts';
import { encryption, PERMISSIONS } from '../support/rc4-encryption.ts';

export interface HandMade {
  readonly pdf: Uint8Array;
  /** What has to be on the sheet, where a renderer shows the document itself otherwise. */
  readonly shows?: 'text alone' | 'text and square';
}

interface Parts {
  readonly content?: string;
  /** Entries of the page, of its resources and of the catalog. */
  readonly page?: string;
  readonly resources?: string;
  readonly catalog?: string;
  readonly box?: string;
  readonly objects?: readonly string[];
}

const TEXT = 'BT /F1 12 Tf 20 180 Td (Order 4711) Tj ET';
const SQUARE = '0 0 1 rg 20 20 100 100 re f';
const BOX = '/MediaBox [0 0 200 200]';
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

function paper({ content = '', page = '', resources = '', catalog = '', box = BOX, objects = [] }: Parts): Uint8Array {
  return buildPdf({
    content: `${TEXT} ${content}`,
    page: `${box} /Resources << /Font << /F1 5 0 R >> ${resources} >> ${page}`,
    catalog: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    extra: [FONT, ...objects],
  });
}

function stream(entries: string, content: string | Buffer): string {
  const bytes = typeof content === 'string' ? content : content.toString('latin1');
  return `<< ${entries} /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`;
}

function form(content: string, entries = '/BBox [0 0 200 200]'): string {
  return stream(`/Type /XObject /Subtype /Form ${entries}`, content);
}

// Layers: 6 and 7 are the groups; what is on layer 7 is the square.

const GROUPS = ['<< /Type /OCG /Name (text) >>', '<< /Type /OCG /Name (draft) >>'];
const ON_LAYER = `/OC /L BDC ${SQUARE} EMC`;
const LAYER = '/Properties << /L 7 0 R >>';

function layers(config: string, groups = GROUPS): Pick<Parts, 'catalog' | 'objects'> {
  return { catalog: `/OCProperties << /OCGs [6 0 R 7 0 R] /D << ${config} >> >>`, objects: groups };
}

function forPrint(state: string, config = ''): Uint8Array {
  const [text = ''] = GROUPS;
  const draft = `<< /Type /OCG /Name (draft) /Usage << /Print << /PrintState /${state} >> >> >>`;
  const application = '/AS [<< /Event /Print /Category [/Print] /OCGs [7 0 R] >>]';
  return paper({ content: ON_LAYER, resources: LAYER, ...layers(`${config} ${application}`, [text, draft]) });
}

function annotationOnLayer(config: string, layer = '7 0 R', more: readonly string[] = []): Uint8Array {
  const stamp = `<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 200 200] /AP << /N 9 0 R >> /OC ${layer} >>`;
  const { catalog = '' } = layers(config);
  return paper({ catalog, page: '/Annots [8 0 R]', objects: [...GROUPS, stamp, form(SQUARE), ...more] });
}

const LAYERS: Readonly<Record<string, HandMade>> = {
  'a layer that is off': {
    pdf: paper({ content: ON_LAYER, resources: LAYER, ...layers('/OFF [7 0 R]') }),
    shows: 'text alone',
  },
  'a layer that is on': {
    pdf: paper({ content: ON_LAYER, resources: LAYER, ...layers('/OFF [6 0 R]') }),
    shows: 'text and square',
  },
  'layers that are all off but one': {
    pdf: paper({ content: ON_LAYER, resources: LAYER, ...layers('/BaseState /OFF /ON [7 0 R]') }),
    shows: 'text and square',
  },
  'layers that are all off': {
    pdf: paper({ content: ON_LAYER, resources: LAYER, ...layers('/BaseState /OFF /ON [6 0 R]') }),
    shows: 'text alone',
  },
  'a form on a layer that is off': {
    pdf: paper({
      content: '/X Do',
      resources: '/XObject << /X 8 0 R >>',
      catalog: layers('/OFF [7 0 R]').catalog ?? '',
      objects: [...GROUPS, form(SQUARE, '/BBox [0 0 200 200] /OC 7 0 R')],
    }),
    shows: 'text alone',
  },
  'an annotation on a layer that is off': { pdf: annotationOnLayer('/OFF [7 0 R]'), shows: 'text alone' },
  'an annotation on a layer that is on': { pdf: annotationOnLayer('/OFF [6 0 R]'), shows: 'text and square' },
  'a layer that is not for print': { pdf: forPrint('OFF'), shows: 'text alone' },
  'a layer that is for print alone': { pdf: forPrint('ON', '/OFF [7 0 R]'), shows: 'text and square' },
  'a layer inside a layer that is off': {
    pdf: paper({
      content: `/OC /L BDC /OC /M BDC ${SQUARE} EMC EMC`,
      resources: '/Properties << /L 7 0 R /M 6 0 R >>',
      ...layers('/OFF [7 0 R]'),
    }),
    shows: 'text alone',
  },
  'text on a layer that is off': {
    pdf: paper({
      content: '/OC /L BDC BT /F1 30 Tf 20 60 Td (Secret) Tj ET EMC',
      resources: LAYER,
      ...layers('/OFF [7 0 R]'),
    }),
    shows: 'text alone',
  },
};

// Annotations: 6 is the annotation, 7 its appearance.

function annotated(annotation: string, parts: Parts = {}): Uint8Array {
  const { page = '', objects = [form(SQUARE)] } = parts;
  const object = `<< /Type /Annot ${annotation} >>`;
  return paper({ ...parts, page: `/Annots [6 0 R] ${page}`, objects: [object, ...objects] });
}

const STAMP = '/Subtype /Stamp /Rect [0 0 200 200] /AP << /N 7 0 R >>';
const OVER_LINE = '/Rect [20 100 180 112] /QuadPoints [20 112 180 112 20 100 180 100] /C [1 0 0] /F 4';
const ANGLE = '/Vertices [20 20 100 120 180 20] /Rect [15 15 185 125] /C [1 0 0] /BS << /W 4 >> /F 4';
const LEVEL_STAMP = '/Subtype /Stamp /F 20 /Rect [20 100 80 120] /AP << /N 7 0 R >>';
const BAR = form('1 0 0 rg 0 0 60 20 re f 0 0 1 rg 0 0 10 20 re f', '/BBox [0 0 60 20]');

const ANNOTATIONS: Readonly<Record<string, HandMade>> = {
  'a stamp that prints': { pdf: annotated(`${STAMP} /F 4`), shows: 'text and square' },
  'a stamp for screens': { pdf: annotated(`${STAMP} /F 0`), shows: 'text alone' },
  'a stamp that is hidden': { pdf: annotated(`${STAMP} /F 6`), shows: 'text alone' },
  'a stamp for print alone': { pdf: annotated(`${STAMP} /F 36`), shows: 'text and square' },
  'a link with a frame': {
    pdf: annotated('/Subtype /Link /Rect [20 20 120 120] /F 4 /Border [0 0 8] /C [0 0 1]'),
    shows: 'text alone',
  },
  'an appearance without a subtype': {
    pdf: annotated(`${STAMP} /F 4`, { objects: [stream('/BBox [0 0 200 200]', SQUARE)] }),
    shows: 'text and square',
  },
  'an appearance that is turned and enlarged': {
    pdf: annotated('/Subtype /Stamp /F 4 /Rect [20 20 180 100] /AP << /N 7 0 R >>', {
      objects: [form('1 0 0 rg 0 0 60 20 re f', '/BBox [0 0 60 20] /Matrix [0 1 -1 0 0 0]')],
    }),
  },
  'a square without an appearance': {
    pdf: annotated('/Subtype /Square /Rect [20 20 120 120] /IC [0 0 1] /C [0 0 1] /BS << /W 1 >> /F 4'),
    shows: 'text and square',
  },
  'a circle without an appearance': {
    pdf: annotated('/Subtype /Circle /Rect [20 20 120 120] /IC [0 0 1] /C [0 0 1] /BS << /W 1 >> /F 4'),
  },
  'a line without an appearance': {
    pdf: annotated('/Subtype /Line /L [20 20 180 120] /Rect [15 15 185 125] /C [1 0 0] /BS << /W 4 >> /F 4'),
  },
  'ink without an appearance': {
    pdf: annotated(
      '/Subtype /Ink /InkList [[20 20 100 120 180 20]] /Rect [15 15 185 125] /C [1 0 0] /BS << /W 4 >> /F 4',
    ),
  },
  'a polygon without an appearance': { pdf: annotated(`/Subtype /Polygon ${ANGLE}`) },
  'a polyline without an appearance': { pdf: annotated(`/Subtype /PolyLine ${ANGLE}`) },
  'a highlight without an appearance': { pdf: annotated(`/Subtype /Highlight ${OVER_LINE}`) },
  'an underline without an appearance': { pdf: annotated(`/Subtype /Underline ${OVER_LINE}`) },
  'a strike-out without an appearance': { pdf: annotated(`/Subtype /StrikeOut ${OVER_LINE}`) },
  'a text note without an appearance': {
    pdf: annotated('/Subtype /FreeText /Rect [20 100 180 140] /Contents (Parcel 7) /DA (/Helv 20 Tf 0 g) /F 4'),
  },
  'a note that stays upright at a quarter': { pdf: annotated(LEVEL_STAMP, { page: '/Rotate 90', objects: [BAR] }) },
  'a note that stays upright at a half': { pdf: annotated(LEVEL_STAMP, { page: '/Rotate 180', objects: [BAR] }) },
  'a note that stays upright at three quarters': {
    pdf: annotated(LEVEL_STAMP, { page: '/Rotate 270', objects: [BAR] }),
  },
  'a note that turns with its page': {
    pdf: annotated('/Subtype /Stamp /F 4 /Rect [20 100 80 120] /AP << /N 7 0 R >>', {
      page: '/Rotate 90',
      objects: [BAR],
    }),
  },
};

// Forms: 6 is the field and its annotation, 7 its appearance.

function field(entries: string, objects: readonly string[] = [], asked = ''): Uint8Array {
  return annotated(`/Subtype /Widget /F 4 /Rect [20 20 180 60] /DA (/Helv 20 Tf 0 g) ${entries}`, {
    catalog: `/AcroForm << /Fields [6 0 R] /DR << /Font << /Helv 5 0 R >> >> /DA (/Helv 20 Tf 0 g) ${asked} >>`,
    objects,
  });
}

const ANEW = '/NeedAppearances true';
const NAME = '/FT /Tx /T (name) /V (Parcel 7)';
const CITY = '/FT /Ch /Ff 131072 /T (city) /Opt [(Oslo) (Bergen)] /V (Oslo)';
const FRAME = '/MK << /BC [1 0 0] /BG [.9 .9 1] >> /BS << /W 3 >>';
const OLD = form(
  '/Tx BMC BT /F1 20 Tf 0 g 4 12 Td (old) Tj ET EMC',
  '/BBox [0 0 160 40] /Resources << /Font << /F1 5 0 R >> >>',
);
const BORROWED_FONT = form('/Tx BMC BT /Helv 20 Tf 0 g 4 12 Td (Parcel 7) Tj ET EMC', '/BBox [0 0 160 40]');
const DOT = form('0 0 0 rg 0 0 40 40 re f', '/BBox [0 0 40 40]');

const FORMS: Readonly<Record<string, HandMade>> = {
  'a text field without an appearance': { pdf: field(NAME) },
  'a combo box without an appearance': { pdf: field(`${CITY} ${FRAME}`) },
  'a combo box with an appearance': { pdf: field(`${CITY} /AP << /N 7 0 R >>`, [OLD]) },
  'a field whose font is that of the form': { pdf: field(`${NAME} /AP << /N 7 0 R >>`, [BORROWED_FONT]) },
  'a form to draw anew, empty': { pdf: field(`${NAME} /AP << /N 7 0 R >>`, [form('', '/BBox [0 0 160 40]')], ANEW) },
  'a form to draw anew, with an old value': { pdf: field(`${NAME} /AP << /N 7 0 R >>`, [OLD], ANEW) },
  'a check box that is ticked': { pdf: field('/FT /Btn /T (yes) /V /On /AS /On /AP << /N << /On 7 0 R >> >>', [DOT]) },
  'a check box that is not': {
    pdf: field('/FT /Btn /T (yes) /V /Off /AS /Off /AP << /N << /On 7 0 R >> >>', [DOT]),
    shows: 'text alone',
  },
  'a check box without a state': {
    pdf: field('/FT /Btn /T (yes) /AP << /N << /On 7 0 R >> >>', [DOT]),
    shows: 'text alone',
  },
  'a radio button without a state': {
    pdf: field('/FT /Btn /Ff 32768 /T (one) /AP << /N << /One 7 0 R >> >>', [DOT]),
    shows: 'text alone',
  },
  'a field that is hidden': { pdf: field(`${NAME} /F 2`.replace('/F 4', '')), shows: 'text alone' },
};

// Contents in parts: 4, then 6, then 7, which is the square.

function inParts(part: string): Uint8Array {
  return buildPdf({
    content: TEXT,
    contentsEntry: '/Contents [4 0 R 6 0 R 7 0 R]',
    page: `${BOX} /Resources << /Font << /F1 5 0 R >> >>`,
    extra: [FONT, part, stream('', SQUARE)],
  });
}

const RED = '1 0 0 rg 130 20 50 50 re f ';
const DEFLATED = deflateSync(RED);
const MANY = deflateSync(RED.repeat(400));

const CONTENTS: Readonly<Record<string, HandMade>> = {
  'a part that is empty': { pdf: inParts(stream('/Filter /FlateDecode', '')), shows: 'text and square' },
  'a part that is no data': { pdf: inParts(stream('/Filter /FlateDecode', 'garbage')), shows: 'text and square' },
  'a part under an unknown filter': { pdf: inParts(stream('/Filter /Magic', 'garbage')), shows: 'text and square' },
  'a part that says where a stream ends': {
    pdf: buildPdf({
      content: `% endstream\n${TEXT} ${SQUARE}`,
      contentLength: '6 0 R',
      page: `${BOX} /Resources << /Font << /F1 5 0 R >> >>`,
      extra: [FONT, String(`% endstream\n${TEXT} ${SQUARE}`.length)],
    }),
    shows: 'text and square',
  },
  'a part that is cut off': { pdf: inParts(stream('/Filter /FlateDecode', MANY.subarray(0, MANY.length / 2))) },
  'a part without a checksum': { pdf: inParts(stream('/Filter /FlateDecode', DEFLATED.subarray(0, -4))) },
  'a part under the short name of its filter': { pdf: inParts(stream('/Filter /Fl', DEFLATED)) },
  'a part in hexadecimal digits': {
    pdf: inParts(stream('/Filter /ASCIIHexDecode', `${Buffer.from(RED).toString('hex')}>`)),
  },
  'a part under two filters': {
    pdf: inParts(stream('/Filter [/ASCIIHexDecode /FlateDecode]', `${DEFLATED.toString('hex')}>`)),
  },
  'a part of the wrong length': { pdf: inParts(stream('', RED).replace(/Length \d+/u, 'Length 9')) },
};

// Behind an owner's password: 6 is the encryption, 7 the information that has a title.

function owned(title: string, literal: boolean): Uint8Array {
  const { owner, user, id, of } = encryption('', 'owner');
  const text = (bytes: Buffer): string => (literal ? literalText(bytes) : `<${bytes.toString('hex')}>`);
  return buildPdf({
    content: of(4, `${TEXT} ${SQUARE}`),
    page: `${BOX} /Resources << /Font << /F1 5 0 R >> >>`,
    extra: [
      FONT,
      `<< /Filter /Standard /V 1 /R 2 /P ${PERMISSIONS} /O ${text(owner)} /U ${text(user)} >>`,
      `<< /Title ${text(of(7, title))} >>`,
    ],
    trailer: `trailer\n<< /Size 8 /Root 1 0 R /Info 7 0 R /Encrypt 6 0 R /ID ${id} >>\n`,
  });
}

function literalText(bytes: Buffer): string {
  return `(${bytes.toString('latin1').replaceAll(/[()\\\r]/gu, (char) => (char === '\r' ? '\\r' : `\\${char}`))})`;
}

const ENCRYPTED: Readonly<Record<string, HandMade>> = {
  'an owner password': { pdf: owned('Parcel', false), shows: 'text and square' },
  'an owner password in literal text': { pdf: owned('Parcel', true), shows: 'text and square' },
  'an owner password, and a title of one bracket': { pdf: owned('Parcel (', true), shows: 'text and square' },
  'an owner password, and a title that ends in a stroke': { pdf: owned('Parcel \\', true), shows: 'text and square' },
};

const INLINE_PICTURE = 'q 100 0 0 100 20 20 cm BI /W 1 /H 1 /CS /RGB /BPC 8 /F /AHx ID 0000ff> EI Q';
const GLYPH = stream('', '1000 0 0 0 1000 1000 d1 100 100 800 800 re f');
const TYPE_3 =
  '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << /a 7 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1000] /Resources << >> >>';
const DIFFERENCE = '/ExtGState << /G << /BM /Difference >> >>';

const PAGES: Readonly<Record<string, HandMade>> = {
  'text and a square': { pdf: paper({ content: SQUARE }), shows: 'text and square' },
  'a crop box beyond the page': { pdf: paper({ content: SQUARE, page: '/CropBox [-50 -50 400 400]' }) },
  'a crop box half beside the page': { pdf: paper({ content: SQUARE, page: '/CropBox [100 100 300 300]' }) },
  'a page that is turned and cropped': { pdf: paper({ content: SQUARE, page: '/Rotate 90 /CropBox [10 10 150 170]' }) },
  'a page with a trim box': {
    pdf: paper({ content: SQUARE, page: '/CropBox [10 10 190 190] /TrimBox [30 30 90 90]' }),
  },
  'a page with a unit of its own': { pdf: paper({ content: SQUARE, page: '/UserUnit 2' }) },
  'a page beside the origin': { pdf: paper({ content: SQUARE, box: '/MediaBox [-50 -20 180 200]' }) },
  'a picture in the contents': { pdf: paper({ content: INLINE_PICTURE }), shows: 'text and square' },
  'a font of shapes': {
    pdf: paper({
      content: 'BT /T3 40 Tf 20 40 Td (aa) Tj ET',
      page: '/Annots []',
      resources: '/Font << /F1 5 0 R /T3 6 0 R >>',
      objects: [TYPE_3, GLYPH],
    }),
  },
  'a square blended with nothing': { pdf: paper({ content: `/G gs ${SQUARE}`, resources: DIFFERENCE }) },
  'an annotation on a page that inherits its size and its font': {
    pdf: buildPdf({
      tree: `<< /Type /Pages /Kids [3 0 R] /Count 1 ${BOX} /Resources << /Font << /F1 5 0 R >> >> >>`,
      content: TEXT,
      page: '/Annots [6 0 R]',
      extra: [FONT, `<< /Type /Annot ${STAMP} /F 4 >>`, form(SQUARE)],
    }),
    shows: 'text and square',
  },
};

export const HAND_MADE: Readonly<Record<string, HandMade>> = {
  ...LAYERS,
  ...ANNOTATIONS,
  ...FORMS,
  ...CONTENTS,
  ...ENCRYPTED,
  ...PAGES,
};
