/**
 * App: the header, and below it the page that the address names.
 */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { PRINTING_API_PAGE } from './api/workbench.ts';
import { Header } from './header/header.tsx';
import { JobsPage } from './jobs/jobs-page.tsx';
import { useShortcuts } from './keyboard/shortcuts.ts';
import { Dialog } from './parts/dialog.tsx';
import { EmptyState } from './parts/empty-state.tsx';
import { NoticeList } from './parts/notice-list.tsx';
import { Safe } from './parts/safe.tsx';
import { RoomPage } from './room/room-page.tsx';
import { goTo, useRoute } from './routing/navigation.ts';
import { isPage, PAGES, type PageName } from './routing/route.ts';
import { RunsPage } from './runs/runs-page.tsx';
import { workbench } from './state/workbench-store.ts';
import { useStore } from './state/store.ts';
import { TrafficPage } from './traffic/traffic-page.tsx';

const PAGE_VIEWS: Readonly<Record<PageName, () => JSX.Element>> = {
  jobs: JobsPage,
  room: RoomPage,
  traffic: TrafficPage,
  runs: RunsPage,
};

export function App(): JSX.Element {
  const { page, id } = useRoute();
  const { wantsToken, connection, info } = useStore(workbench);
  const isStale = connection !== 'live' && info !== undefined;
  const [isHelpShown, showHelp] = useState(false);
  useShortcuts({
    '?': () => showHelp(!isHelpShown),
    'g j': () => goTo({ page: 'jobs' }),
    'g r': () => goTo({ page: 'room' }),
    'g t': () => goTo({ page: 'traffic' }),
    'g u': () => goTo({ page: 'runs' }),
  });
  useEffect(() => {
    document.title = `${PAGES[page]}${id === '' ? '' : ` ${id}`} · platen`;
  }, [page, id]);
  const View = PAGE_VIEWS[page];
  return (
    <>
      <Header page={page} onHelp={() => showHelp(true)} />
      {isStale && (
        <p class="stale-note" role="alert">
          The workbench does not answer: you see its last state. The page continues by itself once it is back.
        </p>
      )}
      <main class={isStale ? 'stale' : ''}>
        {wantsToken ? (
          <TokenForm />
        ) : (
          <Safe key={page} what="This page">
            {isPage(location.pathname) ? <View /> : <Lost />}
          </Safe>
        )}
      </main>
      <NoticeList />
      {isHelpShown && <HelpDialog onClose={() => showHelp(false)} />}
    </>
  );
}

function Lost(): JSX.Element {
  return (
    <EmptyState icon="search" title="There is no such page">
      <p>
        Nothing is at <code>{location.pathname}</code>. The pages are above;{' '}
        <a href="/_platen/openapi.json">openapi.json</a> lists what programs find below <code>/_platen</code>, and{' '}
        <a href={PRINTING_API_PAGE}>another page</a> what they print with.
      </p>
    </EmptyState>
  );
}

const TOKEN_COOKIE = 'platen-control-token';

/**
 * A workbench that is bound beyond this machine wants its control token. It becomes a cookie,
 * because neither pictures nor the event feed could carry it any other way.
 */
function TokenForm(): JSX.Element {
  const [token, setToken] = useState('');
  const enter = (event: Event): void => {
    event.preventDefault();
    document.cookie = `${TOKEN_COOKIE}=${token.trim()}; path=/_platen; samesite=strict`;
    location.reload();
  };
  return (
    <form class="empty token" onSubmit={enter}>
      <h2>This workbench wants its control token</h2>
      <p>
        It can be reached from other machines. <code>platen start</code> printed the token when it began.
      </p>
      {document.cookie.includes(`${TOKEN_COOKIE}=`) && (
        <p class="problem" role="alert">
          This workbench has another token than the one entered.
        </p>
      )}
      <label>
        Control token
        <input
          type="password"
          autocomplete="off"
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={!/^[\w-]+$/.test(token.trim())}>
        Enter
      </button>
    </form>
  );
}

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['j  k', 'next, previous in a list'],
  ['Enter', 'open it'],
  ['Esc', 'close it; leave a field'],
  ['/', 'search'],
  ['←  →', 'previous, next side of an enlarged sheet'],
  ['g  j', 'Jobs'],
  ['g  r', 'Room'],
  ['g  t', 'Traffic'],
  ['g  u', 'Runs'],
  ['?', 'these keys'],
];

function HelpDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keys" class="narrow" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split('  ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        Programs print over the <a href={PRINTING_API_PAGE}>printing API</a>. Everything on this page can be done over
        HTTP as well: <a href="/_platen/openapi.json">openapi.json</a>
      </p>
    </Dialog>
  );
}
