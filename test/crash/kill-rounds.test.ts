import { expect, it } from 'vitest';

import { killRounds } from './kill-rounds.ts';

it('loses no accepted job, key or event when the service is killed under load', async () => {
  const report = await killRounds(4, 1);
  expect(report).toMatchObject({ lostJobs: 0, forgottenKeys: 0, forgottenEvents: 0, eventsBeyondTwo: 0 });
  expect(report.accepted).toBeGreaterThan(50);
}, 60_000);
