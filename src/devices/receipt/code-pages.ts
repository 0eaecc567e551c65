/**
 * Code pages: what the bytes from 128 to 255 mean on a receipt, and which letters of ASCII a country has replaced.
 * By the numbers of ESC t (Epson) and ESC GS t (Star).
 */

import iconv from 'iconv-lite';

const KATAKANA = 'katakana';
/** From 128 on, which iconv-lite has not. */
const KATAKANA_LETTERS =
  '▁▂▃▄▅▆▇█▏▎▍▌▋▊▉┼┴┬┤├▔─│▕┌┐└┘╭╮╰╯ ｡｢｣､･ｦｧｨｩｪｫｬｭｮｯｰｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝﾞﾟ═╞╪╡◢◣◥◤♠♥♦♣●○╱╲╳円年月日時分秒〒市区町村人▒ ';

/** Number → encoding, by its name in iconv-lite. */
export const EPSON_PAGES = numbered(`
  0:cp437 1:katakana 2:cp850 3:cp860 4:cp863 5:cp865 13:cp857 14:cp737 15:iso88597 16:cp1252 17:cp866
  18:cp852 19:cp858 21:tis620 26:tis620 30:tcvn 32:cp720 33:cp775 34:cp855 35:cp861 36:cp862 37:cp864
  38:cp869 39:iso88592 40:iso885915 44:cp1125 45:cp1250 46:cp1251 47:cp1253 48:cp1254 49:cp1255
  50:cp1256 51:cp1257 52:cp1258 53:rk1048
`);

export const STAR_PAGES = numbered(`
  0:cp437 1:cp437 2:katakana 3:cp437 4:cp858 5:cp852 6:cp860 7:cp861 8:cp863 9:cp865 10:cp866 11:cp855
  12:cp857 13:cp862 14:cp864 15:cp737 17:cp869 18:iso88597 21:cp874 32:cp1252 33:cp1250 34:cp1251
`);

/** What the replaced letters are in ASCII. */
const REPLACED = '#$@[\\]^`{|}~';
/** By the number of ESC R: U.S.A., France, Germany, U.K., Denmark, Sweden, Italy, Spain, Japan, Norway, Denmark II … */
const COUNTRIES = [
  '#$@[\\]^`{|}~',
  '#$à°ç§^`éùè¨',
  '#$§ÄÖÜ^`äöüß',
  '£$@[\\]^`{|}~',
  '#$@ÆØÅ^`æøå~',
  '#¤ÉÄÖÅÜéäöåü',
  '#$@°\\é^ùàòèì',
  '₧$@¡Ñ¿^`¨ñ}~',
  '#$@[¥]^`{|}~',
  '#¤ÉÆØÅÜéæøåü',
  '#$ÉÆØÅÜéæøåü',
  '#$á¡Ñ¿é`íñóú',
  '#$á¡Ñ¿éüíñóú',
  '#$@[₩]^`{|}~',
];

/** The text that these bytes are. @param country - the number of ESC R */
export function decode(bytes: Uint8Array, encoding: string, country: number): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isAscii = bytes.every((byte) => byte < 0x80);
  const text = isAscii ? buffer.toString('latin1') : decoded(buffer, encoding);
  const letters = COUNTRIES[country];
  if (!letters || country === 0) return text;
  return text.replaceAll(/[#$@[\\\]^`{|}~]/g, (letter) => letters.charAt(REPLACED.indexOf(letter)));
}

function decoded(bytes: Buffer, encoding: string): string {
  if (encoding !== KATAKANA) return iconv.decode(bytes, encoding);
  return Array.from(bytes, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : KATAKANA_LETTERS.charAt(byte - 0x80),
  ).join('');
}

/** Whether two bytes are a letter, in an encoding of Chinese, Japanese or Korean. */
export function isLead(byte: number, encoding: string): boolean {
  if (encoding === 'shift_jis') return (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc);
  return byte >= 0x81 && byte <= 0xfe;
}

function numbered(list: string): Readonly<Record<number, string>> {
  const entries = list
    .trim()
    .split(/\s+/)
    .map((entry) => entry.split(':'));
  return Object.fromEntries(entries);
}
