/**
 * Sequences: plays many drawn sequences of moves on a machine; the shortest that breaks a clause is what
 * gets reported, and kept so that it can be played again.
 *
 *   opening ─► drawn sequences, long ones included ─► broken? ─► shorter ones, a limited number of them
 */

import * as fc from 'fast-check';

import type { ClauseId } from '../../specification/clauses.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckContext } from '../context/context.ts';
import type { Machine, Move, Ruling } from './machine.ts';
import type { Step } from '../context/judgement.ts';

/** How much is tried: moves cost requests, which are dear on a real clock. */
interface SequenceBudget {
  readonly sequences: number;
  readonly movesMost: number;
  /** A failing sequence is made shorter this often at most. */
  readonly shrinkTries: number;
}

const LIVE: SequenceBudget = { sequences: 1, movesMost: 12, shrinkTries: 8 };

/** A sequence that was played, and what its last move broke. */
interface Broken {
  readonly steps: readonly Step[];
  readonly rulings: readonly Ruling[];
}

/** Thrown by the move that broke a clause, and caught after the sequence. */
class SequenceEnded extends Error {
  override readonly name = 'SequenceEnded';
  readonly broken: Broken;

  constructor(broken: Broken) {
    super('a move broke a clause');
    this.broken = broken;
  }
}

/**
 * Judges the clauses of a machine on its opening and on drawn sequences, or on the one sequence that is to
 * be repeated.
 *
 * @param virtual - how much is tried where time costs nothing
 * @throws anything that a move throws: the check ends with it
 */
export async function judgeSequences<World extends object>(
  context: CheckContext,
  machine: Machine<World>,
  virtual: SequenceBudget,
): Promise<void> {
  const game = createGame(context, machine);
  const budget = context.target.timekeeper.isVirtual ? virtual : LIVE;
  // A sequence that holds now says little about the other clauses: the opening does.
  const broken =
    (context.sequence && (await game.play(context.sequence))) ??
    (await game.play(machine.opening)) ??
    (context.sequence ? undefined : await game.playDrawn(budget));
  const brokenClauses = new Set(broken?.rulings.map(([clause]) => clause));
  for (const clause of game.kept) if (!brokenClauses.has(clause)) context.judge(clause, undefined);
  if (!broken) return;
  context.keepSequence(broken.steps);
  const after = describeSteps(broken.steps);
  for (const [clause, mismatch] of broken.rulings) {
    context.judge(clause, mismatch && { ...mismatch, at: `${mismatch.at}, after ${after}` });
  }
}

interface Game {
  /** Clauses that a move has shown to be kept. */
  readonly kept: ReadonlySet<ClauseId>;
  play(steps: readonly Step[]): Promise<Broken | undefined>;
  playDrawn(budget: SequenceBudget): Promise<Broken | undefined>;
}

function createGame<World extends object>(context: CheckContext, machine: Machine<World>): Game {
  const kept = new Set<ClauseId>();

  const make = async (world: World, step: Step, made: Step[]): Promise<void> => {
    made.push(step);
    const rulings = (await machine.moves[step.move]?.play(world, step.with)) ?? [];
    for (const [clause, mismatch] of rulings) if (!mismatch) kept.add(clause);
    const broken = rulings.filter(([, mismatch]) => mismatch);
    if (broken.length > 0) throw new SequenceEnded({ steps: made, rulings: broken });
  };

  const commandsOf = (move: string, { draw }: Move<World>): fc.Arbitrary<fc.AsyncCommand<World, Step[]>> =>
    draw.map((given) => {
      const step = { move, with: given };
      return {
        check: (world) => context.hasTime() && isPossible(machine, world as World, step),
        run: (world, made) => make(world, step, made),
        toString: () => describeSteps([step]),
      };
    });

  const inWorld = async (work: (world: World) => Promise<void>): Promise<Broken | undefined> => {
    const world = await machine.begin(context);
    try {
      await work(world);
      return undefined;
    } catch (error) {
      if (error instanceof SequenceEnded) return error.broken;
      throw error;
    } finally {
      await machine.end?.(world);
    }
  };

  return {
    kept,
    play: (steps) =>
      inWorld(async (world) => {
        const made: Step[] = [];
        for (const step of steps) {
          if (!machine.moves[step.move]) throw new CheckEnded('untestable', `there is no move ${step.move}`);
          if (isPossible(machine, world, step)) await make(world, step, made);
        }
      }),
    playDrawn: (budget) =>
      tryDrawn(context, budget, {
        commands: Object.entries(machine.moves).map(([name, move]) => commandsOf(name, move)),
        play: (commands) =>
          inWorld((world) => fc.asyncModelRun(() => ({ model: world, real: [] as Step[] }), commands)),
      }),
  };
}

interface Drawing<World extends object> {
  readonly commands: fc.Arbitrary<fc.AsyncCommand<World, Step[]>>[];
  readonly play: (commands: Iterable<fc.AsyncCommand<World, Step[]>>) => Promise<Broken | undefined>;
}

/** The shortest sequence found that breaks something. @throws anything that a move throws */
async function tryDrawn<World extends object>(
  { random, hasTime }: CheckContext,
  { sequences, movesMost, shrinkTries }: SequenceBudget,
  { commands, play }: Drawing<World>,
): Promise<Broken | undefined> {
  const drawn = fc.limitShrink(fc.commands(commands, { size: 'max', maxCommands: movesMost }), shrinkTries);
  let shortest: Broken | undefined;
  let thrown: { readonly error: unknown } | undefined;
  const holds = async (sequence: Iterable<fc.AsyncCommand<World, Step[]>>): Promise<boolean> => {
    // Anything but a broken clause ends the check: shorter sequences would say no more about it.
    if (thrown || !hasTime()) return true;
    try {
      const broken = await play(sequence);
      shortest = broken ?? shortest;
      return broken === undefined;
    } catch (error) {
      thrown = { error };
      return false;
    }
  };
  const seed = random.stream('sequences').integer(0, 0x7fffffff);
  await fc.check(fc.asyncProperty(drawn, holds), { seed, numRuns: sequences });
  if (thrown) throw thrown.error;
  return shortest;
}

function isPossible<World extends object>(machine: Machine<World>, world: World, step: Step): boolean {
  const move = machine.moves[step.move];
  return move !== undefined && (move.isPossible?.(world, step.with) ?? true);
}

/** `submit(printer 0), cancel(jobs 0 2)`. */
function describeSteps(steps: readonly Step[]): string {
  return steps
    .map(({ move, with: given }) => {
      const told = Object.entries(given).map(([name, value]) => `${name} ${[value].flat().join(' ')}`);
      return `${move}(${told.join(', ')})`;
    })
    .join(', ');
}
