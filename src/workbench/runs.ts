/**
 * Runs: the records of checks, scenario runs and load runs below the reports folder, and runs that are started from
 * the page: each a process of its own, of the same command line that a person would type.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { systemClock } from '../common/clock.ts';
import type { RunRequest, RunSummaryView, ScenarioView } from '../record/control-types.ts';
import { ApiError, badRequest, notFound } from '../service/gate/api-error.ts';

const COMMAND = fileURLToPath(new URL('../../bin/platen.js', import.meta.url));
const SCENARIOS = fileURLToPath(new URL('../../scenarios/', import.meta.url));
const MOST_AT_ONCE = 2;
/** How many of the newest records are listed. */
const MOST_LISTED = 200;
/** A record is held in memory to be shown; a longer one is for other tools. */
const LONGEST_RECORD_BYTES = 256 * 1024 * 1024;
/** Names of folders that this workbench makes or could have made. */
const RUN_ID = /^[\w][\w.-]{0,120}$/;

interface LiveRun {
  readonly child: ChildProcess;
  view: RunSummaryView;
}

export class Runs {
  readonly #folder: string;
  readonly #onChange: (run: RunSummaryView) => void;
  readonly #live = new Map<string, LiveRun>();
  /** Summaries of records that have been read, until the file changes. */
  readonly #read = new Map<string, { readonly changedMs: number; readonly view: RunSummaryView }>();

  /** @param folder - the reports folder */
  constructor(folder: string, onChange: (run: RunSummaryView) => void) {
    this.#folder = path.resolve(folder);
    this.#onChange = onChange;
  }

