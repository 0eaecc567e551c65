/**
 * Tenant: an account of the workbench with a room of its own, and faults of its own. The workbench has one from
 * the start; tests that run side by side take one each.
 */

import type { Clock } from '../common/clock.ts';
import { FaultPlan } from '../common/fault-plan.ts';
import { namesOf, placeOf } from '../common/fault-rule.ts';
import type { Random } from '../common/random.ts';
import type { Press } from '../devices/press/press.ts';
import type { VirtualPrinter } from '../devices/printer/printer.ts';
import { RoomFaults } from '../devices/room-faults.ts';
import { Room, type RoomDescription } from '../devices/room.ts';
import { webSocketLink } from '../link/websocket-link.ts';
import { ProfileNames } from './profile-names.ts';

export interface TenantParts {
  readonly accountId: number;
  readonly apiKey: string;
  readonly description: RoomDescription;
  readonly clock: Clock;
  /** The same at each furnishing: a reset leads back to the seed. */
  readonly random: Random;
  readonly serviceUrl: string;
  readonly press: Press;
  readonly onSheetOut: (jobId: number) => void;
}

export class Tenant {
  readonly accountId: number;
  readonly apiKey: string;
  readonly faults: RoomFaults;
  readonly #parts: TenantParts;
  readonly #plan: FaultPlan;
  #room: Room;
  #profiles: ProfileNames;

  /** @throws ActionableError when the description names a profile that does not exist */
  constructor(parts: TenantParts) {
    this.#parts = parts;
    this.accountId = parts.accountId;
    this.apiKey = parts.apiKey;
    this.#plan = new FaultPlan(parts.clock, parts.random.stream('faults'));
    this.faults = new RoomFaults((name) => this.#printersNamed(name), this.#plan, parts.clock);
    this.#room = this.#furnish();
    this.#profiles = new ProfileNames(this.#room, parts.description);
  }

  get room(): Room {
    return this.#room;
  }

  /** Which profile each device of the room was made from. */
  get profiles(): ProfileNames {
    return this.#profiles;
  }

  /** Connects the room. @throws LinkError */
  connect(): Promise<void> {
    return this.#room.connect();
  }

  /** Takes the room down; what was going wrong is over. */
  async clear(): Promise<void> {
    this.faults.clear();
    await this.#room.close();
    this.#plan.reset();
  }

  /** A room as the seed makes it, connected. Call after `clear`. */
  async furnish(): Promise<void> {
    this.#room = this.#furnish();
    this.#profiles = new ProfileNames(this.#room, this.#parts.description);
    await this.#room.connect();
  }

  /**
   * For the place of a fault: a rule at a name that nobody has would never come true, and nobody would know.
   *
   * @throws ActionableError when the room has nothing of that name
   */
  ensurePlace(at: string): void {
    const [kind = '', name] = namesOf(at);
    if (name === undefined || name === '*') return;
    if (kind === 'computer' || kind === 'link') this.#room.computer(name);
    const isScale = this.#room.scales.some(({ place }) => place === placeOf('scale', name));
    if (kind === 'scale' && !isScale) this.#room.scale(name);
  }

  #furnish(): Room {
    const { clock, random, serviceUrl, press, apiKey, description, onSheetOut } = this.#parts;
    return new Room(description, {
      clock,
      random: random.stream('room'),
      link: webSocketLink({ clock, faults: this.#plan }),
      faults: this.#plan,
      serviceUrl,
      credential: { kind: 'api-key', key: apiKey },
      press,
      observer: { sheetOut: onSheetOut },
    });
  }

  #printersNamed(name: string): readonly VirtualPrinter[] {
    return name === '*' ? this.#room.printers : [this.#room.printer(name)];
  }
}
