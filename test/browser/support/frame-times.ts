/**
 * How smoothly a page moves: the time from one picture to the next, and the work for each, beside what the browser itself
 * needs on this machine to draw as many rows.
 */

import type { Page } from 'playwright-core';

const BARE_PICTURES = 60;

/**
 * How long the page took from one picture to the next while something went on, and how much of
 * the processor it used for each. The second says the same on a machine that is busy with other things.
 */
export interface FrameTimes {
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
export async function watchFrames(page: Page): Promise<() => Promise<FrameTimes>> {
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

/**
 * Processor time, for each picture, of drawing the rows in view anew without any program: the floor of this machine, and a
 * measure of how slow it is now.
 */
export async function bareDrawingMs(page: Page): Promise<number> {
  const stop = await watchFrames(page);
  await page.evaluate(`new Promise((resolve) => {
    const seen = document.querySelector('.virtual');
    const box = seen.cloneNode(true);
    seen.replaceWith(box);
    const list = box.firstElementChild;
    let left = ${BARE_PICTURES};
    const step = () => {
      const rows = Array.from(list.children, (row) => row.cloneNode(true));
      for (const row of rows) row.querySelector('.job-id').textContent = '#' + (left * 17 % 1000);
      list.replaceChildren(...rows);
      left -= 1;
      if (left === 0) resolve();
      else requestAnimationFrame(step);
    };
    step();
  })`);
  return (await stop()).workMs;
}

function rounded(number: number): number {
  return Number(number.toFixed(2));
}
