import { expect, it } from 'vitest';

import { sleep, systemClock } from '../../../../src/common/clock.ts';
import { realTimekeeper } from '../../../../src/common/timekeeper.ts';
import type { Check } from '../../../../src/conformance/check.ts';
import { atOnce } from '../../../../src/conformance/context/pacing.ts';
import type { Lane, Lanes } from '../../../../src/conformance/run/lanes.ts';
import { runConcurrently } from '../../../../src/conformance/run/concurrent-run.ts';
import type { Target } from '../../../../src/targets/target.ts';
import type { HttpSender } from '../../../../src/wire/http-exchange.ts';

function targetWith(apiKey: string): Target {
  return {
    name: 'nothing',
    kind: 'remote',
    baseUrl: 'http://127.0.0.1:9',
    apiKey,
    clock: systemClock,
    timekeeper: realTimekeeper,
    close: () => Promise.resolve(),
  };
}

const NO_SENDER: HttpSender = {
  send: () => Promise.reject(new Error('nothing is sent here')),
  close: () => Promise.resolve(),
};

function laneWith(apiKey: string): Lane {
  return {
    target: targetWith(apiKey),
    integrator: { ...targetWith('integrator'), isIntegrator: true },
    turns: atOnce(NO_SENDER),
    sender: NO_SENDER,
  };
}

function lanesOf({ shared = 1, accounts = 0, quiet = 0 } = {}): Lanes {
  const [first = 'lane-1', ...others] = Array.from({ length: shared }, (_, index) => `lane-${index + 1}`);
  return {
    shared: [laneWith(first), ...others.map(laneWith)],
    accounts: Array.from({ length: accounts }, (_, index) => targetWith(`account-${index + 1}`)),
    quiet: Array.from({ length: quiet }, (_, index) => laneWith(`quiet-${index + 1}`)),
    keys: [],
    lack: undefined,
    close: () => Promise.resolve([]),
  };
}

function checkOf(id: string, more: Partial<Check> = {}): Check {
  return { id, title: id, clauses: [], needs: [], run: () => Promise.resolve(), ...more };
}

/** Begins and ends in the order in which they happened, `+a -a`. */
async function orderOf(
  checks: readonly Check[],
  lanes: Lanes,
  work: (check: Check, lane: Lane) => Promise<void> = () => sleep(systemClock, 5),
): Promise<readonly string[]> {
  const order: string[] = [];
  await runConcurrently({
    checks,
    lanes,
    spanOf: (clause) => (clause === 'computers/field-jre' ? 'seconds' : 'instant'),
    run: async (check, lane) => {
      order.push(`+${check.id}@${lane.target.apiKey}`);
      await work(check, lane);
      order.push(`-${check.id}`);
    },
  });
  return order;
}

it('lets others work while a check waits', async () => {
  const startedMs = systemClock.now();
  await orderOf(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => checkOf(id)),
    lanesOf(),
    (_, { target }) => target.timekeeper.elapse(600),
  );
  expect(systemClock.now() - startedMs).toBeLessThan(1_800);
});

it('has no more than two checks of a lane send at the same time', async () => {
  let sending = 0;
  let most = 0;
  await orderOf(
    Array.from({ length: 7 }, (_, index) => checkOf(`${index}`)),
    lanesOf(),
    async () => {
      most = Math.max(most, ++sending);
      await sleep(systemClock, 2);
      sending--;
    },
  );
  expect(most).toBe(2);
});

it('begins with checks that wait', async () => {
  const slow = checkOf('slow', { clauses: ['computers/field-jre'] });
  const order = await orderOf([checkOf('a'), checkOf('b'), slow], lanesOf());
  expect(order[0]).toBe('+slow@lane-1');
});

it('leaves the account to a check that locks it, where there is only one account', async () => {
  const alone = checkOf('alone', { locks: ['account'] });
  const order = await orderOf([checkOf('a'), alone, checkOf('b')], lanesOf());
  expect(order.indexOf('-alone')).toBe(order.indexOf('+alone@lane-1') + 1);
});

it('gives a check that locks its account another one where there is one, and lets no other check share it', async () => {
  const checks = ['a', 'b', 'c'].map((id) => checkOf(id, { locks: ['account'] }));
  const order = await orderOf(checks, lanesOf({ accounts: 1 }));
  expect(order).toEqual(['+a@account-1', '-a', '+b@account-1', '-b', '+c@account-1', '-c']);
});

