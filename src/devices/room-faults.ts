/**
 * Room faults: one way to make anything in a room go wrong, by rules of one shape.
 *
 *   { at: 'printer/Laser', fault: 'media-jam', after: 2 }     ─► the printer itself: it fails, until it is cleared
 *   at: 'printer/Laser/DESK'                                  ─► the one of that computer, where several have the name
 *   at: 'computer/DESK', 'scale/Workbench', 'link/DESK'       ─► the fault plan: asked at each occasion
 *
 * Occasions of a printer are its sheets. What a printer has is a state, not an event: it has no number of
 * times and no probability, and lasts until it is cleared or its `for` is over.
 */

import type { Clock, Timer } from '../common/clock.ts';
import { durationMs, parseDuration } from '../common/duration.ts';
import type { FaultPlan } from '../common/fault-plan.ts';
import { namesOf, placeOf, type FaultMeanings, type FaultRule } from '../common/fault-rule.ts';
import { meantOrAll, nearestName } from '../common/nearest-name.ts';
import { LINK_FAULTS } from '../link/faults/frame-faults.ts';
import { COMPUTER_FAULTS } from './computer/crash-points.ts';
import { PRINTER_FAULTS } from './printer/printer-fault.ts';
import type { VirtualPrinter } from './printer/printer.ts';
import { SCALE_FAULTS } from './scale/scale-faults.ts';

/** The faults of each kind of place in a room, by name. */
export const ROOM_FAULTS = {
  printer: PRINTER_FAULTS,
  computer: COMPUTER_FAULTS,
  scale: SCALE_FAULTS,
  link: LINK_FAULTS,
} as const satisfies Readonly<Record<string, FaultMeanings>>;

export type PrinterFault = keyof typeof PRINTER_FAULTS;
export type ComputerFault = keyof typeof COMPUTER_FAULTS;
export type ScaleFault = keyof typeof SCALE_FAULTS;
export type LinkFault = keyof typeof LINK_FAULTS;

/** A rule with the faults that there are at its place. */
export type RoomFaultRule = {
  readonly [Kind in keyof typeof ROOM_FAULTS]: Omit<FaultRule, 'at' | 'fault'> & {
    readonly at: `${Kind}/${string}`;
    readonly fault: keyof (typeof ROOM_FAULTS)[Kind];
  };
}[keyof typeof ROOM_FAULTS];

/** A place of each kind, and what an occasion of a fault is there. */
export const ROOM_PLACES = {
  printer: {
    example: 'printer/Laser',
    occasion: 'a sheet that came out; a printer keeps its fault until it is cleared or its time is over',
  },
  computer: { example: 'computer/FRONT-DESK', occasion: 'a job that gets to this point' },
  scale: {
    example: 'scale/Parcel scale',
    occasion:
      'a report: four while it swings to a new weight, one at rest, then one a second while something lies on it; for `stale-first-report` each time it comes on, for `slow-enumeration` each time a host takes it on the USB bus',
  },
  link: {
    example: 'link/FRONT-DESK',
    occasion: 'a message, in either direction; for `refuse` an attempt to connect',
  },
} as const satisfies Readonly<
  Record<keyof typeof ROOM_FAULTS, { readonly example: string; readonly occasion: string }>
>;

export interface FaultInForce {
  readonly id: string;
  readonly rule: FaultRule;
  /** How often it has happened; null for a printer, which has the fault or does not. */
  readonly fired: number | null;
}

interface PrinterRule {
  readonly id: string;
  readonly rule: FaultRule;
  readonly printers: readonly VirtualPrinter[];
  readonly end: Timer | undefined;
}

/**
 * The printers that the names in a place mean: `*` means all; the computer, where it is named, is that of the printer.
 * Throws unless exactly one has the name.
 */
type PrintersNamed = (name: string, computer: string | undefined) => readonly VirtualPrinter[];

export class RoomFaults {
  readonly #printersNamed: PrintersNamed;
  readonly #plan: FaultPlan;
  readonly #clock: Clock;
  #printerRules: PrinterRule[] = [];
  #nextId = 1;

  constructor(printersNamed: PrintersNamed, plan: FaultPlan, clock: Clock) {
    this.#printersNamed = printersNamed;
    this.#plan = plan;
    this.#clock = clock;
  }

