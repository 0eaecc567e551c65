import { expect, it } from 'vitest';

import { planLoad } from '../../../../src/load/plan/load-plan.ts';
import { chooseProcessCount } from '../../../../src/load/plan/process-count.ts';
import { loadStream, plainLoad } from '../../../support/load-scenario.ts';

function roomOf(count: number, accounts = 100) {
  const template = { name: 'Shop', printers: [{ profile: 'label-zebra-zpl' }] };
  return planLoad(plainLoad({ accounts, computers: [{ template, count, behaviour: 'steady' }] }));
}

function planOf(rate: number, accounts = 100) {
  const stream = loadStream({ arrivals: { kind: 'open', pacer: { kind: 'constant', rate } } });
  return planLoad(plainLoad({ accounts, streams: [stream] }));
}

const ELSEWHERE = { cores: 8, connectionsEach: 20_000, hasService: false, sendsMost: false };

it.each([
  { what: 'one process for a small plan', plan: planOf(100), machine: ELSEWHERE, count: 1 },
  { what: 'as many as the rate needs', plan: planOf(5_000), machine: ELSEWHERE, count: 3 },
  { what: 'no more than there are cores', plan: planOf(100_000), machine: ELSEWHERE, count: 8 },
  { what: 'one less beside the service', plan: planOf(100_000), machine: { ...ELSEWHERE, hasService: true }, count: 7 },
  { what: 'no more than accounts', plan: planOf(100_000, 2), machine: ELSEWHERE, count: 2 },
  { what: 'all cores to find a knee', plan: planOf(100), machine: { ...ELSEWHERE, sendsMost: true }, count: 8 },
  {
    what: 'one on a single core',
    plan: planOf(5_000),
    machine: { ...ELSEWHERE, cores: 1, hasService: true, sendsMost: true },
    count: 1,
  },
  { what: 'as many as the computers need', plan: roomOf(25_000), machine: ELSEWHERE, count: 3 },
  { what: 'more than cores to fit open files', plan: roomOf(50_000), machine: { ...ELSEWHERE, cores: 2 }, count: 3 },
  { what: 'no more than accounts for open files', plan: roomOf(50_000, 2), machine: ELSEWHERE, count: 2 },
])('chooses $what', ({ plan, machine, count }) => {
  expect(chooseProcessCount(plan, machine).count).toBe(count);
});

it.each([
  { rate: 100, because: 'enough for 100 requests a second and 0 computers' },
  { rate: 100_000, because: 'there are 8 cores, one of them for the service on this machine' },
])('says what decided: $because', ({ rate, because }) => {
  expect(chooseProcessCount(planOf(rate), { ...ELSEWHERE, hasService: true }).because).toBe(because);
});
