/**
 * docs/tolerances.md: how much later or earlier than printed something may happen, from the table that checks use.
 */

import { formatDuration } from '../../src/common/duration.ts';
import { TOLERANCES, type Tolerance } from '../../src/conformance/expect/tolerances.ts';

/** docs/tolerances.md, as it should be. */
export function tolerancesPage(): string {
  return [
    '# Tolerances',
    '',
    '<!-- Written by npm run docs: change src/conformance/expect/tolerances.ts, not this page. -->',
    '',
    'How far from what is printed a time may be before a check calls it wrong.',
    '',
    '| printed | tolerated | | measured by |',
    '|---|---|---|---|',
    ...Object.entries<Tolerance>(TOLERANCES).map(
      ([name, { ms, printed, given, checks }]) =>
        `| ${printed} | ${formatDuration(ms)}${name.endsWith('Late') ? ' or `tolerance`' : ''} | ${given} | ${checks.map((id) => `\`${id}\``).join(', ')} |`,
    ),
    '',
    'A target descriptor sets how much later than due something may happen, where that is to be more than here:',
    '[`tolerance: 3s`](target.md).',
    '',
    'Times are intervals: from before a request to after its answer, and on a clock that is [moved by a',
    'hook](guides/check-a-service.md#a-clock-that-can-be-moved) from before a call of the hook to after it. A rule is broken only where the',
    'whole interval is outside. An answer has to come within ten seconds.',
    '',
    'A decaying count of a webhook has to halve within a factor of two of the time that its scale says',
    '(`webhook-statistics/scales`).',
    '',
    '"About 30" requests at once are at least 27, and at most 60: a service may count in windows, and two of them meet.',
    '',
  ].join('\n');
}
