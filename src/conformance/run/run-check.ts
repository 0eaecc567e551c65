/**
 * One check: in a context of its own, to a verdict.
 *
 *   check ──► needs met? ──► run ──► judgements ──► verdict
 *                 │           │ too long: inconclusive     │ judged less than its clauses: harness-error
 *                 │           │ exception: harness-error
 *                 └─► untestable, or inconclusive where only time is missing
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { durationMs } from '../../common/duration.ts';
import { messageOf } from '../../common/error-message.ts';
import type { Random } from '../../common/random.ts';
import { monotonicMs, startStopwatch } from '../../common/stopwatch.ts';
import type { Timekeeper } from '../../common/timekeeper.ts';
import { leftAfter, within, WaitExpired } from '../../common/waiter.ts';
import type { Press } from '../../devices/press/press.ts';
import { BeyondProgram } from '../../link/device-link.ts';
import type { Level } from '../../specification/clause.ts';
import type { Target } from '../../targets/target.ts';
import type { Exchange, HttpSender } from '../../wire/http-exchange.ts';
import type { Check } from '../check.ts';
import { readAgain, type Transport } from '../context/api-client.ts';
import { CameTooLate, CheckEnded } from '../context/check-ended.ts';
import { openContext, type CheckContext } from '../context/context.ts';
import type { History } from '../context/history.ts';
import type { Judgement } from '../context/judgement.ts';
import type { Offers } from '../context/offers.ts';
import type { MetDeviation, Reader } from '../context/reader.ts';
import { createTraffic, keepFrames } from '../context/traffic.ts';
import type { RunDialect } from '../dialect/dialect.ts';
import { conclude, endFrom, type End } from '../verdict/conclude.ts';
import type { CheckOutcome } from '../verdict/outcome.ts';
import type { Lane } from './lanes.ts';
import { targetFor } from './locks.ts';
import { firstUnmet, tooLong, unfollowedBy } from './needs.ts';
import { inPlace, type Places } from './places.ts';
import type { Presence } from './presence.ts';
import type { Probes } from './probes.ts';

/** Inputs of each property. Each costs a few requests, which are dear on a live target. */
const PROPERTY_RUNS = { virtual: 40, real: 8 } as const;

/** What the checks of a run share. */
export interface CheckRun {
  readonly history: History;
  /** Sends from another source address. */
  readonly elsewhere: HttpSender | undefined;
  readonly probes: Probes;
  readonly offers: Offers;
  readonly presence: Presence;
  readonly dialect: RunDialect;
  readonly reader: Reader<Transport>;
  /** Draws the documents of all computers that print: it takes a while to start. */
  readonly press: Press;
  readonly places: Places;
  /** For checks with scales. */
  readonly scalePlaces: Places;
  readonly random: Random;
  readonly runTag: string;
  readonly checkLimitMs: (timekeeper: Pick<Timekeeper, 'isVirtual'>) => number;
  readonly levelOf: (clause: string) => Level;
  /** Ends it early, as the reason says; for the user where it says nothing. */
  readonly signal: AbortSignal;
  /** Leaves little time to clean up. */
  readonly hurry: AbortSignal;
}

export function notRun(check: Check, end: End): CheckOutcome {
  const nothing = { judgements: [], exchanges: [], wireFailures: [], met: [], notes: [], unseen: [], leftBehind: [] };
  return { check, ...endFrom(end), ...nothing, traffic: createTraffic(), startMs: 0, waitedMs: 0, durationMs: 0 };
}

/** A check that ended for a trial, which makes things that it might have seen. */
interface Postponed {
  readonly leftBehind: readonly string[];
}

/** Runs a check; once more after each trial that it needs, which is made when it has ended. */
export async function runCheck(run: CheckRun, check: Check, lane: Lane): Promise<CheckOutcome> {
  const leftBehind: string[] = [];
  for (let time = 1; ; time++) {
    // A live service remembers names and keys of the times before.
    const again = time === 1 ? run : { ...run, runTag: `${run.runTag}-${time}` };
    const ended = await tryCheck(again, check, lane);
    leftBehind.push(...ended.leftBehind);
    if ('verdict' in ended) return { ...ended, leftBehind };
  }
}

