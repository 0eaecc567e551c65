/**
 * Draws a day from a seed: a room, and what happens in it. Each day has few kinds of moves ("swarm testing"), most of
 * them about one thing: what never meets on a day with everything often does on a day with little. At its end is a
 * look at what it touched.
 *
 *   seed ─► room ─► kinds of this day ─► move, move, … ─► last look ─► scenario
 */

import * as fc from 'fast-check';

import { PRINTER_PROFILES } from '../../devices/printer/printer-profile.ts';
import { SCALE_PROFILES } from '../../devices/scale/scale-profile.ts';
import { lookAtAccounts, OF_INTEGRATOR } from './account-moves.ts';
import { Draft, type Choice, type DraftComputer, type Elsewhere, type Reach } from './draft.ts';
import { lookAtJobs } from './job-moves.ts';
import { FAMILIES, MOVES, MOVE_KINDS } from './moves.ts';
import type { RawDay, RawRoom, RawScale, RawStep } from './raw-day.ts';

export interface DrawOptions {
  /** Kinds of moves that no day has. */
  readonly without: readonly string[];
  /** Instead of a room that is drawn. */
  readonly room?: RawRoom | undefined;
  /** Folders from which the profiles are read that it names, beside the working folder. */
  readonly allowed?: readonly string[];
  readonly expect: RawDay['expect']['service'];
  /** Undefined for the reference service. */
  readonly elsewhere?: Elsewhere | undefined;
}

const COMPUTER_NAMES = ['OFFICE', 'TILL', 'STORE'] as const;
const MOST_MOVES = 14;
/** All that failed has been sent once more by then. */
const AFTER_RETRIES = '11s';
/** A day has at least this many kinds of its own family, and at most this many of all others. */
const FEWEST_KINDS = 3;
/** A service tolerates about 30 requests at once: by then it takes as many again. */
const AFTER_BURST = '3s';
/** In real time the last look waits by itself. */
const AT_LAST = '1s';

/** In the texts of a request: the key of an unrelated account. */
const SECOND_ACCOUNT = '{second}';

const number = fc.nat({ max: 9_999 });
const choice: fc.Arbitrary<Choice> = fc.record({ which: number, other: number, form: number });

const printerProfile = fc.constantFrom(...PRINTER_PROFILES.names());
const scaleProfile = fc.constantFrom(...SCALE_PROFILES.names());

const room: fc.Arbitrary<RawRoom> = fc
  .record({
    computers: fc.array(
      fc.record({
        version: fc.option(fc.constantFrom('4.27.3', '1.0.0'), { nil: undefined }),
        printers: fc.array(printerProfile, { minLength: 1, maxLength: 2 }),
        scales: fc.oneof(
          fc.array(scaleProfile, { maxLength: 1 }),
          scaleProfile.map((profile) => [profile, profile]),
        ),
      }),
      { minLength: 1, maxLength: COMPUTER_NAMES.length },
    ),
    timeScale: fc.constantFrom(0, 0, 0, 1),
  })
  .map(({ computers, timeScale }): RawRoom => {
    let printersSoFar = 0;
    let scalesSoFar = 0;
    return {
      computers: computers.map(({ version, printers, scales }, index) => ({
        name: COMPUTER_NAMES[index] ?? `PC ${index}`,
        ...(version !== undefined && { version }),
        printers: printers.map((profile) => ({ profile, name: `Printer ${++printersSoFar}` })),
        ...(scales.length > 0 && { scales: scales.map((profile) => scaleOf(profile, ++scalesSoFar, scales)) }),
      })),
      ...(timeScale > 0 && { timeScale }),
    };
  });

/** Two scales of a computer have the same name, with all that a path has to quote. */
function scaleOf(profile: string, number: number, { length }: readonly string[]): RawScale {
  const as = `Scale ${number}`;
  return length > 1 ? { profile, name: 'Scale 1/2', as } : { profile, name: as };
}

const kinds = fc
  .record({
    own: fc.oneof(...FAMILIES.map((family) => fc.shuffledSubarray(Object.keys(family), { minLength: FEWEST_KINDS }))),
    others: fc.shuffledSubarray([...MOVE_KINDS], { maxLength: FEWEST_KINDS }),
  })
  .map(({ own, others }) => [...own, ...others]);

const shape = fc.record({
  room,
  isChild: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  kinds,
  moves: fc.array(fc.record({ kind: number, choice }), { minLength: 3, maxLength: MOST_MOVES, size: 'max' }),
});

