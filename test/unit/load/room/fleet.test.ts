import { describe, expect, it } from 'vitest';

import { systemClock, type Clock } from '../../../../src/common/clock.ts';
import { createRandom } from '../../../../src/common/random.ts';
import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { planLoad, WHOLE, type Shard } from '../../../../src/load/plan/load-plan.ts';
import { vanDerCorput } from '../../../../src/load/plan/draws.ts';
import type { Act } from '../../../../src/load/room/behaviour-player.ts';
import { ChaosPlayer } from '../../../../src/load/room/chaos.ts';
import { Fleet, type FleetOptions } from '../../../../src/load/room/fleet.ts';
import { fleetComputers } from '../../../../src/load/room/load-room.ts';
import { checkOpenFiles, openFileLimit } from '../../../../src/load/plan/open-files.ts';
import { sourceAddresses } from '../../../../src/load/plan/source-addresses.ts';
import { LinkError, type DeviceLink } from '../../../../src/link/device-link.ts';
import { Ledger } from '../../../../src/oracle/ledger.ts';
import { InMemoryLink } from '../../../support/in-memory-link.ts';
import { loadScenario } from '../../../support/load-scenario.ts';

const plan = planLoad(
  loadScenario({
    accounts: 3,
    computers: [
      {
        template: {
          name: 'Shop',
          printers: [{ profile: 'label-zebra-zpl' }],
          scales: [{ profile: 'dymo-m10' }],
        },
        count: 30,
        behaviour: 'warehouse',
      },
    ],
  }),
);
const SHARDS: readonly Shard[] = [1, 2, 3].map((index) => ({ index, count: 3 }));

function fleetOf(shard: Shard, clock: Clock, more: Partial<FleetOptions> = {}): Fleet {
  return new Fleet([...fleetComputers(plan, shard)], {
    clock,
    random: createRandom(1),
    link: new InMemoryLink(),
    serviceUrl: 'http://127.0.0.1:1',
    credentialOf: (account) => ({ kind: 'api-key', key: `key-${account}` }),
    sources: [],
    ...more,
  });
}

/** Everything that behaviours do in two minutes. */
async function actsOf(shard: Shard): Promise<string[]> {
  const acts: string[] = [];
  const clock = new VirtualClock();
  const onAct = ({ computer, what, time }: Act): void =>
    void acts.push(`${computer} ${what} ${time} at ${clock.now()}`);
  const fleet = fleetOf(shard, clock, { onAct });
  fleet.live();
  await clock.advance('2m');
  await fleet.close();
  return acts;
}

/** The computers that a power cut hits, by global index. */
function hitIn(shard: Shard): number[] {
  const clock = new VirtualClock();
  const fleet = fleetOf(shard, clock);
  const chaos = new ChaosPlayer({
    clock,
    drawSeed: 5,
    fleet,
    ledger: new Ledger(),
    webhooks: undefined,
    service: undefined,
    sinceStartUs: () => 0,
  });
  const hit = chaos.hits({ what: 'power-cut', atMs: 0, share: 0.4, forMs: 0, withinMs: 9 }, 1);
  const members = new Map([...fleet.members()].map(([{ index }, computer]) => [computer, index]));
  return hit.map(({ computer }) => members.get(computer) ?? -1);
}

describe('a fleet', () => {
  it.each(['unauthorized', 'no-common-version', 'no-link'] as const)(
    'gives up at once when no computer can ever connect: %s',
    async (reason) => {
      const link = new InMemoryLink();
      link.refusal = { reason, message: 'refused for good' };
      const fleet = fleetOf({ index: 1, count: 1 }, systemClock, { link });
      const ramp = { ratePerSecond: 1_000, ofAll: 30, limitMs: 60_000, signal: new AbortController().signal };
      await expect(fleet.connect(ramp)).rejects.toMatchObject({
        message: 'refused for good',
        nextStep: expect.stringMatching(/--key|--link|version/) as string,
      });
      await fleet.close();
    },
  );

  it('is left alone by computers whose first try fails once it is closed', async () => {
    const clock = new VirtualClock();
    const answer = Promise.withResolvers<never>();
    let tries = 0;
    const link: DeviceLink = { open: () => (tries++, answer.promise) };
    const fleet = fleetOf(WHOLE, clock, { link });
    const stop = new AbortController();
    const connecting = fleet.connect({ ratePerSecond: 1_000, ofAll: 30, limitMs: 60_000, signal: stop.signal });
    connecting.catch(() => undefined);
    await clock.advance('1s');
    stop.abort();
    await fleet.close();
    const triesBefore = tries;
    answer.reject(new LinkError({ reason: 'unreachable', message: 'nobody is there' }));
    await clock.advance('1h');
    expect([triesBefore > 0, tries]).toEqual([true, triesBefore]);
  });

  it('has the computers of its own accounts, and together with the others all of them', () => {
    const indices = SHARDS.map((shard) => [...fleetComputers(plan, shard)].map(({ index }) => index));
    expect(indices[1]?.slice(0, 3)).toEqual([1, 4, 7]);
    expect(indices.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });

  it('does the same to its devices in any number of shards', async () => {
    const whole = await actsOf(WHOLE);
    const parts = (await Promise.all(SHARDS.map(actsOf))).flat();
    expect(whole.length).toBeGreaterThan(200);
    expect(parts.toSorted()).toEqual(whole.toSorted());
  });

  it('is hit by chaos events at the same computers in any number of shards', () => {
    const whole = hitIn(WHOLE);
    expect(whole.length).toBeGreaterThan(6);
    expect(whole.length).toBeLessThan(18);
    expect(SHARDS.flatMap(hitIn).toSorted((a, b) => a - b)).toEqual(whole.toSorted((a, b) => a - b));
  });
});

describe('source addresses', () => {
  it('are those of loopback, one for each thousand of many computers', () => {
    expect(sourceAddresses(5_001, 'http://127.0.0.1:1')).toEqual([
      '127.0.0.1',
      '127.0.0.2',
      '127.0.0.3',
      '127.0.0.4',
      '127.0.0.5',
      '127.0.0.6',
    ]);
    expect(new Set(sourceAddresses(100_000, 'http://127.0.0.1:1')).size).toBe(100);
  });

  it('are chosen by the system where one is enough', () => {
    expect(sourceAddresses(5_000, 'https://print.example')).toEqual([]);
    expect(sourceAddresses(5_000, 'http://127.0.0.1:1')).toEqual([]);
  });

  it('must be named when one address is not enough', () => {
    expect(() => sourceAddresses(10_000, 'https://print.example')).toThrow('need 2 source addresses');
    expect(sourceAddresses(10_000, 'https://print.example', ['10.0.0.1', '10.0.0.2'])).toHaveLength(2);
  });
});

it('says how many open files a load needs before it runs out of them', () => {
  expect(openFileLimit()).toBeGreaterThan(100);
  expect(() => checkOpenFiles(10_000, 1_024)).toThrow('10000 connections need 10100 open files');
  expect(() => checkOpenFiles(10, 1_024)).not.toThrow();
});

it('spreads the first computers of a fleet evenly, however many they are', () => {
  expect([0, 1, 2, 3, 4, 5].map(vanDerCorput)).toEqual([0, 0.5, 0.25, 0.75, 0.125, 0.625]);
});
