import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../src/common/clock.ts';
import { portOf } from '../../src/common/port-of.ts';
import type { TrafficEntry } from '../../src/record/control-types.ts';
import { PageFiles } from '../../src/workbench/page-files.ts';
import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { jobSummary } from '../support/job-summary.ts';
import { bundleBytes, foreignAddresses, pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';
import { watchPage } from './support/watched-page.ts';

const MANY_JOBS = 10_000;
const READY_LIMIT_MS = 300;
const MOST_ROUNDS = 20;
const BUNDLE_LIMIT_BYTES = 60_000;
/** Of the processor, for each picture: sixty fit into a second. */
const SMOOTH_MS = 16;
/** Of one processor: the rest is for the person who looks at the page. */
const CALM_LOAD = 0.5;
const SETUP_LIMIT_MS = 120_000;

describe('the page', { tags: ['browser'] }, () => {
  let platen: StartedPlaten;
  let browser: Browser;

  beforeAll(async () => {
    platen = await start({ port: 0, clock: 'virtual', limits: 'off' });
    await pageServed(platen.url);
    browser = await openChromium();
    // No computer takes the jobs: they stay as they are, which is all that this test needs.
    await platen.computer('FRONT-DESK').disconnect();
    await submitMany(MANY_JOBS);
  }, SETUP_LIMIT_MS);

  afterAll(async () => {
    await browser.close();
    await platen.close();
  });

  it('is small, and loads nothing from another host', () => {
    tell('compressed bytes', { bundle: bundleBytes() });
    expect(bundleBytes()).toBeLessThanOrEqual(BUNDLE_LIMIT_BYTES);
    // The name of a language of drawings is no address.
    expect(foreignAddresses().filter((address) => !address.startsWith('http://www.w3.org/'))).toEqual([]);
  });

  it('is ready in 300 ms, with ten thousand jobs there', async () => {
    const times: number[] = [];
    // The best shows the page; the others show what else the machine was doing.
    do times.push(await timeUntilReady());
    while (times.length < 3 || (Math.min(...times) > READY_LIMIT_MS && times.length < MOST_ROUNDS));
    tell('ready after', times);
    expect(Math.min(...times)).toBeLessThanOrEqual(READY_LIMIT_MS);
  }, 60_000);

  it('scrolls through ten thousand jobs, of which it draws those in view', async () => {
    await using watched = await watchPage(browser, platen.url);
    const { page } = watched;
    await page.goto(`${platen.url}/_platen/jobs`);
    await page.locator('.job-row').first().waitFor();
    const stop = await watchFrames(page);
    await page.evaluate(`new Promise((resolve) => {
      const list = document.querySelector('.virtual');
      const step = () => {
        list.scrollTop += 2000;
        if (list.querySelector('[aria-posinset="${MANY_JOBS}"]')) resolve();
        else requestAnimationFrame(step);
      };
      step();
    })`);
    const frames = await stop();
    tell('frames while scrolling', frames);
    expect(await page.locator('.job-row').count()).toBeLessThan(60);
    expect(frames.workMs).toBeLessThanOrEqual(SMOOTH_MS);
  }, 60_000);

  it('bears five hundred events a second', async () => {
    await using busy = await startBusyWorkbench(platen.url, MANY_JOBS);
    await using watched = await watchPage(browser, busy.url);
    const { page } = watched;
    await page.goto(`${busy.url}/_platen/jobs`);
    await page.locator('.job-row').first().waitFor();
    await page.getByText('Live').waitFor();
    const stop = await watchFrames(page);
    const newest = await busy.tell(500, 5);
    await page.getByText(`Job ${newest}`, { exact: true }).waitFor();
    const frames = await stop();
    tell('frames with 500 events a second', frames);
    expect(frames.load).toBeLessThanOrEqual(CALM_LOAD);
  }, 60_000);

  it('goes where a link leads while five hundred events a second come', async () => {
    await using busy = await startBusyWorkbench(platen.url, MANY_JOBS);
    await using watched = await watchPage(browser, busy.url);
    const { page } = watched;
    await page.goto(`${busy.url}/_platen/jobs`);
    await page.getByText('Live').waitFor();
    const telling = busy.tell(500, 4);
    for (const [key, sign] of [
      ['r', '.computer'],
      ['t', '.traffic-row'],
      ['j', '.job-row'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await expect.poll(() => page.locator(sign).count(), { timeout: 5_000 }).toBeGreaterThan(0);
    }
    await telling;
  }, 60_000);

  async function timeUntilReady(): Promise<number> {
    await using watched = await watchPage(browser, platen.url);
    const { page } = watched;
    await page.addInitScript(`
      new MutationObserver((_, observer) => {
        if (!document.querySelector('.job-row')) return;
        window.readyMs = performance.now();
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    `);
    await page.goto(`${platen.url}/_platen/jobs`);
    await page.locator('.job-row').first().waitFor();
    const readyMs = await page.evaluate<number>('window.readyMs');
    return readyMs;
  }

  async function submitMany(count: number): Promise<void> {
    const printerId = await platen.printer('Label 4x6').id();
    const headers = {
      authorization: `Basic ${btoa(`${platen.apiKey}:`)}`,
      'content-type': 'application/json',
    };
    const numbers = Array.from({ length: count }, (_, index) => index + 1).values();
    const submitOnes = async (): Promise<void> => {
      for (const number of numbers) {
        const body = JSON.stringify({
          printerId,
          title: `Label ${number}`,
          contentType: 'raw_base64',
          content: 'XlhBXlha',
        });
        const answer = await fetch(`${platen.url}/printjobs`, { method: 'POST', headers, body });
        if (answer.status !== 201) throw new Error(`job ${number} was refused with ${answer.status}`);
        await answer.arrayBuffer();
      }
    };
    await Promise.all(Array.from({ length: 8 }, submitOnes));
  }
});

/** Figures for readers of the log. */
function tell(what: string, figures: object): void {
  process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);
}

/**
 * How long the page took from one picture to the next while something went on, and how much of
 * the processor it used for each. The second says the same on a machine that is busy with other things.
 */
interface FrameTimes {
  readonly frames: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly longestMs: number;
  /** Processor time of the page's main thread for each picture. */
  readonly workMs: number;
  /** Share of one processor that the main thread used. */
  readonly load: number;
}

/** Starts to watch; what comes back stops it and tells. */
async function watchFrames(page: Page): Promise<() => Promise<FrameTimes>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const workedMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
  const beforeMs = await workedMs();
  await page.evaluate(`
    window.frameGaps = [];
    window.watchesFrames = true;
    let last = performance.now();
    const look = (now) => {
      window.frameGaps.push(now - last);
      last = now;
      if (window.watchesFrames) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  `);
  return async () => {
    const gaps = await page.evaluate<number[]>('window.watchesFrames = false, window.frameGaps');
    const work = (await workedMs()) - beforeMs;
    const sorted = gaps.slice(1).toSorted((a, b) => a - b);
    const at = (share: number): number => rounded(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
    return {
      frames: sorted.length,
      medianMs: at(0.5),
      p95Ms: at(0.95),
      longestMs: at(1),
      workMs: rounded(work / sorted.length),
      load: rounded(work / sorted.reduce((sum, gap) => sum + gap, 0)),
    };
  };
}

function rounded(number: number): number {
  return Number(number.toFixed(2));
}

/**
 * A workbench that is busier than a real one gets on a small machine: everything is passed on to a real one,
 * but its event feed, which reports that number of jobs and requests a second.
 */
interface BusyWorkbench extends AsyncDisposable {
  readonly url: string;
  /** Tells of this many events a second for a while; returns the id of the last job of them. */
  tell(aSecond: number, seconds: number): Promise<number>;
}

const TICK_MS = 20;

async function startBusyWorkbench(workbench: string, newestJobId: number): Promise<BusyWorkbench> {
  const page = new PageFiles();
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (page.serve(request, response)) return;
    if (request.url?.startsWith('/_platen/events')) listen(listeners, response);
    else void passOn(workbench, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let jobId = newestJobId;
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    tell: (aSecond, seconds) =>
      new Promise((resolve) => {
        let told = 0;
        const beganMs = systemClock.now();
        const timer = systemClock.beat(TICK_MS, () => {
          const due = Math.min(aSecond * seconds, ((systemClock.now() - beganMs) / 1_000) * aSecond);
          for (; told < due; told += 1) {
            if (told % 2 === 0) jobId += 1;
            const text = told % 2 === 0 ? jobEvent(jobId) : requestEvent(told);
            for (const listener of listeners) listener.write(text);
          }
          if (told < aSecond * seconds) return;
          timer.cancel();
          resolve(jobId);
        });
      }),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function listen(listeners: Set<ServerResponse>, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': listening\n\n');
  listeners.add(response);
  response.once('close', () => listeners.delete(response));
}

async function passOn(workbench: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '/', headers } = request;
  const authorization = headers.authorization ?? '';
  const answer = await fetch(workbench + url, { headers: { 'x-platen-page': '1', authorization } });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

function jobEvent(id: number): string {
  const job = jobSummary({ id, title: `Job ${id}`, state: 'new', sheets: 0, sheetsDue: 0, sides: 0 });
  return eventText('job', { job });
}

function requestEvent(id: number): string {
  const entry: TrafficEntry = {
    id,
    timeMs: 0,
    requestId: `request-${id}`,
    method: 'GET',
    path: '/printjobs',
    status: 200,
    durationMs: 1,
    accountId: 1,
    requestHeaders: {},
    requestBody: null,
    responseHeaders: {},
    responseBody: { text: 'x'.repeat(200), bytes: 200, cut: false },
    curl: null,
  };
  return eventText('request', { entry });
}

function eventText(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
