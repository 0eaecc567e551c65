/**
 * Tries the whole check on services that deviate in one thing, and in ten at once; prints the tables and writes the first
 * one to reports/baseline/first-day.md.
 *
 * Usage: node test/first-day/run-first-day.ts [--grep PATTERN] [--checks PATTERN] [--draws N] [--processes N]
 * With --grep only the deviations whose names match, with --checks the checks whose ids do; then nothing is written. Exits 1 when a figure misses its bar.
 */

import { parseArgs } from 'node:util';

import { createRandom } from '../../src/common/random.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { orderFrom } from '../support/child-processes.ts';
import { PLANTED, type PlantedDeviation } from './deviations.ts';
import type { FirstDayOrder } from './first-day-process.ts';
import { isHeadedBy, type FirstDayResult } from './try-first-day.ts';

const { values } = parseArgs({
  options: {
    grep: { type: 'string' },
    checks: { type: 'string' },
    draws: { type: 'string', default: '20' },
    processes: { type: 'string', default: '2' },
  },
});

/** Deviations of one drawn service, and causes that are read of it. */
const AT_ONCE = 10;
const BARS = { median: 1, p90: 2, headed: 0.95, lost: 0.02, amongFirst: 0.95, judged: 0.9 } as const;

const out = (line: string): void => void process.stdout.write(`${line}\n`);
const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const quantile = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((left, right) => left - right)[Math.ceil(part * numbers.length) - 1] ?? 0;
const lostOf = ({ lost, checks }: FirstDayResult): number => lost.length / checks;

interface Tried {
  readonly planted: readonly PlantedDeviation[];
  readonly result: FirstDayResult;
}

async function tryAll(all: readonly (readonly PlantedDeviation[])[]): Promise<readonly Tried[]> {
  const left = all.map((planted) => ({ names: planted.map(({ name }) => name), checks: values.checks }));
  const tried: Tried[] = [];
  await orderFrom<FirstDayOrder, FirstDayResult>({
    module: new URL('first-day-process.ts', import.meta.url),
    processes: Number(values.processes),
    next: () => left.shift(),
    took(result, { names }) {
      const planted = PLANTED.filter(({ name }) => names.includes(name));
      tried.push({ planted, result });
      out(rowOf({ planted, result }).join('  '));
    },
  });
  return tried;
}

function rowOf({ planted, result }: Tried): readonly string[] {
  const { heads, clauses, lost } = result;
  const found = planted.filter((one) => heads.slice(0, AT_ONCE).some((head) => isHeadedBy(one, head)));
  const headed = planted.length === 1 ? (heads[0]?.[0] ?? 'nothing') : `${found.length} of ${planted.length}`;
  return [planted.map(({ name }) => name).join('; '), headed, String(clauses.length), String(lost.length)];
}

/** What misses its bar, a sentence each. */
function missesOfOne(tried: readonly Tried[]): readonly string[] {
  const named = tried.map(({ result }) => result.clauses.length);
  const headed = mean(tried.map(({ planted: [one], result }) => Number(one && isHeadedBy(one, result.heads[0] ?? []))));
  const lost = mean(tried.map(({ result }) => lostOf(result)));
  const [median, p90] = [quantile(named, 0.5), quantile(named, 0.9)];
  out(
    `${tried.length} deviations: clauses named ${median} at the median, ${p90} at the 90th percentile; ` +
      `right head ${percent(headed)}; verdicts lost ${percent(lost)}`,
  );
  return [
    ...(median > BARS.median ? [`median of clauses ${median}`] : []),
    ...(p90 > BARS.p90 ? [`90th percentile of clauses ${p90}`] : []),
    ...(headed < BARS.headed ? [`right head ${percent(headed)}`] : []),
    ...(lost > BARS.lost ? [`verdicts lost ${percent(lost)}`] : []),
  ];
}

function missesOfTen(tried: readonly Tried[]): readonly string[] {
  if (tried.length === 0) return [];
  const among = mean(
    tried.flatMap(({ planted, result: { heads } }) =>
      planted.map((one) => Number(heads.slice(0, AT_ONCE).some((head) => isHeadedBy(one, head)))),
    ),
  );
  const judged = 1 - mean(tried.map(({ result }) => lostOf(result)));
  out(`${tried.length} draws of ten: ${percent(among)} among the first ten; ${percent(judged)} of the checks judged`);
  return [
    ...(among < BARS.amongFirst ? [`among the first ten ${percent(among)}`] : []),
    ...(judged < BARS.judged ? [`checks judged ${percent(judged)}`] : []),
  ];
}

/** Ten that are about different clauses, so that each can be told from the others. */
function drawTen(draw: number): readonly PlantedDeviation[] {
  const random = createRandom(draw);
  const chosen: PlantedDeviation[] = [];
  while (chosen.length < AT_ONCE) {
    const one = random.pick(PLANTED);
    const isApart = chosen.every(({ clauses }) => !clauses.some((clause) => one.clauses.includes(clause)));
    if (isApart && !one.clauses.includes('*')) chosen.push(one);
  }
  return PLANTED.filter((one) => chosen.includes(one));
}

const grep = new RegExp(values.grep ?? '');
const single = await tryAll(PLANTED.filter(({ name }) => grep.test(name)).map((one) => [one]));
const drawn = await tryAll(Array.from({ length: Number(values.draws) }, (_, draw) => drawTen(draw + 1)));
const misses = [...missesOfOne(single), ...missesOfTen(drawn)];
if (values.grep === undefined && values.checks === undefined) {
  writeBaselinePage('first-day.md', {
    title: 'The first day',
    command: 'npm run prove first-day',
    about:
      'What the whole check says of a service that is right in everything but one thing: the clause at the head of the ' +
      'first cause, how many clauses are said to be broken, and how many checks came to no verdict.',
    columns: ['deviation', 'head', 'clauses', 'lost'],
    rows: PLANTED.flatMap((one) => single.filter(({ planted }) => planted[0] === one).map(rowOf)),
  });
}
for (const miss of misses) out(`misses its bar: ${miss}`);
process.exitCode = misses.length === 0 ? 0 : 1;
