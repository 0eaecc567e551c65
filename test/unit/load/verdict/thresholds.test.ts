import { expect, it } from 'vitest';

import { measuresOf } from '../../../../src/load/measure/measures.ts';
import { abortCause, judgeThreshold, parseRules, parseThreshold } from '../../../../src/load/verdict/thresholds.ts';
import { loadFacts } from '../../../support/load-facts.ts';

const STREAMS = ['invoices', 'looks'];
/** 97 of 100 requests answered well in 1 ms … 100 ms, 3 timed out. */
const FACTS = loadFacts();

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

it('fails a threshold on something that was never measured', () => {
  expect(judge('looks.response.p99 <= 1s')).toEqual({ measured: null, kept: false });
  expect(judge('job.webhook.p99 <= 1s')).toEqual({ measured: null, kept: false });
  expect(judge('looks.errors < 1%')).toEqual({ measured: null, kept: false });
});

it.each<[string, number, string]>([
  ['invoces.response.p99 <= 1s', 0, "there is no metric 'invoces'; did you mean 'invoices'?"],
  ['invoices.respons.p99 <= 1s', 9, "there is no measure of a stream 'respons'; did you mean 'response'?"],
  ['invoices.response.p999 <= 1s', 18, "there is no statistic 'p999'; did you mean 'p99'?"],
  ['invoices.response <= 1s', 17, "'invoices.response' goes on: .mean, .max, .p50"],
  ['invoices.failed.p99 <= 1s', 15, "'invoices.failed.p99' ends before '.p99'"],
  ['ledger.losst == 0', 7, "there is no class of the ledger 'losst'; did you mean 'lost'?"],
  ['invoices.response.p99 <= fast', 25, "'fast' is not a duration"],
  ['invoices.errors <= 1s', 19, "'1s' is not a number, nor a percentage"],
  ['job.paper.p95 <= 5%', 17, "'5%' would be a percentage of nothing"],
  ['ledger.lost = 0', 12, "'=' is not a comparison"],
  ['ledger.lost', 0, 'has no comparison'],
  ['ledger.lost == 0 within 3s', 17, "only 'after' may follow, not 'within'"],
  ['ledger.lost == 0 after soon', 23, "'after' takes a duration"],
])('%s is wrong at %i: %s', (text, offset, message) => {
  const parsed = parseThreshold(text, STREAMS);
  expect(parsed.ok ? undefined : parsed.error.offset).toBe(offset);
  expect(parsed.ok ? '' : parsed.error.message).toContain(message);
});

it('aborts once a rule applies, and not before its time', () => {
  const rules = parseRules(['invoices.errors > 2% after 5s', 'ledger.lost > 10'], STREAMS);
  const measures = measuresOf(FACTS);
  expect(abortCause(rules, { ...measures, elapsedMs: 4_000 })).toBeUndefined();
  expect(abortCause(rules, { ...measures, elapsedMs: 5_000 })).toBe('invoices.errors > 2% after 5s (measured 3%)');
});
