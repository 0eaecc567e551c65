/**
 * Print job rows: a job and its states as the database has them.
 */

import { isObject } from '../../common/json-value.ts';
import { DamagedRow, storedJson } from './damage.ts';
import { isStoredTime } from './stored-time.ts';

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

/** @throws DamagedRow */
export function optionsOf({ id, options }: PrintJobRow): Record<string, unknown> {
  const found = storedJson(options, 'print_jobs', id);
  if (isObject(found)) return found;
  throw new DamagedRow({ table: 'print_jobs', row: String(id), what: 'options is not an object' });
}

/** @throws DamagedRow */
export function authenticationOf({ id, authentication }: PrintJobRow): unknown {
  return authentication === null ? null : storedJson(authentication, 'print_jobs', id);
}

/** What a client sent with a state; nothing where it sent none. @throws DamagedRow */
export function stateDataOf({ jobId, data }: PrintJobStateRow): unknown {
  return data === null ? {} : storedJson(data, 'print_job_states', jobId);
}

/** The columns of a row in the types that they were stored with. Written out: lists check many rows for a request. */
export function isPrintJobRow(row: { readonly [Column in keyof PrintJobRow]: unknown }): boolean {
  return (
    typeof row.accountId === 'number' &&
    typeof row.accountOrdinal === 'number' &&
    typeof row.printerOrdinal === 'number' &&
    typeof row.computerId === 'number' &&
    typeof row.printerId === 'number' &&
    isTextOrNull(row.title) &&
    isTextOrNull(row.source) &&
    typeof row.contentType === 'string' &&
    typeof row.options === 'string' &&
    isTextOrNull(row.authentication) &&
    typeof row.qty === 'number' &&
    isStoredTime(row.createdMs) &&
    isStoredTime(row.expireMs) &&
    typeof row.state === 'string' &&
    typeof row.delivery === 'number'
  );
}

export function isPrintJobStateRow(row: { readonly [Column in keyof PrintJobStateRow]: unknown }): boolean {
  return (
    typeof row.state === 'string' &&
    isTextOrNull(row.message) &&
    isTextOrNull(row.data) &&
    isTextOrNull(row.clientVersion) &&
    isStoredTime(row.createdMs)
  );
}

function isTextOrNull(value: unknown): boolean {
  return typeof value === 'string' || value === null;
}
