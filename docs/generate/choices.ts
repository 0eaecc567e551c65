/**
 * docs/choices.md: what the reference service does in each gap of the specification.
 */

import { CHOICES } from '../../src/service/choices.ts';
import { GAPS } from '../../src/specification/gaps.ts';

/** docs/choices.md, as it should be. */
export function choicesPage(): string {
  const rows = GAPS.map(({ id, question }) => {
    const [does, because] = CHOICES[id].split(', because ');
    return `| \`${id}\` | ${question} | ${does} | ${because} |`;
  });
  return [
    '# What the reference service does where the specification is silent',
    '',
    `<!-- Written by npm run docs: change src/service/choices.ts, not this page. -->`,
    '',
    'Another service may choose differently and still keep the specification: checks record these answers and',
    'never fail on them. A choice with a switch can be changed when a service is started.',
    '',
    '| gap | question | this service | because |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
