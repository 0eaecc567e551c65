/**
 * Shared run: the checks of a run in this process and in others, each of which has a service of its own.
 *
 *   checks ─► dealt ─┬─► this process ───┬─► joined in the order of the checks ─► what judges the whole run, here
 *                    └─► other processes ┘
 *
 * Who runs which check follows from the list alone, so that a run of the same seed is the same run.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { messageOf } from '../../common/error-message.ts';
import { createRandom } from '../../common/random.ts';
import type { Check } from '../check.ts';
import { createDialect, type DialectLine } from '../dialect/dialect.ts';
import { CheckEnded } from '../context/check-ended.ts';
import type { CheckProcess } from './check-processes.ts';
import { joinPieces, runPieces, type Piece, type RunRemainder } from './pieces.ts';
import { notRun } from './run-check.ts';
import { runChecks, type RunOptions, type RunOutcome } from './runner.ts';

export interface SharedRunOptions extends RunOptions {
  readonly others: readonly Pick<CheckProcess, 'run'>[];
  readonly seed: number;
  readonly strict: boolean;
}

/** As runChecks. What a process did not come to that is lost is reported as blocked. */
export async function runShared(options: SharedRunOptions): Promise<RunOutcome> {
  const { target, checks, others, seed, strict, runTag, onCheckEnded } = options;
  const dialect = createDialect(target.dialect ?? {}, runTag);
  const { signal, enough } = options;
  const stop = AbortSignal.any([signal, enough].flatMap((one) => one ?? []));
  const pieces = new Map<string, Piece>();
  const join = (): ReturnType<typeof joinPieces> => joinPieces(checks.flatMap(({ id }) => pieces.get(id) ?? []));
  const onPiece = (piece: Piece): void => {
    pieces.set(piece.outcome.check.id, piece);
    onCheckEnded?.(piece.outcome, pieces.size, () => ({ ...join(), ...remainderOf([]) }));
  };
  const [own = [], ...parts] = dealChecks(
    checks.filter(({ runsLast }) => !runsLast),
    others.length + 1,
  );
  const working = [
    runPieces({ ...options, dialect, checks: own }, onPiece),
    ...others.map((other, index) => {
      // What they make has names of its own: a key leads to one account, by whatever name it is meant.
      const tag = createRandom(`${runTag}/${index}`).hex(8);
      const part = parts[index] ?? [];
      return other.run({ checks: part, seed, strict, runTag: tag, signal: stop }, onPiece).catch((error: unknown) => {
        for (const piece of notRunPieces(part, pieces, error)) pieces.set(piece.outcome.check.id, piece);
        return remainderOf([]);
      });
    }),
  ];
  const remainders = await Promise.all(working);

  const { outcomes, history } = join();
  const last = await runChecks({
    ...options,
    history,
    dialect,
    checks: checks.filter(({ runsLast }) => runsLast),
    onCheckEnded: (outcome, ended, soFar) =>
      onCheckEnded?.(outcome, outcomes.length + ended, () => {
        const { outcomes: ofLast, ...rest } = soFar();
        return { ...rest, outcomes: [...outcomes, ...ofLast] };
      }),
  });
  return { outcomes: [...outcomes, ...last.outcomes], history, ...remainderOf([...remainders, last]) };
}

/** The checks that a lost process did not end: the first was under way, the others had not begun. */
function notRunPieces(part: readonly Check[], ended: ReadonlyMap<string, Piece>, error: unknown): readonly Piece[] {
  const [broken, ...others] = part.filter(({ id }) => !ended.has(id));
  const message = error instanceof ActionableError ? `${error.message}. ${error.nextStep}` : messageOf(error);
  return [
    ...(broken ? [notRun(broken, { verdict: 'harness-error', message })] : []),
    ...others.map((check) => notRun(check, new CheckEnded('blocked', { kind: 'process-lost' }))),
  ].map((outcome) => ({ outcome, first: 0, exchanges: [] }));
}

/** How many other checks take as long as one with bodies of many megabytes. */
const OTHERS_IN_LARGE = 50;

/**
 * Deals each check to the part that has least to do. Those with bodies of many megabytes are for the first part,
 * that of this process: to send such bodies to it from another one costs more than the checks do.
 */
export function dealChecks(checks: readonly Check[], parts: number): readonly (readonly Check[])[] {
  const dealt: Check[][] = Array.from({ length: parts }, () => []);
  const loads = dealt.map((_, part) => (part === 0 ? checks.filter(isLarge).length * OTHERS_IN_LARGE : 0));
  for (const check of checks) {
    const part = isLarge(check) ? 0 : loads.indexOf(Math.min(...loads));
    dealt[part]?.push(check);
    if (!isLarge(check)) loads[part] = (loads[part] ?? 0) + 1;
  }
  return dealt;
}

const isLarge = ({ needs }: Check): boolean => needs.includes('large-body');

function remainderOf(all: readonly RunRemainder[]): RunRemainder {
  return {
    keys: all.flatMap(({ keys }) => keys),
    leftBehind: [...new Set(all.flatMap(({ leftBehind }) => leftBehind))],
    able: [...new Set(all.flatMap(({ able }) => able))],
    // The reference service has all of them.
    missing: [],
    dialect: oneOfEach(all.flatMap(({ dialect }) => dialect)),
    lack: undefined,
    slowedTo: undefined,
    lostIn: undefined,
  };
}

/** The first answer to each question. */
function oneOfEach(lines: readonly DialectLine[]): readonly DialectLine[] {
  const answeredLast = lines.toSorted((left, right) => Number(isAnswered(left)) - Number(isAnswered(right)));
  const byQuestion = new Map(answeredLast.map((line) => [line.question, line]));
  return [...byQuestion.values()].toSorted((left, right) => (left.question < right.question ? -1 : 1));
}

const isAnswered = ({ source }: DialectLine): boolean => source !== 'not-found-out';
