import { expect, it } from 'vitest';

import { compareLoad } from '../../../src/load/compare.ts';
import { judgeLoad } from '../../../src/load/judge-load.ts';
import { renderLoadJunit } from '../../../src/report/load-junit.ts';
import { renderComparison, renderLoad, renderSecond } from '../../../src/report/load-terminal.ts';
import { loadFacts, soundLoadFacts } from '../../support/load-facts.ts';

const PLAIN = { color: false };
const FACTS = loadFacts();
const THRESHOLDS = ['invoices.response.p99 <= 200ms', 'ledger.lost == 0'];
const RECORD = judgeLoad({ ...FACTS, plan: { ...FACTS.plan, thresholds: THRESHOLDS } });

it('shows response beside service, the ledger as a sum, thresholds with what was measured, and the verdict', () => {
  const text = renderLoad(RECORD, PLAIN);
  expect(text).toContain('100      9.7       3%  response      50ms');
  expect(text).toMatch(/service +49\.\dms/);
  expect(text).toContain('3 timeout');
  expect(text).toContain('100 = 96 delivered-once + 1 lost + 3 refused');
  expect(text).toContain('lost: job 1096, account 1, printer 1, 0 of 1 copies');
  expect(text).toContain('1 = 1 delivered');
  expect(text).toContain('floor: 400µs p50');
  expect(text).toContain('ok   invoices.response.p99 <= 200ms  99ms');
  expect(text).toContain('FAIL ledger.lost == 0                1');
  expect(text.split('\n').slice(-2)).toEqual(['FAIL', '  1 job lost']);
});

it('says that a result near the floor is partly that of the generator', () => {
  const self = {
    ...FACTS.self,
    floor: { responseP50Us: 30_000, responseP99Us: 1, latenessP99Us: 1, requestsPerSecond: 1 },
  };
  expect(renderLoad(judgeLoad({ ...FACTS, self }), PLAIN)).toContain('within 3 times of the floor');
  expect(renderLoad(RECORD, PLAIN)).not.toContain('times of the floor');
});

it('shows a run in which nothing happened', () => {
  const { streams, ...rest } = soundLoadFacts();
  expect(
    renderLoad(judgeLoad({ ...rest, streams: streams.slice(1), legs: [], webhooks: null }), PLAIN),
  ).toContain('INCOMPLETE');
});

it('shows a second on one line', () => {
  const [second] = RECORD.series;
  const line = second ? renderSecond(second, PLAIN) : '';
  expect(line).toContain('1s     100/s  p50      50ms');
  expect(line).toContain('jobs 100 accepted 97 printed 96 reported 96');
  expect(line.split('\n')).toHaveLength(1);
});

it('shows what became slower than in an earlier run', () => {
  expect(renderComparison(compareLoad(RECORD, RECORD), PLAIN)).toContain('50ms → 50ms');
});

it('gives a build a case for each threshold, and one for the verdict', () => {
  const xml = renderLoadJunit(RECORD);
  expect(xml).toContain('tests="3" failures="2" errors="0"');
  expect(xml).toContain('name="invoices.response.p99 &lt;= 200ms"');
  expect(xml).toContain('message="fail: 1 job lost"');
  const late = judgeLoad({ ...soundLoadFacts(), ending: 'interrupted' });
  expect(renderLoadJunit(late)).toContain('failures="0" errors="1"');
});
