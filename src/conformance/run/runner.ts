/**
 * Runner: each check in a context of its own; on a virtual clock one after the other, on a real one
 * as concurrent-run.ts has it.
 *
 *   check ──► needs met? ──► run ──► judgements ──► verdict
 *                 │           │ too long: inconclusive     │ judged less than declared: harness-error
 *                 │           │ exception: harness-error
 *                 └─► untestable, or inconclusive where only time is missing
 *
 * After a check whose requests got no answer the target is asked whether it is still there. When it is
 * not, the rest is reported as blocked at once instead of waiting for it again and again.
 */

import { durationMs, type Duration } from '../../common/duration.ts';
import { messageOf } from '../../common/error-message.ts';
import type { Random } from '../../common/random.ts';
import { startStopwatch } from '../../common/stopwatch.ts';
import type { Timekeeper } from '../../common/timekeeper.ts';
import { within, WaitExpired } from '../../common/waiter.ts';
import { describeMismatch } from '../../oracle/mismatch.ts';
import type { Verdict } from '../../record/words.ts';
import type { Level, Need, Span } from '../../spec/clause.ts';
import type { Target } from '../../target/target.ts';
import { createHttpSender, type HttpSender } from '../../wire/http-exchange.ts';
import type { Check, Lock } from '../check.ts';
import type { Transport } from '../context/api-client.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { openContext, type OpenContext } from '../context/context.ts';
import { createHistory, type History } from '../context/history.ts';
import type { Judgement, Step } from '../context/judgement.ts';
import type { CheckOutcome } from '../verdict/outcome.ts';
import { BROKEN, worstOf } from '../verdict/verdict.ts';
import { runConcurrently } from './concurrent-run.ts';
import { openWorkplaces, singleWorkplace, type Workplace, type Workplaces } from './lanes.ts';
import { locksOf } from './locks.ts';
import { createProbes, isProbed, type Probed, type Probes } from './probes.ts';
import { repeatFailures } from './repetition.ts';

export interface RunOptions {
  readonly target: Target;
  readonly checks: readonly Check[];
  readonly random: Random;
  readonly runTag: string;
  /** The level of a clause decides what breaking it means. @throws when the clause is unknown */
  readonly levelOf: (clause: string) => Level;
  /** How long it takes to see a clause: checks that wait begin first. Default: all at once. */
  readonly spanOf?: (clause: string) => Span;
  /** Called in the order in which checks end; `ended` counts them from 1. */
  readonly onCheckEnded?: (outcome: CheckOutcome, ended: number) => void;
  /** Default: one by one on a virtual clock, overlapping on a real one. */
  readonly order?: 'one-by-one' | 'overlapping';
  /** For one check, in real time. */
  readonly checkLimit?: Duration;
  /** For one request, in real time. */
  readonly requestLimit?: Duration;
  /** Sequences of moves to repeat, by check, in place of drawn ones. */
  readonly sequences?: Readonly<Record<string, readonly Step[]>>;
  /** Ends the run: checks that have not begun are reported as blocked. */
  readonly signal?: AbortSignal;
}

export interface RunOutcome {
  readonly outcomes: readonly CheckOutcome[];
  readonly history: History;
  /** API keys of accounts that were made for the run. */
  readonly keys: readonly string[];
  /** What could not be removed behind the run. */
  readonly leftBehind: readonly string[];
  /** What the target was found able to do when a check needed it. */
  readonly able: readonly Probed[];
}

const CHECK_LIMIT_VIRTUAL = '30s';
const CHECK_LIMIT_REAL = '3m';
const REQUEST_LIMIT = '10s';
const INTERRUPTED = 'the run was interrupted';
/** Making accounts costs a few requests, which a handful of checks does not earn back. */
const MANY_CHECKS = 10;
/** A network that lost one answer may well lose the next. */
const LIVENESS_TRIES = 3;
/** Inputs of each property. Each costs a few requests, which are dear on a live target. */
const PROPERTY_RUNS = { virtual: 40, real: 8 } as const;

/** A run that has found out nothing about the target yet. */
type RunToBe = Omit<Run, 'probes'>;

interface Run extends RunOptions {
  readonly history: History;
  readonly sender: HttpSender;
  readonly elsewhere: HttpSender | undefined;
  readonly checkLimitMs: number;
  readonly probes: Probes;
  /** Why no further check begins. */
  blockedBy: string | undefined;
  ended: number;
}

