/** Moves of the room and of time: computers come and go, printers and scales have bad days. */

import { keysOf } from '../../common/keys-of.ts';
import { CRASH_POINTS, FORGET_JOB } from '../../devices/computer/crash-points.ts';
import { PRINTER_FAULTS } from '../../devices/printer/printer-fault.ts';
import { PRINTER_PROFILES } from '../../devices/printer/printer-profile.ts';
import { SCALE_FAULTS } from '../../devices/scale/scale-faults.ts';
import { LINK_FAULTS } from '../../link/faults/frame-faults.ts';
import { oneOf, pick, type Choice, type Draft, type DraftComputer, type Move, type Moves } from './draft.ts';

/** Around the limits: retries, heartbeats, readings, expiries, keys, and what is kept for days. */
const LENGTHS = [
  '1s',
  '4s',
  '6s',
  '44s',
  '46s',
  '59s',
  '61s',
  '5m',
  '11m',
  '1h1m',
  '12h',
  '23h59m',
  '24h1m',
  '13d23h',
  '14d1m',
] as const;
/** Those that a scale under load is left in. */
const SHORT = ['1s', '4s', '6s', '44s', '46s', '61s'] as const;
/** A retry of a webhook is waited for, and now and then what a scale is kept for. */
const IN_REAL_TIME = ['1s', '4s', '1s', '6s', '1s', '6s', '1s', '46s'] as const;
const GRAMS = [0, 250, 779, 2_500, 12_000] as const;

const on =
  (step: string, standing: DraftComputer['standing'], from: readonly DraftComputer['standing'][]): Move['play'] =>
  (draft, { which }) => {
    const computer = pick(
      draft.computers.filter((one) => from.includes(one.standing)),
      which,
    );
    if (!computer) return;
    computer.standing = standing;
    draft.add({ [step]: computer.name });
  };

function crash(draft: Draft, { which, form }: Choice): void {
  const computer = pick(
    draft.computers.filter(({ standing }) => standing === 'connected'),
    which,
  );
  if (!computer) return;
  computer.standing = 'unsure';
  draft.add({ crash: { computer: computer.name, ...(form % 4 === 0 && { forget: true }) } });
}

function advance(draft: Draft, { form }: Choice): void {
  // A loaded scale reports twice a second.
  const lengths = draft.isOnRealTime ? IN_REAL_TIME : draft.isWeighing ? SHORT : LENGTHS;
  draft.add({ advance: oneOf(lengths, form) });
  // By now what comes back by itself is back.
  if (form % LENGTHS.length > 5)
    for (const computer of draft.computers) if (computer.standing === 'unsure') computer.standing = 'connected';
}

function breakPrinter(draft: Draft, { which, form }: Choice): void {
  const printer = pick(draft.printers, which);
  if (!printer) return;
  const at = `printer/${printer.name}`;
  draft.faulty.push(at);
  draft.add({ fault: { at, fault: pick(keysOf(PRINTER_FAULTS), form) } });
}

function clearFault(draft: Draft, { which }: Choice): void {
  const at = pick(draft.faulty, which);
  if (at !== undefined) draft.add({ 'clear-fault': { at } });
}

function breakComputer(draft: Draft, { which, other, form }: Choice): void {
  const computer = pick(draft.computers, which);
  if (!computer) return;
  computer.standing = 'unsure';
  const fault = pick([...CRASH_POINTS, FORGET_JOB], form);
  draft.add({ fault: { at: `computer/${computer.name}`, fault, times: 1, ...(other % 3 === 0 && { after: 1 }) } });
}

function breakLink(draft: Draft, { which, other, form }: Choice): void {
  const computer = pick(draft.computers, which);
  if (!computer) return;
  computer.standing = 'unsure';
  draft.add({
    fault: { at: `link/${computer.name}`, fault: pick(keysOf(LINK_FAULTS), form), times: 1, after: other % 4 },
  });
}

function addPrinter(draft: Draft, { which, form }: Choice): void {
  const computer = pick(
    draft.computers.filter(({ standing }) => standing === 'connected'),
    which,
  );
  if (!computer) return;
  const name = draft.newName('printer');
  draft.printers.push({ name, computer });
  draft.add({ 'add-printer': { computer: computer.name, profile: pick(PRINTER_PROFILES.names(), form), name } });
}

