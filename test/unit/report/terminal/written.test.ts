import { stripVTControlCharacters } from 'node:util';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import { line, styled, type Line, type Style } from '../../../../src/report/terminal/line.ts';
import { table } from '../../../../src/report/terminal/table.ts';
import { written, writtenAnnotation } from '../../../../src/report/terminal/written.ts';

/** Text of any code units, in which what commands a terminal or a server is frequent. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '\r',
        '\t',
        ' ',
        '\u3000',
        ':',
        '::',
        '::error::',
        '#',
        '##',
        '##[',
        '##vso[',
        '##TeamCity[',
      ),
      fc.constantFrom('\u001B[31m', '\u001B[2J', '\u001B]0;x\u0007', '\u009B2J', '\u202E', '\u200B', '\u{E0041}'),
      fc.constantFrom('\uD800', '\uDC00', '\u2028', '\u0000', '\u007F', 'a', '👩‍💻', '\\'),
      fc.nat(0xff_ff).map((unit) => String.fromCharCode(unit)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const style = fc.constantFrom<Style>('red', 'gray', ['bold', 'green']);
const piece: fc.Arbitrary<Line> = fc.oneof(
  hostileText,
  fc.tuple(style, hostileText).map(([look, text]) => styled(look, text)),
);
const someLine: fc.Arbitrary<Line> = fc.oneof(
  piece,
  fc.tuple(piece, piece, piece).map(([one, two, three]) => line`${one}${two}${three}`),
);
const someLines = fc.oneof(
  fc.array(someLine),
  fc.array(fc.tuple(piece, piece), { minLength: 1 }).map((rows) => table(rows, '  ')),
);

/** Sequences of styleText for colour and weight. */
const OWN = new RegExp(String.raw`\u001B\[(?:\d|[1-4]\d|9[0-7])m`, 'g');
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const COMMAND = /^\s*::|##\[|##vso\[|##teamcity\[/i;

it.each([false, true])('writes as many lines as it is given, and no control of their text; colours: %s', (color) => {
  fc.assert(
    fc.property(someLines, (lines) => {
      const shown = written(lines, { color }).split('\n');
      expect(shown.pop()).toBe('');
      expect(shown).toHaveLength(lines.length);
      for (const one of shown) {
        const text = color ? one.replaceAll(OWN, '') : one;
        expect(text).not.toMatch(UNPRINTABLE);
        expect(text).not.toMatch(COMMAND);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('closes the styles of a line on it, and writes the same text with and without', () => {
  fc.assert(
    fc.property(someLine, (one) => {
      expect(stripVTControlCharacters(written([one], { color: true }))).toBe(written([one], { color: false }));
    }),
  );
});

it('escapes the halves of a character that stand in two pieces, in colours as without', () => {
  const halves = line`${styled('red', '\uD800')}\uDC00`;
  expect(written([halves], { color: false })).toBe(String.raw`\ud800\udc00` + '\n');
  expect(stripVTControlCharacters(written([halves], { color: true }))).toBe(String.raw`\ud800\udc00` + '\n');
});

it('writes JSON that means the same', () => {
  fc.assert(
    fc.property(fc.dictionary(hostileText, hostileText), (value) => {
      const shown = written(JSON.stringify(value, undefined, 2).split('\n'), { color: false });
      expect(JSON.parse(shown)).toEqual(value);
    }),
  );
});

it('writes an annotation as one command, whose title and text command nothing', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (title, message) => {
      const shown = writtenAnnotation({ level: 'error', properties: { title }, message });
      expect(shown).not.toMatch(UNPRINTABLE);
      expect(shown).toMatch(/^::error title=[^:,]*::/);
      expect(shown).not.toMatch(/##\[|##vso\[|##teamcity\[/i);
    }),
  );
});

it.each([
  ['Größe 10 × 15 cm, “Prüfung” ✓ 漢字', 'Größe 10 × 15 cm, “Prüfung” ✓ 漢字'],
  ['first\nsecond\tthird', String.raw`first\nsecond\tthird`],
  ['\u001B[2J\u202E', String.raw`\u001b[2J\u202e`],
  ['\u{E0041}', String.raw`\udb40\udc41`],
  ['  ::error::x', String.raw`  \u003a:error::x`],
  ['std::vector', 'std::vector'],
  ['a ##[group]b', String.raw`a \u0023#[group]b`],
  ['## Heading', '## Heading'],
])('shows %j as letters', (text, shown) => {
  expect(written([text], { color: false })).toBe(`${shown}\n`);
});
