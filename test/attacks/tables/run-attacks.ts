/**
 * What a caller of the control API may try with runs: to have a request become more than a run of what ships, to speak
 * for a run that is not theirs, and to have records and reports take the bench away from others.
 */

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import type { RunSummaryView } from '../../../src/record/control-types.ts';
import type { RunRecord } from '../../../src/record/run-record.ts';
import { PROJECT } from '../../support/command-line.ts';
import { madeUpExplore, madeUpLoad, madeUpRun } from '../../support/run-records.ts';
import { tried, type Attack, type AttackTable } from '../attack.ts';
import type { Asked, AttackedBench } from '../attacked-bench.ts';
import { soon } from '../../support/soon.ts';

const LONG = 'x'.repeat(100_000);

/** What is refused wherever a name or an address belongs. */
const HOSTILE_WORDS = [
  '--help',
  '--link=./evil.mjs',
  '--target=/tmp/evil.yaml',
  '--image=evil',
  '--out=/tmp/evil',
  '--',
  '-',
  '',
  '/etc/passwd',
  '../../../etc/passwd',
  './scenario.yaml',
  'a\nb',
  'a\0b',
  '__proto__',
  'constructor',
  LONG,
];

const HOSTILE_ADDRESSES = [
  'file:///etc/passwd',
  'data:text/javascript,1',
  'javascript:1',
  'ftp://127.0.0.1/',
  'ws://127.0.0.1/',
  '//127.0.0.1/',
  'http://',
  'http://user@127.0.0.1/',
  'http://user:secret@127.0.0.1/',
  'http://127.0.0.1/\n--help',
  'http://127.0.0.1/\t',
  'http://127.0.0.1/ --link=./evil.mjs',
  String.raw`http:\\127.0.0.1`,
];

const NO_TEXT = [null, 7, true, [], {}, ['--help']];
const NO_COUNT = [-1, 0.5, 1e308, '1', '--help', null, {}];

const CHECK = { kind: 'check', profile: 'smoke' };

interface Field {
  readonly values: readonly unknown[];
  readonly request: (value: unknown) => Readonly<Record<string, unknown>>;
}

/** Each field of a request for a run, with what has no place in it. */
const FIELDS: Readonly<Record<string, Field>> = {
  kind: { values: [...HOSTILE_WORDS, ...NO_TEXT, 'load', 'start'], request: (kind) => ({ kind }) },
  url: { values: [...HOSTILE_WORDS, ...HOSTILE_ADDRESSES, ...NO_TEXT], request: (url) => ({ ...CHECK, url }) },
  'url of a scenario': {
    values: [
      'http://192.0.2.1:9/',
      'https://service.example',
      'http://127.0.0.1.service.example',
      'http://localhost./',
    ],
    request: (url) => ({ kind: 'run', scenario: 'jam-on-page-three', url }),
  },
  key: { values: ['a\nb', 'a\0b', 'a\u001B[2J', LONG, ...NO_TEXT], request: (key) => ({ ...CHECK, key }) },
  link: { values: [...HOSTILE_WORDS, ...NO_TEXT, './evil.mjs'], request: (link) => ({ ...CHECK, link }) },
  scenario: { values: [...HOSTILE_WORDS, ...NO_TEXT], request: (scenario) => ({ kind: 'run', scenario }) },
  'finding.run': {
    values: [...HOSTILE_WORDS, ...NO_TEXT],
    request: (run) => ({ kind: 'run', finding: { run, signature: 'print-jobs/created' } }),
  },
  'finding.signature': {
    values: [...HOSTILE_WORDS, ...NO_TEXT],
    request: (signature) => ({ kind: 'run', finding: { run: 'none', signature } }),
  },
  days: { values: [...NO_COUNT, 0, 100_001], request: (days) => ({ kind: 'explore', days }) },
  grep: { values: ['a\nb', 'a\0b', LONG, ...NO_TEXT], request: (grep) => ({ ...CHECK, grep }) },
  profile: { values: [...HOSTILE_WORDS, ...NO_TEXT], request: (profile) => ({ kind: 'check', profile }) },
  seed: { values: NO_COUNT, request: (seed) => ({ ...CHECK, seed }) },
  beside: { values: ['true', 1, null, {}], request: (beside) => ({ ...CHECK, beside }) },
  'a key it does not have': {
    values: ['out', 'target', 'image', 'allowWrites', 'open', 'processes', 'constructor', 'argv', 'env'],
    request: (key) => ({ ...CHECK, [String(key)]: '/tmp/evil' }),
  },
};

const runsOf = async (bench: AttackedBench): Promise<readonly RunSummaryView[]> =>
  JSON.parse((await bench.call('GET', '/_platen/runs')).text) as RunSummaryView[];

const countOfRuns = async (bench: AttackedBench): Promise<number> => (await runsOf(bench)).length;

