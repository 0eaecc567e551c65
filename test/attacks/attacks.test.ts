/**
 * The attacks of the tables, played. `npm run prove attacks` measures on a quiet machine how long others wait.
 */

import { describe, expect, it } from 'vitest';

import { ATTACK_TABLES } from './attack-tables.ts';
import { busyFactor } from './busy.ts';
import { playAttacks, type PlayedAttack } from './play-attacks.ts';

/** Where the machine runs other tests as well; a stranger who stops a bench stops it for much longer. */
const LONGEST_DELAY_MS = 2_000;

/** Those of a lane one after the other, beside the other lane: a bench keeps one core busy, and commands the other. */
describe.for(['bench', 'command'] as const)('attacks on a %s', { concurrent: true, timeout: 600_000 }, (lane) => {
  it.for(ATTACK_TABLES.filter(({ against }) => against === lane))(
    '$kind: meets what the table says, and nobody else waits',
    { concurrent: false },
    async (table) => {
      const over: PlayedAttack[] = [];
      await playAttacks(table, (one) => over.push(one));
      const seen = over.map(({ attack, seen: found }) => [attack.attack, found]);
      expect(Object.fromEntries(seen)).toEqual(
        Object.fromEntries(table.attacks.map(({ attack, expected }) => [attack, expected])),
      );
      const longestMs = LONGEST_DELAY_MS * busyFactor();
      const slow = over.filter(({ worstDelayMs = 0 }) => worstDelayMs > longestMs);
      expect(slow.map(({ attack, worstDelayMs }) => `${attack.attack}: ${worstDelayMs} ms`)).toEqual([]);
    },
  );
});

describe('the tables of attacks', () => {
  it('name each attack once', () => {
    for (const { attacks } of ATTACK_TABLES) {
      expect(new Set(attacks.map(({ attack }) => attack)).size).toBe(attacks.length);
    }
  });
});
