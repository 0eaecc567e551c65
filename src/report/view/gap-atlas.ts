/**
 * Gap atlas: what services do where the specification says nothing, side by side. It judges nothing: no
 * answer is better than another.
 *
 *   gap                 question                        service A        service B
 *   gap/ping-body       What does GET /ping answer?     "OK"             object            ≠
 */

import { text } from '../../common/markdown.ts';
import type { CheckRunRecord } from '../../record/check-record.ts';

/** What one run saw of a gap. */
export interface AtlasCell {
  readonly target: string;
  /** Each different observation once; empty where the run did not look. */
  readonly observations: readonly string[];
}

export interface AtlasRow {
  /** `gap/ping-body` */
  readonly gap: string;
  readonly question: string;
  /** In the order of the runs. */
  readonly observed: readonly AtlasCell[];
  /** Two of those who looked answer differently. */
  readonly differs: boolean;
}

interface Observed extends Pick<CheckRunRecord, 'gaps'> {
  readonly target: Pick<CheckRunRecord['target'], 'name'>;
}

/** One row for each gap that any of the runs knows, in the order of the specification. */
export function gapAtlas(runs: readonly Observed[]): readonly AtlasRow[] {
  const ids = new Set(runs.flatMap(({ gaps }) => Object.keys(gaps)));
  return [...ids].map((gap) => {
    const observed = runs.map(({ target, gaps }) => ({
      target: target.name,
      observations: gaps[gap]?.observations ?? [],
    }));
    const question = runs.find(({ gaps }) => gaps[gap])?.gaps[gap]?.question ?? '';
    const answers = observed.filter(({ observations }) => observations.length > 0).map(answerOf);
    return { gap, question, observed, differs: new Set(answers).size > 1 };
  });
}

/** The same text for the same answer, whatever the order in which it was seen. */
function answerOf({ observations }: AtlasCell): string {
  return observations.toSorted().join('\n');
}

/** The atlas as a Markdown page: a table, a column for each run. */
export function renderGapAtlas(runs: readonly Observed[]): string {
  const rows = gapAtlas(runs);
  const seen = rows.filter(({ observed }) => observed.some(({ observations }) => observations.length > 0));
  const targets = runs.map(({ target }) => text(target.name));
  return [
    '# Gap atlas',
    '',
    'What services did where the specification says nothing. No answer is right or wrong.',
    `${seen.length} of ${rows.length} gaps were looked at.`,
    '',
    `| ${['gap', 'question', ...targets, ...(runs.length > 1 ? ['differ'] : [])].join(' | ')} |`,
    `|${' --- |'.repeat(2 + runs.length + (runs.length > 1 ? 1 : 0))}`,
    ...rows.map(({ gap, question, observed, differs }) => {
      const cells = observed.map(({ observations }) => observations.map(text).join('<br>') || 'not looked at');
      const last = runs.length > 1 ? [differs ? 'yes' : ''] : [];
      return `| ${[`\`${gap}\``, text(question), ...cells, ...last].join(' | ')} |`;
    }),
    '',
  ].join('\n');
}
