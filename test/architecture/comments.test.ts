import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { PROJECT } from '../support/command-line.ts';

/** The formatter wraps code and leaves comments as they are. */
const COLUMNS_MOST = 120;

/** Words that hide who does what, or that are not of this field. CONTRIBUTING.md has those that we use. */
const HIDING = /\b(?:nobody|somebody|whoever|lawful|so many|is none|are none|befalls?|mends?|mended|at hand)\b/i;

/** A comment that begins with a genitive, or says "as … has it", leaves its reader to guess the noun. */
const GUESSED = /^\s*(?:\/\*\*|\*|\/\/) (?:Of|That of) |\b[Aa]s (?!it\b)(?:[\w-]+ ){1,2}has it\b/;

const PLANTED = 'test/architecture/planted/comments/';

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

function commentsOf(pattern: string): readonly Line[] {
  return linesOf(pattern).filter(({ text }) => /^\s*(?:\/?\*|\/\/)/.test(text));
}

const COMMENTS = commentsOf('src/**/*.{ts,tsx}');

it('keeps comments narrow enough to be read', () => {
  expect(COMMENTS.filter(({ text }) => text.length > COLUMNS_MOST).map(({ at }) => at)).toEqual([]);
});

it('names who does what in comments, pages and scenarios', () => {
  const prose = [...COMMENTS, ...linesOf('{*.md,docs/**/*.md,scenarios/**/*.yaml}')];
  expect(prose.length).toBeGreaterThan(10_000);
  expect(prose.filter(({ text }) => HIDING.test(text)).map(({ at, text }) => `${at}: ${text.trim()}`)).toEqual([]);
});

it('says in a comment what a thing is, not whose', () => {
  const own = [...COMMENTS, ...commentsOf('{test,docs,deploy}/**/*.{ts,tsx}')].filter(
    ({ at }) => !at.startsWith(PLANTED),
  );
  expect(own.length).toBeGreaterThan(8000);
  expect(guessedIn(own)).toEqual([]);
});

it('finds each planted comment whose noun has to be guessed', () => {
  expect(guessedIn(commentsOf(`${PLANTED}*.ts`))).toEqual([
    '/** Of all bodies together. */',
    '* Of two machines the one with the lesser records gives way.',
    '/** That of the descriptor: commands run there. */',
    '/** As UCUM has it. */',
    '// Of a repeated key the last one counts.',
    '// An array while it is empty, as the specification has it.',
  ]);
});

function guessedIn(comments: readonly Line[]): readonly string[] {
  return comments.filter(({ text }) => GUESSED.test(text)).map(({ text }) => text.trim());
}
