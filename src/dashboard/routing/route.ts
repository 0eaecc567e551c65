/**
 * Route: which view an address shows. Every view has one, and the way back to it is the same table.
 *
 *   /_platen/jobs?q=state:error      the list, searched
 *   /_platen/jobs/7?side=2           a job, with a side of it enlarged
 *   /_platen/room?printer=DESK/laser the room, with the capabilities of a printer
 *   /_platen/traffic?show=deliveries&id=3&q=…
 *   /_platen/runs/ID?show=clauses&q=…
 */

import { decoded } from '../../common/form-decoded.ts';
import { keysOf } from '../../common/keys-of.ts';

const ROOT = '/_platen';

/** The pages by their name in the address, as they are called, in the order of the header. */
export const PAGES = { jobs: 'Jobs', room: 'Room', traffic: 'Traffic', runs: 'Runs' } as const;
export type PageName = keyof typeof PAGES;

export interface Route {
  readonly page: PageName;
  /** What is chosen on it: a job, a run; empty for none. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
}

export function readRoute(pathname: string, search: string): Route {
  const [first = '', id = ''] = pathname.slice(ROOT.length).split('/').filter(Boolean);
  const page = keysOf(PAGES).find((name) => name === first) ?? 'jobs';
  return { page, id: decoded(id), query: Object.fromEntries(new URLSearchParams(search)) };
}

/** Whether there is a page at an address; the root is that of the jobs. */
export function isPage(pathname: string): boolean {
  const [first] = pathname.slice(ROOT.length).split('/').filter(Boolean);
  return first === undefined || keysOf(PAGES).some((name) => name === first);
}

/** The address of a view. Parts of the query that are empty are left out. */
export function hrefOf({ page, id = '', query = {} }: RouteTo): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  return `${ROOT}/${page}${id === '' ? '' : `/${encodeURIComponent(id)}`}${search}`;
}

export interface RouteTo {
  readonly page: PageName;
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
}
