/**
 * Store: one value that parts of the page look at. Listeners are called when it has changed.
 */

import { useLayoutEffect, useState } from 'preact/hooks';

export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Replaces members; the others stay. */
  readonly patch: (members: Partial<T>) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** The load state of data from the workbench; `missing`: the workbench did not return it. */
export type LoadStatus = 'unloaded' | 'ready' | 'missing';

/** The state after a load that failed: what is shown stays. */
export const unlessReady = (status: LoadStatus): LoadStatus => (status === 'ready' ? status : 'missing');

export function createStore<T extends object>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const set = (next: T): void => {
    if (next === value) return;
    value = next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => value,
    set,
    patch: (members) => set({ ...value, ...members }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value of a store; the component is drawn again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get);
  // Before the first picture: what is loaded by then is on it.
  useLayoutEffect(() => {
    // It may have changed between the first drawing and now.
    setValue(() => store.get());
    return store.subscribe(() => setValue(() => store.get()));
  }, [store]);
  return value;
}
