/**
 * Tries a mutant blind: days are made up and played on it, with no word of what is broken, until something is found.
 */

import { explore, playerOn } from '../../src/explore/explore.ts';
import type { Finding } from '../../src/explore/findings.ts';
import { stageOn } from '../../src/explore/embedded-stage.ts';
import { REFERENCE_DIALECT } from '../../src/scenario/expect/service.ts';
import { historyMutants } from '../mutants/history-mutants.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { startMutant } from '../mutants/try-mutant.ts';

export interface BlindTrial {
  readonly mutant: Mutant;
  /** Undefined where it was not found in time. */
  readonly finding: Finding | undefined;
  readonly days: number;
  /** Of processor time until it was met, without the time for shrinking. */
  readonly foundMs: number | undefined;
}

interface TrialOptions {
  readonly seed: number;
  /** Of processor time: what else runs on the machine does not count. */
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
  await using stage = stageOn(async () => {
    const target = await startMutant(freshOf(mutant));
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
  return { mutant, finding: findings[0], days, foundMs };
}

/** Starts to count the milliseconds that this process computes. */
function startCpuStopwatch(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}

/** Mutants with a memory remember one service. */
function freshOf(mutant: Mutant): Mutant {
  const isSame = ({ name, clause }: Mutant): boolean => name === mutant.name && clause === mutant.clause;
  return historyMutants().find(isSame) ?? mutant;
}
