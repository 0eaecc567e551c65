/**
 * Runner: all checks of a run; on a virtual clock one after the other, on a real one as concurrent-run.ts says.
 *
 * After a check that did not pass, or whose requests got no answer, the runner asks whether the target is still
 * there. When it is not, the rest is reported as blocked at once instead of waiting for the target again and again.
 * Where nothing listens any more, so are the checks that saw it go: that says nothing of the clauses they judge.
 */

import { durationMs, type Duration } from '../../common/duration.ts';
import type { Random } from '../../common/random.ts';
import { realTimekeeper } from '../../common/timekeeper.ts';
import { leftAfter } from '../../common/waiter.ts';
import { Press } from '../../devices/press/press.ts';
import type { Endpoint, Level, Span } from '../../specification/clause.ts';
import type { Target } from '../../targets/target.ts';
import { createHttpSender, type HttpSender } from '../../wire/http-exchange.ts';
import type { Check, Lock } from '../check.ts';
import { atOnce } from '../context/pacing.ts';
import { CheckEnded } from '../context/check-ended.ts';
import { createHistory, type History } from '../context/history.ts';
import { createOffers, declaredOffers, type Offers } from '../context/offers.ts';
import { createReader } from '../context/reader.ts';
import { createDialect, type DialectLine, type RunDialect } from '../dialect/dialect.ts';
import { endFrom } from '../verdict/conclude.ts';
import type { CheckOutcome } from '../verdict/outcome.ts';
import { runConcurrently } from './concurrent-run.ts';
import { isEndpointThere } from './endpoint-trial.ts';
import { forecastOf, type Forecast } from './forecast.ts';
import { openLanes, type Lane, type Lanes } from './lanes.ts';
import { isOfIntegrator, locksOf } from './locks.ts';
import { createPlaces } from './places.ts';
import { actTrial } from './act-trial.ts';
import { createPresence } from './presence.ts';
import { createProbes, inProbe, type Probed, type Probes } from './probes.ts';
import { askTime, keepingTime, TIME_QUESTIONS } from './service-time.ts';
import { repeatFailures } from './repetition.ts';
import type { Verdict } from '../../record/words.ts';
import { endBy, INTERRUPTED_CLEANUP_MS, notRun, runCheck, type CheckRun } from './run-check.ts';

export interface RunOptions {
  readonly target: Target;
  readonly checks: readonly Check[];
  readonly random: Random;
  readonly runTag: string;
  /** The level of a clause decides what breaking it means. @throws when the clause is unknown */
  readonly levelOf: (clause: string) => Level;
  /** How long it takes to see a clause: checks that wait begin first. Default: all at once. */
  readonly spanOf?: ((clause: string) => Span) | undefined;
  /** Called before the first check of a run on a real clock. */
  readonly onBegin?: ((forecast: Forecast) => void) | undefined;
  /** Called in the order in which checks end; `ended` counts them from 1, `soFar` is what the run has come to. */
  readonly onCheckEnded?: (outcome: CheckOutcome, ended: number, soFar: () => RunOutcome) => void;
  /** Default: one by one on a virtual clock, overlapping on a real one. */
  readonly order?: 'one-by-one' | 'overlapping';
  /** Exchanges that came before, for what judges the whole run. Default: none. */
  readonly history?: History | undefined;
  /** What was asked before. Default: nothing. */
  readonly dialect?: RunDialect | undefined;
  /** For one check, in real time. */
  readonly checkLimit?: Duration;
  /** For one request, in real time. */
  readonly requestLimit?: Duration;
  /** For a target that restarts, in real time. */
  readonly restartLimit?: Duration;
  /** Ends the run: checks that have not begun are reported as blocked. */
  readonly signal?: AbortSignal | undefined;
  /** Ends it as `signal` does, with time to clean up. */
  readonly enough?: AbortSignal | undefined;
}

export interface RunOutcome {
  readonly outcomes: readonly CheckOutcome[];
  readonly history: History;
  /** API keys of accounts that were made for the run. */
  readonly keys: readonly string[];
  /** What could not be removed after the run. */
  readonly leftBehind: readonly string[];
  /** What the target was found able to do when a check needed it. */
  readonly able: readonly Probed[];
  /** Endpoints that it does not have, and is not declared to lack. */
  readonly missing: readonly Endpoint[];
  /** How it answers what the specification leaves open, as far as checks wanted to know. */
  readonly dialect: readonly DialectLine[];
  /** Why there was one lane only; undefined where there were more, or one is enough. */
  readonly lack: string | undefined;
  /** The rate that it came down to; undefined where the service took what it was sent. */
  readonly slowedTo: number | undefined;
  /** The check during which the target went away; undefined where it stayed. */
  readonly lostIn: string | undefined;
}