const fieldAttacks = Object.entries(FIELDS).flatMap(([name, { values, request }]) =>
  values.map((value) =>
    tried(`POST runs: ${name}: ${JSON.stringify(value).slice(0, 60)}`, '400, no run', async (bench) => {
      const before = await countOfRuns(bench);
      const { status, text } = await bench.call('POST', '/_platen/runs', request(value));
      if (status === 201) await endOf(bench, (JSON.parse(text) as RunSummaryView).id);
      const started = (await countOfRuns(bench)) - before;
      return `${status}, ${started === 0 ? 'no' : started} run`;
    }),
  ),
);

async function endOf(bench: AttackedBench, id: string): Promise<RunSummaryView> {
  return soon(`the end of run ${id}`, '50s', async () =>
    (await runsOf(bench)).find((run) => run.id === id && !run.running),
  );
}

async function startedRun(bench: AttackedBench, request: unknown): Promise<RunSummaryView> {
  const { status, text } = await bench.call('POST', '/_platen/runs', request);
  if (status !== 201) throw new Error(`${status} ${text}`);
  return JSON.parse(text) as RunSummaryView;
}

const put = (bench: AttackedBench, record: RunRecord, id = record.runId): Promise<Asked> =>
  bench.call('PUT', `/_platen/runs/${id}`, record);

const soFar = <Kind extends RunRecord>(record: Kind): Kind => ({
  ...record,
  progress: { done: 1, total: 2, remainingMs: null, doing: 'something' },
});

const PATTERNS = ['--help', '--link=./evil.mjs'];

const patternAttacks = PATTERNS.map((grep) =>
  tried(`POST runs: the pattern ${grep}`, 'a run that matches nothing', async (bench) => {
    const { exitCode, headline } = await endOf(bench, (await startedRun(bench, { ...CHECK, grep })).id);
    const isHeard = exitCode === 64 && headline.includes('no check');
    return isHeard ? 'a run that matches nothing' : `${exitCode}: ${headline}`;
  }),
);

/** Where the bench has its runs. */
const REPORTS = path.join(PROJECT, 'reports');

const EXPLORED = { ...madeUpExplore(), runId: 'from-a-stranger' };
const FINDING = { run: EXPLORED.runId, signature: EXPLORED.findings[0]?.signature };

/** Attacks by records that come over HTTP. */
const strangeRecords: readonly Attack[] = [
  tried('PUT a record, then play what it found', '400, nothing written', async (bench) => {
    await put(bench, EXPLORED);
    const before = await readdir(REPORTS).catch(() => []);
    const { status } = await bench.call('POST', '/_platen/runs', { kind: 'run', finding: FINDING });
    const after = await readdir(REPORTS).catch(() => []);
    return after.length === before.length ? `${status}, nothing written` : `${status}, and ${after.join(', ')}`;
  }),
  ...['before its end', 'after its end'].map((when) =>
    tried(`PUT a record over the id of a run that was started here, ${when}`, 'its own record', async (bench) => {
      const { id } = await startedRun(bench, { ...CHECK, grep: '^misc/ping$' });
      if (when === 'after its end') await endOf(bench, id);
      await put(bench, { ...EXPLORED, runId: id });
      await endOf(bench, id);
      const { kind } = JSON.parse((await bench.call('GET', `/_platen/runs/${id}`)).text) as RunRecord;
      return kind === 'check' ? 'its own record' : `a record of ${kind}`;
    }),
  ),
  ...['..', '.', '__proto__', 'a%2Fb', '%00', 'con%20structor', LONG.slice(0, 500)].map((id) =>
    tried(`PUT a record as ${id.slice(0, 20)}`, 'refused', async (bench) => {
      const { status } = await put(bench, { ...EXPLORED, runId: decodeURIComponent(id) }, id);
      return status >= 400 && status < 500 ? 'refused' : String(status);
    }),
  ),
  {
    attack: 'PUT of a thousand runs that never end',
    expected: 'a limit that is named',
    play: async (bench) => {
      const records = Array.from({ length: 1_000 }, (_, index) => ({ ...EXPLORED, runId: `endless-${index}` }));
      const taken: RunRecord[] = [];
      for (const record of records) {
        const { status, text } = await put(bench, soFar(record));
        if (status === 200) taken.push(record);
        if (status !== 503) continue;
        // Room for those of other attacks.
        for (const one of taken) await put(bench, one);
        return text.includes('are the most') ? 'a limit that is named' : text;
      }
      return 'no limit';
    },
  },
];

const MB = 1_000_000;

