/**
 * Scale reading: one measurement of one scale, how long it is kept, and how callers see it.
 */

import type { ComputerMessage, MessageOf } from '../../link/messages.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Scale } from './scale-numbers.ts';
import { formatTimestamp } from './timestamp.ts';

/** What a scale measured, in the shape it arrives in from a computer. */
export type Measured = Pick<
  MessageOf<ComputerMessage, 'reading'>,
  'mass' | 'measurement' | 'clientReportedCreateTimestamp'
>;

/** The scale as it was when it measured; its key concerns the computer alone. */
export type MeasuringScale = Omit<Scale, 'key'>;

export interface ScaleReading extends Measured {
  readonly accountId: number;
  /** 0 for the virtual scale of the account. */
  readonly computerId: number;
  readonly scale: MeasuringScale;
  /** When the service took it: its age and its retention count from here. */
  readonly createdMs: number;
}

export const SCALE_RETENTION_MS = LIMITS.scaleRetentionSeconds.value * 1_000;

/** Whether a reading that the service took at `createdMs` is still there at `nowMs`. */
export function isReadingRetained(createdMs: number, nowMs: number): boolean {
  return nowMs - createdMs < SCALE_RETENTION_MS;
}

/** The scale data object, all keys, in the order of the specification's table, as JSON text. */
export function renderReading(reading: ScaleReading, nowMs: number): string {
  const { scale } = reading;
  return JSON.stringify({
    mass: reading.mass,
    computerId: reading.computerId,
    // The specification has strings here, not null: a descriptor without one is an empty string.
    vendor: scale.vendor ?? '',
    product: scale.product ?? '',
    vendorId: scale.vendorId,
    productId: scale.productId,
    port: scale.port ?? '',
    deviceName: scale.deviceName,
    deviceNum: scale.deviceNum,
    count: null,
    measurement: reading.measurement,
    clientReportedCreateTimestamp: formatTimestamp(Date.parse(reading.clientReportedCreateTimestamp)),
    ntpOffset: null,
    ageOfData: Math.max(0, Math.floor(nowMs - reading.createdMs)),
  });
}
