/**
 * Pipeline room: the printers of a pipeline at addresses of their own, and the paper that comes out of them.
 */

import { usageError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { messageOf } from '../common/error-message.ts';
import { PRINTER_PROFILES } from '../devices/printer/printer-profile.ts';
import { VirtualPrinter } from '../devices/printer/printer.ts';
import type { Printout } from '../devices/printer/printout.ts';
import type { Press } from '../devices/press/press.ts';
import { ExposedRoom } from '../hardware/exposed-room.ts';
import { readPaper, type ReadPaper } from './paper-reader.ts';
import type { PrinterOfRoom } from './pipeline-file.ts';

const PROFILE = 'receipt-80mm';
const TRAY_CAPACITY = 100_000;

/** A printout that bears a mark, or one that has none. */
export interface SeenPaper extends ReadPaper {
  readonly printer: string;
  readonly atMs: number;
  readonly printout: Printout;
}

export class PipelineRoom {
  readonly #printers = new Map<string, VirtualPrinter>();
  readonly #exposed: ExposedRoom[] = [];
  readonly #press: Press;
  /** A printout is the same as long as nothing more comes out of it. */
  readonly #read = new WeakMap<Printout, Promise<readonly ReadPaper[]>>();
  #papers = 0;

  private constructor(press: Press) {
    this.#press = press;
  }

  /** @throws ActionableError when a port is taken, or there is no such profile */
  static async open(printers: Readonly<Record<string, PrinterOfRoom>>, press: Press): Promise<PipelineRoom> {
    const room = new PipelineRoom(press);
    try {
      for (const [name, printer] of Object.entries(printers)) await room.#add(name, printer);
      return room;
    } catch (error) {
      await room.close();
      throw error;
    }
  }

  /** Where each printer is reached: name → URI. */
  get addresses(): Readonly<Record<string, string>> {
    const all = this.#exposed.flatMap(({ addresses }) => addresses);
    return Object.fromEntries(all.map(({ name, uris }) => [name, Object.values(uris)[0] ?? '']));
  }

  /** Printouts so far; one that is only half out does not count. */
  get papers(): number {
    return this.#papers;
  }

  fail(name: string, fault: string): void {
    this.#printers.get(name)?.fail(fault);
  }

  fix(name: string): void {
    this.#printers.get(name)?.clear();
  }

  fixAll(): void {
    for (const printer of this.#printers.values()) printer.clear();
  }

  /** All that came out, in the order of each printer. */
  async seen(): Promise<readonly SeenPaper[]> {
    const all = [...this.#printers].flatMap(([name, printer]) =>
      printer.printouts().map((printout) => this.#papersOf(name, printout)),
    );
    return (await Promise.all(all)).flat();
  }

  async close(): Promise<void> {
    for (const printer of this.#printers.values()) printer.close();
    await Promise.all(this.#exposed.map((exposed) => exposed.close()));
  }

  async #papersOf(printer: string, printout: Printout): Promise<readonly SeenPaper[]> {
    const read = this.#read.get(printout) ?? readPaper(printout);
    this.#read.set(printout, read);
    return (await read).map((paper) => ({ ...paper, printer, atMs: printout.printedAtMs, printout }));
  }

  async #add(name: string, { protocol, profile = PROFILE, port = 0 }: PrinterOfRoom): Promise<void> {
    const options = { clock: systemClock, press: this.#press, timeScale: 0, trayCapacity: TRAY_CAPACITY };
    const description = { profile: PRINTER_PROFILES.load(profile), name };
    const printer = new VirtualPrinter(this.#printers.size + 1, description, options, { refresh: () => undefined });
    printer.onPrintout(() => void this.#papers++);
    this.#printers.set(name, printer);
    const computers = () => [{ name: 'ROOM', printers: [printer], scales: [] }];
    const exposure = { [protocol]: port };
    const opening = ExposedRoom.open({ clock: systemClock, press: this.#press, exposure, computers });
    this.#exposed.push(
      await opening.catch((error: unknown) => {
        throw usageError(
          `printers.${name} cannot be opened: ${messageOf(error)}`,
          'Wait until another run that has its port is over, or give it another one.',
        );
      }),
    );
  }
}
