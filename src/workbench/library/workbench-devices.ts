/**
 * Workbench devices: computers, printers and scales of a workbench, for programs. Each is looked up by its name
 * when it is used.
 */

import { usageError, type ActionableError } from '../../common/actionable-error.ts';
import { placeOf, type FaultRule } from '../../common/fault-rule.ts';
import { givenObject } from '../../common/given-object.ts';
import {
  ROOM_FAULTS,
  type ComputerFault,
  type LinkFault,
  type PrinterFault,
  type ScaleFault,
} from '../../devices/room-faults.ts';
import type { RoomDescription } from '../../devices/room.ts';
import type { PrinterProfileName, ScaleProfileName } from '../../devices/shipped-names.ts';
import type { ExposureProtocol } from '../../hardware/exposed-room.ts';
import type {
  NewRoomPrinter,
  NewRoomScale,
  PrinterChange,
  RoomComputerView,
  RoomPrinterView,
  RoomScaleView,
  RoomView,
  ScaleChange,
} from '../../record/control-types.ts';
import { severalOf } from '../../common/several-of.ts';
import type { ControlClient } from '../control/control-client.ts';
import { gramsOf } from './weight.ts';
import type { WorkbenchClock } from './workbench-clock.ts';

/** When a fault comes and how long it stays; at once and until it is cleared unless given. */
export type FaultSettings = Pick<FaultRule, 'after' | 'for'>;
/** The same of what happens each time anew: `with` are the settings of the fault. */
export type EventSettings = Omit<FaultRule, 'at' | 'fault'>;

/** A profile that ships, or a file of one's own. */
type OrFile<Name> = Name | `${string}.json`;

/** A room whose profiles an editor completes. */
export type NamedRoom = 'default' | 'none' | RoomDescription<OrFile<PrinterProfileName>, OrFile<ScaleProfileName>>;

export interface NewPrinter extends NewRoomPrinter {
  readonly profile: PrinterProfileName;
}

export interface NewScale extends NewRoomScale {
  readonly profile: ScaleProfileName;
}

export class WorkbenchPrinter {
  readonly name: string;
  readonly #control: ControlClient;
  readonly #computer: string | undefined;

  constructor(control: ControlClient, name: string, computer: string | undefined) {
    this.#control = control;
    this.name = name;
    this.#computer = computer;
  }