it('has the Integrator Account shared by checks in any lane', async () => {
  const checks = ['a', 'b', 'c', 'd'].map((id) => checkOf(id, { needs: ['integrator'] }));
  const order = await orderOf(checks, lanesOf({ shared: 2 }));
  expect(order.slice(0, 4)).toEqual(['+a@lane-1', '+b@lane-1', '+c@lane-2', '+d@lane-2']);
});

it('begins, where there are several lanes, with what has the Integrator Account to itself, one by one', async () => {
  const common = ['a', 'b'].map((id) => checkOf(id, { needs: ['integrator'] }));
  const alone = ['c', 'd'].map((id) => checkOf(id, { needs: ['integrator'], locks: ['account'] }));
  const order = await orderOf([...common, ...alone], lanesOf({ shared: 2 }));
  expect(order.slice(0, 4)).toEqual(['+c@lane-1', '-c', '+d@lane-1', '-d']);
});

it('gives the check of the request rate its own address, or everything to itself', async () => {
  const rate = checkOf('rate', { locks: ['request-rate'] });
  const withQuiet = await orderOf([checkOf('a'), rate], lanesOf({ quiet: 1 }));
  expect(withQuiet).toContain('+rate@quiet-1');
  const without = await orderOf([checkOf('a'), rate, checkOf('b')], lanesOf({ shared: 2 }));
  expect(without.indexOf('-rate')).toBe(without.indexOf('+rate@lane-1') + 1);
});

it('runs a check of the request rate in each quiet lane at the same time', async () => {
  const checks = ['a', 'b', 'c'].map((id) => checkOf(id, { locks: ['request-rate'] }));
  const order = await orderOf(checks, lanesOf({ shared: 2, quiet: 2 }));
  expect(order.slice(0, 2)).toEqual(['+a@quiet-1', '+b@quiet-2']);
  expect(order.indexOf('+c@quiet-1')).toBeGreaterThan(order.indexOf('-a'));
});

it('begins with what wants the Integrator and the second account, before others hold the one or the other', async () => {
  const alone = checkOf('alone', { needs: ['integrator'], locks: ['account'] });
  const both = checkOf('both', { needs: ['integrator', 'second-account'], locks: ['account', 'second-account'] });
  const order = await orderOf([checkOf('a', { needs: ['second-account'] }), alone, both], lanesOf({ shared: 2 }));
  expect(order[0]).toBe('+both@lane-1');
});

it('lets few checks at a time share the Integrator Account, whatever lanes they are in', async () => {
  const checks = Array.from({ length: 12 }, (_, index) => checkOf(`check-${index}`, { needs: ['integrator'] }));
  const order = await orderOf(checks, lanesOf({ shared: 6 }));
  expect(order.findIndex((line) => line.startsWith('-'))).toBe(4);
  expect(order).toHaveLength(24);
});

it('makes room in the Integrator Account while a check waits there', async () => {
  const checks = Array.from({ length: 6 }, (_, index) => checkOf(`check-${index}`, { needs: ['integrator'] }));
  const order = await orderOf(checks, lanesOf({ shared: 6 }), (_, { integrator }) =>
    Promise.resolve(integrator?.timekeeper.elapse(600)),
  );
  expect(order.findIndex((line) => line.startsWith('-'))).toBe(6);
});

it('begins, of what has a part of the Integrator Account, with what wants several parts', async () => {
  const needs = ['integrator'] as const;
  const one = checkOf('one', { needs, locks: ['account/computers'], clauses: ['computers/field-jre'] });
  const both = checkOf('both', { needs, locks: ['account/computers', 'account/webhooks'] });
  const order = await orderOf([checkOf('a', { needs }), one, both], lanesOf({ shared: 2 }));
  expect(order[0]).toBe('+both@lane-1');
});

it('has computers of the Integrator beside checks that have none there', async () => {
  const needs = ['integrator'] as const;
  const holder = checkOf('holder', { needs, locks: ['account/computers'] });
  const other = checkOf('other', { needs, locks: ['account/computers'] });
  const order = await orderOf([holder, checkOf('child', { needs }), other], lanesOf({ shared: 2 }));
  expect(order.slice(0, 2).toSorted()).toEqual([
    expect.stringMatching(/^\+child@/),
    expect.stringMatching(/^\+holder@/),
  ]);
  expect(order.findIndex((line) => line.startsWith('+other@'))).toBeGreaterThan(order.indexOf('-holder'));
});

