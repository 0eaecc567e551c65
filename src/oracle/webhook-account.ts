/**
 * Webhook account: what became of every event that a service owed its receivers.
 *
 *   mayCome (the cause is on its way) ─► mustCome (the cause is recorded) ─► received, once or twice
 *
 * A service tries an event twice at most: once, and once again after a failed request. So an event may
 * come twice when the first request failed; and it may be dropped, when both failed. Only
 * the receiver knows which requests failed, and so the receiver's side is the one that judges.
 */

import { keysOf } from '../common/keys-of.ts';
import { sumsOf } from '../common/sums.ts';
import type { Reconciliation, WebhookTotals } from '../record/load-record.ts';
import { STRAY_KINDS, WEBHOOK_CLASSES, type StrayKind, type WebhookClass } from '../record/words.ts';
import type { Statistic } from '../specification/fields.ts';
import { STABLE_PRINT_JOB_STATES, type StablePrintJobState } from '../specification/states.ts';

export const WEBHOOK_STATES = keysOf(STABLE_PRINT_JOB_STATES);
export type WebhookState = StablePrintJobState;

export interface WebhookReceipt {
  readonly atUs: number;
  /** Whether the receiver's answer was a success by the rules of the service. */
  readonly isAnsweredWell: boolean;
  readonly hasRightSecret: boolean;
}

/** The service's own counters of all webhooks of the run, summed up. */
export type ServiceCounters = Readonly<Record<Statistic, number>>;

export interface WebhookAccountOptions {
  /** An event that comes later than this after its cause is late, unless a request had failed. */
  readonly lateAfterUs: number;
}

const MAY_COME = 1;
const MUST_COME = 2;
const SUCCEEDED = 4;
const EARLY = 8;
const LATE = 16;
const TOO_OFTEN = 32;
const WRONG_SECRET = 64;
const FAILED = 128;
const UNHEARD = 256;
const UNSEEN = 512;
const UNSEEN_TWICE = 1_024;
const STATES = WEBHOOK_STATES.length;
const MOST_REQUESTS = 2;
const NEWEST = 8_192;
/** An answer that the service has not made durable after this time never was. */
const UNHEARD_WITHIN_US = 2_000_000;

/** Grows with the ledger: 35 bytes for each job. */
export class WebhookAccount {
  readonly #options: WebhookAccountOptions;
  #flags = new Uint16Array();
  #receipts = new Uint8Array();
  #causedMs = new Uint32Array();
  /** The events that came last, as a ring. */
  readonly #newest = new Uint32Array(NEWEST);
  readonly #newestUs = new Float64Array(NEWEST).fill(-Infinity);
  #rows = 0;
  #lastFailedUs: number | undefined;
  #hasServiceDied = false;
  /** When answers were given that were never received. */
  readonly #unheard: { readonly fromUs: number; readonly toUs: number }[] = [];
  #good = 0;
  #failed = 0;
  readonly #strays = sumsOf(STRAY_KINDS, []);

  constructor(options: WebhookAccountOptions) {
    this.#options = options;
  }

  /** From now on the event may come: what causes it is on its way to the service. */
  mayCome(row: number, state: WebhookState): void {
    this.#mark(this.#cell(row, state), MAY_COME);
  }

