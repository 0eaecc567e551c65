/**
 * Runs of an app, told by hand: what it asked for, request after request, what it got, and what came out.
 */

import type { SeenDelivery, SeenJob, SeenRequest, SeenRun } from '../../src/record/caller-history.ts';

export interface ToldRequest {
  readonly title?: string;
  readonly content?: string;
  readonly key?: string;
  readonly place?: string;
  readonly target?: string;
  /** What the caller got; 201 unless told, null for nothing. */
  readonly got?: number | null;
  /** Whether the service made a job of it, all of which came out; whether it did by default follows from `got`. */
  readonly taken?: boolean;
  readonly qty?: number;
  readonly papers?: number;
  readonly state?: string;
  readonly sentMs?: number;
  readonly isHit?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface ToldRun {
  readonly code?: number | null;
  readonly said?: SeenRun['end']['said'];
  readonly deliveries?: readonly Partial<SeenDelivery>[];
  readonly isReached?: boolean;
}

/** A run of an app that sent these requests, 100 ms apart unless told. */
export function toldRun(
  told: readonly ToldRequest[],
  { code = 0, said, deliveries = [], isReached = true }: ToldRun = {},
): SeenRun {
  const counts = new Map<string, number>();
  const jobs: SeenJob[] = [];
  const requests = told.map((one, index): SeenRequest => {
    const { place = 'POST /printjobs', got = 201, key, isHit = false, qty = 1, papers = qty, headers = {} } = one;
    const { sentMs = index * 100, taken = place === 'POST /printjobs' && got === 201 } = one;
    const nth = (counts.get(place) ?? 0) + 1;
    counts.set(place, nth);
    const { state = papers > 0 ? 'done' : 'queued' } = one;
    if (taken) jobs.push({ id: jobs.length + 1, state, qty, papers });
    const answered = taken ? 201 : got;
    return {
      place,
      nth,
      got,
      isHit,
      sentMs,
      connection: 1,
      isKept: index > 0,
      target: one.target ?? place.split(' ')[1] ?? '/',
      headers: key === undefined ? {} : { 'x-idempotency-key': key },
      body: bodyOf(one),
      answer: answered === null ? null : { status: answered, headers, body: one.body ?? '', atMs: sentMs + 5 },
      jobId: taken ? jobs.length : null,
    };
  });
  return {
    requests,
    jobs,
    isReached,
    deliveries: deliveries.map((given) => ({
      hook: 'http://shop.example/hook',
      kind: 'event',
      sentMs: 0,
      tookMs: 1,
      status: 200,
      confirmation: 'OK',
      leftMs: 0,
      ...given,
    })),
    end: { code, said: said ?? (code === 0 ? 'printed' : 'failed'), output: '', durationMs: 1 },
  };
}

function bodyOf({ title = 'Label 1', content = 'eA==' }: ToldRequest): Buffer {
  return Buffer.from(JSON.stringify({ printerId: 1, title, contentType: 'raw_base64', content }));
}
