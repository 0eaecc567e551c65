import * as fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';

import { createRandom } from '../../../../src/common/random.ts';
import type { CheckOutcome } from '../../../../src/conformance/verdict/outcome.ts';
import type { Machine } from '../../../../src/conformance/model/machine.ts';
import { one } from '../../../../src/conformance/model/machine.ts';
import { judgeSequences } from '../../../../src/conformance/model/sequences.ts';
import type { Step } from '../../../../src/conformance/context/judgement.ts';
import { runChecks } from '../../../../src/conformance/run/runner.ts';
import type { Target } from '../../../../src/targets/target.ts';
import { targetOf } from '../../../support/odd-servers.ts';

interface Lift {
  floor: number;
}

let target: Target | undefined;

afterEach(() => target?.close());

/** A lift that breaks a clause on its way down from the third floor or above. */
function lift(onRide: () => void = () => undefined): Machine<Lift> {
  const mismatch = { expected: 'a gentle stop', actual: 'a bump', at: 'the lift' };
  return {
    moves: {
      up: {
        draw: fc.record({ floors: fc.integer({ min: 1, max: 3 }) }),
        play: (world, given) => {
          onRide();
          world.floor += one(given, 'floors');
          return Promise.resolve([['misc/ping', undefined]]);
        },
      },
      down: {
        draw: fc.constant({}),
        isPossible: ({ floor }) => floor > 0,
        play: (world) => {
          onRide();
          const isHigh = world.floor >= 3;
          world.floor--;
          return Promise.resolve([['misc/ping', isHigh ? mismatch : undefined]]);
        },
      },
    },
    opening: [{ move: 'up', with: { floors: 1 } }],
    begin: () => Promise.resolve({ floor: 0 }),
  };
}

async function ride(
  machine: Machine<Lift>,
  { seed = 1, steps, isVirtual = true }: { seed?: number; steps?: readonly Step[]; isVirtual?: boolean } = {},
): Promise<CheckOutcome> {
  const bare = await targetOf((_, response) => response.end('{}'));
  target = { ...bare, timekeeper: { ...bare.timekeeper, isVirtual } };
  const { outcomes } = await runChecks({
    target,
    checks: [
      {
        id: 'some/check',
        title: 'It stops gently',
        clauses: ['misc/ping'],
        needs: [],
        run: (context) => judgeSequences(context, machine, { sequences: 30, movesMost: 20, shrinkTries: 200 }),
      },
    ],
    random: createRandom(seed),
    runTag: 'tag',
    levelOf: () => 'must',
    order: 'one-by-one',
    ...(steps && { sequences: { 'some/check': steps } }),
  });
  const [outcome] = outcomes;
  if (!outcome) throw new Error('no outcome');
  return outcome;
}

it('finds a sequence that breaks a clause, and makes it as short as it gets', async () => {
  const outcome = await ride(lift());
  expect(outcome.verdict).toBe('fail');
  expect(outcome.sequence?.length).toBeLessThanOrEqual(4);
  expect(outcome.sequence?.at(-1)).toEqual({ move: 'down', with: {} });
  expect(outcome.message).toMatch(/^the lift, after (up\(floors \d\), )+down\(\): expected a gentle stop/);
});

it('finds the same sequence for the same seed', async () => {
  const first = await ride(lift(), { seed: 4 });
  expect((await ride(lift(), { seed: 4 })).sequence).toEqual(first.sequence);
});

it('plays a sequence again that it is given, and no others', async () => {
  const steps = [
    { move: 'up', with: { floors: 3 } },
    { move: 'down', with: {} },
  ];
  let rides = 0;
  const outcome = await ride(
    lift(() => rides++),
    { steps },
  );
  expect(outcome).toMatchObject({ verdict: 'fail', sequence: steps });
  expect(rides).toBe(2);
});

it('passes where the given sequence holds, with every clause judged', async () => {
  expect(await ride(lift(), { steps: [{ move: 'down', with: {} }] })).toMatchObject({ verdict: 'pass' });
});

it('says when a given sequence has an unknown move', async () => {
  const outcome = await ride(lift(), { steps: [{ move: 'sideways', with: {} }] });
  expect(outcome).toMatchObject({ verdict: 'untestable', message: 'there is no move sideways' });
});

it('asks little of a target on a real clock, failing or not', async () => {
  let rides = 0;
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    rides = 0;
    await ride(
      lift(() => rides++),
      { seed, isVirtual: false },
    );
    expect(rides).toBeLessThanOrEqual(1 + 12 * 9);
  }
});

it('blames the harness for a move that throws, and does not try shorter sequences', async () => {
  let rides = 0;
  const outcome = await ride(
    lift(() => {
      rides++;
      if (rides > 5) throw new TypeError('no such button');
    }),
  );
  expect(outcome).toMatchObject({ verdict: 'harness-error', message: 'no such button' });
  expect(rides).toBe(6);
});