  /** The service has recorded what causes the event: it is owed. */
  mustCome(row: number, state: WebhookState, atUs: number): void {
    const cell = this.#cell(row, state);
    if (this.#has(cell, MUST_COME)) return;
    this.#mark(cell, MUST_COME);
    // Rounded up: no event may count as late that was in time.
    this.#causedMs[cell] = Math.ceil(atUs / 1_000);
  }

  received(row: number, state: WebhookState, { atUs, isAnsweredWell, hasRightSecret }: WebhookReceipt): void {
    const cell = this.#cell(row, state);
    if (isAnsweredWell) this.#good++;
    else {
      this.#failed++;
      this.#lastFailedUs = atUs;
    }
    if (!hasRightSecret) this.#mark(cell, WRONG_SECRET);
    if (!this.#has(cell, MAY_COME) && !this.#has(cell, MUST_COME)) this.#mark(cell, EARLY);
    if (this.#isLate(cell, atUs)) this.#mark(cell, LATE);
    const before = numberAt(this.#receipts, cell);
    const isHeard = this.#has(cell, SUCCEEDED) && !this.#has(cell, UNHEARD);
    if (before >= MOST_REQUESTS || isHeard) this.#mark(cell, TOO_OFTEN);
    this.#receipts[cell] = Math.min(0xff, before + 1);
    this.#mark(cell, isAnsweredWell ? SUCCEEDED : FAILED);
    // An event of an unknown job is reported later, perhaps after the death of the service that it was
    // answered before.
    if (this.#unheard.some(({ fromUs, toUs }) => fromUs < atUs && atUs <= toUs)) this.#mark(cell, UNHEARD);
    const place = (this.#good + this.#failed) % NEWEST;
    this.#newest[place] = cell;
    this.#newestUs[place] = atUs;
  }

  /** An event that came in addition to those that are accounted for. */
  receivedStray(kind: StrayKind): void {
    this.#strays[kind]++;
  }

  /**
   * The service died. A request for an event may have died with it, unseen by the receiver; for an event that was not
   * taken it counts as one of its two.
   * @param rows - jobs so far: any of their events may have been under way
   */
  serviceDied(atUs: number, rows: number): void {
    this.#hasServiceDied = true;
    this.#grow(rows);
    for (let cell = 0; cell < this.#rows * STATES; cell++) {
      this.#mark(cell, this.#has(cell, UNSEEN) ? UNSEEN_TWICE : UNSEEN);
    }
    this.answersUnheard(atUs);
  }

  /** The service may not have seen the newest answers: it may send their events once more. */
  answersUnheard(atUs: number): void {
    this.#unheard.push({ fromUs: atUs - UNHEARD_WITHIN_US, toUs: atUs });
    for (const [place, cell] of this.#newest.entries()) {
      if (atUs - numberAt(this.#newestUs, place) < UNHEARD_WITHIN_US) this.#mark(cell, UNHEARD);
    }
  }

  /** Whether the service forgot what it had counted since its last commit: its counters may never agree. */
  get hasServiceDied(): boolean {
    return this.#hasServiceDied;
  }

  /** When the last request came that was not answered well. */
  get lastFailedUs(): number | undefined {
    return this.#lastFailedUs;
  }

  /** Whether anything is still owed: what a drain waits for. */
  get owed(): number {
    return this.#count(
      (cell) => this.#has(cell, MUST_COME) && !this.#has(cell, SUCCEEDED) && this.#requests(cell) < MOST_REQUESTS,
    );
  }

  /**
   * @param counters - of the service; without them nothing is reconciled
   * @param requests - as the receivers saw them
   */
  totals(counters?: ServiceCounters, requests?: WebhookTotals['receipts']): WebhookTotals {
    const classes = sumsOf(WEBHOOK_CLASSES, []);
    let events = 0;
    for (let cell = 0; cell < this.#rows * STATES; cell++) {
      const name = this.#classOf(cell);
      if (name === undefined) continue;
      classes[name]++;
      events++;
    }
    return {
      events,
      classes,
      strays: { ...this.#strays },
      receipts: { good: this.#good, failed: this.#failed },
      reconciliation: counters ? this.#reconcile(counters, classes, events, requests) : [],
    };
  }

  #reconcile(
    counters: ServiceCounters,
    classes: Readonly<Record<WebhookClass, number>>,
    events: number,
    requests: WebhookTotals['receipts'] | undefined,
  ): readonly Reconciliation[] {
    const seen: readonly (readonly [Statistic, number])[] = [
      ['receivedEvents', events + this.#strays.again + this.#strays['unknown-job']],
      ['droppedEvents', classes.dropped],
    ];
    const seenRequests: typeof seen = requests
      ? [
          ['successfulRequests', requests.good],
          ['failedRequests', requests.failed],
        ]
      : [];
    return [...seen, ...seenRequests].map(([counter, count]) => {
      const service = counters[counter];
      return { counter, service, seen: count, agrees: service === count };
    });
  }

  /** Undefined for an event that was neither owed nor came. */
  #classOf(cell: number): WebhookClass | undefined {
    const receipts = numberAt(this.#receipts, cell);
    if (receipts === 0 && !this.#has(cell, MUST_COME)) return undefined;
    if (this.#has(cell, WRONG_SECRET)) return 'wrong-secret';
    if (this.#has(cell, TOO_OFTEN)) return 'too-often';
    if (this.#has(cell, EARLY)) return 'early';
    if (!this.#has(cell, SUCCEEDED)) return this.#requests(cell) >= MOST_REQUESTS ? 'dropped' : 'lost';
    if (this.#has(cell, LATE)) return 'late';
    return receipts > 1 ? 'repeated' : 'delivered';
  }

  /** The requests that were seen, and those that may have died with the service. */
  #requests(cell: number): number {
    const unseen = Number(this.#has(cell, UNSEEN)) + Number(this.#has(cell, UNSEEN_TWICE));
    return numberAt(this.#receipts, cell) + unseen;
  }

  #isLate(cell: number, atUs: number): boolean {
    if (!this.#has(cell, MUST_COME) || this.#has(cell, FAILED)) return false;
    return atUs - numberAt(this.#causedMs, cell) * 1_000 > this.#options.lateAfterUs;
  }

  #cell(row: number, state: WebhookState): number {
    this.#grow(row + 1);
    return row * STATES + WEBHOOK_STATES.indexOf(state);
  }

  #grow(rows: number): void {
    if (rows * STATES > this.#flags.length) {
      const cells = Math.max(1_024, rows * 2) * STATES;
      this.#flags = grown(this.#flags, new Uint16Array(cells));
      this.#receipts = grown(this.#receipts, new Uint8Array(cells));
      this.#causedMs = grown(this.#causedMs, new Uint32Array(cells));
    }
    this.#rows = Math.max(this.#rows, rows);
  }

  #has(cell: number, flag: number): boolean {
    return (numberAt(this.#flags, cell) & flag) !== 0;
  }

  #mark(cell: number, flag: number): void {
    this.#flags[cell] = numberAt(this.#flags, cell) | flag;
  }

  #count(accepts: (cell: number) => boolean): number {
    let count = 0;
    for (let cell = 0; cell < this.#rows * STATES; cell++) if (accepts(cell)) count++;
    return count;
  }
}

/** The totals of a whole run, of those of its shards. */
export function mergeWebhookTotals(parts: readonly WebhookTotals[]): WebhookTotals {
  const byCounter = Map.groupBy(
    parts.flatMap(({ reconciliation }) => reconciliation),
    ({ counter }) => counter,
  );
  return {
    ...sumsOf(['events'], parts),
    classes: sumsOf(
      WEBHOOK_CLASSES,
      parts.map(({ classes }) => classes),
    ),
    strays: sumsOf(
      STRAY_KINDS,
      parts.map(({ strays }) => strays),
    ),
    receipts: sumsOf(
      ['good', 'failed'],
      parts.map(({ receipts }) => receipts),
    ),
    reconciliation: [...byCounter].map(([counter, lines]) => ({
      counter,
      ...sumsOf(['service', 'seen'], lines),
      // Two shards that are wrong in opposite ways do not make one that is right.
      agrees: lines.every(({ agrees }) => agrees),
    })),
  };
}

function numberAt(cells: Readonly<Record<number, number>>, cell: number): number {
  return cells[cell] ?? 0;
}

function grown<Cells extends Uint8Array | Uint16Array | Uint32Array>(from: Cells, to: Cells): Cells {
  to.set(from);
  return to;
}
