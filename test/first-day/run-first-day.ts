/**
 * Tries the whole check on services that deviate in one thing, in ten at once, in one while they lack a part of the API,
 * on mutants and on pairs of them; prints the tables and writes reports/baseline/first-day.md.
 *
 * Usage: node test/first-day/run-first-day.ts [--grep PATTERN] [--checks PATTERN] [--draws N] [--lacking PATTERN]
 *        [--mutants N] [--pairs N] [--processes N] [--resume]
 * With --grep only the deviations whose names match, and nothing is written; with --lacking the parts of the API whose
 * names do, `^$` for none; with --checks the checks whose ids do.
 * --resume keeps what an interrupted run has found (reports/first-day.jsonl has it), and tries the others. Exits 1 when
 * a figure misses its bar.
 */

import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { createRandom } from '../../src/common/random.ts';
import { CHECKS } from '../../src/conformance/registry.ts';
import { ENDPOINT_NAMES, endpointsOf, OFFER_GROUPS } from '../../src/targets/offers.ts';
import { ALL_MUTANTS } from '../mutants/catalogue.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { mutantId } from '../mutants/mutant-page.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { orderFrom } from '../support/child-processes.ts';
import { commitSample } from '../tiers/commit-sample.ts';
import { PLANTED, type PlantedDeviation } from './deviations.ts';
import type { FirstDayOrder } from './first-day-process.ts';
import { goTogether, isHeadedBy, type FirstDayResult } from './try-first-day.ts';

const { values } = parseArgs({
  options: {
    grep: { type: 'string' },
    checks: { type: 'string' },
    draws: { type: 'string', default: '20' },
    lacking: { type: 'string', default: '' },
    mutants: { type: 'string', default: '200' },
    pairs: { type: 'string', default: '20' },
    processes: { type: 'string', default: '2' },
    resume: { type: 'boolean', default: false },
  },
});

/** Deviations of one drawn service, and causes that are read of it. */
const AT_ONCE = 10;
const BARS = { median: 1, p90: 2, headed: 0.95, lost: 0.02, amongFirst: 0.95, judged: 0.9, mutantsP90: 3 } as const;

const out = (line: string): void => void process.stdout.write(`${line}\n`);
const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const quantile = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((left, right) => left - right)[Math.ceil(part * numbers.length) - 1] ?? 0;
const lostOf = ({ lost, checks }: FirstDayResult): number => lost.length / checks;

interface Tried {
  readonly order: FirstDayOrder;
  /** None where it is a mutant. */
  readonly planted: readonly PlantedDeviation[];
  readonly result: FirstDayResult;
}

interface Kept {
  readonly order: FirstDayOrder;
  readonly result: FirstDayResult;
}

const KEPT = new URL('../../reports/first-day.jsonl', import.meta.url);
const keyOf = ({ names, absent = [] }: FirstDayOrder): string =>
  [...absent.map((name) => `no ${name}`), ...names].join('; ');

function triedOf({ order, result }: Kept): Tried {
  return { order, planted: PLANTED.filter(({ name }) => order.names.includes(name)), result };
}

/** What earlier runs have found, by what was tried; a later one counts. */
function readKept(): ReadonlyMap<string, Tried> {
  if (!values.resume) rmSync(KEPT, { force: true });
  if (!existsSync(KEPT)) return new Map();
  const lines = readFileSync(KEPT, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line) as Kept).map((one) => [keyOf(one.order), triedOf(one)]));
}

const ordersOf = (all: readonly (readonly PlantedDeviation[])[]): readonly FirstDayOrder[] =>
  all.map((planted) => ({ names: planted.map(({ name }) => name), checks: values.checks }));

async function tryAll(orders: readonly FirstDayOrder[]): Promise<readonly Tried[]> {
  const tried = orders.flatMap((order) => kept.get(keyOf(order)) ?? []);
  const left = orders.filter((order) => !kept.has(keyOf(order)));
  await orderFrom<FirstDayOrder, FirstDayResult>({
    module: new URL('first-day-process.ts', import.meta.url),
    processes: Number(values.processes),
    next: () => left.shift(),
    took(result, order) {
      const one = triedOf({ order, result });
      tried.push(one);
      appendFileSync(KEPT, `${JSON.stringify({ order, result })}\n`);
      out(rowOf(one).join('  '));
    },
  });
  return tried;
}

function rowOf({ order, planted, result }: Tried): readonly string[] {
  const { heads, clauses, lost, checks } = result;
  const found = planted.filter((one) => heads.slice(0, AT_ONCE).some((head) => isHeadedBy(one, head)));
  const headed = planted.length < 2 ? (heads[0]?.[0] ?? 'nothing') : `${found.length} of ${planted.length}`;
  return [keyOf(order), headed, String(clauses.length), String(lost.length), String(checks)];
}

