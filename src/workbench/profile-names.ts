/**
 * Profile names: which profile each printer and scale of a room was made from.
 */

import type { VirtualComputer } from '../devices/computer/computer.ts';
import type { VirtualPrinter } from '../devices/printer/printer.ts';
import type { Room, RoomComputer, RoomDescription } from '../devices/room.ts';
import type { VirtualScale } from '../devices/scale/scale.ts';

export class ProfileNames {
  readonly #names = new WeakMap<VirtualPrinter | VirtualScale, string>();

  constructor(room: Room, { computers }: RoomDescription) {
    computers.forEach((description, index) => {
      const computer = room.computers[index];
      if (computer) this.noteAll(computer, description);
    });
  }

  of(device: VirtualPrinter | VirtualScale): string {
    return this.#names.get(device) ?? '';
  }

  note(device: VirtualPrinter | VirtualScale, profile: string): void {
    this.#names.set(device, profile);
  }

  /** Notes the devices of a computer, which stand in the order of its description. */
  noteAll(computer: VirtualComputer, { printers, scales = [] }: RoomComputer): void {
    computer.printers.forEach((printer, index) => this.note(printer, printers[index]?.profile ?? ''));
    computer.scales.forEach((scale, index) => this.note(scale, scales[index]?.profile ?? ''));
  }
}
