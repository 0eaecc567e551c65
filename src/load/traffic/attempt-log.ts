/**
 * Attempt log: records the times and the outcome of each request of a shard, and checks its answer against the
 * invariants of the specification.
 */

import { ResponseWatch } from '../../oracle/response-watch.ts';
import type { RequestOutcome } from '../../record/words.ts';
import { outcomeOfStatus, type Recorder } from '../measure/recorder.ts';
import type { Arrival } from '../plan/load-plan.ts';
import type { Attempt } from './attempt.ts';
import type { AttemptListener } from './request-sender.ts';

type OnOver = (arrival: Arrival, wasShed: boolean) => void;

export class AttemptLog implements AttemptListener {
  readonly watch = new ResponseWatch();
  readonly #recorder: Recorder;
  readonly #onOver: OnOver;
  readonly #timeoutUs: number;

  constructor(recorder: Recorder, timeoutMs: number, onOver: OnOver) {
    this.#recorder = recorder;
    this.#timeoutUs = timeoutMs * 1_000;
    this.#onOver = onOver;
  }

  ended(attempt: Attempt): void {
    const { arrival, end, status, intendedUs, issuedUs } = attempt;
    const sentUs = attempt.sentUs < 0 ? issuedUs : attempt.sentUs;
    // The sweep of deadlines may be a millisecond late; the recorded time is the limit itself.
    const endedUs = end === 'timeout' ? Math.max(sentUs, issuedUs + this.#timeoutUs) : attempt.endedUs;
    this.#recorder.ended(
      arrival.stream,
      arrival.account,
      outcomeOf(attempt),
      end === 'answered' ? status : 0,
      intendedUs,
      issuedUs,
      sentUs,
      endedUs,
    );
    if (end === 'answered') this.#judge(attempt);
    this.#onOver(arrival, false);
  }

  shed(arrival: Arrival): void {
    this.#recorder.shed(arrival.stream, arrival.account);
    this.#onOver(arrival, true);
  }

  #judge({ arrival, request, status, headers, body, connection, sentUs, endedUs }: Attempt): void {
    // What was not sent over HTTP has no headers to judge.
    if (connection === undefined) return;
    if (!this.watch.wants((arrival.stream << KIND_BITS) | arrival.operation, status)) return;
    this.watch.judge({
      request: { method: request.method, path: request.path, headers: pairsOf(request.headers) },
      response: { status, headers: joined(headers), body },
      sentMs: sentUs / 1_000,
      receivedMs: endedUs / 1_000,
    });
  }
}

/** Enough bits for the operations of one stream. */
const KIND_BITS = 6;

function outcomeOf({ end, status, mayBeMissing }: Attempt): RequestOutcome {
  if (end === 'timeout') return 'timeout';
  if (end !== 'answered') return 'broken';
  // 101: the upgrade of a websocket.
  if (status < 200 || (mayBeMissing && status === 404)) return 'ok';
  return outcomeOfStatus(status);
}

/** Name, value, name, value … as pairs. */
export function pairsOf(flat: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) pairs.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return pairs;
}

/** With the values of a header that came several times as one. */
function joined(headers: Attempt['headers']): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (const name in headers) {
    const value = headers[name];
    pairs.push([name, Array.isArray(value) ? value.join(', ') : (value ?? '')]);
  }
  return pairs;
}
