/**
 * Operations that page through a list: each arrival reads the next page of its account; behind the last page it
 * begins again.
 */

import type { Flight } from '../flight.ts';
import type { LoadAccount } from '../load-account.ts';
import type { Operation } from './operation.ts';

const PAGE_SIZE = 100;

function pageOperation(path: string): Operation {
  const conclude = (flight: Flight): void => turnPage(flight.account, path, flight);
  return (arrival, desk) => {
    const flight = desk.begin(arrival);
    if (!flight) return;
    const { account, request } = flight;
    const after = account.pages.get(path);
    request.method = 'GET';
    request.path = `${path}?limit=${PAGE_SIZE}${after === undefined ? '' : `&after=${after}`}`;
    request.headers = account.readHeaders;
    request.body = null;
    flight.conclude = conclude;
    desk.launch(flight);
  };
}

export const listJobs = pageOperation('/printjobs');
export const listPrinters = pageOperation('/printers');
export const listComputers = pageOperation('/computers');

function turnPage({ pages }: LoadAccount, path: string, { status, headers, body }: Flight): void {
  pages.delete(path);
  // Most pages are short of full, and then nobody has to read them.
  if (status !== 200 || Number(headers['records-returned']) < PAGE_SIZE) return;
  const last = lastId(body);
  if (last !== undefined) pages.set(path, last);
}

function lastId(body: Buffer): number | undefined {
  try {
    const records = JSON.parse(body.toString('utf8')) as readonly { readonly id?: unknown }[];
    const id = Array.isArray(records)
      ? (records.at(-1) as { readonly id?: unknown } | undefined)?.id
      : undefined;
    return typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}
