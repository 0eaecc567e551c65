import { expect, it } from 'vitest';

import { repetitionOf, repetitionOfOne } from '../../../../src/dashboard/runs/repetition.ts';
import type { CheckRunRecord } from '../../../../src/record/check-record.ts';
import type { ScenarioView } from '../../../../src/record/control-types.ts';
import { madeUpExplore, madeUpLoad, madeUpRun, madeUpScenarios } from '../../../support/run-records.ts';

const CHECK = madeUpRun();
const OWN: CheckRunRecord = {
  ...CHECK,
  target: { ...CHECK.target, kind: 'embedded' },
  selection: { ...CHECK.selection, profile: 'smoke', grep: '^misc/' },
};
const ELSEWHERE: CheckRunRecord = {
  ...OWN,
  target: { ...OWN.target, kind: 'remote', baseUrl: 'http://service.example', link: 'websocket' },
};

it('repeats a check with its profile, pattern and seed, on a service of its own', () => {
  expect(repetitionOf(OWN, [])).toEqual({ kind: 'check', profile: 'smoke', grep: '^misc/', seed: OWN.seed });
});

it('repeats a check of a service elsewhere there, over the same link', () => {
  expect(repetitionOf(ELSEWHERE, [])).toMatchObject({ url: 'http://service.example', link: 'websocket' });
});

it('repeats one check of a run alone, whatever the run was narrowed to', () => {
  expect(repetitionOfOne('misc/ping', { record: OWN, isPlayable: true }, [])).toMatchObject({
    profile: 'full',
    grep: '^misc/ping$',
  });
});

it('repeats a load or scenario that is among those that ship, and no other', () => {
  const load = madeUpLoad();
  const shipped: ScenarioView = {
    path: 'load/rush.yaml',
    title: load.plan.title,
    why: '',
    kind: 'load',
    name: 'rush',
    group: 'load',
  };
  expect(repetitionOf(load, [shipped])).toMatchObject({ kind: 'run', scenario: 'load/rush.yaml' });
  expect(repetitionOf(load, [])).toBeUndefined();
  const played = madeUpScenarios();
  const [first] = played.scenarios;
  const known: ScenarioView = {
    path: 'edge-cases/a.yaml',
    title: first?.title ?? '',
    why: '',
    kind: 'run',
    name: 'a',
    group: 'edge-cases',
  };
  expect(repetitionOfOne(first?.id ?? '', { record: played, isPlayable: true }, [known])).toMatchObject({
    scenario: 'edge-cases/a.yaml',
  });
});

it('explores the same days again, and plays the day of one finding', () => {
  const explored = madeUpExplore();
  expect(repetitionOf(explored, [])).toEqual({ kind: 'explore', seed: 7, days: 25 });
  const elsewhere = { ...explored, target: { ...explored.target, kind: 'remote', baseUrl: 'http://it' } } as const;
  expect(repetitionOfOne('a/finding', { record: elsewhere, isPlayable: true }, [])).toEqual({
    kind: 'run',
    finding: { run: explored.runId, signature: 'a/finding' },
    url: 'http://it',
  });
});

it('offers no day of an exploration that the workbench does not play', () => {
  const explored = { record: madeUpExplore(), isPlayable: false };
  expect(repetitionOfOne('a/finding', explored, [])).toBeUndefined();
  expect(repetitionOfOne('misc/ping', { record: OWN, isPlayable: false }, [])).toBeDefined();
});
