/**
 * A load on a terminal beside its report: a line for each second while it runs, and how it compares with its baseline.
 */

import { formatMicroseconds } from '../../common/duration.ts';
import type { LoadComparison, SecondRecord } from '../../record/load-record.ts';
import { line, styled, type Line } from './line.ts';

const NAME_COLUMNS = 16;
const TIME_COLUMNS = 9;
const NOT_ENOUGH = 'not enough to tell';

/** One second that is over, on one line. */
export function renderSecond(second: SecondRecord): Line {
  const { arrivals, errors, response, latenessP99Us, jobs, self } = second;
  const served =
    `${`${second.second + 1}s`.padStart(6)}  ${String(arrivals).padStart(6)}/s  ` +
    `p50 ${time(response.p50Us)}  p99 ${time(response.p99Us)}  late ${time(latenessP99Us)}  ` +
    `jobs ${jobs.intended} accepted ${jobs.accepted} printed ${jobs.printed} reported ${jobs.reported}`;
  const own = styled('gray', `cpu ${Math.round(self.cpu * 100)}% ${Math.round(self.rssBytes / 1e6)} MB`);
  return line`${served}  ${own}${errors === 0 ? '' : styled('red', `  ${errors} errors/s`)}`;
}

/** A run beside an earlier one. */
export function renderComparison({ isSamePlan, lines }: LoadComparison): readonly Line[] {
  const width = Math.max(...lines.map(({ metric }) => metric.length), NAME_COLUMNS);
  const styles = { better: 'green', worse: 'red', same: 'gray', 'not-enough': 'gray' } as const;
  return [
    styled('bold', 'compared with the baseline'),
    ...(isSamePlan ? [] : [styled('yellow', 'the plans differ: another file, or another seed')]),
    ...lines.map(({ metric, baseline, now, ratio, range, change }) => {
      const isTime = metric.includes('response');
      const shown = (value: number): string => (isTime ? formatMicroseconds(value) : String(value));
      const factor = ratio === null ? '' : `× ${ratio.toFixed(2)}`;
      const isNothing = baseline === 0 && now === 0;
      const between = range === null || isNothing ? '' : ` (${range[0].toFixed(2)} … ${range[1].toFixed(2)})`;
      const words = `${shown(baseline)} → ${shown(now)}`.padEnd(24);
      const judged = `${factor}${between} ${change === 'not-enough' ? NOT_ENOUGH : change}`.trim();
      return line`${metric.padEnd(width)}  ${words} ${styled(styles[change], judged)}`;
    }),
  ];
}

function time(us: number): string {
  return formatMicroseconds(us).padStart(TIME_COLUMNS);
}
