/**
 * Secrets of a run: the keys it was given, those of accounts made for it, and those the service handed out.
 */

import type { ConformanceResult } from '../../conformance/run/run-conformance.ts';
import type { ShellSecret } from '../../wire/curl.ts';

/** Longest first: one key may be the beginning of the other. */
export function secretsOf({
  target,
  keys,
  handedOut,
}: Pick<ConformanceResult, 'target' | 'keys' | 'handedOut'>): readonly ShellSecret[] {
  const named = new Map<string, string>();
  const add = (value: string | undefined, variable: string): void => {
    if (value !== undefined && value !== '' && !named.has(value)) named.set(value, variable);
  };
  add(target.apiKey, 'PLATEN_API_KEY');
  add(target.secondApiKey, 'PLATEN_SECOND_API_KEY');
  add(target.integratorApiKey, 'PLATEN_INTEGRATOR_API_KEY');
  // What was done in an account made for the run can be repeated in the one that stays.
  for (const key of keys) add(key, 'PLATEN_API_KEY');
  for (const key of handedOut) add(key, 'PLATEN_KEY_OF_CHECK');
  return [...named]
    .map(([value, variable]) => ({ value, variable }))
    .toSorted((left, right) => right.value.length - left.value.length);
}
