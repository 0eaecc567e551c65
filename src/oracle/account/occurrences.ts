/**
 * Occurrences: what happened that webhooks hear of: states of jobs, and computers that came or went, each with when and
 * where among the observations it was at the earliest and the latest.
 */

import { STABLE_PRINT_JOB_STATES } from '../../specification/states.ts';
import { partsOf, type AccountJudge } from './account-judge.ts';
import { FactJudge, isDeletedBy, type JobFacts } from './job-facts.ts';
import type { EventType, Observation } from './observation.ts';

export interface Occurrence {
  readonly type: EventType;
  readonly account: string;
  /** Names it in events: the job and its state, or the computer. */
  readonly subject: string;
  readonly fromPlace: number;
  readonly toPlace: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether it happened for sure. */
  readonly isSure: boolean;
}

export class Occurrences extends FactJudge implements AccountJudge {
  readonly all: Occurrence[] = [];
  endMs = 0;
  endPlace = 0;
  readonly #accounts = new Map<number, string | undefined>();
  readonly #sentAt = new Map<string, { readonly place: number; readonly atMs: number }>();
  /** Places at which all was quiet. */
  readonly #quiet: number[] = [];
  /** When the service was killed and started again. */
  readonly restartsMs: number[] = [];
  /** Computers that have not connected since the service was killed: it may miss the change. */
  readonly #lost = new Set<number>();
  /** Accounts that were suspended: what their computers do meanwhile is not shown. */
  readonly #unsettled = new Set<string>();

  see(observation: Observation, place: number): void {
    if (observation.kind === 'exchange' && observation.sent === 'suspended' && partsOf(observation).method === 'PUT')
      this.#unsettled.add(this.facts.identities.accountOf(observation));
    if (observation.kind === 'connected') {
      const { computerId, apiKey, sentMs, atMs } = observation;
      this.#accounts.set(computerId, this.facts.identities.accountOfKey(apiKey));
      this.#addComputer(computerId, { place, fromMs: sentMs, toMs: atMs });
      this.#lost.delete(computerId);
    }
    if (observation.kind === 'gone')
      this.#addComputer(observation.computerId, { place, fromMs: observation.atMs, toMs: observation.atMs });
    if (observation.kind === 'restarted') {
      this.restartsMs.push(observation.atMs);
      for (const computerId of this.#accounts.keys()) this.#lost.add(computerId);
    }
    if (observation.kind === 'report-sent') this.#seeReport(observation.report.id, place, observation.atMs);
    if (observation.kind !== 'quiet') return;
    this.#quiet.push(place);
    this.endMs = observation.atMs;
    this.endPlace = place;
  }

  end(): void {
    for (const job of this.facts.jobs.values()) this.#addJob(job);
  }

  isUnsettled({ type, account }: Occurrence): boolean {
    return type === 'computer state' && this.#unsettled.has(account);
  }

  /** A report is sent once more where its acknowledgement was lost; the service may have had it before. */
  #seeReport(id: string, place: number, atMs: number): void {
    if (!this.#sentAt.has(id)) this.#sentAt.set(id, { place, atMs });
  }

  #addComputer(
    computerId: number,
    { place, fromMs, toMs }: { readonly place: number; readonly fromMs: number; readonly toMs: number },
  ): void {
    const account = this.#accounts.get(computerId) ?? '';
    const when = { fromPlace: place, toPlace: place, fromMs, toMs };
    // How many events a connection that ends unnoticed makes, and when, is for the service to find out.
    const { isLinkDisturbed, isVirtual } = this.findings.circumstances;
    const isKnown = !isDeletedBy(this.facts, computerId, place) && !this.#lost.has(computerId);
    const isSure = !isLinkDisturbed && isVirtual && isKnown;
    this.all.push({ type: 'computer state', account, subject: `computer ${computerId}`, ...when, isSure });
  }

  #sinceQuiet(place: number, earliest: number): number {
    return Math.max(earliest, this.#quiet.findLast((quiet) => quiet < place) ?? 0);
  }

  #addJob(job: JobFacts): void {
    const add = (state: string, when: Omit<Occurrence, 'type' | 'account' | 'subject'>): void => {
      // What a computer says of a job after it was deleted need not be recorded.
      const isSure = when.isSure && when.toPlace < job.openSince;
      const subject = subjectOf(job.id, state);
      this.all.push({ type: 'print job state', account: job.account, subject, ...when, isSure });
    };
    const { place, sentMs, acceptedMs, deliveries, reports, expiresFromMs, expiresUntilMs } = job;
    add('new', { fromPlace: place, toPlace: place, fromMs: sentMs, toMs: acceptedMs, isSure: true });
    const { isLinkDisturbed } = this.findings.circumstances;
    for (const one of deliveries) {
      // A message that was held up on the link was sent at any time since the job was there; any other after all was
      // quiet for the last time, as answers that were sent later may be read before it.
      const fromPlace = isLinkDisturbed ? place : Math.min(one.sincePlace, this.#sinceQuiet(one.place, place));
      const when = { fromPlace, toPlace: one.place, fromMs: sentMs, toMs: one.atMs };
      add('sent_to_client', { ...when, isSure: one === deliveries[0] });
    }
    for (const [id, all] of Map.groupBy(reports, ({ report }) => report.id)) {
      const sent = this.#sentAt.get(id);
      const [first] = all;
      if (!first || !Object.hasOwn(STABLE_PRINT_JOB_STATES, first.report.state)) continue;
      // A report may have been taken although its acknowledgement was lost.
      const known = all.find(({ kind }) => kind === 'report');
      const until = known ? { toPlace: known.place, toMs: known.atMs } : { toPlace: Infinity, toMs: Infinity };
      const from = { fromPlace: sent?.place ?? place, fromMs: sent?.atMs ?? sentMs };
      add(first.report.state, { ...from, ...until, isSure: known !== undefined });
    }
    const mayExpire = deliveries.length === 0 && job.cancelledAt === undefined && expiresFromMs <= this.endMs;
    if (mayExpire) {
      const when = { fromPlace: place, toPlace: Infinity, fromMs: expiresFromMs, toMs: expiresUntilMs };
      add('expired', { ...when, isSure: false });
    }
  }
}

export function subjectOf(jobId: number, state: string): string {
  return `job ${jobId} ${state}`;
}
