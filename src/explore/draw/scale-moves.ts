/** Moves of scales: weighed on, read, unplugged, and simulated. */

import { keysOf } from '../../common/keys-of.ts';
import { SCALE_FAULTS } from '../../devices/scale/scale-faults.ts';
import { VIRTUAL_SCALE } from '../../specification/fields.ts';
import { oneOf, pick, type Choice, type Draft, type DraftScale, type Moves } from './draft.ts';
import type { RawStep } from './raw-day.ts';

const ANY = { answers: 'any' } as const;
const GRAMS = [0, 250, 779, 2_500, 12_000, 2_200] as const;
/** After a reading: around the time for which it is kept. */
const LATER = ['1s', '44s', '46s', '45s'] as const;
const UNKNOWN_COMPUTER = 987_654;

function reading({ computer, deviceName }: DraftScale, form: number): RawStep {
  const scale = `/computer/{computer:${computer}}/scale`;
  const name = encodeURIComponent(deviceName);
  const paths = [
    `${scale}/${name}/0`,
    `${scale}s`,
    `${scale}s/${name}`,
    `${scale}/${name}/1`,
    `${scale}s/no%20such%20scale`,
    `/computer/${UNKNOWN_COMPUTER}/scales`,
  ] as const;
  return { request: { path: oneOf(paths, form), ...ANY } };
}

function weigh(draft: Draft, { which, other, form }: Choice): void {
  const scale = pick(draft.scales, which);
  if (scale === undefined) return;
  draft.isWeighing = true;
  draft.add({ weigh: { scale: scale.name, grams: oneOf(GRAMS, form) } }, { advance: '1s' }, reading(scale, other % 3));
  // Less than nothing.
  if (form % 5 === 0)
    draft.add(
      { press: { scale: scale.name, key: 'zero' } },
      { weigh: { scale: scale.name, grams: 0 } },
      { advance: '1s' },
      reading(scale, other % 3),
    );
}

function read(draft: Draft, { which, form }: Choice): void {
  const scale = pick(draft.scales, which);
  if (scale !== undefined) draft.add(reading(scale, form));
}

/** A last reading, which stays for its time. */
function fallSilent(draft: Draft, { which, other, form }: Choice): void {
  const scale = pick(draft.scales, which);
  if (scale === undefined) return;
  draft.add({ weigh: { scale: scale.name, grams: oneOf(GRAMS, form) } }, { advance: '1s' }, { unplug: scale.name });
  draft.pass(oneOf(LATER, other));
  draft.add(reading(scale, form), reading(scale, form + 1));
  if (form % 2 !== 0) return;
  draft.isWeighing = true;
  draft.add({ plug: scale.name }, { advance: '1s' }, reading(scale, form + 1));
}

function plug(draft: Draft, { which, form }: Choice): void {
  const scale = pick(draft.scales, which)?.name;
  if (scale === undefined) return;
  const steps = [
    { unplug: scale },
    { plug: scale },
    { press: { scale, key: oneOf(['unit', 'zero', 'power'], form >> 2) } },
  ];
  draft.add(oneOf([steps[0] ?? {}, ...steps], form));
}

/** While a computer is away one of its scales is unplugged and another plugged in: it reports both at once. */
function swap(draft: Draft, { which, form }: Choice): void {
  const [old, fresh] = [pick(draft.scales, which), pick(draft.scales, which + 1)];
  const computer = draft.computers.find(({ name }) => name === old?.computer);
  if (!old || !fresh || old === fresh || fresh.computer !== old.computer || computer?.standing !== 'connected') return;
  draft.isWeighing = true;
  draft.add(
    { unplug: fresh.name },
    { disconnect: computer.name },
    { unplug: old.name },
    { plug: fresh.name },
    { connect: computer.name },
    { weigh: { scale: fresh.name, grams: oneOf(GRAMS, form) } },
    { advance: '1s' },
    reading(fresh, form % 3),
  );
}

function breakScale(draft: Draft, { which, form }: Choice): void {
  const at = pick(draft.scales, which);
  if (at === undefined) return;
  const fault = pick(keysOf(SCALE_FAULTS), form);
  // Its zero point is off from then on: it reports each second, however empty.
  if (fault === 'drift') draft.isWeighing = true;
  draft.faulty.push(`scale/${at.name}`);
  draft.add({ fault: { at: `scale/${at.name}`, fault, times: 2 } });
}

function simulate(draft: Draft, { other, form }: Choice): void {
  // An account has one.
  if (draft.sharesAccount) return;
  const name = encodeURIComponent(VIRTUAL_SCALE.deviceName.value);
  const path = `/computer/${VIRTUAL_SCALE.computerId.value}/scale`;
  const reads = [`${path}/${name}/${VIRTUAL_SCALE.deviceNum.value}`, `${path}s`, `${path}s/${name}`] as const;
  const readOne = { request: { path: oneOf(reads, form), ...ANY } };
  draft.add({ request: { method: 'PUT', path: '/scale', ...draft.simulatedReading, ...ANY } }, readOne);
  if (other % 3 === 0) draft.add({ request: { ...readOne.request, key: '{second}' } });
  if (form % 2 === 0) return;
  draft.pass(oneOf(LATER, other));
  draft.add(readOne);
}

export const SCALE_MOVES: Moves = {
  weigh: { weight: 4, play: weigh },
  'read-scale': { weight: 2, play: read },
  'fall-silent': { weight: 3, play: fallSilent },
  plug: { weight: 1, play: plug },
  'swap-scales': { weight: 1, play: swap },
  'scale-fault': { weight: 1, play: breakScale },
  'simulate-scale': { weight: 2, play: simulate },
};
