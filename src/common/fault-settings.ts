/**
 * Fault settings: what a rule says in `with`, read by the fault that it is for. What is missing or makes
 * no sense there counts as not said.
 */

import { parseDuration } from './duration.ts';
import type { Firing } from './fault-plan.ts';

/** A duration in milliseconds. */
export function durationSetting(firing: Firing, name: string, otherwiseMs: number): number {
  const value = firing.with[name];
  if (typeof value !== 'number' && typeof value !== 'string') return otherwiseMs;
  return parseDuration(value) ?? otherwiseMs;
}

/** A number of things, from 0. */
export function countSetting(firing: Firing, name: string, otherwise: number): number {
  const value = firing.with[name];
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : otherwise;
}

/** How much longer the fault lasts: until its rule's `for` is over, or as the setting `duration` says. */
export function lastsMs(firing: Firing, nowMs: number, otherwiseMs: number): number {
  if (firing.untilMs !== undefined) return Math.max(0, firing.untilMs - nowMs);
  return durationSetting(firing, 'duration', otherwiseMs);
}
