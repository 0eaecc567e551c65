/** Submitting jobs that expire soon, to services that take no short expireAfter. */

import { expect, it } from 'vitest';

import { realTimekeeper } from '../../../../src/common/timekeeper.ts';
import { CheckEnded } from '../../../../src/conformance/context/check-ended.ts';
import type { CheckContext } from '../../../../src/conformance/context/context.ts';
import { submitExpiring } from '../../../../src/conformance/context/jobs.ts';

/** What is submitted to a service with this least expireAfter, and how often it was asked for it. */
async function submitted(seconds: number, least: number, waitsMs?: number): Promise<readonly [unknown, number]> {
  let asked = 0;
  const speak = (): Promise<number> => Promise.resolve(++asked && least);
  const context = { speak, target: { timekeeper: realTimekeeper, waitsMs } } as unknown as CheckContext;
  const outcome = await submitExpiring(context, seconds, (expireAfter) =>
    expireAfter < least ? Promise.reject(new CheckEnded('blocked', 'refused')) : Promise.resolve(expireAfter),
  ).catch((error: unknown) => (error instanceof CheckEnded ? `${error.verdict}: ${error.message}` : error));
  return [outcome, asked];
}

const TOO_LONG = 'takes longer than a run can wait: the least expireAfter of the target is 3600 s';

it.each([
  ['does not ask where it is taken', submitted(2, 1), [2, 0]],
  ['takes the least where less is refused', submitted(2, 10), [10, 1]],
  ['does not wait longer than the target allows', submitted(2, 3_600, 60_000), [`too-long: ${TOO_LONG}`, 1]],
  ['does not wait for an hour where nothing allows it', submitted(2, 3_600), [`inconclusive: ${TOO_LONG}`, 1]],
  ['waits for an hour where the target allows it', submitted(2, 3_600, 7_200_000), [3_600, 1]],
])('%s', async (_, outcome, wanted) => {
  expect(await outcome).toEqual(wanted);
});

it('leaves a refusal as it is that has another reason', async () => {
  const refusal = new CheckEnded('blocked', 'the printer is unknown');
  const context = {
    speak: () => Promise.resolve(1),
    target: { timekeeper: realTimekeeper },
  } as unknown as CheckContext;
  await expect(submitExpiring(context, 2, () => Promise.reject(refusal))).rejects.toBe(refusal);
});
