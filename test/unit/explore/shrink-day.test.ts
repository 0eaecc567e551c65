import { expect, it } from 'vitest';

import type { RawDay, RawStep } from '../../../src/explore/draw/raw-day.ts';
import { shrinkDay } from '../../../src/explore/shrink-day.ts';

const DAY: RawDay = {
  title: 'a day',
  why: 'a day that a test has made up',
  seed: 1,
  account: 'child',
  room: {
    timeScale: 1,
    computers: [
      {
        name: 'OFFICE',
        version: '1.0.0',
        printers: [
          { profile: 'plotter', name: 'Printer 1' },
          { profile: 'fax', name: 'Printer 2' },
        ],
        scales: [{ profile: 'usps-ds25', name: 'Scale 1' }],
      },
      { name: 'TILL', printers: [{ profile: 'fax', name: 'Printer 3' }] },
    ],
  },
  steps: [
    { advance: '1s' },
    { submit: { as: 'a', printer: 'Printer 1', content: 'first line\nsecond line', qty: 3, title: 'Invoice' } },
    { advance: '23h59m' },
    { disconnect: 'OFFICE' },
    { request: { path: '/printjobs?limit=1&dir=asc' } },
    { cancel: { job: 'a', cancels: 'any' } },
  ],
  expect: { service: 'strict' },
};

const has = (day: RawDay, kind: string): boolean => day.steps.some((step) => kind in step);
const argsOf = (day: RawDay, kind: string): unknown => day.steps.find((step: RawStep) => kind in step)?.[kind];

it('leaves only the steps that it takes', async () => {
  const shrunk = await shrinkDay(DAY, {
    mostPlays: 500,
    stillBreaks: (day) => Promise.resolve(has(day, 'submit') && has(day, 'cancel')),
  });
  expect(shrunk.steps.map((step) => Object.keys(step)[0])).toEqual(['submit', 'cancel']);
  // What a step expects of an answer would be that of the broken service.
  expect(argsOf(shrunk, 'cancel')).toEqual({ cancels: 'any' });
});

it('makes the room and the account as plain as they can be', async () => {
  const shrunk = await shrinkDay(DAY, {
    mostPlays: 500,
    stillBreaks: (day) => Promise.resolve(day.room.computers.length > 0),
  });
  expect(shrunk.account).toBe('own');
  expect(shrunk.room).toEqual({ computers: [{ name: 'TILL', printers: [] }] });
});

it('rounds times, empties queries and leaves out what a step does not need', async () => {
  const stillBreaks = (day: RawDay): Promise<boolean> =>
    Promise.resolve(
      JSON.stringify(argsOf(day, 'advance') ?? '').length > 2 &&
        JSON.stringify(argsOf(day, 'submit') ?? '').includes('content') &&
        JSON.stringify(argsOf(day, 'request') ?? '').includes('limit') &&
        DAY.steps.length >= day.steps.length,
    );
  const shrunk = await shrinkDay(DAY, { mostPlays: 900, stillBreaks });
  expect(argsOf(shrunk, 'submit')).toEqual({ content: 'x' });
  expect(argsOf(shrunk, 'request')).toEqual({ path: '/printjobs?limit=1' });
});

it('ends with the same day each time, and plays no more days than it may', async () => {
  let plays = 0;
  const options = {
    mostPlays: 20,
    stillBreaks: (day: RawDay): Promise<boolean> => {
      plays++;
      return Promise.resolve(has(day, 'cancel'));
    },
  };
  const first = await shrinkDay(DAY, options);
  expect(plays).toBeLessThanOrEqual(20);
  expect(await shrinkDay(DAY, options)).toEqual(first);
});

it('ends at once when it is interrupted', async () => {
  const signal = AbortSignal.abort();
  const shrunk = await shrinkDay(DAY, { mostPlays: 500, signal, stillBreaks: () => Promise.resolve(true) });
  expect(shrunk).toEqual(DAY);
});

it('ends when its time is over, with the shortest day by then', async () => {
  let plays = 0;
  const stillBreaks = (): Promise<boolean> => {
    plays++;
    return Promise.resolve(true);
  };
  expect(await shrinkDay(DAY, { mostPlays: 900, limitMs: 0, stillBreaks })).toBe(DAY);
  expect(plays).toBe(0);
});

it('plays several at the same time where it may, and does without what each of them did without', async () => {
  let [active, most, rounds] = [0, 0, 0];
  const shrunk = await shrinkDay(DAY, {
    mostPlays: 500,
    sideBySide: 8,
    stillBreaks: async (day) => {
      most = Math.max(most, ++active);
      if (active === 1) rounds++;
      await Promise.resolve();
      active--;
      return has(day, 'submit') && has(day, 'cancel');
    },
  });
  expect(shrunk.steps).toEqual([{ submit: {} }, { cancel: { cancels: 'any' } }]);
  expect(shrunk.room).toEqual({ computers: [{ name: 'TILL', printers: [] }] });
  expect(most).toBe(8);
  expect(rounds).toBeLessThan(30);
});

it('leaves a day in its Child Account where other days are played beside it', async () => {
  const options = { mostPlays: 500, stillBreaks: (day: RawDay) => Promise.resolve(has(day, 'submit')) };
  expect((await shrinkDay(DAY, options)).account).toBe('own');
  expect((await shrinkDay(DAY, { ...options, staysInChild: true })).account).toBe('child');
});

/** As if a request took 20 ms. */
const lengthMs = ({ steps }: RawDay): number => steps.reduce((sum, step) => sum + ('advance' in step ? 1_000 : 20), 0);

it('puts a pause where steps were only good for the time that they take', async () => {
  const reads = Array.from({ length: 20 }, (_, index): RawStep => ({ request: { path: `/printjobs/${index}` } }));
  const shrunk = await shrinkDay(
    { ...DAY, steps: [...reads, { cancel: { job: 'a', cancels: 'any' } }] },
    { mostPlays: 500, stillBreaks: (day) => Promise.resolve(has(day, 'cancel') && lengthMs(day) >= 400) },
  );
  expect(shrunk.steps).toEqual([{ advance: '1s' }, { cancel: { cancels: 'any' } }]);
});
