/**
 * Judge of print job states: each history that was shown must be that of its job, as far as it was seen from outside.
 */

import { isObject, type JsonObject } from '../../common/json-value.ts';
import { datetimeMs } from '../../common/timestamp.ts';
import { isDeepStrictEqual } from 'node:util';

import type { ClauseId } from '../../specification/clauses.ts';
import { PRINT_JOB_STATE_FIELDS } from '../../specification/fields.ts';
import { AGE_ROUNDING_MS } from '../invariants.ts';
import { partsOf, type AccountJudge, type Findings } from './account-judge.ts';
import { FactJudge, jobsAt, type Facts, type JobFacts } from './job-facts.ts';
import type { Presence } from './presence.ts';
import type { Observation, SeenExchange, SeenReport } from './observation.ts';

const FIELDS = Object.entries(PRINT_JOB_STATE_FIELDS).map(([field, printed]) => ({
  field,
  notNull: 'notNull' in printed ? printed.notNull : undefined,
}));
/** What a timer of a service may take on a real clock. */
const SLACK_MS = 2_000;

/** A state as it was shown. */
interface Shown {
  readonly record: JsonObject;
  readonly name: unknown;
  /** NaN where its time cannot be read: then nothing is judged by it. */
  readonly atMs: number;
}

export class StateJudge extends FactJudge implements AccountJudge {
  readonly #presence: Presence;
  readonly #before = new Map<number, readonly JsonObject[]>();
  /** The place of the last answer or quiet: what was seen before it was seen before the next request was sent. */
  #settledPlace = 0;

  constructor(findings: Findings, facts: Facts, presence: Presence) {
    super(findings, facts);
    this.#presence = presence;
  }

  see(observation: Observation, place: number): void {
    if (observation.kind === 'exchange') this.#seeExchange(observation, place);
    if (observation.kind === 'exchange' || observation.kind === 'quiet') this.#settledPlace = place;
  }

