/**
 * Room changes: what people do to a running room: they add computers, unplug printers, put parcels on scales.
 * What goes wrong with a printer goes through the fault rules, as everywhere.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { realTimekeeper } from '../../common/timekeeper.ts';
import { eventually, WaitExpired } from '../../common/waiter.ts';
import type { VirtualComputer } from '../../devices/computer/computer.ts';
import { PRINTER_PROFILES } from '../../devices/printer/printer-profile.ts';
import type { VirtualPrinter } from '../../devices/printer/printer.ts';
import { SCALE_PROFILES } from '../../devices/scale/scale-profile.ts';
import type { VirtualScale } from '../../devices/scale/scale.ts';
import type {
  NewRoomComputer,
  NewRoomPrinter,
  NewRoomScale,
  PrinterChange,
  ScaleChange,
} from '../../record/control-types.ts';
import { ApiError, badRequest, conflict, notFound } from '../../service/gate/api-error.ts';
import type { ServiceAdmin } from '../../service/service-admin.ts';
import type { AccountRoom } from './account-room.ts';
import { scalesOf } from './room-view.ts';

/** A room that is put together by hand has a limit. */
const MOST_DEVICES = 1_000;

export async function addComputer(accountRoom: AccountRoom, description: NewRoomComputer): Promise<void> {
  const { room } = accountRoom;
  const { name, printers = [], scales = [] } = description;
  if (room.computers.some((computer) => computer.name === name)) {
    throw conflict(`the room already has a computer '${name}'`);
  }
  const described = { name, printers, scales };
  const more = 1 + printers.length + scales.length;
  checkSize(accountRoom, more);
  const computer = room.addComputer(described);
  accountRoom.noteProfiles(computer, described);
  await accountRoom.devicesChanged();
  await computer.connect();
}

export async function removeComputer(accountRoom: AccountRoom, name: string): Promise<void> {
  await accountRoom.room.removeComputer(computerNamed(accountRoom, name));
  await accountRoom.devicesChanged();
}

/** What can be done to the connection of a computer. */
export const COMPUTER_ACTIONS = ['connect', 'disconnect', 'crash', 'sleep', 'wake'] as const;
export type ComputerAction = (typeof COMPUTER_ACTIONS)[number];

export async function actOnComputer(accountRoom: AccountRoom, name: string, action: ComputerAction): Promise<void> {
  const computer = computerNamed(accountRoom, name);
  switch (action) {
    case 'connect':
      computer.wake();
      if (!computer.connected) await computer.connect();
      return;
    case 'disconnect':
      return computer.disconnect();
    case 'crash':
      return computer.crash();
    case 'sleep':
      return computer.sleep();
    case 'wake':
      return computer.wake();
  }
}

export async function addPrinter(
  accountRoom: AccountRoom,
  computerName: string,
  { profile, name }: NewRoomPrinter,
): Promise<string> {
  const computer = computerNamed(accountRoom, computerName);
  checkSize(accountRoom, 1);
  const printer = computer.addPrinter({
    profile: PRINTER_PROFILES.load(profile),
    name,
  });
  accountRoom.noteProfile(printer, profile);
  await accountRoom.devicesChanged();
  return printer.key;
}

export async function removePrinter(accountRoom: AccountRoom, computerName: string, key: string): Promise<void> {
  computerNamed(accountRoom, computerName).removePrinter(printerOf(accountRoom, computerName, key));
  await accountRoom.devicesChanged();
}

const TONER_FAULTS = { full: undefined, low: 'toner-low', empty: 'toner-empty' } as const;

export function changePrinter(
  accountRoom: AccountRoom,
  printer: VirtualPrinter,
  { online, tray, cover, jam, toner }: PrinterChange,
): void {
  const { faults } = accountRoom;
  const place = accountRoom.printerPlaces().get(printer) ?? '';
  const turn = (fault: string, isOn: boolean): void =>
    isOn ? faults.breakPrinter(printer, place, fault) : faults.repairPrinter(printer, fault);
  if (tray) printer.setPaper(tray.name, tray.sheets);
  if (online !== undefined) turn('offline', !online);
  if (cover !== undefined) turn('cover-open', cover === 'open');
  if (jam !== undefined) turn('media-jam', jam);
  if (toner === undefined) return;
  for (const fault of ['toner-low', 'toner-empty']) turn(fault, TONER_FAULTS[toner] === fault);
}