it('leaves the whole account to a check that has computers there, where others have some without saying so', async () => {
  const holder = checkOf('holder', { locks: ['account/computers'] });
  const order = await orderOf([checkOf('a'), holder, checkOf('b')], lanesOf());
  expect(order.indexOf('-holder')).toBe(order.indexOf('+holder@lane-1') + 1);
});

it('leaves the account to a check that listens there, but not that of an Integrator whose Child is listened to', async () => {
  const listening = checkOf('listening', { needs: ['webhook-receiver'] });
  const order = await orderOf([checkOf('a'), listening, checkOf('b')], lanesOf());
  expect(order.indexOf('-listening')).toBe(order.indexOf('+listening@lane-1') + 1);
  const ofChild = checkOf('of-child', { needs: ['child-account', 'webhook-receiver'] });
  const beside = await orderOf([checkOf('a', { needs: ['integrator'] }), ofChild], lanesOf({ shared: 2 }));
  expect(beside.slice(0, 2)).toEqual(['+a@lane-1', '+of-child@lane-1']);
});

it('keeps a check of the request rate of Child Accounts apart from one that has their Integrator to itself', async () => {
  const rate = checkOf('rate', { needs: ['child-account'], locks: ['request-rate'] });
  const alone = checkOf('alone', { needs: ['integrator'], locks: ['account'] });
  const order = await orderOf([rate, alone], lanesOf({ shared: 2, quiet: 1 }));
  expect(order).toEqual(['+alone@lane-1', '-alone', '+rate@quiet-1', '-rate']);
});

it('begins what runs last when everything else has ended', async () => {
  const order = await orderOf([checkOf('end', { runsLast: true }), checkOf('a'), checkOf('b')], lanesOf({ shared: 2 }));
  expect(order.slice(-2)).toEqual([expect.stringMatching(/^\+end@/), '-end']);
});

it('gives results in the order of the checks, whatever ended first', async () => {
  const checks = ['a', 'b', 'c'].map((id) => checkOf(id));
  const results = await runConcurrently({
    checks,
    lanes: lanesOf({ shared: 2 }),
    spanOf: () => 'instant',
    run: async (check) => {
      await sleep(systemClock, check.id === 'a' ? 20 : 1);
      return check.id;
    },
  });
  expect(results).toEqual(['a', 'b', 'c']);
});

it('shares an account between checks that hold different parts of it, and keeps apart those that hold the same', async () => {
  const order = await orderOf(
    [
      checkOf('a', { locks: ['account/webhooks'] }),
      checkOf('b', { locks: ['account/webhooks'] }),
      checkOf('c', { locks: ['account/downloads'] }),
    ],
    lanesOf(),
  );
  expect(order.slice(0, 2)).toEqual(['+a@lane-1', '+c@lane-1']);
  expect(order.indexOf('+b@lane-1')).toBeGreaterThan(order.indexOf('-a'));
});

const withSecond = (target: Target): Target => ({ ...target, secondApiKey: 'second' });

it('keeps checks of different lanes apart where both hold the same of the second account', async () => {
  const needs = ['second-account'] as const;
  const locks = ['account', 'second-account/webhooks'] as const;
  const lanes = lanesOf({ accounts: 2 });
  const order = await orderOf(
    [
      checkOf('a', { needs, locks }),
      checkOf('b', { needs, locks }),
      checkOf('alone', { needs, locks: ['second-account'] }),
    ],
    {
      ...lanes,
      shared: [{ ...lanes.shared[0], target: withSecond(lanes.shared[0].target) }],
      accounts: lanes.accounts.map(withSecond),
    },
  );
  expect(order.map((line) => line.replace(/@.*/, ''))).toEqual(['+a', '-a', '+b', '-b', '+alone', '-alone']);
});

it('knows the account of a check of Integrators by the key that it works with', async () => {
  const checks = [
    checkOf('own', { locks: ['account'] }),
    checkOf('parent', { needs: ['integrator'], locks: ['account'] }),
  ];
  const order = await orderOf(checks, lanesOf());
  expect(order.slice(0, 2).map((line) => line[0])).toEqual(['+', '+']);
});

it('ends with the error of a check that could not be run to its end', async () => {
  const broken = orderOf([checkOf('a/a')], lanesOf(), () => Promise.reject(new Error('broke')));
  await expect(broken).rejects.toThrow('broke');
});
