/**
 * What became of the checks that need a computer when a client program runs the computers: how many were judged as
 * over the link, and why the others were not.
 */

import type { CheckOutcome } from '../../src/conformance/verdict/outcome.ts';
import type { Verdict } from '../../src/record/words.ts';
import type { Need } from '../../src/specification/clause.ts';
import type { BaselinePage } from '../support/baseline-page.ts';
import type { ClientService } from './client-target.ts';

export const CLIENT_PAGE = 'client.md';
/** The least share of the checks that need a computer which must be judged. */
export const LEAST_JUDGED = 0.9;

const NEEDS_BESIDE: readonly Need[] = ['scale', 'device-link', 'virtual-clock'];
/** The last two are checks that only a longer wait would judge. */
const NOT_JUDGED: readonly Verdict[] = ['untestable', 'not-applicable', 'too-long', 'inconclusive'];

export interface ClientRun {
  readonly service: ClientService;
  /** Through client program, CUPS and IPP. */
  readonly outcomes: readonly CheckOutcome[];
  readonly overLink: readonly CheckOutcome[];
}

export interface ClientTally {
  readonly needing: number;
  readonly judged: number;
  readonly notJudged: readonly CheckOutcome[];
  /** Judged, and differently from the link. */
  readonly differing: readonly CheckOutcome[];
}

/**
 * Scales and frames of the link are no matter of a print queue; the page names them for themselves. What takes a clock
 * that is moved is judged neither way.
 */
export function tallyOf({ outcomes, overLink }: ClientRun): ClientTally {
  const verdictOverLink = new Map(overLink.map(({ check, verdict }) => [check.id, verdict]));
  const needing = outcomes.filter(({ check: { needs } }) => {
    const isAboutComputers = needs.includes('computer') || needs.includes('printer');
    return isAboutComputers && !NEEDS_BESIDE.some((need) => needs.includes(need));
  });
  const notJudged = needing.filter(({ verdict }) => NOT_JUDGED.includes(verdict));
  const differing = outcomes.filter(
    ({ check, verdict }) => !NOT_JUDGED.includes(verdict) && verdict !== verdictOverLink.get(check.id),
  );
  return { needing: needing.length, judged: needing.length - notJudged.length, notJudged, differing };
}

export function clientPage(runs: readonly ClientRun[]): BaselinePage {
  const counts = runs.map((run) => {
    const { needing, judged, differing } = tallyOf(run);
    const share = Math.round((judged / needing) * 1_000) / 10;
    return `${run.service}: ${judged} of ${needing}, ${share} %, ${differing.length} of all with another verdict`;
  });
  return {
    title: 'Checks through a client program',
    command: 'npm run prove client',
    about:
      'The suite with `platen client`, CUPS and IPP in the middle, and over the link, on the reference service and on one ' +
      'by strangers, with their own clocks. How many of the checks that need a computer or its printers are judged: ' +
      `${counts.join('; ')}. Those of scales and of frames of the link come beside. What is not judged, in whole or in ` +
      'part, or differs from the verdict over the link:',
    columns: ['service', 'check', 'verdict', 'reason'],
    rows: runs.flatMap((run) => {
      const differing = new Set(tallyOf(run).differing);
      return run.outcomes.flatMap((outcome) => {
        const { check, verdict, message, notes } = outcome;
        const isListed = NOT_JUDGED.includes(verdict) ? verdict !== 'too-long' : differing.has(outcome);
        const reasons = isListed ? [message] : notes.filter((line) => line.includes(' is not judged: '));
        return reasons.map((reason) => [run.service, `\`${check.id}\``, verdict, reason]);
      });
    }),
  };
}
