/**
 * Account room: the room of one account of the workbench, with faults of its own. The main account has one from
 * the start; tests that run side by side create an account each.
 */

import type { Clock } from '../../common/clock.ts';
import type { Reach } from '../../common/file-reach.ts';
import { FaultPlan } from '../../common/fault-plan.ts';
import { namesOf, placeOf } from '../../common/fault-rule.ts';
import type { Random } from '../../common/random.ts';
import type { Press } from '../../devices/press/press.ts';
import type { VirtualPrinter } from '../../devices/printer/printer.ts';
import { profilesWithin } from '../../devices/profiles.ts';
import { RoomFaults } from '../../devices/room-faults.ts';
import type { VirtualComputer } from '../../devices/computer/computer.ts';
import { ExposedRoom, type Exposure, type HardwareAddresses } from '../../hardware/exposed-room.ts';
import { Room, type RoomComputer, type RoomDescription } from '../../devices/room.ts';
import type { VirtualScale } from '../../devices/scale/scale.ts';
import { webSocketLink } from '../../link/websocket-link.ts';
import { descriptionOf, type RoomChoice } from './room-choice.ts';

export interface AccountRoomOptions {
  readonly accountId: number;
  readonly apiKey: string;
  readonly choice: RoomChoice;
  /** The folders in which it may name profiles by a path. */
  readonly reach: Reach;
  readonly clock: Clock;
  /** The same each time the room is made: a reset leads back to the seed. */
  readonly random: Random;
  readonly serviceUrl: string;
  readonly press: Press;
  readonly onSheetOut: (jobId: number) => void;
}

export class AccountRoom {
  readonly accountId: number;
  readonly faults: RoomFaults;
  readonly #options: AccountRoomOptions;
  readonly #description: RoomDescription;
  readonly #plan: FaultPlan;
  #room: Room;
  #exposed: ExposedRoom | undefined;
  readonly #profiles = new WeakMap<VirtualPrinter | VirtualScale, string>();

  /** @throws ActionableError when it cannot be made from the choice */
  constructor(options: AccountRoomOptions) {
    this.#options = options;
    this.#description = descriptionOf(options.choice);
    this.accountId = options.accountId;
    this.#plan = new FaultPlan(options.clock, options.random.stream('faults'));
    const printersNamed = (name: string, computer: string | undefined): readonly VirtualPrinter[] =>
      this.#printersNamed(name, computer);
    this.faults = new RoomFaults(printersNamed, this.#plan, options.clock);
    this.#room = this.#make();
  }

  get room(): Room {
    return this.#room;
  }

  /** Name of the profile that a device of the room was made from. */
  profileOf(device: VirtualPrinter | VirtualScale): string {
    return this.#profiles.get(device) ?? '';
  }

  noteProfile(device: VirtualPrinter | VirtualScale, profile: string): void {
    this.#profiles.set(device, profile);
  }

  /** Notes the devices of a computer, which stand in the order of its description. */
  noteProfiles(computer: VirtualComputer, { printers, scales = [] }: RoomComputer): void {
    computer.printers.forEach((printer, index) => this.noteProfile(printer, printers[index]?.profile ?? ''));
    computer.scales.forEach((scale, index) => this.noteProfile(scale, scales[index]?.profile ?? ''));
  }

  /** Connects the room. @throws LinkError */
  connect(): Promise<void> {
    return this.#room.connect();
  }

  /** Takes the room down and ends its faults. */
  async clear(): Promise<void> {
    this.faults.clear();
    await this.#room.close();
    this.#plan.reset();
  }

  /** Makes the room again from its seed and connects it. Call after `clear`. */
  async restore(): Promise<void> {
    this.#room = this.#make();
    await this.#exposed?.refresh();
    await this.#room.connect();
  }

  /** Gives its devices addresses that operating systems can reach. @throws ActionableError when a port is taken */
  async expose(exposure: Exposure, host: string | undefined): Promise<void> {
    const { clock, press } = this.#options;
    const computers = (): Room['computers'] => this.#room.computers;
    this.#exposed = await ExposedRoom.open({ clock, press, exposure, host, computers });
  }

  /** Call when printers have come or gone. */
  async devicesChanged(): Promise<void> {
    await this.#exposed?.refresh();
  }

  /** Where operating systems reach a device; undefined when the room is not exposed. */
  addressesOf(device: VirtualPrinter | VirtualScale): HardwareAddresses | undefined {
    return this.#exposed?.addressesOf(device);
  }

  /** The addresses of all its devices; none when it is not exposed. */
  get addresses(): HardwareAddresses[] {
    return this.#exposed?.addresses ?? [];
  }

  /** Takes the room down for good. */
  async close(): Promise<void> {
    await this.#exposed?.close();
    await this.clear();
  }

  /** The places of the printers for faults: by name, and by computer where printers of two have the same name. */
  printerPlaces(): ReadonlyMap<VirtualPrinter, string> {
    const byName = Map.groupBy(this.#room.printers, ({ name }) => name);
    const placed = this.#room.computers.flatMap(({ name: computer, printers }) =>
      printers.map((printer): [VirtualPrinter, string] => {
        const isOnly = byName.get(printer.name)?.length === 1;
        return [printer, placeOf('printer', printer.name, ...(isOnly ? [] : [computer]))];
      }),
    );
    return new Map(placed);
  }

  /**
   * For the place of a fault: a rule at a name that nothing has would silently never fire.
   *
   * @throws ActionableError when the room has nothing of that name, or several things
   */
  ensurePlace(at: string): void {
    const [kind = '', name] = namesOf(at);
    if (name === undefined || name === '*') return;
    if (kind === 'computer' || kind === 'link') this.#room.computer(name);
    const scales = this.#room.scales.filter(({ place }) => place === placeOf('scale', name));
    if (kind === 'scale' && scales.length !== 1) this.#room.scale(name);
  }

  #make(): Room {
    const { clock, random, serviceUrl, press, apiKey, onSheetOut, reach } = this.#options;
    const room = new Room(this.#description, {
      clock,
      profiles: profilesWithin(reach),
      random: random.stream('room'),
      link: webSocketLink({ clock, faults: this.#plan }),
      faults: this.#plan,
      serviceUrl,
      credential: { kind: 'api-key', key: apiKey },
      press,
      observer: { sheetOut: onSheetOut },
    });
    this.#description.computers.forEach((description, index) => {
      const computer = room.computers[index];
      if (computer) this.noteProfiles(computer, description);
    });
    return room;
  }

  #printersNamed(name: string, computer: string | undefined): readonly VirtualPrinter[] {
    return name === '*' ? this.#room.printers : [this.#room.printer(name, computer)];
  }
}
