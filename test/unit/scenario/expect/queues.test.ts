import { expect, it } from 'vitest';

import { queues } from '../../../../src/scenario/expect/queues.ts';
import { breaksOf, linesOf } from '../../../support/breaks-of.ts';

const laser = { name: 'Laser' };
const STATE = { waiting: 1, over: 2, isStopped: true, reasons: ['media-empty', 'door-open'] };

/** The queue by ipp; that by raw waits for nothing. */
const setup = {
  printer: (name: string) => (name === 'Laser' ? laser : undefined),
  printDesk: async () => ({
    stateOf: async ({ printer, by }: { readonly printer: unknown; readonly by: string }) =>
      by === 'ipp' && printer === laser ? STATE : { ...STATE, waiting: 0 },
  }),
};

it.each<readonly [string, unknown, readonly string[]]>([
  ['all', { waiting: 1, over: 2, stopped: true, reasons: ['door-open', 'media-empty'] }, []],
  ['nothing', {}, []],
  ['other jobs waiting', { waiting: 2 }, ['jobs waiting in the queue of Laser by ipp | 2 | 1']],
  ['other jobs over', { over: 1 }, ['jobs over in the queue of Laser by ipp | 1 | 2']],
  ['no stop', { stopped: false }, ['a stop of the queue of Laser by ipp | false | true']],
  ['other reasons', { reasons: ['none'] }, ['reasons of the queue of Laser by ipp | none | door-open, media-empty']],
  ['another protocol', { by: 'raw', waiting: 1 }, ['jobs waiting in the queue of Laser by raw | 1 | 0']],
])('expects of a queue %s', async (_, wanted, expected) => {
  expect(await linesOf(queues, { Laser: wanted }, setup)).toEqual(expected);
});

it('is about no job', async () => {
  expect(await breaksOf(queues, { Laser: { over: 1 } }, setup)).toMatchObject([{ jobs: [] }]);
});

it.each([{ by: 'fax' }, { waiting: -1 }, { other: 1 }])('refuses %j', (given) => {
  expect(queues.safeParse({ Laser: given }).success).toBe(false);
});
