import { expect, it } from 'vitest';

import { isObject } from '../../../../src/common/json-value.ts';
import { drawDay } from '../../../../src/explore/draw/draw-day.ts';
import { MOVE_KINDS } from '../../../../src/explore/draw/moves.ts';
import { NEVER_DRAWN } from '../../../../src/explore/draw/never-drawn.ts';
import { PLACE_FAULTS } from '../../../../src/scenario/setup/place-faults.ts';
import { STEP_KINDS } from '../../../../src/scenario/steps/step-schema.ts';

/** All that a scenario may have: kinds of steps, and faults as `place/fault`. */
const OF_THE_FORMAT = [
  ...Object.keys(STEP_KINDS),
  ...Object.entries(PLACE_FAULTS).flatMap(([place, faults]) => Object.keys(faults).map((fault) => `${place}/${fault}`)),
];
const FAULT_MOVES = ['printer-fault', 'scale-fault', 'crash-fault', 'link-fault'];

function drawnIn(seeds: number, without: readonly string[]): readonly string[] {
  const days = Array.from({ length: seeds }, (_, seed) =>
    drawDay(seed, { without, room: undefined, expect: 'strict' }),
  );
  return days.flatMap(({ steps }) =>
    steps.flatMap((step) => {
      const { fault } = step;
      const faults = isObject(fault) ? [`${String(fault['at']).split('/')[0]}/${String(fault['fault'])}`] : [];
      return [...Object.keys(step), ...faults];
    }),
  );
}

it('has a reason for everything of the scenario format that no day has, and for nothing else', () => {
  const otherMoves = MOVE_KINDS.filter((kind) => !FAULT_MOVES.includes(kind));
  const drawn = new Set([...drawnIn(600, []), ...drawnIn(2_000, otherMoves)]);
  const reasoned = NEVER_DRAWN.flatMap(({ what }) => what);
  expect(OF_THE_FORMAT.filter((one) => !drawn.has(one)).toSorted()).toEqual(reasoned.toSorted());
});
