/**
 * Room: computers with their printers and scales, from one description and one seed.
 *
 * What is costly is shared by the whole room: the press and the document fetch.
 */

import { usageError } from '../common/actionable-error.ts';
import { severalOf } from '../common/several-of.ts';
import { VirtualComputer, type ComputerDescription, type ComputerOptions } from './computer/computer.ts';
import { DocumentFetch } from './document/document-fetch.ts';
import { Press } from './press/press.ts';
import type { PrinterDescription, VirtualPrinter } from './printer/printer.ts';
import type { Printout } from './printer/printout.ts';
import { SHIPPED_PROFILES, type Profiles } from './profiles.ts';
import { AutoOff } from './scale/auto-off.ts';
import type { ScaleDescription, VirtualScale } from './scale/scale.ts';

/** A room as data: as a computer's description, with profiles by name. */
export interface RoomDescription<PrinterName extends string = string, ScaleName extends string = string> {
  readonly computers: readonly RoomComputer<PrinterName, ScaleName>[];
}

export interface RoomComputer<PrinterName extends string = string, ScaleName extends string = string> extends Omit<
  ComputerDescription,
  'printers' | 'scales'
> {
  /** What it leaves to chance follows from it; its place in the room, from 1, unless given. */
  readonly number?: number | undefined;
  readonly printers: readonly ByProfileName<PrinterDescription, PrinterName>[];
  readonly scales?: readonly ByProfileName<ScaleDescription, ScaleName>[] | undefined;
}

type ByProfileName<Description, Name> = Omit<Description, 'profile'> & { readonly profile: Name };

export interface RoomOptions extends Pick<
  ComputerOptions,
  'clock' | 'random' | 'link' | 'serviceUrl' | 'credential' | 'longestBackoffMs' | 'faults' | 'observer'
> {
  /**
   * How long printing takes: 1 is as long as the machines would need, 0.1 a tenth of that. 0 unless given:
   * sheets come out as soon as the print queue has them.
   */
  readonly timeScale?: number | undefined;
  /** What the names of profiles stand for; those that ship unless given. */
  readonly profiles?: Profiles | undefined;
  /** How many printouts each printer keeps; 200 unless given. */
  readonly trayCapacity?: number | undefined;
  /** Shared with other rooms and closed by its owner; one of the room's own unless given. */
  readonly press?: Press | undefined;
}

const DEFAULT_TRAY_CAPACITY = 200;
/** How many computers connect at the same time; the others wait for their turn. */
const CONNECTING_AT_ONCE = 64;

export class Room {
  #computers: readonly VirtualComputer[];
  readonly #shared: ComputerOptions;
  readonly #profiles: Profiles;
  #computersSoFar = 0;
  /** What draws the documents of its printers. */
  readonly press: Press;
  readonly #ownsPress: boolean;
  readonly #documents: DocumentFetch;

  /** @throws ActionableError when the description names a profile that does not exist */
  constructor(description: RoomDescription, options: RoomOptions) {
    const { clock, random, trayCapacity = DEFAULT_TRAY_CAPACITY, timeScale = 0, profiles = SHIPPED_PROFILES } = options;
    this.#profiles = profiles;
    this.press = options.press ?? new Press(clock);
    this.#ownsPress = options.press === undefined;
    this.#documents = new DocumentFetch(clock, random.stream('documents'));
    this.#shared = {
      ...options,
      press: this.press,
      documents: this.#documents,
      autoOff: new AutoOff(clock),
      trayCapacity,
      timeScale,
    };
    this.#computers = description.computers.map((computer) => this.#make(computer));
  }

  get computers(): readonly VirtualComputer[] {
    return this.#computers;
  }

  /** Adds a computer; it is not connected yet. @throws ActionableError when a profile does not exist */
  addComputer(description: RoomComputer): VirtualComputer {
    const computer = this.#make(description);
    this.#computers = [...this.#computers, computer];
    return computer;
  }

  async removeComputer(computer: VirtualComputer): Promise<void> {
    this.#computers = this.#computers.filter((one) => one !== computer);
    for (const device of [...computer.printers, ...computer.scales]) device.close();
    await computer.disconnect();
  }

  #make(description: RoomComputer): VirtualComputer {
    this.#computersSoFar++;
    const number = description.number ?? this.#computersSoFar;
    return new VirtualComputer(number, withProfiles(description, this.#profiles), this.#shared);
  }

  get printers(): VirtualPrinter[] {
    return this.computers.flatMap((computer) => computer.printers);
  }

  get scales(): VirtualScale[] {
    return this.computers.flatMap((computer) => computer.scales);
  }

  /** Connects every computer; resolves when the service knows all of them. @throws LinkError of the first that fails */
  async connect(): Promise<void> {
    const waiting = this.computers.values();
    const connectNext = async (): Promise<void> => {
      for (const computer of waiting) await computer.connect();
    };
    await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, connectNext));
  }

  /** Stops every printer and scale, disconnects every computer and ends the room's worker and sockets. */
  async close(): Promise<void> {
    for (const printer of this.printers) printer.close();
    for (const scale of this.scales) scale.close();
    await Promise.all(this.computers.map((computer) => computer.disconnect()));
    if (this.#ownsPress) await this.press.close();
    await this.#documents.close();
  }

  /** The computer of this name. @throws ActionableError when no computer has it, or several */
  computer(name: string): VirtualComputer {
    return named('computer', name, this.computers, (computer) => computer.name);
  }

  /** The printer of this name; on one computer where that is named. @throws ActionableError for none, or several */
  printer(name: string, computerName?: string): VirtualPrinter {
    const { printers } = computerName === undefined ? this : this.computer(computerName);
    return named('printer', name, printers, (printer) => printer.name);
  }

  /** The scale of this name; on one computer where that is named. @throws ActionableError for none, or several */
  scale(deviceName: string, computerName?: string): VirtualScale {
    const { scales } = computerName === undefined ? this : this.computer(computerName);
    return named('scale', deviceName, scales, (scale) => scale.deviceName);
  }

  /** What came out of all printers; of one job where its id is given. Oldest first for each printer. */
  printouts(jobId?: number): Printout[] {
    return this.printers.flatMap((printer) => printer.printouts(jobId));
  }
}

function withProfiles({ printers, scales = [], ...rest }: RoomComputer, profiles: Profiles): ComputerDescription {
  return {
    ...rest,
    printers: printers.map((printer) => ({ ...printer, profile: profiles.printer(printer.profile) })),
    scales: scales.map((scale) => ({ ...scale, profile: profiles.scale(scale.profile) })),
  };
}

function named<Thing>(kind: string, name: string, all: readonly Thing[], nameOf: (thing: Thing) => string): Thing {
  const [found, ...others] = all.filter((one) => nameOf(one) === name);
  if (found && others.length === 0) return found;
  if (found) throw usageError(severalOf(kind, name, others.length + 1), 'Give each a name of its own.');
  const names = all.map((one) => `'${nameOf(one)}'`).join(', ');
  throw usageError(`the room has no ${kind} '${name}'`, `It has ${names || 'none'}.`);
}
