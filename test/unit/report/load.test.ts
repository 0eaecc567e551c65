import { expect, it } from 'vitest';

import { compareLoad } from '../../../src/load/verdict/compare.ts';
import { judgeLoad } from '../../../src/load/verdict/judge-load.ts';
import type { LoadRecord } from '../../../src/record/load-record.ts';
import { renderBadge } from '../../../src/report/badge.ts';
import { renderHtml } from '../../../src/report/html/page.ts';
import { renderJunit } from '../../../src/report/junit.ts';
import { renderComparison, renderSecond } from '../../../src/report/terminal/load-terminal.ts';
import { renderRun } from '../../../src/report/terminal/run-terminal.ts';
import { viewOf } from '../../../src/report/view/view-of.ts';
import { ledgerOfRun, loadFacts, soundLoadFacts } from '../../support/load-facts.ts';
import { madeUpLoad } from '../../support/run-records.ts';
import { onTerminal } from '../../support/on-terminal.ts';

const FACTS = loadFacts();
const THRESHOLDS = ['invoices.response.p99 <= 200ms', 'ledger.lost == 0'];
const RECORD = judgeLoad({ ...FACTS, plan: { ...FACTS.plan, thresholds: THRESHOLDS } });

it('shows response beside service, the ledger as a sum, thresholds with what was measured, and the verdict', () => {
  const text = onTerminal(renderRun(RECORD));
  expect(text).toMatch(/invoices +100 +9\.9 +99 +0 +0 +0 +1 +0 +0/);
  expect(text).toMatch(/invoices: response +100 .*50ms/);
  expect(text).toMatch(/invoices: service +100 .*49\.\dms/);
  expect(text).toContain('100 = 96 delivered-once + 1 lost + 3 refused');
  expect(text).toContain('Job 1096, account 1, printer 1');
  expect(text).toContain('1 = 1 delivered');
  expect(text).toMatch(/invoices\.response\.p99 <= 200ms +99ms +kept/);
  expect(text).toMatch(/ledger\.lost == 0 +1 +broken/);
  expect(text).toContain('FAILED: Not as required: 1 job lost.');
});

it('shows no percentile above the longest, which alone is known to the microsecond', () => {
  const [first, ...others] = RECORD.streams;
  if (!first) throw new Error('the load has no stream');
  const response = { ...first.response, p99Us: 289_800, p999Us: 291_007, maxUs: 290_300 };
  const text = onTerminal(renderRun({ ...RECORD, streams: [{ ...first, response }, ...others] }));
  expect(text).toMatch(/invoices: response .* 290ms +290ms +290ms\n/);
});

it('says that a result near the floor is partly that of the generator', () => {
  const self = {
    ...FACTS.self,
    floor: { responseP50Us: 30_000, responseP99Us: 1, latenessP99Us: 1, requestsPerSecond: 1 },
  };
  expect(onTerminal(renderRun(judgeLoad({ ...FACTS, self })))).toContain('within 3 times of the floor');
  expect(onTerminal(renderRun(RECORD))).not.toContain('times of the floor');
});

it('passes nothing that only paper shows where the jobs went to a printer that platen does not run', () => {
  const ledger = ledgerOfRun(96);
  ledger.said(96, 'done');
  ledger.drained();
  const record = judgeLoad(soundLoadFacts({ ledger: { totals: ledger.totals(), samples: [] } }));
  const standings = Object.fromEntries(viewOf(record).results.map(({ id, standing }) => [id.split('/')[1], standing]));
  expect(standings).toMatchObject({ duplicated: 'skipped', 'wrong-bytes': 'skipped', lost: 'passed', sum: 'passed' });
  expect(onTerminal(renderRun(record))).toContain(
    'Every one of 100 jobs is accounted for by the word of the service; their paper was not seen',
  );
});

it('shows a run in which nothing happened', () => {
  const { streams, ...rest } = soundLoadFacts();
  expect(onTerminal(renderRun(judgeLoad({ ...rest, streams: streams.slice(1), legs: [], webhooks: null })))).toContain(
    'INCOMPLETE',
  );
});

it('says of a run that was stopped that its thresholds were kept so far, and calls none of them passed', () => {
  const stopped = judgeLoad({
    ...soundLoadFacts({ ending: 'interrupted' }),
    plan: { ...FACTS.plan, thresholds: THRESHOLDS },
  });
  const thresholds = viewOf(stopped).results.filter(({ group }) => group === 'thresholds');
  expect(thresholds.map(({ standing, verdict }) => [standing, verdict])).toEqual([
    ['skipped', 'inconclusive'],
    ['skipped', 'inconclusive'],
  ]);
  const text = onTerminal(renderRun(stopped));
  expect(text).toMatch(/invoices\.response\.p99 <= 200ms +99ms +kept so far/);
  expect(text).toContain('2 judgements not judged, inconclusive: kept so far, but the run ended early');
  expect(text).toContain('INCOMPLETE: The whole cannot be judged: it was interrupted before its end.');
});

