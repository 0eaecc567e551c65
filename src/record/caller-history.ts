/**
 * Caller history: what was seen of an app that calls the service, from outside: its requests as they came off the wire,
 * what it got for them, the events that were sent to it, and the paper. A workbench records it (src/workbench/moment),
 * or it is read from a file; src/oracle/caller judges it.
 */

/** A request, as it was before anything went wrong with it. */
export interface SeenRequest {
  /** Method and path without ids and query: `GET /printjobs/N/states`. */
  readonly place: string;
  /** The n-th of its place, from 1. */
  readonly nth: number;
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Which connection it came on, from 1. */
  readonly connection: number;
  /** Whether that had carried a request before. */
  readonly isKept: boolean;
  readonly sentMs: number;
  /** What was answered to it, whether or not that arrived; null where nothing was. */
  readonly answer: SeenAnswer | null;
  /** The status that the caller got; null where no whole answer reached it. */
  readonly got: number | null;
  /** Whether the moment happened to it. */
  readonly isHit: boolean;
  /** The print job that the service made of it; null where it made none. */
  readonly jobId: number | null;
}

export interface SeenAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly atMs: number;
}

/** A request to the app's webhook. */
export interface SeenDelivery {
  /** The address that the app registered. */
  readonly hook: string;
  /** `event` is genuine, and so is `again`; the others were made up. */
  readonly kind: 'event' | 'again' | 'forged' | 'unsigned';
  readonly sentMs: number;
  readonly tookMs: number;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Value of the header that confirms the events; null where it is missing. */
  readonly confirmation: string | null;
  /** How long the app went on after it. */
  readonly leftMs: number;
}

/** A print job that the service took, at the end. */
export interface SeenJob {
  readonly id: number;
  readonly state: string;
  /** How often it is to come out, and how often all of it did. */
  readonly qty: number;
  readonly papers: number;
}

const GIVEN_UP: readonly string[] = ['error', 'expired', 'deleted'];

/** Whether no more paper can come of it. */
export function isGivenUp({ state }: SeenJob): boolean {
  return GIVEN_UP.includes(state);
}

export interface CallerHistory {
  readonly requests: readonly SeenRequest[];
  readonly deliveries: readonly SeenDelivery[];
  readonly jobs: readonly SeenJob[];
  /** Whether what the moment needs has come: it happened. */
  readonly isReached: boolean;
}

/** What an app says of its work: by a line `platen: said=…`, or by how it ends. */
export type Said = 'printed' | 'failed' | 'waiting';

/** How the command of an app ended. */
export interface AppEnd {
  /** Null when it was killed, because it had not ended in time. */
  readonly code: number | null;
  readonly said: Said;
  /** Its last lines. */
  readonly output: string;
  readonly durationMs: number;
}

/** One run of an app. */
export interface SeenRun extends CallerHistory {
  readonly end: AppEnd;
}

/** `GET /printjobs/7,8/states?limit=3` → `GET /printjobs/N/states`. */
export function placeOfRequest(method: string, target: string): string {
  const path = `/${target.split('?', 1)[0]}`.replaceAll(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
  return `${method} ${path.replaceAll(/\/\d[\d,]*(?=\/|$)/g, '/N')}`;
}

/** Where print jobs are listed. */
export const LIST = 'GET /printjobs';
/** Where print jobs are submitted. */
export const SUBMISSION = 'POST /printjobs';

/** A history as a text, for another process. */
export function storedHistory(history: CallerHistory): string {
  return JSON.stringify(history);
}

/** @throws SyntaxError when the text is not a history */
export function readHistory(text: string): CallerHistory {
  const stored = JSON.parse(text) as CallerHistory;
  const requests = stored.requests.map((request) => ({ ...request, body: Buffer.from(request.body) }));
  return { ...stored, requests };
}
