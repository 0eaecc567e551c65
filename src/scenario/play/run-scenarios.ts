/**
 * Runs scenarios: each on a service of its own, or one after the other on a running service.
 *
 *   virtual clock      one after the other: each takes no time
 *   real clock         side by side, so that all waits overlap
 *   service elsewhere  one after the other: they share an account
 */

import path from 'node:path';

import { usageError } from '../../common/actionable-error.ts';
import { type Clock, ForwardingClock, systemClock } from '../../common/clock.ts';
import { startStopwatch } from '../../common/stopwatch.ts';
import { Press } from '../../devices/press/press.ts';
import type { PlayedGiven, PlayedTarget } from '../../record/fields.ts';
import { headOfRun } from '../../record/head-of-run.ts';
import type { ScenarioRecord, ScenarioRunRecord } from '../../record/scenario-record.ts';
import type { ScenarioVerdict } from '../../record/words.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { EmbeddedTargetOptions } from '../../targets/embedded.ts';
import type { Target } from '../../targets/target.ts';
import { createHttpSender } from '../../wire/http-exchange.ts';
import type { ScenarioFile } from '../format/find-scenarios.ts';
import { unseenOn } from '../setup/sight.ts';
import { hasRestart } from '../steps/restart.ts';
import type { Keep } from './job-story.ts';
import { NOTHING_PLAYED, play, type Play } from './play.ts';

export type ClockChoice = 'virtual' | 'real';

/** Where scenarios play. */
export type Venue =
  | { readonly kind: 'own'; readonly open: (options: EmbeddedTargetOptions) => Promise<Target> }
  | SharedVenue;

interface SharedVenue {
  readonly kind: 'shared';
  readonly target: Target;
  readonly given?: PlayedGiven | undefined;
}

