/**
 * Request headers by name, one value each.
 */

import type { IncomingMessage } from 'node:http';

/** The value of a request header, named in lower case. */
export type HeaderLookup = (name: string) => string | undefined;

export function headersOf({ headers }: IncomingMessage): HeaderLookup {
  return (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
}

/** Flag headers (X-Pretty, X-Dont-Log) are on with any value but `0` and `false`. */
export function isOn(value: string | string[] | undefined): boolean {
  return value !== undefined && value !== '0' && value !== 'false';
}
