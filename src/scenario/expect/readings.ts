/**
 * readings: what the service says of a scale.
 */

import { z } from 'zod';

import { missingPart } from '../vocabulary/partial-match.ts';
import { showValue } from '../../common/json-value.ts';
import { count, object } from '../vocabulary/schema-types.ts';
import { expectationKind } from './expectation.ts';

const microgramsOrNull = z.number().int().nullable();

const details = z.strictObject({
  mass: z
    .tuple([microgramsOrNull, microgramsOrNull])
    .exactOptional()
    .describe('Micrograms and the resolution in micrograms; null for what the scale does not report.'),
  measurement: object.exactOptional().describe('Unit → billionths of it, exactly these units.'),
  deviceNum: count.default(0).describe('Which of the scales of this name.'),
  has: object.exactOptional().describe('Other fields of the reading.'),
});
const wanted = z.union([z.literal('none').transform(() => ({ none: true })), details]);

type WantedReading = Partial<z.output<typeof details>> & { readonly none?: boolean };

const NOT_FOUND = 404;

export const readings = expectationKind<WantedReading>({
  about: 'By name of a scale: the reading that the service has of it; `none` if it has no reading.',
  of: 'scale',
  wanted,
  async judge(name, { none = false, deviceNum = 0, mass, measurement, has }, setup) {
    const { scale, computer } = setup.cast.scale(name);
    const id = setup.cast.computerId(computer);
    const path = `/computer/${id}/scale/${encodeURIComponent(scale.deviceName)}/${deviceNum}`;
    const { status, value } = await setup.api.lookFor(path);
    if (none || status === NOT_FOUND) {
      if (none === (status === NOT_FOUND)) return [];
      const [expected, actual] = none ? ['none', showValue(value)] : ['a reading', `${status} ${showValue(value)}`];
      return [{ at: `reading of ${name}`, expected, actual, jobs: [] }];
    }
    const parts = { ...(mass && { mass }), ...has };
    // What has parts is an object.
    const missing =
      missingPart(parts, value, `reading of ${name}`) ??
      unlike(measurement, value as Readonly<Record<string, unknown>>, name);
    if (!missing) return [];
    return [{ at: missing.at, expected: showValue(missing.wanted), actual: showValue(missing.actual), jobs: [] }];
  },
});

/** Compares all units: one too many is as wrong as one too few. */
function unlike(
  measurement: Readonly<Record<string, unknown>> | undefined,
  reading: Readonly<Record<string, unknown>>,
  name: string,
): ReturnType<typeof missingPart> {
  if (measurement === undefined) return undefined;
  const { measurement: found } = reading;
  const differs = missingPart(measurement, found) ?? missingPart(found, measurement);
  return differs && { at: `measurement of ${name}`, wanted: measurement, actual: found };
}
