/**
 * Printer faults: what can be wrong with the machine, by the names of IPP printer-state-reasons
 * (RFC 8011, 5.4.12; `offline` is CUPS's), and what its client then reports as the printer's state.
 *
 * Warnings change nothing but stay on record. A full spool area affects the print queue alone: sheets keep
 * coming out, and new jobs are refused. `paused` is reported as offline, the nearest of the known printer
 * states. Faults of its connection are reported nowhere: they show to those that print.
 */

import { usageError } from '../../common/actionable-error.ts';
import type { FaultMeaning } from '../../common/fault-rule.ts';
import { keysOf } from '../../common/keys-of.ts';
import type { PrinterProfile } from './printer-profile.ts';

/** The state that is reported (null: none of its own), and whether sheets stop. */
interface FaultEffect {
  readonly state: 'offline' | 'error' | 'out_of_paper' | null;
  readonly stops: boolean;
}

const WARNING: FaultEffect = { state: null, stops: false };
const BROKEN: FaultEffect = { state: 'error', stops: true };
const AWAY: FaultEffect = { state: 'offline', stops: true };
const NO_PAPER: FaultEffect = { state: 'out_of_paper', stops: true };

const REPORTED_FAULTS = {
  'media-empty': { ...NO_PAPER, does: 'the tray is empty' },
  'media-needed': { ...NO_PAPER, does: 'a person has to put in other paper' },
  'media-low': { ...WARNING, does: 'the tray is nearly empty' },
  'media-jam': { ...BROKEN, does: 'a sheet is stuck, and spoiled' },
  'cover-open': { ...BROKEN, does: 'the cover is open' },
  'door-open': { ...BROKEN, does: 'a door is open' },
  'interlock-open': { ...BROKEN, does: 'an interlock is open' },
  'input-tray-missing': { ...BROKEN, does: 'the tray is not in the machine' },
  'output-tray-missing': { ...BROKEN, does: 'nothing catches the sheets' },
  'output-area-full': { ...BROKEN, does: 'no room for more sheets that came out' },
  'output-area-almost-full': { ...WARNING, does: 'little room for more sheets that came out' },
  'trimmer-jam': { ...BROKEN, does: 'the cutter is stuck' },
  'toner-empty': { ...BROKEN, does: 'the toner is used up' },
  'toner-low': { ...WARNING, does: 'the toner is nearly used up' },
  'marker-supply-empty': { ...BROKEN, does: 'the ink or ribbon is used up' },
  'marker-supply-low': { ...WARNING, does: 'the ink or ribbon is nearly used up' },
  'marker-waste-full': { ...BROKEN, does: 'the waste container is full' },
  'marker-waste-almost-full': { ...WARNING, does: 'the waste container is nearly full' },
  'fuser-over-temp': { ...BROKEN, does: 'the fuser is too hot' },
  'fuser-under-temp': { ...BROKEN, does: 'the fuser is too cold' },
  'spool-area-full': { state: 'error', stops: false, does: 'the print queue refuses new jobs' },
  other: { ...BROKEN, does: 'an error without a name' },
  offline: { ...AWAY, does: 'it is switched off or unplugged' },
  paused: { ...AWAY, does: 'a person paused it' },
  shutdown: { ...AWAY, does: 'it is shut down' },
  'connecting-to-device': { ...AWAY, does: 'its queue cannot reach it yet' },
  'timed-out': { ...AWAY, does: 'its queue gave up reaching it' },
} as const satisfies Readonly<Record<string, FaultEffect & FaultMeaning>>;

const UNREPORTED: FaultEffect = { state: null, stops: false };

/** How a printer treats those that print to it from an operating system (src/hardware); it reports none of them. */
const CONNECTION_FAULTS = {
  'drops-connection': { ...UNREPORTED, does: 'the connection ends when a document comes: nothing of it is printed' },
  'drops-answer': { ...UNREPORTED, does: 'a document is printed, and the connection ends in place of the answer' },
  'one-connection': { ...UNREPORTED, does: 'one connection is served: others end at once' },
  'small-buffer': { ...UNREPORTED, does: 'the first 4 KB of a document are kept: IPP refuses a longer one' },
  'refuses-pdf': { ...UNREPORTED, does: 'a PDF is not printed: over IPP its job ends with document-format-error' },
  'forgets-jobs': { ...UNREPORTED, does: 'a job is accepted and done, and nothing comes out, also over the link' },
  'slow-connection': { ...UNREPORTED, does: 'each piece of up to 64 KB is read half a second late' },
} as const satisfies Readonly<Record<string, FaultEffect & FaultMeaning>>;

/** What every fault that is reported takes under `with`. */
const DELAY = { mm: 'millimetres of a roll that come out first' };

const FAULTS = { ...REPORTED_FAULTS, ...CONNECTION_FAULTS };

/** What each does, with what a service hears of it. */
export const PRINTER_FAULTS: Readonly<Record<PrinterFault, FaultMeaning>> = {
  ...meaningsOf(REPORTED_FAULTS),
  ...CONNECTION_FAULTS,
};
export type PrinterFault = keyof typeof FAULTS;

function meaningsOf<Name extends string>(faults: Readonly<Record<Name, FaultEffect & FaultMeaning>>) {
  const meanings = keysOf(faults).map((name) => {
    const { does, state, stops } = faults[name];
    const seen = state === null ? 'not reported' : `reported as ${state}`;
    return [
      name,
      { does: `${does}: ${stops ? 'no sheets come out' : 'sheets keep coming'}, ${seen}`, settings: DELAY },
    ];
  });
  return Object.fromEntries(meanings) as Readonly<Record<Name, FaultMeaning>>;
}

export type ConnectionFault = keyof typeof CONNECTION_FAULTS;
export type ReportedFault = Exclude<PrinterFault, ConnectionFault>;

export function isReported(fault: PrinterFault): fault is ReportedFault {
  return !Object.hasOwn(CONNECTION_FAULTS, fault);
}

/** The worst first: what is reported when there are several. */
const REPORTED = ['offline', 'error', 'out_of_paper'] as const;

export function stopsSheets(fault: PrinterFault): boolean {
  return FAULTS[fault].stops;
}

/** The paper has ended: a receipt that it ended in goes on with another piece of paper. */
export function isPaperGone(fault: PrinterFault): boolean {
  return FAULTS[fault].state === 'out_of_paper';
}

/** The state that a client reports for a machine with these faults; undefined when none of them shows. */
export function stateWith(faults: Iterable<PrinterFault>): string | undefined {
  const states = new Set([...faults].map((fault): FaultEffect['state'] => FAULTS[fault].state));
  return REPORTED.find((state) => states.has(state));
}

/** @throws ActionableError when there is no fault of this name */
export function printerFault(name: string): PrinterFault {
  const found = keysOf(FAULTS).find((fault) => fault === name);
  if (found) return found;
  throw usageError(`a printer has no fault '${name}'`, `Use one of ${keysOf(FAULTS).join(', ')}.`);
}

/** What is wrong with a printer from the beginning: its profile may say that it is switched off. */
export function faultsAtStart({ state }: PrinterProfile): readonly PrinterFault[] {
  return state === 'offline' ? OFFLINE : [];
}

const OFFLINE: readonly PrinterFault[] = ['offline'];
