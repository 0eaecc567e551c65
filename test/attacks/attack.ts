/**
 * Attack: what a stranger may try against a bench, and what must be seen. A row is data and one short act; what was
 * seen comes back as a word or a line, and is compared with what was expected.
 *
 *   tables/*.ts (rows, by kind) ─► play-attacks.ts ─► attacks.test.ts     each row is a test
 *                                                └─► run-attacks.ts      reports/baseline/attacks.md
 */

import type { AttackedBench } from './attacked-bench.ts';

export interface Attack {
  /** What is tried: `GET /_platen/jobs from a page of another site`. */
  readonly attack: string;
  /** What must be seen, such as `403`. */
  readonly expected: string;
  /** Tries it. @returns what was seen, in the words of `expected` where it held */
  readonly play: (bench: AttackedBench) => Promise<string>;
}

export function tried(attack: string, expected: string, play: Attack['play']): Attack {
  return { attack, expected, play };
}

export interface AttackTable {
  /** What a stranger is after, such as `a page of another site`. */
  readonly kind: string;
  /**
   * `bench`: played one after the other against one running workbench, and other requests may wait 250 ms at most.
   * `command`: each runs a command of its own; several at once.
   */
  readonly against: 'bench' | 'command';
  /** Words of the command line that the bench is started with. */
  readonly flags?: readonly string[];
  readonly attacks: readonly Attack[];
}
