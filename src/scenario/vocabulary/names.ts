/**
 * Names: what a scenario calls its things. A name that is used must exist: in the room, or given by an earlier step.
 */

import { nearestName } from '../../common/nearest-name.ts';
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

/** The names that exist at one point of a scenario. */
export class KnownNames {
  readonly #names = new Map<NameKind, Set<string>>();

  add(kind: NameKind, name: string): void {
    this.#of(kind).add(name);
  }

  /** What is wrong with the use of a name; undefined if nothing is. Adds a name that it gives. */
  complaint({ kind, name, gives: isGiven }: NameUse): string | undefined {
    const known = this.#of(kind);
    if (isGiven) {
      if (known.has(name)) return `there already is a ${kind} '${name}'`;
      known.add(name);
      return undefined;
    }
    if (known.has(name)) return undefined;
    if (kind === 'account') return `needs \`account: ${name}\` in the scenario`;
    const meant = nearestName(name, known);
    if (meant !== undefined) return `there is no ${kind} '${name}'; did you mean '${meant}'?`;
    return `there is no ${kind} '${name}'; ${known.size > 0 ? `there are ${[...known].join(', ')}` : 'there are none'}`;
  }

  #of(kind: NameKind): Set<string> {
    const names = this.#names.get(kind) ?? new Set();
    this.#names.set(kind, names);
    return names;
  }
}