it('shows a second on one line', () => {
  const [second] = RECORD.series;
  const line = second ? onTerminal([renderSecond(second)]) : '';
  expect(line).toContain('1s     100/s  p50      50ms');
  expect(line).toContain('jobs 100 accepted 97 printed 96 reported 96');
  expect(line.trimEnd().split('\n')).toHaveLength(1);
  expect(second && onTerminal([renderSecond({ ...second, errors: 5 })])).toMatch(/ {2}5 errors\/s$/m);
});

it('shows what became slower than in an earlier run', () => {
  expect(onTerminal(renderComparison(compareLoad(RECORD, RECORD)))).toContain('50ms → 50ms');
  const line = { metric: 'errors', baseline: 0, now: 0, ratio: null, range: [1, 1], change: 'same' } as const;
  expect(onTerminal(renderComparison({ isSamePlan: true, lines: [line] }))).toMatch(/errors +0 → 0 +same$/m);
});

it('shows chaos events, stray webhook events, and machines that were lost', () => {
  const text = onTerminal(renderRun(madeUpLoad()));
  expect(text).toMatch(/power-cut +200ms +3 +1 +12 +700ms/);
  expect(text).toMatch(/reconnect-storm +300ms +4 +0 +\d+ +not before the end/);
  expect(text).toContain('FAIL webhooks/stray unreadable');
  expect(text).toContain('open machines/shard 2');
  expect(text).not.toContain('machines/shard 1');
});

it('shows no chaos events and machines where there were none', () => {
  expect(onTerminal(renderRun(RECORD))).not.toMatch(/Chaos events|machines|stray/);
});

const failed = (record: LoadRecord): readonly (readonly [string, string, string])[] =>
  viewOf(record)
    .results.filter(({ standing }) => standing === 'failed')
    .map(({ id, findings: [finding] }) => [id, finding?.expected ?? '', finding?.actual ?? '']);

it('makes a result of everything that was judged, with expected beside actual', () => {
  expect(failed(madeUpLoad())).toEqual([
    ['run/verdict', '', ''],
    ['thresholds/invoices.response.p99 <= 1ms', 'invoices.response.p99 <= 1ms', '99ms'],
    ['thresholds/ledger.lost == 0', 'ledger.lost == 0', '1'],
    ['jobs/lost', 'none', '1 job'],
    ['webhooks/early', 'none', '2 events'],
    ['webhooks/stray unreadable', 'none', '3 events'],
    ['webhooks/counter droppedEvents', '0, as its receivers saw', '1'],
    ['responses/service-request-id', 'an id', 'a letter'],
  ]);
});

it('says how far a job came that is not as it should be', () => {
  const lost = viewOf(RECORD).results.find(({ id }) => id === 'jobs/lost');
  expect(lost?.stories).toEqual([
    {
      title: 'Job 1096, account 1, printer 1',
      lines: ['0 of 1 copies printed, delivered 0 times', '960ms  due', '960ms  sent', '965ms  accepted'],
    },
  ]);
});

it('passes when everything is kept, and says so in the badge', () => {
  const view = viewOf(judgeLoad(soundLoadFacts()));
  expect(view).toMatchObject({ word: 'PASSED', exitCode: 0 });
  expect(view.sentence).toBe('Every one of 100 jobs is accounted for.');
  expect(new Set(view.results.map(({ standing }) => standing))).toEqual(new Set(['passed']));
  expect(renderBadge(RECORD)).toContain('load: 99/100 jobs, failed');
});

const [ANSWERED] = FACTS.series;
const second = (number: number, arrivals: number, errors: number): LoadRecord['series'][number][] =>
  ANSWERED ? [{ ...ANSWERED, second: number, arrivals, ended: arrivals, errors }] : [];
const SILENT = [...second(0, 20, 0), ...second(1, 20, 19), ...second(2, 20, 20), ...second(3, 20, 20)];
const refusing = FACTS.streams.map((stream) => ({ ...stream, counts: { ...stream.counts, failed: 40 } }));

it.each<readonly [string, Partial<LoadRecord>, boolean]>([
  ['no request was answered any more', { series: SILENT }, true],
  ['nothing was due after that', { series: [...SILENT, ...second(4, 0, 0)] }, true],
  ['one was answered after all', { series: [...SILENT, ...second(4, 20, 19)] }, false],
  ['only the last second had no answer', { series: SILENT.slice(0, 3) }, false],
  ['errors were answers', { series: SILENT, streams: refusing }, false],
])('says from when on a service gave no answer: %s', (_, changes, isTold) => {
  const { sentence } = viewOf(judgeLoad({ ...FACTS, ...changes }));
  expect(sentence.includes('the service answered nothing from 2s into the run on')).toBe(isTold);
});

