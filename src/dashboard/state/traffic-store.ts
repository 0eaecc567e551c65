/**
 * Traffic: requests to the service and webhook deliveries from it, newest first.
 */

import type { DeliveryEntry, TrafficEntry } from '../../record/control-types.ts';
import { getDeliveries, getRequests } from '../api/workbench.ts';
import { attempt } from './notices.ts';
import { createStore, unlessReady, type LoadStatus } from './store.ts';

export interface TrafficState {
  readonly requests: readonly TrafficEntry[];
  readonly deliveries: readonly DeliveryEntry[];
  readonly status: LoadStatus;
}

/** Older ones are let go: the page is to be left open for days. */
const MOST_KEPT = 2_000;

export const traffic = createStore<TrafficState>({
  requests: [],
  deliveries: [],
  status: 'unloaded',
});

export async function loadTraffic(): Promise<void> {
  const answers = await attempt(Promise.all([getRequests(MOST_KEPT), getDeliveries()]));
  if (!answers) return traffic.patch({ status: unlessReady(traffic.get().status) });
  const [requests, deliveries] = answers;
  traffic.patch({
    requests: newestFirst(requests.entries),
    deliveries: newestFirst(deliveries.entries),
    status: 'ready',
  });
}

export function takeRequests(news: readonly TrafficEntry[]): void {
  const { requests, status } = traffic.get();
  if (status === 'ready') traffic.patch({ requests: withNews(requests, news) });
}

export function takeDeliveries(news: readonly DeliveryEntry[]): void {
  const { deliveries, status } = traffic.get();
  if (status === 'ready') traffic.patch({ deliveries: withNews(deliveries, news) });
}

export interface Numbered {
  readonly id: number;
}

function newestFirst<T extends Numbered>(entries: readonly T[]): readonly T[] {
  return entries.toSorted((a, b) => b.id - a.id);
}

function withNews<T extends Numbered>(shown: readonly T[], news: readonly T[]): readonly T[] {
  const latest = new Map(news.map((entry) => [entry.id, entry]));
  const kept = shown.filter(({ id }) => !latest.has(id));
  return newestFirst([...latest.values(), ...kept]).slice(0, MOST_KEPT);
}
