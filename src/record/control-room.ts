/**
 * The control API of a room: computers, printers and scales, what is changed about them, and their faults.
 */

import { z } from 'zod';

import { answer, answers, anything, count, id, text } from './control-answers.ts';

export const accountPrinter = z.object({
  id,
  name: text,
  /** Name of the computer it is attached to. */
  computer: text,
  state: text.nullable(),
  default: z.boolean(),
  /** The driver's description. */
  summary: text,
});

export const accountPrinters = z.array(accountPrinter).register(answers, { id: 'AccountPrinters' });

export const tray = z.object({
  name: text,
  /** Null for a tray that never runs empty. */
  sheets: count.nullable(),
  /** What it held at the start; null where that is not counted. */
  capacity: count.nullable(),
});

/** Protocol → URI under which operating systems reach a device; undefined when none does. */
const addresses = z.record(text, text);

export const roomPrinter = z.object({
  /** Names it within its computer, also when it is renamed. */
  key: text,
  name: text,
  /** The service's id; undefined before the service knows it. */
  id: id.exactOptional(),
  profile: text,
  /** `laser`, `label`, `receipt` … */
  kind: text,
  online: z.boolean(),
  /** As its computer reports it. */
  state: text.nullable(),
  /** What is wrong with it, by the names of IPP printer-state-reasons. */
  reasons: z.array(text),
  trays: z.array(tray),
  /** Where rules of faults find it. */
  place: text,
  /** Submissions that have not come out as a whole. */
  jobsHeld: count,
  /** The job whose sheets came out last. */
  lastJobId: id.exactOptional(),
  /** What came out last that a program printed past the service, as `GET /printouts` names it. */
  lastPrintoutId: text.exactOptional(),
  addresses: addresses.exactOptional(),
});

export const roomScale = z.object({
  deviceName: text,
  deviceNum: count,
  profile: text,
  on: z.boolean(),
  /** What its display shows, such as `250 g`; empty while it is off. */
  massText: text,
  /** The unit of its display. */
  unit: text,
  stable: z.boolean(),
  /** What really lies on the platform. */
  grams: z.number(),
  /** Where rules of faults find it. */
  place: text,
  addresses: addresses.exactOptional(),
});

export const roomComputer = z.object({
  name: text,
  /** The service's id; undefined before its first connection. */
  id: id.exactOptional(),
  connected: z.boolean(),
  /** Neither reads nor sends: the service may still take it to be connected. */
  asleep: z.boolean(),
  /** Where rules of faults find it and its link. */
  places: z.object({ computer: text, link: text }),
  /** Why its last connection ended, or could not be made. */
  lastFailure: text.exactOptional(),
  printers: z.array(roomPrinter),
  scales: z.array(roomScale),
});

export const roomComputers = answer('RoomComputers', { computers: z.array(roomComputer) });

export const printerProfile = z.object({
  name: text,
  title: text,
  kind: text,
  /** What is unusual about it, and what it is therefore good for. */
  why: text,
});

export const scaleProfile = z.object({ name: text, title: text, why: text });

export const room = answer('RoomView', {
  computers: z.array(roomComputer),
  profiles: z.object({ printers: z.array(printerProfile), scales: z.array(scaleProfile) }),
});

/** The room, as after any change, and the key of the printer that is new in it. */
export const addedPrinter = answer('NewPrinter', { key: text, ...roomComputers.shape });

export const printerCapabilities = anything.nullable().register(answers, { id: 'PrinterCapabilities' });

const deviceName = z.string().min(1).max(200);

const profile = z.string().max(100).meta({ description: 'name of a profile, as GET /room lists them' });

export const newPrinter = z.strictObject({ profile, name: deviceName.exactOptional() });

export const newScale = z.strictObject({ profile, name: deviceName.exactOptional() });

const MOST_AT_ONCE = 100;

export const newComputer = z.strictObject({
  name: deviceName,
  printers: z.array(newPrinter).max(MOST_AT_ONCE).exactOptional(),
  scales: z.array(newScale).max(MOST_AT_ONCE).exactOptional(),
});

export const printerChange = z.strictObject({
  online: z.boolean().exactOptional(),
  /** Sheets that are to lie in the tray from now on. */
  tray: z.strictObject({ name: z.string(), sheets: z.number().int().min(0).max(100_000) }).exactOptional(),
  cover: z.enum(['open', 'closed']).exactOptional(),
  jam: z.boolean().exactOptional(),
  toner: z.enum(['full', 'low', 'empty']).exactOptional(),
});

export const scaleChange = z.strictObject({
  /** What is to lie on the platform. */
  grams: z.number().min(0).exactOptional(),
  /** Plugged in and switched on, or unplugged. */
  on: z.boolean().exactOptional(),
  button: z.enum(['tare', 'zero', 'unit', 'power']).exactOptional(),
});

export const fault = z.object({
  id: text,
  rule: z.object({
    at: text,
    fault: text,
    after: count.exactOptional(),
    times: count.exactOptional(),
    probability: z.number().exactOptional(),
    for: z.union([z.number(), text]).exactOptional(),
    with: anything.exactOptional(),
  }),
  /** How often it has happened; null for a printer, which has the fault or not. */
  fired: count.nullable(),
});

export const faults = z.array(fault).register(answers, { id: 'Faults' });

export const newFault = answer('NewFault', { id: text });

export const faultKind = z.object({
  /** What the path of such a place begins with: `printer`. */
  place: z.enum(['printer', 'computer', 'scale', 'link']),
  /** Such as `printer/Laser`. */
  example: text,
  /** What `after`, `times` and `probability` count there. */
  occasion: text,
  faults: z.array(
    z.object({
      fault: text,
      does: text,
      /** What may stand under `with`, by name. */
      settings: z.record(z.string(), text),
    }),
  ),
});

export const faultKinds = z.array(faultKind).register(answers, { id: 'FaultKinds' });
