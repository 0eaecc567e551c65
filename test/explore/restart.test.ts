/**
 * Days on which the service is killed and started again: explore finds by itself what was lost.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { embeddedStage, stageOn } from '../../src/explore/embedded-stage.ts';
import { explore, playerOn } from '../../src/explore/explore.ts';
import { playText, textOf, type Stage } from '../../src/explore/play-day.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { DURABILITY_MUTANTS } from './durability-mutants.ts';

const DRAW = { without: [], room: undefined, expect: 'strict' } as const;

/** Services that keep everything in a file, and lose a part of it at each start. */
function stageOf(rules: (typeof DURABILITY_MUTANTS)[number]['rules']): Stage {
  return stageOn(async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'platen-durability-'));
    const target = await startEmbeddedTarget({ rules, dataFile: path.join(folder, 'service.db') });
    return {
      ...target,
      async close() {
        await target.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
}

describe('a service that loses something when it is restarted', () => {
  it.each(DURABILITY_MUTANTS)('is found out: $name', { timeout: 240_000 }, async ({ rules, seed }) => {
    await using stage = stageOf(rules);
    const { findings, days } = await explore({
      ...DRAW,
      seed,
      seeds: 200,
      stage,
      mostFindings: 1,
      mostShrinkPlays: 60,
      players: [playerOn(stage, DRAW)],
    });
    const [found] = findings;
    if (!found) throw new Error(`nothing was found in ${days} days`);
    const text = textOf(found.day);
    expect(text).toContain('restart: service');
    await using sound = embeddedStage();
    expect(await playText(text, sound)).toMatchObject({ verdict: 'pass' });
    expect((await playText(text, stage))?.broken).toContain(found.signature);
  });
});
