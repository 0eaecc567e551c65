import { isDeepStrictEqual } from 'node:util';

import { describe, expect, it } from 'vitest';

import { FaultPlan } from '../../../../src/common/fault-plan.ts';
import type { FaultRule } from '../../../../src/common/fault-rule.ts';
import { createRandom } from '../../../../src/common/random.ts';
import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { Room } from '../../../../src/devices/room.ts';
import { SCALE_FAULTS } from '../../../../src/devices/scale/scale-faults.ts';
import type { VirtualScale } from '../../../../src/devices/scale/scale.ts';
import { InMemoryLink } from '../../../support/in-memory-link.ts';

const GRAM = 1_000_000;
/** What the client program does not notice: it reads no further than a report goes, and is not in a hurry. */
const ON_THE_BUS_ALONE = ['long-report', 'slow-enumeration'];
/** Reports of one weighing: four while the platform moves, one at rest. */
const REPORTS_OF_A_WEIGHING = 5;

/** Two scales of one name at one computer, called `left` and `right`; they weigh grams in steps of one. */
class Shop {
  readonly clock = new VirtualClock();
  readonly link = new InMemoryLink();
  readonly plan: FaultPlan;
  readonly room: Room;

  constructor(...rules: readonly FaultRule[]) {
    this.plan = new FaultPlan(this.clock, createRandom('faults'));
    for (const rule of rules) this.plan.add(rule);
    const scale = { profile: 'service-test-scale', name: 'Workbench' };
    const scales = [
      { ...scale, as: 'left' },
      { ...scale, as: 'right' },
    ];
    this.room = new Room(
      { computers: [{ name: 'SHOP', printers: [], scales }] },
      {
        clock: this.clock,
        random: createRandom(1),
        link: this.link,
        serviceUrl: 'http://127.0.0.1:8631',
        credential: { kind: 'api-key', key: 'k' },
        faults: this.plan,
      },
    );
  }

  get left(): VirtualScale {
    return this.scale(0);
  }

  scale(index: number): VirtualScale {
    const scale = this.room.scales[index];
    if (!scale) throw new Error('the room has no such scale');
    return scale;
  }

  /** Puts it on a scale, and waits until it is at rest. */
  async weigh(grams: number, scale = this.left): Promise<void> {
    scale.load(grams * GRAM);
    await this.clock.advance('600ms');
  }

  /** Milligrams reported by a scale since it was connected, oldest first; null where it had no reading. */
  reported(key = 'scale-1'): (number | null)[] {
    const ofScale = this.link.readings.filter(({ scaleKey }) => scaleKey === key);
    return ofScale.map(({ mass: [micrograms] }) => (micrograms === null ? null : micrograms / 1_000));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.room.close();
  }
}

async function shopWith(...rules: readonly FaultRule[]): Promise<Shop> {
  const shop = new Shop(...rules);
  await shop.room.connect();
  return shop;
}

/** A rule for the left scale that leaves its first weighing alone. */
function afterOneWeighing(fault: string, more: Partial<FaultRule> = {}): FaultRule {
  return { at: 'scale/left', fault, after: REPORTS_OF_A_WEIGHING, ...more };
}

