/**
 * Room observer: sees every job on its way through a room, as it happens.
 *
 *   link ─► delivered ─► fetched ─► spooled ─► sheetOut… ─► printed ─► reported ─► service
 *
 * It is called synchronously, on the way of the job: it has to be quick and must not throw. A room without
 * one pays nothing for it.
 */

import type { DeliveredJob } from '../../link/device-link.ts';
import type { Printout } from './printout.ts';

/** A printer of the room; the same object each time. */
export interface ObservedPrinter {
  readonly key: string;
  readonly name: string;
}

export interface RoomObserver {
  /** A job came over the link, perhaps again. `printer` is undefined when its computer has none with that key. */
  delivered?(job: DeliveredJob, printer: ObservedPrinter | undefined): void;
  /** The document of the job was downloaded or decoded. */
  fetched?(job: DeliveredJob): void;
  /** The print queue takes the job. */
  spooled?(job: DeliveredJob): void;
  sheetOut?(jobId: number): void;
  /** The last sheet of a submission is out; a job with `qty` 3 has three. */
  printed?(printout: Printout, printer: ObservedPrinter): void;
  /** The service has acknowledged a state of the job. */
  reported?(jobId: number, state: string): void;
}
