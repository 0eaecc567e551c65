/**
 * Order: lists that begin with the oldest record where no direction is asked for. They are asked for once more,
 * with the direction that is printed for none.
 */

import type { HeaderPair } from '../common/header-pairs.ts';
import { isObject } from '../common/json-value.ts';
import { LIST_HEADERS } from '../specification/headers.ts';
import { LIST_PARAMETERS } from '../specification/inputs.ts';
import { isSuccess, nameOf } from './answer-view.ts';
import type { Manner } from './manner.ts';

export const otherOrder: Manner = (view) => {
  const { endpoint, path, value } = view;
  if (!endpoint?.paginated || !isSuccess(view) || directionIn(path) !== null) return [];
  const ids = idsIn(value);
  if (!ids || isRunning(ids, -1)) return [];
  return [
    {
      deviation: {
        id: 'lists oldest first',
        clauses: ['service/page-dir-default'],
        at: `ids in the body of ${nameOf(view)}`,
        expected: 'descending',
        actual: 'ascending',
        isThroughout: true,
      },
      // One record shows no order, and may be the oldest in place of the newest.
      ...(!isRunning(ids, 1) && { isHidden: true }),
      async read(seen, ask) {
        const again = await ask.get(withDirection(path));
        const newest = again && idsIn(again.value);
        if (!newest || (newest.length > 1 && !isRunning(newest, -1))) return seen;
        const others = seen.headers.filter((pair) => !isOfList(pair));
        return { ...seen, value: again.value, headers: [...others, ...again.headers.filter(isOfList)] };
      },
    },
  ];
};

const OF_LIST: ReadonlySet<string> = new Set(Object.values(LIST_HEADERS).map(({ name }) => name.toLowerCase()));

const isOfList = ([name]: HeaderPair): boolean => OF_LIST.has(name.toLowerCase());

const directionIn = (path: string): string | null => new URLSearchParams(path.split('?')[1]).get('dir');

function withDirection(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}dir=${LIST_PARAMETERS.dir.default}`;
}

/** Undefined where it is no list of records with ids. */
function idsIn(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const ids = (value as readonly unknown[]).flatMap((record) =>
    isObject(record) && typeof record['id'] === 'number' ? [record['id']] : [],
  );
  return ids.length === value.length ? ids : undefined;
}

/** Whether there are several, and each is beyond the one before it. */
function isRunning(ids: readonly number[], direction: 1 | -1): boolean {
  return (
    ids.length > 1 && ids.every((id, index) => index === 0 || Math.sign(id - (ids[index - 1] ?? id)) === direction)
  );
}