  #seeExchange(observation: SeenExchange, place: number): void {
    const { method, path, status, at, query } = partsOf(observation);
    if (method !== 'GET' || status !== 200 || !/^\/printjobs\/([^/]+\/)?states\/?$/.test(path)) return;
    const histories = readHistories(observation.value);
    const account = this.facts.identities.accountOf(observation);
    const named = jobsAt(path, account, this.facts.jobs.values());
    const isShown = histories !== undefined;
    this.findings.hold('print-jobs/states-set', at, isShown, 'states of print jobs', observation.value);
    if (!isShown || !named) return;
    const asked = new Set(named.map(({ id }) => id));
    for (const [id, history] of histories) {
      const job = this.facts.jobs.get(id);
      if (job) this.findings.hold('print-jobs/states-set-only', at, asked.has(id), 'jobs of the set', `job ${id}`);
      if (job) this.#judgeHistory(job, history, observation, place);
    }
    if ([...query.keys()].some((name) => name !== 'dir')) return;
    if (path === '/printjobs/states') return;
    for (const job of named) {
      const mayLack = job.place > place || job.openSince < place || (job.cancelledAt ?? Infinity) <= place;
      if (!mayLack)
        this.findings.hold(
          'print-jobs/states-set',
          at,
          histories.has(job.id),
          `states of job ${job.id}`,
          'none',
          job.id,
        );
    }
  }

  #judgeHistory(job: JobFacts, history: readonly Shown[], exchange: SeenExchange, place: number): void {
    if (job.openSince < place) return;
    const at = (what: string): string => `${what} of job ${job.id}`;
    const hold = (clause: ClauseId, what: string, isKept: boolean, expected: string, actual: unknown): boolean =>
      this.findings.hold(clause, at(what), isKept, expected, actual, job.id);
    const names = history.map(({ name }) => name);
    const shown = names.join(' → ');
    const { isLinkDisturbed } = this.findings.circumstances;
    this.#judgeNew(job, history, hold);
    const beforeMs = this.findings.circumstances.isVirtual ? Infinity : exchange.sentMs;
    const asked = { place, settledPlace: this.#settledPlace, beforeMs };
    this.#judgeSent(job, names, asked, hold);
    const expired = history.find(({ name }) => name === 'expired');
    const wasDelivered = job.deliveries.some((one) => one.place < place);
    const wasCancelled = (job.cancelledAt ?? Infinity) < place;
    if (expired) {
      hold('print-jobs/cancelled-does-not-expire', 'states', !wasCancelled, 'no expired', shown);
      if (!isLinkDisturbed) hold('print-jobs/expire-after-delivered', 'states', !wasDelivered, 'no expired', shown);
      const fromMs = job.expiresFromMs - this.#slackMs;
      hold(
        'print-jobs/expire-after-not-early',
        'states',
        exchange.atMs >= fromMs && !(expired.atMs < fromMs),
        'expired at its time',
        shown,
      );
    }
    const isDue = exchange.sentMs > job.expiresUntilMs + this.#slackMs;
    const computerId = this.facts.printers.get(job.printerId)?.computerId;
    const over = { ms: job.expiresUntilMs + this.#slackMs, place: job.cancelledAt };
    const wasSent = wasDelivered || this.#presence.mayHaveGot(computerId, job.place, over);
    if (isDue && !wasSent && !wasCancelled && !isLinkDisturbed)
      hold('states/expired', 'states', expired !== undefined, 'expired', shown);
    if (expired)
      hold(
        'states/create-timestamp-of-service',
        'expired',
        !(expired.atMs > job.expiresUntilMs + this.#timerSlackMs),
        'a timestamp at its expiry',
        expired.record,
      );
    this.#judgeReports(job, history, asked);
    this.#judgeFields(history, hold);
    this.#judgeKept(job, history, hold);
  }

  get #slackMs(): number {
    const { isVirtual, clockErrorMs } = this.findings.circumstances;
    return isVirtual ? 0 : SLACK_MS + clockErrorMs;
  }

  /** For what happens by itself: while a hook moves the clock, it is later than it was due. */
  get #timerSlackMs(): number {
    return this.findings.circumstances.isMoved ? Infinity : this.#slackMs;
  }

  #judgeNew(job: JobFacts, history: readonly Shown[], hold: Hold): void {
    const registered = history.find(({ name }) => name === 'new');
    hold('states/new', 'states', registered !== undefined, 'new', history.map(({ name }) => name).join(' → '));
    if (!registered) return;
    const { record, atMs } = registered;
    hold('states/age-of-new-zero', 'age of new', record['age'] === 0, '0', record['age']);
    hold('states/new-by-service', 'clientVersion of new', record['clientVersion'] === null, 'null', record);
    const slack = this.#slackMs;
    hold(
      'states/create-timestamp-of-service',
      'createTimestamp of new',
      !(atMs < Math.floor(job.sentMs) - slack || atMs > job.acceptedMs + slack),
      'when it was submitted',
      record,
    );
  }

  #judgeSent(job: JobFacts, names: readonly unknown[], asked: Asked, hold: Hold): void {
    const wasSent = job.deliveries.some((one) => one.place < asked.place);
    const computerId = this.facts.printers.get(job.printerId)?.computerId;
    const over = { ms: job.expiresUntilMs + this.#slackMs, place: job.cancelledAt };
    const { isLinkDisturbed } = this.findings.circumstances;
    const isEver = isLinkDisturbed || this.#presence.mayHaveGot(computerId, job.place, over);
    const isShown = names.includes('sent_to_client');
    if (job.deliveries.some((one) => wasBefore(one, asked)))
      hold('states/sent-to-client', 'states', isShown, 'sent_to_client', names.join(' → '));
    if (isShown)
      hold('states/sent-to-client-not-before', 'states', isEver || wasSent, 'no sent_to_client', names.join(' → '));
  }

  /** Every state that a computer reported and the service acknowledged is there, and no other stable one. */
  #judgeReports(job: JobFacts, history: readonly Shown[], asked: Asked): void {
    const acknowledged = new Map(
      job.reports.flatMap((one) =>
        one.kind === 'report' && wasBefore(one, asked) ? [[one.report.id, one] as const] : [],
      ),
    );
    for (const { report, version, sentMs, atMs } of mergedReports(job, acknowledged)) {
      if (OF_SERVICE.has(report.state)) continue;
      const alike = history.filter(({ name }) => name === report.state);
      const clause = STATE_CLAUSE[report.state] ?? 'states/history-kept';
      const at = `state ${report.state} of job ${job.id}`;
      const slackMs = this.#timerSlackMs;
      const match = alike.find((one) => isTimeOf(one, report, sentMs, atMs, slackMs)) ?? alike[0];
      const shown = history.map(({ name }) => name).join(' → ');
      this.findings.hold(clause, at, match !== undefined, 'shown', shown, job.id);
      if (!match) continue;
      this.findings.hold(
        'states/create-timestamp-of-client',
        at,
        isTimeOf(match, report, sentMs, atMs, slackMs),
        `a timestamp of ${report.createTimestamp}`,
        match.record,
        job.id,
      );
      this.findings.hold(
        'states/client-version-of-client',
        at,
        alike.some(({ record }) => record['clientVersion'] === version),
        `clientVersion ${version}`,
        match.record['clientVersion'],
        job.id,
      );
    }
    const known = new Set(job.reports.map(({ report }) => report.state));
    const invented = history.find(({ name }) => (name === 'done' || name === 'error') && !known.has(name));
    this.findings.hold(
      'states/ends-once',
      `states of job ${job.id}`,
      !invented,
      `no ${String(invented?.name)}`,
      history.map(({ name }) => name).join(' → '),
      job.id,
    );
  }

  #judgeFields(history: readonly Shown[], hold: Hold): void {
    const bornMs = history.find(({ name }) => name === 'new')?.atMs;
    for (const { record, name, atMs } of history) {
      const what = `state ${String(name)}`;
      for (const { field, notNull } of FIELDS) {
        hold('states/fields-always-present', what, Object.hasOwn(record, field), field, record);
        if (notNull) hold(notNull, `${field} of ${what}`, record[field] !== null, 'not null', null);
      }
      const ageMs = atMs - (bornMs ?? Number.NaN);
      if (!Number.isNaN(ageMs))
        hold('states/age-since-new', what, isAge(record['age'], ageMs), `age ${ageMs}`, record['age']);
      if (OF_SERVICE.has(String(name)))
        hold(
          'states/client-version-null',
          what,
          record['clientVersion'] === null,
          'clientVersion null',
          record['clientVersion'],
        );
    }
  }

  /** What was shown once is still shown. */
  #judgeKept(job: JobFacts, history: readonly Shown[], hold: Hold): void {
    const now = history.map(({ record }) => record);
    const lost = this.#before.get(job.id)?.find((old) => !now.some((one) => isDeepStrictEqual(one, old)));
    hold('states/history-kept', 'states', !lost, 'those shown before', lost);
    this.#before.set(job.id, now);
  }
}

