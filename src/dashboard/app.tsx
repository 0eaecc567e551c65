/**
 * App: the header, and below it the page that the address names.
 */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Header } from './header/header.tsx';
import { HelpDialog } from './header/help-dialog.tsx';
import { TokenForm } from './header/token-form.tsx';
import { JobsPage } from './jobs/jobs-page.tsx';
import { useShortcuts } from './keyboard/shortcuts.ts';
import { NoticeList } from './parts/notice-list.tsx';
import { Safe } from './parts/safe.tsx';
import { RoomPage } from './room/room-page.tsx';
import { goTo, useRoute } from './routing/navigation.ts';
import { PAGES, type PageName } from './routing/route.ts';
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
  const { wantsToken } = useStore(workbench);
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
      <main>
        {wantsToken ? (
          <TokenForm />
        ) : (
          <Safe key={page} what="This page">
            <View />
          </Safe>
        )}
      </main>
      <NoticeList />
      {isHelpShown && <HelpDialog onClose={() => showHelp(false)} />}
    </>
  );
}
