/**
 * Faulty socket: a link socket on which a fault plan decides what goes wrong.
 *
 *   session ── say ──► lane to-service ──► socket ═══ service
 *           ◄─ frame ─ lane to-computer ◄─ socket
 *
 * Places: `link/<computer>/connect`, `…/close`, and `link/<computer>/<direction>/<message type>` for each
 * frame. A rule at `link/<computer>` counts the frames of both directions together.
 */

import type { RawData } from 'ws';

import type { Timer } from '../../common/clock.ts';
import type { FaultPlan } from '../../common/fault-plan.ts';
import { placeOf } from '../../common/fault-rule.ts';
import type { LinkRequest } from '../device-link.ts';
import { LinkSocket, type SocketOwner } from '../link-socket.ts';
import { drop } from './drop.ts';
import { duplicate } from './duplicate.ts';
import { Lane, type Direction, type Frame, type FrameFault, type LaneEnds } from './lane.ts';
import { latency } from './latency.ts';
import { mute } from './mute.ts';
import { mayRefuse } from './refuse.ts';
import { reorder } from './reorder.ts';
import { closingMs } from './slow-close.ts';
import type { TransitClock } from './transit-clock.ts';
import { truncate } from './truncate.ts';

/** What can happen to a frame; where several rules speak of one, the first of this table happens. */
const FRAME_FAULTS: ReadonlyMap<string, FrameFault> = new Map([
  ['drop', drop],
  ['truncate', truncate],
  ['mute', mute],
  ['latency', latency],
  ['duplicate', duplicate],
  ['reorder', reorder],
]);

/** Names of everything that can go wrong on a link. */
export const LINK_FAULTS: readonly string[] = ['refuse', ...FRAME_FAULTS.keys(), 'slow-close'];

export class FaultyLinkSocket extends LinkSocket implements LaneEnds {
  readonly #plan: FaultPlan;
  readonly #clock: TransitClock;
  readonly #place: string;
  readonly #toService: Lane;
  readonly #toComputer: Lane;
  #pauseTimer: Timer | undefined;

  /** Begins to connect. @throws Error when the connection is refused or the request's address is none */
  constructor(request: LinkRequest, owner: SocketOwner, plan: FaultPlan, clock: TransitClock) {
    const place = placeOf('link', request.client.computerName);
    mayRefuse(plan, place);
    super(request, owner);
    this.#plan = plan;
    this.#clock = clock;
    this.#place = place;
    this.#toService = new Lane('to-service', clock, this);
    this.#toComputer = new Lane('to-computer', clock, this);
    this.once('close', () => {
      this.#clearLanes();
      this.#endPause();
    });
  }

  override say(text: string): void {
    this.#toService.enter({ kind: kindOf(text), bytes: Buffer.from(text), isBinary: false });
  }

  override take(data: RawData, isBinary: boolean): void {
    const bytes = bytesOf(data);
    this.#toComputer.enter({ kind: kindOf(bytes.toString()), bytes, isBinary });
  }

  override discard(): void {
    const delayMs = closingMs(this.#plan, this.#place);
    if (delayMs === 0) {
      super.discard();
      return;
    }
    this.owner = undefined;
    this.#clearLanes();
    this.#pauseUntil(delayMs, () => super.discard());
  }

  faultFor(direction: Direction, kind: string): ReturnType<LaneEnds['faultFor']> {
    const firing = this.#plan.firstOf(`${this.#place}/${direction}/${kind}`, FRAME_FAULTS.keys());
    const apply = FRAME_FAULTS.get(firing?.fault ?? '');
    return firing && apply ? { apply, firing } : undefined;
  }

  handOver(direction: Direction, { bytes, isBinary }: Frame): void {
    if (direction === 'to-service') this.send(bytes, { binary: isBinary });
    else super.take(bytes, isBinary);
  }

  handOverPart(direction: Direction, { bytes }: Frame): void {
    if (direction === 'to-computer') {
      this.cut();
      return;
    }
    const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
    this.send(half, { binary: false, fin: false }, () => this.cut());
  }

  /** As a broken cable does it: the owner hears that the connection is gone. */
  cut(): void {
    this.#clearLanes();
    this.terminate();
  }

  mute(durationMs: number): void {
    this.#pauseUntil(durationMs, () => this.resume());
  }

  /** Reads nothing for a while. One pause at a time: a newer one takes the place of an older. */
  #pauseUntil(delayMs: number, then: () => void): void {
    this.#endPause();
    this.pause();
    this.#clock.depart();
    this.#pauseTimer = this.#clock.schedule(delayMs, () => {
      this.#endPause();
      then();
    });
  }

  #endPause(): void {
    if (!this.#pauseTimer) return;
    this.#pauseTimer.cancel();
    this.#pauseTimer = undefined;
    this.#clock.arrive();
  }

  #clearLanes(): void {
    this.#toService.clear();
    this.#toComputer.clear();
  }
}

/** The type of the message in a frame. */
function kindOf(text: string): string {
  try {
    const message: unknown = JSON.parse(text);
    const type = typeof message === 'object' && message !== null && 'type' in message ? message.type : '';
    return typeof type === 'string' && type !== '' ? type : 'unknown';
  } catch {
    return 'unknown';
  }
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
