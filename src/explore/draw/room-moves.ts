/** Moves of the room and of time: computers come and go, printers have bad days. */

import { keysOf } from '../../common/keys-of.ts';
import { CRASH_POINTS, FORGET_JOB } from '../../devices/computer/crash-points.ts';
import { PRINTER_FAULTS } from '../../devices/printer/printer-fault.ts';
import { PRINTER_PROFILES } from '../../devices/printer/printer-profile.ts';
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
  '60s',
  '61s',
  '5m',
  '11m',
  '1h1m',
  '12h',
  '23h59m50s',
  '24h1m',
  '13d23h',
  '14d1m',
] as const;
/** Those that a scale under load is left in. */
const SHORT = ['1s', '4s', '6s', '44s', '46s', '61s'] as const;
/** A retry of a webhook is waited for, or what a scale is kept for, where there is one. */
const IN_REAL_TIME = { calm: ['1s'], retrying: ['4s', '6s'], weighing: ['1s', '1s', '1s', '46s'] } as const;

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
  draft.add({ crash: { computer: computer.name, ...(form % 4 === 0 && draft.canForget && { forget: true }) } });
}

function restart(draft: Draft, { form }: Choice): void {
  draft.restart();
  if (form % 3 !== 0) advance(draft, { which: 0, other: 0, form });
}

function advance(draft: Draft, { form }: Choice): void {
  // A loaded scale reports twice a second.
  const inRealTime = IN_REAL_TIME[draft.isRetrying ? 'retrying' : draft.isWeighing ? 'weighing' : 'calm'];
  const lengths = draft.isOnRealTime ? inRealTime : draft.isWeighing ? SHORT : LENGTHS;
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

export const ROOM_MOVES: Moves = {
  advance: { weight: 7, play: advance },
  restart: { weight: 2, play: restart },
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
};
