/**
 * fetches: how the client came for the documents that the caller hosts.
 */

import { z } from 'zod';

import type { DocumentFetch } from '../../sink/document-host.ts';
import { count } from '../vocabulary/schema-types.ts';
import type { Break } from '../vocabulary/outcome.ts';
import { expectationKind } from './expectation.ts';

const wanted = z.union([
  count.transform((requests) => ({ requests })),
  z.strictObject({
    requests: count.exactOptional().describe('Requests for the path, with those of its redirects.'),
    admitted: count.exactOptional().describe('Requests whose credentials were good.'),
    refused: count.exactOptional().describe('Requests whose credentials were missing or wrong.'),
    toOtherOrigin: count.exactOptional().describe('Requests that went to the second origin.'),
    credentialsToOtherOrigin: count.exactOptional().describe('Of those, requests that carried credentials.'),
  }),
]);

type Counts = Partial<
  Record<'requests' | 'admitted' | 'refused' | 'toOtherOrigin' | 'credentialsToOtherOrigin', number>
>;

export const fetches = expectationKind<Counts>({
  about: 'By path of a document of the step `serve`: how often the client came for it, and with what.',
  of: undefined,
  wanted,
  async judge(path, given, setup) {
    const { log } = await setup.sinks.documents();
    const seen = countsOf(log.entries.filter((one) => one.path === path || one.path.startsWith(`${path}/`)));
    return Object.entries(given).flatMap(([what, number]): Break[] => {
      const actual = seen[what as keyof Counts];
      return actual === number
        ? []
        : [{ at: `${what} of ${path}`, expected: String(number), actual: String(actual), jobs: [] }];
    });
  },
});

function countsOf(all: readonly DocumentFetch[]): Required<Counts> {
  const other = all.filter(({ origin }) => origin === 'other');
  return {
    requests: all.length,
    admitted: all.filter(({ admitted }) => admitted === true).length,
    refused: all.filter(({ admitted }) => admitted === false).length,
    toOtherOrigin: other.length,
    credentialsToOtherOrigin: other.filter(({ credentials }) => credentials !== 'none').length,
  };
}
