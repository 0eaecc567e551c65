/**
 * Semantic version ranges, as far as Accept-Version needs them: `1`, `1.x`, `~1.2`, `^1.0.0`, `>=1 <3`,
 * `1.0 - 2.0`, `1 || 2`, `*`. A version under test is a plain release; the bounds of a range may be
 * prereleases, which come before the release of the same numbers.
 */

type Triple = readonly [major: number, minor: number, patch: number];

/** Numbers as written: `1.x` has one. */
interface PartialVersion {
  readonly numbers: readonly number[];
  readonly isPrerelease: boolean;
}

/** From `from` (included) up to `below` (excluded); Infinity stands for no end. */
interface Interval {
  readonly from: Triple;
  readonly below: Triple;
}

const PARTIAL = /^v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
const COMPARATOR = /^(<=|>=|<|>|=|~>?|\^)?(.*)$/;
/** Longer texts are no range that anybody means. */
const RANGE_MAX_CHARACTERS = 256;
const ENDLESS: Triple = [Infinity, Infinity, Infinity];

/**
 * Whether a release satisfies a range.
 *
 * @param version - a release, `major.minor.patch`
 * @returns undefined when the range is none
 */
export function satisfies(version: string, range: string): boolean | undefined {
  if (range.length > RANGE_MAX_CHARACTERS) return undefined;
  const release = toTriple(parsePartial(version)?.numbers ?? []);
  const alternatives = range.split('||').map(parseAlternative);
  if (alternatives.includes(undefined)) return undefined;
  return alternatives.some((intervals) =>
    intervals?.every(({ from, below }) => compare(release, from) >= 0 && compare(release, below) < 0),
  );
}

/** Intervals that must all hold. */
function parseAlternative(text: string): Interval[] | undefined {
  const [first, last, ...more] = text.trim().split(/\s+-\s+/);
  if (last !== undefined) return more.length > 0 ? undefined : parseHyphen(first ?? '', last);
  // Blanks between an operator and its version mean nothing.
  const comparators = (first ?? '').replaceAll(/([<>=~^])\s+/g, '$1').split(/\s+/);
  const intervals: Interval[] = [];
  for (const comparator of comparators) {
    const interval = parseComparator(comparator === '' ? '*' : comparator);
    if (!interval) return undefined;
    intervals.push(interval);
  }
  return intervals;
}

function parseHyphen(first: string, last: string): Interval[] | undefined {
  const from = parsePartial(first);
  const to = parsePartial(last);
  return from && to ? [{ from: lowest(from), below: next(to) }] : undefined;
}

function parseComparator(text: string): Interval | undefined {
  const [, operator = '=', versionText = ''] = COMPARATOR.exec(text) ?? [];
  const bound = parsePartial(versionText);
  if (!bound) return undefined;
  const { numbers } = bound;
  switch (operator) {
    case '>=':
      return { from: lowest(bound), below: ENDLESS };
    case '>':
      return { from: numbers.length === 0 ? ENDLESS : next(bound), below: ENDLESS };
    case '<':
      return { from: [0, 0, 0], below: lowest(bound) };
    case '<=':
      return { from: [0, 0, 0], below: next(bound) };
    case '^':
      return { from: lowest(bound), below: bump(numbers, caretDigits(numbers)) };
    case '~':
    case '~>':
      return { from: lowest(bound), below: bump(numbers, Math.min(numbers.length, 2)) };
    default:
      return { from: lowest(bound), below: next(bound) };
  }
}

function parsePartial(text: string): PartialVersion | undefined {
  const match = PARTIAL.exec(text.trim());
  if (!match) return undefined;
  const [, major, minor, patch, prerelease] = match;
  const written = [major, minor, patch].map(Number);
  const firstOpen = written.findIndex((number) => Number.isNaN(number));
  return {
    numbers: firstOpen === -1 ? written : written.slice(0, firstOpen),
    isPrerelease: prerelease !== undefined,
  };
}

/** A caret keeps the first number that is not 0, or the last that is written. */
function caretDigits(numbers: readonly number[]): number {
  const firstSet = numbers.findIndex((number) => number > 0);
  return firstSet === -1 ? numbers.length : firstSet + 1;
}

/** The lowest release of a partial version: a prerelease lies below its own, so nothing changes. */
function lowest({ numbers }: PartialVersion): Triple {
  return toTriple(numbers);
}

/** The first release behind all that a partial version stands for; none stands behind a prerelease but its own. */
function next({ numbers, isPrerelease }: PartialVersion): Triple {
  return isPrerelease ? toTriple(numbers) : bump(numbers, numbers.length);
}

/** The first release that differs in one of the first `digits` numbers. */
function bump(numbers: readonly number[], digits: number): Triple {
  if (digits === 0) return ENDLESS;
  const kept = numbers.slice(0, digits);
  kept[digits - 1] = (kept[digits - 1] ?? 0) + 1;
  return toTriple(kept);
}

function toTriple([major = 0, minor = 0, patch = 0]: readonly number[]): Triple {
  return [major, minor, patch];
}

function compare(one: Triple, other: Triple): number {
  const index = one.findIndex((number, at) => number !== other[at]);
  return index === -1 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}
