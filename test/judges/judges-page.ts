/**
 * The table of the judging code, as it is committed: a row for each file, with its survivors. What was not tried here is
 * as it was on the page.
 */

import { readBaselineLine, readBaselineRows, type BaselinePage } from '../support/baseline-page.ts';
import { FateBook, type Fate } from './fate-book.ts';
import type { JudgingFile } from './judging-files.ts';
import { reasonFor } from './reasoned-survivors.ts';

export const JUDGES_PAGE = 'judging-code.md';
const SAMPLE = 'A random sample of all changes';

/** @param sample - what a random sample has shown */
export function judgesPage(files: readonly JudgingFile[], sample = readSampleLine()): BaselinePage {
  const before = new Map(readBaselineRows(JUDGES_PAGE).map((cells) => [cells[0], cells]));
  return {
    title: 'The judging code',
    command: 'npm run prove judges',
    about: [
      'Each file was changed in one place at a time: an operator, a condition, a literal, a statement. A change that',
      'the compiler accepts is killed when a unit test fails. Of files with many changes a part is tried, the same',
      'each time: `of` is how many there are.',
      '',
      sample,
    ].join('\n'),
    columns: ['file', 'of', 'changes', 'killed', 'survived', 'survivors, and why'],
    rows: files.map((judging) => row(judging, before)),
  };
}

export function sampleLine({ seed, killed, survived }: Record<Fate, number> & { readonly seed: string }): string {
  return `${SAMPLE}, with the seed ${seed}: ${killed} of ${killed + survived} killed.`;
}

export function readSampleLine(): string {
  return readBaselineLine(JUDGES_PAGE, SAMPLE);
}

function row(
  { file, changes, tried }: JudgingFile,
  before: ReadonlyMap<string | undefined, readonly string[]>,
): readonly string[] {
  const book = new FateBook(file);
  const [name, known] = [`\`${file}\``, before.get(`\`${file}\``)];
  if (known && book.isEmpty) return known;
  const fates = Map.groupBy(tried, (change) => book.fateOf(change.name) ?? 'not tried');
  const survivors = fates.get('survived') ?? [];
  const killed = fates.get('killed')?.length ?? 0;
  const notes = [
    ...survivors.map((change) => `\`${change.name}\`: ${reasonFor(file, change.name) ?? '**no reason**'}`),
    ...(fates.has('not tried') ? [`**${fates.get('not tried')?.length} not tried**`] : []),
  ];
  return [
    name,
    String(changes.length),
    String(killed + survivors.length),
    String(killed),
    String(survivors.length),
    notes.join('<br>'),
  ];
}
