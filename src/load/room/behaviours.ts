/**
 * Behaviours: what the people around a computer do to its devices, as data. Times are means; each device draws its
 * own, between half and one and a half times the mean.
 */

import type { PrinterFault } from '../../devices/printer/printer-fault.ts';
import type { BehaviourName } from '../plan/load-scenario.ts';

/** Something that happens to a device repeatedly and lasts for a while. */
interface Habit {
  /** From the end of one occurrence to the start of the next. */
  readonly everyMs: number;
  readonly forMs: number;
}

export interface Weighing extends Habit {
  /** Weights put on the scale, from least to most. */
  readonly grams: readonly [number, number];
}

export interface Trouble extends Habit {
  readonly fault: PrinterFault;
}

export interface Behaviour {
  /** Where this is typical. */
  readonly why: string;
  readonly weighing?: Weighing;
  readonly troubles?: readonly Trouble[];
  /** The client program restarts. */
  readonly restart?: Habit;
  /** The connection drops, and recovers by itself. */
  readonly drop?: { readonly everyMs: number };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const BEHAVIOURS: Readonly<Record<BehaviourName, Behaviour>> = {
  steady: { why: 'no one touches anything: all that happens comes from the service' },
  'busy-shop': {
    why: 'a parcel on the scale every half minute, labels that run out, a till that is restarted at noon',
    weighing: { everyMs: 30 * SECOND, forMs: 5 * SECOND, grams: [50, 2_500] },
    troubles: [{ fault: 'media-empty', everyMs: 20 * MINUTE, forMs: 40 * SECOND }],
    restart: { everyMs: 6 * HOUR, forMs: 20 * SECOND },
    drop: { everyMs: 2 * HOUR },
  },
  office: {
    why: 'printers that jam and stand open, laptops on a wireless network that come and go',
    troubles: [
      { fault: 'media-jam', everyMs: 2 * HOUR, forMs: 2 * MINUTE },
      { fault: 'cover-open', everyMs: 3 * HOUR, forMs: 1 * MINUTE },
    ],
    drop: { everyMs: 20 * MINUTE },
  },
  warehouse: {
    why: 'a scale in constant use, label rolls by the dozen, dead spots between the racks',
    weighing: { everyMs: 8 * SECOND, forMs: 4 * SECOND, grams: [100, 9_000] },
    troubles: [
      { fault: 'media-empty', everyMs: 8 * MINUTE, forMs: 30 * SECOND },
      { fault: 'media-jam', everyMs: 45 * MINUTE, forMs: 90 * SECOND },
    ],
    restart: { everyMs: 8 * HOUR, forMs: 30 * SECOND },
    drop: { everyMs: 4 * MINUTE },
  },
};
