import { expect, it } from 'vitest';

import { LiveLine } from '../../../../src/cli/screen/live-line.ts';
import { styled } from '../../../../src/report/terminal/line.ts';

/** What a terminal shows in the end: each line as it was last written. */
function screenOf(written: string): readonly string[] {
  return written.split('\n').map((line) => line.split('\r\u001B[2K').at(-1) ?? '');
}

function terminal(columns: number): { readonly line: LiveLine; readonly text: () => string } {
  const written: string[] = [];
  return {
    line: new LiveLine({ columns, write: (text) => written.push(text) }, { color: true }),
    text: () => written.join(''),
  };
}

it('writes over what passes, and keeps the rest above it', () => {
  const { line, text } = terminal(80);
  line.show('1/3 ok');
  line.keep('2/3 FAIL');
  line.show('3/3 ok');
  expect(screenOf(text())).toEqual(['2/3 FAIL', '3/3 ok']);
  line.clear();
  expect(screenOf(text())).toEqual(['2/3 FAIL', '']);
});

it('never breaks the line that is written over, colours or not', () => {
  const { line, text } = terminal(10);
  line.show('a line that is too long');
  line.show(styled('red', 'red and far too long'));
  line.show(styled('red', 'red'));
  expect(text().split('\r\u001B[2K').slice(1)).toEqual(['a line th', 'red and f', '\u001B[31mred\u001B[39m']);
});

it('shows what would move, break or erase it as letters', () => {
  const { line, text } = terminal(80);
  line.show('a\r\nb\u001B[2Jc');
  line.keep('d\ne');
  expect(screenOf(text())).toEqual([String.raw`d\ne`, '']);
  expect(text()).toContain(String.raw`a\r\nb\u001b[2Jc`);
});
