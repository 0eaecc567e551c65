/**
 * Variant process: explores one variant after the other, and sends what was found in each.
 */

import { explore, playerOn } from '../../src/explore/explore.ts';
import { stageOn } from '../../src/explore/embedded-stage.ts';
import { meetService } from '../../src/explore/other-service.ts';
import { textOf } from '../../src/explore/play-day.ts';
import type { Target } from '../../src/targets/target.ts';
import { combine, type Combination } from '../variants/dimension.ts';
import { DIMENSIONS } from '../variants/dimensions/dimensions.ts';
import { startVariant } from '../variants/try-combination.ts';

export interface VariantOrder {
  readonly row: number;
  readonly combination: Combination;
  /** The first day. */
  readonly seed: number;
  readonly days: number;
  readonly mostShrinkPlays: number;
}

export interface VariantReply {
  readonly row: number;
  readonly combination: Combination;
  readonly days: number;
  /** Days on which a step could not be played, and why the first could not. */
  readonly unplayed: number;
  readonly unplayedBecause: string | undefined;
  readonly findings: readonly {
    readonly signature: string;
    readonly message: string;
    readonly seed: number;
    readonly count: number;
    /** As it stands in a file. */
    readonly scenario: string;
  }[];
}

process.on('message', (order: VariantOrder) => void exploreVariant(order).then((reply) => process.send?.(reply)));
process.on('disconnect', () => process.exit());

async function exploreVariant(order: VariantOrder): Promise<VariantReply> {
  const { row, combination, seed, days: seeds, mostShrinkPlays } = order;
  const open = async (): Promise<Target> => {
    const variant = await startVariant(combine(DIMENSIONS, combination));
    // As any other service: nothing is known of it but what it is asked.
    return { ...variant, kind: 'container', linkName: 'websocket', close: async () => variant[Symbol.asyncDispose]() };
  };
  const asked = await open();
  const met = await meetService(asked);
  await asked.close();
  await met.stage[Symbol.asyncDispose]();
  const { elsewhere } = met;
  const draw = { without: [], room: undefined, expect: 'sound', elsewhere } as const;
  await using stage = stageOn(async () => ({ ...(await open()), dialect: elsewhere.dialect, link: undefined }));
  const explored = await explore({ ...draw, seed, seeds, stage, mostShrinkPlays, players: [playerOn(stage, draw)] });
  const { findings, days, unplayed, unplayedBecause } = explored;
  const found = findings.map(({ day, signature, message, seed: first, count }) => {
    return { signature, message, seed: first, count, scenario: textOf(day) };
  });
  return { row, combination, days, unplayed, unplayedBecause, findings: found };
}
