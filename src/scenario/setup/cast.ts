/**
 * Cast: the devices of the room by the names that a scenario gives them: their own, or that of `as`, which
 * distinguishes two printers of the same name.
 */

import { usageError } from '../../common/actionable-error.ts';
import type { VirtualComputer } from '../../devices/computer/computer.ts';
import type { VirtualPrinter } from '../../devices/printer/printer.ts';
import type { Room } from '../../devices/room.ts';
import type { VirtualScale } from '../../devices/scale/scale.ts';

export interface CastScale {
  readonly scale: VirtualScale;
  readonly computer: VirtualComputer;
}

export interface CastPrinter {
  readonly printer: VirtualPrinter;
  readonly computer: VirtualComputer;
}

/** Names given with `as` on one computer, in the order of its devices. */
export interface Aliases {
  readonly printers: readonly (string | undefined)[];
  readonly scales: readonly (string | undefined)[];
}

export class Cast {
  readonly #room: Room;
  readonly #isSeen: boolean;
  readonly #printers = new Map<string, CastPrinter>();
  readonly #scales = new Map<string, CastScale>();
  readonly #computerIds = new Map<string, number>();

  /** @param isSeen - whether the room connects to the service */
  constructor(room: Room, aliases: readonly Aliases[], isSeen: boolean) {
    this.#room = room;
    this.#isSeen = isSeen;
    for (const [at, computer] of room.computers.entries()) {
      for (const [index, printer] of computer.printers.entries()) {
        const name = aliases[at]?.printers[index] ?? printer.name;
        if (!this.#printers.has(name)) this.#printers.set(name, { printer, computer });
      }
      for (const [index, scale] of computer.scales.entries()) {
        const name = aliases[at]?.scales[index] ?? scale.deviceName;
        if (!this.#scales.has(name)) this.#scales.set(name, { scale, computer });
      }
    }
  }

  /** @throws ActionableError where nothing is seen of the room */
  ensureSeen(what: string): void {
    if (this.#isSeen) return;
    throw usageError(
      `${what} cannot be seen, as no computer of the scenario connects to the service`,
      'Give it a `link:` or a `client:` in the descriptor of the service.',
    );
  }

  computer(name: string): VirtualComputer {
    this.ensureSeen(`the computer '${name}'`);
    return this.#room.computer(name);
  }

  printer(name: string): CastPrinter {
    this.ensureSeen(`the printer '${name}'`);
    const found = this.#printers.get(name);
    if (found) return found;
    throw new Error(`the room has no printer '${name}'`);
  }

  /** Adds a printer that was installed during the scenario. */
  add(name: string, added: CastPrinter): void {
    this.#printers.set(name, added);
  }

  /** The printers of a name; all for `*`. */
  printersNamed(name: string): readonly VirtualPrinter[] {
    if (name === '*') return this.#room.printers;
    return [this.printer(name).printer];
  }

  scale(name: string): CastScale {
    this.ensureSeen(`the scale '${name}'`);
    const found = this.#scales.get(name);
    if (found) return found;
    throw new Error(`the room has no scale '${name}'`);
  }

  /** The id of a computer at the service, also while it is away. */
  computerId(computer: VirtualComputer): number {
    const id = computer.id ?? this.#computerIds.get(computer.name);
    if (id === undefined) throw new Error(`the computer '${computer.name}' has never been connected`);
    this.#computerIds.set(computer.name, id);
    return id;
  }

  /** The ids of all computers that have been connected. */
  computerIds(): readonly number[] {
    return [...this.#computerIds.values()];
  }

  /** Remembers the ids of all computers that are connected now. */
  meet(): void {
    for (const computer of this.#room.computers) if (computer.id !== undefined) this.computerId(computer);
  }
}
