import { createHash } from 'node:crypto';

import { HtmlValidate } from 'html-validate';
import { expect, it } from 'vitest';

import { renderHtml } from '../../../src/report/html/page.ts';
import { HOSTILE, madeUpLoad, madeUpRun, madeUpScenarios } from '../../support/run-records.ts';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  // What a target sends may end in blanks; an element without content may end in a slash.
  rules: { 'no-trailing-whitespace': 'off', 'void-style': 'off' },
});

async function faultsOf(page: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(page);
  return results.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`));
}

const MOST_BYTES = 1.5 * 1024 * 1024;

it('is valid HTML: of a check, of scenarios, of a load, of all, and with hostile words', async () => {
  const clauses = 30;
  const pages = [
    renderHtml([madeUpRun({ results: 60, failures: 12, clauses })]),
    renderHtml([madeUpScenarios()]),
    renderHtml([madeUpLoad()]),
    renderHtml([madeUpRun({ clauses }), madeUpRun({ clauses, failures: 0 }), madeUpScenarios(), madeUpLoad()]),
    renderHtml([madeUpRun({ clauses, words: HOSTILE }), madeUpScenarios(HOSTILE), madeUpLoad(HOSTILE)]),
  ];
  for (const page of pages) expect(await faultsOf(page)).toEqual([]);
});

it('holds what a target says as text, never as markup', () => {
  const page = renderHtml([madeUpRun({ words: HOSTILE }), madeUpScenarios(HOSTILE), madeUpLoad(HOSTILE)]);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page.match(/<style/g)).toHaveLength(1);
  expect(page).not.toMatch(
    /<(img(?! src="data:image\/png;base64,[A-Za-z0-9+/=]+")|iframe|object|link|base|form|b>taken|evil)\b/,
  );
  expect(page.replaceAll(/="[^"]*"/g, '')).not.toMatch(/<[^>]*\s(on[a-z]+|style)\b/);
  expect(page.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

it('shows the sheets of a failed scenario, from within the page', () => {
  const page = renderHtml([madeUpScenarios('a "jam"')]);
  expect(page).toMatch(/<img src="data:image\/png;base64,iVBOR[^"]*" alt="a &quot;jam&quot;"/);
  expect(page).toContain('; img-src data:;');
});

it('says how long a run took, once it has ended', () => {
  const record = madeUpLoad();
  const progress = { done: 3, total: 10, remainingMs: 7_000, doing: 'running' };
  expect(renderHtml([record])).toMatch(/Started<\/dt><dd>[^<]*, took /);
  expect(renderHtml([{ ...record, progress }])).not.toContain(', took ');
});

it('asks for nothing from anywhere, and runs nothing but its own script', () => {
  const page = renderHtml([madeUpRun({ words: HOSTILE })]);
  const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  const digestOf = (tag: string): string => {
    const [, content = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page) ?? [];
    return `sha256-${createHash('sha256').update(content).digest('base64')}`;
  };
  const told = policy.replaceAll('&#39;', "'");
  expect(told).toContain("default-src 'none'");
  expect(told).toContain(`script-src '${digestOf('script')}'`);
  expect(told).toContain(`style-src '${digestOf('style')}'`);
  expect(page).not.toMatch(/\s(src|href)="(?!#)/);
});

it('shows failures first, each with clause, expected, actual, wire log and curl', () => {
  const page = renderHtml([madeUpRun({ results: 50, failures: 1 })]);
  const failure = page.indexOf('family-0/what-it-looks-at-0<');
  expect(failure).toBeGreaterThan(0);
  expect(failure).toBeLessThan(page.indexOf('family-1/what-it-looks-at-1<'));
  for (const part of ['in its clause number 0,', 'status 200', '&lt; X-Echo: a letter', "curl 'a letter'"]) {
    const at = page.indexOf(part, failure);
    expect(at).toBeGreaterThan(failure);
    expect(at).toBeLessThan(page.indexOf('49 passed', failure));
  }
});

it('puts the gaps of several runs side by side', () => {
  const page = renderHtml([madeUpRun({ words: 'black' }), madeUpRun({ words: 'white' })]);
  const [, row = ''] = /gap\/colour<\/code>([\s\S]*?)<\/tr>/.exec(page) ?? [];
  expect(row.indexOf('black')).toBeGreaterThan(0);
  expect(row.indexOf('white')).toBeGreaterThan(row.indexOf('black'));
  expect(page).toContain('1 of them answered differently');
});

it.each([
  ['1,000 results, of which 50 failed', { results: 1_000, failures: 50, exchanges: 8 }],
  ['1,000 failures with 40 exchanges each', { results: 1_000, failures: 1_000, exchanges: 40 }],
  ['1,000 hostile failures', { results: 1_000, failures: 1_000, exchanges: 5, words: HOSTILE.repeat(10) }],
])('keeps a page of %s below 1.5 MB', (_, size) => {
  const bytes = Buffer.byteLength(renderHtml([madeUpRun(size)]));
  expect(bytes).toBeLessThan(MOST_BYTES);
});

it('draws a run of a day in a page that can be sent', () => {
  const record = madeUpLoad();
  const [second] = record.series;
  const series = Array.from({ length: 86_400 }, (_, at) => ({ ...second, second: at }));
  const page = renderHtml([{ ...record, series } as typeof record]);
  expect(Buffer.byteLength(page)).toBeLessThan(220_000);
  for (const time of ['0s', '4h', '20h']) expect(page).toContain(`>${time}</text>`);
});

it('says first what changed between two runs of one kind, and only there', async () => {
  const [before, after] = [madeUpRun({ failures: 0, clauses: 12 }), madeUpRun({ failures: 1, clauses: 12 })];
  const page = renderHtml([before, after]);
  const changed = page.indexOf('1 failing now');
  expect(changed).toBeGreaterThan(0);
  expect(page.indexOf('class="run bad"')).toBeGreaterThan(changed);
  expect(await faultsOf(page)).toEqual([]);
  expect(renderHtml([before, before])).toContain('Nothing was judged differently.');
  for (const others of [[before], [before, madeUpLoad()], [before, after, after]]) {
    expect(renderHtml(others)).not.toContain('What changed');
  }
});

it.each([
  ['the status', 'POST /printjobs', '{}', '500'],
  ['a field', 'body.state', '{"id":1,"state":"odd","title":"a"}', '&quot;state&quot;:&quot;odd&quot;'],
  ['a field of the second element', 'body[1].id', '[{"id":1},{"id":"two"}]', '&quot;id&quot;:&quot;two&quot;'],
])('marks what is wrong in the answer: %s', (_, at, body, marked) => {
  const record = madeUpRun({ results: 1, failures: 1, exchanges: 1, clauses: 1 });
  const [check] = record.checks;
  const { evidence } = check ?? {};
  const [judgement] = evidence?.judgements ?? [];
  const [exchange] = evidence?.exchanges ?? [];
  if (!check || !evidence || !exchange || !judgement?.mismatch)
    throw new Error('the run that was made up has no failure');
  const expected = at.startsWith('body') ? 'a string' : 'status 201';
  const mismatch = { ...judgement.mismatch, at, expected, exchange: exchange.position };
  const judgements = [{ ...judgement, mismatch }];
  const exchanges = [{ ...exchange, response: { ...exchange.response, body } }];
  const page = renderHtml([{ ...record, checks: [{ ...check, evidence: { ...evidence, judgements, exchanges } }] }]);
  expect(page.replaceAll('&#39;', "'")).toContain(`<mark>${marked}</mark>`);
});