/** Each computer of a client program is a chain of processes that start. */
const CHECK_LIMIT = { virtual: '30s', real: '3m', program: '6m' } as const;
const REQUEST_LIMIT = '10s';
const RESTART_LIMIT = '10s';
/** Making accounts costs a few requests, which a handful of checks does not earn back. */
const MANY_CHECKS = 10;
/** A network that lost one answer may well lose the next. */
const LIVENESS_TRIES = 3;

interface Run
  extends Omit<RunOptions, 'history' | 'dialect' | 'signal' | 'enough'>, Omit<CheckRun, 'probes' | 'offers'> {
  readonly senderFrom: (localAddress?: string) => HttpSender;
  readonly sender: HttpSender;
  /** Why no further check begins. */
  blockedBy: CheckEnded | undefined;
  /** In the order in which they ended. */
  readonly ended: CheckOutcome[];
  /** API keys of accounts that are made for the run. */
  keys: readonly string[];
  /** What the trials of acts could not remove. */
  readonly leftByTrials: readonly string[];
}

/** Runs the checks; outcomes in their order. Never throws for anything the target or a check does. */
export async function runChecks(options: RunOptions): Promise<RunOutcome> {
  const { target } = options;
  const clock = target.timekeeper.isVirtual ? 'virtual' : 'real';
  const limitMs = durationMs(options.requestLimit ?? REQUEST_LIMIT);
  const senderFrom = (localAddress?: string): HttpSender =>
    createHttpSender({ limitMs, clock: target.clock, ...(localAddress !== undefined && { localAddress }) });
  const localAddress = otherAddressFor(target);
  const sender = senderFrom();
  const trials: string[] = [];
  const presence = createPresence({ target, sender, restartLimit: options.restartLimit ?? RESTART_LIMIT });
  const hurry = AbortSignal.any([presence.gone, ...(options.signal ? [options.signal] : [])]);
  const signal = options.enough ? AbortSignal.any([hurry, options.enough]) : hurry;
  await using press = new Press(target.clock);
  const run: Run = {
    ...options,
    history: options.history ?? createHistory(),
    dialect: options.dialect ?? createDialect(target.dialect ?? {}, options.runTag),
    reader: createReader(actTrial(options.runTag, trials, signal)),
    leftByTrials: trials,
    press,
    places: createPlaces(),
    // All programs of this machine read the same scales.
    scalePlaces: createPlaces(1),
    senderFrom,
    sender,
    presence,
    signal,
    hurry,
    elsewhere: localAddress === undefined ? undefined : senderFrom(localAddress),
    checkLimitMs: ({ isVirtual }) =>
      durationMs(options.checkLimit ?? CHECK_LIMIT[isVirtual ? 'virtual' : target.link?.program ? 'program' : 'real']),
    blockedBy: undefined,
    ended: [],
    keys: [],
  };
  try {
    const order = options.order ?? (clock === 'virtual' ? 'one-by-one' : 'overlapping');
    return order === 'one-by-one' ? await runInOrder(run) : await runOverlapping(run);
  } finally {
    await run.sender.close();
    await run.elsewhere?.close();
  }
}

/**
 * Linux has all of 127/8 for itself; elsewhere a machine has no second address that is known to reach a
 * target.
 */
function otherAddressFor({ baseUrl }: Target): string | undefined {
  const isLoopback = new URL(baseUrl).hostname.startsWith('127.');
  return isLoopback && process.platform === 'linux' ? '127.0.0.2' : undefined;
}

