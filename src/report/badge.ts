/**
 * Badge: label and result as a small picture, for a README.
 *
 *   [ conformance │ 625/625 clauses ]
 */

import type { RunRecord } from '../record/run-record.ts';
import { viewOf } from './view/view-of.ts';
import { xmlQuoted, xmlText } from './xml-text.ts';

/** Dark enough for white letters. The text says the same as the colour. */
const COLORS: Readonly<Record<string, string>> = { PASSED: '#18713a', FAILED: '#b3261e', ABORTED: '#b3261e' };
const OTHER_COLOR = '#7a5600';
const LABEL_COLOR = '#444c56';

/** The average width of an 11 pixel letter in a common sans-serif face. */
const LETTER_WIDTH = 6.6;
const PADDING = 12;
const HEIGHT = 20;

export function renderBadge(record: RunRecord): string {
  const { badge, word } = viewOf(record);
  const [label, text] = [widthOf(badge.label), widthOf(badge.text)];
  const title = `${badge.label}: ${badge.text}, ${word.toLowerCase()}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${label + text}" height="${HEIGHT}" role="img" aria-label=${xmlQuoted(title)}>`,
    `<title>${xmlText(title)}</title>`,
    `<clipPath id="r"><rect width="${label + text}" height="${HEIGHT}" rx="3"/></clipPath>`,
    '<g clip-path="url(#r)">',
    `<rect width="${label}" height="${HEIGHT}" fill="${LABEL_COLOR}"/>`,
    `<rect x="${label}" width="${text}" height="${HEIGHT}" fill="${COLORS[word] ?? OTHER_COLOR}"/>`,
    '</g>',
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">',
    `<text x="${label / 2}" y="14">${xmlText(badge.label)}</text>`,
    `<text x="${label + text / 2}" y="14">${xmlText(badge.text)}</text>`,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function widthOf(text: string): number {
  return Math.round(text.length * LETTER_WIDTH + PADDING);
}