/** Where an answer stands, and the place and time until which it shows all that was seen: those of its request. */
interface Asked {
  readonly place: number;
  readonly settledPlace: number;
  readonly beforeMs: number;
}

function wasBefore(one: { readonly place: number; readonly atMs: number }, { settledPlace, beforeMs }: Asked): boolean {
  return one.place < settledPlace && one.atMs < beforeMs;
}

function isAge(value: unknown, ms: number): boolean {
  return typeof value === 'number' && Math.abs(value - ms) <= AGE_ROUNDING_MS;
}

type Hold = (clause: ClauseId, what: string, isKept: boolean, expected: string, actual: unknown) => boolean;

const OF_SERVICE: ReadonlySet<string> = new Set(['new', 'sent_to_client', 'expired']);
const STATE_CLAUSE: Readonly<Record<string, ClauseId>> = { done: 'states/done', error: 'states/error' };

/** Acknowledged reports with the time since they may have been recorded. */
function mergedReports(
  { reports }: JobFacts,
  acknowledged: ReadonlyMap<string, SeenReport>,
): readonly (SeenReport & { readonly sentMs: number })[] {
  return [...acknowledged.values()].map((one) => {
    const first = reports.find(({ report }) => report.id === one.report.id);
    return { ...one, sentMs: first?.atMs ?? one.atMs };
  });
}

/** The time of a client's state is when it says that it reported, or when the service had it. */
function isTimeOf(
  { atMs: shownMs }: Shown,
  { createTimestamp }: SeenReport['report'],
  sentMs: number,
  atMs: number,
  slackMs: number,
): boolean {
  if (Number.isNaN(shownMs)) return true;
  return shownMs === Date.parse(createTimestamp) || (shownMs >= sentMs - slackMs && shownMs <= atMs + slackMs);
}

/** Lists of histories, flat lists and histories by id, each oldest first; undefined for anything else. */
function readHistories(value: unknown): ReadonlyMap<number, readonly Shown[]> | undefined {
  if (!Array.isArray(value) && !isObject(value)) return undefined;
  const histories = new Map<number, Shown[]>();
  for (const record of Object.values(value).flat() as unknown[]) {
    if (!isObject(record) || typeof record['printJobId'] !== 'number') return undefined;
    const id = record['printJobId'];
    const shown = { record, name: record['state'], atMs: datetimeMs(record['createTimestamp']) ?? Number.NaN };
    histories.set(id, [...(histories.get(id) ?? []), shown]);
  }
  return histories;
}
