/**
 * Printout id: names what came out of a printer past the service. `raw.1.printer-2.3` is the third that came by raw to
 * that printer of the first computer.
 */

import type { VirtualPrinter } from '../../devices/printer/printer.ts';
import type { HardwareOrigin } from '../../devices/printer/printout.ts';

/** @param index - of its computer in the room, from 0 */
export function printoutId({ protocol, id }: HardwareOrigin, index: number, { key }: VirtualPrinter): string {
  return `${protocol}.${index + 1}.${key}.${id}`;
}
