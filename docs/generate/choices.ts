/**
 * Writes docs/choices.md from src/service/choices.ts and the gaps of src/spec.
 *
 *   node docs/generate/choices.ts           write the page
 *   node docs/generate/choices.ts --check   write nothing; exit 1 where the page is not what would be written
 */

import { readFileSync, writeFileSync } from 'node:fs';

import { CHOICES } from '../../src/service/choices.ts';
import { GAPS } from '../../src/spec/gaps.ts';

const PAGE = new URL('../choices.md', import.meta.url);
const COMMAND = 'node docs/generate/choices.ts';

/** The page as it should be. */
export function choicesPage(): string {
  const rows = GAPS.map(({ id, question }) => {
    const choice = CHOICES[id];
    return `| \`${id}\` | ${question} | ${choice?.does ?? ''} | ${choice?.because ?? ''} |`;
  });
  return [
    '# What the reference service does where the specification is silent',
    '',
    `<!-- Written by ${COMMAND}: change src/service/choices.ts, not this page. -->`,
    '',
    'Another service may do otherwise and keep the specification all the same: checks record these answers and',
    'never fail on them. Choices with a switch can be made otherwise by whoever starts a service.',
    '',
    '| gap | question | this service | because |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

if (import.meta.main) {
  const page = choicesPage();
  if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
  else if (readFileSync(PAGE, 'utf8') !== page) {
    process.stderr.write(`docs/choices.md is not what src says. Run: ${COMMAND}\n`);
    process.exitCode = 1;
  }
}
