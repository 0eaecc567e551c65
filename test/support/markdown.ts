/**
 * The pages of the project as text: what they link to, what a heading's anchor is, and what stands in them as code.
 */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { PROJECT } from './command-line.ts';

export interface MarkdownPage {
  /** Below the project: `docs/load.md`. */
  readonly file: string;
  readonly text: string;
}

export interface CodeBlock {
  /** `sh`, `yaml` … or nothing. */
  readonly language: string;
  readonly text: string;
  /** The words before it, on the line above. */
  readonly lead: string;
}

const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm;

export function readPage(file: string): MarkdownPage {
  return { file, text: readFileSync(path.join(PROJECT, file), 'utf8') };
}

/** Every page that people read. */
export function allPages(): readonly MarkdownPage[] {
  return globSync(['*.md', 'docs/**/*.md', 'fixtures/**/*.md', 'reports/baseline/*.md'], {
    cwd: PROJECT,
  }).map(readPage);
}

export function codeBlocks({ text }: MarkdownPage): readonly CodeBlock[] {
  return [...text.matchAll(FENCED)].map(({ 1: language = '', 2: block = '', index }) => ({
    language,
    text: block,
    lead: text.slice(0, index).trimEnd().split('\n').at(-1) ?? '',
  }));
}

/** What stands between backticks in a line. */
export function codeSpans({ text }: MarkdownPage): readonly string[] {
  return [...text.replaceAll(FENCED, '').matchAll(/(`+)([^`]|[^`].*?[^`])\1(?!`)/g)].map(([, , span = '']) => span);
}

/** Addresses of links and pictures, of Markdown and of HTML. */
export function linksOf({ text }: MarkdownPage): readonly string[] {
  const prose = text.replaceAll(FENCED, '').replaceAll(/`[^`\n]*`/g, '');
  const links = prose.matchAll(/\]\(([^)\s]+)\)|(?:href|src|srcset)="([^"]+)"/g);
  return [...links].map(([, markdown, html]) => markdown ?? html ?? '');
}

/** The anchors that GitHub gives the headings of a page. */
export function anchorsOf({ text }: MarkdownPage): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const headings = text.replaceAll(FENCED, '').matchAll(/^#{1,6} +(.+?) *$/gm);
  return new Set(
    [...headings].map(([, title = '']) => {
      const slug = title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
        .replaceAll(' ', '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}
