/**
 * Names: what a scenario calls its things. A name that is used must exist: in the room, or given by an earlier step.
 */

import { meantHint, nearestName } from '../../common/nearest-name.ts';
import { severalOf } from '../../common/several-of.ts';
import type { Path } from '../../common/problem.ts';

export type NameKind = 'account' | 'computer' | 'printer' | 'scale' | 'job' | 'webhook' | 'value';

export interface NameUse {
  readonly kind: NameKind;
  readonly name: string;
  /** Its place in the arguments of its step. */
  readonly path: Path;
  /** The name is the key at the end of the path. */
  readonly isKey?: true;
  /** This use creates the name. */
  readonly gives?: true;
}

export function uses(kind: NameKind, name: string | undefined, ...path: Path): readonly NameUse[] {
  return name === undefined ? [] : [{ kind, name, path }];
}

export function gives(kind: NameKind, name: string | undefined, ...path: Path): readonly NameUse[] {
  return name === undefined ? [] : [{ kind, name, path, gives: true }];
}

/** The same names, with paths from one level further out. */
export function below(key: PropertyKey, names: readonly NameUse[]): readonly NameUse[] {
  return names.map((use) => ({ ...use, path: [key, ...use.path] }));
}

/** How things of one name in a room are told apart. */
const APART: Readonly<Partial<Record<NameKind, string>>> = {
  computer: 'give each a name of its own',
  printer: 'call each by a name of its own, with `as`',
  scale: 'call each by a name of its own, with `as`',
};

/** The names that exist at one point of a scenario. */
export class KnownNames {
  readonly #names = new Map<NameKind, Map<string, string[]>>();

  /** @param where - for a device of the room, its computer */
  add(kind: NameKind, name: string, where = ''): void {
    const names = this.#of(kind);
    const places = names.get(name);
    if (places) places.push(where);
    else names.set(name, [where]);
  }

  /** What is wrong with the use of a name; undefined if nothing is. Adds a name that it gives. */
  complaint({ kind, name, gives: isGiven }: NameUse): string | undefined {
    const known = this.#of(kind);
    const places = known.get(name) ?? [];
    if (isGiven) {
      if (places.length > 0) return `there already is a ${kind} '${name}'`;
      this.add(kind, name);
      return undefined;
    }
    if (places.length === 1) return undefined;
    if (places.length > 1)
      return `${severalOf(kind, name, places.length, places.filter(Boolean))}; ${APART[kind] ?? ''}`;
    if (kind === 'account') return `needs \`account: ${name}\` in the scenario`;
    const meant = nearestName(name, known.keys());
    if (meant !== undefined) return `there is no ${kind} '${name}'${meantHint(meant)}`;
    const all = [...known.keys()].join(', ');
    return `there is no ${kind} '${name}'; ${all === '' ? 'there are none' : `there are ${all}`}`;
  }

  #of(kind: NameKind): Map<string, string[]> {
    const names = this.#names.get(kind) ?? new Map<string, string[]>();
    this.#names.set(kind, names);
    return names;
  }
}
