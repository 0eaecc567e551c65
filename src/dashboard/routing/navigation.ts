/**
 * Navigation: the view that is shown, kept in step with the address bar and its history.
 */

import { createStore, useStore } from '../state/store.ts';
import { hrefOf, readRoute, type Route, type RouteTo } from './route.ts';

const here = (): Route => readRoute(location.pathname, location.search);

const route = createStore<Route>(here());

/** Keeps the view in step with the buttons of the browser. */
export function followHistory(): void {
  window.addEventListener('popstate', () => route.set(here()));
}

export function useRoute(): Route {
  return useStore(route);
}

/** Shows a view. `replace` leaves no step in the history: for what is typed letter by letter. */
export function goTo(to: RouteTo, { replace = false } = {}): void {
  const href = hrefOf(to);
  if (href === `${location.pathname}${location.search}`) return;
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  route.set(here());
}

/** Changes the query of the present view; the rest stays. */
export function changeQuery(
  members: Readonly<Record<string, string | undefined>>,
  options: { readonly replace?: boolean } = {},
): void {
  const { page, id, query } = route.get();
  goTo({ page, id, query: { ...query, ...members } }, options);
}
