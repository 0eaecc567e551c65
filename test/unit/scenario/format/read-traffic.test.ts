import { readdirSync } from 'node:fs';

import { expect, it } from 'vitest';

import { formatProblem } from '../../../../src/common/problem.ts';
import { planLoad } from '../../../../src/load/plan/load-plan.ts';
import type { LoadScenario } from '../../../../src/load/plan/load-scenario.ts';
import { loadScenarios } from '../../../../src/scenario/format/find-scenarios.ts';
import { readScenario } from '../../../../src/scenario/format/read-scenario.ts';

const HEAD = `title: A small load
why: A test wants to know what a service bears.
room:
  computers:
    - { name: Shop, count: 4, behaviour: busy-shop, printers: [{ profile: laser-a4 }] }
`;
const TRAFFIC = `traffic:
  accounts: 2
  sources: 3
  documents: { invoice: { pages: 2, size: 40KB }, label: { file: zpl-label.zpl, via: uri } }
  streams:
    - { name: invoices, do: submit, document: invoice, copies: [1, 2], pacer: { poisson: { rate: 20 } }, for: 60s }
    - { name: looks, mix: [{ do: states, weight: 3 }, { do: tags, weight: 1 }], loops: 5, think: 100ms, for: 1m, start: 2s }
`;
const EXPECT = 'expect: { thresholds: [invoices.response.p99 <= 200ms], abort: [invoices.failed > 20% after 10s] }\n';

function loadOf(text: string): LoadScenario | null {
  const read = readScenario(text, '.');
  if (!read.ok) throw new Error(read.error.map((problem) => formatProblem('s.yaml', problem)).join('\n'));
  return read.value.load;
}

function problemsOf(text: string): string[] {
  const read = readScenario(text, '.');
  return read.ok ? [] : read.error.map((problem) => formatProblem('s.yaml', problem));
}

it('reads how the computers of a load connect and come back', () => {
  const connect = '  connect: { rate: 40, longestBackoff: 5s }\n';
  expect(loadOf(HEAD + connect + TRAFFIC + EXPECT)).toMatchObject({
    connectRate: 40,
    longestBackoffMs: 5_000,
  });
  expect(loadOf(HEAD + TRAFFIC + EXPECT)).toMatchObject({ connectRate: 500, longestBackoffMs: 30_000 });
});

it('reads traffic into a load scenario that is plain data', () => {
  const load = loadOf(HEAD + TRAFFIC + EXPECT);
  expect(JSON.parse(JSON.stringify(load))).toEqual(load);
  expect(load).toMatchObject({
    accounts: 2,
    sources: ['127.0.0.1', '127.0.0.2', '127.0.0.3'],
    computers: [{ count: 4, behaviour: 'busy-shop', template: { name: 'Shop' } }],
    documents: [
      { name: 'invoice', language: 'pdf', via: 'base64', source: { kind: 'made', pages: 2, bytes: 40_000 } },
      { name: 'label', language: 'raw', via: 'uri', source: { kind: 'file' } },
    ],
    streams: [
      {
        name: 'invoices',
        arrivals: { kind: 'open', pacer: { kind: 'poisson', rate: 20 } },
        operations: [{ name: 'submit', document: 0, copies: [1, 2], qty: [1, 1] }],
        forMs: 60_000,
        accounts: { first: 0, last: 1 },
      },
      { arrivals: { kind: 'closed', loops: 5, thinkMs: 100 }, startMs: 2_000 },
    ],
    thresholds: ['invoices.response.p99 <= 200ms'],
    abort: ['invoices.failed > 20% after 10s'],
  });
});

it('refuses a virtual clock, and leaves a real one alone', () => {
  expect(problemsOf(`${HEAD}clock: virtual\n${TRAFFIC}${EXPECT}`)).toEqual([
    's.yaml:6:8: clock: cannot be virtual: load is measured in real time; omit it',
  ]);
  expect(problemsOf(`${HEAD}clock: real\n${TRAFFIC}${EXPECT}`)).toEqual([]);
});

it('refuses steps, faults and other expectations beside traffic', () => {
  const text = `${HEAD}steps: [{ cut: Shop 1 }]\nfaults: [{ at: 'link/Shop 2', fault: drop }]\n${TRAFFIC}expect: { jobs: {} , thresholds: [ledger.lost == 0] }\n`;
  expect(problemsOf(text).map((problem) => problem.split(': ')[1])).toEqual(['steps', 'faults', 'expect.jobs']);
});

it('wants steps or traffic', () => {
  expect(problemsOf(`${HEAD}expect: { sheets: {} }\n`).join()).toContain(
    'steps: is missing: a list of steps, or traffic',
  );
});

it('wants something to be expected of steps, and not of a load: its jobs are accounted for anyway', () => {
  expect(problemsOf(`${HEAD}steps: [{ cut: Shop }]\n`).join()).toContain('expect: is missing: an object of keys and');
  expect(loadOf(HEAD + TRAFFIC)).toMatchObject({ thresholds: [], abort: [] });
});

it('gives what belongs to a load no meaning without traffic', () => {
  const text = `${HEAD}steps: [{ cut: Shop 1 }]\n${EXPECT}`;
  expect(problemsOf(text).map((problem) => problem.split(': ').slice(1, 3).join(': '))).toEqual([
    'room.computers[0].behaviour: has no meaning without traffic',
    'expect.thresholds: has no meaning without traffic',
    'expect.abort: has no meaning without traffic',
  ]);
});

