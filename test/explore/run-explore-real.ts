/**
 * Explores a service on real time, as another process, in which three things are broken: each has to be found within
 * the time, shortened to a scenario that fails on it again in the same way, and that passes on a sound service.
 *
 *   --for 10m     how long to begin new days
 *   --seed 1      seed of the first day
 *
 * Writes reports/baseline/explore-real.md.
 */

import { parseArgs } from 'node:util';

import { durationMs, formatDuration } from '../../src/common/duration.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { explore, playerOn } from '../../src/explore/explore.ts';
import { meetService } from '../../src/explore/other-service.ts';
import { playText, textOf } from '../../src/explore/play-day.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { startPlanted, targetOf } from './start-planted.ts';

/** What is broken, by the clause that tells it. */
const PLANTED: Readonly<Record<string, string>> = {
  'print-jobs/idempotency-conflict': '409 never',
  'events/failed-requeued': 'no retry',
  'print-jobs/cancelled-not-delivered': 'a cancelled job is sent when its computer comes back',
};

const { values } = parseArgs({
  options: { for: { type: 'string', default: '10m' }, seed: { type: 'string', default: '1' } },
});
using planted = await startPlanted(Object.values(PLANTED));
using sound = await startPlanted([]);
const { elsewhere, stage, sideBySide, problems } = await meetService(await targetOf(planted));
await using here = stage;
await using there = (await meetService(await targetOf(sound))).stage;
for (const problem of problems) process.stdout.write(`${problem}\n`);

const stopwatch = startStopwatch();
const metMs = new Map<string, number>();
const foundMs = new Map<string, number>();
const draw = { without: [], room: undefined, expect: 'sound', elsewhere } as const;
const {
  days,
  findings,
  unplayed,
  unplayedBecause,
  durationMs: tookMs,
} = await explore({
  ...draw,
  seed: Number(values.seed),
  limitMs: durationMs(values.for),
  stage: here,
  players: Array.from({ length: sideBySide }, () => playerOn(here, draw)),
  onMet: ({ signature }) => {
    metMs.set(signature, stopwatch());
    process.stdout.write(`${inWords(stopwatch())}  met ${signature}\n`);
  },
  onFinding: ({ signature, day }) => {
    foundMs.set(signature, stopwatch());
    process.stdout.write(`${inWords(stopwatch())}  found ${signature} in ${day.steps.length} steps\n${textOf(day)}\n`);
  },
});

const rows: string[][] = [];
let isShown = Object.keys(PLANTED).every((clause) => findings.some(({ signature }) => signature === clause));
for (const { signature, day, count } of findings) {
  const [again, elsewherePlayed] = [await playText(textOf(day), here), await playText(textOf(day), there)];
  const isRepeated = again?.broken.includes(signature) === true && elsewherePlayed?.verdict === 'pass';
  isShown &&= isRepeated;
  const [met = 0, found = 0] = [metMs.get(signature), foundMs.get(signature)];
  // The two services differ in nothing but what was planted.
  const what = PLANTED[signature] ?? (isRepeated ? 'another consequence of these' : '**nothing that was planted**');
  const steps = String(day.steps.length);
  rows.push([
    `\`${signature}\``,
    what,
    inWords(met),
    inWords(found),
    String(count),
    steps,
    isRepeated ? 'yes' : '**no**',
  ]);
}
const about =
  `The reference service on real time, as another process, with ${Object.keys(PLANTED).length} faults: ${days} days ` +
  `in ${inWords(tookMs)}, ${sideBySide} at the same time; ${unplayed} could not be played` +
  `${unplayedBecause === undefined ? '' : ` (${unplayedBecause})`}. Repeated: the scenario fails on it again in the ` +
  'same way, and passes on the sound service.';
process.stdout.write(`${about}\n${rows.map((row) => row.join('  ')).join('\n')}\n`);
writeBaselinePage('explore-real.md', {
  title: 'What explore finds on real time',
  command: 'npm run prove explore-real',
  about,
  columns: ['found as', 'planted', 'met after', 'shortened after', 'days', 'steps', 'repeated'],
  rows,
});
// A day that was given up may hold connections.
process.exit(isShown ? 0 : 1);

function inWords(ms: number): string {
  return formatDuration(Math.round(ms / 1_000) * 1_000);
}
