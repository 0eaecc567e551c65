/**
 * ZPL commands: all of the language, and what becomes of each where labels are drawn.
 *
 *   drawn ─────── by the renderer, or done before it (zpl-prepared.ts)
 *   no ink ────── settings, files, answers: they change nothing on the label
 *   not drawn ─── with a reason; the label lacks it, and says so
 *   no label ──── bar codes that the renderer would draw as text: the whole document is not drawn
 */

const DRAWN = list(
  'A0 B2 B3 B7 BC BD BE BO BQ BX BY CC CD CF CI CT DF DG FB FD FH FN FO FP FR FS FT FV FW FX GB GC GD GE GF GS IL IM LH LR LS LT MU PM PO PQ PW SN TB XA XF XG XZ',
);

const NO_INK = list(
  'CO CV EF EG HF HG HH HI HM HQ HS HT HU HV HW HY HZ ID JA JB JC JD JE JF JG JH JI JJ JL JN JO JP JQ JR JS JT JU JW JX JZ KB KD KL KN KP KV LL MA MC MD MF MI ML MM MN MP MT MW NB NC ND NI NN NP NR NS NT NW PF PH PL PN PP PR PS RA RB RC RE RF RI RM RN RO RP RQ RR RS RT RU RV RW RZ SC SD SE SI SL SO SP SQ SR SS ST SX SZ TA TO WA WE WF WI WL WO WP WR WS WT WX XS ZZ',
);

const NOT_DRAWN: Readonly<Record<string, string>> = {
  'A@': 'a font by its file name, drawn in another font',
  CM: 'other letters for the memories',
  CN: 'cut at once',
  CP: 'a label taken away',
  CW: 'another font for a letter',
  DB: 'a font of dots',
  DE: 'letters in another encoding',
  DN: 'graphics without an end',
  DS: 'a font',
  DT: 'a font',
  DU: 'a font',
  DY: 'a file',
  FC: 'a field with the time',
  FL: 'linked fonts',
  FM: 'a code in several places',
  IS: 'a label stored as a picture',
  JM: 'dots of double size',
  LF: 'a list of linked fonts',
  PA: 'letters that change beside others',
  SF: 'a serial number by a pattern',
  WC: 'a label with the settings of the printer',
  WD: 'a label with the files of the printer',
  WQ: 'a label with the state of the printer',
  XB: 'labels without a feed between',
};

/** Barcodes that the renderer passes over: it would draw their data as text, without a word. */
const NO_LABEL: Readonly<Record<string, string>> = {
  B0: 'Aztec, which it draws as ^BO',
  B1: 'Code 11',
  B4: 'Code 49',
  B5: 'Planet',
  B8: 'EAN-8',
  B9: 'UPC-E',
  BA: 'Code 93',
  BB: 'Codablock',
  BF: 'MicroPDF417',
  BI: 'Industrial 2 of 5',
  BJ: 'Standard 2 of 5',
  BK: 'Codabar',
  BL: 'LOGMARS',
  BM: 'MSI',
  BP: 'Plessey',
  BR: 'GS1 DataBar',
  BS: 'UPC and EAN extensions',
  BT: 'TLC39',
  BU: 'UPC-A',
  BZ: 'POSTNET',
};

/** Why a document with this command has no picture; undefined where it has. */
export function whyNoLabel(command: string): string | undefined {
  const barcode = Object.hasOwn(NO_LABEL, command) ? NO_LABEL[command] : undefined;
  return barcode === undefined ? undefined : `the renderer does not draw the barcode ^${command} (${barcode})`;
}

/** What a label lacks because of a command; undefined where it lacks nothing. */
export function whatIsMissing(command: string): string | undefined {
  if (Object.hasOwn(NOT_DRAWN, command)) return `${command} (${NOT_DRAWN[command]})`;
  const isKnown = DRAWN.has(command) || NO_INK.has(command) || Object.hasOwn(NO_LABEL, command);
  // Fonts have a letter or a digit for a name. What is not two letters prints nothing in any printer.
  if (isKnown || /^A[A-Z0-9]$/.test(command) || !/^[A-Z][A-Z0-9]$/.test(command)) return undefined;
  return `${command}, which is no command that platen knows`;
}

function list(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
