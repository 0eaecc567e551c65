/**
 * The part of CONTRIBUTING.md that says which tests run when.
 */

import { readFileSync } from 'node:fs';

import { ONLY_IN_REST, SAMPLED } from '../../test/tiers/tiers.ts';

const FILE = new URL('../../CONTRIBUTING.md', import.meta.url);
const BEGIN = '<!-- tiers: written by npm run docs -->';
const END = '<!-- end of tiers -->';

/** @throws Error when the place of the table is not there */
export function contributingPage(): string {
  const text = readFileSync(FILE, 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`CONTRIBUTING.md has no place between ${BEGIN} and ${END}`);
  return `${text.slice(0, begin)}${BEGIN}\n\n${table()}\n\n${text.slice(end)}`;
}

function table(): string {
  const rows = [
    ['what', '`npm test`', '`npm run test:rest`'],
    ['all that is not below', 'all', ''],
    ...SAMPLED.map(({ covers, quick, rest }) => [covers, quick, rest]),
    ...ONLY_IN_REST.map(({ place, covers, part = 'all' }) => [
      `${covers}: \`test/${place.split('/**')[0]}\``,
      '',
      part,
    ]),
    ['other tests with the tag of a part of the machine', '', 'all, where the machine has it'],
  ];
  // Padded as the formatter pads tables.
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('\n');
}
