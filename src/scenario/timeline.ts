/**
 * Timeline: what became of a job, for people: its states and its printouts, in the order of time.
 */

import { formatDuration } from '../common/duration.ts';
import { amountInWords, type Printout } from '../devices/printer/printout.ts';
import type { JobStateRecord } from './records.ts';
import type { Stage, SubmittedJob } from './stage.ts';

/** The names of a job's states in a row: `new → sent_to_client → done`. */
export function seenStates(states: readonly JobStateRecord[]): string {
  return states.map(({ state }) => state).join(' → ') || 'no states';
}

/** A line for each state and printout of a job, with the time since the scenario began. */
export async function timelineOf(job: SubmittedJob, stage: Stage): Promise<readonly string[]> {
  const [states = []] = await stage.states([job]);
  const lines = [
    ...states.map(({ state, message, createTimestamp }) => ({
      atMs: stage.elapsedMs(Date.parse(createTimestamp)),
      what: message ? `${state}: ${message}` : state,
    })),
    ...stage.printouts(job).map((printout) => ({
      atMs: stage.elapsedMs(printout.printedAtMs),
      what: describePrintout(printout),
    })),
  ];
  const inTime = lines.toSorted((a, b) => a.atMs - b.atMs);
  return inTime.map(({ atMs, what }) => `${formatOffset(atMs)}  ${what}`);
}

/** `+1.5s`; the clocks of computers may be behind. */
export function formatOffset(ms: number): string {
  return `${ms < 0 ? '-' : '+'}${formatDuration(Math.abs(ms))}`.padStart(8);
}

function describePrintout(printout: Printout): string {
  return `${amountInWords(printout)} came out of ${printout.printerName}`;
}
