/**
 * Run records made up for tests of reports: as large as wanted, and as nasty as a target could make them.
 */

import { judgeLoad } from '../../src/load/verdict/judge-load.ts';
import type { CheckRecord, CheckRunRecord, ExchangeRecord } from '../../src/record/check-record.ts';
import type { ExploreRecord } from '../../src/record/explore-record.ts';
import type { LoadRecord } from '../../src/record/load-record.ts';
import type { ScenarioRunRecord } from '../../src/record/scenario-record.ts';
import { loadFacts } from './load-facts.ts';

/** What a target may answer with to get something past an escaping. */
export const HOSTILE = [
  '</pre></script><script>globalThis.taken = 1</script>',
  '"><img src=x onerror="globalThis.taken = 1">',
  "' onmouseover='globalThis.taken = 1' x='",
  ']]><evil/>&#0;&evil;',
  '\n::error title=taken::taken\n##[add-mask]taken',
  '\u001B[2J\u001B]0;taken\u0007',
  '\u202Etxet desrever\u2066',
  '`\n```\n# taken\n| @everyone www.taken.example https://taken.example <b>taken</b>',
  '\uD800 \uFFFE \u0000 żółć 你好 👩‍💻 ✓',
  '${taken} {{taken}} <%= taken %>',
].join(' ');

export interface MadeUp {
  readonly results?: number;
  /** How many of them failed. */
  readonly failures?: number;
  readonly exchanges?: number;
  /** How many clauses of the specification there are; all unless given. */
  readonly clauses?: number;
  /** What stands wherever a target has a say. */
  readonly words?: string;
}

const FAMILIES = 25;

/** A conformance run of this size. */
export function madeUpRun({
  results = 10,
  failures = 2,
  exchanges = 3,
  clauses: clauseCount = 700,
  words = 'a letter',
}: MadeUp = {}): CheckRunRecord {
  const checks = Array.from({ length: results }, (_, index) => madeUpCheck(index, index < failures, exchanges, words));
  const clauses = Array.from({ length: clauseCount }, (_, index) => {
    const name = `family-${index % FAMILIES}/clause-${index}`;
    const statement = `What the specification says in its clause number ${index}, in a sentence as long as they are.`;
    const outcome = index < failures ? 'broken' : 'kept';
    return [
      name,
      { level: 'must', statement, status: 'covered', outcome, checks: [checkId(index % results)] },
    ] as const;
  });
  return {
    ...OF_EVERY_RUN,
    kind: 'check',
    runId: 'check-20260102T030405Z-0007',
    seed: 7,
    startedAt: STARTED_AT,
    durationMs: 12_345,
    target: {
      name: words,
      kind: 'remote',
      baseUrl: 'https://service.example',
      capabilities: ['link'],
      contradictions: failures > 0 ? [words] : [],
    },
    selection: { profile: 'full', grep: null, planned: results, shards: null },
    summary: {
      checks: { total: results, ...(failures > 0 && { fail: failures }), pass: results - failures },
      clauses: {
        total: clauseCount,
        covered: clauseCount,
        excluded: 0,
        notYet: 0,
        broken: failures,
        notJudged: 0,
      },
      baselineProblems: [],
      known: 0,
      leftBehind: failures > 0 ? [words] : [],
      requests: results * exchanges,
      exitCode: failures > 0 ? 1 : 0,
    },
    clauses: Object.fromEntries(clauses),
    gaps: {
      'gap/colour': { question: 'Which colour has a page?', checks: [checkId(0)], observations: [words] },
    },
    checks,
  };
}

const OF_EVERY_RUN = {
  tool: 'platen',
  recordVersion: 1,
  platenVersion: '1.2.3',
} as const;
const STARTED_AT = '2026-01-02T03:04:05.678Z';

function checkId(index: number): string {
  return `family-${index % FAMILIES}/what-it-looks-at-${index}`;
}

function madeUpCheck(index: number, hasFailed: boolean, exchanges: number, words: string): CheckRecord {
  const clause = `family-${index % FAMILIES}/clause-${index}`;
  const mismatch = { expected: 'status 200', actual: words, at: `body of GET /${words}`, exchange: index };
  return {
    id: checkId(index),
    title: 'What a service that passes does, in a sentence of the usual length',
    clauses: [clause],
    needs: [],
    level: 'must',
    verdict: hasFailed ? 'fail' : 'pass',
    durationMs: index,
    requests: exchanges,
    waitedMs: 0,
    message: hasFailed ? words : '',
    ...(hasFailed && { signature: words }),
    evidence: {
      judgements: [hasFailed ? { clause, mismatch } : { clause }],
      exchanges: hasFailed
        ? Array.from({ length: exchanges }, (_, position) => madeUpExchange(index + position, words))
        : [],
      unanswered: hasFailed
        ? [
            {
              kind: 'reset',
              message: words,
              request: { method: 'GET', path: `/${words}`, headers: [['X-Echo', words]], body: words },
              durationMs: 3,
              curl: `curl '${words}'`,
            },
          ]
        : [],
      notes: hasFailed ? [words] : [],
      ...(hasFailed && { stack: words }),
    },
  };
}

function madeUpExchange(position: number, words: string): ExchangeRecord {
  return {
    position,
    request: { method: 'GET', path: `/${words}`, headers: [['X-Echo', words]], body: words },
    waitedMs: 0,
    response: {
      status: 500,
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Echo', words],
      ],
      body: words.padEnd(2_000, 'x'),
    },
    durationMs: 4,
    curl: `curl '${words}'`,
  };
}