/** Runs the checks; outcomes in their order. Never throws for anything the target or a check does. */
export async function runChecks(options: RunOptions): Promise<RunOutcome> {
  const { target } = options;
  const limitMs = durationMs(options.requestLimit ?? REQUEST_LIMIT);
  const senderFrom = (localAddress?: string): HttpSender =>
    createHttpSender({ limitMs, clock: target.clock, ...(localAddress !== undefined && { localAddress }) });
  const localAddress = otherAddressFor(target);
  const run: RunToBe = {
    ...options,
    history: createHistory(),
    sender: senderFrom(),
    elsewhere: localAddress === undefined ? undefined : senderFrom(localAddress),
    checkLimitMs: durationMs(
      options.checkLimit ?? (target.timekeeper.isVirtual ? CHECK_LIMIT_VIRTUAL : CHECK_LIMIT_REAL),
    ),
    blockedBy: undefined,
    ended: 0,
  };
  try {
    const order = options.order ?? (target.timekeeper.isVirtual ? 'one-by-one' : 'overlapping');
    return order === 'one-by-one' ? await runInOrder(run) : await runOverlapping(run, senderFrom);
  } finally {
    await run.sender.close();
    await run.elsewhere?.close();
  }
}

/** Linux has all of 127/8 for itself; elsewhere a machine has no second address that is known to reach a target. */
function otherAddressFor({ baseUrl }: Target): string | undefined {
  const isLoopback = new URL(baseUrl).hostname.startsWith('127.');
  return isLoopback && process.platform === 'linux' ? '127.0.0.2' : undefined;
}

async function runInOrder(begun: RunToBe): Promise<RunOutcome> {
  const place = singleWorkplace(begun.target, begun.sender);
  const probes = createProbes({ ...place, runTag: begun.runTag });
  const run = { ...begun, probes };
  const outcomes: CheckOutcome[] = [];
  for (const check of run.checks) outcomes.push(await runUnlessBlocked(run, check, place));
  return { outcomes, history: run.history, able: probes.able, keys: [], leftBehind: [] };
}

async function runOverlapping(
  begun: RunToBe,
  senderFrom: (localAddress?: string) => HttpSender,
): Promise<RunOutcome> {
  const { target, checks, runTag, history } = begun;
  const locked = (lock: Lock): number => checks.filter((check) => locksOf(check).has(lock)).length;
  const places = await openWorkplaces({
    target,
    senderFrom,
    runTag,
    rooms: locked('account'),
    needsYard: locked('request-rate') > 0,
    isWorthwhile: checks.length >= MANY_CHECKS,
  });
  const probes = createProbes({ ...places.lanes[0], runTag });
  const run = { ...begun, probes };
  const outcomes = await runConcurrently({
    checks,
    places,
    spanOf: run.spanOf ?? (() => 'instant'),
    run: (check, place) => runUnlessBlocked(run, check, place),
  });
  const runAlone = (check: Check): Promise<CheckOutcome> =>
    // A live service remembers names and keys of the first time.
    runOne({ ...run, runTag: `${runTag}-again` }, check, soloPlace(places, check));
  const isOver = run.blockedBy !== undefined || run.signal?.aborted === true;
  const final = isOver ? outcomes : await repeatFailures(outcomes, runAlone);
  const leftBehind = await places.close();
  return { outcomes: final, history, able: probes.able, keys: places.keys, leftBehind };
}

/** Where a check works that is the only one: what it locks it has. */
function soloPlace({ lanes, rooms, yard, inRoom }: Workplaces, check: Check): Workplace {
  const locks = locksOf(check);
  const [lane] = lanes;
  const [room] = rooms;
  if (locks.has('request-rate') && yard) return yard;
  return locks.has('account') && room ? inRoom(lane, room) : lane;
}

async function runUnlessBlocked(run: Run, check: Check, place: Workplace): Promise<CheckOutcome> {
  if (run.signal?.aborted) run.blockedBy ??= INTERRUPTED;
  const outcome = run.blockedBy ? notRun(check, 'blocked', run.blockedBy) : await runOne(run, check, place);
  run.ended++;
  run.onCheckEnded?.(outcome, run.ended);
  if (outcome.wireFailures.length > 0 && !(await isAlive(run))) {
    run.blockedBy ??= `the target stopped answering during ${check.id}`;
  }
  return outcome;
}

