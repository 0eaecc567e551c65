/**
 * fetches: how the client fetched documents from the caller's host.
 */

import { z } from 'zod';

import type { DocumentFetch } from '../../sink/document-host.ts';
import { count } from '../vocabulary/schema-types.ts';
import type { Break } from '../vocabulary/outcome.ts';
import { expectationKind } from './expectation.ts';

const details = z.strictObject({
  requests: count.exactOptional().describe('Requests for the path and its redirects.'),
  admitted: count.exactOptional().describe('Requests with valid credentials.'),
  refused: count.exactOptional().describe('Requests with missing or wrong credentials.'),
  toOtherOrigin: count.exactOptional().describe('Requests that went to the second origin.'),
  credentialsToOtherOrigin: count.exactOptional().describe('Requests to the second origin that carried credentials.'),
});
const wanted = z.union([count.transform((requests) => ({ requests })), details]);
type Wanted = z.output<typeof details>;

export const fetches = expectationKind<Wanted>({
  about: 'By path of a document of the step `serve`: how often the client fetched it, and with which credentials.',
  of: undefined,
  wanted,
  async judge(path, given, setup) {
    const { log } = await setup.sinks.documents();
    const seen = countsOf(log.entries.filter((one) => one.path === path || one.path.startsWith(`${path}/`)));
    return Object.entries(given).flatMap(([what, number]): Break[] => {
      const actual = seen[what as keyof Wanted];
      return actual === number
        ? []
        : [{ at: `${what} of ${path}`, expected: String(number), actual: String(actual), jobs: [] }];
    });
  },
});

function countsOf(all: readonly DocumentFetch[]): Required<Wanted> {
  const other = all.filter(({ origin }) => origin === 'other');
  return {
    requests: all.length,
    admitted: all.filter(({ admitted }) => admitted === true).length,
    refused: all.filter(({ admitted }) => admitted === false).length,
    toOtherOrigin: other.length,
    credentialsToOtherOrigin: other.filter(({ credentials }) => credentials !== 'none').length,
  };
}
