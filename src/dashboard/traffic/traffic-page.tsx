/**
 * Traffic: requests to the service, and its requests to webhooks.
 */

import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import { useShortcuts } from '../keyboard/shortcuts.ts';
import { NotLoaded } from '../parts/empty-state.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { changeQuery, useRoute } from '../routing/navigation.ts';
import { useStore } from '../state/store.ts';
import { loadTraffic, traffic } from '../state/traffic-store.ts';
import { DeliveryDetail, DeliveryList } from './deliveries.tsx';
import { RequestActions, RequestDetail, RequestList } from './requests.tsx';

export function TrafficPage(): JSX.Element {
  const { query } = useRoute();
  const { requests, deliveries, status } = useStore(traffic);
  useEffect(() => void loadTraffic(), []);
  const isDeliveries = query['show'] === 'deliveries';
  const isOpen = query['id'] !== undefined;
  useShortcuts({
    Escape: () => {
      if (isOpen) changeQuery({ id: undefined });
    },
  });
  const q = query['q'];
  return (
    <div class={isOpen ? 'split open' : 'split'}>
      <div class="list-side">
        <div class="list-head">
          <Tabs
            name="Kinds of traffic"
            tabs={[
              {
                name: 'Requests',
                to: { page: 'traffic', query: { q } },
                count: requests.length,
                isCurrent: !isDeliveries,
              },
              {
                name: 'Deliveries',
                to: { page: 'traffic', query: { q, show: 'deliveries' } },
                count: deliveries.length,
                isCurrent: isDeliveries,
              },
            ]}
          />
          <SearchBox
            name="Filter the traffic"
            placeholder={isDeliveries ? 'URL, event, outcome, status' : 'Path, method, status, body'}
          />
          {!isDeliveries && <RequestActions />}
        </div>
        {status === 'missing' && <NotLoaded what="The traffic" onRetry={() => void loadTraffic()} />}
        {status === 'ready' && (isDeliveries ? <DeliveryList /> : <RequestList />)}
      </div>
      {isOpen && (isDeliveries ? <DeliveryDetail /> : <RequestDetail />)}
    </div>
  );
}