async function isAlive({ sender, target }: Run): Promise<boolean> {
  for (let tries = 0; tries < LIVENESS_TRIES; tries++) {
    const outcome = await sender.send({ method: 'GET', baseUrl: target.baseUrl, path: '/ping', headers: [] });
    if (outcome.ok) return true;
  }
  return false;
}

function notRun(check: Check, verdict: Verdict, message: string): CheckOutcome {
  return {
    check,
    verdict,
    message,
    judgements: [],
    exchanges: [],
    wireFailures: [],
    notes: [],
    waitedMs: 0,
    durationMs: 0,
  };
}

async function runOne(run: Run, check: Check, anyPlace: Workplace): Promise<CheckOutcome> {
  const place = placeFor(check, anyPlace);
  const missing = await firstUnmet(check.needs, place.target, run.probes);
  if (missing) return notRun(check, missing.verdict, missing.message);
  const elapsedMs = startStopwatch();
  const over = new AbortController();
  const waits = countWaits(place.target.timekeeper, run.signal);
  const transport: Transport = {
    target: { ...place.target, timekeeper: waits },
    sender: place.sender,
    elsewhere: run.elsewhere,
    history: run.history,
    pace: place.pace,
    waitedMs: () => waits.waitedMs,
    exchanges: [],
    wireFailures: [],
    jobIds: [],
    webhookUrls: new Set(),
    signal: over.signal,
  };
  const random = run.random.stream(check.id);
  const propertyRuns = run.target.timekeeper.isVirtual ? PROPERTY_RUNS.virtual : PROPERTY_RUNS.real;
  const open = openContext({
    checkId: check.id,
    transport,
    random,
    runTag: run.runTag,
    propertyRuns,
    sequence: run.sequences?.[check.id],
  });
  const end = await endOf(check, open, run);
  over.abort(new CheckEnded('inconclusive', `${check.id} is over`));
  const exchanges = [...transport.exchanges];
  const judgements = [...open.judgements];
  await open.close();
  const sequence = open.keptSequence();
  const { verdict, message } = conclude(check, judgements, end, run.levelOf);
  return {
    check,
    verdict,
    message,
    judgements,
    exchanges,
    wireFailures: transport.wireFailures,
    notes: [...open.notes],
    waitedMs: waits.waitedMs,
    ...(sequence && { sequence }),
    ...(end.stack === undefined ? {} : { stack: end.stack }),
    durationMs: elapsedMs(),
  };
}

/** Checks of Child Accounts work in the Integrator Account, where that is another one. */
function placeFor({ needs }: Check, place: Workplace): Workplace {
  const { integratorApiKey, ...target } = place.target;
  const isMeant = needs.some((need) => need === 'integrator' || need === 'child-account');
  if (!isMeant || integratorApiKey === undefined) return place;
  return { ...place, target: { ...target, apiKey: integratorApiKey, isIntegrator: true } };
}

interface CountingTimekeeper extends Timekeeper {
  waitedMs: number;
}

/** A timekeeper that adds up what its check lets go by. */
function countWaits(timekeeper: Timekeeper, signal: AbortSignal | undefined): CountingTimekeeper {
  const counting: CountingTimekeeper = {
    ...timekeeper,
    waitedMs: 0,
    elapse(duration) {
      counting.waitedMs += durationMs(duration);
      // A wait that was left behind would keep the process alive.
      return timekeeper.elapse(duration, signal);
    },
  };
  return counting;
}

interface End {
  readonly verdict: Verdict;
  readonly message: string;
  readonly stack?: string;
}

/** A check that is under way when the run is interrupted may have a long wait before it. */
function unlessInterrupted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new CheckEnded('blocked', INTERRUPTED));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** How the run of a check ended, whatever it judged. */
async function endOf(check: Check, { context }: OpenContext, run: Run): Promise<End> {
  const limit = { description: `the end of ${check.id}`, limit: run.checkLimitMs };
  try {
    await within(unlessInterrupted(check.run(context), run.signal), limit);
    return { verdict: 'pass', message: '' };
  } catch (error) {
    if (error instanceof CheckEnded) return { verdict: error.verdict, message: error.message };
    if (error instanceof WaitExpired) return { verdict: 'inconclusive', message: error.message };
    const message = messageOf(error);
    const stack = error instanceof Error ? error.stack : undefined;
    return { verdict: 'harness-error', message, ...(stack === undefined ? {} : { stack }) };
  }
}