function changePrinter(draft: Draft, { which, form }: Choice): void {
  const printer = pick(
    draft.printers.filter(({ computer }) => computer.standing === 'connected'),
    which,
  );
  if (!printer) return;
  if (form % 2 === 0) return draft.add({ 'rename-printer': { printer: printer.name, to: draft.newName('renamed') } });
  draft.printers = draft.printers.filter((one) => one !== printer);
  draft.add({ 'remove-printer': printer.name });
}

function deleteComputer(draft: Draft, { which }: Choice): void {
  const computer = draft.computers.length > 1 ? pick(draft.computers, which) : undefined;
  if (!computer) return;
  draft.computers.splice(draft.computers.indexOf(computer), 1);
  draft.printers = draft.printers.filter((printer) => printer.computer !== computer);
  draft.add({ request: { method: 'DELETE', path: `/computers/{computer:${computer.name}}`, answers: 'any' } });
}

function weigh(draft: Draft, { which, form }: Choice): void {
  const scale = pick(draft.scales, which);
  if (scale === undefined) return;
  draft.isWeighing = true;
  draft.add({ weigh: { scale, grams: oneOf(GRAMS, form) } }, { advance: '1s' });
}

function plug(draft: Draft, { which, form }: Choice): void {
  const scale = pick(draft.scales, which);
  if (scale === undefined) return;
  const steps = [
    { unplug: scale },
    { plug: scale },
    { press: { scale, key: oneOf(['unit', 'zero', 'power'], form >> 2) } },
  ];
  draft.add(oneOf([steps[0] ?? {}, ...steps], form));
}

function breakScale(draft: Draft, { which, form }: Choice): void {
  const scale = pick(draft.scales, which);
  if (scale === undefined) return;
  draft.faulty.push(`scale/${scale}`);
  draft.add({ fault: { at: `scale/${scale}`, fault: pick(keysOf(SCALE_FAULTS), form), times: 2 } });
}

function readScale(draft: Draft, { which, form }: Choice): void {
  const [computer, scale] = [pick(draft.computers, which), pick(draft.scales, which)];
  if (!computer) return;
  const scales = `/computer/{computer:${computer.name}}/scale`;
  const ofName = encodeURIComponent(scale ?? 'no such scale');
  const path = oneOf([`${scales}s`, `${scales}s/${ofName}`, `${scales}/${ofName}/0`, `${scales}/${ofName}/1`], form);
  draft.add({ request: { path, answers: 'any' } });
}

function simulateScale(draft: Draft, { form }: Choice): void {
  const [name, path] = [encodeURIComponent('Service Test Scale'), '/computer/0/scale'];
  const steps = [
    { request: { method: 'PUT', path: '/scale', answers: 'any' } },
    { request: { path: `${path}/${name}/0`, answers: 'any' } },
    { request: { path: `${path}s`, answers: 'any' } },
  ];
  const [simulate = {}, one = {}, all = {}] = steps;
  draft.add(...(form % 2 === 0 ? [simulate] : [form % 4 === 1 ? one : all]));
}

export const ROOM_MOVES: Moves = {
  advance: { weight: 7, play: advance },
  disconnect: { weight: 3, play: on('disconnect', 'away', ['connected', 'unsure']) },
  connect: { weight: 4, play: on('connect', 'connected', ['away']) },
  cut: { weight: 1, play: on('cut', 'unsure', ['connected']) },
  sleep: { weight: 1, play: on('sleep', 'asleep', ['connected']) },
  wake: { weight: 2, play: on('wake', 'unsure', ['asleep']) },
  crash: { weight: 1, play: crash },
  'crash-fault': { weight: 1, play: breakComputer },
  'link-fault': { weight: 1, play: breakLink },
  'printer-fault': { weight: 2, play: breakPrinter },
  'clear-fault': { weight: 1, play: clearFault },
  'add-printer': { weight: 1, play: addPrinter },
  'change-printer': { weight: 1, play: changePrinter },
  'delete-computer': { weight: 1, play: deleteComputer },
  weigh: { weight: 3, play: weigh },
  plug: { weight: 1, play: plug },
  'scale-fault': { weight: 1, play: breakScale },
  'read-scale': { weight: 3, play: readScale },
  'simulate-scale': { weight: 2, play: simulateScale },
};
