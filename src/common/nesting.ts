/**
 * Nesting: how deep a value goes. Values come from other programs, and one that is nested without end would take the
 * stack of whatever walks it.
 */

/** Recursion ends at the limit, so that no value can exhaust the stack. */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && nestsDeeperThan(inner, levels - 1)) return true;
  }
  return false;
}
