/**
 * Virtual list: of ten thousand rows only those are drawn that can be seen.
 *
 *   ┌ scrolled ────────┐
 *   │   (empty space)  │  all rows × height
 *   ├──────────────────┤
 *   │ rows in view, and a few above and below
 *   ├──────────────────┤
 *   │   (empty space)  │
 *   └──────────────────┘
 *
 * Rows put on top leave what one is reading where it is.
 */

import type { ComponentChildren, JSX } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  readonly name: string;
  readonly items: readonly T[];
  readonly rowHeightPx: number;
  readonly keyOf: (item: T) => number;
  readonly renderRow: (item: T, index: number) => ComponentChildren;
  /** Kept in view. */
  readonly cursor: number;
  /** Called when the end comes near. */
  readonly onNearEnd?: () => void;
}

const ROWS_BEYOND_VIEW = 6;
const ROWS_NEAR_END = 60;

export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  const { name, items, rowHeightPx, keyOf, renderRow, cursor, onNearEnd } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const look = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    setView((seen) =>
      seen.top === scrollTop && seen.height === clientHeight ? seen : { top: scrollTop, height: clientHeight },
    );
  }, []);

  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [look]);

  useStayingPut(box, items, keyOf, rowHeightPx);
  useInView(box, cursor, rowHeightPx);

  const first = Math.max(0, Math.floor(view.top / rowHeightPx) - ROWS_BEYOND_VIEW);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeightPx) + ROWS_BEYOND_VIEW);
  const isNearEnd = last + ROWS_NEAR_END >= items.length;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, items.length, onNearEnd]);

  return (
    <div class="virtual" ref={box} onScroll={look} tabIndex={-1}>
      <div role="list" aria-label={name} style={{ height: `${items.length * rowHeightPx}px` }}>
        {items.slice(first, last).map((item, offset) => (
          <div
            key={keyOf(item)}
            class="virtual-row"
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={first + offset + 1}
            style={{ top: `${(first + offset) * rowHeightPx}px`, height: `${rowHeightPx}px` }}
          >
            {renderRow(item, first + offset)}
          </div>
        ))}
      </div>
    </div>
  );
}

type Box = { readonly current: HTMLDivElement | null };

/** Scrolls along with rows that are put on top, unless one looks at the top. */
function useStayingPut<T>(box: Box, items: readonly T[], keyOf: (item: T) => number, rowHeightPx: number): void {
  const topKey = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const element = box.current;
    const before = topKey.current;
    topKey.current = items[0] === undefined ? undefined : keyOf(items[0]);
    if (!element || before === undefined || element.scrollTop < rowHeightPx) return;
    const added = items.findIndex((item) => keyOf(item) === before);
    if (added > 0) element.scrollTop += added * rowHeightPx;
  }, [box, items, keyOf, rowHeightPx]);
}

function useInView(box: Box, cursor: number, rowHeightPx: number): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || cursor < 0) return;
    const top = cursor * rowHeightPx;
    if (top < element.scrollTop) element.scrollTop = top;
    const overhang = top + rowHeightPx - (element.scrollTop + element.clientHeight);
    if (overhang > 0) element.scrollTop += overhang;
  }, [box, cursor, rowHeightPx]);
}
