/**
 * Flight book: takes down what became of each request of a shard: its times and outcome in the recorder, and
 * its answer under the eyes of the invariants.
 */

import { ResponseWatch } from '../../oracle/response-watch.ts';
import type { RequestOutcome } from '../load-record.ts';
import { outcomeOfStatus, type Recorder } from '../measure/recorder.ts';
import type { Arrival } from '../plan/load-plan.ts';
import type { Flight } from './flight.ts';
import type { FlightListener } from './operation-desk.ts';

/** Told that an arrival is over. */
type OnOver = (arrival: Arrival, wasShed: boolean) => void;

export class FlightBook implements FlightListener {
  readonly watch = new ResponseWatch();
  readonly #recorder: Recorder;
  readonly #onOver: OnOver;
  readonly #timeoutUs: number;

  constructor(recorder: Recorder, timeoutMs: number, onOver: OnOver) {
    this.#recorder = recorder;
    this.#timeoutUs = timeoutMs * 1_000;
    this.#onOver = onOver;
  }

  landed(flight: Flight): void {
    const { arrival, end, status, intendedUs, issuedUs } = flight;
    const sentUs = flight.sentUs < 0 ? issuedUs : flight.sentUs;
    // A sweep comes up to a millisecond late; the limit is the limit.
    const endedUs = end === 'timeout' ? Math.max(sentUs, issuedUs + this.#timeoutUs) : flight.endedUs;
    this.#recorder.ended(
      arrival.stream,
      arrival.account,
      outcomeOf(flight),
      end === 'answered' ? status : 0,
      intendedUs,
      issuedUs,
      sentUs,
      endedUs,
    );
    if (end === 'answered') this.#judge(flight);
    this.#onOver(arrival, false);
  }

  shed(arrival: Arrival): void {
    this.#recorder.shed(arrival.stream, arrival.account);
    this.#onOver(arrival, true);
  }

  #judge({ arrival, request, status, headers, body, connection, sentUs, endedUs }: Flight): void {
    // What did not go by HTTP has no headers to judge.
    if (connection === undefined) return;
    if (!this.watch.wants((arrival.stream << KIND_BITS) | arrival.operation, status)) return;
    this.watch.judge({
      request: { method: request.method, path: request.path, headers: pairsOf(request.headers) },
      response: { status, headers: Object.entries(headers).map(onePair), body },
      sentMs: sentUs / 1_000,
      receivedMs: endedUs / 1_000,
    });
  }
}

/** A stream has fewer operations than this many bits can tell apart. */
const KIND_BITS = 6;

function outcomeOf({ end, status, mayBeMissing }: Flight): RequestOutcome {
  if (end === 'timeout' || end === 'unsent') return end === 'timeout' ? 'timeout' : 'broken';
  if (end === 'failed') return 'broken';
  // The websocket's upgrade.
  if (status < 200 || (mayBeMissing && status === 404)) return 'ok';
  return outcomeOfStatus(status);
}

function pairsOf(flat: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < flat.length; index += 2)
    pairs.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return pairs;
}

function onePair([name, value]: [string, string | string[] | undefined]): readonly [string, string] {
  return [name, Array.isArray(value) ? value.join(', ') : (value ?? '')];
}
