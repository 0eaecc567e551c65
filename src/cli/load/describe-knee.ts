/**
 * What a search for the knee found, for people: a plot of its steps, and a sentence.
 *
 *   120 /s  ✓  100%   12ms   ██████
 *   130 /s  ✗  98.9%  900ms  ████████████████████
 */

import { formatMicroseconds } from '../../common/duration.ts';
import { percent, type Knee, type KneeStep } from '../../load/verdict/find-knee.ts';
import { styled, type Line } from '../../report/terminal/line.ts';
import { table } from '../../report/terminal/table.ts';

const BAR_COLUMNS = 40;

export function describeKnee(knee: Knee): readonly Line[] {
  const title = styled('bold', 'By rate: answered well, and the 99th percentile of the response time');
  return [title, ...plotOf(knee), '', sentenceOf(knee)];
}

/** Bars grow with the logarithm of the time: the steps differ by powers of ten. */
function plotOf({ steps }: Knee): readonly Line[] {
  const byRate = steps.toSorted((one, other) => one.peakRate - other.peakRate);
  const longest = Math.max(...byRate.map((step) => Math.log1p(p99Of(step))), 1);
  const rows = byRate.map((step) => [
    `${formatRate(step.peakRate)} /s`,
    markOf(step),
    percent(step.goodShare),
    formatMicroseconds(p99Of(step)),
    '█'.repeat(Math.round((Math.log1p(p99Of(step)) / longest) * BAR_COLUMNS)),
  ]);
  return table(rows, '  ');
}

/** A step in which the generator was late says nothing of the service. */
function markOf({ record, reasons }: KneeStep): string {
  if (record.verdict === 'invalid') return '?';
  return reasons.length === 0 ? '✓' : '✗';
}

/** To a tenth where rates that differ would look the same. */
export function formatRate(rate: number): string {
  return String(rate < 100 ? Number(rate.toFixed(1)) : Math.round(rate));
}

function p99Of({ record }: KneeStep): number {
  return Math.max(0, ...record.streams.map(({ response }) => response.p99Us));
}

function sentenceOf({ best, broken, endedBy, steps }: Knee): string {
  if (best) return `${whatItDoes(best)} ${BEYOND[endedBy](broken)}`;
  if (broken) return `The service sustained none of the rates that were tried: ${whatWentWrong(broken)}.`;
  const why = endedBy === 'generator' ? 'the generator itself fell behind' : 'the search was interrupted';
  return `The search says nothing about the service: at ${formatRate(steps[0]?.peakRate ?? 0)} requests a second ${why}.`;
}

function whatItDoes(best: KneeStep): string {
  const within = formatMicroseconds(p99Of(best));
  return (
    `The service sustains ${formatRate(best.peakRate)} requests a second: ` +
    `${percent(best.goodShare)} were answered well, 99 of 100 within ${within}.`
  );
}

const BEYOND: Readonly<Record<Knee['endedBy'], (broken: KneeStep | null) => string>> = {
  found: (broken) => (broken ? `At ${formatRate(broken.peakRate)} it does not: ${whatWentWrong(broken)}.` : ''),
  generator: () => 'At the next step the generator itself fell behind, so the service may sustain more.',
  interrupted: () => 'The search was interrupted, so it may sustain more.',
  'most-steps': () => 'The search went no further, so it may sustain more.',
};

function whatWentWrong({ peakRate, record, reasons }: KneeStep): string {
  return reasons.length > 0 ? reasons.join('; ') : `the run at ${formatRate(peakRate)} ended as ${record.verdict}`;
}
