/** The table of what each check judged in a run of the reference service, as it is committed. */

import type { CheckOutcome } from '../../src/conformance/verdict/outcome.ts';
import { LINK_CLAUSES } from '../../src/link/link-clauses.ts';
import { CLAUSES } from '../../src/specification/clauses.ts';
import { GAPS } from '../../src/specification/gaps.ts';
import type { BaselinePage } from '../support/baseline-page.ts';

export const EMITTED_PAGE = 'emitted.md';

/** Not what checks declare: what they said a word about. */
export function emittedPage(outcomes: readonly CheckOutcome[]): BaselinePage {
  const emitted = outcomes.flatMap(({ check, judgements }) =>
    [...new Set(judgements.map(({ clause }) => clause))].map((clause) => ({ clause, check: check.id })),
  );
  const byClause = Map.groupBy(emitted, ({ clause }): string => clause);
  return {
    title: 'What the checks judged',
    command: 'npm run prove emitted',
    about:
      'Clauses and gaps, and the checks that judged or observed them in a run of the reference service on a virtual clock.',
    columns: ['clause', 'checks'],
    rows: [...ids(CLAUSES), ...Object.keys(LINK_CLAUSES), ...ids(GAPS)].flatMap((id) => {
      const checks = byClause.get(id)?.map(({ check }) => `\`${check}\``);
      return checks ? [[`\`${id}\``, checks.join(', ')]] : [];
    }),
  };
}

function ids(entries: readonly { readonly id: string }[]): readonly string[] {
  return entries.map(({ id }) => id);
}