  /** Newest first, those under way before all others. */
  async list(): Promise<RunSummaryView[]> {
    const live = [...this.#live.values()].map(({ view }) => view);
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => !this.#live.has(name));
    const read = await Promise.all(names.map((name) => this.#summary(name)));
    const found = read.filter((view) => view !== undefined);
    const newest = found.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1)).slice(0, MOST_LISTED);
    return [...live, ...newest];
  }

  /** The text of a record. @throws ApiError when it does not exist */
  async record(id: string): Promise<string> {
    const found = RUN_ID.test(id) ? await this.#find(id) : undefined;
    if (found) return readFile(found.file, 'utf8');
    const live = this.#live.get(id);
    if (live) throw new ApiError(409, 'StillRunning', `run ${id} is still under way: ${live.view.headline}`);
    throw notFound(`there is no run '${id}' below ${this.#folder}`);
  }

  /** Starts a run with a service and room of its own. @throws ApiError when that cannot be done */
  async start({ kind, scenario, grep }: RunRequest): Promise<RunSummaryView> {
    if (this.#live.size >= MOST_AT_ONCE) {
      throw new ApiError(409, 'TooMany', `${this.#live.size} runs are under way already: wait for one to end`);
    }
    const startedAt = new Date(systemClock.now()).toISOString();
    const id = `${kind}-${startedAt.replaceAll(/[-:.]/g, '')}`;
    const args = [COMMAND, ...(await argumentsOf(kind, scenario, grep)), '--out', path.join(this.#folder, id)];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    });
    const headline = `started: platen ${args.slice(1, -2).join(' ')}`;
    const view: RunSummaryView = { id, kind, startedAt, exitCode: null, headline, counts: {}, running: true };
    const run: LiveRun = { child, view };
    this.#live.set(id, run);
    this.#follow(run);
    this.#onChange(view);
    return view;
  }

  /** Ends the runs that are under way. */
  close(): void {
    for (const { child } of this.#live.values()) child.kill('SIGKILL');
    this.#live.clear();
  }

  #follow(run: LiveRun): void {
    const { child } = run;
    const update = (change: Partial<RunSummaryView>): void => {
      run.view = { ...run.view, ...change };
      this.#onChange(run.view);
    };
    for (const output of [child.stdout, child.stderr]) {
      if (!output) continue;
      createInterface({ input: output }).on('line', (line) => {
        if (line.trim() !== '') update({ headline: line.trim().slice(0, 200) });
      });
    }
    child.once('error', (error) => update({ headline: error.message, exitCode: 70, running: false }));
    child.once('close', (code) => {
      if (!this.#live.delete(run.view.id)) return;
      const exitCode = code ?? 70;
      void this.#summary(run.view.id).then((read) => update({ exitCode, running: false, ...read }));
    });
  }

  async #find(id: string): Promise<{ readonly file: string; readonly changedMs: number } | undefined> {
    const file = path.join(this.#folder, id, 'run.json');
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile() || found.size > LONGEST_RECORD_BYTES) return undefined;
    return { file, changedMs: found.mtimeMs };
  }

  async #summary(id: string): Promise<RunSummaryView | undefined> {
    const found = await this.#find(id);
    if (!found) return undefined;
    const known = this.#read.get(id);
    if (known?.changedMs === found.changedMs) return known.view;
    const view = summaryOf(id, await readFile(found.file, 'utf8'));
    if (view) this.#read.set(id, { changedMs: found.changedMs, view });
    return view;
  }
}

/** What is read of a record to list it. */
interface RecordHead {
  readonly tool?: unknown;
  readonly kind?: unknown;
  readonly startedAt?: unknown;
  readonly summary?: { readonly exitCode?: unknown } & Readonly<Record<string, unknown>>;
  /** Of a load run. */
  readonly plan?: { readonly title?: unknown };
  readonly ledger?: { readonly totals?: { readonly classes?: unknown } };
}

/** Undefined for a file that is not a record. */
function summaryOf(id: string, text: string): RunSummaryView | undefined {
  const head = parse(text) as RecordHead | undefined;
  if (head?.tool !== 'platen' || typeof head.startedAt !== 'string') return undefined;
  const counts = countsOf(head.summary);
  const exitCode = typeof head.summary?.exitCode === 'number' ? head.summary.exitCode : 70;
  const kind = String(head.kind);
  return {
    id,
    kind,
    startedAt: head.startedAt,
    exitCode,
    headline: kind === 'load' ? loadHeadline(head) : headlineOf(counts),
    counts,
    running: false,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The numbers by verdict, wherever the kind of record has them. */
function countsOf(summary: RecordHead['summary']): Record<string, number> {
  return numbersIn(summary?.['checks'] ?? summary?.['scenarios'] ?? summary?.['thresholds']);
}

function numbersIn(counts: unknown): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

/** `Morning rush: 100 jobs, 99 delivered-once, 1 lost; 4 of 5 thresholds kept` */
function loadHeadline({ plan, ledger, summary }: RecordHead): string {
  const title = typeof plan?.title === 'string' ? plan.title.slice(0, LONGEST_TITLE) : 'Load';
  const jobs = Object.entries(numbersIn(ledger?.totals?.classes)).filter(([, count]) => count > 0);
  const all = jobs.reduce((sum, [, count]) => sum + count, 0);
  const { total = 0, pass = 0 } = countsOf(summary);
  const kept = total === 0 ? '' : `; ${pass} of ${total} thresholds kept`;
  return `${title}: ${[`${all} jobs`, ...jobs.map(([name, count]) => `${count} ${name}`)].join(', ')}${kept}`;
}

const LONGEST_TITLE = 100;

function headlineOf({ total, ...verdicts }: Readonly<Record<string, number>>): string {
  const parts = Object.entries(verdicts).map(([verdict, count]) => `${count} ${verdict}`);
  return [...(total === undefined ? [] : [`${total} in all`]), ...parts].join(', ');
}

async function argumentsOf(
  kind: RunRequest['kind'],
  scenario: string | undefined,
  grep: string | undefined,
): Promise<string[]> {
  if (kind === 'check') return ['check', ...(grep === undefined ? [] : [`--grep=${grep}`])];
  const known = await scenarios();
  const found = known.find((one) => one.path === scenario);
  if (found) return ['run', path.join(SCENARIOS, found.path)];
  throw badRequest(`scenario: there is no scenario '${scenario ?? ''}'`);
}

/** The scenario files that ship, by path. */
export async function scenarios(): Promise<ScenarioView[]> {
  const { parse: parseYaml } = await import('yaml');
  const files = (await readdir(SCENARIOS, { recursive: true })).filter((file) => file.endsWith('.yaml'));
  const views = await Promise.all(
    files.map(async (file): Promise<ScenarioView> => {
      const head = parseYaml(await readFile(path.join(SCENARIOS, file), 'utf8')) as Readonly<
        Record<string, unknown>
      > | null;
      const text = (key: string): string => (typeof head?.[key] === 'string' ? head[key].trim() : '');
      return { path: file.split(path.sep).join('/'), title: text('title'), why: text('why') };
    }),
  );
  return views.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
