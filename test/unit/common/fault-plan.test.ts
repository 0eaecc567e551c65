import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { FaultPlan } from '../../../src/common/fault-plan.ts';
import { placeOf, type FaultRule } from '../../../src/common/fault-rule.ts';
import { createRandom } from '../../../src/common/random.ts';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';

const JAM = { at: 'printer/Laser', fault: 'media-jam' };

function planOf(...rules: FaultRule[]): { plan: FaultPlan; clock: VirtualClock } {
  const clock = new VirtualClock();
  const plan = new FaultPlan(clock, createRandom('faults'));
  for (const rule of rules) plan.add(rule);
  return { plan, clock };
}

/** Which of the next occasions at a place the fault happens at, from 1. */
function occasions(plan: FaultPlan, count: number, place = 'printer/Laser', fault = 'media-jam'): number[] {
  return Array.from({ length: count }, (_, index) => index + 1).filter(() => plan.fires(place, fault) !== undefined);
}

describe('a fault plan', () => {
  it('lets `after` occasions pass, and then makes the fault happen `times` times', () => {
    const { plan } = planOf({ ...JAM, after: 2, times: 3 });
    expect(occasions(plan, 10)).toEqual([3, 4, 5]);
  });

  it('goes on without limit unless the rule has one', () => {
    expect(occasions(planOf(JAM).plan, 4)).toEqual([1, 2, 3, 4]);
  });

  it('keeps to the place and to the fault', () => {
    const { plan } = planOf(JAM);
    expect(plan.fires('printer/Label', 'media-jam')).toBeUndefined();
    expect(plan.fires('printer/Laser', 'door-open')).toBeUndefined();
    expect(plan.fires('computer/Laser', 'media-jam')).toBeUndefined();
  });

  it('holds everywhere within its place, which it counts as one', () => {
    const { plan } = planOf({ at: 'link/DESK', fault: 'drop', after: 1, times: 1 });
    expect(plan.fires('link/DESK/to-service/hello', 'drop')).toBeUndefined();
    expect(plan.fires('link/DESK-2/to-service/hello', 'drop')).toBeUndefined();
    expect(plan.fires('link/DESK/to-computer/job', 'drop')).toBeDefined();
  });

  it('takes * for any name, and counts for each on its own', () => {
    const { plan } = planOf({ at: 'printer/*', fault: 'media-jam', times: 1 });
    expect(occasions(plan, 3, 'printer/Laser')).toEqual([1]);
    expect(occasions(plan, 3, 'printer/Label')).toEqual([1]);
    expect(plan.rules[0]?.fired).toBe(2);
  });

  it('knows a name with a slash in it', () => {
    const { plan } = planOf({ ...JAM, at: placeOf('printer', 'A/B') });
    expect(plan.fires(placeOf('printer', 'A/B'), 'media-jam')).toBeDefined();
    expect(plan.fires(placeOf('printer', 'A'), 'media-jam')).toBeUndefined();
  });

  it('goes on for a time on the clock, and that counts as once', async () => {
    const { plan, clock } = planOf({ ...JAM, after: 1, for: '20s' });
    expect(occasions(plan, 3)).toEqual([2, 3]);
    expect(plan.fires('printer/Laser', 'media-jam')?.untilMs).toBe(clock.now() + 20_000);
    await clock.advance('20s');
    expect(occasions(plan, 3)).toEqual([]);
  });

  it('begins again after its time if it has more times', async () => {
    const { plan, clock } = planOf({ ...JAM, for: '1s', times: 2 });
    const seconds: boolean[] = [];
    for (let second = 0; second < 4; second++) {
      seconds.push(plan.fires('printer/Laser', 'media-jam') !== undefined);
      await clock.advance('1s');
    }
    expect(seconds).toEqual([true, true, false, false]);
  });

  it('draws from the seed: about as often as it says, and the same again', () => {
    const rule = { ...JAM, probability: 0.3 };
    const first = occasions(planOf(rule).plan, 1_000);
    expect(first.length).toBeGreaterThan(240);
    expect(first.length).toBeLessThan(360);
    expect(occasions(planOf(rule).plan, 1_000)).toEqual(first);
  });

  it('hands over the settings of the rule that made it happen, the oldest first', () => {
    const { plan } = planOf({ ...JAM, times: 1, with: { sheets: 2 } }, { ...JAM, with: { sheets: 5 } });
    expect(plan.fires('printer/Laser', 'media-jam')?.with).toEqual({ sheets: 2 });
    expect(plan.fires('printer/Laser', 'media-jam')).toMatchObject({ rule: 'rule-2', with: { sheets: 5 } });
  });

  it('asks for several faults in order and takes the first that happens', () => {
    const { plan } = planOf({ ...JAM, fault: 'door-open' });
    expect(plan.firstOf('printer/Laser', ['media-jam', 'door-open'])?.fault).toBe('door-open');
    expect(plan.firstOf('printer/Laser', ['media-jam'])).toBeUndefined();
  });

  it('says what was decided at each occasion of a rule, also where nothing happened', () => {
    const { plan, clock } = planOf({ ...JAM, after: 1, times: 1 });
    occasions(plan, 3);
    plan.fires('printer/Label', 'media-jam');
    const about = { atMs: clock.now(), place: 'printer/Laser', fault: 'media-jam', rule: 'rule-1' };
    expect(plan.decisions).toEqual([
      { ...about, occasion: 1, fired: false },
      { ...about, occasion: 2, fired: true },
      { ...about, occasion: 3, fired: false },
    ]);
  });

  it('keeps what happened when more passes than it can keep', () => {
    const { plan } = planOf({ ...JAM, after: 20_000 });
    occasions(plan, 20_001);
    expect(plan.decisions).toHaveLength(10_001);
    expect(plan.log).toMatchObject([{ occasion: 20_001, fired: true }]);
  });

  it('takes and loses rules while it runs', () => {
    const { plan } = planOf();
    const id = plan.add(JAM);
    expect(plan.isEmpty).toBe(false);
    expect(occasions(plan, 1)).toEqual([1]);
    expect(plan.remove(id)).toBe(true);
    expect(plan.remove(id)).toBe(false);
    expect(occasions(plan, 1)).toEqual([]);
    plan.add(JAM);
    plan.clear();
    expect(plan.isEmpty).toBe(true);
    expect(plan.log).toHaveLength(1);
    plan.reset();
    expect(plan.log).toEqual([]);
    expect(plan.add(JAM)).toBe('rule-1');
  });

  it.each([
    ['no place', { fault: 'x', at: '' }, 'at:'],
    ['half an occasion', { ...JAM, after: 0.5 }, 'after:'],
    ['no times at all', { ...JAM, times: 0 }, 'times:'],
    ['more than certainty', { ...JAM, probability: 2 }, 'probability:'],
    ['no duration', { ...JAM, for: 'soon' }, 'for: is not a duration'],
  ])('refuses a rule with %s, naming it', (_, rule, message) => {
    expect(() => planOf(rule)).toThrow(`this is not a fault rule: ${message}`);
  });

  it('writes down what happened, the same bytes whatever order the places met in', () => {
    const rules = [
      { at: 'printer/*', fault: 'media-jam', probability: 0.5 },
      { at: 'link', fault: 'drop', after: 3, times: 2 },
    ];
    const asked = [
      ...Array.from({ length: 20 }, () => ['printer/A', 'media-jam'] as const),
      ...Array.from({ length: 20 }, () => ['printer/B', 'media-jam'] as const),
    ];
    const ask = (order: readonly (readonly [string, string])[]): string => {
      const { plan } = planOf(...rules);
      for (const [place, fault] of order) plan.fires(place, fault);
      return JSON.stringify(plan.decisions);
    };
    const expected = ask(asked);
    expect(expected).toMatch(/^\[\{"atMs":1767225600000,"place":"printer\/A","fault":"media-jam"/);
    fc.assert(
      fc.property(fc.shuffledSubarray(asked, { minLength: asked.length }), (order) => {
        expect(ask(order)).toBe(expected);
      }),
      { seed: 1, numRuns: 50 },
    );
  });
});
