/**
 * Changes the judging code, one place at a time, and sees that a unit test fails each time; writes the figures to
 * reports/baseline/judging-code.md.
 *
 * Usage: node test/judges/run-judges.ts [--file PART] [--survivors | --sample N [--seed SEED]]
 *
 *   --file PART   only the files with this in their path
 *   --survivors   only changes that survived, or were not tried, when this was run here before
 *   --sample N    N changes of those that are on the page and have no reason to survive; nothing is written
 *   --seed SEED   with --sample: of all changes, also those that the page leaves out; without --file the page says how
 *                 many were killed
 *
 * Exits 1 when a change survives without a reason, or one that has a reason is killed.
 */

import { parseArgs } from 'node:util';

import { createRandom } from '../../src/common/random.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { judgingFiles, type JudgingFile } from './judging-files.ts';
import { FateBook, type Fate } from './fate-book.ts';
import { JUDGES_PAGE, judgesPage, sampleLine } from './judges-page.ts';
import { reasonFor } from './reasoned-survivors.ts';
import { ChangedRuns } from './try-changes.ts';

const CHANGES_BETWEEN_WRITES = 5;
const { values } = parseArgs({
  options: {
    file: { type: 'string', default: '' },
    survivors: { type: 'boolean' },
    sample: { type: 'string' },
    seed: { type: 'string' },
  },
});

const all = judgingFiles();
const named = all.filter(({ file }) => file.includes(values.file));
const isSample = values.sample !== undefined;
const chosen = isSample ? sampled(Number(values.sample)) : untried();
const counts: Record<Fate, number> = { refused: 0, killed: 0, survived: 0 };
let unexpected = 0;
let tried = 0;
const elapsedMs = startStopwatch();
await using runs = await ChangedRuns.start();
for (const judging of chosen) {
  const book = new FateBook(judging.file);
  const failure = await runs.failure(judging);
  if (failure !== undefined) throw new Error(`a test of ${judging.file} fails without a change: ${failure}`);
  for (const change of judging.changes) {
    const fate = await runs.try(judging, change);
    tried++;
    counts[fate]++;
    book.note(change.name, fate);
    if (!isSample && tried % CHANGES_BETWEEN_WRITES === 0) book.write();
    const isReasoned = reasonFor(judging.file, change.name) !== undefined;
    if (fate === 'refused' || (fate === 'survived') === isReasoned) continue;
    unexpected++;
    process.stdout.write(`${fate}  ${judging.file}:${change.line}  ${change.name}\n`);
  }
  if (!isSample) book.write();
  process.stdout.write(`${judging.file}: ${judging.changes.length} tried\n`);
}
const accepted = counts.killed + counts.survived;
if (!isSample) writeBaselinePage(JUDGES_PAGE, judgesPage(all));
else if (values.seed !== undefined && values.file === '')
  writeBaselinePage(JUDGES_PAGE, judgesPage(all, sampleLine({ ...counts, seed: values.seed })));
process.stdout.write(`${counts.killed} of ${accepted} killed, ${counts.refused} refused by the compiler\n`);
process.stdout.write(
  `${tried} changes in ${Math.round(elapsedMs() / 1_000)} s, ${unexpected} of them without a reason\n`,
);
process.exitCode = unexpected === 0 ? 0 : 1;

function untried(): readonly JudgingFile[] {
  return named
    .map((judging) => ({
      ...judging,
      changes: judging.tried.filter(({ name }) => !values.survivors || isOpen(judging.file, name)),
    }))
    .filter(({ changes }) => changes.length > 0);
}

/** Not tried, or survived without a reason. */
function isOpen(file: string, change: string): boolean {
  const fate = new FateBook(file).fateOf(change);
  return fate === undefined || (fate === 'survived' && reasonFor(file, change) === undefined);
}

/** Without a seed, changes that have no reason to survive; with one, any. */
function sampled(count: number): readonly JudgingFile[] {
  const random = createRandom(Number(values.seed ?? 1));
  const places = named.flatMap((judging) =>
    values.seed === undefined
      ? judging.tried.flatMap((change) => (reasonFor(judging.file, change.name) ? [] : [{ judging, change }]))
      : judging.changes.map((change) => ({ judging, change })),
  );
  const picked = new Set<(typeof places)[number]>();
  while (picked.size < Math.min(count, places.length)) picked.add(random.pick(places));
  return [...Map.groupBy(picked, ({ judging }) => judging)].map(([judging, some]) => ({
    ...judging,
    changes: some.map(({ change }) => change),
  }));
}
