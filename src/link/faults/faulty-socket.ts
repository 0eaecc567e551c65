/**
 * Faulty socket: a link socket on which a fault plan decides what goes wrong.
 *
 *   session ── say ──► to-service ───► socket ═══ service
 *           ◄─ frame ─ to-computer ◄── socket
 *
 * Places: `link/<computer>/connect`, `…/close`, and `link/<computer>/<direction>/<message type>` for each
 * frame. A rule at `link/<computer>` counts the frames of both directions together.
 */

import type { RawData } from 'ws';

import { isObject } from '../../common/json-value.ts';
import type { Timer } from '../../common/clock.ts';
import type { FaultPlan } from '../../common/fault-plan.ts';
import { placeOf } from '../../common/fault-rule.ts';
import { durationSetting } from '../../common/fault-settings.ts';
import { keysOf } from '../../common/keys-of.ts';
import { bytesOf } from '../codec.ts';
import type { LinkRequest } from '../device-link.ts';
import { LinkSocket, type SocketOwner } from '../link-socket.ts';
import { Direction, type DirectionName, type FaultyConnection, type Frame } from './direction.ts';
import { FRAME_FAULTS } from './frame-faults.ts';
import type { TransitClock } from './transit-clock.ts';

const NAMES_OF_FRAME_FAULTS = keysOf(FRAME_FAULTS);

export class FaultyLinkSocket extends LinkSocket implements FaultyConnection {
  readonly #plan: FaultPlan;
  readonly #clock: TransitClock;
  readonly #place: string;
  readonly #toService: Direction;
  readonly #toComputer: Direction;
  #pauseTimer: Timer | undefined;

  /** Begins to connect. @throws Error when a rule refuses it, or the request's address is not an address */
  constructor(request: LinkRequest, owner: SocketOwner, plan: FaultPlan, clock: TransitClock) {
    const place = placeOf('link', request.client.computerName);
    if (plan.fires(`${place}/connect`, 'refuse')) throw new Error('connection refused, by a fault rule');
    super(request, owner);
    this.#plan = plan;
    this.#clock = clock;
    this.#place = place;
    this.#toService = new Direction('to-service', clock, this);
    this.#toComputer = new Direction('to-computer', clock, this);
    this.once('close', () => {
      this.#loseFrames();
      this.#endPause();
    });
  }

  override say(text: string): void {
    this.#toService.enter({ bytes: Buffer.from(text), isBinary: false });
  }

  override take(data: RawData, isBinary: boolean): void {
    this.#toComputer.enter({ bytes: bytesOf(data), isBinary });
  }

  /** With `slow-close` it stays open for `delay`, and nothing reads it: the service meets a ghost. */
  override discard(): void {
    const firing = this.#plan.fires(`${this.#place}/close`, 'slow-close');
    const delayMs = firing ? durationSetting(firing, 'delay', 30_000) : 0;
    if (delayMs === 0) {
      super.discard();
      return;
    }
    this.owner = undefined;
    this.#loseFrames();
    this.#pauseUntil(delayMs, () => super.discard());
  }

  applyFault(direction: Direction, frame: Frame): boolean {
    if (this.#plan.isEmpty) return false;
    const place = `${this.#place}/${direction.name}/${kindOf(frame)}`;
    const firing = this.#plan.firstOf(place, NAMES_OF_FRAME_FAULTS);
    const name = NAMES_OF_FRAME_FAULTS.find((fault) => fault === firing?.fault);
    if (!firing || !name) return false;
    FRAME_FAULTS[name].apply(frame, direction, firing);
    return true;
  }

  handOver(direction: DirectionName, { bytes, isBinary }: Frame): void {
    if (direction === 'to-service') this.send(bytes, { binary: isBinary });
    else super.take(bytes, isBinary);
  }

  handOverPart(direction: DirectionName, { bytes }: Frame): void {
    if (direction === 'to-computer') {
      this.cut();
      return;
    }
    const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
    this.send(half, { binary: false, fin: false }, () => this.cut());
  }

  /** Like a broken cable: the owner hears that the connection is gone. */
  cut(): void {
    this.#loseFrames();
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

  #loseFrames(): void {
    this.#toService.clear();
    this.#toComputer.clear();
  }
}

/** The `type` of the message in a frame, or `unknown`. */
function kindOf({ bytes }: Frame): string {
  try {
    const message: unknown = JSON.parse(bytes.toString());
    const type = isObject(message) ? message['type'] : '';
    return typeof type === 'string' && type !== '' ? type : 'unknown';
  } catch {
    return 'unknown';
  }
}
