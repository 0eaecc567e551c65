/**
 * Print job rows: a job and its states as the database has them.
 */

/** How far a job has come on its way to the client. */
export const DELIVERY = {
  /** Waits in the queue; can be cancelled and can expire. */
  queued: 0,
  /** Sent to the client, which may have it on paper. */
  sent: 1,
  /** Done, failed, cancelled or expired: nothing more to deliver. */
  finished: 3,
} as const;

export type Delivery = (typeof DELIVERY)[keyof typeof DELIVERY];

export interface PrintJobRow {
  readonly id: number;
  readonly accountId: number;
  /** Which job of its account it is, from 1. */
  readonly accountOrdinal: number;
  /** Which job of its printer it is, from 1. */
  readonly printerOrdinal: number;
  readonly computerId: number;
  readonly printerId: number;
  readonly title: string | null;
  readonly source: string | null;
  readonly contentType: string;
  /** JSON text. */
  readonly options: string;
  /** JSON text, or null when the document needs no authentication. */
  readonly authentication: string | null;
  readonly qty: number;
  readonly createdMs: number;
  readonly expireMs: number;
  readonly state: string;
  readonly delivery: Delivery;
}

export interface PrintJobStateRow {
  readonly jobId: number;
  readonly state: string;
  readonly message: string | null;
  /** JSON text or null. */
  readonly data: string | null;
  readonly clientVersion: string | null;
  readonly createdMs: number;
}
