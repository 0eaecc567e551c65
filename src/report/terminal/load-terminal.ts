/**
 * A load on a terminal beside its report: a line for each second while it runs, and how it compares with its baseline.
 */

import { formatMicroseconds } from '../../common/duration.ts';
import type { LoadComparison, SecondRecord } from '../../record/load-record.ts';
import { painter, type TerminalOptions } from './run-terminal.ts';

const NAME_COLUMNS = 16;
const TIME_COLUMNS = 9;
const NOT_ENOUGH = 'not enough to tell';

/** One second that is over, on one line. */
export function renderSecond(second: SecondRecord, options: TerminalOptions): string {
  const paint = painter(options);
  const { arrivals, errors, response, latenessP99Us, jobs, self } = second;
  const wrong = errors === 0 ? '' : paint('red', `  ${errors} errors/s`);
  return (
    `${`${second.second + 1}s`.padStart(6)}  ${String(arrivals).padStart(6)}/s  ` +
    `p50 ${time(response.p50Us)}  p99 ${time(response.p99Us)}  late ${time(latenessP99Us)}  ` +
    `jobs ${jobs.intended} accepted ${jobs.accepted} printed ${jobs.printed} reported ${jobs.reported}  ` +
    `${paint('gray', `cpu ${Math.round(self.cpu * 100)}% ${Math.round(self.rssBytes / 1e6)} MB`)}${wrong}`
  );
}

/** A run beside an earlier one. */
export function renderComparison({ isSamePlan, lines }: LoadComparison, options: TerminalOptions): string {
  const paint = painter(options);
  const width = Math.max(...lines.map(({ metric }) => metric.length), NAME_COLUMNS);
  const styles = { better: 'green', worse: 'red', same: 'gray', 'not-enough': 'gray' } as const;
  return [
    paint('bold', 'compared with the baseline'),
    ...(isSamePlan ? [] : [paint('yellow', 'the plans differ: another file, or another seed')]),
    ...lines.map(({ metric, baseline, now, ratio, range, change }) => {
      const isTime = metric.includes('response');
      const shown = (value: number): string => (isTime ? formatMicroseconds(value) : String(value));
      const factor = ratio === null ? '' : `× ${ratio.toFixed(2)}`;
      const isNothing = baseline === 0 && now === 0;
      const between = range === null || isNothing ? '' : ` (${range[0].toFixed(2)} … ${range[1].toFixed(2)})`;
      const words = `${shown(baseline)} → ${shown(now)}`.padEnd(24);
      return `${metric.padEnd(width)}  ${words} ${paint(styles[change], `${factor}${between} ${change === 'not-enough' ? NOT_ENOUGH : change}`.trim())}`;
    }),
  ].join('\n');
}

function time(us: number): string {
  return formatMicroseconds(us).padStart(TIME_COLUMNS);
}
