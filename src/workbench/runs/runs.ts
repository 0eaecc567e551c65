/**
 * Runs: those under way, and the records of those that have ended.
 *
 *   a process of ours ──── channel ───────► shown here while it runs; afterwards its folder shows it
 *   a terminal's run ──── PUT /runs/ID ───► held here, while and after it runs: shown and compared, never played
 *   reports folder ───────────────────────► run.json of each, read when it is asked for
 *
 * For one id our own process counts first, then the record on disk, and last what came over HTTP: anyone who can reach
 * this port can send that.
 */

import { rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { systemClock, type Timer } from '../../common/clock.ts';
import type { PostedRun, RunRequest, RunSummaryView } from '../../record/control-types.ts';
import type { BesideRun } from '../../record/fields.ts';
import { ApiError, badRequest, notFound } from '../../service/gate/api-error.ts';
import { RecordReader } from './record-reader.ts';
import { ReportFolder, type StoredRecord } from './report-folder.ts';
import { planOf } from './run-order.ts';
import { RunProcess, type RunReport } from './run-process.ts';
import { RunReports, type ReportForm } from './run-report.ts';

/** How many processes run at once; each was asked for beside the others. */
const MOST_AT_ONCE = 2;
/** How many of the newest records are listed. */
const MOST_LISTED = 200;
/** Runs of terminals that are held: the reports of those that have ended are in folders of theirs. */
const MOST_HELD = 40;
const MOST_HELD_BYTES = 256 * 1024 * 1024;
/** A run reports every five seconds: one that is silent for longer than this has died. */
const SILENCE_MS = 30_000;
const LONGEST_HEADLINE = 500;

/** A run that this workbench started, or that is shown here. */
interface ShownRun {
  view: RunSummaryView;
  /** So far; undefined before its first part has ended. */
  record: Uint8Array | undefined;
  /** How often it has come further. */
  reports: number;
  /** Undefined for one from elsewhere. */
  process: RunProcess | undefined;
  stops: number;
  /** Ends it when it has been silent for long. */
  silence: Timer | undefined;
}

export interface RunsOptions {
  /** The reports folder. */
  readonly folder: string;
  readonly onChange: (run: RunSummaryView) => void;
  /** In PEM, of a workbench that serves TLS: runs of ours may be of it. */
  readonly certificate: string | undefined;
}

export class Runs {
  readonly #options: RunsOptions;
  readonly #folder: ReportFolder;
  readonly #reader = new RecordReader();
  readonly #reports = new RunReports();
  /** Folder of the certificate that processes of ours trust. */
  #certificates: string | undefined;
  readonly #shown = new Map<string, ShownRun>();
  #isClosed = false;

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#folder = new ReportFolder(options.folder);
  }

  /** Newest first, those under way before all others. */
  async list(): Promise<RunSummaryView[]> {
    const stored = await this.#folder.summaries();
    const onDisk = new Set(stored.map(({ id }) => id));
    const views = [...this.#shown.values()].map(({ view }) => view);
    const shown = views.filter(({ id, running }) => running || !onDisk.has(id));
    const ids = new Set(shown.map(({ id }) => id));
    const ended = [...shown.filter(({ running }) => !running), ...stored.filter(({ id }) => !ids.has(id))];
    const newest = ended.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1)).slice(0, MOST_LISTED);
    return [...shown.filter(({ running }) => running), ...newest];
  }

  /** The record of a run; of one that goes on, the record so far. @throws ApiError when it does not exist */
  async record(id: string): Promise<Uint8Array> {
    return (await this.#find(id)).read();
  }

  /** A run as a document. @throws ApiError when it does not exist, or cannot be made now */
  async report(id: string, form: ReportForm): Promise<Uint8Array> {
    return this.#reports.of(await this.#find(id), form);
  }

  /** Starts a run. @throws ApiError when that cannot be done, or another is under way */
  async start(request: RunRequest): Promise<RunSummaryView> {
    const { certificate } = this.#options;
    const plan = await planOf(request, (run) => this.#ownRecord(run));
    const caFile = certificate === undefined ? undefined : await this.#fileOf(certificate);
    if (this.#isClosed) throw new ApiError(503, 'Closed', 'the workbench is ending');
    this.#ensureRoomBeside(request.beside === true);
    const startedAt = new Date(systemClock.now()).toISOString();
    const { kind, about, scenario } = plan;
    const id = `${kind}-${startedAt.replaceAll(/[-:.]/g, '')}`;
    const view: RunSummaryView = {
      id,
      kind,
      startedAt,
      target: request.url ?? 'reference service',
      about,
      exitCode: null,
      headline: 'its process starts',
      counts: {},
      running: true,
      recorded: false,
      playable: true,
    };
    const run: ShownRun = { view, record: undefined, reports: 0, process: undefined, stops: 0, silence: undefined };
    const order = { runId: id, folder: path.join(this.#folder.path, id), request, ...(scenario && { scenario }) };
    run.process = new RunProcess(order, caFile, {
      report: (report) => this.#further(run, report),
      line: this.#headlines(run),
      end: (exitCode, problem) => void this.#end(run, exitCode, problem),
    });
    this.#show(run);
    return view;
  }

  /** Takes the record of a run elsewhere: so far, or the whole. @throws ApiError where that cannot be shown */
  async take(id: string, record: Uint8Array): Promise<PostedRun> {
    this.#ensureElsewhere(id);
    const view = { ...(await this.#reader.read({ id, bytes: record })), playable: false };
    // One of ours may have begun meanwhile.
    this.#ensureElsewhere(id);
    this.#makeRoom(id, record.length);
    const run = this.#shown.get(id) ?? { view, record, reports: 0, process: undefined, stops: 0, silence: undefined };
    const isNew = !this.#shown.has(id);
    run.view = view;
    run.record = record;
    run.reports++;
    this.#listenFor(run);
    if (isNew) this.#show(run);
    else this.#options.onChange(view);
    return { stops: run.stops, beside: this.#beside(run) };
  }

  /** Asks a run to stop: in good order, at once when it is asked again. @throws ApiError when it does not go on */
  stop(id: string): RunSummaryView {
    const run = this.#shown.get(id);
    if (!run?.view.running) throw notFound(`run '${id}' is not under way`);
    run.stops++;
    run.process?.stop();
    return run.view;
  }

  /** Ends the runs that were started here. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { process, silence } of this.#shown.values()) {
      silence?.cancel();
      process?.kill();
    }
    this.#shown.clear();
    this.#reports.close();
    await this.#reader.close();
    if (this.#certificates !== undefined) rmSync(this.#certificates, { recursive: true, force: true });
  }

  async #find(id: string): Promise<StoredRecord> {
    const shown = this.#shown.get(id);
    const held = shown && heldRecord(shown);
    if (shown?.process && held) return held;
    if (shown?.process && shown.view.running) {
      throw new ApiError(409, 'NotYet', `run ${id} has only just begun: ${shown.view.headline}`);
    }
    const found = (await this.#folder.find(id)) ?? held;
    if (found) return found;
    throw notFound(`there is no run '${id}'`);
  }

  /** The record of a run whose findings may be played. @throws ApiError where it came over HTTP, or does not exist */
  async #ownRecord(id: string): Promise<Uint8Array> {
    const shown = this.#shown.get(id);
    const held = shown?.process && heldRecord(shown);
    const found = held ?? (await this.#folder.find(id));
    if (found) return found.read();
    const why = shown ? 'came from elsewhere, and is shown but not played' : 'is not in the reports folder';
    throw badRequest(`finding: run '${id}' ${why}`);
  }

  /** A load beside a check measures nothing. @throws ApiError naming what goes on */
  #ensureRoomBeside(isAsked: boolean): void {
    const running = [...this.#shown.values()].filter(({ process, view }) => process && view.running);
    const [first] = running;
    if (!first || (isAsked && running.length < MOST_AT_ONCE)) return;
    const { kind, about, id } = first.view;
    const [code, what, next] = isAsked
      ? (['TooMany', `${running.length} runs are`, ''] as const)
      : (['UnderWay', `a ${kind} is`, ', or start this one beside it (`beside`)'] as const);
    throw new ApiError(409, code, `${what} under way already (${about}: ${id}): wait for the end, or stop it${next}`);
  }

  /** @throws ApiError where the id is that of a run of ours, whose process alone speaks for it */
  #ensureElsewhere(id: string): void {
    if (!this.#shown.get(id)?.process) return;
    throw new ApiError(409, 'Conflict', `run '${id}' was started here: its record comes from its own process`);
  }

  /** Forgets runs from elsewhere that have ended, the oldest first. @throws ApiError when that is not enough */
  #makeRoom(id: string, bytes: number): void {
    const held = [...this.#shown].filter(([other, { process }]) => !process && other !== id);
    let [runs, size] = [held.length + 1, bytes];
    for (const [, { record }] of held) size += record?.length ?? 0;
    for (const [other, { view, record }] of held) {
      if (runs <= MOST_HELD && size <= MOST_HELD_BYTES) return;
      if (view.running) continue;
      this.#shown.delete(other);
      runs--;
      size -= record?.length ?? 0;
    }
    if (runs <= MOST_HELD && size <= MOST_HELD_BYTES) return;
    const limit = `${MOST_HELD} of them with ${MOST_HELD_BYTES} bytes are the most`;
    throw new ApiError(503, 'TooMany', `too many runs of terminals are under way: ${limit}`);
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

  /** Shows one that has begun, and tells those that it goes on beside. */
  #show(run: ShownRun): void {
    this.#shown.set(run.view.id, run);
    for (const one of this.#shown.values()) {
      if (one.view.running) one.process?.tell({ beside: this.#beside(one) });
    }
    this.#options.onChange(run.view);
  }

  #beside(run: ShownRun): readonly BesideRun[] {
    return [...this.#shown.values()]
      .filter((one) => one !== run && one.view.running)
      .map(({ view: { id, kind, about } }) => ({ runId: id, kind, about }));
  }

  #listenFor(run: ShownRun): void {
    run.silence?.cancel();
    if (!run.view.running) return;
    run.silence = systemClock.schedule(SILENCE_MS, () => {
      this.#shows(run, ended(run.view, 70, { headline: 'it went silent: its process has ended' }));
    });
  }

  #shows(run: ShownRun, view: RunSummaryView): void {
    run.view = view;
    this.#options.onChange(view);
  }

  #further(run: ShownRun, { view, record }: RunReport): void {
    run.record = Buffer.from(record);
    run.reports++;
    // It has ended when it has written its reports.
    this.#shows(run, { ...view, running: true, exitCode: null });
  }

  /** Until its record says more, and where it could not even begin. */
  #headlines(run: ShownRun): (line: string) => void {
    let problem = '';
    return (line) => {
      if (line.trim() === '' || run.record) return;
      if (problem !== '' || line.startsWith('error:')) problem = sentences(problem, line.trim());
      this.#shows(run, { ...run.view, headline: (problem || line.trim()).slice(0, LONGEST_HEADLINE) });
    };
  }

  async #end(run: ShownRun, exitCode: number, problem: string | undefined): Promise<void> {
    const { id } = run.view;
    const stored = await this.#folder.summary(id);
    if (this.#shown.get(id) !== run || !run.view.running) return;
    // From now on its folder shows it; a run that could not begin has no folder.
    if (stored) this.#shown.delete(id);
    const last = problem === undefined ? {} : { headline: problem };
    this.#shows(run, ended(run.view, exitCode, stored ?? last));
  }
}

/** What has ended has come as far as it will. */
function ended(view: RunSummaryView, exitCode: number, last: Partial<RunSummaryView>): RunSummaryView {
  const { progress: _progress, ...rest } = view;
  return { ...rest, exitCode, running: false, ...last };
}

function heldRecord({ view, record, reports }: ShownRun): StoredRecord | undefined {
  return record && { version: `${view.id} ${reports}`, read: () => Promise.resolve(record) };
}

/** A cause, and then what helps. */
function sentences(before: string, next: string): string {
  return before === '' ? next : `${before.replace(/\.?$/, '.')} ${next}`;
}
