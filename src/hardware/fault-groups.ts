/**
 * Fault groups: faults that protocols older than IPP do not tell apart.
 */

import type { PrinterFault } from '../devices/printer/printer-fault.ts';

export type FaultGroup = readonly PrinterFault[];

export const NO_PAPER: FaultGroup = ['media-empty', 'media-needed'];
export const OPEN: FaultGroup = ['cover-open', 'door-open', 'interlock-open'];
export const SWITCHED_OFF: FaultGroup = ['offline', 'shutdown'];

export function hasAny(faults: readonly PrinterFault[], group: FaultGroup): boolean {
  return faults.some((fault) => group.includes(fault));
}