it('gives a build a case for each threshold, and one for the verdict', () => {
  const xml = renderJunit(RECORD);
  expect(xml).toContain('name="thresholds/invoices.response.p99 &lt;= 200ms"');
  expect(xml).toContain('message="fail: 1 job lost"');
});

it('fails no build for a run that says nothing about the service, and passes none either', () => {
  const thresholds = ['invoices.response.p99 <= 1ms'];
  const facts = soundLoadFacts();
  const cut = judgeLoad({ ...facts, ending: 'interrupted', plan: { ...facts.plan, thresholds } });
  expect(cut).toMatchObject({ verdict: 'incomplete', summary: { exitCode: 130 } });
  expect(renderJunit(cut)).toMatch(/^<testsuites name="platen load" tests="\d+" failures="0" errors="2"/m);
  expect(viewOf(cut)).toMatchObject({ word: 'INCOMPLETE', exitCode: 130 });
});

it('lets a service that was killed miscount its events, with a warning', () => {
  const facts = soundLoadFacts();
  const killed = judgeLoad({
    ...facts,
    disasters: [{ what: 'service-killed', atMs: 1, hit: 4, lowestConnected: 0, mostBacklog: 9, recoveredMs: 2 }],
    webhooks: facts.webhooks && {
      ...facts.webhooks,
      reconciliation: [{ counter: 'receivedEvents', service: 0, seen: 1, agrees: false }],
    },
  });
  expect(killed.verdict).toBe('pass');
  const warned = viewOf(killed).results.filter(({ standing }) => standing !== 'passed');
  expect(warned.map(({ id, standing }) => [id, standing])).toEqual([['webhooks/counter receivedEvents', 'warned']]);
});

it('shows response beside service and lateness, with percentiles, and the floor beside both', () => {
  const { tables } = viewOf(RECORD);
  const [durations] = tables.filter(({ title }) => title === 'How long requests took');
  expect(durations?.columns.map(({ name }) => name)).toEqual([
    'Stream',
    'count',
    'mean',
    'p50',
    'p90',
    'p95',
    'p99',
    'p99.9',
    'max',
  ]);
  expect(durations?.rows.slice(0, 3).map(({ cells }) => cells.slice(0, 2))).toEqual([
    ['invoices: response', '100'],
    ['invoices: service', '100'],
    ['invoices: lateness', '100'],
  ]);
  const [floor] = tables.filter(({ title }) => title.startsWith('Beside the floor'));
  expect(floor?.rows.map(({ cells }) => cells[0])).toEqual(['invoices', 'floor']);
});

it('draws the seconds of a run, with disasters where they happened', () => {
  const page = renderHtml([madeUpLoad()]);
  expect(page.match(/<figure class="chart">/g)).toHaveLength(3);
  expect(page).toContain('>power-cut</text>');
  expect(page).toContain('aria-label="Response time. p99: ');
});

it('never passes silently over the jobs of a worker that was lost as declared', () => {
  const facts = soundLoadFacts();
  const known = { clockOffsetMs: 0, roundTripMs: 1, startLateMs: 0 };
  const record = judgeLoad({
    ...facts,
    plan: {
      ...facts.plan,
      shards: 2,
      losses: { declared: [{ atMs: 0, withinMs: null, workers: 1 }], submissions: [100, 30] },
    },
    workers: [
      { ...known, shard: 1, name: 'south', finding: '' },
      { ...known, shard: 2, name: 'north', finding: 'north was lost', lostAtMs: 700 },
    ],
  });
  const text = onTerminal(renderRun(record));
  expect(text).toMatch(/Workers lost +1 of up to 1 declared; 30 jobs unknown/);
  expect(text).toContain('warn machines/shard 2');
  expect(text).toContain('PASSED: Every one of');
  expect(text).toContain('Beside them 30 jobs of lost workers are unknown, as declared.');
  const view = viewOf(record);
  expect(view.sentence).toContain('Beside them 30 jobs of lost workers are unknown, as declared.');
  expect(view.remarks.join()).toContain('the fate of its 30 jobs is unknown');
  expect(view.results.find(({ id }) => id === 'machines/shard 2')?.standing).toBe('warned');
});

it('shows the values of a second where a pointer rests on a chart', () => {
  expect(renderHtml([RECORD])).toContain('<title>0s: due 100, ended 100, errors 1</title>');
});
