/**
 * Pieces: what the parts of a report are put together from.
 */

import { h, type ComponentChildren, type JSX } from 'preact';

/** A paragraph beside the matter. */
export function remark(...text: ComponentChildren[]): JSX.Element {
  return h('p', { class: 'quiet' }, text);
}

/** Words beside the matter, within a line. */
export function aside(...text: ComponentChildren[]): JSX.Element {
  return h('span', { class: 'quiet' }, text);
}

export function label(text: string): JSX.Element {
  return h('p', { class: 'label' }, text);
}

/** A line that opens. */
export function fold(
  attributes: JSX.IntrinsicElements['details'] & { readonly 'data-standing'?: string },
  line: ComponentChildren,
  ...content: ComponentChildren[]
): JSX.Element {
  return h('details', attributes, h('summary', null, line), content);
}

export function table(className: string, heads: ComponentChildren, rows: ComponentChildren): JSX.Element {
  return h('table', { class: className }, h('thead', null, h('tr', null, heads)), h('tbody', null, rows));
}

/** The heading of a column; the one above the names of the rows is empty. */
export function heading(text: string): JSX.Element {
  return text === '' ? h('td', null) : h('th', { scope: 'col' }, text);
}

/** The beginning of a text; one that was cut before says how long it was then. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const [cutBefore] = /… \(\d+ characters\)$/.exec(text.slice(-MARK_MOST)) ?? [`… (${text.length} characters)`];
  return text.slice(0, most) + cutBefore;
}

const MARK_MOST = 40;
