/**
 * Job recipes: a job as something to do again, in a shell or in a test.
 */

import { shellWord } from '../../common/shell-word.ts';
import type { JobSummary } from '../../record/control-types.ts';
import { authenticationOf, optionsOf, type PrintJobRow } from '../../service/store/print-job-row.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';
import { isAddress } from '../logs/kept-documents.ts';
import { HIDDEN, type Redaction } from '../logs/redaction.ts';
import { curl } from '../logs/shell.ts';

/** A longer document is fetched by the command instead of standing in it. */
const LONGEST_SHOWN = 4_096;

/** The request that prints this job again. */
export function printCommand(row: PrintJobRow, url: string, content: string | undefined, redaction: Redaction): string {
  const { printerId, contentType, title, source, qty } = row;
  const options = optionsOf(row);
  const fields = {
    printerId,
    contentType,
    ...(title !== null && { title }),
    ...(source !== null && { source }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(qty !== 1 && { qty }),
    ...(row.authentication !== null && { authentication: hiddenCredentials(row) }),
  };
  const request = {
    method: 'POST',
    url: `${url}/printjobs`,
    headers: [['Content-Type', MEDIA_TYPES.json.value]] as const,
  };
  if (content !== undefined && (isAddress(row) || content.length <= LONGEST_SHOWN)) {
    const shown = isAddress(row) ? redaction.foreignUrl(content) : content;
    return curl({ ...request, body: JSON.stringify({ ...fields, content: shown }) });
  }
  const [before, after] = JSON.stringify({ ...fields, content: HIDDEN }).split(`"${HIDDEN}"`);
  const fetched = `curl -sS ${shellWord(`${url}/_platen/jobs/${row.id}/document`)} | base64 | tr -d '\\n'`;
  const bodyFrom = `{ printf %s ${shellWord(`${before}"`)}; ${fetched}; printf %s ${shellWord(`"${after}`)}; }`;
  return curl({ ...request, bodyFrom });
}

function hiddenCredentials(row: PrintJobRow): object {
  const { type } = authenticationOf(row) as { readonly type?: unknown };
  return { type, credentials: { user: HIDDEN, pass: HIDDEN } };
}

/** A test in vitest that expects a job like this one. */
export function testSnippet({ title, printer, state, sheets, raw }: JobSummary): string {
  const name = JSON.stringify(`prints ${title?.trim() || 'a document'} on ${printer.name}`);
  const query = JSON.stringify({ ...(title !== null && { title }), printer: printer.name, state })
    .replaceAll('":', '": ')
    .replaceAll(',"', ', "');
  const expectation = raw ? 'await expect(job).toHavePrinted()' : `expect(job).toHaveSheets(${sheets})`;
  return [
    `import { expect, test } from 'platen/vitest';`,
    '',
    `test(${name}, async ({ platen }) => {`,
    '  // Let your app print here, with platen.url and platen.apiKey.',
    `  const job = await platen.jobs.wait(${query});`,
    ...(state === 'done' ? [`  ${expectation};`] : [`  expect(job).toHaveState('${state}');`]),
    '});',
    '',
  ].join('\n');
}
