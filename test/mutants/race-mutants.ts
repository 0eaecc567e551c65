/**
 * Mutants that are right as long as one request comes after the other.
 */

import { systemClock } from '../../src/common/clock.ts';
import type { PassingAnswer, PassingRequest } from './meddling-proxy.ts';
import { jsonOf } from './mutant-tools.ts';
import { broken, inRules, type Mutant } from './mutant.ts';

type Race = Pick<Mutant, 'rewrite' | 'meddle'>;

/** Tells which of some requests were under way at the same time as another of them. */
function crowd(isOne: (request: Pick<PassingRequest, 'method' | 'path'>) => boolean): {
  readonly enter: (request: PassingRequest) => void;
  /** Whether another one was under way; false for requests of another kind. */
  readonly leave: (answer: PassingAnswer) => boolean;
} {
  let inside = 0;
  let wasCrowded = false;
  return {
    enter(request) {
      if (!isOne(request)) return;
      inside++;
      if (inside > 1) wasCrowded = true;
    },
    leave(answer) {
      if (!isOne(answer)) return false;
      inside--;
      const answered = wasCrowded;
      if (inside === 0) wasCrowded = false;
      return answered;
    },
  };
}

/** Two webhooks that are created at the same time are both welcome. */
function bothWelcome(): Race {
  const { enter, leave } = crowd(({ method, path }) => method === 'POST' && path === '/webhook');
  return {
    rewrite: (request) => {
      enter(request);
      return undefined;
    },
    meddle: (answer) => (leave(answer) && answer.status >= 400 ? { status: 200, body: '[]' } : undefined),
  };
}

const isWrite = ({ method, path }: Pick<PassingRequest, 'method' | 'path'>): boolean =>
  method === 'POST' && path.startsWith('/account/tag/');

/** After writes at the same time reads show now the one, now the other. */
function splitBrain(): Race {
  const { enter, leave } = crowd(isWrite);
  const written = new Map<string, unknown[]>();
  return {
    rewrite: (request) => {
      enter(request);
      return undefined;
    },
    meddle: (answer) => {
      const { method, path, request, status } = answer;
      if (leave(answer)) written.set(path, [...(written.get(path) ?? []), jsonOf(request)]);
      const values = written.get(path);
      if (method !== 'GET' || status !== 200 || !values) return undefined;
      values.unshift(values.pop());
      return { body: JSON.stringify(values[0]) };
    },
  };
}

/** Long enough for requests that were sent together, too short for one behind another. */
const SLOW_MEMORY_MS = 3;

export const RACE_MUTANTS: readonly Mutant[] = [
  inRules('print-jobs/idempotency-in-parallel', 'a key counts as used a little after its first use', {
    idempotencyKeys: () => {
      const used = new Set<string>();
      return {
        claim(accountId, key) {
          const name = `${accountId} ${key}`;
          if (used.has(name)) return false;
          systemClock.schedule(SLOW_MEMORY_MS, () => used.add(name));
          return true;
        },
      };
    },
  }),
  broken('limits/webhooks-sixth-refused', 'two webhooks at the same time are both accepted beside four', bothWelcome()),
  broken('accounts/tag-update', 'after writes at the same time each read shows another one', splitBrain()),
];
