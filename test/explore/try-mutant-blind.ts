/**
 * Tries a mutant blind: days are made up and played on it, with no word of what is broken, until something is found.
 */

import { readdirSync } from 'node:fs';

import { isObject } from '../../src/common/json-value.ts';
import { explore, playerOn } from '../../src/explore/explore.ts';
import type { Finding } from '../../src/explore/findings.ts';
import { embeddedStage, stageOn } from '../../src/explore/embedded-stage.ts';
import { playText, textOf, type Stage } from '../../src/explore/play-day.ts';
import { REFERENCE_DIALECT } from '../../src/scenario/expect/service.ts';
import { historyMutants } from '../mutants/history-mutants.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { startMutant } from '../mutants/try-mutant.ts';

export interface BlindTrial {
  /** Undefined where it was not found in time. */
  readonly finding: Finding | undefined;
  readonly days: number;
  /** Processor time until it was met, without the time for shrinking. */
  readonly foundMs: number | undefined;
  /** Whether the scenario of the finding fails on the mutant in the same way, and passes on the sound service. */
  readonly isShown: boolean;
}

interface TrialOptions {
  readonly seed: number;
  /** Processor time, because other programs on the machine do not count. */
  readonly limitMs: number;
  readonly mostShrinkPlays: number;
}

export async function tryBlind(mutant: Mutant, { seed, limitMs, mostShrinkPlays }: TrialOptions): Promise<BlindTrial> {
  const spentMs = startCpuStopwatch();
  const ended = new AbortController();
  const draw = {
    without: mutant.link ? ['link-fault'] : [],
    room: undefined,
    expect: 'strict',
  } as const;
  const make = await makerOf(mutant);
  await using stage = stageOn(async () => {
    const target = await startMutant(await make());
    // A service with a link of its own: what is broken of deliveries is broken there.
    const kind = mutant.link ? 'container' : 'embedded';
    return { ...target, kind, dialect: REFERENCE_DIALECT, close: async () => target[Symbol.asyncDispose]() };
  });
  const play = playerOn(stage, draw);
  let foundMs: number | undefined;
  const { findings, days } = await explore({
    ...draw,
    seed,
    stage,
    signal: ended.signal,
    mostShrinkPlays,
    mostFindings: 1,
    players: [
      async (day) => {
        const played = await play(day);
        if (played.verdict === 'fail') foundMs ??= spentMs();
        else if (spentMs() >= limitMs) ended.abort();
        return played;
      },
    ],
  });
  const [finding] = findings;
  return { finding, days, foundMs, isShown: finding !== undefined && (await shows(finding, stage)) };
}

async function shows({ day, signature }: Finding, mutant: Stage): Promise<boolean> {
  const text = textOf(day);
  await using sound = embeddedStage();
  const [passed, failed] = [await playText(text, sound), await playText(text, mutant)];
  return passed?.verdict === 'pass' && failed?.broken.includes(signature) === true;
}

/** Starts to count the milliseconds that this process computes. */
function startCpuStopwatch(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** Makes the mutant anew each time: some remember what they have seen of the service that they break. */
async function makerOf(mutant: Mutant): Promise<() => Promise<Mutant>> {
  const isIt = ({ name, clause }: Mutant): boolean => name === mutant.name && clause === mutant.clause;
  for (const file of FILES) {
    if ((await mutantsIn(file)).some(isIt))
      return async () => (await mutantsIn(`${file}?made=${++made}`)).find(isIt) ?? mutant;
  }
  throw new Error(`no file has the mutant '${mutant.name}'`);
}

const FOLDER = new URL('../mutants/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => /^(?!run-).*mutants\.ts$/.test(name));
let made = 0;

async function mutantsIn(file: string): Promise<readonly Mutant[]> {
  const module: Readonly<Record<string, unknown>> = await import(new URL(file, FOLDER).href);
  const exported = Object.values(module).map((one): unknown =>
    one === module['historyMutants'] ? historyMutants() : one,
  );
  return exported.flat().filter(isMutant);
}

function isMutant(value: unknown): value is Mutant {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['clause'] === 'string';
}