  /**
   * Its state, what is wrong with it, its trays and what waits for paper. @throws ActionableError when it does not
   * exist
   */
  async state(): Promise<RoomPrinterView> {
    return (await this.#find()).device;
  }

  /** The service's id, which `printerId` of a job takes. */
  async id(): Promise<number> {
    const { id } = await this.state();
    if (id !== undefined) return id;
    throw usageError(`the service does not know printer '${this.name}' yet`, 'Its computer has to connect first.');
  }

  /**
   * Where operating systems and programs reach it: `socket://127.0.0.1:9100`.
   *
   * @throws ActionableError when it is not exposed under this protocol
   */
  async address(protocol: ExposureProtocol): Promise<string> {
    const { addresses = {} } = await this.state();
    const address = addresses[protocol];
    if (address !== undefined) return address;
    throw usageError(
      `printer '${this.name}' has no address for ${protocol}`,
      `Start the workbench with expose: { ${protocol}: 0 }.`,
    );
  }

  /**
   * Makes something go wrong, by the names of IPP printer-state-reasons: `media-jam`, `toner-empty` …
   *
   * @param settings - `after` a number of sheets, `for` a time
   * @returns the id of the rule
   */
  async fault(fault: PrinterFault, settings: FaultSettings = {}): Promise<string> {
    const { place } = await this.state();
    return addFault(this.#control, place, fault, settings);
  }

  /** Repairs it: one fault where that is named, or all of them. */
  async clear(fault?: PrinterFault): Promise<void> {
    const { place } = await this.state();
    await clearFaults(this.#control, [place], fault);
  }

  /** Switches it: online, a tray, the cover, a jam, the toner. */
  async change(change: PrinterChange): Promise<void> {
    const { path } = await this.#find();
    await this.#control.post(path, change);
  }

  /** Sets how many sheets a tray holds. */
  loadPaper(tray: string, sheets: number): Promise<void> {
    return this.change({ tray: { name: tray, sheets } });
  }

  /** What its driver reports; null where it reports nothing. */
  async capabilities(): Promise<Readonly<Record<string, unknown>> | null> {
    const { path } = await this.#find();
    return this.#control.get(`${path}/capabilities`);
  }

  /** Uninstalls it. */
  async remove(): Promise<void> {
    const { path } = await this.#find();
    await this.#control.delete(path);
  }

  async #find(): Promise<{ readonly path: string; readonly device: RoomPrinterView }> {
    const computers = await computersOf(this.#control, this.#computer);
    const all = computers.flatMap(({ name: computer, printers }) =>
      printers.map((device) => ({ name: device.name, computer, device })),
    );
    const { computer, device } = onlyOne('printer', this.name, all);
    return { path: `${pathOf(computer)}/printers/${encodeURIComponent(device.key)}`, device };
  }
}

const SETTLING_STEP_MS = 125;
const SETTLING_LIMIT_MS = 5_000;

export class WorkbenchScale {
  readonly deviceName: string;
  readonly #control: ControlClient;
  readonly #clock: WorkbenchClock;
  readonly #computer: string | undefined;

  constructor(control: ControlClient, clock: WorkbenchClock, deviceName: string, computer: string | undefined) {
    this.#control = control;
    this.#clock = clock;
    this.deviceName = deviceName;
    this.#computer = computer;
  }

  /** What its display shows, and what lies on it. @throws ActionableError when it does not exist */
  async state(): Promise<RoomScaleView> {
    return (await this.#find()).device;
  }

  /** What it shows once it is at rest, or after five seconds; a virtual clock is advanced. */
  async settled(): Promise<RoomScaleView> {
    for (let waitedMs = 0; ; waitedMs += SETTLING_STEP_MS) {
      const state = await this.state();
      if (state.stable || !state.on || waitedMs >= SETTLING_LIMIT_MS) return state;
      await this.#clock.pass(SETTLING_STEP_MS);
    }
  }

  /** Puts a weight on it in place of what lay there: `'250 g'`, `'1.2 kg'`, `'2 lb 3 oz'`, or grams. */
  put(weight: string | number): Promise<void> {
    return this.#change({ grams: gramsOf(weight) });
  }

  /** Takes away what lies on it. */
  remove(): Promise<void> {
    return this.#change({ grams: 0 });
  }

  press(button: 'tare' | 'zero' | 'unit' | 'power'): Promise<void> {
    return this.#change({ button });
  }

  /** Makes something go wrong with its reports: `drift`, `stuck` … @returns the id of the rule */
  async fault(fault: ScaleFault, settings: EventSettings = {}): Promise<string> {
    const { place } = await this.state();
    return addFault(this.#control, place, fault, settings);
  }

  /** Repairs it: one fault where that is named, or all of them. */
  async clear(fault?: ScaleFault): Promise<void> {
    const { place } = await this.state();
    await clearFaults(this.#control, [place], fault);
  }

  unplug(): Promise<void> {
    return this.#change({ on: false });
  }

  plug(): Promise<void> {
    return this.#change({ on: true });
  }

  async #change(change: ScaleChange): Promise<void> {
    const { path, device } = await this.#find();
    await this.#control.post(path, change, { deviceName: device.deviceName });
  }

  async #find(): Promise<{ readonly path: string; readonly device: RoomScaleView }> {
    const computers = await computersOf(this.#control, this.#computer);
    const all = computers.flatMap(({ name: computer, scales }) =>
      scales.map((device) => ({ name: device.deviceName, computer, device })),
    );
    const { computer, device } = onlyOne('scale', this.deviceName, all);
    return { path: `${pathOf(computer)}/scales/${device.deviceNum}`, device };
  }
}

export class WorkbenchComputer {
  readonly name: string;
  readonly #control: ControlClient;
  readonly #clock: WorkbenchClock;

  constructor(control: ControlClient, clock: WorkbenchClock, name: string) {
    this.#control = control;
    this.#clock = clock;
    this.name = name;
  }

  /** Whether it is connected, with its printers and scales. @throws ActionableError when it does not exist */
  async state(): Promise<RoomComputerView> {
    const computers = await computersOf(this.#control, undefined);
    return onlyOne('computer', this.name, computers);
  }

  connect(): Promise<void> {
    return this.#act('connect');
  }

  disconnect(): Promise<void> {
    return this.#act('disconnect');
  }

  /** Its client program dies and restarts after five seconds. */
  crash(): Promise<void> {
    return this.#act('crash');
  }

  /** It neither reads nor sends until `wake`. */
  sleep(): Promise<void> {
    return this.#act('sleep');
  }

  wake(): Promise<void> {
    return this.#act('wake');
  }

  /**
   * Makes something go wrong with its client program (`crash-after-acknowledged` …) or its link (`drop`, `latency` …).
   *
   * @returns the id of the rule
   */
  fault(fault: ComputerFault | LinkFault, settings: EventSettings = {}): Promise<string> {
    const kind = Object.hasOwn(ROOM_FAULTS.computer, fault) ? 'computer' : 'link';
    return addFault(this.#control, placeOf(kind, this.name), fault, settings);
  }

  /** Repairs it and its link: one fault where that is named, or all of them. */
  clear(fault?: ComputerFault | LinkFault): Promise<void> {
    return clearFaults(this.#control, [placeOf('computer', this.name), placeOf('link', this.name)], fault);
  }

  /** Removes it from the room. */
  async remove(): Promise<void> {
    await this.#control.delete(pathOf(this.name));
  }

  /** Installs a printer. */
  async addPrinter(printer: NewPrinter): Promise<WorkbenchPrinter> {
    const { key } = await this.#control.post<{ readonly key: string }>(`${pathOf(this.name)}/printers`, printer);
    const made = (await this.state()).printers.find((one) => one.key === key);
    return new WorkbenchPrinter(this.#control, made?.name ?? '', this.name);
  }

  /** Plugs a scale in. */
  async addScale(scale: NewScale): Promise<WorkbenchScale> {
    await this.#control.post(`${pathOf(this.name)}/scales`, scale);
    const made = (await this.state()).scales.at(-1);
    return new WorkbenchScale(this.#control, this.#clock, made?.deviceName ?? '', this.name);
  }

  async #act(action: string): Promise<void> {
    await this.#control.post(`${pathOf(this.name)}/${action}`);
  }
}

async function addFault(control: ControlClient, at: string, fault: string, settings: EventSettings): Promise<string> {
  givenObject('the settings of a fault', "{ for: '10s' }", settings);
  return (await control.post<{ readonly id: string }>('/faults', { at, fault, ...settings })).id;
}

async function clearFaults(
  control: ControlClient,
  places: readonly string[],
  fault: string | undefined,
): Promise<void> {
  const rules = await control.get<{ id: string; rule: FaultRule }[]>('/faults');
  const own = rules.filter(({ rule }) => places.includes(rule.at) && (fault === undefined || rule.fault === fault));
  for (const { id } of own) await control.delete(`/faults/${encodeURIComponent(id)}`);
}

async function computersOf(control: ControlClient, name: string | undefined): Promise<readonly RoomComputerView[]> {
  const { computers } = await control.get<RoomView>('/room');
  return name === undefined ? computers : computers.filter((computer) => computer.name === name);
}

function pathOf(computer: string): string {
  return `/room/computers/${encodeURIComponent(computer)}`;
}

function ambiguous(kind: string, name: string, computers: readonly (string | undefined)[]): ActionableError {
  const places = computers.filter((one) => one !== undefined);
  const nextStep =
    new Set(places).size > 1
      ? `Name its computer: ${kind}('${name}', '${places[0]}').`
      : 'Give each a name of its own.';
  return usageError(`${severalOf(kind, name, computers.length, places)}. ${nextStep}`, nextStep);
}

/** @throws ActionableError when none has this name, or several */
function onlyOne<Thing extends { readonly name: string; readonly computer?: string }>(
  kind: string,
  wanted: string,
  all: readonly Thing[],
): Thing {
  const [found, ...others] = all.filter(({ name }) => name === wanted);
  if (found && others.length === 0) return found;
  if (found)
    throw ambiguous(
      kind,
      wanted,
      [found, ...others].map(({ computer }) => computer),
    );
  const there = all.map(({ name }) => `'${name}'`).join(', ');
  throw usageError(`the room has no ${kind} '${wanted}'. It has ${there || 'none'}.`, 'Name one that it has.');
}
