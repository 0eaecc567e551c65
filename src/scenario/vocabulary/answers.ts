/**
 * Answers: the status that a step expects of a request, and what follows where the specification leaves it open.
 */

import { z } from 'zod';

import { GAPS } from '../../specification/gaps.ts';
import { TOO_MANY_REQUESTS } from '../../targets/service-client.ts';
import type { Target } from '../../targets/target.ts';

interface OfTarget {
  readonly target: Pick<Target, 'kind'>;
}

/** Statuses in words. */
const IN_WORDS = {
  success: (status: number) => status >= 200 && status < 300,
  refused: (status: number) => status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS,
  any: () => true,
} as const;

export const answeredStatus = z
  .union([z.number().int(), z.enum(['success', 'refused', 'any'])])
  .describe('Status of the answer; `success` for any 2xx, `refused` for any 4xx but 429, `any` for whatever comes.');

export type AnsweredStatus = z.output<typeof answeredStatus>;

export function isAnswered(wanted: AnsweredStatus, status: number): boolean {
  return typeof wanted === 'number' ? status === wanted : IN_WORDS[wanted](status);
}

/**
 * Whether a request is sent again after a 429: a service that was not started for the scenario counts the requests of
 * others too.
 */
export function isPatientFor(wanted: AnsweredStatus, { target }: OfTarget): boolean {
  return target.kind !== 'embedded' && !isAnswered(wanted, TOO_MANY_REQUESTS);
}

/** The gap that a step builds on. */
export const gap = z
  .enum(GAPS.map(({ id }) => id))
  .exactOptional()
  .describe(
    'What the specification leaves open here: a service that answers differently from the reference service ends the scenario as inconclusive, not as failed.',
  );
