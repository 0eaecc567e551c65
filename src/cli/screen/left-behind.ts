/**
 * Left behind: what a command leaves in the account of a service that goes on without it.
 */

import { err } from './terminal.ts';

export interface Quietness {
  readonly json?: true | undefined;
  readonly quiet?: true | undefined;
}

/** @param what - such as `the print jobs of these scenarios` */
export function tellLeftBehind(service: string, what: string, { json, quiet }: Quietness): void {
  if (!json && !quiet) err(`Left in the account at ${service}: ${what}.`);
}