async function tryCheck(run: CheckRun, check: Check, lane: Lane): Promise<CheckOutcome | Postponed> {
  const target = targetFor(check, lane);
  const unmet = await unmetNeed(run, check, target);
  if (unmet) return notRun(check, unmet);
  const elapsedMs = startStopwatch();
  const printedBefore = target.program?.lineCount ?? 0;
  const startMs = monotonicMs();
  const { transport, over, waits, link, idle, doubts } = openSending(run, check, lane);
  const { traffic } = transport;
  const open = openContext({
    checkId: check.id,
    transport,
    random: run.random.stream(check.id),
    runTag: run.runTag,
    propertyRuns: target.timekeeper.isVirtual ? PROPERTY_RUNS.virtual : PROPERTY_RUNS.real,
    speak: (question) => run.dialect.speak(question, transport),
  });
  const work = async (): Promise<void> => {
    try {
      await check.run(open.context);
    } finally {
      for (const exchange of doubts) await readAgain(transport, exchange);
    }
  };
  const { stack, isTooLate, ...end } = await endOf({ ...check, run: work }, open.context, run, idle);
  over.abort(new CheckEnded('inconclusive', `${check.id} is over`));
  const exchanges = [...transport.exchanges];
  const judgements = withDeviations(check, open.findings.judgements, transport.met);
  const unfinished = ['not cleaned up: the run was interrupted'];
  const leaving = { signal: run.hurry, afterMs: INTERRUPTED_CLEANUP_MS, instead: unfinished };
  const problems = await leftAfter(open.close(), leaving);
  // The run says it once, of all checks.
  const leftBehind = run.presence.gone.aborted ? [] : problems;
  if (link !== target.link) await link?.program?.close();
  if (doubts.length > 0 && !run.signal.aborted) return { leftBehind };
  const { unseen } = open.findings;
  const concluded = conclude(check, judgements, { ...end, unseen, isPartial: open.isPartial }, run.levelOf);
  const printed = concluded.message === '' ? [] : printedSince(printedBefore, target);
  return {
    check,
    ...concluded,
    judgements,
    exchanges,
    wireFailures: transport.wireFailures,
    met: [...transport.met],
    traffic,
    startMs,
    notes: [...open.findings.notes, ...leftBehind, ...printed],
    unseen: [...unseen],
    leftBehind,
    waitedMs: waits.waitedMs,
    ...(stack !== undefined && { stack }),
    ...(isTooLate && { isTooLate }),
    durationMs: elapsedMs(),
  };
}

/** What a check sends with, and what of that is known when it has ended. */
interface Sending {
  readonly transport: Transport;
  /** Ends what it sends. */
  readonly over: AbortController;
  readonly waits: CountingTimekeeper;
  readonly link: Target['link'];
  readonly idle: Idleness;
  /** What has to be tried before it can go on. */
  readonly doubts: readonly Exchange[];
}

function openSending(run: CheckRun, check: Check, lane: Lane): Sending {
  const { turns } = lane;
  const target = targetFor(check, lane);
  const over = new AbortController();
  const traffic = createTraffic();
  const idle = watchIdleness();
  const { presence, elsewhere } = run;
  const doubts: Exchange[] = [];
  const patient = (sender: HttpSender): HttpSender => presence.patient(sender, check.id);
  const programLink = target.link?.program?.scope();
  const places = check.needs.includes('scale') ? run.scalePlaces : run.places;
  const link = programLink ? inPlace(programLink, () => idle.during(places.take())) : target.link;
  const waits = countWaits(target, idle, () => (over.signal.aborted ? undefined : run.signal));
  const transport: Transport = {
    target: { ...target, timekeeper: waits, link: link && keepFrames(link, traffic) },
    sender: patient(lane.sender),
    elsewhere: elsewhere && patient(elsewhere),
    history: run.history,
    press: run.press,
    offers: run.offers,
    turns: {
      ...turns,
      async next(headers) {
        presence.gone.throwIfAborted();
        return patient(await idle.during(turns.next(headers)));
      },
    },
    waitedMs: () => waits.waitedMs,
    exchanges: [],
    wireFailures: [],
    reader: run.reader,
    met: [],
    postpone(exchange) {
      // A check that is over looks at nothing any more.
      if (over.signal.aborted) return;
      doubts.push(exchange);
      throw new CheckEnded('inconclusive', 'what it met has to be tried first');
    },
    traffic,
    jobIds: [],
    idNameOf: (question, isUnclear) => run.dialect.speakIf(isUnclear, question, transport),
    webhookUrls: new Set(),
    signal: over.signal,
  };
  return { transport, over, waits, link, idle, doubts };
}

/** What the service printed meanwhile, where platen started it; the last of it if that is much. */
function printedSince(before: number, { program }: Target): readonly string[] {
  const count = (program?.lineCount ?? 0) - before;
  const lines = count > 0 ? (program?.lines.slice(-count) ?? []) : [];
  return lines.length === 0 ? [] : [['the service printed', ...lines].join('\n')];
}

/** What a check judged; what it met that its clauses print, and read as printed, breaks them. */
function withDeviations(
  { clauses }: Check,
  judgements: readonly Judgement[],
  met: readonly MetDeviation[],
): readonly Judgement[] {
  const broken = new Set(judgements.flatMap(({ clause, mismatch }) => (mismatch ? [clause] : [])));
  const firstMet = met.filter(
    ({ deviation: { id } }, index) => met.findIndex(({ deviation }) => deviation.id === id) === index,
  );
  const found = firstMet.flatMap(({ deviation: { clauses: printing, at, expected, actual, wanted }, exchange }) =>
    printing
      .filter((clause) => clauses.includes(clause) && !broken.has(clause))
      .map((clause): Judgement => ({
        clause,
        mismatch: { at, expected, actual, exchange, ...(wanted && { wanted }) },
      })),
  );
  return [...judgements, ...found];
}

