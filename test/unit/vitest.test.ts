/**
 * platen/vitest as a project uses it: fixtures and matchers, and what the matchers say when they fail.
 */

import { describe } from 'vitest';

import { expect, platenTest, test } from '../../src/vitest.ts';
import { printRequest } from '../support/print-request.ts';

test('gives a test an account with printers, and shows what came out of them', async ({ platen }) => {
  const printerId = await platen.printer('Laser').id();
  const id = await printRequest(platen, { printerId, title: 'Invoice 7', options: { copies: 2 } });
  const job = await platen.jobs.wait({ title: /invoice/i, state: 'done' });
  expect(job.id).toBe(id);
  expect(job).toHaveState('done');
  expect(job).toHaveSheets(6);
  await expect(job).toHavePrinted('page 3 of 3');
  await expect(job).toHavePrinted(/page \d of 3/);
  await expect(job).not.toHavePrinted('page 4');
  expect((await platen.jobs.list())[0]).toHaveState('done');
});

test('begins each test afresh', async ({ platen }) => {
  expect(await platen.jobs.list()).toEqual([]);
});

describe('a matcher that fails says why', () => {
  test('by the path of the job', async ({ platen }) => {
    await printRequest(platen, { printerId: await platen.printer('Laser').id(), title: 'Letter' });
    const job = await platen.jobs.wait({ state: 'done' });
    expect(() => expect(job).toHaveState('error')).toThrow(/job \d+ \(Letter\) is done, not error\n {2}0 ms {2}new/);
    expect(() => expect(job).toHaveSheets(1)).toThrow(/3 sheets came out of Laser for job \d+, not 1/);
    await expect(expect(job).toHavePrinted('Dear')).rejects.toThrow(
      /no "Dear" is on the sheets of job \d+, which say:\n.*three-pages\.pdf, page 1/s,
    );
  });

  test('by what is wrong with its arguments', async ({ platen }) => {
    expect(() => expect('done').toHaveState('done')).toThrow('toHaveState wants a job');
    await expect(expect(platen).toWeigh('1 g')).rejects.toThrow('toWeigh wants a scale');
  });
});

test('weighs', async ({ platen }) => {
  const desk = platen.computer('FRONT-DESK');
  const { profiles } = await platen.room();
  const scale = await desk.addScale({ profile: profiles.scales[0]?.name ?? '', name: 'Counter scale' });
  await scale.put('250 g');
  await expect(scale).toWeigh('250 g');
  await expect(expect(scale).toWeigh('1 kg')).rejects.toThrow(/shows \S+ \w+.*, not 1 kg/);
  await scale.remove();
  await expect(scale).toWeigh(0);
});

const alone = platenTest({ room: { computers: [{ name: 'DESK', printers: [{ profile: 'laser-a4' }] }] } });

alone('starts with the room that a project wants', async ({ platen }) => {
  expect((await platen.printers()).map(({ computer }) => computer)).toEqual(['DESK']);
});
