/**
 * platen exec --provoke: judges a command as an app that prints.
 *
 *   platen exec --provoke -- npm test                               all that can go wrong for it
 *   platen exec --provoke='POST /printjobs#1 lost-after' -- npm test    one moment again
 */

import path from 'node:path';

import { usageError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { ensureWritable } from '../common/folder.ts';
import { shellArgument } from '../common/shell-word.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import type { AppCommand } from '../caller/play-app.ts';
import type { Provoked } from '../caller/provoke.ts';
import type { CallerRecord } from '../record/caller-record.ts';
import { momentText, readMoment } from '../record/moments.ts';
import { fastTime } from '../targets/fake-time.ts';
import { EXIT, exitCodeFrom } from './exit-code.ts';
import { newRunId, publishRun, type PublishFlags } from './files/publish.ts';
import { interruption } from './interruption.ts';
import { readRoomFile, type FilesFlags } from './options/option-values.ts';
import { openFeed, progressOf, type FeedFlags } from './remote/run-feed.ts';
import { liveLine } from './screen/live-line.ts';
import { err } from './screen/terminal.ts';

export interface ProvokeFlags extends PublishFlags, FeedFlags, FilesFlags {
  /** A moment, or true for all. */
  readonly provoke?: string | true;
  readonly room?: string;
  readonly limits?: 'spec' | 'off';
  readonly seed?: string;
  readonly fast?: true;
  readonly out?: string;
}

const DEFAULT_SEED = '1';

/** @param words - of the command, as they were written */
export async function provokeApp(words: readonly string[], command: AppCommand, flags: ProvokeFlags): Promise<number> {
  const { provoke: asked, room, limits, seed = DEFAULT_SEED } = flags;
  const moment = typeof asked === 'string' ? readMoment(asked) : undefined;
  ensureWritable(flags.out ?? 'reports');
  const { provoke } = await import('../caller/provoke.ts');
  const { buildCallerRecord, lastLines } = await import('../caller/build-record.ts');
  const { renderRun } = await import('../report/terminal/run-terminal.ts');
  const runId = newRunId('caller', {});
  const startedAt = new Date(systemClock.now()).toISOString();
  const fast = flags.fast && fastTime(FAST_FACTOR);
  const tookMs = startStopwatch();
  const signal = interruption();
  const live = flags.json || flags.quiet ? undefined : liveLine();
  live?.show('the app runs twice, unharmed');
  await using feed = await openFeed(flags);
  const recordOf = (soFar: Provoked): CallerRecord =>
    buildCallerRecord(soFar, {
      runId,
      startedAt,
      durationMs: tookMs(),
      words,
      flags: againFlags(flags),
      seed,
      remarks: [...(fast ? [SHRUNK] : []), ...(signal.aborted ? [INTERRUPTED] : [])],
    });
  let latest: Provoked | undefined;
  const provoked = await provoke({
    command,
    moment,
    signal,
    fast,
    workbench: { room: (await readRoomFile(room, flags))?.description, limits, seed },
    onMoment: (soFar, { verdict, moment: ended }, total) => {
      latest = soFar;
      const done = soFar.moments.length;
      live?.show(`${done}/${total} ${verdict}  ${momentText(ended)}`);
      feed.show(() => ({ ...recordOf(soFar), progress: progressOf(done, total, tookMs(), momentText(ended)) }));
    },
  })
    .catch((error: unknown) => {
      if (signal.aborted && latest) return latest;
      throw error;
    })
    .finally(() => live?.clear());
  if ('unfit' in provoked) {
    err([provoked.unfit, ...lastLines(provoked.output).map((line) => `  | ${line}`)]);
    return EXIT.incomplete;
  }
  const judged = recordOf(provoked);
  const record = signal.aborted ? withExitCode(judged, EXIT.interrupted) : judged;
  await feed.end(record);
  await publishRun(record, flags.out ?? path.join('reports', runId), flags, () => renderRun(record));
  return exitCodeFrom(record.summary.exitCode);
}

const FAST_FACTOR = 20;
const SHRUNK = `With --fast the clock of the app ran ${FAST_FACTOR} times as fast, and its limits of time were as much shorter: one of 2 s was ${2_000 / FAST_FACTOR} ms. Play a finding again without --fast before you believe it.`;
const INTERRUPTED = 'It was interrupted: moments that are not in the table were not tried.';

function withExitCode(record: CallerRecord, exitCode: number): CallerRecord {
  return { ...record, summary: { ...record.summary, exitCode } };
}

/** What a repetition needs beside the moment. */
function againFlags({ room, limits, seed, fast, allowFiles = [] }: ProvokeFlags): readonly string[] {
  const values = Object.entries({ room, limits, seed }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellArgument(value)}`],
  );
  return [
    ...values,
    ...(fast ? ['--fast'] : []),
    ...allowFiles.map((folder) => `--allow-files ${shellArgument(folder)}`),
  ];
}

/** @throws ActionableError for flags that mean nothing to an app that is judged */
export function refuseFlags(flags: { readonly clock?: string; readonly tls?: unknown; readonly start?: string }): void {
  const given = (['clock', 'tls', 'start'] as const).find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  throw usageError(
    `--${given} means nothing with --provoke, which plays the reference service on a virtual clock over plain HTTP`,
    `Omit --${given}.`,
  );
}
