import { expect, it } from 'vitest';

import { measuresOf } from '../../../../src/load/measure/measures.ts';
import {
  abortCause,
  formatMeasured,
  judgeThreshold,
  parseRules,
  parseThreshold,
} from '../../../../src/load/verdict/thresholds.ts';
import { loadFacts } from '../../../support/load-facts.ts';

const STREAMS = ['invoices', 'looks'];
/** 97 of 100 requests answered well in 1 ms … 100 ms, 3 timed out. */
const FACTS = loadFacts({
  streams: loadFacts().streams.map((stream) =>
    stream.name === 'invoices' ? { ...stream, counts: { ...stream.counts, ok: 97, timeout: 3 } } : stream,
  ),
});

function judge(text: string): { readonly measured: string | null; readonly kept: boolean } {
  const parsed = parseThreshold(text, STREAMS);
  if (!parsed.ok) throw new Error(`${parsed.error.offset}: ${parsed.error.message}`);
  const { measured, kept } = judgeThreshold(parsed.value, measuresOf(FACTS));
  return { measured, kept };
}

it.each<[string, string | null, boolean]>([
  ['invoices.response.p50 <= 60ms', '50ms', true],
  ['invoices.response.p99 <= 60ms', '99ms', false],
  ['invoices.response.p99.9 < 1s', '100ms', true],
  ['invoices.response.max == 100000us', '100ms', true],
  ['invoices.service.mean > 10ms', '50.1ms', true],
  ['invoices.timeout < 5%', '3%', true],
  ['invoices.errors == 3', '3', true],
  ['invoices.errors < 0.1%', '3%', false],
  ['invoices.requests >= 100', '100', true],
  ['invoices.rate >= 10', '9.7', false],
  ['ledger.lost == 0', '1', false],
  ['ledger.delivered-once >= 95%', '96%', true],
  ['ledger.bad != 1', '1', false],
  ['webhooks.lost == 0', '0', true],
  ['webhooks.disagreements == 0', '0', true],
  ['job.paper.p95 <= 2s', '3ms', true],
  ['lateness.p99 <= 10ms', '300µs', true],
  ['accounts.fairness >= 0.95', '1', true],
  ['accounts.fairness >= 95%', '100%', true],
  ['accounts.starving == 0', '0', true],
  ['self.rss <= 220MB', '100MB', true],
  ['self.cpu < 0.9', '0.5', true],
])('%s: measured %s', (text, measured, kept) => {
  expect(judge(text)).toEqual({ measured, kept });
});

it('counts the rate of a stream over the time of the stream, not over the run around it', () => {
  const [second] = FACTS.series;
  const plan = { ...FACTS.plan, streams: [{ name: 'invoices', startMs: 5_000, forMs: 2_000 }] };
  const rateUntil = (lastSecond: number): string | null => {
    const series = second ? [{ ...second, second: lastSecond }] : [];
    const parsed = parseThreshold('invoices.rate > 0', STREAMS);
    return parsed.ok ? judgeThreshold(parsed.value, measuresOf({ ...FACTS, plan, series })).measured : null;
  };
  expect([rateUntil(29), rateUntil(6), rateUntil(5), rateUntil(4)]).toEqual(['48.5', '48.5', '97', null]);
});

it('fails a threshold on something that was never measured', () => {
  expect(judge('looks.response.p99 <= 1s')).toEqual({ measured: null, kept: false });
  expect(judge('job.webhook.p99 <= 1s')).toEqual({ measured: null, kept: false });
  expect(judge('looks.errors < 1%')).toEqual({ measured: null, kept: false });
});

it.each<[string, boolean, boolean, boolean]>([
  ['<', true, false, false],
  ['<=', true, true, false],
  ['==', false, true, false],
  ['!=', true, false, true],
  ['>=', false, true, true],
  ['>', false, false, true],
])('compares by %s', (sign, below, same, above) => {
  const keeps = (limit: number): boolean => judge(`invoices.errors ${sign} ${limit}`).kept;
  expect([keeps(4), keeps(3), keeps(2)]).toEqual([below, same, above]);
});

