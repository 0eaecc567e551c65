import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { drawDay } from '../../../src/pipeline/draw-day.ts';
import { loadPipeline } from '../../../src/pipeline/pipeline-file.ts';
import { faultsOf } from '../../../src/pipeline/standing-between.ts';
import { inWords } from '../../../src/pipeline/steps.ts';

const pipeline = await loadPipeline(fileURLToPath(new URL('../../pipelines/pipeline.yaml', import.meta.url)));
const FAILURES = ['media-empty', 'media-jam', 'shutdown', 'drops-connection', 'drops-answer', 'slow-connection'];
const TROUBLES = [
  ...['kitchen', 'bar'].flatMap((printer) => FAILURES.map((fault) => `fail ${printer}: ${fault}`)),
  ...['api', 'kitchen'].flatMap((name) =>
    faultsOf(pipeline.between[name]?.to ?? '').map((fault) => `break ${name}: ${fault}`),
  ),
  'kill backend',
  'kill agent',
];

it.each([0, 345_786])('lets all that can go wrong meet a job alone, one day after the other: from seed %i', (seed) => {
  const days = Array.from({ length: 2 * TROUBLES.length }, (_, index) => drawDay(seed + index, pipeline).steps);
  const plain = days.filter(([trouble, ...after]) => {
    const [submitted, waited] = after;
    return trouble && submitted && 'submit' in submitted && waited && 'wait' in waited && after.length === 2;
  });
  expect(plain.map(([trouble]) => trouble && inWords(trouble))).toEqual(expect.arrayContaining(TROUBLES));
});

it('draws the same day from the same seed', () => {
  for (const seed of [1, 2, 3]) expect(drawDay(seed, pipeline)).toEqual(drawDay(seed, pipeline));
});
