/**
 * Printer faults: what can be wrong with the machine, by the names of IPP printer-state-reasons
 * (RFC 8011, 5.4.12; `offline` is CUPS's), and what its client then reports as the printer's state.
 *
 * Warnings change nothing but stay on record. A full spool area affects the print queue alone: sheets keep
 * coming out, and new jobs are refused. `paused` is reported as offline, the nearest of the known printer
 * states.
 */

import { usageError } from '../../common/actionable-error.ts';
import { keysOf } from '../../common/keys-of.ts';

/** What a fault does: the state that is reported (null: none of its own), and whether sheets stop. */
interface FaultEffect {
  readonly state: 'offline' | 'error' | 'out_of_paper' | null;
  readonly stops: boolean;
}

const WARNING: FaultEffect = { state: null, stops: false };
const BROKEN: FaultEffect = { state: 'error', stops: true };
const AWAY: FaultEffect = { state: 'offline', stops: true };
const NO_PAPER: FaultEffect = { state: 'out_of_paper', stops: true };

const FAULTS = {
  'media-empty': NO_PAPER,
  'media-needed': NO_PAPER,
  'media-low': WARNING,
  'media-jam': BROKEN,
  'cover-open': BROKEN,
  'door-open': BROKEN,
  'interlock-open': BROKEN,
  'input-tray-missing': BROKEN,
  'output-tray-missing': BROKEN,
  'output-area-full': BROKEN,
  'output-area-almost-full': WARNING,
  'toner-empty': BROKEN,
  'toner-low': WARNING,
  'marker-supply-empty': BROKEN,
  'marker-supply-low': WARNING,
  'marker-waste-full': BROKEN,
  'marker-waste-almost-full': WARNING,
  'fuser-over-temp': BROKEN,
  'fuser-under-temp': BROKEN,
  'spool-area-full': { state: 'error', stops: false },
  other: BROKEN,
  offline: AWAY,
  paused: AWAY,
  shutdown: AWAY,
  'connecting-to-device': AWAY,
  'timed-out': AWAY,
} as const satisfies Readonly<Record<string, FaultEffect>>;

export const PRINTER_FAULTS = keysOf(FAULTS);
export type PrinterFault = keyof typeof FAULTS;

/** The worst first: what is reported when there are several. */
const REPORTED = ['offline', 'error', 'out_of_paper'] as const;

export function stopsSheets(fault: PrinterFault): boolean {
  return FAULTS[fault].stops;
}

/** The state that a client reports for a machine with these faults; undefined when none of them shows. */
export function stateWith(faults: Iterable<PrinterFault>): string | undefined {
  const states = new Set([...faults].map((fault): FaultEffect['state'] => FAULTS[fault].state));
  return REPORTED.find((state) => states.has(state));
}

/** @throws ActionableError when there is no fault of this name */
export function printerFault(name: string): PrinterFault {
  const found = PRINTER_FAULTS.find((fault) => fault === name);
  if (found) return found;
  throw usageError(`a printer has no fault '${name}'`, `Use one of ${PRINTER_FAULTS.join(', ')}.`);
}
