import { expect, it } from 'vitest';

import { chooseMoments } from '../../../src/caller/choose-moments.ts';
import { momentText } from '../../../src/record/moments.ts';
import { toldRun } from '../../support/told-caller.ts';

function momentsOf(titles: readonly string[]): readonly string[] {
  return chooseMoments(toldRun(titles.map((title) => ({ title })))).moments.map(momentText);
}

it('tries each kind of job that the app prints as it tries the first', () => {
  const moments = momentsOf(['Label 1', 'Label 2', 'Receipt', 'Invoice', 'Slip', 'Return']);
  const fates = ['lost-after', 'cut', 'error-after', 'slow', 'busy', 'busy-until-quiet', 'down'];
  for (const nth of [1, 3, 4, 5, 6]) {
    expect(moments).toEqual(expect.arrayContaining(fates.map((fault) => `POST /printjobs#${nth} ${fault}`)));
  }
  expect(moments).not.toContain('POST /printjobs#2 cut');
});

it('tries what is of the connection and the account once', () => {
  const moments = momentsOf(['Label', 'Receipt']);
  expect(moments.filter((moment) => /lost-before|key-revoked/.test(moment))).toEqual([
    'POST /printjobs#1 lost-before',
    'POST /printjobs#1 key-revoked',
  ]);
});

it('says how many kinds of job it left out', () => {
  const titles = Array.from({ length: 10 }, (_, index) => `Kind ${'x'.repeat(index + 1)}`);
  const { moments, unreached } = chooseMoments(toldRun(titles.map((title) => ({ title }))));
  expect(moments.map(momentText)).not.toContain('POST /printjobs#9 cut');
  expect(unreached).toContain('The app prints 10 kinds of job: only the first 8 were tried.');
  expect(chooseMoments(toldRun([{}])).unreached.join(' ')).not.toContain('kinds of job');
});
