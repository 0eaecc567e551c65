/**
 * What happens at a scale: something is put on it, a key is pressed, its plug is pulled.
 */

import { z } from 'zod';

import { uses } from '../vocabulary/names.ts';
import { gramsOnScale, microgramsOf, name } from '../vocabulary/schema-types.ts';
import { KEPT } from '../vocabulary/outcome.ts';
import { stepKind } from './step.ts';

const weighArgs = z.strictObject({
  scale: name.describe('The scale.'),
  grams: gramsOnScale.describe('What lies on it from now on; 0 for nothing.'),
});

export const weigh = stepKind<z.output<typeof weighArgs>>({
  about: 'Something is put on a scale, in place of what lay there. It takes half a second to come to rest.',
  args: weighArgs,
  summary: ({ scale, grams }) => `put ${grams} g on ${scale}`,
  names: ({ scale }) => uses('scale', scale, 'scale'),
  async run({ scale, grams }, setup) {
    setup.cast.scale(scale).scale.load(microgramsOf(grams));
    await setup.settle();
    return KEPT;
  },
});

const pressArgs = z.strictObject({
  scale: name.describe('The scale.'),
  key: z.enum(['unit', 'zero', 'power']),
});

export const press = stepKind<z.output<typeof pressArgs>>({
  about: 'A key of a scale is pressed: for the unit, for zero, for on and off.',
  args: pressArgs,
  summary: ({ scale, key }) => `press ${key} on ${scale}`,
  names: ({ scale }) => uses('scale', scale, 'scale'),
  async run({ scale, key }, setup) {
    setup.cast.scale(scale).scale.press(key);
    await setup.settle();
    return KEPT;
  },
});

export const unplug = stepKind({
  about: 'The plug of a scale is pulled; what lies on it stays there.',
  args: name,
  summary: (scale) => `unplug ${scale}`,
  names: (scale) => uses('scale', scale),
  async run(scale, setup) {
    setup.cast.scale(scale).scale.unplug();
    await setup.settle();
    return KEPT;
  },
});

export const plug = stepKind({
  about: 'A scale is plugged in again. It takes what lies on it for nothing.',
  args: name,
  summary: (scale) => `plug ${scale} in`,
  names: (scale) => uses('scale', scale),
  async run(scale, setup) {
    setup.cast.scale(scale).scale.plug();
    await setup.settle();
    return KEPT;
  },
});
