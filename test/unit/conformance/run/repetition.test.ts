import { expect, it } from 'vitest';

import { createRandom } from '../../../../src/common/random.ts';
import type { CheckOutcome } from '../../../../src/conformance/verdict/outcome.ts';
import { CameTooLate, CheckEnded } from '../../../../src/conformance/context/check-ended.ts';
import type { Check } from '../../../../src/conformance/check.ts';
import { runChecks } from '../../../../src/conformance/run/runner.ts';
import { exitCodeOf } from '../../../../src/conformance/verdict/verdict.ts';
import { targetOf } from '../../../support/odd-servers.ts';

const CHECK: Check = {
  id: 'misc/ping',
  title: 'GET /ping answers 200',
  clauses: ['misc/ping'],
  needs: [],
  async run({ api, judge, uniqueText, note }) {
    note(uniqueText('name'));
    const { status } = await api.get('/ping');
    judge('misc/ping', status === 200 ? undefined : { expected: '200', actual: String(status), at: 'status' });
  },
};

/** The outcome on a service that answers the first `failures` requests with 500. */
async function outcomeAfter(failures: number, more: Partial<Check> = {}): Promise<CheckOutcome> {
  let requests = 0;
  const target = await targetOf((_, response) => {
    response.writeHead(requests++ < failures ? 500 : 200, { 'Request-Id': 'r' }).end('{}');
  });
  const { outcomes } = await runChecks({
    target,
    checks: [{ ...CHECK, ...more }],
    random: createRandom(1),
    runTag: 'tag',
    levelOf: () => 'must',
  });
  await target.close();
  const [outcome] = outcomes;
  if (!outcome) throw new Error('no outcome');
  return outcome;
}

it('calls a check flaky that failed and passes when it is repeated alone', async () => {
  const outcome = await outcomeAfter(1);
  expect(outcome.verdict).toBe('flaky');
  expect(outcome.message).toBe('passed when repeated alone; the first time: status: expected 200, got 500');
  expect(exitCodeOf([outcome.verdict])).toBe(2);
});

it('keeps the first failure of a check that fails again, and says so', async () => {
  const outcome = await outcomeAfter(9);
  expect(outcome).toMatchObject({ verdict: 'fail', message: 'status: expected 200, got 500' });
  expect(outcome.notes.at(-1)).toMatch(/^failed again when repeated alone/);
  expect(outcome.exchanges).toHaveLength(1);
});

it('does not repeat what passed, nor what judges the whole run', async () => {
  expect((await outcomeAfter(0)).notes).toHaveLength(1);
  expect((await outcomeAfter(1, { runsLast: true })).verdict).toBe('fail');
});

/** The outcomes of a check that is inconclusive at first, since something came too late or for another reason. */
async function outcomeAfterDelay(
  ends: readonly (Error | undefined)[],
  failures = 0,
): Promise<CheckOutcome & { runs: number }> {
  let runs = 0;
  const outcome = await outcomeAfter(failures, {
    async run(context) {
      const end = ends[runs++];
      if (end) throw end;
      await CHECK.run(context);
    },
  });
  return { ...outcome, runs };
}

const LATE = new CameTooLate('the answer came late');

it('repeats what came too late to tell, and takes the outcome of that', async () => {
  const outcome = await outcomeAfterDelay([LATE]);
  expect(outcome).toMatchObject({ verdict: 'pass', runs: 2 });
  expect(outcome.notes.at(-1)).toBe('inconclusive at first: the answer came late');
  expect(await outcomeAfterDelay([LATE, LATE])).toMatchObject({ verdict: 'inconclusive', runs: 2 });
});

it('tries a failure once more that was too late to tell at first', async () => {
  expect(await outcomeAfterDelay([LATE], 1)).toMatchObject({ verdict: 'flaky', runs: 3 });
  expect(await outcomeAfterDelay([LATE], 2)).toMatchObject({ verdict: 'fail', runs: 3 });
});

it('does not repeat what is inconclusive for another reason', async () => {
  const outcome = await outcomeAfterDelay([new CheckEnded('inconclusive', 'it takes a month')]);
  expect(outcome).toMatchObject({ verdict: 'inconclusive', runs: 1 });
});

it('words names and idempotency keys anew each time that it tries a check', async () => {
  const names: string[] = [];
  const run: Check['run'] = async (context) => {
    names.push(context.uniqueText('key'));
    if (names.length === 1) throw LATE;
    await CHECK.run(context);
  };
  await outcomeAfter(9, { run });
  expect(names).toHaveLength(3);
  expect(new Set(names).size).toBe(3);
});
