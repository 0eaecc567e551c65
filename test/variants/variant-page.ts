/** The table of all dimensions with their values, and what the last run found, as they are committed. */

import type { BaselinePage } from '../support/baseline-page.ts';
import type { Dimension } from './dimension.ts';
import { DIMENSIONS } from './dimensions/dimensions.ts';

export const VARIANT_PAGE = 'variants.md';

/** What was tried of combinations of one kind. */
export interface TriedRows {
  readonly kind: string;
  readonly count: number;
  readonly alarmed: number;
}

/** @param tried - none of a kind that was not run */
export function variantPage(tried: readonly TriedRows[]): BaselinePage {
  return {
    title: 'Variants',
    command: 'npm run prove variants',
    about: `${ABOUT}\n\n${tried.map(lastRun).join('\n')}`,
    columns: ['dimension', 'where', 'question', 'reference service', 'other answers'],
    rows: Object.entries(DIMENSIONS).map(dimensionRow),
  };
}

const ABOUT =
  'What a service may decide, and the answers that are tried. ' +
  'Any answer may go with any other: the whole suite must let every combination pass.';

function lastRun({ kind, count, alarmed }: TriedRows): string {
  return `- ${kind}: ${count === 0 ? 'not run' : `${count} tried, ${alarmed} alarmed`}`;
}

function dimensionRow([id, { where, question, reference, values }]: readonly [string, Dimension]): readonly string[] {
  return [`\`${id}\``, `\`${where}\``, question, reference, Object.keys(values).join('; ')];
}
