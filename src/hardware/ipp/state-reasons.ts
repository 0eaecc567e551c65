/**
 * Printer state reasons: the faults of a printer as IPP names them, with their severity
 * (RFC 8011, 5.4.12): `media-jam-error`, `toner-low-warning`.
 */

import { stopsSheets, type ReportedFault } from '../../devices/printer/printer-fault.ts';

/** Names that RFC 8011 has without a severity, as they say what an operator did. */
const BARE: readonly ReportedFault[] = ['paused', 'shutdown', 'connecting-to-device'];

/** `none` where there is no fault: the attribute always has a value. */
export function reasonsFor(faults: readonly ReportedFault[]): string[] {
  return faults.length === 0 ? ['none'] : faults.map(reasonFor);
}

function reasonFor(fault: ReportedFault): string {
  if (BARE.includes(fault)) return fault;
  return `${fault}-${stopsSheets(fault) || fault === 'spool-area-full' ? 'error' : 'warning'}`;
}
