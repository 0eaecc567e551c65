/**
 * Entry list: requests or deliveries, newest first, filtered by the words of the search box, and the open one in full.
 */

import type { ComponentChildren, JSX } from 'preact';
import { useCallback, useMemo } from 'preact/hooks';

import { BackLink } from '../parts/back-link.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { useCursor } from '../parts/use-cursor.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { Link } from '../routing/link.tsx';
import { changeQuery, useRoute } from '../routing/navigation.ts';
import { useStore } from '../state/store.ts';
import { traffic, type Numbered } from '../state/traffic-store.ts';

const ROW_HEIGHT_PX = 40;

interface EntryListProps<Entry> {
  readonly name: string;
  readonly noun: string;
  readonly entries: readonly Entry[];
  readonly matches: (entry: Entry, filter: string) => boolean;
  readonly draw: (entry: Entry) => ComponentChildren;
  /** What is shown while there are no entries at all. */
  readonly children: ComponentChildren;
}

export function EntryList<Entry extends Numbered>(props: EntryListProps<Entry>): ComponentChildren {
  const { name, noun, entries, matches, draw, children } = props;
  const { query } = useRoute();
  const filter = query['q'] ?? '';
  const openId = Number(query['id'] ?? 0);
  const shown = useMemo(
    () => (filter === '' ? entries : entries.filter((entry) => matches(entry, filter))),
    [entries, filter, matches],
  );
  const cursor = useCursor({
    length: shown.length,
    openIndex: shown.findIndex(({ id }) => id === openId),
    open: (index, options) => changeQuery({ id: String(shown[index]?.id ?? '') }, options),
  });
  const renderRow = useCallback(
    (entry: Entry, index: number) => (
      <Link
        to={{ page: 'traffic', query: { ...query, id: String(entry.id) } }}
        class={index === cursor ? 'traffic-row cursor' : 'traffic-row'}
        current={entry.id === openId}
      >
        {draw(entry)}
      </Link>
    ),
    [query, openId, cursor, draw],
  );
  if (entries.length === 0) return children;
  if (shown.length === 0) return <EmptyState icon="search" title={`No ${noun} has these words`} />;
  return (
    <VirtualList
      name={name}
      items={shown}
      rowHeightPx={ROW_HEIGHT_PX}
      keyOf={idOf}
      renderRow={renderRow}
      cursor={cursor}
    />
  );
}

const idOf = ({ id }: Numbered): number => id;

interface OpenEntryProps<Entry> extends Pick<EntryListProps<Entry>, 'name' | 'noun' | 'entries' | 'draw'> {}

export function OpenEntry<Entry extends Numbered>(props: OpenEntryProps<Entry>): JSX.Element {
  const { name, noun, entries, draw } = props;
  const { page, query } = useRoute();
  const { status } = useStore(traffic);
  const entry = entries.find(({ id }) => id === Number(query['id']));
  return (
    <article class="detail" aria-label={name}>
      <BackLink to={{ page, query: { ...query, id: undefined } }} />
      {entry && draw(entry)}
      {!entry && status === 'ready' && <EmptyState icon="warning" title={`This ${noun} is no longer kept`} />}
    </article>
  );
}
