import { expect, it } from 'vitest';

import { coverageOf } from '../../../src/explore/coverage.ts';
import type { RawDay } from '../../../src/explore/draw/raw-day.ts';

function dayOf(...steps: RawDay['steps']): RawDay {
  return {
    title: 'a day',
    why: 'a day of a test, made up',
    seed: 1,
    room: { computers: [] },
    steps,
    expect: { service: 'sound' },
  };
}

it('counts what was done while nothing was wrong, and what under each condition', () => {
  const day = dayOf(
    { submit: { as: 'a' } },
    { disconnect: 'DESK' },
    { submit: { as: 'b' } },
    { connect: 'DESK' },
    { submit: { as: 'c' } },
  );
  expect(Object.fromEntries(coverageOf(day))).toEqual({
    'submit × nothing wrong': 2,
    'disconnect × nothing wrong': 1,
    'submit × a computer away': 1,
    'connect × a computer away': 1,
  });
});

it('names requests by their endpoints', () => {
  const day = dayOf(
    { request: { path: '/printjobs/{job:a},{job:b}/states?dir=asc' } },
    { request: { path: '/printjobs/states' } },
    { request: { method: 'DELETE', path: '/printers/{printer:L}/printjobs' } },
  );
  expect([...coverageOf(day).keys()]).toEqual([
    'GET /printjobs/{print_job_set}/states × nothing wrong',
    'GET /printjobs/states × nothing wrong',
    'DELETE /printers/{printer_set}/printjobs × nothing wrong',
  ]);
});

it('keeps faults, deletions and long times in mind', () => {
  const day = dayOf(
    { fault: { at: 'printer/Laser', fault: 'media-jam' } },
    { advance: '24h1m' },
    { request: { method: 'DELETE', path: '/webhook/{webhook:a}' } },
    { weigh: { scale: 'S', grams: 1 } },
  );
  const [last = ''] = [...coverageOf(day).keys()].filter((pair) => pair.startsWith('weigh'));
  expect([...coverageOf(day).keys()].filter((pair) => pair.startsWith('weigh'))).toEqual([
    'weigh × a fault of a printer',
    'weigh × hours or days later',
    'weigh × DELETE /webhook/{webhook_id} before',
  ]);
  expect(last).not.toBe('');
});