it.each<[string, string, number, boolean, number]>([
  ['invoices.response.p99<=200ms', '<=', 200_000, false, 0],
  ['  invoices.response.p99   <   1.5s  ', '<', 1_500_000, false, 0],
  ['invoices.response.p99.9 > 300us', '>', 300, false, 0],
  ['invoices.response.p99 > 1.25µs', '>', 1.25, false, 0],
  ['invoices.errors == 0', '==', 0, false, 0],
  ['invoices.errors != 12', '!=', 12, false, 0],
  ['invoices.errors < 0.1%', '<', 0.001, true, 0],
  ['invoices.errors < 25%', '<', 0.25, true, 0],
  ['invoices.errors <= 100%', '<=', 1, true, 0],
  ['self.cpu < 150%', '<', 1.5, true, 0],
  ['invoices.errors < 12.25%', '<', 0.1225, true, 0],
  ['self.rss <= 1.25GB', '<=', 1.25e9, false, 0],
  ['accounts.fairness >= 0.95', '>=', 0.95, false, 0],
  ['accounts.fairness >= 95%', '>=', 0.95, true, 0],
  ['invoices.rate >= 12.5', '>=', 12.5, false, 0],
  ['self.rss <= 220MB', '<=', 220e6, false, 0],
  ['self.rss <= 1.5GB', '<=', 1.5e9, false, 0],
  ['self.rss <= 10KB', '<=', 10e3, false, 0],
  ['invoices.errors > 2 after 10s', '>', 2, false, 10_000],
  [' invoices.errors>20%  after  1m ', '>', 0.2, true, 60_000],
])('reads %j', (text, comparison, limit, isShare, afterMs) => {
  expect(parseThreshold(text, STREAMS)).toEqual({
    ok: true,
    value: { text, comparison, limit, isShare, afterMs, metric: expect.anything() },
  });
});

const FORM = 'is a metric, a comparison and a value; write for example invoices.response.p99 <= 200ms';
const NO_NUMBER = 'is not a number, nor a percentage such as 0.1%';
const NO_DURATION = 'is not a duration; write for example 200ms, 1.5s or 300us';
const NO_AMOUNT = 'is not an amount of memory; write for example 220MB';

it.each<[string, number, string]>([
  ['invoces.response.p99 <= 1s', 0, "there is no metric 'invoces'; did you mean 'invoices'?"],
  ['  invoices.respons.p99 <= 1s', 11, "there is no measure of a stream 'respons'; did you mean 'response'?"],
  ['invoices.response.p999 <= 1s', 18, "there is no statistic 'p999'; did you mean 'p99'?"],
  ['invoices.response <= 1s', 17, "'invoices.response' goes on: .mean, .max, .p50"],
  ['invoices.failed.p99 <= 1s', 15, "'invoices.failed.p99' ends before '.p99'"],
  ['ledger.losst == 0', 7, "there is no class of the ledger 'losst'; did you mean 'lost'?"],
  ['xyzzyx == 0', 0, "there is no metric 'xyzzyx'; there are invoices, looks, "],
  ['invoices.response.p99  <=  fast', 27, `'fast' ${NO_DURATION}`],
  ['invoices.response.p99 <= x5us', 25, `'x5us' ${NO_DURATION}`],
  ['invoices.response.p99 <= 5usx', 25, `'5usx' ${NO_DURATION}`],
  ['invoices.response.p99 <= 200', 25, `'200' ${NO_DURATION}`],
  ['invoices.errors<=1<=2', 17, `'1<=2' ${NO_NUMBER}`],
  ['invoices.errors <= 1s', 19, `'1s' ${NO_NUMBER}`],
  ['invoices.errors <= s1', 19, `'s1' ${NO_NUMBER}`],
  ['invoices.errors <= 1.', 19, `'1.' ${NO_NUMBER}`],
  ['invoices.errors <= x1%', 19, `'x1%' ${NO_NUMBER}`],
  ['invoices.errors <= 1%x', 19, `'1%x' ${NO_NUMBER}`],
  ['invoices.errors <= .1%', 19, `'.1%' ${NO_NUMBER}`],
  ['accounts.fairness >= much', 21, "'much' is not a number, nor a percentage such as 95%"],
  ['invoices.rate >= 5/s', 17, "'5/s' is not a number (of requests per second)"],
  ['self.rss <= 220', 12, `'220' ${NO_AMOUNT}`],
  ['self.rss <= 220TB', 12, `'220TB' ${NO_AMOUNT}`],
  ['self.rss <= x220MB', 12, `'x220MB' ${NO_AMOUNT}`],
  ['self.rss <= 220MBs', 12, `'220MBs' ${NO_AMOUNT}`],
  ['job.paper.p95 <= 5%', 17, "'5%' would be a percentage of nothing: this metric has no total"],
  ['invoices.failed < 110%', 18, "'110%' is more than there can be: write at most 100%"],
  ['ledger.redelivered > 100.5%', 21, "'100.5%' is more than there can be: write at most 100%"],
  ['invoices.failed < 0', 18, 'nothing is below 0: write == 0'],
  ['invoices.failed < 0%', 18, 'nothing is below 0: write == 0'],
  ['ledger.lost = 0', 12, "'=' is not a comparison: write <=, >=, ==, !=, < or >"],
  ['x= 0', 1, "'=' is not a comparison: write <=, >=, ==, !=, < or >"],
  ['ledger.lost', 0, 'has no comparison (<=, >=, ==, !=, <, >); write for example invoices.response.p99 <= 200ms'],
  ['ledger.lost ==', 0, FORM],
  ['== 0', 0, FORM],
  ['ledger.lost == 0 after 3s more', 0, FORM],
  ['the ledger.lost == 0', 0, FORM],
  ['ledger.lost == 0 within 3s', 17, "only 'after' may follow, not 'within'"],
  ['ledger.lost == 0  after   soon', 26, "'after' takes a duration such as 10s"],
  ['ledger.lost == 0 after', 22, "'after' takes a duration such as 10s"],
])('%s is wrong at %i: %s', (text, offset, message) => {
  const parsed = parseThreshold(text, STREAMS);
  expect(parsed).toEqual({ ok: false, error: { offset, message: expect.stringMatching(beginning(message)) } });
});

