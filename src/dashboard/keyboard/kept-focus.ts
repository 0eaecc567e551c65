/**
 * Kept focus: a button that goes with what it took away leaves the focus to the control next to it. Browsers give it to
 * the document, and the next Tab begins at the top of the page.
 */

const CONTROL = 'a[href], button:not(:disabled), input:not(:disabled), select, summary';

export function keepFocus(): void {
  let last: Node | undefined;
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLButtonElement ? target : undefined;
  });
  new MutationObserver((changes) => {
    const button = last;
    if (!button || button.isConnected || document.activeElement !== document.body) return;
    last = undefined;
    const change = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(button)));
    if (change)
      controlAt(change.nextSibling ?? change.previousSibling ?? change.target)?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}

/** The control at a place, or the nearest around it. */
function controlAt(place: Node | null): HTMLElement | undefined {
  for (let around = place; around; around = around.parentNode) {
    if (!(around instanceof HTMLElement) || !around.isConnected) continue;
    const control = around.matches(CONTROL) ? around : around.querySelector<HTMLElement>(CONTROL);
    if (control) return control;
  }
  return undefined;
}
