/**
 * Partial match: whether a value contains what is wanted; it may contain more.
 */

/** The first place where `actual` lacks what `wanted` has; undefined if it lacks nothing. */
export function missingPart(
  wanted: unknown,
  actual: unknown,
  at = 'body',
): { readonly at: string; readonly wanted: unknown; readonly actual: unknown } | undefined {
  if (typeof wanted !== 'object' || wanted === null) {
    return Object.is(wanted, actual) ? undefined : { at, wanted, actual };
  }
  if (typeof actual !== 'object' || actual === null || Array.isArray(wanted) !== Array.isArray(actual)) {
    return { at, wanted, actual };
  }
  if (Array.isArray(wanted) && Array.isArray(actual) && wanted.length !== actual.length) {
    return { at: `${at}.length`, wanted: wanted.length, actual: actual.length };
  }
  for (const [key, part] of Object.entries(wanted)) {
    const inner: unknown = Object.hasOwn(actual, key) ? (actual as Record<string, unknown>)[key] : undefined;
    const missing = missingPart(part, inner, Array.isArray(wanted) ? `${at}[${key}]` : `${at}.${key}`);
    if (missing) return missing;
  }
  return undefined;
}
