/**
 * Scale reading: one measurement of one scale, and how callers see it.
 */

import type { ComputerMessage, MessageOf } from '../../link/messages.ts';
import type { Scale } from './scale-numbers.ts';
import { formatTimestamp } from './timestamp.ts';

/** What a scale measured, in the shape it arrives in from a computer. */
export type Measured = Pick<
  MessageOf<ComputerMessage, 'reading'>,
  'mass' | 'measurement' | 'clientReportedCreateTimestamp'
>;

/** The scale as it was when it measured; the key is the computer's own affair. */
export type MeasuringScale = Omit<Scale, 'key'>;

export interface ScaleReading extends Measured {
  readonly accountId: number;
  /** 0 for the virtual scale of the account. */
  readonly computerId: number;
  readonly scale: MeasuringScale;
  /** When the service took it: its age and its retention count from here. */
  readonly createdMs: number;
}

/** The scale data object, all keys, in the order of the specification's table, as JSON text. */
export function renderReading(reading: ScaleReading, nowMs: number): string {
  const { scale } = reading;
  return JSON.stringify({
    mass: reading.mass,
    computerId: reading.computerId,
    // Texts that the specification knows as strings alone: a descriptor without one is an empty string.
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
