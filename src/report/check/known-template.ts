/**
 * Template of known failures: an entry for each failure of a run that is not known, to be filled in. As long as
 * it is not, `--baseline` refuses it.
 */

import type { CheckRunRecord } from '../../record/check-record.ts';

/** YAML, or undefined when nothing failed that is not known. */
export function renderKnownTemplate({ checks }: CheckRunRecord): string | undefined {
  const entries = checks.flatMap(({ id, signature, known }) =>
    signature === undefined || known
      ? []
      : [
          `  - check: ${id}`,
          `    signature: ${JSON.stringify(signature)}`,
          '    reason: CHANGE ME',
          '    owner: CHANGE ME',
          '    expires: CHANGE ME',
        ],
  );
  return entries.length === 0 ? undefined : `${['known:', ...entries].join('\n')}\n`;
}
