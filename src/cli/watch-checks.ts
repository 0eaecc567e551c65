/**
 * platen check --watch: checks again what failed whenever the service has been restarted, until q or Ctrl-C.
 *
 *   all checks ─► a restart ─► those that failed ─► "2 fixed, 3 left" ─► a restart ─► … nothing left ─► all checks
 *
 * A service at an address is restarted by its author. One that platen starts is started for each round: there a file
 * changes in the folder of its command.
 */

import { ActionableError } from '../common/actionable-error.ts';
import { countOf } from '../common/count-of.ts';
import { shownPath } from '../common/named-place.ts';
import { foreignRequests } from '../conformance/verdict/replayed.ts';
import type { CheckRecord, CheckRunRecord } from '../record/check-record.ts';
import { isCutShort, type Verdict } from '../record/words.ts';
import { styled } from '../report/terminal/line.ts';
import type { ExitCode } from './exit-code.ts';
import { out } from './screen/terminal.ts';
import { restartOf } from './service-restarts.ts';
import { filesBelow, LOOK_EVERY_MS, pause, stateOf, stopOnKey, untilOtherwise } from './watching.ts';

/** What to watch of the service that was checked: its address, or the folder of the command that starts it. */
export type WatchedPlace = { readonly baseUrl: string } | { readonly folder: string };

export interface CheckRound {
  readonly code: ExitCode;
  readonly record: CheckRunRecord;
  readonly place: WatchedPlace;
}

export interface WatchOptions {
  /** Runs checks: these, or all that the command line means. */
  readonly check: (ids?: readonly string[]) => Promise<CheckRound>;
  readonly explain: (error: ActionableError) => void;
  readonly stopped: AbortSignal;
}

/** @returns the exit code of the last round. @throws what the first round throws */
export async function watchChecks({ check, explain, stopped }: WatchOptions): Promise<ExitCode> {
  using keys = new DisposableStack();
  keys.use(stopOnKey());
  let last = await check();
  while (!stopped.aborted) {
    const left = leftBy(last.record);
    const announcement = ['', styled('dim', `${announced(last.place, left.length > 0)}; q or Ctrl-C ends.`), ''];
    await changeOf(last.place, stopped, () => out(announcement));
    if (stopped.aborted) break;
    const next = await check(left.length > 0 ? withSenders(left) : undefined).catch((error: unknown) => {
      if (!(error instanceof ActionableError)) throw error;
      explain(error);
    });
    if (!next) continue;
    if (left.length > 0 && !stopped.aborted) out(fixedLine(left, next.record));
    last = next;
  }
  return last.code;
}

/** Verdicts that a change of the service may better. */
const OPEN: ReadonlySet<Verdict> = new Set(['fail', 'flaky', 'blocked', 'not-offered', 'harness-error']);

const GOOD: ReadonlySet<Verdict> = new Set(['pass', 'warn', 'observed']);

function leftBy({ checks }: CheckRunRecord): readonly CheckRecord[] {
  return checks.filter(({ verdict, known }) => OPEN.has(verdict) && known === undefined);
}

/** With the checks whose requests showed some of it: a rule of every response judges what others send. */
function withSenders(checks: readonly CheckRecord[]): readonly string[] {
  const senders = checks.flatMap((check) => foreignRequests(check).flatMap(({ sender }) => sender ?? []));
  return [...new Set([...checks.map(({ id }) => id), ...senders])];
}

/** `2 fixed, 3 left`, and how many did not run to the end. */
export function fixedLine(before: readonly CheckRecord[], now: CheckRunRecord): string {
  const left = leftBy(now);
  const good = new Set(now.checks.filter(({ verdict }) => GOOD.has(verdict)).map(({ id }) => id));
  const fixed = before.filter((check) => !isCutShort(check) && good.has(check.id)).length;
  const unrun = left.filter(isCutShort).length;
  return `${fixed} fixed, ${left.length - unrun} left${unrun === 0 ? '' : `, ${countOf(unrun, 'check')} not run`}.`;
}

function announced(place: WatchedPlace, hasFailed: boolean): string {
  const when = 'folder' in place ? `a file in ${shownPath(place.folder)} changes` : `${place.baseUrl} is restarted`;
  return `Checks ${hasFailed ? 'what failed' : 'everything'} again when ${when}`;
}

/** @param begun - from now on a change is noticed */
async function changeOf(place: WatchedPlace, stopped: AbortSignal, begun: () => void): Promise<void> {
  if ('baseUrl' in place) return restartOf(place.baseUrl, stopped, begun);
  const look = (): string => stateOf(filesBelow(place.folder));
  // What is said may be written to a file in the folder.
  begun();
  let seen = look();
  await untilOtherwise(look, seen, stopped);
  // A build writes one file after the other.
  let before: string;
  do {
    before = seen;
    await pause(LOOK_EVERY_MS, stopped);
    seen = look();
  } while (seen !== before && !stopped.aborted);
}
