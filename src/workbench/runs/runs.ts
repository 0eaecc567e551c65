/**
 * Runs: those under way, and the records of those that have ended.
 *
 *   a process of ours ──┐ PUT /runs/ID: its record so far
 *   a terminal's run  ──┴──────────────────────────────────► held here, while and after it runs
 *   reports folder ───────► run.json of each ──────────────► read when it is asked for
 *
 * A run that is started here is a process of the command line that a person would type; it shows itself as any other
 * run does that is given this address.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { systemClock, type Timer } from '../../common/clock.ts';
import type { RunRequest, RunSummaryView } from '../../record/control-types.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { ApiError, badRequest, notFound } from '../../service/gate/api-error.ts';
import { commandOf, PROGRAM } from './run-command.ts';
import { nameOf, summaryOf } from './run-summary.ts';

const MOST_AT_ONCE = 2;
/** How many of the newest records are listed. */
const MOST_LISTED = 200;
/** A record is held in memory to be shown; a longer one is for other tools. */
const LONGEST_RECORD_BYTES = 256 * 1024 * 1024;
/** Runs of terminals that are held after their end: their reports are in folders of theirs. */
const MOST_HELD = 20;
/** A run reports every five seconds: one that is silent for longer than this has died. */
const SILENCE_MS = 30_000;
const LONGEST_HEADLINE = 500;
/** Names of folders that this workbench makes or could have made. */
const RUN_ID = /^[\w][\w.-]{0,120}$/;

/** A run that this workbench started, or that is shown here. */
interface ShownRun {
  view: RunSummaryView;
  /** So far; undefined before its first part has ended. */
  record: RunRecord | undefined;
  readonly child: ChildProcess | undefined;
  stops: number;
  /** Ends it when it has been silent for long. */
  silence: Timer | undefined;
}

/** Where runs that are started here show themselves. */
interface RunPage {
  readonly url: string;
  readonly controlToken: string | undefined;
  /** In PEM, where it serves TLS. */
  readonly certificate: string | undefined;
}

interface FoundRecord {
  readonly file: string;
  readonly changedMs: number;
}

/** What was read of a record in a folder. */
interface ReadSummary {
  readonly changedMs: number;
  /** Its id is the name of the folder. */
  readonly view: RunSummaryView;
  /** What the record calls itself. */
  readonly name: string;
}

export interface RunsOptions {
  /** The reports folder. */
  readonly folder: string;
  readonly onChange: (run: RunSummaryView) => void;
  readonly workbench: () => RunPage;
}