  get rules(): readonly FaultInForce[] {
    const printers = this.#printerRules.map(({ id, rule }) => ({ id, rule, fired: null }));
    return [...printers, ...this.#plan.rules];
  }

  /** Puts a rule in force and returns its id. @throws ActionableError when it or its place does not exist */
  add(rule: FaultRule): string {
    const [kind = '', name = '', computer] = namesOf(rule.at);
    if (kind === 'printer') return this.#remember(rule, this.#printersNamed(name, computer));
    return this.#plan.add(rule);
  }

  /** Gives the printer at a place a fault until it is repaired: a rule like any other, for this printer alone. */
  breakPrinter(printer: VirtualPrinter, at: string, fault: string): void {
    const isIn = this.#printerRules.some(({ rule, printers }) => rule.fault === fault && printers.includes(printer));
    if (isIn && printer.faults.some((one) => one === fault)) return;
    this.#remember({ at, fault }, [printer]);
  }

  /** Clears one printer of a fault, wherever it came from; rules for this printer alone end. */
  repairPrinter(printer: VirtualPrinter, fault: string): void {
    const own = this.#printerRules.filter(
      ({ rule, printers }) => rule.fault === fault && printers.length === 1 && printers[0] === printer,
    );
    for (const { id } of own) this.remove(id);
    printer.clear(fault);
  }

  /**
   * Takes a rule out of force; a printer that has the fault is cleared of it. @returns false when there is no such rule
   */
  remove(id: string): boolean {
    const found = this.#printerRules.find((one) => one.id === id);
    if (!found) return this.#plan.remove(id);
    this.#printerRules = this.#printerRules.filter((one) => one !== found);
    found.end?.cancel();
    for (const printer of found.printers) printer.clear(found.rule.fault);
    return true;
  }

  clear(): void {
    for (const { id } of this.#printerRules) this.remove(id);
    this.#plan.clear();
  }

  #remember(rule: FaultRule, printers: readonly VirtualPrinter[]): string {
    const id = `printer-rule-${this.#nextId++}`;
    const { fault, after: afterSheets = 0, with: { mm } = {} } = rule;
    const afterMm = typeof mm === 'number' ? mm : undefined;
    for (const printer of printers) {
      const place = placeOf('printer', printer.name);
      const onRaised = (): void => this.#plan.note({ place, fault, rule: id, occasion: afterSheets + 1, fired: true });
      printer.fail(fault, { afterSheets, afterMm, onRaised });
    }
    const end = rule.for === undefined ? undefined : this.#clock.schedule(durationMs(rule.for), () => this.remove(id));
    this.#printerRules.push({ id, rule, printers, end });
    return id;
  }
}

/** Settings of these names are durations at every fault that has them. */
const DURATIONS: ReadonlySet<string> = new Set(['delay', 'duration', 'wait']);

const PRINTER_FAULTS_LAST =
  'a fault of a printer lasts, and has no times and no probability: say with `after` how many sheets come out first, and with `for` how long it lasts';

/** Why a rule cannot hold: its place has no such fault, or the fault no such setting; undefined when it can. */
export function faultComplaint(
  { at, fault, times, probability, with: given = {} }: FaultRule,
  known: Readonly<Record<string, FaultMeanings>>,
): string | undefined {
  const [kind = ''] = at.split('/');
  const meanings = Object.hasOwn(known, kind) ? known[kind] : undefined;
  if (!meanings) return `nothing can go wrong at '${at}'${placeHint(at, kind, Object.keys(known))}`;
  const faults = Object.keys(meanings);
  if (!faults.includes(fault)) return `there is no fault '${fault}' at a ${kind}${hintFor(fault, faults)}`;
  if (kind === 'printer' && (times !== undefined || probability !== undefined)) return PRINTER_FAULTS_LAST;
  return settingComplaint(fault, given, Object.keys(meanings[fault]?.settings ?? {}));
}

function placeHint(at: string, kind: string, kinds: readonly string[]): string {
  const meant = nearestName(kind, kinds);
  if (meant !== undefined) return `; did you mean '${at.replace(kind, meant)}'?`;
  return `: a place begins with ${kinds.join('/, ')}/`;
}

function settingComplaint(
  fault: string,
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) return `${fault} has no setting '${name}'${hintFor(name, known)}`;
    const ms = typeof value === 'number' || typeof value === 'string' ? parseDuration(value) : undefined;
    if (name === 'mm' && !(typeof value === 'number' && value > 0)) return `mm of ${fault} is not a length; write 40`;
    if (DURATIONS.has(name) && ms === undefined)
      return `${name} of ${fault} is not a duration; write for example 500ms or 5s`;
  }
  return undefined;
}

function hintFor(name: string, known: readonly string[]): string {
  return known.length === 0 ? '' : `; ${meantOrAll(name, known)}`;
}