/** A probe may be under way when the run ends, and wait for what does not come any more. */
async function unmetNeed(
  { probes, offers, signal }: CheckRun,
  { id, needs }: Check,
  target: Target,
): Promise<End | undefined> {
  const unfollowed = unfollowedBy(id, target);
  if (unfollowed) return unfollowed;
  try {
    return await unlessInterrupted(firstUnmet(needs, target, { probes, offers }), signal);
  } catch (error) {
    if (error instanceof CheckEnded) return error;
    throw error;
  }
}

interface CountingTimekeeper extends Timekeeper {
  waitedMs: number;
}

/** A timekeeper that adds up the time its check lets go by, and ends a check that would wait too long. */
function countWaits(
  { timekeeper, waitsMs }: Target,
  idle: Idleness,
  interruption: () => AbortSignal | undefined,
): CountingTimekeeper {
  const counting: CountingTimekeeper = {
    ...timekeeper,
    waitedMs: 0,
    async elapse(duration) {
      const waitedMs = counting.waitedMs + durationMs(duration);
      if (!timekeeper.isVirtual && waitsMs !== undefined && waitedMs > waitsMs) {
        const { message } = tooLong(waitsMs);
        throw new CheckEnded('too-long', message);
      }
      counting.waitedMs = waitedMs;
      // A wait that outlived the run would keep the process alive; what was made is removed in its own time.
      const wait = timekeeper.elapse(duration, interruption());
      await (timekeeper.isVirtual ? idle.during(wait) : wait);
    },
  };
  return counting;
}

/** Real time in which a check can do nothing: it waits for its turn to send, or for a clock to be moved. */
interface Idleness {
  readonly ms: () => number;
  during<Result>(wait: Promise<Result>): Promise<Result>;
}

function watchIdleness(): Idleness {
  let endedMs = 0;
  let waits = 0;
  let sinceMs: (() => number) | undefined;
  return {
    ms: () => endedMs + (sinceMs?.() ?? 0),
    async during(wait) {
      if (waits++ === 0) sinceMs = startStopwatch();
      try {
        return await wait;
      } finally {
        if (--waits === 0) {
          endedMs += sinceMs?.() ?? 0;
          sinceMs = undefined;
        }
      }
    },
  };
}

/** As `within`, of the time that is the check's own. @throws WaitExpired at the limit */
async function withinOwnTime(work: Promise<void>, check: Check, limitMs: number, idle: Idleness): Promise<void> {
  const description = `the end of ${check.id}`;
  const elapsedMs = startStopwatch();
  const leftMs = (): number => Math.max(0, limitMs + idle.ms() - elapsedMs());
  for (;;) {
    try {
      return await within(work, { description, limit: leftMs() });
    } catch (error) {
      if (!(error instanceof WaitExpired) || error.description !== description) throw error;
      if (leftMs() <= 0) throw new WaitExpired(description, limitMs);
    }
  }
}

/** How the run of a check ended, whatever it judged. */
async function endOf(check: Check, context: CheckContext, run: CheckRun, idle: Idleness): Promise<End> {
  try {
    const limitMs = run.checkLimitMs(context.target.timekeeper);
    await withinOwnTime(unlessInterrupted(check.run(context), run.signal), check, limitMs, idle);
    return { verdict: 'pass', message: '' };
  } catch (error) {
    if (error instanceof CameTooLate) return { ...endFrom(error), isTooLate: true };
    if (error instanceof CheckEnded) return endFrom(error);
    if (error instanceof BeyondProgram) return { verdict: 'untestable', message: error.message };
    if (error instanceof WaitExpired) return { verdict: 'inconclusive', message: error.message };
    // Something beside platen and the service failed, such as a hook, and the message says what.
    if (error instanceof ActionableError) return { verdict: 'inconclusive', message: error.message };
    const stack = error instanceof Error ? error.stack : undefined;
    return { verdict: 'harness-error', message: messageOf(error), stack };
  }
}

/** How checks end that are under way when this ends the run. */
export function endBy({ reason }: AbortSignal): CheckEnded {
  return reason instanceof CheckEnded ? reason : new CheckEnded('blocked', { kind: 'interrupted' });
}

/** How long what was made on a target may take to remove, once the run is interrupted. */
export const INTERRUPTED_CLEANUP_MS = 500;

/** A check that is under way when the run is interrupted may have a long wait before it. */
function unlessInterrupted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  const stop = (): void => reject(endBy(signal));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  return promise;
}