export function addScale(accountRoom: AccountRoom, computerName: string, { profile, name }: NewRoomScale): void {
  checkSize(accountRoom, 1);
  const scale = computerNamed(accountRoom, computerName).addScale({
    profile: SCALE_PROFILES.load(profile),
    name,
  });
  accountRoom.noteProfile(scale, profile);
}

/** Which scale is meant: the first of this number, or the one of this name and number. */
export interface ScaleMeant {
  readonly computerName: string;
  readonly deviceNum: number;
  readonly deviceName: string | undefined;
}

export function removeScale(accountRoom: AccountRoom, meant: ScaleMeant): void {
  computerNamed(accountRoom, meant.computerName).removeScale(scaleMeant(accountRoom, meant));
}

const MICROGRAMS_PER_GRAM = 1_000_000;
const MOST_GRAMS = Number.MAX_SAFE_INTEGER / MICROGRAMS_PER_GRAM;

export function changeScale(scale: VirtualScale, { grams, on, button }: ScaleChange): void {
  if (grams !== undefined) {
    if (grams > MOST_GRAMS) throw badRequest(`grams: ${grams} is too much`);
    scale.load(Math.round(grams * MICROGRAMS_PER_GRAM));
  }
  if (on === true) scale.plug();
  if (on === false) scale.unplug();
  // Scales of this kind have one key for both.
  if (button !== undefined) scale.press(button === 'tare' ? 'zero' : button);
}

export function scaleMeant(
  accountRoom: AccountRoom,
  { computerName, deviceNum, deviceName }: ScaleMeant,
): VirtualScale {
  const found = scalesOf(computerNamed(accountRoom, computerName)).find(
    (one) => one.deviceNum === deviceNum && (deviceName === undefined || one.scale.deviceName === deviceName),
  );
  if (found) return found.scale;
  const named = deviceName === undefined ? '' : ` of the name '${deviceName}'`;
  throw notFound(`'${computerName}' has no scale ${deviceNum}${named}`);
}

export function printerOf(accountRoom: AccountRoom, computerName: string, key: string): VirtualPrinter {
  const printer = computerNamed(accountRoom, computerName).printerWithKey(key);
  if (printer) return printer;
  throw notFound(`'${computerName}' has no printer with the key '${key}'`);
}

function computerNamed({ room }: AccountRoom, name: string): VirtualComputer {
  try {
    return room.computer(name);
  } catch (error) {
    if (!(error instanceof ActionableError)) throw error;
    throw notFound(`${error.message}. ${error.nextStep}`);
  }
}

function checkSize({ room }: AccountRoom, more: number): void {
  const devices = room.computers.length + room.printers.length + room.scales.length;
  if (devices + more <= MOST_DEVICES) return;
  throw new ApiError(409, 'TooMany', `a room that is put together by hand has at most ${MOST_DEVICES} devices`);
}

/** A link that is slow or cut by a fault rule must not hold up the answer. */
const LIMIT = '500ms';

/** Resolves when the service knows the room, or does not learn of it in half a second. */
export async function roomKnown(accountRoom: AccountRoom, service: ServiceAdmin): Promise<void> {
  try {
    await eventually({
      description: 'the service to know the room',
      limit: LIMIT,
      every: 1,
      timekeeper: realTimekeeper,
      probe: () => isKnown(accountRoom, service) || undefined,
    });
  } catch (error) {
    if (!(error instanceof WaitExpired)) throw error;
  }
}

function isKnown({ room, accountId }: AccountRoom, service: ServiceAdmin): boolean {
  const known = service.printersOf(accountId);
  return room.computers.every(({ id, connected, printers }) => {
    if (!connected) return true;
    const reports = new Map(
      known.filter(({ computer }) => computer.id === id).map(({ report }) => [report.key, report.state]),
    );
    return reports.size === printers.length && printers.every(({ key, state }) => reports.get(key) === state);
  });
}
