/**
 * Signature: what a failure is recognised by in another run. Clauses and expectations make it up, not what
 * came instead: ids, times and generated inputs differ each time.
 */

import type { CheckOutcome } from './outcome.ts';

const SHOWN_MAX_CHARACTERS = 120;

/** One line; the same for the same fault, whatever the seed. */
export function signatureOf({ judgements, message }: CheckOutcome): string {
  const broken = judgements.flatMap(({ clause, mismatch }) =>
    mismatch ? [`${clause} (${normalized(mismatch.expected)})`] : [],
  );
  return broken.length > 0 ? [...new Set(broken)].join('; ') : normalized(message);
}

/** Numbers and identifiers replaced, and of bounded length. */
function normalized(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8,}(-[0-9a-f]+)*/gi, '#')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\[[#,\s]*\]/g, '[#]')
    .replaceAll(/\s+/g, ' ')
    .slice(0, SHOWN_MAX_CHARACTERS);
}
