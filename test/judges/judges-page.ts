/** The table of the judging code, as it is committed: a row for each file, and one for each survivor. */

import type { BaselinePage } from '../support/baseline-page.ts';
import { FateBook } from './fate-book.ts';
import type { JudgingFile } from './judging-files.ts';
import { reasonFor } from './reasoned-survivors.ts';

export const JUDGES_PAGE = 'judging-code.md';

export function judgesPage(files: readonly JudgingFile[]): BaselinePage {
  return {
    title: 'The judging code',
    command: 'npm run prove judges',
    about: [
      'Each file was changed in one place at a time: an operator, a condition, a literal, a statement. A change that',
      'the compiler accepts is killed when a unit test fails. Of files with many changes a part is tried, the same',
      'each time: `of` is how many there are.',
    ].join('\n'),
    columns: ['file', 'of', 'changes', 'killed', 'survived', 'survivors, and why'],
    rows: files.map(row),
  };
}

function row({ file, changes, tried }: JudgingFile): readonly string[] {
  const book = new FateBook(file);
  const fates = Map.groupBy(tried, ({ name }) => book.fateOf(name) ?? 'not tried');
  const survivors = fates.get('survived') ?? [];
  const killed = fates.get('killed')?.length ?? 0;
  const notes = [
    ...survivors.map(({ name }) => `\`${name}\`: ${reasonFor(file, name) ?? '**no reason**'}`),
    ...(fates.has('not tried') ? [`**${fates.get('not tried')?.length} not tried**`] : []),
  ];
  return [
    `\`${file}\``,
    String(changes.length),
    String(killed + survivors.length),
    String(killed),
    String(survivors.length),
    notes.join('<br>'),
  ];
}