describe('a scale with a fault', () => {
  it('that is stuck goes on telling the weight it had', async () => {
    await using shop = await shopWith(afterOneWeighing('stuck'));
    await shop.weigh(200);
    await shop.weigh(500);
    await shop.weigh(900);
    expect(shop.reported().slice(-2)).toEqual([200_000, 200_000]);
  });

  it.each(['over-capacity', 'negative'])('that says %s reports no mass', async (fault) => {
    await using shop = await shopWith(afterOneWeighing(fault, { times: 5 }));
    await shop.weigh(200);
    await shop.weigh(500);
    expect(shop.reported().at(-1)).toBeNull();
    await shop.weigh(300);
    expect(shop.reported().at(-1)).toBe(300_000);
  });

  it('that drifts reports a division more with each report, until its zero key is pressed', async () => {
    await using shop = await shopWith(afterOneWeighing('drift', { times: 3, with: { divisions: 2 } }));
    await shop.weigh(200);
    await shop.clock.advance('5s');
    expect(shop.reported().slice(-6)).toEqual([200_000, 202_000, 204_000, 206_000, 206_000, 206_000]);
    shop.left.load(0);
    await shop.clock.advance('1s');
    shop.left.press('zero');
    await shop.weigh(200);
    expect(shop.reported().at(-1)).toBe(200_000);
  });

  it.each([
    ['the other system unless the rule says', {}, { oz: 200_000_000_000 }],
    ['the one of the rule', { with: { unit: 'kg' } }, { kg: 200_000_000_000 }],
    ['the other system where the rule says nonsense', { with: { unit: 'furlong' } }, { oz: 200_000_000_000 }],
  ])('that mixes up its unit takes %s', async (_, more, measurement) => {
    await using shop = await shopWith({ at: 'scale/left', fault: 'wrong-unit', ...more });
    await shop.weigh(200);
    expect(shop.link.readings.at(-1)).toMatchObject({ scaleKey: 'scale-1', measurement });
  });

  it('that sends garbage is not heard of while it does', async () => {
    await using shop = await shopWith(afterOneWeighing('garbage-report', { times: 5 }));
    await shop.weigh(200);
    const heard = shop.reported().length;
    await shop.weigh(500);
    expect(shop.reported()).toHaveLength(heard);
    await shop.clock.advance('1s');
    expect(shop.reported().at(-1)).toBe(500_000);
  });

  it('that loses its plug leaves the list in the middle of a weighing, and comes back with its load for nothing', async () => {
    await using shop = await shopWith({ at: 'scale/left', fault: 'unplug', after: 2, for: '10s' });
    await shop.weigh(500);
    expect(shop.reported()).toHaveLength(3);
    expect(shop.link.scaleReports.at(-1)).toHaveLength(1);
    expect(shop.left.attached).toBe(false);
    await shop.clock.advance('10s');
    expect(shop.link.scaleReports.at(-1)).toHaveLength(2);
    expect(shop.reported().at(-1)).toBe(0);
  });

  it('that loses its plug for good stays away until it is plugged in', async () => {
    await using shop = await shopWith({ at: 'scale/left', fault: 'unplug', times: 1 });
    await shop.weigh(500);
    await shop.clock.advance('14d');
    expect(shop.left.attached).toBe(false);
    shop.left.plug();
    await shop.weigh(700);
    expect(shop.reported().at(-1)).toBe(200_000);
  });

  it('whose plug is loose comes and goes without end, and time goes on', async () => {
    await using shop = await shopWith({ at: 'scale/left', fault: 'unplug', with: { duration: '0s' } });
    await shop.weigh(500);
    await shop.clock.advance('1m');
    expect(shop.link.scaleReports.length).toBeGreaterThan(100);
  });

  it('with a stale first report sends the last weight of before when it is plugged in', async () => {
    await using shop = await shopWith({ at: 'scale/left', fault: 'stale-first-report', after: 1 });
    for (const grams of [500, 800]) {
      await shop.weigh(grams);
      shop.left.unplug();
      shop.left.load(0);
      shop.left.plug();
      await shop.clock.advance('1s');
    }
    expect(shop.reported().slice(-2)).toEqual([800_000, 0]);
    expect(shop.reported().filter((mass) => mass === 500_000)).toHaveLength(1);
  });

  it.each(Object.keys(SCALE_FAULTS))('%s leaves the scale beside it as it is', async (fault) => {
    await using sound = await shopWith();
    await using shop = await shopWith({ at: 'scale/left', fault });
    for (const each of [sound, shop]) {
      for (const index of [0, 1]) await each.weigh(400, each.scale(index));
      for (const index of [0, 1]) {
        each.scale(index).unplug();
        each.scale(index).plug();
      }
      await each.weigh(600, each.scale(1));
    }
    expect(shop.reported('scale-2')).toEqual(sound.reported('scale-2'));
    const isNoticed = !ON_THE_BUS_ALONE.includes(fault);
    expect(isDeepStrictEqual(shop.reported('scale-1'), sound.reported('scale-1'))).toBe(!isNoticed);
    expect(shop.plan.log.every(({ place }) => place === 'scale/left')).toBe(true);
  });
});
