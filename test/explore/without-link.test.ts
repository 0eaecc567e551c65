/**
 * Exploring a service without a link: what the API and webhooks say is judged, whether jobs go to a printer that another
 * program runs, or there is none.
 */

import { expect, it } from 'vitest';

import { explore, playerOn } from '../../src/explore/explore.ts';
import { MOVE_KINDS } from '../../src/explore/draw/moves.ts';
import { meetService } from '../../src/explore/other-service.ts';
import { connectDesk } from '../support/service-room.ts';
import { startPlanted, targetOf } from './start-planted.ts';

const PLANTED = [
  ['printer', '409 never', 'print-jobs/idempotency-conflict', ['submit-key']],
  ['nothing', 'tags cannot be replaced', 'accounts/tag-create', ['tag', 'tags-alike']],
] as const;

it.each(PLANTED)(
  'with %s to see finds that %s, and accuses the sound service of nothing',
  { timeout: 120_000 },
  async (reach, mutant, clause, kinds) => {
    const without = MOVE_KINDS.filter((kind) => !kinds.some((one) => one === kind));
    for (const [planted, expected] of [
      [[mutant], [clause]],
      [[], []],
    ] as const) {
      using service = await startPlanted(planted);
      const theirs = await connectDesk(service.url, service.apiKey);
      const target = {
        ...(await targetOf(service)),
        link: undefined,
        linkName: undefined,
        usePrinter: reach === 'printer' ? 'Laser' : undefined,
      };
      const { elsewhere, stage } = await meetService(target);
      await using here = stage;
      const draw = { without, expect: 'sound', elsewhere } as const;
      const players = Array.from({ length: 4 }, () => playerOn(here, draw));
      const { findings, unplayedBecause } = await explore({
        ...draw,
        seed: 1,
        seeds: 4,
        stage: here,
        players,
        mostFindings: 1,
        mostShrinkPlays: 0,
      });
      await theirs.close();
      expect({ reach: elsewhere.reach, unplayedBecause }).toEqual({ reach, unplayedBecause: undefined });
      expect(findings.map(({ signature }) => signature)).toEqual(expected);
    }
  },
);
