/**
 * Printer status: what is wrong with a printer, in the bytes that its language has for it.
 *
 *   ZPL       ~HS                            three lines: flags, settings, counters
 *   ESC/POS   DLE EOT n                      a byte: 1 printer, 2 why it is off line, 3 errors, 4 paper
 *             GS a n                         four bytes, at once and whenever they change
 *             GS r n, ESC v, ESC u n         a byte: paper or drawer
 *             GS I n                         which printer it is
 *   Star      ENQ, EOT                       a byte: errors, paper
 *             ESC ACK SOH, ESC RS a n        nine bytes, once or whenever they change
 *
 * Sources: the makers' manuals of these commands. The drawer is shut: pin 3 of its connector is high.
 */

import { stopsSheets, type PrinterFault } from '../../devices/printer/printer-fault.ts';
import { modelOf } from '../device-id.ts';
import { hasAny, NO_PAPER, OPEN } from '../fault-groups.ts';
import type { HardwarePrinter } from '../hardware-printer.ts';

/** By kind of trouble, as these languages tell them apart. */
interface Trouble {
  readonly isOffline: boolean;
  readonly isOpen: boolean;
  readonly hasNoPaper: boolean;
  readonly isPaperLow: boolean;
  readonly isCutterStuck: boolean;
  readonly isHeadHot: boolean;
  readonly isBroken: boolean;
}

/** Errors that these languages have no name for. */
const BROKEN: readonly PrinterFault[] = ['media-jam', 'other'];

function troubleOf(faults: readonly PrinterFault[]): Trouble {
  const hasNoPaper = hasAny(faults, NO_PAPER);
  return {
    isOffline: faults.some(stopsSheets),
    isOpen: hasAny(faults, OPEN),
    hasNoPaper,
    isPaperLow: hasNoPaper || faults.includes('media-low'),
    isCutterStuck: faults.includes('trimmer-jam'),
    isHeadHot: faults.includes('fuser-over-temp'),
    isBroken: hasAny(faults, BROKEN),
  };
}

/** The bits of those that hold. */
function bits(...all: readonly (readonly [bit: number, holds: boolean])[]): number {
  return all.reduce((sum, [bit, holds]) => (holds ? sum | bit : sum), 0);
}

const flag = (value: boolean): string => (value ? '1' : '0');

/** The answer to ~HS: three strings, each between STX and ETX. */
export function zplStatus({ faults, waiting }: HardwarePrinter): Buffer {
  const count = String(Math.min(waiting, 999)).padStart(3, '0');
  const lines = [
    `030,${flag(hasAny(faults, NO_PAPER))},${flag(faults.includes('paused'))},1218,${count},0,0,0,000,${flag(faults.includes('fuser-under-temp'))},${flag(faults.includes('fuser-over-temp'))},0`,
    `000,0,${flag(hasAny(faults, OPEN))},${flag(faults.includes('marker-supply-empty'))},0,2,6,0,00000000,1,000`,
    '1234,0',
  ];
  return Buffer.from(lines.map((line) => `\x02${line}\x03\r\n`).join(''), 'latin1');
}

const DRAWER_PIN = 0x04;

/** The answer to DLE EOT n, for n from 1 to 4. Bits 1 and 4 are always set. */
export function escPosStatus({ faults }: HardwarePrinter, kind: number): Buffer {
  const { isOffline, isOpen, hasNoPaper, isPaperLow, isCutterStuck, isHeadHot, isBroken } = troubleOf(faults);
  const statuses = [
    DRAWER_PIN | bits([0x08, isOffline]),
    bits([0x04, isOpen], [0x20, hasNoPaper], [0x40, isCutterStuck || isHeadHot || isBroken]),
    bits([0x08, isCutterStuck], [0x20, isBroken], [0x40, isHeadHot]),
    bits([0x0c, isPaperLow], [0x60, hasNoPaper]),
  ];
  return Buffer.of(0x12 | (statuses[kind - 1] ?? 0));
}

/** The four bytes of GS a: printer, errors, paper, and one that says nothing. */
export function escPosChanges({ faults }: HardwarePrinter): Buffer {
  const { isOffline, isOpen, hasNoPaper, isPaperLow, isCutterStuck, isHeadHot, isBroken } = troubleOf(faults);
  return Buffer.of(
    0x10 | DRAWER_PIN | bits([0x08, isOffline], [0x20, isOpen]),
    bits([0x08, isCutterStuck], [0x20, isBroken], [0x40, isHeadHot]),
    bits([0x03, isPaperLow], [0x0c, hasNoPaper]),
    0x0f,
  );
}

/** The answer to GS r 1 and ESC v. It comes once the printer prints: that there is no paper is never said. */
export function escPosPaper({ faults }: HardwarePrinter): Buffer {
  return Buffer.of(bits([0x03, troubleOf(faults).isPaperLow]));
}

/** The answer to GS r 2 and ESC u. */
export function escPosDrawer(): Buffer {
  return Buffer.of(0x01);
}

const MODEL_ID = 0x20;
const HAS_CUTTER = 0x02;
const ROM_VERSION = 0x01;

/** The answer to GS I n: a byte, or a text, which is empty for what the printer does not say of itself. */
export function escPosIdentity({ profile }: HardwarePrinter, kind: number): Buffer | undefined {
  const id = [MODEL_ID, HAS_CUTTER, ROM_VERSION][(kind >= 49 ? kind - 48 : kind) - 1];
  if (id !== undefined) return Buffer.of(id);
  const { maker, model } = modelOf(profile.description);
  const text = { 65: '', 66: maker, 67: model, 68: '', 69: '' }[kind];
  return text === undefined ? undefined : Buffer.from(`_${text}\0`, 'latin1');
}

/** The answer to ENQ. */
export function starErrors({ faults, waiting }: HardwarePrinter): Buffer {
  const { isOpen, hasNoPaper, isCutterStuck, isHeadHot, isBroken } = troubleOf(faults);
  const isWrong = isOpen || isCutterStuck || isHeadHot || isBroken;
  return Buffer.of(bits([0x04, isWrong], [0x08, hasNoPaper], [0x20, waiting === 0]));
}

/** The answer to EOT. */
export function starPaper({ faults }: HardwarePrinter): Buffer {
  const { hasNoPaper, isPaperLow } = troubleOf(faults);
  return Buffer.of(0x10 | bits([0x04, isPaperLow], [0x08, hasNoPaper]));
}

/** Nine bytes are to come, in the third version of them. */
const STAR_HEADER = [0x23, 0x06];

/** The nine bytes of the automatic status. */
export function starChanges({ faults }: HardwarePrinter): Buffer {
  const { isOffline, isOpen, hasNoPaper, isPaperLow, isCutterStuck, isHeadHot, isBroken } = troubleOf(faults);
  return Buffer.of(
    ...STAR_HEADER,
    bits([0x08, isOffline], [0x20, isOpen]),
    bits([0x08, isCutterStuck], [0x20, isBroken], [0x40, isHeadHot]),
    0,
    bits([0x04, isPaperLow], [0x08, hasNoPaper]),
    0,
    0,
    0,
  );
}