interface Figures {
  readonly line: string;
  /** What misses its bar, a sentence each. */
  readonly misses: readonly string[];
}

function figuresOfOne(tried: readonly Tried[]): Figures {
  const named = tried.map(({ result }) => result.clauses.length);
  const headed = mean(tried.map(({ planted: [one], result }) => Number(one && isHeadedBy(one, result.heads[0] ?? []))));
  const lost = mean(tried.map(({ result }) => lostOf(result)));
  const [median, p90] = [quantile(named, 0.5), quantile(named, 0.9)];
  const line =
    `${tried.length} deviations: clauses named ${median} at the median, ${p90} at the 90th percentile; ` +
    `right head ${percent(headed)}; verdicts lost ${percent(lost)}`;
  const misses = [
    ...(median > BARS.median ? [`median of clauses ${median}`] : []),
    ...(p90 > BARS.p90 ? [`90th percentile of clauses ${p90}`] : []),
    ...(headed < BARS.headed ? [`right head ${percent(headed)}`] : []),
    ...(lost > BARS.lost ? [`verdicts lost ${percent(lost)}`] : []),
  ];
  return { line, misses };
}

function figuresOfTen(tried: readonly Tried[]): Figures {
  const among = mean(
    tried.flatMap(({ planted, result: { heads } }) =>
      planted.map((one) => Number(heads.slice(0, AT_ONCE).some((head) => isHeadedBy(one, head)))),
    ),
  );
  const judged = 1 - mean(tried.map(({ result }) => lostOf(result)));
  const line =
    `${tried.length} draws of ten at once: ${percent(among)} of them among the first ten causes; ` +
    `${percent(judged)} of the checks judged`;
  const misses = [
    ...(among < BARS.amongFirst ? [`among the first ten ${percent(among)}`] : []),
    ...(judged < BARS.judged ? [`checks judged ${percent(judged)}`] : []),
  ];
  return { line, misses };
}

/** @param tried - mutants, each of which breaks the clause that its id begins with */
function figuresOfMutants(tried: readonly Tried[]): Figures {
  const named = tried.map(({ result }) => result.clauses.length);
  const [median, p90] = [quantile(named, 0.5), quantile(named, 0.9)];
  const own = mean(tried.map((one) => Number(one.result.clauses.includes(clauseOf(one)))));
  const heading = mean(tried.map((one) => Number(one.result.heads.some((head) => head.includes(clauseOf(one))))));
  const line =
    `${tried.length} mutants: clauses named ${median} at the median, ${p90} at the 90th percentile, ` +
    `${Math.max(...named)} at most; the broken one among them ${percent(own)}, at the head of a cause ${percent(heading)}`;
  const misses = [
    ...(median > BARS.median ? [`median of clauses of mutants ${median}`] : []),
    ...(p90 > BARS.mutantsP90 ? [`90th percentile of clauses of mutants ${p90}`] : []),
  ];
  return { line, misses };
}

const clauseOfMutant = (id: string): string => id.split('#', 1)[0] ?? '';
const clauseOf = ({ order }: Tried): string => clauseOfMutant(keyOf(order));

/** @param tried - two mutants at a time, of different families */
function figuresOfPairs(tried: readonly Tried[]): Figures {
  const hidden = tried.filter(({ order: { names }, result: { consequences } }) => {
    const [one = '', other = ''] = names.map(clauseOfMutant);
    return familyOf(consequences[one]) === familyOf(other) || familyOf(consequences[other]) === familyOf(one);
  });
  return {
    line: `${tried.length} pairs of mutants of different families: ${hidden.length} in which one hides the other`,
    misses: hidden.map(({ order }) => `one hides the other: ${keyOf(order)}`),
  };
}

/** @param tried - services that deviate in one thing and lack a part of the API */
function figuresOfLacking(tried: readonly Tried[]): Figures {
  const { line, misses } = figuresOfOne(tried);
  const misnamed = tried.filter(({ order: { absent = [] }, result: { notOffered } }) => {
    const meant = absent.flatMap(endpointsOf);
    // What a thing takes that cannot be made, or that may not be tried, goes with the rest of its group.
    const groups = OFFER_GROUPS.map(endpointsOf).filter((group) => meant.every((one) => group.includes(one)));
    const [together = meant] = groups.toSorted((one, other) => one.length - other.length);
    const said = notOffered.flatMap(endpointsOf);
    return !meant.every((one) => said.includes(one)) || !said.every((one) => together.includes(one));
  });
  const green = tried.filter(({ result: { exitCode } }) => exitCode !== 1);
  return {
    line: `with a part of the API not built, ${line}; that part is named in ${tried.length - misnamed.length}`,
    misses: [
      ...misses,
      ...misnamed.map(({ order, result }) => `${keyOf(order)}: said to be missing: ${result.notOffered.join(', ')}`),
      ...green.map(({ order, result }) => `${keyOf(order)}: exit code ${result.exitCode}`),
    ],
  };
}