/** The verdict of what was judged and how it ended; the worst counts. */
function conclude(
  check: Check,
  judgements: readonly Judgement[],
  end: End,
  levelOf: (clause: string) => Level,
): { readonly verdict: Verdict; readonly message: string } {
  const verdicts = judgements.map((judgement) => verdictOf(judgement, levelOf));
  const judged = worstOf(verdicts);
  const worst = worstOf([judged, end.verdict]);
  const fault = GOOD.has(worst) ? incompleteness(check, judgements) : undefined;
  if (fault) return fault;
  if (worst === judged && judged !== 'pass') {
    const first = judgements[verdicts.indexOf(judged)];
    return { verdict: judged, message: first ? describeJudgement(first) : end.message };
  }
  return { verdict: worst, message: end.message };
}

/** Verdicts that stand only where everything declared was judged. */
const GOOD: ReadonlySet<Verdict> = new Set(['pass', 'observed', 'warn']);

function verdictOf(
  { clause, mismatch, observation }: Judgement,
  levelOf: (clause: string) => Level,
): Verdict {
  if (mismatch) return BROKEN[levelOf(clause)];
  return observation === undefined ? 'pass' : 'observed';
}

function describeJudgement({ mismatch, observation }: Judgement): string {
  return mismatch ? describeMismatch(mismatch) : (observation ?? '');
}

/** A check that judges less than its clauses, or another clause. */
function incompleteness(check: Check, judgements: readonly Judgement[]): End | undefined {
  const judged = new Set(judgements.map((judgement) => judgement.clause));
  const silent = check.clauses.filter((clause) => !judged.has(clause));
  const undeclared = [...judged].filter((clause) => !check.clauses.includes(clause));
  if (silent.length === 0 && undeclared.length === 0) return undefined;
  const parts = [
    silent.length > 0 ? `did not judge ${silent.join(', ')}` : '',
    undeclared.length > 0
      ? `judged ${undeclared.join(', ')}, not among its clauses (npm run prove emitted lists them)`
      : '',
  ];
  return { verdict: 'harness-error', message: `the check ${parts.filter(Boolean).join(' and ')}` };
}

interface Unmet {
  readonly verdict: Verdict;
  readonly message: string;
}

/** The first need that the target does not meet; what must be tried is tried last. */
async function firstUnmet(
  needs: readonly Need[],
  target: Target,
  probes: Probes,
): Promise<Unmet | undefined> {
  for (const need of needs) {
    if (target.absent?.includes(need) === true) {
      return { verdict: 'not-applicable', message: `the target is declared to lack: ${need}` };
    }
    const missing = UNMET[need]?.(target);
    if (missing) return missing;
  }
  for (const need of needs) {
    const reason = isProbed(need) ? await probes.whyNot(need) : undefined;
    if (reason !== undefined) return { verdict: 'untestable', message: `needs a ${need}: ${reason}` };
  }
  return undefined;
}

function needsIntegrator({ isIntegrator }: Target): Unmet | undefined {
  if (isIntegrator) return undefined;
  return { verdict: 'untestable', message: 'needs the key of an Integrator Account' };
}

const NO_LINK: Unmet = {
  verdict: 'untestable',
  message: 'needs a computer, and the target has no link',
};

/** What a need asks of the target; a need that is not listed can be met anywhere. */
const UNMET: Readonly<Partial<Record<Need, (target: Target) => Unmet | undefined>>> = {
  computer: ({ link }) => (link ? undefined : NO_LINK),
  scale: ({ link }) => (link ? undefined : NO_LINK),
  'second-account': ({ secondApiKey }) =>
    secondApiKey === undefined
      ? { verdict: 'untestable', message: 'needs the key of a second account' }
      : undefined,
  integrator: needsIntegrator,
  'child-account': needsIntegrator,
  'virtual-clock': ({ timekeeper }) =>
    timekeeper.isVirtual
      ? undefined
      : { verdict: 'inconclusive', message: 'takes longer than anyone waits on a real clock' },
};
