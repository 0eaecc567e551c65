/**
 * What became of the checks that need a computer when a client program runs the computers: how many were judged as
 * over the link, and why the others were not.
 */

import type { CheckOutcome } from '../../src/conformance/verdict/outcome.ts';
import type { BaselinePage } from '../support/baseline-page.ts';

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
  /** Judged otherwise than over the link, where every check passes. */
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

export function clientPage(outcomes: readonly CheckOutcome[]): BaselinePage {
  const { needing, judged } = tallyOf(outcomes);
  const share = Math.round((judged / needing) * 1_000) / 10;
  const rows = outcomes
    .filter(({ verdict }) => verdict === 'untestable' || verdict === 'not-applicable')
    .map(({ check, message }) => [`\`${check.id}\``, message]);
  return {
    title: 'Checks through a client program',
    command: 'npm run prove client',
    about:
      'The suite on the reference service with `platen client`, CUPS and IPP in the middle. Of the ' +
      `${needing} checks that need a computer or its printers, ${judged} are judged, ${share} %, with the verdicts that ` +
      'they have over the link. Those of scales and of frames of the link come beside. What is not judged:',
    columns: ['check', 'reason'],
    rows,
  };
}
