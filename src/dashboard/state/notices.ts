/**
 * Notices: what went wrong or was done, for a person, at the foot of the page.
 */

import { after } from '../browser/timing.ts';
import { createStore } from './store.ts';

export interface Notice {
  readonly id: number;
  readonly kind: 'done' | 'problem';
  readonly text: string;
}

const SHOWN_MS = { done: 2_500, problem: 10_000 } as const;

export const notices = createStore<{ readonly list: readonly Notice[] }>({ list: [] });

let nextId = 1;

/** Only the last of each kind is shown. */
export function notify(kind: Notice['kind'], text: string): void {
  const notice = { id: nextId++, kind, text };
  const others = notices.get().list.filter((one) => one.kind !== kind);
  notices.set({ list: [...others, notice] });
  after(SHOWN_MS[kind], () => dismiss(notice.id));
}

export function dismiss(id: number): void {
  notices.set({ list: notices.get().list.filter((one) => one.id !== id) });
}

/** What went wrong before may well be right by now. */
export function dismissProblems(): void {
  notices.set({ list: notices.get().list.filter(({ kind }) => kind !== 'problem') });
}

/** Does something that may fail; a failure is shown, and undefined comes back. */
export async function attempt<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    notify('problem', error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
