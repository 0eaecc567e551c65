/**
 * The scenarios that ship accuse no service of what the specification leaves open: on each of the fewest variants that
 * have every answer once, all of them pass or say what they could not judge.
 */

import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { loadScenarios } from '../../src/scenario/format/find-scenarios.ts';
import { runScenarios } from '../../src/scenario/play/run-scenarios.ts';
import { PROJECT } from '../support/command-line.ts';
import { commitSample } from '../tiers/commit-sample.ts';
import { TIER } from '../tiers/tiers.ts';
import { packedRows } from './covering-array.ts';
import { combine, combinationOf, valuesOf } from './dimension.ts';
import { DIMENSIONS } from './dimensions/dimensions.ts';
import { startVariant } from './try-combination.ts';

const SCENARIOS = await loadScenarios(path.join(PROJECT, 'scenarios/edge-cases'));
const COMBINATIONS = packedRows(Object.values(DIMENSIONS).map((dimension) => valuesOf(dimension).length))
  .map((row) => combinationOf(DIMENSIONS, row))
  .map((combination) => ({ count: Object.keys(combination).length, combination }));

describe('scenarios accuse nothing of what is open', () => {
  it.each(TIER === 'rest' ? COMBINATIONS : commitSample('scenarios', COMBINATIONS, 1))(
    'on a service that answers $count questions differently',
    { timeout: 300_000 },
    async ({ combination }) => {
      await using variant = await startVariant(combine(DIMENSIONS, combination));
      const target = { ...variant, kind: 'remote' as const, isDisposable: false };
      const { played } = await runScenarios(SCENARIOS, { venue: { kind: 'shared', target }, keep: (name) => name });
      const accused = played.filter(({ verdict }) => verdict === 'fail' || verdict === 'harness-error');
      expect(accused.map(({ file, at, message }) => `${path.basename(file)}: ${at}: ${message}`)).toEqual([]);
    },
  );
});
