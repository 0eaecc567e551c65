import { expect, it } from 'vitest';

import { momentText, readMoment } from '../../../src/record/moments.ts';

it.each([
  'POST /printjobs#1 lost-after',
  'POST /printjobs#kept lost-after',
  'GET /printjobs/N/states#12 error',
  'event forged',
  'room jam',
])('reads %j as it writes it', (text) => {
  expect(momentText(readMoment(text))).toBe(text);
});

it.each([
  ['POST /printjobs#1 lost-afer', "is called 'lost-afer'; did you mean 'lost-after'"],
  ['event fogred', "is called 'fogred'"],
  ['npm', "'npm' is not a moment"],
  ['POST /printjobs#0 cut', 'is not a moment'],
])('refuses %j', (text, message) => {
  expect(() => readMoment(text)).toThrow(message);
});
