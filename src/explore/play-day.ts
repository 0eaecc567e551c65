/**
 * Plays a day on a service of its own, or on the one that there is, and says what it broke.
 */

import { stringify } from 'yaml';

import type { Press } from '../devices/press/press.ts';
import type { ScenarioVerdict } from '../record/words.ts';
import { scenarioSchema } from '../scenario/format/scenario.ts';
import { readScenario, type ReadScenario } from '../scenario/format/read-scenario.ts';
import { play } from '../scenario/play/play.ts';
import type { CurrentClock } from '../scenario/play/run-scenarios.ts';
import type { Break } from '../scenario/vocabulary/outcome.ts';
import type { Target } from '../target/target.ts';
import type { RawDay } from './draw/raw-day.ts';

/** Where days are played, one at a time. */
export interface Stage extends AsyncDisposable {
  /** A service; it is closed after the day. */
  readonly open: (seed: number) => Promise<Target>;
  readonly press: Press;
  /** What the press goes by. */
  readonly clock: CurrentClock;
  readonly signal: AbortSignal | undefined;
}

export interface PlayedDay {
  readonly verdict: ScenarioVerdict;
  readonly message: string;
  /** What was broken: ids of clauses, the first one first; for what no judge found, the step that broke. */
  readonly broken: readonly string[];
  readonly breaks: readonly Break[];
  /** Time that passed for the service. */
  readonly elapsedMs: number;
  /** What was seen of the service: answers, deliveries, reports. */
  readonly events: number;
}

/** Plays a day as it is, without looking for mistakes in it. */
export async function playDay(day: RawDay, stage: Stage): Promise<PlayedDay> {
  const parsed = scenarioSchema.safeParse(day);
  if (!parsed.success) throw new Error(`a day is not a scenario: ${parsed.error.message}`);
  const scenario = parsed.data;
  return playScenario(
    { scenario, documents: [], load: null, stepLines: scenario.steps.map((_, index) => index + 1) },
    stage,
  );
}

/** As it stands in a file: undefined where it is not a scenario, such as for a name that is not there any more. */
export async function playText(text: string, stage: Stage): Promise<PlayedDay | undefined> {
  const read = readScenario(text, '.');
  return read.ok ? playScenario(read.value, stage) : undefined;
}

async function playScenario(read: ReadScenario, stage: Stage): Promise<PlayedDay> {
  const { seed } = read.scenario;
  const target = await stage.open(Number(seed));
  stage.clock.current = target.clock;
  try {
    const result = await play(read, {
      target,
      press: stage.press,
      folder: '.',
      keep: (name) => name,
      signal: stage.signal,
    });
    const { verdict, message, breaks, elapsedMs, at } = result;
    return { verdict, message, breaks, elapsedMs, broken: brokenOf(breaks, at), events: result.events };
  } finally {
    await target.close();
  }
}

function brokenOf(breaks: readonly Break[], at: string | undefined): readonly string[] {
  if (at !== undefined) return [`step ${at.split(': ')[1]?.split(' ')[0] ?? ''}`];
  return [...new Set(breaks.map((one) => one.at.split(': ')[0] ?? ''))];
}

/** A day as the text of its file. */
export function textOf(day: RawDay): string {
  return stringify(day, { lineWidth: 110, aliasDuplicateObjects: false });
}
