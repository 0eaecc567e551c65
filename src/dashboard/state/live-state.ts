/**
 * Live state: joins the stores to the event feed. Header and list of the first view are loaded at the
 * start; what other pages need, when they are opened.
 */

import { followEvents } from '../live/event-feed.ts';
import { workbench, loadWorkbench, setClock } from './workbench-store.ts';
import { jobs, loadJobs, takeJobs } from './jobs-store.ts';
import { reloadOpenJob, takeDeliveryNews, takeJobNews } from './job-store.ts';
import { attempt, dismissProblems } from './notices.ts';
import { loadRoom, room, takeComputers } from './room-store.ts';
import { loadRuns, runs, takeRuns } from './runs-store.ts';
import { loadTraffic, takeDeliveries, takeRequests, traffic } from './traffic-store.ts';

export function goLive(): void {
  void attempt(loadWorkbench());
  followEvents(
    {
      job: (data) => {
        const news = data.map(({ job }) => job);
        takeJobs(news);
        takeJobNews(news);
      },
      request: (data) => takeRequests(data.map(({ entry }) => entry)),
      delivery: (data) => {
        const news = data.map(({ delivery }) => delivery);
        takeDeliveries(news);
        takeDeliveryNews(news);
      },
      room: (data) => {
        const latest = data.at(-1);
        if (latest) takeComputers(latest.computers);
      },
      clock: (data) => {
        const latest = data.at(-1);
        if (latest) setClock(latest);
      },
      faults: (data) => workbench.patch({ faults: data.at(-1)?.rules ?? [] }),
      run: (data) => takeRuns(data.map(({ run }) => run)),
      workbench: reloadEverything,
      reset: reloadEverything,
    },
    (connection) => {
      const wasLost = workbench.get().connection !== 'live' && workbench.get().info !== undefined;
      workbench.patch({ connection });
      // The workbench may be another one by now: it was away.
      if (connection !== 'live' || !wasLost) return;
      dismissProblems();
      reloadEverything();
    },
  );
}

/** Loads again what has been asked for before. */
export function reloadEverything(): void {
  void attempt(loadWorkbench());
  if (jobs.get().status !== 'unloaded') void loadJobs();
  if (room.get().status !== 'unloaded') void loadRoom();
  if (traffic.get().status !== 'unloaded') void loadTraffic();
  if (runs.get().status !== 'unloaded') void loadRuns();
  reloadOpenJob();
}
