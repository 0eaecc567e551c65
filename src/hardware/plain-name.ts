/**
 * Names for paths, queues and keywords: lower-case letters, digits and dashes, each once.
 */

/** `Büro / Laser 2` as `buro-laser-2`; empty where nothing of it can stand in a plain name. */
export function plainName(name: string): string {
  const letters = name.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return letters.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
}

/** The first of `name`, `name-2`, `name-3` … that is not taken. */
export function unusedName(nameWith: (suffix: string) => string, taken: { has(name: string): boolean }): string {
  for (let count = 1; ; count++) {
    const name = nameWith(count === 1 ? '' : `-${count}`);
    if (!taken.has(name)) return name;
  }
}
