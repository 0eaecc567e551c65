/**
 * Popover: a line that opens a panel over the page. Escape and a press elsewhere close it.
 */

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PopoverProps {
  readonly class: string;
  /** A `summary`, and the panel. */
  readonly children: ComponentChildren;
}

export function Popover({ class: className, children }: PopoverProps): JSX.Element {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const isInside = event.target instanceof Node && element.current?.contains(event.target);
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      const isElsewhere = event instanceof PointerEvent && !isInside;
      if (!element.current?.open || (!isEscape && !isElsewhere)) return;
      if (isEscape) element.current.querySelector('summary')?.focus();
      element.current.open = false;
    };
    document.addEventListener('keydown', close);
    document.addEventListener('pointerdown', close);
    return () => {
      document.removeEventListener('keydown', close);
      document.removeEventListener('pointerdown', close);
    };
  }, []);
  return (
    <details class={className} ref={element}>
      {children}
    </details>
  );
}
