/**
 * Cursor: the row of a list that j and k move and Enter opens. While something of the list is open, the
 * cursor is on it, and j and k open its neighbours.
 */

import { useState } from 'preact/hooks';

import { useShortcuts } from '../keyboard/shortcuts.ts';

interface CursorOptions {
  readonly length: number;
  /** Position of what is open; -1 for nothing. */
  readonly openIndex: number;
  readonly open: (index: number, options: { readonly replace: boolean }) => void;
}

/** @returns position of the cursor, -1 before it was first moved */
export function useCursor({ length, openIndex, open }: CursorOptions): number {
  const [moved, setMoved] = useState(-1);
  const cursor = openIndex >= 0 ? openIndex : Math.min(moved, length - 1);
  const move = (step: number): void => {
    const next = Math.max(0, Math.min(length - 1, cursor + step));
    if (length === 0 || next === cursor) return;
    setMoved(next);
    if (openIndex >= 0) open(next, { replace: true });
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      if (cursor >= 0 && openIndex < 0) open(cursor, { replace: false });
    },
  });
  return cursor;
}