export class Runs {
  readonly #folder: string;
  readonly #options: RunsOptions;
  /** Folder of the certificate that processes of ours trust. */
  #certificates: string | undefined;
  readonly #shown = new Map<string, ShownRun>();
  /** What was asked for of the processes of ours that go on. */
  readonly #underWay = new Set<string>();
  /** Summaries of records that have been read, by folder, until the file changes. */
  readonly #read = new Map<string, ReadSummary>();

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#folder = path.resolve(options.folder);
  }

  /** Folders of records, by the name of the record. */
  readonly #folders = new Map<string, string>();

  /** Newest first, those under way before all others. */
  async list(): Promise<RunSummaryView[]> {
    const [running = [], ended = []] = [true, false].map((isRunning) =>
      [...this.#shown.values()].map(({ view }) => view).filter((view) => view.running === isRunning),
    );
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => !this.#shown.has(name));
    const read = await Promise.all(names.map((name) => this.#summary(name)));
    const found = [...ended, ...this.#byTheirNames(read.filter((one) => one !== undefined))];
    const newest = found.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1)).slice(0, MOST_LISTED);
    return [...running, ...newest];
  }

  /** The text of a record; of a run that goes on, the record so far. @throws ApiError when it does not exist */
  async record(id: string): Promise<string> {
    const shown = this.#shown.get(id);
    if (shown?.record) return JSON.stringify(shown.record);
    if (shown?.view.running) throw new ApiError(409, 'NotYet', `run ${id} has only just begun: ${shown.view.headline}`);
    const found = RUN_ID.test(id) ? ((await this.#find(id)) ?? (await this.#findByName(id))) : undefined;
    if (found) return readFile(found.file, 'utf8');
    throw notFound(`there is no run '${id}' below ${this.#folder}`);
  }

  /** Starts a run. @throws ApiError when that cannot be done, or when the same run goes on */
  async start(request: RunRequest): Promise<RunSummaryView> {
    const asked = JSON.stringify(request);
    if (this.#underWay.has(asked)) {
      throw new ApiError(409, 'UnderWay', 'this run is under way already: wait for it to end, or stop it');
    }
    if (this.#underWay.size >= MOST_AT_ONCE) {
      const running = this.#underWay.size;
      throw new ApiError(409, 'TooMany', `${running} runs are under way already: wait for one to end, or stop it`);
    }
    this.#underWay.add(asked);
    const onEnd = (): boolean => this.#underWay.delete(asked);
    try {
      return await this.#begin(request, onEnd);
    } catch (error) {
      onEnd();
      throw error;
    }
  }

  async #begin(request: RunRequest, onEnd: () => void): Promise<RunSummaryView> {
    const startedAt = new Date(systemClock.now()).toISOString();
    const { kind, args, about } = await commandOf(request, {
      folder: this.#folder,
      recordOf: (run) => this.record(run),
    });
    const id = `${kind}-${startedAt.replaceAll(/[-:.]/g, '')}`;
    const page = this.#options.workbench();
    const child = spawn(
      process.execPath,
      [PROGRAM, ...args, '--out', path.join(this.#folder, id), '--reporter', 'json,html', `--open=${page.url}`],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          NO_COLOR: '1',
          PLATEN_RUN_ID: id,
          ...(request.key !== undefined && { PLATEN_API_KEY: request.key }),
          ...(page.controlToken !== undefined && { PLATEN_CONTROL_TOKEN: page.controlToken }),
          ...(page.certificate !== undefined && { PLATEN_CA: await this.#fileOf(page.certificate) }),
        },
      },
    );
    const view: RunSummaryView = {
      id,
      kind,
      startedAt,
      target: request.url ?? 'reference service',
      about,
      exitCode: null,
      headline: `platen ${args.join(' ')}`,
      counts: {},
      running: true,
      recorded: false,
    };
    const run: ShownRun = { view, record: undefined, child, stops: 0, silence: undefined };
    this.#shown.set(id, run);
    this.#follow(run, child);
    child.once('error', onEnd).once('close', onEnd);
    this.#options.onChange(view);
    return view;
  }

  /** Takes the record of a run so far, or of one that has ended. @returns how often it was asked to stop */
  take(id: string, record: RunRecord): number {
    if (record.runId !== id) throw badRequest(`runId: the record is of run '${record.runId}'`);
    const known = this.#shown.get(id);
    const view = summaryOf(id, record);
    if (!view) throw badRequest('this is not a record of a run');
    const run = known ?? { view, record, child: undefined, stops: 0, silence: undefined };
    this.#shown.set(id, run);
    run.record = record;
    // A process of ours has ended when it has written its reports.
    run.view = run.child && !view.running ? { ...view, running: true, exitCode: null } : view;
    if (!run.child) this.#listenFor(run);
    this.#options.onChange(run.view);
    this.#forgetOldest();
    return run.stops;
  }

  /** Asks a run to stop: in good order, at once when it is asked again. @throws ApiError when it does not go on */
  stop(id: string): RunSummaryView {
    const run = this.#shown.get(id);
    if (!run?.view.running) throw notFound(`run '${id}' is not under way`);
    run.stops++;
    return run.view;
  }

  /** Ends the runs that were started here. */
  close(): void {
    for (const { child, silence } of this.#shown.values()) {
      silence?.cancel();
      child?.kill('SIGKILL');
    }
    this.#shown.clear();
    if (this.#certificates !== undefined) rmSync(this.#certificates, { recursive: true, force: true });
  }

  /** A file with the certificate, and with those that processes trust anyway. */
  async #fileOf(certificate: string): Promise<string> {
    this.#certificates ??= await mkdtemp(path.join(tmpdir(), 'platen-page-'));
    const file = path.join(this.#certificates, 'trusted.pem');
    const given = process.env['PLATEN_CA'];
    const others = given === undefined ? '' : await readFile(given, 'utf8').catch(() => '');
    await writeFile(file, `${certificate}\n${others}`);
    return file;
  }

  #listenFor(run: ShownRun): void {
    run.silence?.cancel();
    if (!run.view.running) return;
    run.silence = systemClock.schedule(SILENCE_MS, () => {
      this.#update(run, { running: false, exitCode: 70, headline: 'it went silent: its process has ended' });
    });
  }

  #forgetOldest(): void {
    const held = [...this.#shown].filter(([, { view, child }]) => !view.running && !child);
    for (const [id] of held.slice(0, -MOST_HELD)) this.#shown.delete(id);
  }

  #update(run: ShownRun, change: Partial<RunSummaryView>): void {
    run.view = { ...run.view, ...change };
    this.#options.onChange(run.view);
  }

  #follow(run: ShownRun, child: ChildProcess): void {
    let problem = '';
    for (const output of [child.stdout, child.stderr]) {
      if (!output) continue;
      createInterface({ input: output }).on('line', (line) => {
        // Until its record says more, and where it could not even begin.
        if (line.trim() === '' || run.record) return;
        if (problem !== '' || line.startsWith('error:')) problem = sentences(problem, line.trim());
        this.#update(run, { headline: (problem || line.trim()).slice(0, LONGEST_HEADLINE) });
      });
    }
    child.once('error', (error) => this.#update(run, { headline: error.message, exitCode: 70, running: false }));
    child.once('close', (code) => {
      if (this.#shown.get(run.view.id) !== run) return;
      const exitCode = code ?? 70;
      void this.#summary(run.view.id).then((read) => {
        // From now on its folder shows it; a run that could not begin has no folder.
        if (read) this.#shown.delete(run.view.id);
        this.#update(run, { exitCode, running: false, ...read?.view });
      });
    });
  }

  /** Records in folders of other names go by their own, the first of each. */
  #byTheirNames(all: readonly ReadSummary[]): RunSummaryView[] {
    const taken = new Set<string>();
    // What a terminal has shown here and then written to a folder is listed once.
    return all
      .filter(({ name }) => !this.#shown.has(name))
      .map(({ view, name }) => {
        const id = taken.has(name) ? view.id : name;
        taken.add(id);
        this.#folders.set(id, view.id);
        return { ...view, id };
      });
  }

  async #find(id: string): Promise<FoundRecord | undefined> {
    const file = path.join(this.#folder, id, 'run.json');
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile() || found.size > LONGEST_RECORD_BYTES) return undefined;
    return { file, changedMs: found.mtimeMs };
  }

  /** A record in a folder of another name; which it is in is known once all were listed. */
  async #findByName(name: string): Promise<FoundRecord | undefined> {
    if (!this.#folders.has(name)) await this.list();
    const folder = this.#folders.get(name);
    return folder === undefined ? undefined : this.#find(folder);
  }

  async #summary(folder: string): Promise<ReadSummary | undefined> {
    const found = await this.#find(folder);
    if (!found) return undefined;
    const known = this.#read.get(folder);
    if (known?.changedMs === found.changedMs) return known;
    const record = parse(await readFile(found.file, 'utf8'));
    const view = summaryOf(folder, record);
    if (!view) return undefined;
    const read = { changedMs: found.changedMs, view, name: nameOf(record) ?? folder };
    this.#read.set(folder, read);
    return read;
  }
}

/** A cause, and then what helps. */
function sentences(before: string, next: string): string {
  return before === '' ? next : `${before.replace(/\.?$/, '.')} ${next}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
