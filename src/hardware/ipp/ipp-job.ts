/**
 * An IPP job, from the request that creates it to its last sheet (RFC 8011, 5.3).
 *
 *   open ─► document is there ─► pending ─► processing ─► completed
 *     │                             │          ⇅ stopped: the printer needs attention
 *     └── no document in time       └──────────┴─► canceled │ aborted
 */

import type { SubmittedPrintout } from '../../devices/printer/paper-path.ts';
import {
  dateTime,
  enumeration,
  integer,
  keyword,
  mediaType,
  nameText,
  noValue,
  text,
  uri,
  type IppAttribute,
} from './attribute.ts';
import { JOB_STATES, type JobState } from './operations.ts';
import { upTime } from './printer-attributes.ts';

export interface JobTicket {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly user: string;
  /** In milliseconds since the epoch. */
  readonly createdMs: number;
  /** What the client asked for, as it asked. */
  readonly attributes: readonly IppAttribute[];
}

const ENDED: readonly JobState[] = ['canceled', 'aborted', 'completed'];

const REASONS: Readonly<Record<JobState, string>> = {
  pending: 'none',
  held: 'job-hold-until-specified',
  processing: 'job-printing',
  stopped: 'printer-stopped',
  canceled: 'job-canceled-by-user',
  aborted: 'aborted-by-system',
  completed: 'job-completed-successfully',
};

export class IppJob {
  readonly ticket: JobTicket;
  format = 'application/octet-stream';
  documentBytes = 0;
  /** Sides that are to come out; 0 while that is not known. */
  impressions = 0;
  /** The document is still to come. */
  isOpen = true;
  #state: JobState = 'pending';
  #message = '';
  #isUnreadable = false;
  #processingMs: number | undefined;
  #endedMs: number | undefined;
  #paper: SubmittedPrintout | undefined;

  constructor(ticket: JobTicket) {
    this.ticket = ticket;
  }

  get isEnded(): boolean {
    return ENDED.includes(this.#state);
  }

  get sheetsOut(): number {
    return this.#paper?.sheetsOut() ?? 0;
  }

  /** When its last sheet was out, or it was given up; undefined while it is under way. */
  get endedMs(): number | undefined {
    return this.#endedMs;
  }

  /** As a client sees it now: a printer that stops stops the job that it prints. */
  state(isPrinterStopped: boolean): JobState {
    if (this.isEnded || this.#paper === undefined) return this.#state;
    return isPrinterStopped ? 'stopped' : 'processing';
  }

  process(nowMs: number): void {
    if (this.isEnded) return;
    this.isOpen = false;
    this.#processingMs ??= nowMs;
    this.#state = 'processing';
  }

  /** The printer has it in its queue. A job that was cancelled meanwhile comes out of it again. */
  submitted(paper: SubmittedPrintout): void {
    if (this.isEnded) paper.cancel();
    else this.#paper = paper;
  }

  end(state: 'canceled' | 'aborted' | 'completed', nowMs: number): void {
    if (this.isEnded) return;
    if (state !== 'completed') this.#paper?.cancel();
    this.isOpen = false;
    this.#state = state;
    this.#endedMs = nowMs;
  }

  /** @param isUnreadable - the document cannot be printed as it is: a print system may try another format */
  abort(nowMs: number, message: string, isUnreadable = false): void {
    if (this.isEnded) return;
    this.end('aborted', nowMs);
    this.#message = message;
    this.#isUnreadable = isUnreadable;
  }

  #reasons(state: JobState): string[] {
    if (this.isOpen) return ['job-incoming'];
    return this.#isUnreadable ? [REASONS[state], 'document-format-error'] : [REASONS[state]];
  }

  /** `printerUri` is the address that the client knows the printer by. */
  attributes(printerUri: string, startedMs: number, nowMs: number, isPrinterStopped: boolean): IppAttribute[] {
    const { id, uuid, name, user, createdMs, attributes } = this.ticket;
    const state = this.state(isPrinterStopped);
    const times = { creation: createdMs, processing: this.#processingMs, completed: this.#endedMs };
    return [
      integer('job-id', id),
      uri('job-uri', `${printerUri}/${id}`),
      uri('job-uuid', uuid),
      uri('job-printer-uri', printerUri),
      nameText('job-name', name),
      nameText('job-originating-user-name', user),
      enumeration('job-state', JOB_STATES[state]),
      keyword('job-state-reasons', ...this.#reasons(state)),
      text('job-state-message', this.#message),
      integer('job-printer-up-time', upTime(nowMs, startedMs)),
      ...Object.entries(times).flatMap(([when, ms]) => timesOf(when, ms, startedMs)),
      integer('job-k-octets', Math.ceil(this.documentBytes / 1_024)),
      integer('job-impressions', this.impressions),
      integer('job-impressions-completed', state === 'completed' ? this.impressions : 0),
      integer('job-media-sheets-completed', this.sheetsOut),
      mediaType('document-format', this.format),
      ...attributes,
    ];
  }
}

function timesOf(when: string, ms: number | undefined, startedMs: number): IppAttribute[] {
  if (ms === undefined) return [noValue(`time-at-${when}`), noValue(`date-time-at-${when}`)];
  return [integer(`time-at-${when}`, upTime(ms, startedMs)), dateTime(`date-time-at-${when}`, ms)];
}

/** What the answer to a request that makes or changes a job says of it. */
export const JOB_ANSWER_ATTRIBUTES: readonly string[] = [
  'job-id',
  'job-uri',
  'job-uuid',
  'job-state',
  'job-state-reasons',
  'job-state-message',
];
