/**
 * Run feed: shows a run on the page of a workbench while it goes on.
 *
 *   run ─► its record so far ─► PUT /_platen/runs/ID ─► how often a person there pressed Stop, and what else runs
 *                            └► channel to the workbench that started it (started-run.ts)
 *
 * Sent is the record as it will be at the end, with less in it and how far it has come. Without a workbench at the
 * address there is one of its own, as long as the run.
 */

import { spawn } from 'node:child_process';

import { Option, type Command } from 'commander';

import { ActionableError } from '../../common/actionable-error.ts';
import { sleep, systemClock, type Timer } from '../../common/clock.ts';
import { startStopwatch } from '../../common/stopwatch.ts';
import type { BesideRun, Progress } from '../../record/fields.ts';
import { runPosted } from '../../record/control-runs.ts';
import { info } from '../../record/control-workbench.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { CONTROL_PREFIX, DEFAULT_PORT } from '../../workbench/defaults.ts';
import { isWatched } from '../screen/live-line.ts';
import { err } from '../screen/terminal.ts';
import { controlJson, Remote } from './remote.ts';

export interface FeedFlags {
  /** The address of a workbench; true for the usual one. */
  readonly open?: true | string;
  readonly controlToken?: string;
  /** The workbench that started the run, which it shows itself to. */
  readonly starter?: RunStarter;
}

/** Where a run is shown. */
export interface RunPage {
  /** @returns how often it has asked the run to stop. @throws ActionableError when it does not hear */
  readonly show: (record: RunRecord) => Promise<number>;
  /** What it had under way beside the run, so far. */
  readonly beside: () => readonly BesideRun[];
  readonly close: () => Promise<void>;
}

export interface RunStarter {
  /** The id that it gave to the run. */
  readonly runId: string;
  readonly page: RunPage;
}

export function addOpenOption(command: Command): Command {
  return command
    .option('--open [url]', 'show the run live, on the page of a running workbench or on a new page')
    .addOption(new Option('--control-token <token>', 'token of that workbench').env('PLATEN_CONTROL_TOKEN'));
}

/** The run has come further. `record` is called when it is time to send it. */
export type ShowProgress = (record: () => RunRecord) => void;

export interface RunFeed extends AsyncDisposable {
  readonly show: ShowProgress;
  /** The record of the run that has ended, with what the page had under way beside it. */
  readonly whole: <Kind extends RunRecord>(record: Kind) => Kind;
  /** Sends the record of the run that has ended. */
  readonly end: (record: RunRecord) => Promise<void>;
  /** The record of the run that goes on; undefined before there is anything in it. */
  readonly soFar: () => RunRecord | undefined;
}

/** @throws ActionableError when there is no workbench at the address that was given */
export async function openFeed({ open, controlToken, starter }: FeedFlags): Promise<RunFeed> {
  if (starter !== undefined) return new PageFeed(starter.page);
  if (open === undefined) return new PageFeed(undefined);
  return new PageFeed(await findPage(open, controlToken));
}

async function findPage(open: true | string, controlToken: string | undefined): Promise<RunPage> {
  const url = open === true ? (process.env['PLATEN_URL'] ?? `http://127.0.0.1:${DEFAULT_PORT}`) : open;
  const remote = new Remote({ url, key: '', ...(controlToken !== undefined && { controlToken }) });
  try {
    await controlJson(remote.get(`${CONTROL_PREFIX}/info`), info, url);
    return pageAt(remote, () => Promise.resolve());
  } catch (error) {
    const isAbsent = error instanceof ActionableError && error.kind === 'unreachable';
    if (!isAbsent || open !== true) throw error;
    return openOwnPage();
  }
}

/** So that a page that is open gets the end of the run. */
const LAST_LOOK_MS = 1_500;

async function openOwnPage(): Promise<RunPage> {
  const { start } = await import('../../workbench/start.ts');
  const platen = await start({ port: 0, room: 'none' });
  return pageAt(new Remote({ url: platen.url, key: '' }), async () => {
    await sleep(systemClock, LAST_LOOK_MS);
    await platen.close();
  });
}

