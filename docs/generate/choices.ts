/**
 * docs/choices.md: what the reference service does in each gap of the specification.
 */

import { CHOICES } from '../../src/service/choices.ts';
import { GAPS } from '../../src/spec/gaps.ts';

/** docs/choices.md, as it should be. */
export function choicesPage(): string {
  const rows = GAPS.map(({ id, question }) => {
    const choice = CHOICES[id];
    return `| \`${id}\` | ${question} | ${choice?.does ?? ''} | ${choice?.because ?? ''} |`;
  });
  return [
    '# What the reference service does where the specification is silent',
    '',
    `<!-- Written by npm run docs: change src/service/choices.ts, not this page. -->`,
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
