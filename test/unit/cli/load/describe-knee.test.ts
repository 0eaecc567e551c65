import { expect, it } from 'vitest';

import { describeKnee } from '../../../../src/cli/load/describe-knee.ts';
import type { Knee, KneeStep } from '../../../../src/load/verdict/find-knee.ts';
import { judgeLoad } from '../../../../src/load/verdict/judge-load.ts';
import { soundLoadFacts } from '../../../support/load-facts.ts';
import { onTerminal } from '../../../support/on-terminal.ts';

const RECORD = judgeLoad(soundLoadFacts());

function step(peakRate: number, p99Us: number, reasons: readonly string[] = []): KneeStep {
  const streams = RECORD.streams.map((stream) => ({ ...stream, response: { ...stream.response, p99Us } }));
  return { factor: peakRate / 100, peakRate, goodShare: 0.9991, reasons, record: { ...RECORD, streams } };
}

const SLOW = step(240, 2_000_000, ['a queue grew: 83.3% as many answers as requests']);
const FOUND: Knee = {
  steps: [SLOW, step(100, 900), step(200, 20_000)],
  best: step(200, 20_000),
  broken: SLOW,
  endedBy: 'found',
};

const lastLine = (knee: Knee): string => onTerminal(describeKnee(knee)).trimEnd().split('\n').at(-1) ?? '';

it('draws the steps by their rate, the slower the longer', () => {
  const [, ...lines] = onTerminal(describeKnee(FOUND)).split('\n');
  const rows = lines.slice(0, 3).map((line) => line.trim().split(/ {2,}/));
  expect(rows.map((row) => row.slice(0, 4))).toEqual([
    ['100 /s', '✓', '99.9%', '900µs'],
    ['200 /s', '✓', '99.9%', '20ms'],
    ['240 /s', '✗', '99.9%', '2s'],
  ]);
  const bars = rows.map((row) => row[4]?.length ?? 0);
  expect(bars).toEqual(bars.toSorted((one, other) => one - other));
  expect(bars[2]).toBe(40);
});

it('tells slow rates apart, and marks a step that tells nothing of the service', () => {
  const late = step(10.625, 900, ['the generator itself was late']);
  const steps = [step(10.3125, 900), { ...late, record: { ...late.record, verdict: 'invalid' as const } }];
  const [, ...lines] = onTerminal(describeKnee({ ...FOUND, steps })).split('\n');
  expect(lines.slice(0, 2).map((line) => line.trim().split(/ {2,}/).slice(0, 2))).toEqual([
    ['10.3 /s', '✓'],
    ['10.6 /s', '?'],
  ]);
});

it('ends with what the service sustains, and what happens beyond', () => {
  expect(lastLine(FOUND)).toBe(
    'The service sustains 200 requests a second: 99.9% were answered well, 99 of 100 within 20ms. ' +
      'At 240 it does not: a queue grew: 83.3% as many answers as requests.',
  );
});

it.each([
  ['generator', /the generator itself fell behind, so the service may sustain more\.$/],
  ['interrupted', /The search was interrupted, so it may sustain more\.$/],
  ['most-steps', /The search went no further, so it may sustain more\.$/],
] as const)('says why it does not know more: %s', (endedBy, words) => {
  expect(lastLine({ ...FOUND, broken: null, endedBy })).toMatch(words);
});

it('says what is wrong with the lowest rate where none was sustained', () => {
  expect(lastLine({ ...FOUND, best: null })).toBe(
    'The service sustained none of the rates that were tried: a queue grew: 83.3% as many answers as requests.',
  );
});

it.each([
  [
    'generator',
    'The search says nothing about the service: at 240 requests a second the generator itself fell behind.',
  ],
  ['interrupted', 'The search says nothing about the service: at 240 requests a second the search was interrupted.'],
] as const)('does not blame the service where the first step tells nothing: %s', (endedBy, words) => {
  expect(lastLine({ steps: [SLOW], best: null, broken: null, endedBy })).toBe(words);
});
