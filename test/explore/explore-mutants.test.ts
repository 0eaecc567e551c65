/**
 * Exploring finds what is broken by itself, and what it hands over shows just that.
 */

import { describe, expect, it } from 'vitest';

import { embeddedStage, stageOn } from '../../src/explore/embedded-stage.ts';
import { playText, textOf } from '../../src/explore/play-day.ts';
import { ALL_MUTANTS } from '../mutants/catalogue.ts';
import { startMutant } from '../mutants/try-mutant.ts';
import { tryBlind } from './try-mutant-blind.ts';

const NAMES = [
  '409 never',
  'no clientVersion',
  'a cancelled job is sent when its computer comes back',
  'options get defaults',
  'GET /webhooks wraps its list',
  'no secret',
  'the 45 seconds run from the first reading',
  'lastname has another type',
];

describe('a mutant', () => {
  it.each(NAMES)('is found, shrunk and shown by a scenario: %s', { timeout: 120_000 }, async (name) => {
    const mutant = ALL_MUTANTS.find((one) => one.name === name);
    if (!mutant) throw new Error(`there is no mutant '${name}'`);
    const { finding } = await tryBlind(mutant, { seed: 1, limitMs: 60_000, mostShrinkPlays: 80 });
    if (!finding) throw new Error('it was not found');
    expect(finding.day.steps.length).toBeLessThanOrEqual(15);
    const text = textOf(finding.day);
    await using sound = embeddedStage();
    expect(await playText(text, sound)).toMatchObject({ verdict: 'pass' });
    const kind = mutant.link ? 'container' : 'embedded';
    await using broken = stageOn(async () => {
      const target = await startMutant(mutant);
      return { ...target, kind, close: async () => target[Symbol.asyncDispose]() };
    });
    const again = await playText(text, broken);
    expect(again?.broken).toContain(finding.signature);
  });
});
