import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { PROJECT } from '../support/command-line.ts';

/** The formatter wraps code and leaves comments as they are. */
const COLUMNS_MOST = 120;

/** Words that hide who does what, or that are not of this field. CONTRIBUTING.md has those that we use. */
const HIDING = /\b(?:nobody|somebody|whoever|lawful|so many|is none|are none|befalls?|mends?|mended|at hand)\b/i;

interface Line {
  readonly at: string;
  readonly text: string;
}

function linesOf(pattern: string): readonly Line[] {
  return globSync(pattern, { cwd: PROJECT }).flatMap((file) =>
    readFileSync(path.join(PROJECT, file), 'utf8')
      .split('\n')
      .map((text, index) => ({ at: `${file}:${index + 1}`, text })),
  );
}

const COMMENTS = linesOf('src/**/*.{ts,tsx}').filter(({ text }) => /^\s*(?:\/?\*|\/\/)/.test(text));

it('keeps comments narrow enough to be read', () => {
  expect(COMMENTS.filter(({ text }) => text.length > COLUMNS_MOST).map(({ at }) => at)).toEqual([]);
});

it('names who does what in comments, pages and scenarios', () => {
  const prose = [...COMMENTS, ...linesOf('{*.md,docs/**/*.md,scenarios/**/*.yaml}')];
  expect(prose.length).toBeGreaterThan(10_000);
  expect(prose.filter(({ text }) => HIDING.test(text)).map(({ at, text }) => `${at}: ${text.trim()}`)).toEqual([]);
});
