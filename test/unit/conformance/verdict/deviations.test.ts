/** Deviations that several checks met are told once, and count only where no check of their clauses failed. */

import { describe, expect, it } from 'vitest';

import { deviationsOf, unsaidVerdicts } from '../../../../src/conformance/verdict/deviations.ts';
import type { Verdict } from '../../../../src/record/words.ts';
import type { Level } from '../../../../src/specification/clause.ts';
import type { Deviation } from '../../../../src/stage/deviation.ts';

type Outcome = Parameters<typeof deviationsOf>[0][number];

const deviation = (id: string): Deviation => ({
  id,
  clauses: ['print-jobs/created-201'],
  at: `status of ${id}`,
  expected: '201',
  actual: '200',
});

/** A check, and the exchanges in which it met deviations. */
function outcome(id: string, met: Readonly<Record<string, number>>): Outcome {
  const all = Object.entries(met).map(([name, exchange]) => ({
    deviation: deviation(name),
    here: deviation(name),
    exchange,
  }));
  return { check: { id }, met: all } as unknown as Outcome;
}

describe('deviations of a run', () => {
  it('are told once, with the first exchange that shows them and all checks that met them', () => {
    expect(deviationsOf([outcome('one', { status: 3 }), outcome('two', {}), outcome('three', { status: 9 })])).toEqual([
      { deviation: deviation('status'), exchange: 3, checks: ['one', 'three'], likewise: [] },
    ]);
  });

  it('begin with what most checks met, and keep their order where as many did', () => {
    const all = deviationsOf([outcome('one', { rare: 1, common: 2, odd: 3 }), outcome('two', { common: 4 })]);
    expect(all.map(({ deviation: { id } }) => id)).toEqual(['common', 'rare', 'odd']);
  });

  it('name each place that another clause prints, once', () => {
    const throughout = deviation('all lists');
    const places = ['printers/list', 'print-jobs/created-201', 'webhooks/list', 'printers/list'] as const;
    const met = places.map((clause) => ({
      deviation: throughout,
      here: { at: clause, clauses: [clause] },
      exchange: 1,
    }));
    const [one, ...others] = deviationsOf([{ check: { id: 'one' }, met } as unknown as Outcome]);
    expect(one?.likewise.map(({ at }) => at)).toEqual(['printers/list', 'webhooks/list']);
    expect(one?.checks).toEqual(['one']);
    expect(others).toEqual([]);
  });

  it('are none where no check met any', () => {
    expect(deviationsOf([outcome('one', {})])).toEqual([]);
  });
});

const LEVELS: Readonly<Record<string, Level>> = {
  'a/must': 'must',
  'a/should': 'should',
  'an/observed': 'observed',
  'a/gap': 'gap',
};
const levelOf = (clause: string): Level => LEVELS[clause] ?? 'gap';
const broken = (clause: string) => ({ judgements: [{ clause, mismatch: {} }] });
const kept = (clause: string) => ({ judgements: [{ clause }] });

describe('a deviation that no check says', () => {
  it.each<[string, Verdict]>([
    ['a/must', 'fail'],
    ['a/should', 'warn'],
    ['an/observed', 'warn'],
    ['a/gap', 'observed'],
  ])('from %s is a %s', (clause, verdict) => {
    expect(unsaidVerdicts([{ clauses: [clause] }], [kept(clause)], levelOf)).toEqual([verdict]);
  });

  it('counts by the clause that says it best', () => {
    expect(unsaidVerdicts([{ clauses: ['a/should', 'a/must'] }], [], levelOf)).toEqual(['warn']);
  });

  it('counts although another clause is broken', () => {
    expect(unsaidVerdicts([{ clauses: ['a/must'] }], [broken('a/should')], levelOf)).toEqual(['fail']);
  });

  it('is nothing without a clause', () => {
    expect(unsaidVerdicts([{ clauses: [] }], [], levelOf)).toEqual([]);
  });
});

it.each(['a/must', 'a/should'])('counts no deviation again that a check says by breaking %s', (clause) => {
  const judged = [kept('a/gap'), broken(clause)];
  expect(unsaidVerdicts([{ clauses: ['a/must', 'a/should'] }], judged, levelOf)).toEqual([]);
});
