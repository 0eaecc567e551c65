import { expect, it } from 'vitest';

import { LOAD_FAULTS } from './load-faults.ts';
import { runFault, soundTwin } from './run-fault.ts';

it('plants at least 25 faults, each with a name of its own', () => {
  expect(new Set(LOAD_FAULTS.map(({ name }) => name)).size).toBe(LOAD_FAULTS.length);
  expect(LOAD_FAULTS.length).toBeGreaterThanOrEqual(25);
});

it('finds nothing wrong with a sound service', async () => {
  const { jobs, findings } = await runFault(soundTwin({ name: 'none', caughtAs: '' }));
  expect(jobs).toBe(180);
  expect([...findings]).toEqual([]);
}, 30_000);

it.each([
  'takes a submission and stores nothing',
  'delivers again after a reconnect, as new',
  'delivers to a computer of another account',
  'drops the title',
  'sends a wrong secret',
])(
  'notices a service that %s',
  async (name) => {
    const fault = LOAD_FAULTS.find((one) => one.name === name);
    if (!fault) throw new Error(`there is no fault '${name}'`);
    expect([...(await runFault(fault)).findings.keys()]).toContain(fault.caughtAs);
  },
  30_000,
);
