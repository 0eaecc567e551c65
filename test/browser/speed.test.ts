import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../src/common/clock.ts';
import { portOf } from '../../src/common/port-of.ts';
import type { TrafficEntry } from '../../src/record/control-types.ts';
import { PageFiles } from '../../src/workbench/page-files.ts';
import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { jobSummary } from '../support/job-summary.ts';
import { bundleBytes, foreignAddresses, pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';
import { bareDrawingMs, watchFrames } from './support/frame-times.ts';
import { watchPage } from './support/watched-page.ts';

const MANY_JOBS = 10_000;
/** On a machine that is fast enough; on a slow or busy one, as long as it needs to draw the list so often. */
const READY_LIMIT_MS = 300;
const READY_IN_DRAWINGS = 40;
const MOST_ROUNDS = 20;
const BUNDLE_LIMIT_BYTES = 64 * 1_024;
/** Work for a picture of a list that scrolls, in terms of drawing it without a program: twice that, and a margin. */
const SMOOTH_DRAWINGS = 2.5;
/** Work of a second, in the same terms: as if the list were drawn anew for each of sixty pictures. */
const CALM_DRAWINGS = 60;
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
    let limitMs = READY_LIMIT_MS;
    // The best shows the page; the others show what else the machine was doing.
    do {
      const { readyMs, drawingMs } = await timeUntilReady();
      times.push(readyMs);
      limitMs = Math.max(limitMs, READY_IN_DRAWINGS * drawingMs);
    } while (times.length < 3 || (Math.min(...times) > limitMs && times.length < MOST_ROUNDS));
    tell('ready after', { times, limitMs });
    expect(Math.min(...times)).toBeLessThanOrEqual(limitMs);
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
    expect(await page.locator('.job-row').count()).toBeLessThan(60);
    const drawingMs = await bareDrawingMs(page);
    tell('frames while scrolling', { ...frames, drawingMs });
    expect(frames.workMs).toBeLessThanOrEqual(SMOOTH_DRAWINGS * drawingMs);
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
    const drawingMs = await bareDrawingMs(page);
    tell('frames with 500 events a second', { ...frames, drawingMs });
    expect(frames.load * 1_000).toBeLessThanOrEqual(CALM_DRAWINGS * drawingMs);
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

  async function timeUntilReady(): Promise<{ readyMs: number; drawingMs: number }> {
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
    return { readyMs, drawingMs: await bareDrawingMs(page) };
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
