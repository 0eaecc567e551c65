import { expect, it } from 'vitest';

import { fetches } from '../../../../src/scenario/expect/fetches.ts';
import { breaksOf, linesOf } from '../../../support/breaks-of.ts';

const fetched = (path: string, given: object = {}): object => ({
  path,
  origin: 'main',
  credentials: 'none',
  admitted: null,
  ...given,
});

const LOG = [
  fetched('/a.pdf', { admitted: false }),
  fetched('/a.pdf', { admitted: false }),
  fetched('/a.pdf', { credentials: 'BasicAuth', admitted: true }),
  fetched('/a.pdf/1', { origin: 'other' }),
  fetched('/a.pdf/1', { origin: 'other' }),
  fetched('/a.pdf/2', { origin: 'other', credentials: 'BasicAuth' }),
  fetched('/a.pdf/2'),
  fetched('/a.pdfx'),
  fetched('/b.pdf', { admitted: true }),
];
const setup = { sinks: { documents: async () => ({ log: { entries: LOG } }) } };

it.each<readonly [string, unknown, readonly string[]]>([
  ['its requests', 7, []],
  ['other requests', 3, ['requests of /a.pdf | 3 | 7']],
  ['all', { requests: 7, admitted: 1, refused: 2, toOtherOrigin: 3, credentialsToOtherOrigin: 1 }, []],
  ['other admissions', { admitted: 2 }, ['admitted of /a.pdf | 2 | 1']],
  ['other refusals', { refused: 1 }, ['refused of /a.pdf | 1 | 2']],
  ['others to the second origin', { toOtherOrigin: 1 }, ['toOtherOrigin of /a.pdf | 1 | 3']],
  ['other credentials there', { credentialsToOtherOrigin: 0 }, ['credentialsToOtherOrigin of /a.pdf | 0 | 1']],
])('expects of the fetches of a document %s', async (_, wanted, expected) => {
  expect(await linesOf(fetches, { '/a.pdf': wanted }, setup)).toEqual(expected);
});

it('is about no job, and names nothing of the scenario', async () => {
  expect(await breaksOf(fetches, { '/b.pdf': 5 }, setup)).toMatchObject([{ jobs: [] }]);
  expect(fetches.parse({ '/b.pdf': 2 }).names).toEqual([]);
});

it.each([-1, { other: 1 }, { requests: '1' }])('refuses %j', (given) => {
  expect(fetches.safeParse({ '/a.pdf': given }).success).toBe(false);
});
