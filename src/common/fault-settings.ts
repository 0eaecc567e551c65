/**
 * Fault settings: the `with` of a rule, read by the fault it is for. A setting that is missing or makes no sense
 * there takes its default.
 */

import { parseDuration } from './duration.ts';
import type { Firing } from './fault-plan.ts';

/** A duration in milliseconds. */
export function durationSetting(firing: Firing, name: string, fallbackMs: number): number {
  const value = firing.with[name];
  if (typeof value !== 'number' && typeof value !== 'string') return fallbackMs;
  return parseDuration(value) ?? fallbackMs;
}

/** A number of things, from 0. */
export function countSetting(firing: Firing, name: string, fallback: number): number {
  const value = firing.with[name];
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : fallback;
}

/** How much longer the fault lasts: until its rule's `for` is over, or as the setting `duration` says. */
export function lastsMs(firing: Firing, nowMs: number, fallbackMs: number): number {
  if (firing.untilMs !== undefined) return Math.max(0, firing.untilMs - nowMs);
  return durationSetting(firing, 'duration', fallbackMs);
}