/** Bodies that are no trouble to write and a lot to read. */
const BODIES: Readonly<Record<string, () => string>> = {
  'a string of 127 MB': () => `"${'a'.repeat(127 * MB)}"`,
  'a string of 30 MB': () => `"${'a'.repeat(30 * MB)}"`,
  'a string of 30 MB of escapes': () => `"${String.raw`\"`.repeat(15 * MB)}"`,
  '50 million numbers': () => `[${'1,'.repeat(50 * MB)}1]`,
  '10 million numbers': () => `[${'1,'.repeat(10 * MB)}1]`,
  '5 million levels': () => '['.repeat(5 * MB),
  '5 million levels, closed': () => '['.repeat(5 * MB) + ']'.repeat(5 * MB),
  '900,000 objects': () => `[${'{},'.repeat(900_000)}{}]`,
  '400,000 keys': () => `{${Array.from({ length: 400_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
  'a record with 300,000 wrong places': () => {
    const wrong = '{},'.repeat(300_000);
    return JSON.stringify({ ...EXPLORED, coverage: [] }).replace('"coverage":[]', `"coverage":[${wrong}{}]`);
  },
};

const bodyAttacks = Object.entries(BODIES).map(([name, body]): Attack => ({
  attack: `PUT runs: ${name}`,
  expected: 'refused',
  play: async (bench) => {
    // A server that has seen enough does not wait for the rest.
    const answer = await bench
      .ask('PUT', '/_platen/runs/large', { body: body(), headers: { 'content-type': 'application/json' } })
      .catch(() => ({ status: 413 }));
    return [400, 413].includes(answer.status) ? 'refused' : String(answer.status);
  },
}));

const forms = ['html', 'pdf'];

const reportAttacks: readonly Attack[] = [
  tried('25 times the same report at once', 'all answered, one process', async (bench) => {
    await put(bench, { ...madeUpLoad(), runId: 'wanted' });
    const asked = Array.from({ length: 25 }, () => bench.ask('GET', '/_platen/runs/wanted/report.html'));
    const [answers, processes] = await Promise.all([Promise.all(asked), mostChildren(bench, Promise.all(asked))]);
    const failed = answers.filter(({ status }) => status !== 200).length;
    return failed === 0 && processes <= 1 ? 'all answered, one process' : `${failed} failed, ${processes} processes`;
  }),
  tried('20 reports of 10 runs at once', 'two processes, and 503 with a reason', async (bench) => {
    const ids = Array.from({ length: 10 }, (_, index) => `wanted-${index}`);
    for (const id of ids) await put(bench, { ...madeUpRun({ clauses: 10 }), runId: id });
    const asked = ids.flatMap((id) => forms.map((form) => bench.ask('GET', `/_platen/runs/${id}/report.${form}`)));
    const [answers, processes] = await Promise.all([Promise.all(asked), mostChildren(bench, Promise.all(asked))]);
    const statuses = [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b);
    const hasReason = answers.every(({ status, text }) => status === 200 || text.includes('reports are being made'));
    const isBounded = processes <= 2 && statuses.join() === '200,503' && hasReason;
    return isBounded ? 'two processes, and 503 with a reason' : `${processes} processes, ${statuses.join()}`;
  }),
];

/** How many processes the bench had at once meanwhile, beside those it had before. */
async function mostChildren(bench: AttackedBench, meanwhile: Promise<unknown>): Promise<number> {
  let isOver = false;
  const end = (): boolean => (isOver = true);
  meanwhile.then(end, end);
  let most = 0;
  await soon(
    'the end of the reports',
    '50s',
    async () => {
      most = Math.max(most, await childrenOf(bench.pid));
      return isOver || undefined;
    },
    { every: 20 },
  );
  return most;
}

async function childrenOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).length;
}

const otherAttacks: readonly Attack[] = [
  tried('GET of a run that is not there', '404 without a path', async (bench) => {
    const { status, text } = await bench.call('GET', '/_platen/runs/none');
    return text.includes(PROJECT) ? text : `${status} without a path`;
  }),
  tried(
    'POST runs while a run is under way',
    '409 with what goes on, and one beside it where that is asked for',
    async (bench) => {
      const { id } = await startedRun(bench, { kind: 'run', scenario: 'ten-seconds' });
      const second = await bench.call('POST', '/_platen/runs', { ...CHECK, grep: '^misc/ping$' });
      const beside = await bench.call('POST', '/_platen/runs', { ...CHECK, grep: '^misc/ping$', beside: true });
      const third = await bench.call('POST', '/_platen/runs', { ...CHECK, grep: '^misc/ping$', beside: true });
      for (const one of [id, (JSON.parse(beside.text) as RunSummaryView).id]) await ended(bench, one);
      const statuses = [second, beside, third].map(({ status }) => status).join();
      return statuses === '409,201,409' && second.text.includes(id)
        ? '409 with what goes on, and one beside it where that is asked for'
        : `${statuses} ${second.text}`;
    },
  ),
  tried('POST runs with a pattern that never comes to its end, then stop it twice', 'ended', async (bench) => {
    const { id } = await startedRun(bench, { ...CHECK, grep: '^(.|.)*~$' });
    await ended(bench, id);
    return 'ended';
  }),
];

/** Asks a run to end, twice. */
async function ended(bench: AttackedBench, id: string): Promise<void> {
  for (const _ of [1, 2]) await bench.call('POST', `/_platen/runs/${id}/stop`);
  await endOf(bench, id);
}

export const RUN_ATTACKS: AttackTable = {
  kind: 'a caller of the control API',
  against: 'bench',
  attacks: [...fieldAttacks, ...patternAttacks, ...strangeRecords, ...bodyAttacks, ...reportAttacks, ...otherAttacks],
};