async function runInOrder(run: Run): Promise<RunOutcome> {
  const { target, sender, checks, history, runTag, dialect, reader } = run;
  const { moved } = target.timekeeper;
  const clockProbe = { target, sender, turns: atOnce(sender), runTag, dialect, reader };
  const leftByClock = moved ? [...(await askTime(clockProbe, moved))] : [];
  const keepTime =
    moved &&
    keepingTime(moved, async (time) => {
      const probe = { ...clockProbe, runTag: `${runTag}-${time}` };
      leftByClock.push(...(await askTime(probe, moved, TIME_QUESTIONS.again)));
    });
  const lanes = await openLanes({
    ...run,
    // One is enough, for all that want an account to themselves.
    accounts: 1,
    rateChecks: 0,
    isOverlapping: false,
    placeOfKey: (lane) => placeOfKey(run, lane),
    isWorthwhile: moved !== undefined && checks.some((check) => locksOf(check).has('account')),
  });
  run.keys = lanes.keys;
  const { probes, offers } = probing(run, lanes);
  const outcomes: CheckOutcome[] = [];
  for (const check of checks) {
    const work = (): Promise<CheckOutcome> => runCheck({ ...run, probes, offers }, check, soloLane(lanes, check));
    outcomes.push(await runUnlessBlocked(run, check, work));
    await keepTime?.();
  }
  // A service whose clock is moved runs elsewhere all the same, and may be late.
  const final = moved ? await repeated(outcomes, run, lanes, { probes, offers }) : outcomes;
  const lines = await dialect.lines();
  const leftBehind = [...leftByClock, ...(await leftBehindBy(final, { probes, lanes }, run))];
  const { keys } = lanes;
  const { lostIn } = run.presence;
  return {
    outcomes: final,
    history,
    able: probes.able,
    missing: [...offers.missing],
    dialect: lines,
    keys,
    leftBehind,
    lack: undefined,
    slowedTo: lanes.shared[0].turns.slowedTo,
    lostIn,
  };
}

/** What is found out of the target along the way. */
function probing(
  { target, runTag, dialect, reader, signal }: Run,
  { shared: [lane] }: Lanes,
): { probes: Probes; offers: Offers } {
  const options = { ...lane, runTag, dialect, reader };
  const leftBehind: string[] = [];
  // An act may be tried for the run just as its answer makes an endpoint doubtful: it would wait for itself.
  const readerOfTrials = createReader(actTrial(`${runTag}-trials`, leftBehind, signal));
  const offers = createOffers(lane.target, (endpoint, seen) => {
    // What is asked in a trial, with something missing, is no answer of the target.
    const dialectOfTrial = createDialect(target.dialect ?? {}, runTag);
    const apart = { dialect: dialectOfTrial, offers: declaredOffers(lane.target), reader: readerOfTrials };
    return isEndpointThere({ ...options, ...apart }, endpoint, { seen, leftBehind });
  });
  return { offers, probes: createProbes({ ...options, offers }, leftBehind) };
}

/** Where an answer has the key of a new account, which lanes work by. */
async function placeOfKey({ runTag, dialect, reader }: Run, lane: Lane): Promise<string | undefined> {
  try {
    return await inProbe({ ...lane, runTag, dialect, reader }, 'lanes', [], ({ speak }) => speak('new-account-keys'));
  } catch (error) {
    if (error instanceof CheckEnded) return undefined;
    throw error;
  }
}

async function runOverlapping(run: Run): Promise<RunOutcome> {
  const { target, senderFrom, checks, runTag, history, dialect } = run;
  const locked = (lock: Lock): number => checks.filter((check) => locksOf(check).has(lock)).length;
  const lanes = await openLanes({
    target,
    senderFrom,
    runTag,
    accounts: locked('account'),
    rateChecks: locked('request-rate'),
    isOverlapping: true,
    placeOfKey: (lane) => placeOfKey(run, lane),
    // A printer that may be used is one of the account itself.
    isWorthwhile: checks.length >= MANY_CHECKS && (target.link !== undefined || target.usePrinter === undefined),
  });
  run.keys = lanes.keys;
  const forecast = forecastOf(checks, lanes, target);
  run.onBegin?.(forecast);
  const { probes, offers } = probing(run, lanes);
  const outcomes = await runConcurrently({
    checks,
    lanes,
    spanOf: run.spanOf ?? (() => 'instant'),
    run: (check, lane) => runUnlessBlocked(run, check, () => runCheck({ ...run, probes, offers }, check, lane)),
  });
  const final = await repeated(outcomes, run, lanes, { probes, offers });
  const leftBehind = await leftBehindBy(final, { probes, lanes }, run);
  const { keys } = lanes;
  const { lack } = forecast;
  const { lostIn } = run.presence;
  return {
    outcomes: final,
    history,
    able: probes.able,
    missing: [...offers.missing],
    dialect: await dialect.lines(),
    keys,
    leftBehind,
    lack,
    slowedTo: lanes.shared[0].turns.slowedTo,
    lostIn,
  };
}

