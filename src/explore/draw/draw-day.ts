/**
 * Draws a day from a seed: a room, and what happens in it. Each day leaves kinds of moves out whole ("swarm testing"):
 * what never meets on a day with everything often does on a day with little.
 *
 *   seed ─► room ─► kinds of this day ─► move, move, … ─► scenario
 */

import * as fc from 'fast-check';

import { PRINTER_PROFILES } from '../../devices/printer/printer-profile.ts';
import { SCALE_PROFILES } from '../../devices/scale/scale-profile.ts';
import { Draft, type Choice } from './draft.ts';
import { MOVES, MOVE_KINDS } from './moves.ts';
import type { RawDay, RawRoom } from './raw-day.ts';

export interface DrawOptions {
  /** Kinds of moves that no day has. */
  readonly without: readonly string[];
  /** Instead of a room that is drawn. */
  readonly room: RawRoom | undefined;
  readonly expect: RawDay['expect']['service'];
  /** Nothing takes long: all of it passes in real time. */
  readonly isOnRealTime: boolean;
}

const COMPUTER_NAMES = ['OFFICE', 'TILL', 'STORE'] as const;
const MOST_MOVES = 14;
/** All that failed has been sent once more by then. */
const AFTER_RETRIES = '11s';
/** Of the kinds, how many a day keeps at least. */
const FEWEST_KINDS = 4;

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
        scales: fc.array(scaleProfile, { maxLength: 1 }),
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
        ...(scales.length > 0 && { scales: scales.map((profile) => ({ profile, name: `Scale ${++scalesSoFar}` })) }),
      })),
      ...(timeScale > 0 && { timeScale }),
    };
  });

const shape = fc.record({
  room,
  isChild: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  kinds: fc.shuffledSubarray([...MOVE_KINDS], { minLength: FEWEST_KINDS }),
  moves: fc.array(fc.record({ kind: number, choice }), { minLength: 3, maxLength: MOST_MOVES, size: 'max' }),
});

/** The same seed gives the same day, byte for byte. */
export function drawDay(seed: number, options: DrawOptions): RawDay {
  const [drawn] = fc.sample(shape, { seed, numRuns: 1 });
  if (!drawn) throw new Error('fast-check drew nothing');
  const room = options.room ?? drawn.room;
  const draft = new Draft(drawn.isChild, options.isOnRealTime);
  furnish(draft, room);
  const kinds = drawn.kinds.filter((kind) => !options.without.includes(kind));
  const wheel = wheelOf(kinds.some((kind) => ACTIVE.includes(kind)) ? kinds : [...kinds, ...ACTIVE]);
  for (const { kind, choice: chosen } of drawn.moves) {
    MOVES[wheel[kind % wheel.length] ?? '']?.play(draft, chosen);
  }
  if (draft.isRetrying) draft.add({ advance: AFTER_RETRIES });
  return {
    title: `Day ${seed}`,
    why: `A day that platen explore made up from seed ${seed}.`,
    seed,
    ...(drawn.isChild && { account: 'child' as const }),
    room,
    // A day on which nothing could happen still has its last look.
    steps: draft.steps.length > 0 ? draft.steps : [{ advance: '1s' }],
    expect: { service: options.expect },
  };
}

/** Without any of these most others have nothing to be about. */
const ACTIVE: readonly string[] = ['submit'];

function furnish(draft: Draft, { computers }: RawRoom): void {
  for (const { name, printers = [], scales = [] } of computers) {
    const computer = { name, standing: 'connected' as const };
    draft.computers.push(computer);
    draft.printers.push(...printers.map((printer) => ({ name: printer.name, computer })));
    draft.scales.push(...scales.map((scale) => scale.name));
  }
}

/** Each kind as often as its weight says. */
function wheelOf(kinds: readonly string[]): readonly string[] {
  return kinds.flatMap((kind) => Array.from({ length: MOVES[kind]?.weight ?? 0 }, () => kind));
}
