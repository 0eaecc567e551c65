/**
 * Coverage of a day: which operations it has, and under which conditions. Read off its steps alone.
 */

import { isObject } from '../common/json-value.ts';
import { ENDPOINTS } from '../specification/endpoints.ts';
import type { RawDay, RawStep } from './draw/raw-day.ts';

/** What a step brings about for those after it; undefined where it ends one. */
const BEGINS: Readonly<Record<string, string>> = {
  disconnect: 'a computer away',
  sleep: 'a computer asleep',
  crash: 'a crash before',
  cut: 'a cut before',
  restart: 'a restart before',
  'receiver-replies': 'a receiver that fails',
  unplug: 'a scale unplugged',
  cancel: 'a job cancelled',
  'account-state': 'a suspension before',
  'remove-printer': 'a printer removed',
  'rename-printer': 'a printer renamed',
};
const ENDS: Readonly<Record<string, string>> = {
  connect: 'a computer away',
  wake: 'a computer asleep',
  plug: 'a scale unplugged',
};

const CALM = 'nothing wrong';

/** Every pair of an operation and a condition that it met, `operation × condition`, with their number. */
export function coverageOf({ steps, account }: RawDay): ReadonlyMap<string, number> {
  const conditions = new Set<string>();
  if (account === 'child') conditions.add('a Child Account');
  const pairs = new Map<string, number>();
  for (const step of steps) {
    const operation = operationOf(step);
    for (const condition of conditions.size === 0 ? [CALM] : conditions) {
      const pair = `${operation} × ${condition}`;
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
    follow(step, operation, conditions);
  }
  return pairs;
}

function follow(step: RawStep, operation: string, conditions: Set<string>): void {
  const [kind = ''] = Object.keys(step);
  const begun = BEGINS[kind];
  const ended = ENDS[kind];
  if (begun !== undefined) conditions.add(begun);
  if (ended !== undefined) conditions.delete(ended);
  if (kind === 'fault') conditions.add(`a fault of a ${operation.split(' ')[2] ?? 'device'}`);
  if (kind === 'advance' && /[hd]/.test(String(step['advance']))) conditions.add('hours or days later');
  if (operation.startsWith('DELETE ')) conditions.add(`${operation} before`);
}

/** The kind of a step; a request by its endpoint. */
function operationOf(step: RawStep): string {
  const [[kind, args] = ['', undefined]] = Object.entries(step);
  const given = isObject(args) ? args : {};
  if (kind === 'fault') return `fault at ${String(given['at']).split('/')[0]}`;
  return kind === 'request'
    ? endpointOf(typeof given['method'] === 'string' ? given['method'] : 'GET', String(given['path']))
    : kind;
}

function endpointOf(method: string, target: string): string {
  const parts = target.split('?')[0]?.split('/') ?? [];
  const fits = ENDPOINTS.filter(
    (one) =>
      one.method === method &&
      one.path.split('/').length === parts.length &&
      one.path.split('/').every((part, index) => part.startsWith('{') || part === parts[index]),
  );
  const [closest] = fits.toSorted((one, other) => placeholdersIn(one.path) - placeholdersIn(other.path));
  return `${method} ${closest?.path ?? parts.join('/')}`;
}

function placeholdersIn(path: string): number {
  return path.split('{').length;
}
