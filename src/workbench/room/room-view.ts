/**
 * Room view: the computers of a room with their printers and scales, as people see and switch them.
 */

import { placeOf } from '../../common/fault-rule.ts';
import type { VirtualComputer } from '../../devices/computer/computer.ts';
import type { VirtualPrinter } from '../../devices/printer/printer.ts';
import { decodeWeighingReport, type ScaleStatus } from '../../devices/scale/hid-report.ts';
import type { VirtualScale } from '../../devices/scale/scale.ts';
import type { RoomComputerView, RoomPrinterView, RoomScaleView } from '../../record/control-types.ts';
import type { ServiceAdmin } from '../../service/service-admin.ts';
import type { AccountRoom } from './account-room.ts';
import { printoutId } from './printout-id.ts';

/** Every computer of a room, connected or not. */
export function roomComputers(accountRoom: AccountRoom, service: ServiceAdmin): RoomComputerView[] {
  const known = service.computersOf(accountRoom.accountId);
  const printers = service.printersOf(accountRoom.accountId);
  const places = accountRoom.printerPlaces();
  return accountRoom.room.computers.map((computer, index) => {
    // By its name where it is disconnected: two of one name then look like one.
    const id = computer.id ?? known.find(({ name }) => name === computer.name)?.id;
    const own = printers.filter((printer) => printer.computer.id === id);
    const { connected, isAsleep: asleep, lastFailure } = computer;
    return {
      name: computer.name,
      ...(id !== undefined && { id }),
      connected,
      asleep,
      places: { computer: placeOf('computer', computer.name), link: placeOf('link', computer.name) },
      ...(!connected && !asleep && lastFailure && { lastFailure: lastFailure.message }),
      printers: computer.printers.map((printer) =>
        printerView(printer, accountRoom, {
          index,
          id: own.find(({ report }) => report.key === printer.key)?.id,
          place: places.get(printer) ?? '',
        }),
      ),
      scales: scalesOf(computer).map((scale) => scaleView(scale, accountRoom)),
    };
  });
}

interface KnownPrinter {
  /** Index of its computer in the room. */
  readonly index: number;
  readonly id: number | undefined;
  readonly place: string;
}

function printerView(printer: VirtualPrinter, accountRoom: AccountRoom, known: KnownPrinter): RoomPrinterView {
  const { index, id, place } = known;
  const { key, name, state, faults } = printer;
  const { lastJobId } = printer;
  const pastService = printer.printouts().findLast(({ origin }) => origin !== null)?.origin;
  const addresses = accountRoom.addressesOf(printer);
  return {
    key,
    name,
    ...(id !== undefined && { id }),
    profile: accountRoom.profileOf(printer),
    kind: printer.profile.kind,
    online: state !== 'offline',
    state,
    reasons: faults,
    trays: printer.trays(),
    place,
    jobsHeld: printer.waiting,
    ...(lastJobId !== undefined && { lastJobId }),
    ...(pastService && { lastPrintoutId: printoutId(pastService, index, printer) }),
    ...(addresses && { addresses: addresses.uris }),
  };
}

/** A scale with the number that distinguishes it from others of its name. */
export interface NumberedScale {
  readonly scale: VirtualScale;
  readonly deviceNum: number;
}

/** The scales of a computer, numbered for each name from 0, as the service numbers them when all are plugged in. */
export function scalesOf(computer: VirtualComputer): NumberedScale[] {
  const counts = new Map<string, number>();
  return computer.scales.map((scale) => {
    const deviceNum = counts.get(scale.deviceName) ?? 0;
    counts.set(scale.deviceName, deviceNum + 1);
    return { scale, deviceNum };
  });
}

const STILL: ReadonlySet<ScaleStatus> = new Set(['stable', 'stable-at-zero', 'under-zero', 'over-limit']);
const MICROGRAMS_PER_GRAM = 1_000_000;

function scaleView({ scale, deviceNum }: NumberedScale, accountRoom: AccountRoom): RoomScaleView {
  const report = decodeWeighingReport(scale.report);
  const status = report.ok ? report.value.status : 'fault';
  const addresses = accountRoom.addressesOf(scale);
  return {
    deviceName: scale.deviceName,
    deviceNum,
    profile: accountRoom.profileOf(scale),
    on: scale.attached,
    massText: scale.attached ? displayOf(scale, status) : '',
    unit: report.ok ? report.value.unit : '',
    stable: scale.attached && !scale.moving && STILL.has(status),
    grams: scale.loadMicrograms / MICROGRAMS_PER_GRAM,
    place: scale.place,
    ...(addresses && { addresses: addresses.uris }),
  };
}

const BILLION = 1_000_000_000;

/** What its display shows: `250 g`, `1 lb 4.2 oz`, or what is wrong with it. */
function displayOf(scale: VirtualScale, status: ScaleStatus): string {
  const reading = scale.reading();
  const parts = Object.entries(reading?.measurement ?? {});
  if (parts.length === 0) return status;
  return parts.map(([unit, billionths]) => `${billionths / BILLION} ${unit}`).join(' ');
}
