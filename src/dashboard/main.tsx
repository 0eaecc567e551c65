/**
 * The page of a workbench: Jobs, Room, Traffic and Runs, live. Browser code only; what it knows comes over
 * the control API.
 *
 *   EventSource ─► live/ ─► state/ ─► jobs/ room/ traffic/ runs/ ─► api/ ─► /_platen
 */

import { render } from 'preact';

import { App } from './app.tsx';
import { keepFocus } from './keyboard/kept-focus.ts';
import { listenToKeys } from './keyboard/shortcuts.ts';
import { followHistory } from './routing/navigation.ts';
import { readRoute } from './routing/route.ts';
import { showJobs } from './state/jobs-store.ts';
import { goLive } from './state/live-state.ts';

const place = document.getElementById('page');
if (place) {
  followHistory();
  listenToKeys();
  keepFocus();
  // Asked for before anything is drawn: it is there the sooner.
  const { page, query } = readRoute(location.pathname, location.search);
  if (page === 'jobs') showJobs(query['q'] ?? '');
  goLive();
  render(<App />, place);
}