/** What failed, tried once more alone, unless the run is over. */
async function repeated(
  outcomes: readonly CheckOutcome[],
  run: Run,
  lanes: Lanes,
  found: Pick<CheckRun, 'probes' | 'offers'>,
): Promise<readonly CheckOutcome[]> {
  if (run.blockedBy !== undefined || run.signal.aborted) return outcomes;
  return repeatFailures(outcomes, async (check, time) => {
    // A live service remembers names and keys of the times before.
    const again = { ...run, ...found, runTag: `${run.runTag}-again-${time}` };
    return orBlocked(run, await runCheck(again, check, soloLane(lanes, check)));
  });
}

async function leftBehindBy(
  outcomes: readonly CheckOutcome[],
  { probes, lanes }: { readonly probes: Probes; readonly lanes: Lanes },
  { presence, dialect, leftByTrials, hurry }: Run,
): Promise<readonly string[]> {
  const unfinished = ['not cleaned up: Child Accounts of the run, which was interrupted'];
  const inLanes = await leftAfter(lanes.close(), {
    signal: hurry,
    afterMs: INTERRUPTED_CLEANUP_MS,
    instead: unfinished,
  });
  const byChecks = outcomes.flatMap(({ check, leftBehind }) => leftBehind.map((line) => `${check.id}: ${line}`));
  const lost = 'not cleaned up: what checks had made until the target went away';
  if (presence.gone.aborted) return [...byChecks, lost];
  return [...byChecks, ...probes.leftBehind, ...dialect.leftBehind, ...leftByTrials, ...inLanes];
}

/** Where a check works that runs alone: what it locks is free. */
function soloLane({ shared, accounts, quiet }: Lanes, check: Check): Lane {
  const locks = locksOf(check);
  const [lane] = shared;
  const [account] = accounts;
  const [quietLane] = quiet;
  const isOfRate = locks.has('request-rate');
  if (isOfRate && lane.target.timekeeper.moved?.limits === 'real') {
    return { ...lane, target: { ...lane.target, timekeeper: realTimekeeper } };
  }
  if (isOfRate && quietLane) return quietLane;
  return locks.has('account') && account && !isOfIntegrator(check) ? { ...lane, target: account } : lane;
}

async function runUnlessBlocked(run: Run, check: Check, runIt: () => Promise<CheckOutcome>): Promise<CheckOutcome> {
  if (run.signal.aborted) run.blockedBy ??= endBy(run.signal);
  const { blockedBy } = run;
  const outcome = blockedBy === undefined ? await unlessGone(run, check, await runIt()) : notRun(check, blockedBy);
  run.ended.push(outcome);
  run.onCheckEnded?.(outcome, run.ended.length, () => soFarOf(run));
  return outcome;
}

/** Verdicts that a target may bring about by going away. */
const MAY_SHOW_ABSENCE: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'blocked']);

/** An outcome as it is, unless the target had gone: what a check saw of that is no judgement. */
async function unlessGone(run: Run, check: Check, outcome: CheckOutcome): Promise<CheckOutcome> {
  const { gone } = run.presence;
  // An interrupted run asks nothing more.
  if (run.signal.aborted && !gone.aborted) return outcome;
  const maybeAbsent = MAY_SHOW_ABSENCE.has(outcome.verdict) || outcome.wireFailures.length > 0;
  const isSilent = maybeAbsent && !(await isAlive(run, check));
  if (isSilent && !gone.aborted)
    run.blockedBy ??= new CheckEnded('blocked', { kind: 'stopped-answering', name: check.id });
  return orBlocked(run, outcome);
}

/** What was seen of a target that had gone is blocked. */
function orBlocked({ presence: { gone } }: Run, outcome: CheckOutcome): CheckOutcome {
  if (!gone.aborted || !MAY_SHOW_ABSENCE.has(outcome.verdict)) return outcome;
  return { ...outcome, ...endFrom(endBy(gone)), judgements: [] };
}

/** What is made and asked along the way is known at the end only. */
function soFarOf({ ended, history, keys }: Run): RunOutcome {
  const unknown = {
    leftBehind: [],
    able: [],
    missing: [],
    dialect: [],
    lack: undefined,
    slowedTo: undefined,
    lostIn: undefined,
  };
  return { outcomes: [...ended], history, keys, ...unknown };
}

async function isAlive({ presence, sender, target }: Run, { id }: Check): Promise<boolean> {
  const patient = presence.patient(sender, id);
  for (let tries = 0; tries < LIVENESS_TRIES; tries++) {
    const outcome = await patient.send({ method: 'GET', baseUrl: target.baseUrl, path: '/ping', headers: [] });
    if (outcome.ok) return true;
  }
  return false;
}
