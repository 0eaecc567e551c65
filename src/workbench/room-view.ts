/**
 * Room view: the printers of the account in a few words, for people who look at a list of them.
 */

import type { Printer } from './service-client.ts';

export interface RoomPrinter {
  readonly id: number;
  readonly name: string;
  /** Name of the computer it hangs on. */
  readonly computer: string;
  readonly state: string | null;
  readonly default: boolean;
  /** The driver's description, and what stands out of its capabilities. */
  readonly summary: string;
}

export function roomPrinterOf({
  id,
  name,
  computer,
  state,
  default: isDefault,
  description,
}: Printer): RoomPrinter {
  return { id, name, computer: computer.name, state, default: isDefault === true, summary: description };
}
