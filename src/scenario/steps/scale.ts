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
  grams: gramsOnScale.describe('The new load; 0 for nothing.'),
});

export const weigh = stepKind<z.output<typeof weighArgs>>({
  about: 'A load is put on a scale, in place of the last one. It takes half a second to settle.',
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
  about: 'A key of a scale is pressed: unit, zero, or power.',
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
  about: 'A scale is unplugged; its load stays on it.',
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
  about: 'A scale is plugged in again. It takes its load for zero.',
  args: name,
  summary: (scale) => `plug ${scale} in`,
  names: (scale) => uses('scale', scale),
  async run(scale, setup) {
    setup.cast.scale(scale).scale.plug();
    await setup.settle();
    return KEPT;
  },
});
