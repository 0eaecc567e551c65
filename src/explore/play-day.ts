/**
 * Plays a day on a service of its own, or on the one that there is, and says what it broke.
 */

import { stringify } from 'yaml';

import { FileReach } from '../common/file-reach.ts';
import { durationMs, formatDuration, type Duration } from '../common/duration.ts';
import { WaitExpired, within } from '../common/waiter.ts';
import type { Press } from '../devices/press/press.ts';
import { scenarioOf, scenarioSchema } from '../scenario/format/scenario.ts';
import { readScenario, type ReadScenario } from '../scenario/format/read-scenario.ts';
import { play, type Play } from '../scenario/play/play.ts';
import type { CurrentClock } from '../scenario/play/run-scenarios.ts';
import { hasRestart } from '../scenario/steps/restart.ts';
import type { Break } from '../scenario/vocabulary/outcome.ts';
import { readOwnFiles } from '../scenario/vocabulary/own-files.ts';
import type { EmbeddedTargetOptions } from '../targets/embedded.ts';
import type { Target } from '../targets/target.ts';
import type { RawDay } from './draw/raw-day.ts';

/** Where days are played, one at a time. */
export interface Stage extends AsyncDisposable {
  /** A service; it is closed after the day. */
  readonly open: (options: Pick<EmbeddedTargetOptions, 'seed' | 'isRestartable'>) => Promise<Target>;
  readonly press: Press;
  /** What the press goes by. */
  readonly clock: CurrentClock;
  readonly signal: AbortSignal | undefined;
  /** In real time; that of its clock unless given. */
  readonly dayLimit?: Duration | undefined;
}

export interface PlayedDay extends Pick<Play, 'verdict' | 'message' | 'breaks' | 'elapsedMs' | 'events'> {
  /** What was broken: ids of clauses, the first one first; for what no judge found, the kind of step that broke. */
  readonly broken: readonly string[];
  /** It blocked its process: replay it only in a process of its own. */
  readonly isStuck?: boolean | undefined;
}

/** The signature of a day that goes on and on: of the service, or of platen. */
export const NO_END = 'the day did not end';

/** In real time. Days on a virtual clock take a hundredth of a second, those on real time some minutes. */
export const DAY_LIMITS = { virtual: '1m', real: '9m' } as const;
/** A service that does not let itself be closed is left. */
const CLOSE_LIMIT = '5s';

/**
 * Plays a day as it is, without looking for mistakes in it.
 *
 * @param allowed - folders from which profiles are read that its room names, beside the working folder
 */
export async function playDay(day: RawDay, stage: Stage, allowed?: readonly string[]): Promise<PlayedDay> {
  const parsed = scenarioSchema.safeParse(day);
  if (!parsed.success) throw new Error(`a day is not a scenario: ${parsed.error.message}`);
  const files = readOwnFiles(day, '.', new FileReach('.', allowed));
  if (!files.ok) throw new Error(files.error.map(({ message }) => message).join('\n'));
  const scenario = scenarioOf(parsed.data, files.value);
  return playScenario(
    { scenario, files: files.value, load: null, stepLines: scenario.steps.map((_, index) => index + 1) },
    stage,
  );
}

/** Plays the text of a file; undefined if it is not a scenario, for instance because it names what is gone. */
export async function playText(
  text: string,
  stage: Stage,
  allowed?: readonly string[],
): Promise<PlayedDay | undefined> {
  const read = readScenario(text, '.', allowed);
  return read.ok ? playScenario(read.value, stage) : undefined;
}

/** Never longer than a day may take: what does not end is left behind, interrupted. */
async function playScenario(read: ReadScenario, stage: Stage): Promise<PlayedDay> {
  const given = new AbortController();
  const { seed, steps } = read.scenario;
  const target = await stage.open({ seed, isRestartable: hasRestart(steps) });
  stage.clock.current = target.clock;
  const limit = stage.dayLimit ?? DAY_LIMITS[target.clock.isVirtual ? 'virtual' : 'real'];
  const signal = AbortSignal.any([given.signal, ...(stage.signal ? [stage.signal] : [])]);
  try {
    const playing = play(read, { target, press: stage.press, keep: (name) => name, signal });
    const { verdict, message, breaks, elapsedMs, brokenStep, events } = await within(playing, {
      description: 'the end',
      limit,
    });
    return { verdict, message, breaks, elapsedMs, broken: brokenOf(breaks, brokenStep), events };
  } catch (error) {
    if (!(error instanceof WaitExpired)) throw error;
    return dayWithoutEnd(limit);
  } finally {
    given.abort();
    await within(target.close(), { description: 'the service closed', limit: CLOSE_LIMIT }).catch(() => undefined);
  }
}

/** What is said of a day that was given up. */
export function dayWithoutEnd(limit: Duration): PlayedDay {
  const expected = `an end within ${formatDuration(durationMs(limit))}`;
  const breaks = [{ at: NO_END, expected, actual: 'none', jobs: [] }];
  const message = `${NO_END}: expected ${expected}, got none`;
  return { verdict: 'fail', message, broken: [NO_END], breaks, elapsedMs: 0, events: 0 };
}

function brokenOf(breaks: readonly Break[], brokenStep: string | undefined): readonly string[] {
  if (brokenStep !== undefined) return [`step ${brokenStep}`];
  return [...new Set(breaks.map(({ clause, at }) => clause ?? at))];
}

/** A day as the text of its file. */
export function textOf(day: RawDay): string {
  return stringify(day, { lineWidth: 110, aliasDuplicateObjects: false });
}