/** Each part of the API, with a deviation of another part. */
function drawLacking(pattern: RegExp): readonly FirstDayOrder[] {
  const random = createRandom('lacking');
  return [...OFFER_GROUPS, ...ENDPOINT_NAMES]
    .map((name) => {
      const families = endpointsOf(name).map(({ family }): string => family);
      // Without jobs there are no states either.
      const lost = families.flatMap((family) => (family === 'print-jobs' ? [family, 'states'] : family));
      const apart = PLANTED.filter(({ clauses }) => !clauses.some((clause) => lost.includes(familyOf(clause))));
      return { names: [random.pick(apart).name], absent: [name], checks: values.checks };
    })
    .filter(({ absent: [name] }) => pattern.test(name ?? ''));
}

const familyOf = (clause = ''): string => clause.split('/', 1)[0] ?? '';

/** Ten that are about different clauses, so that each can be told from the others. */
function drawTen(draw: number): readonly PlantedDeviation[] {
  const random = createRandom(draw);
  const chosen: PlantedDeviation[] = [];
  while (chosen.length < AT_ONCE) {
    const one = random.pick(PLANTED);
    const isApart = chosen.every((other) => !isHeadedBy(one, other.clauses) && !isHeadedBy(other, one.clauses));
    if (isApart && !one.clauses.includes('*')) chosen.push(one);
  }
  return PLANTED.filter((one) => chosen.includes(one));
}

function drawPairs(count: number): readonly FirstDayOrder[] {
  const random = createRandom('pairs');
  const pairs: (readonly [Mutant, Mutant])[] = [];
  while (pairs.length < count) {
    const [one, other] = [random.pick(ALL_MUTANTS), random.pick(ALL_MUTANTS)];
    if (familyOf(one.clause) !== familyOf(other.clause) && goTogether(one, other)) pairs.push([one, other]);
  }
  return pairs.map((pair) => ({ names: pair.map(mutantId), isMutant: true, checks: values.checks }));
}

const kept = readKept();
const grep = new RegExp(values.grep ?? '');
const mutantsDrawn = commitSample('first-day mutants', ALL_MUTANTS, Number(values.mutants));
const single = await tryAll(ordersOf(PLANTED.filter(({ name }) => grep.test(name)).map((one) => [one])));
const drawn = await tryAll(ordersOf(Array.from({ length: Number(values.draws) }, (_, draw) => drawTen(draw + 1))));
const lacking = await tryAll(drawLacking(new RegExp(values.lacking)));
const mutated = await tryAll(
  mutantsDrawn.map((mutant) => ({ names: [mutantId(mutant)], isMutant: true, checks: values.checks })),
);
const pairs = await tryAll(drawPairs(Number(values.pairs)));
const figures = [
  ...(single.length > 0 ? [figuresOfOne(single)] : []),
  ...(drawn.length > 0 ? [figuresOfTen(drawn)] : []),
  ...(lacking.length > 0 ? [figuresOfLacking(lacking)] : []),
  ...(mutated.length > 0 ? [figuresOfMutants(mutated)] : []),
  ...(pairs.length > 0 ? [figuresOfPairs(pairs)] : []),
];
for (const { line } of figures) out(line);
if (values.grep === undefined) {
  writeBaselinePage('first-day.md', {
    title: 'The first day',
    command: 'npm run prove first-day',
    about: [
      'What checks say of a service that is right in everything but one thing: the reference service behind a proxy that\n' +
        'changes its answers. Of each: the clause at the head of the first cause, how many clauses are said to be broken,\n' +
        `and how many of the checks that were tried, out of ${CHECKS.length}, came to no verdict.`,
      ...figures.map(({ line }) => `${line}.`),
    ].join('\n\n'),
    columns: ['deviation', 'head', 'clauses', 'no verdict', 'checks'],
    rows: [...PLANTED.flatMap((one) => single.filter(({ planted }) => planted[0] === one)), ...lacking].map(rowOf),
  });
}
const misses = figures.flatMap((one) => one.misses);
for (const miss of misses) out(`misses its bar: ${miss}`);
process.exitCode = misses.length === 0 ? 0 : 1;
