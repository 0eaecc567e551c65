/**
 * Shortcuts: keys that do something anywhere on the page, except in a field that takes text.
 * `g j` is two keys, one after the other. What was registered last is asked first: a dialog before the
 * page below it.
 */

import { useEffect, useRef } from 'preact/hooks';

import { sincePageOpened } from '../browser/timing.ts';

/** By key, as the browser names it; the second of two keys after `g `. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const PREFIX = 'g';
const MOVES: ReadonlySet<string> = new Set(['j', 'k']);
const PREFIX_LASTS_MS = 1_500;

const active: { readonly current: () => Shortcuts }[] = [];
let prefixedAtMs = -PREFIX_LASTS_MS;

/** Has these keys do something while the component is there. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const entry = { current: () => latest.current };
    active.push(entry);
    return () => {
      active.splice(active.indexOf(entry), 1);
    };
  }, []);
}

export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (isTypedIn(target)) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    // A dialog closes itself.
    if (event.key === 'Escape' && document.querySelector('dialog[open]')) return;
    // Enter on a link or a button is theirs.
    if (event.key === 'Enter' && target.matches('a, button, summary')) return;
    const action = actionOf(event.key);
    if (!action) return;
    event.preventDefault();
    // After j and k, Enter is for the row, not for what was pressed before.
    if (MOVES.has(event.key)) target.blur();
    action();
  });
}

function actionOf(key: string): (() => void) | undefined {
  const isPrefixed = sincePageOpened() - prefixedAtMs < PREFIX_LASTS_MS;
  prefixedAtMs = -PREFIX_LASTS_MS;
  if (key === PREFIX && !isPrefixed) {
    prefixedAtMs = sincePageOpened();
    return undefined;
  }
  const name = isPrefixed ? `${PREFIX} ${key}` : key;
  return active.findLast((entry) => entry.current()[name])?.current()[name];
}

function isTypedIn(element: HTMLElement): boolean {
  if (element instanceof HTMLInputElement) return !['checkbox', 'range', 'button'].includes(element.type);
  return element.matches('textarea, select') || element.isContentEditable;
}