/** The same seed gives the same day, byte for byte. */
export function drawDay(seed: number, options: DrawOptions): RawDay {
  const [drawn] = fc.sample(shape, { seed, numRuns: 1 });
  if (!drawn) throw new Error('fast-check drew nothing');
  const { elsewhere } = options;
  const reach = elsewhere?.reach ?? 'own-link';
  const room = options.room ?? ROOMS[reach]?.(drawn.room) ?? drawn.room;
  const without = [...options.without, ...(IMPOSSIBLE[reach] ?? [])];
  const wheel = wheelOf(
    kindsFor(
      drawn.kinds.filter((kind) => !without.includes(kind)),
      { ...options, without, room },
    ),
  );
  const moves = drawn.moves.map(({ kind, choice: chosen }) => ({ kind: wheel[kind % wheel.length] ?? '', chosen }));
  // Elsewhere most days use a Child, an account made for them, unless they have moves that only an Integrator can make.
  const isOfIntegrator = drawn.isChild && moves.some(({ kind }) => OF_INTEGRATOR.has(kind));
  const isChild = elsewhere ? elsewhere.isIntegrator && reach !== 'printer' && !isOfIntegrator : drawn.isChild;
  const draft = new Draft(seed, isChild, elsewhere);
  furnish(draft, room, reach);
  for (const { kind, chosen } of moves) MOVES[kind]?.play(draft, chosen);
  draft.add({ advance: draft.isRetrying ? AFTER_RETRIES : draft.isOnRealTime ? AT_LAST : AFTER_BURST });
  draft.add(...lookAtJobs(draft), ...lookAtAccounts(draft));
  // Other moves have restarts in them.
  const steps = without.includes('restart') ? draft.steps.filter((step) => !('restart' in step)) : draft.steps;
  return {
    title: `Day ${seed}`,
    why: `A day that platen explore made up from seed ${seed}.`,
    seed,
    // Elsewhere a scenario that names no account may be given a Child.
    ...((isChild || elsewhere) && { account: isChild ? 'child' : 'own' }),
    room,
    steps: elsewhere?.hasSecondAccount === false ? steps.filter(isOfOneAccount) : steps,
    expect: { service: options.expect },
  };
}

function isOfOneAccount(step: RawStep): boolean {
  return !JSON.stringify(step).includes(SECOND_ACCOUNT);
}

function furnish(draft: Draft, { computers }: RawRoom, reach: Reach): void {
  if (reach === 'nothing') return;
  for (const { name, printers = [], scales = [] } of computers) {
    const isOurs = reach !== 'printer';
    const computer: DraftComputer = { name, standing: isOurs ? 'connected' : 'unsure' };
    if (isOurs) draft.computers.push(computer);
    draft.printers.push(...printers.map((printer) => ({ name: printer.name, computer })));
    draft.scales.push(
      ...scales.map(({ name: deviceName, as = deviceName }) => ({ name: as, deviceName, computer: name })),
    );
  }
}

/** Rooms where days reach less than computers with all their devices. */
const ROOMS: Readonly<Partial<Record<Reach, (drawn: RawRoom) => RawRoom>>> = {
  client: ({ computers, ...rest }) => ({
    ...rest,
    computers: computers.map((computer) => ({ ...computer, scales: [] })),
  }),
  printer: () => ({ computers: [{ name: 'THEIRS', printers: [{ profile: 'laser-a4', name: 'Printer 1' }] }] }),
  nothing: () => ({ computers: [] }),
};

/** Kinds of moves that another way to computers than platen's own does not have. */
const IMPOSSIBLE: Readonly<Partial<Record<Reach, readonly string[]>>> = {
  'other-link': ['link-fault'],
  client: ['link-fault', 'crash-fault', 'printer-fault', 'clear-fault', 'sleep', 'wake'],
  printer: ['printer-fault', 'clear-fault'],
};

/** The kinds drawn for the day, or all that are left, where it has few that can be played without computers. */
function kindsFor(drawn: readonly string[], { without, elsewhere, room }: DrawOptions): readonly string[] {
  if (elsewhere?.reach !== 'printer' && elsewhere?.reach !== 'nothing') return drawn;
  const playable = MOVE_KINDS.filter((kind) => !without.includes(kind) && doesAnything(kind, elsewhere, room));
  const own = drawn.filter((kind) => playable.includes(kind));
  return own.length < FEWEST_KINDS ? playable : own;
}

const FORMS = Array.from({ length: 8 }, (_, form) => form);

/** Whether the move has something that it could be about. */
function doesAnything(kind: string, elsewhere: Elsewhere, room: RawRoom = { computers: [] }): boolean {
  const draft = new Draft(0, false, elsewhere);
  furnish(draft, room, elsewhere.reach);
  for (const form of FORMS) MOVES[kind]?.play(draft, { which: form, other: form, form });
  return draft.steps.length > 0;
}

/** Each kind as often as its weight says. */
function wheelOf(kinds: readonly string[]): readonly string[] {
  return kinds.flatMap((kind) => Array.from({ length: MOVES[kind]?.weight ?? 0 }, () => kind));
}
