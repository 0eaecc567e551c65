/**
 * Client versions, compared by the precedence that semantic versioning defines: number by number, a
 * pre-release before its release. Build metadata does not count.
 */

/** @returns below 0 when `a` is the lower version, above 0 when it is the higher one */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  return compareLists(left.numbers, right.numbers) || comparePreReleases(left.preRelease, right.preRelease);
}

function parse(version: string): { numbers: string[]; preRelease: string[] } {
  const [withoutBuild = ''] = version.split('+', 1);
  const dash = withoutBuild.indexOf('-');
  if (dash === -1) return { numbers: withoutBuild.split('.'), preRelease: [] };
  return {
    numbers: withoutBuild.slice(0, dash).split('.'),
    preRelease: withoutBuild.slice(dash + 1).split('.'),
  };
}

function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  return compareLists(a, b);
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    const order = compareIdentifiers(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers by value and before everything else, the rest by its characters. */
function compareIdentifiers(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return Math.sign(Number(a) - Number(b));
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