export interface RunOptions {
  readonly venue: Venue;
  /** Instead of what the scenarios say. */
  readonly seed?: number | string | undefined;
  readonly clock?: ClockChoice | undefined;
  /** Keeps what a printer printed. */
  readonly keep: Keep;
  /** `soFar` is what the run has come to by then. */
  readonly onPlayed?: (played: PlayedScenario, soFar: () => ScenarioRun) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface PlayedScenario extends Play {
  readonly file: string;
  readonly title: string;
  readonly why: string;
  readonly seed: number | string;
}

export interface ScenarioRun {
  /** Real time, ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Instead of the seeds of the scenarios; null when each had its own. */
  readonly seed: number | string | null;
  readonly target: PlayedTarget;
  /** In the order of the files. */
  readonly played: readonly PlayedScenario[];
  /** The scenario in which the service stopped answering; those after it were not played. */
  readonly lostIn: string | null;
  readonly exitCode: number;
}

const SIDE_BY_SIDE_ON_REAL_TIME = 8;

/** @throws ActionableError of kind usage if one of them is a load */
export async function runScenarios(files: readonly ScenarioFile[], options: RunOptions): Promise<ScenarioRun> {
  refuseLoads(files);
  const startedAt = new Date(systemClock.now()).toISOString();
  const stopwatch = startStopwatch();
  const played = new Map<ScenarioFile, PlayedScenario>();
  const clock = new CurrentClock();
  await using press = new Press(clock);
  const waiting = files.values();
  let lostIn: string | null = null;
  const soFar = (): ScenarioRun => {
    const inOrder = files.flatMap((file) => played.get(file) ?? []);
    return {
      startedAt,
      durationMs: stopwatch(),
      seed: options.seed ?? null,
      target: playedTargetOf(options.venue),
      played: inOrder,
      lostIn,
      exitCode: lostIn === null ? exitCodeOf(inOrder) : SERVICE_LOST,
    };
  };
  const playNext = async (): Promise<void> => {
    for (const file of waiting) {
      const result = lostIn === null ? await playOne(file, options, { press, clock }) : lost(file, options, lostIn);
      if (played.size + 1 < files.length) await letRateRecover(result, options);
      if (lostIn === null && (await hasLostService(result, options.venue))) lostIn = file.file;
      played.set(file, result);
      options.onPlayed?.(result, soFar);
    }
  };
  const sideBySide = files.every((file) => isOnRealTime(file, options)) ? SIDE_BY_SIDE_ON_REAL_TIME : 1;
  await Promise.all(Array.from({ length: sideBySide }, playNext));
  return soFar();
}

/** A shared service counts the requests of the last scenario against the next, which may send a burst of its own. */
async function letRateRecover({ events }: PlayedScenario, { venue, signal }: RunOptions): Promise<void> {
  if (venue.kind === 'own' || signal?.aborted) return;
  const { requestBurst, requestsPerSecond } = LIMITS;
  const requests = Math.min(events, requestBurst.value);
  await venue.target.timekeeper.elapse((requests / requestsPerSecond.value) * MS_PER_SECOND);
}

const MS_PER_SECOND = 1_000;

/** Once a service stops answering, the scenarios after it say nothing. One of our own ends only with this process. */
async function hasLostService({ verdict }: PlayedScenario, venue: Venue): Promise<boolean> {
  if (venue.kind === 'own' || verdict === 'pass') return false;
  return !(await isStillThere(venue.target));
}

const PATIENCE_MS = 5_000;

/** Any answer over HTTP counts, also a bad one: what is wrong with it is for the scenarios to say. */
export async function isStillThere({ baseUrl }: Pick<Target, 'baseUrl'>): Promise<boolean> {
  const sender = createHttpSender({ limitMs: PATIENCE_MS });
  try {
    const outcome = await sender.send({ method: 'GET', baseUrl, path: '/ping', headers: [] });
    return outcome.ok;
  } finally {
    await sender.close();
  }
}

function lost(file: ScenarioFile, options: RunOptions, lostIn: string): PlayedScenario {
  const message = `not played: the service stopped answering in ${lostIn}`;
  return { ...aboutOf(file, options), ...NOTHING_PLAYED, verdict: 'inconclusive', message, durationMs: 0 };
}

function aboutOf(
  { file, scenario }: ScenarioFile,
  { seed = scenario.seed }: RunOptions,
): Pick<PlayedScenario, 'file' | 'title' | 'why' | 'seed'> {
  return { file, title: scenario.title, why: scenario.why, seed };
}

/** Played here, a load would do nothing and pass. */
function refuseLoads(files: readonly ScenarioFile[]): void {
  const found = files.find(({ load }) => load !== null);
  if (found === undefined) return;
  throw usageError(`${found.file} is a load`, 'Run it alone: platen run FILE.');
}

function isOnRealTime({ scenario }: ScenarioFile, { venue, clock = scenario.clock }: RunOptions): boolean {
  return venue.kind === 'own' && clock === 'real';
}

/** Shared by all scenarios of a run. */
interface Shared {
  readonly press: Press;
  readonly clock: CurrentClock;
}

async function playOne(file: ScenarioFile, options: RunOptions, shared: Shared): Promise<PlayedScenario> {
  const { scenario } = file;
  const { venue, seed = scenario.seed, clock = scenario.clock, signal } = options;
  const about = aboutOf(file, options);
  if (signal?.aborted) return { ...about, ...NOT_PLAYED };
  const target =
    venue.kind === 'own' ? await venue.open({ seed, clock, isRestartable: hasRestart(scenario.steps) }) : venue.target;
  // Scenarios that play side by side are all on real time.
  shared.clock.current = target.clock;
  try {
    const folder = path.basename(file.file, path.extname(file.file));
    const result = await play(file, {
      target,
      press: shared.press,
      seed,
      keep: (name, bytes) => options.keep(path.join(folder, name), bytes),
      signal,
    });
    return { ...about, ...result };
  } finally {
    if (venue.kind === 'own') await target.close();
  }
}

const NOT_PLAYED: Play = {
  verdict: 'inconclusive',
  message: 'not played: the run was interrupted',
  ...NOTHING_PLAYED,
  durationMs: 0,
};

/** As it stands in the record. */
export function playedTargetOf(venue: { readonly kind: 'own' } | SharedVenue): PlayedTarget {
  if (venue.kind === 'own') return { name: 'reference service', kind: 'embedded', baseUrl: null };
  const { name, kind, baseUrl } = venue.target;
  const unseen = unseenOn(venue.target);
  return { name, kind, baseUrl, ...venue.given, ...(unseen !== undefined && { unseen }) };
}

/** The exit code for a target that cannot be reached. */
export const SERVICE_LOST = 75;

/** 70: platen broke. 1: the service failed. 2: something could not be judged. */
function exitCodeOf(played: readonly PlayedScenario[]): number {
  const has = (verdict: Play['verdict']): boolean => played.some((one) => one.verdict === verdict);
  if (has('harness-error')) return 70;
  if (has('fail')) return 1;
  return has('inconclusive') ? 2 : 0;
}

/**
 * The clock of the scenario that plays now. It is for things that outlive a scenario, as they are costly (the press),
 * so that they hold the right clock.
 */
export class CurrentClock extends ForwardingClock {
  current: Clock = systemClock;

  constructor() {
    super(() => this.current);
  }
}

export function buildScenarioRunRecord(run: ScenarioRun, runId: string): ScenarioRunRecord {
  const counts: Partial<Record<ScenarioVerdict, number>> = {};
  for (const { verdict } of run.played) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return {
    ...headOfRun('run', { ...run, runId, durationMs: Math.round(run.durationMs) }),
    seed: run.seed,
    target: run.target,
    summary: {
      scenarios: { total: run.played.length, ...counts },
      lostIn: run.lostIn,
      exitCode: run.exitCode,
    },
    scenarios: run.played.map(buildScenarioRecord),
  };
}

/** One scenario of the record; its file is its id. */
export function buildScenarioRecord({ file, at, events: _events, ...rest }: PlayedScenario): ScenarioRecord {
  return { id: file, ...rest, at: at ?? null, durationMs: Math.round(rest.durationMs) };
}