/** A PNG of one white pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTYGAgAAAABJRU5ErkJggg==';

/** A run of two scenarios, of which one failed. */
export function madeUpScenarios(words = 'a letter'): ScenarioRunRecord {
  return {
    ...OF_EVERY_RUN,
    kind: 'run',
    runId: 'run-20260102T030405Z-1a',
    seed: null,
    startedAt: STARTED_AT,
    durationMs: 2_000,
    target: { name: words, kind: 'remote', baseUrl: 'https://service.example' },
    summary: { scenarios: { total: 2, pass: 1, fail: 1 }, lostIn: null, exitCode: 1 },
    scenarios: [
      {
        id: 'scenarios/jam.yaml',
        title: words,
        why: words,
        seed: words,
        verdict: 'fail',
        message: words,
        breaks: [{ at: words, expected: 'done', actual: words, jobs: [words] }],
        at: `step 3 (line 17): ${words}`,
        line: 17,
        stories: [
          {
            name: words,
            id: 4,
            timeline: [words],
            files: ['sheets/jam.png'],
            pictures: [{ caption: words, png: DOT }],
          },
        ],
        log: [
          { atMs: 0, what: words },
          { atMs: 30_000, what: words },
        ],
        decisions: [{ atMs: 10, place: words, occasion: 1, fault: words, fired: true }],
        decisionsLeftOut: 0,
        elapsedMs: 60_000,
        durationMs: 40,
      },
      {
        id: 'scenarios/calm.yaml',
        title: 'All is well',
        why: '',
        seed: 1,
        verdict: 'pass',
        message: '',
        breaks: [],
        at: null,
        stories: [],
        log: [{ atMs: 0, what: 'print' }],
        decisions: [],
        decisionsLeftOut: 0,
        elapsedMs: 1_000,
        durationMs: 10,
      },
    ],
  };
}

/** A load run in which everything there is went wrong, with every field that a record may have. */
export function madeUpLoad(words = 'a letter'): LoadRecord {
  const { plan, webhooks, ...facts } = loadFacts();
  const record = judgeLoad({
    ...facts,
    target: { name: words, baseUrl: 'https://service.example' },
    plan: {
      ...plan,
      title: words,
      why: words,
      thresholds: ['invoices.response.p99 <= 1ms', 'ledger.lost == 0', 'invoices.rate >= 1'],
    },
    webhooks: webhooks && {
      ...webhooks,
      classes: { ...webhooks.classes, early: 2 },
      strays: { ...webhooks.strays, again: 1, unreadable: 3 },
      reconciliation: [{ counter: 'droppedEvents', service: 1, seen: 0, agrees: false }],
    },
    disasters: [
      { what: 'power-cut', atMs: 200, hit: 3, lowestConnected: 1, mostBacklog: 12, recoveredMs: 700 },
      { what: 'reconnect-storm', atMs: 300, hit: 4, lowestConnected: 0, mostBacklog: 2, recoveredMs: null },
    ],
    responses: {
      judged: 100,
      broken: [
        {
          clause: 'service/request-id',
          count: 2,
          example: { expected: 'an id', actual: words, at: `GET /${words}`, exchange: 3 },
        },
      ],
    },
    settlement: { wereAccepted: 1, submittedAgain: 1, refused: 0, open: 1 },
    leaks: { accounts: [12] },
  });
  const workers = [
    { shard: 1, name: words, clockOffsetMs: -0.4, roundTripMs: 1.2, startLateMs: 3, finding: '' },
    { shard: 2, name: '', clockOffsetMs: null, roundTripMs: null, startLateMs: null, finding: words },
  ];
  return { ...record, workers };
}

/** A run of exploring that found something. */
export function madeUpExplore(words = 'a letter'): ExploreRecord {
  return {
    ...OF_EVERY_RUN,
    kind: 'explore',
    runId: 'explore-20260102T030405Z-0007',
    seed: 7,
    startedAt: STARTED_AT,
    durationMs: 1_850,
    without: [],
    target: { name: words, kind: 'embedded', baseUrl: null },
    days: 25,
    unplayed: 0,
    unplayedBecause: null,
    events: 1_579,
    elapsedMs: 8_627_158_000,
    findings: [
      {
        signature: 'print-jobs/idempotency-conflict',
        statement: 'A job with an X-Idempotency-Key that an earlier one used is refused with 409.',
        count: 3,
        seed: 9,
        steps: 2,
        message: words,
        breaks: [{ at: 'status of POST /printjobs', expected: '409', actual: words }],
        scenario: FOUND_DAY,
        file: 'reports/explore/found/print-jobs-idempotency-conflict/scenario.yaml',
      },
    ],
    known: [],
    coverage: [
      { pair: 'DELETE /printjobs × a job cancelled', count: 1 },
      { pair: 'POST /printjobs × nothing wrong', count: 40 },
    ],
    summary: { findings: { total: 1 }, exitCode: 1 },
  };
}

/** As exploring hands it over; a sound service passes it. */
const FOUND_DAY = `title: print-jobs/idempotency-conflict is broken
why: The service breaks print-jobs/idempotency-conflict, as found by platen explore --seed 9 --seeds 1.
seed: 9
room:
  computers:
    - name: OFFICE
      printers:
        - profile: laser-a4
          name: Printer 1
steps:
  - submit: { as: first, printer: Printer 1, content: x, idempotencyKey: tuesday, answers: any }
  - submit: { as: second, printer: Printer 1, content: x, idempotencyKey: tuesday, answers: any }
expect:
  service: strict
`;
