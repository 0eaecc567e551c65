/**
 * Operations that page through a list: each arrival reads the next page of its account, and starts over after the
 * last.
 */

import { LIST_HEADERS } from '../../../specification/headers.ts';
import { LIMITS } from '../../../specification/limits.ts';
import type { Attempt } from '../attempt.ts';
import type { LoadAccount } from '../load-account.ts';
import type { Operation } from '../request-sender.ts';

const PAGE_SIZE = LIMITS.pageSize.value;
/** Header names arrive in lower case. */
const RETURNED = LIST_HEADERS.returned.name.toLowerCase();

function pageOperation(path: string): Operation {
  const conclude = (attempt: Attempt): void => turnPage(attempt.account, path, attempt);
  return (arrival, sender) => {
    const attempt = sender.begin(arrival);
    if (!attempt) return;
    const after = attempt.account.pages.get(path);
    attempt.ask('GET', `${path}?limit=${PAGE_SIZE}${after === undefined ? '' : `&after=${after}`}`);
    attempt.conclude = conclude;
    sender.send(attempt);
  };
}

export const listJobs = pageOperation('/printjobs');
export const listPrinters = pageOperation('/printers');
export const listComputers = pageOperation('/computers');

function turnPage({ pages }: LoadAccount, path: string, { status, headers, body }: Attempt): void {
  pages.delete(path);
  // Most pages are not full, and then need no reading.
  if (status !== 200 || Number(headers[RETURNED]) < PAGE_SIZE) return;
  const last = lastId(body);
  if (last !== undefined) pages.set(path, last);
}

function lastId(body: Buffer): number | undefined {
  try {
    const records = JSON.parse(body.toString('utf8')) as readonly { readonly id?: unknown }[];
    const id = Array.isArray(records) ? (records.at(-1) as { readonly id?: unknown } | undefined)?.id : undefined;
    return typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}