function pageAt(remote: Remote, close: () => Promise<void>): RunPage {
  const met = new Map<string, BesideRun>();
  let isAnnounced = false;
  return {
    show: async (record) => {
      const path = `${CONTROL_PREFIX}/runs/${record.runId}`;
      const { stops, beside } = await controlJson(remote.put(path, record), runPosted, remote.url);
      for (const one of beside) met.set(one.runId, one);
      if (!isAnnounced) announce(`${remote.url}${path}`);
      isAnnounced = true;
      return stops;
    },
    beside: () => [...met.values()],
    close,
  };
}

const TICK_MS = 250;
const AT_MOST_EVERY_MS = 1_000;
/** Without news or in spite of a slow page, which has to know that the run is alive, and can stop it. */
const AT_LEAST_EVERY_MS = 5_000;
/** Making and sending a long record takes time of the run: a small share of it. */
const PAUSE_PER_MS = 10;

class PageFeed implements RunFeed {
  readonly #page: RunPage | undefined;
  readonly #sinceSentMs = { current: startStopwatch() };
  readonly #beat: Timer | undefined;
  #record: (() => RunRecord) | undefined;
  #hasNews = false;
  #pauseMs = 0;
  #sending: Promise<void> | undefined;
  #stops = 0;

  /** @param page - undefined where the run is shown nowhere */
  constructor(page: RunPage | undefined) {
    this.#page = page;
    this.#beat = page && systemClock.beat(TICK_MS, () => this.#tick(page));
  }

  readonly show: ShowProgress = (record) => {
    this.#record = record;
    this.#hasNews = true;
  };

  readonly whole = <Kind extends RunRecord>(record: Kind): Kind => {
    const beside = this.#page?.beside() ?? [];
    return beside.length === 0 ? record : { ...record, beside };
  };

  readonly end = async (record: RunRecord): Promise<void> => {
    this.#beat?.cancel();
    await this.#sending;
    if (this.#page) await this.#send(this.#page, record);
    this.#record = undefined;
  };

  readonly soFar = (): RunRecord | undefined => {
    if (!this.#record) return undefined;
    const { progress: _progress, ...record } = this.whole(this.#record());
    return record;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#beat?.cancel();
    await this.#page?.close();
  }

  #tick(page: RunPage): void {
    if (!this.#record || this.#sending) return;
    const sinceMs = this.#sinceSentMs.current();
    if (sinceMs < (this.#hasNews ? this.#pauseMs : AT_LEAST_EVERY_MS)) return;
    this.#hasNews = false;
    const tookMs = startStopwatch();
    this.#sending = this.#send(page, this.whole(this.#record())).finally(() => {
      this.#pauseMs = Math.min(Math.max(AT_MOST_EVERY_MS, PAUSE_PER_MS * tookMs()), AT_LEAST_EVERY_MS);
      this.#sinceSentMs.current = startStopwatch();
      this.#sending = undefined;
    });
  }

  /** A page that has gone does not end the run. */
  async #send(page: RunPage, record: RunRecord): Promise<void> {
    try {
      const stops = await page.show(record);
      // As Ctrl-C does: the first ends it in good order, the second at once.
      for (; this.#stops < stops; this.#stops++) process.emit('SIGINT');
    } catch (error) {
      if (!(error instanceof ActionableError)) throw error;
    }
  }
}

function announce(address: string): void {
  err(`Live at ${address}`);
  if (isWatched()) openBrowser(address);
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Where there is no browser, the address has been printed. */
function openBrowser(address: string): void {
  const [command = '', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}

/** The progress of a run whose parts all take about the same time. */
export function progressOf(done: number, total: number, elapsedMs: number, doing: string): Progress {
  return { done, total, remainingMs: done === 0 ? null : Math.round((elapsedMs / done) * (total - done)), doing };
}
