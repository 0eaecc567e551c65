/**
 * Scale request: the optional body of PUT /scale, checked field by field (gap/simulate-scale-request).
 *
 * mass and measurement carry the same information: where one is given alone, the other follows from it.
 */

import { isObject } from '../../common/json-value.ts';
import { VIRTUAL_SCALE } from '../../specification/fields.ts';
import type { Measured, MeasuringScale } from '../domain/scale-reading.ts';
import { badRequest } from '../gate/api-error.ts';
import { bodyObject, withinLimit, type Fields } from './fields.ts';

export type SimulatedReading = Pick<Measured, 'mass' | 'measurement'> & { readonly scale: MeasuringScale };

type Mass = Measured['mass'];
type Measurement = Measured['measurement'];

const DEFAULT_MASS: Mass = [779_000_000, null];
const USB_ID_MAXIMUM = 0xffff;
const NANO = 1_000_000_000n;

/** Exact micrograms in a unit of the display, as a fraction. */
const MICROGRAMS: Readonly<Record<string, { readonly numerator: bigint; readonly denominator: bigint }>> = {
  g: { numerator: 1_000_000n, denominator: 1n },
  kg: { numerator: 1_000_000_000n, denominator: 1n },
  lb: { numerator: 453_592_370n, denominator: 1n },
  oz: { numerator: 226_796_185n, denominator: 8n },
};

/** @throws ApiError 400 naming the field and what it must be */
export function readSimulatedReading(body: unknown): SimulatedReading {
  const fields = bodyObject(body ?? {}, 'an object');
  return { ...readMeasured(fields), scale: readScale(fields) };
}

function readScale(fields: Fields): MeasuringScale {
  const { vendor = '', product = '', port = '', vendorId = 0, productId = 0 } = fields;
  return {
    deviceName: VIRTUAL_SCALE.deviceName.value,
    deviceNum: VIRTUAL_SCALE.deviceNum.value,
    vendor: readText(vendor, 'vendor'),
    product: readText(product, 'product'),
    port: readText(port, 'port'),
    vendorId: readUsbId(vendorId, 'vendorId'),
    productId: readUsbId(productId, 'productId'),
  };
}

function readMeasured(fields: Fields): Pick<Measured, 'mass' | 'measurement'> {
  const mass = fields['mass'] === undefined ? undefined : readMass(fields['mass']);
  const measurement = fields['measurement'] === undefined ? undefined : readMeasurement(fields['measurement']);
  if (measurement) return { mass: mass ?? [massOf(measurement), null], measurement };
  const shown = mass ?? DEFAULT_MASS;
  return { mass: shown, measurement: measurementOf(shown) };
}

function readMass(mass: unknown): Mass {
  if (!Array.isArray(mass) || mass.length !== 2) {
    throw badRequest('mass: must be a list of two, the mass and its resolution in micrograms');
  }
  return [readMicrograms(mass[0], 'mass[0]'), readMicrograms(mass[1], 'mass[1]')];
}

function readMicrograms(value: unknown, name: string): number | null {
  // A form has no null: an empty string stands for it.
  if (value === null || value === '') return null;
  const micrograms = readInteger(value, name);
  if (micrograms < 0) throw badRequest(`${name}: must not be negative; without a weight it is null`);
  return micrograms;
}

function readMeasurement(measurement: unknown): Measurement {
  if (!isObject(measurement)) throw badRequest('measurement: must be an object of units and billionths');
  const entries = Object.entries(measurement).map(([unit, value]): [string, number] => {
    if (Object.hasOwn(MICROGRAMS, unit)) return [unit, readInteger(value, `measurement.${unit}`)];
    throw badRequest(`measurement: '${unit.slice(0, 40)}' is not one of ${Object.keys(MICROGRAMS).join(', ')}`);
  });
  return Object.fromEntries(entries);
}

/** Micrograms, a half rounded up; null where there is no weight: nothing shown, or less than nothing. */
function massOf(measurement: Measurement): number | null {
  let eighths = 0n;
  for (const [unit, billionths] of Object.entries(measurement)) {
    const exact = MICROGRAMS[unit];
    if (exact) eighths += (BigInt(billionths) * exact.numerator * 8n) / exact.denominator;
  }
  const isWeight = Object.keys(measurement).length > 0 && eighths >= 0n;
  const micrograms = Number((eighths + 4n * NANO) / (8n * NANO));
  if (!Number.isSafeInteger(micrograms)) throw badRequest('measurement: is too much for a mass in micrograms');
  return isWeight ? micrograms : null;
}

/** In grams; empty where there is no weight. */
function measurementOf([micrograms]: Mass): Measurement {
  if (micrograms === null) return {};
  const g = micrograms * 1_000;
  if (!Number.isSafeInteger(g)) throw badRequest('mass[0]: is too much to be shown in grams; give measurement');
  return { g };
}

function readInteger(value: unknown, name: string): number {
  // Form bodies carry numbers as strings.
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw badRequest(`${name}: must be an integer`);
}

function readUsbId(value: unknown, name: string): number {
  const id = readInteger(value, name);
  if (id >= 0 && id <= USB_ID_MAXIMUM) return id;
  throw badRequest(`${name}: must be from 0 to ${USB_ID_MAXIMUM}`);
}

function readText(value: unknown, name: string): string {
  if (typeof value === 'string') return withinLimit(value, name);
  throw badRequest(`${name}: must be a string`);
}