function beginning(message: string): RegExp {
  const escaped = message.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped}${/[ 0]$/.test(message) ? '' : '$'}`);
}

it.each([
  [1_500, 'duration', '1.5ms'],
  [220_123_456, 'bytes', '220.123MB'],
  [1 / 3, 'ratio', '0.333'],
  [12, 'count', '12'],
] as const)('shows %f as a %s: %s', (value, unit, text) => {
  expect(formatMeasured(value, unit)).toBe(text);
});

it('shows shares to a thousandth of a percent', () => {
  const parsed = parseThreshold('invoices.ok > 33.3%', STREAMS);
  const [stream] = FACTS.streams;
  if (!parsed.ok || !stream) throw new Error('it could not be read');
  const counts = { ...stream.counts, ok: 1, timeout: 2 };
  const measures = measuresOf({ ...FACTS, streams: [{ ...stream, counts }] });
  expect(judgeThreshold(parsed.value, measures)).toEqual({ text: parsed.value.text, measured: '33.333%', kept: true });
});

it('leaves out rules that cannot be read', () => {
  expect(parseRules(['invoices.errors', 'ledger.lost > 1'], STREAMS).map(({ text }) => text)).toEqual([
    'ledger.lost > 1',
  ]);
});

function cause(...lines: readonly string[]): string | undefined {
  return abortCause(parseRules(lines, STREAMS), measuresOf(FACTS));
}

it('aborts by the first rule that applies, and by none that was not measured', () => {
  expect(cause('ledger.lost > 5', 'ledger.lost > 0', 'invoices.errors > 0')).toBe('ledger.lost > 0 (measured 1)');
  expect(cause('looks.errors < 1%', 'looks.response.p99 < 1s')).toBeUndefined();
  expect(cause()).toBeUndefined();
});

it('aborts once a rule applies, and not before its time', () => {
  const rules = parseRules(['invoices.errors > 2% after 5s', 'ledger.lost > 10'], STREAMS);
  const measures = measuresOf(FACTS);
  expect(abortCause(rules, { ...measures, elapsedMs: 4_999 })).toBeUndefined();
  expect(abortCause(rules, { ...measures, elapsedMs: 5_000 })).toBe('invoices.errors > 2% after 5s (measured 3%)');
});
