/**
 * What became of the checks that need a computer when a client program runs the computers: how many were judged as
 * over the link, and why the others were not.
 */

import type { CheckOutcome } from '../../src/conformance/verdict/outcome.ts';
import type { BaselinePage } from '../support/baseline-page.ts';
import type { ClientService } from './client-target.ts';

export const CLIENT_PAGE = 'client.md';
/** Of the checks that need a computer. */
export const LEAST_JUDGED = 0.9;

const SOUND = ['pass', 'observed'];
/** Only a longer wait would judge them. */
const TOO_LONG = ['too-long', 'inconclusive'];

export interface ClientTally {
  readonly needing: number;
  readonly judged: number;
  readonly notJudged: readonly CheckOutcome[];
  /** Judged differently from the link, where every check passes. */
  readonly differing: readonly CheckOutcome[];
}

/** Scales and frames of the link are no matter of a print queue; the page names them for themselves. */
export function tallyOf(outcomes: readonly CheckOutcome[]): ClientTally {
  const needing = outcomes.filter(({ check: { needs } }) => {
    const isAboutComputers = needs.includes('computer') || needs.includes('printer');
    return isAboutComputers && !needs.includes('scale') && !needs.includes('device-link');
  });
  const notJudged = needing.filter(({ verdict }) => verdict === 'untestable' || verdict === 'not-applicable');
  const differing = outcomes.filter(
    ({ verdict }) => ![...SOUND, ...TOO_LONG, 'untestable', 'not-applicable'].includes(verdict),
  );
  return { needing: needing.length, judged: needing.length - notJudged.length, notJudged, differing };
}

export interface ClientRun {
  readonly service: ClientService;
  readonly outcomes: readonly CheckOutcome[];
}

export function clientPage(runs: readonly ClientRun[]): BaselinePage {
  const counts = runs.map(({ service, outcomes }) => {
    const { needing, judged, differing } = tallyOf(outcomes);
    const share = Math.round((judged / needing) * 1_000) / 10;
    return `${service}: ${judged} of ${needing}, ${share} %, ${differing.length} of all with another verdict`;
  });
  return {
    title: 'Checks through a client program',
    command: 'npm run prove client',
    about:
      'The suite with `platen client`, CUPS and IPP in the middle, on the reference service and on one by strangers. How ' +
      `many of the checks that need a computer or its printers are judged: ${counts.join('; ')}. Those of scales and of ` +
      'frames of the link come beside. What is not judged, or differs from the verdict over the link:',
    columns: ['service', 'check', 'verdict', 'reason'],
    rows: runs.flatMap(({ service, outcomes }) =>
      outcomes
        .filter(({ verdict }) => ![...SOUND, 'too-long'].includes(verdict))
        .map(({ check, verdict, message }) => [service, `\`${check.id}\``, verdict, message]),
    ),
  };
}
