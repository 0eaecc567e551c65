/**
 * Nearest name: what was probably meant by a name that does not exist.
 */

/** A third of the letters of a name may be wrong, and at least one. */
const LETTERS_PER_MISTAKE = 3;
/** Longer strings are not mistyped names. */
const LONGEST_NAME = 80;

/** The name nearest to what was written; undefined if none is near. */
export function nearestName(
  written: string,
  names: Iterable<string>,
  most = Math.max(1, Math.floor(written.length / LETTERS_PER_MISTAKE)),
): string | undefined {
  if (written.length > LONGEST_NAME) return undefined;
  const near = [...names]
    .filter((name) => name.length <= LONGEST_NAME)
    .map((name) => ({ name, mistakes: editDistance(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ mistakes }) => mistakes <= most);
  return near.toSorted((a, b) => a.mistakes - b.mistakes)[0]?.name;
}

/** The name that was probably meant, unless what was written is one; further names are possible. */
export function misspeltName(written: string, names: readonly string[]): string | undefined {
  return names.includes(written) ? undefined : nearestName(written, names);
}

/** `; did you mean 'Laser'?`, for the end of a sentence; nothing where no name is near. */
export function meantHint(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean '${meant}'?`;
}

/** What was probably meant, or else all there are. */
export function meantOrAll(written: string, names: readonly string[]): string {
  const meant = nearestName(written, names);
  return meant === undefined ? `there are ${names.join(', ')}` : `did you mean '${meant}'?`;
}

/** The shortest names, which say most by themselves. */
export function plainest(names: readonly string[], most: number): readonly string[] {
  return names.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, most);
}

/** @throws RangeError when there is no such name, with what was probably meant, or with all there are */
export function ensureKnown(what: string, written: string, names: readonly string[]): void {
  if (names.includes(written)) return;
  throw new RangeError(`there is no ${what} '${written}'; ${meantOrAll(written, names)}`);
}

/** The number of letters to insert, remove, replace or swap with their neighbour. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swaps = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = swaps ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced, swapped));
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
