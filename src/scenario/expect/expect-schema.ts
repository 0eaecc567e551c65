/**
 * The kinds of expectations. A new kind is a file, and a line here.
 */

import { z } from 'zod';

import { below } from '../vocabulary/names.ts';
import { anyOf } from '../vocabulary/schema-types.ts';
import type { Break } from '../vocabulary/outcome.ts';
import { computers, printers } from './devices.ts';
import type { Expectation } from './expectation.ts';
import { fetches } from './fetches.ts';
import { jobs } from './jobs.ts';
import { queues } from './queues.ts';
import { readings } from './readings.ts';
import { service } from './service.ts';
import { sheets } from './sheets.ts';
import { webhooks } from './webhooks.ts';

const EXPECTATION_KINDS = {
  jobs,
  sheets,
  printers,
  computers,
  webhooks,
  fetches,
  readings,
  service,
  queues,
} as const satisfies Readonly<Record<string, z.ZodType<Expectation>>>;

const EXPECTS_NOTHING = 'expects nothing; write for example { service: sound }';

/** All expectations at one moment. */
export const expectSchema: z.ZodType<Expectation> = z
  .strictObject(anyOf(EXPECTATION_KINDS))
  .refine((given) => Object.keys(given).length > 0, EXPECTS_NOTHING)
  .transform(allOf);

const thresholdLines = z.array(z.string().min(1).max(200)).max(100).default([]);

/** The expectations at the end of a scenario. */
export interface ScenarioExpectation extends Expectation {
  /** The kinds of expectations, without thresholds. */
  readonly kinds: readonly string[];
  readonly thresholds: readonly string[];
  readonly abort: readonly string[];
}

export const scenarioExpectSchema: z.ZodType<ScenarioExpectation> = z
  .strictObject({
    ...anyOf(EXPECTATION_KINDS),
    thresholds: thresholdLines.describe(
      'For a load, what must hold at the end: `invoices.response.p99 <= 200ms`, `invoices.failed < 0.1%`, `ledger.lost == 0`.',
    ),
    abort: thresholdLines.describe('For a load, when to give up early: `invoices.failed > 20% after 10s`.'),
  })
  .transform(({ thresholds, abort, ...kinds }, context): ScenarioExpectation => {
    const names = Object.keys(kinds);
    if (names.length === 0 && thresholds.length === 0 && abort.length === 0) {
      context.addIssue({ code: 'custom', message: EXPECTS_NOTHING });
    }
    return { ...allOf(kinds), kinds: names, thresholds, abort };
  });

/** What holds of any run. */
export const NOTHING_EXPECTED: ScenarioExpectation = { ...allOf({}), kinds: [], thresholds: [], abort: [] };

/** Expectations of several kinds as one. */
function allOf(given: Readonly<Record<string, Expectation>>): Expectation {
  const kinds = Object.entries(given);
  return {
    names: kinds.flatMap(([kind, { names }]) => below(kind, names)),
    async judge(setup) {
      const breaks: Break[] = [];
      for (const [, expectation] of kinds) breaks.push(...(await expectation.judge(setup)));
      return breaks;
    },
  };
}