it.each<[string, string, string, string]>([
  ['an unknown operation', 'do: submit,', 'do: sumbit,', "streams[0].do: 'sumbit' is not known"],
  [
    'an unknown document',
    'document: invoice,',
    'document: invoce,',
    "streams[0].document: there is no document 'invoce'; did you mean 'invoice'?",
  ],
  [
    'a document that is a folder',
    'file: zpl-label.zpl',
    'file: ./fixtures',
    'documents.label.file: cannot read fixtures: it is a folder',
  ],
  [
    'a trace that is not there',
    'poisson: { rate: 20 }',
    'trace: { file: no-such.txt }',
    'pacer.trace.file: cannot read no-such.txt: there is no such file',
  ],
  ['an unknown pacer', 'poisson:', 'poison:', "there is no key 'poison' here; did you mean 'poisson'?"],
  [
    'a pacer beside loops',
    'loops: 5,',
    'loops: 5, pacer: { constant: { rate: 1 } },',
    "streams[1]: needs a 'pacer' or 'loops', and not both",
  ],
  ['a stream of no time', 'for: 60s', 'for: 0s', 'streams[0].for: must be longer than 0s'],
  ['an answer in no time', 'accounts: 2', 'timeout: 0s\n  accounts: 2', 'traffic.timeout: must be longer than 0s'],
  [
    'a warm-up that never ends',
    'accounts: 2',
    'warmUp: 62s\n  accounts: 2',
    'traffic.warmUp: must be shorter than the traffic, which lasts 1m 2s',
  ],
  [
    'a threshold of webhooks that it lacks',
    'invoices.response.p99 <= 200ms',
    'webhooks.lost == 0',
    "expect.thresholds[0]: 'webhooks.lost == 0' needs webhooks, which traffic.webhooks adds to the load",
  ],
  [
    'a threshold of their time',
    'invoices.response.p99 <= 200ms',
    'job.webhook.p99 <= 1s',
    "expect.thresholds[0]: 'job.webhook.p99 <= 1s' needs webhooks",
  ],
  ['a reserved name', 'name: looks', 'name: ledger', "'ledger' means something else in thresholds"],
  [
    'a name that is there already',
    'name: looks',
    'name: invoices',
    "streams[1].name: there is already a stream 'invoices'",
  ],
  ['more accounts than computers', 'accounts: 2', 'accounts: 5', 'there are 4 for 5 accounts'],
  [
    'accounts that are not there',
    'for: 60s',
    'for: 60s, accounts: [2, 3]',
    'streams[0].accounts: must go from 1 to at most 2',
  ],
  ['a bad size', '40KB', '40kb', 'must be a size such as 800B, 40KB or 2MB'],
  ['a wrong threshold', 'p99 <=', 'p99 =<', "expect.thresholds[0]: 'invoices.response.p99 =< 200ms', at character"],
  [
    'a threshold on nothing',
    'invoices.response',
    'invoice.response',
    "at character 1: there is no metric 'invoice'; did you mean 'invoices'?",
  ],
])('names %s, where it stands and what was meant', (_what, from, to, message) => {
  const problems = problemsOf((HEAD + TRAFFIC + EXPECT).replace(from, to));
  expect(problems.join('\n')).toContain(message);
  expect(problems[0]).toMatch(/^s\.yaml:\d+:\d+: /);
});

it('multiplies computers in a scenario of steps as well', () => {
  const read = readScenario(
    `${HEAD.replace(' behaviour: busy-shop,', '')}steps: [{ cut: Shop 4 }, { cut: Shop 5 }]\nexpect: { computers: { Shop 1: connected } }\n`,
    '.',
  );
  expect(read.ok ? [] : read.error.map(({ at }) => at)).toEqual(['steps[1].cut']);
});

it.each(readdirSync('scenarios/load'))(
  'scenarios/load/%s reads, plans and stays within what a laptop bears',
  async (file) => {
    const [{ load } = { load: null }] = await loadScenarios(`scenarios/load/${file}`);
    const { estimate } = planLoad(
      load ??
        (() => {
          throw new Error(`${file} has no traffic`);
        })(),
    );
    expect(estimate.peakRate).toBeLessThan(1_000);
    expect(estimate.connections).toBeLessThanOrEqual(2_000);
    expect(load?.thresholds.length).toBeGreaterThan(0);
  },
);

it('reads the loss of workers as what a fleet may lose, and not as a chaos event of the room', () => {
  const cut = '{ at: 1s, what: power-cut }';
  const lost = '{ at: 2s, what: worker-lost }, { at: 3s, what: worker-lost, workers: 2, within: 5s }';
  expect(loadOf(`${HEAD}${TRAFFIC}${EXPECT}chaos: [${cut}, ${lost}]\n`)).toMatchObject({
    chaos: [{ what: 'power-cut', atMs: 1_000, share: 1, forMs: 0, withinMs: 0 }],
    workerLosses: [
      { atMs: 2_000, withinMs: null, workers: 1 },
      { atMs: 3_000, withinMs: 5_000, workers: 2 },
    ],
  });
});

it('refuses the old name of chaos, and gives the new one', () => {
  const text = `${HEAD}${TRAFFIC}${EXPECT}disasters: [{ at: 1s, what: power-cut }]\n`;
  expect(problemsOf(text)).toEqual(["s.yaml:14:1: the name of this key is 'chaos' now"]);
});

it('refuses what has no meaning with a chaos event', () => {
  const wrong = '{ at: 1s, what: power-cut, workers: 2 }, { at: 2s, what: worker-lost, share: 0.5 }';
  expect(problemsOf(`${HEAD}${TRAFFIC}${EXPECT}chaos: [${wrong}]\n`).join('\n')).toMatch(
    /has no meaning with power-cut[^]*has no meaning with worker-lost/,
  );
});
