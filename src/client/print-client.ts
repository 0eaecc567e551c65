/**
 * Print client: makes the printers and scales of this machine usable through a service. It is a model for client
 * programs: what docs/device-link.md asks of a computer is here, with CUPS as the print queue.
 *
 *   service ══ link ══ keeper ── job ──► store ─► document ─► lp ─► CUPS ─► printer
 *                             ◄─ states ────────────────────────────┘
 *                             ◄─ printers, scales, weights ── looked at every second
 *
 * `done` means that CUPS has the job, as the specification defines it; a job that fails there afterwards, or that
 * CUPS forgets, is then reported as `error`. While CUPS is down, its printers are offline and jobs wait.
 */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';

import { sleep, systemClock } from '../common/clock.ts';
import { messageOf } from '../common/error-message.ts';
import { packageVersion } from '../common/package-version.ts';
import { createRandom } from '../common/random.ts';
import { within } from '../common/waiter.ts';
import { OWNER_ALONE } from '../common/owner-alone.ts';
import { ConnectionKeeper, type KeeperOwner } from '../devices/computer/connection-keeper.ts';
import { decodeBase64 } from '../devices/document/base64-content.ts';
import { DEFAULT_FETCH_SETTINGS, DocumentFetch } from '../devices/document/document-fetch.ts';
import { LinkError, type DeliveredJob, type LinkCredential, type LinkSession } from '../link/device-link.ts';
import type { ClientReport, PrinterReport } from '../link/messages.ts';
import { webSocketLink } from '../link/websocket-link.ts';
import { ClientStore } from './client-store.ts';
import * as cups from './cups.ts';
import { HidScales } from './hid-scales.ts';

export interface PrintClientOptions {
  readonly serviceUrl: string;
  readonly key: string;
  readonly computerName: string;
  /** Where it keeps what it must not forget. */
  readonly folder: string;
  /** Hosts that documents are fetched from, beside loopback. */
  readonly allowedHosts: readonly string[];
  /** Folder of the devices of scales; none are published without it. */
  readonly scales: string | undefined;
  /** What happens, a line each. */
  readonly say: (line: string) => void;
}

const LOOK_EVERY_MS = 1_000;

export class PrintClient implements KeeperOwner {
  readonly random = createRandom(randomUUID());
  readonly client: ClientReport;
  readonly #options: PrintClientOptions;
  readonly #store: ClientStore;
  readonly #scales: HidScales | undefined;
  readonly #keeper: ConnectionKeeper;
  readonly #documents: DocumentFetch;
  readonly #ended = new AbortController();
  readonly #unacknowledged = new Set<number>();
  readonly #last = new Map<string, Promise<void>>();
  #printers: readonly PrinterReport[] = [];

  constructor(options: PrintClientOptions) {
    const { serviceUrl, allowedHosts, folder, computerName, scales } = options;
    this.#options = options;
    this.#store = new ClientStore(folder);
    const program = { version: packageVersion(), edition: 'platen client', inet: null, inet6: null };
    this.client = { installationId: this.#store.held.installation, computerName, hostname: hostname(), ...program };
    this.#scales = scales === undefined ? undefined : new HidScales(scales);
    this.#documents = new DocumentFetch(systemClock, this.random, { ...DEFAULT_FETCH_SETTINGS, allowedHosts });
    const link = webSocketLink({ clock: systemClock });
    this.#keeper = new ConnectionKeeper(this, { clock: systemClock, link, serviceUrl });
  }

  /** Until the signal aborts. @throws LinkError when it cannot connect, or its key is refused; Error without CUPS */
  async run(signal: AbortSignal): Promise<void> {
    const { say, serviceUrl, computerName } = this.#options;
    await this.#look();
    const over = AbortSignal.any([signal, this.#ended.signal]);
    const isOver = once(over, 'abort');
    try {
      const interrupted = this.#unprinted();
      // Where the key is refused at once, what it reports first is never acknowledged.
      await Promise.race([this.#keeper.connect(), isOver]);
      if (!over.aborted) say(`Connected to ${serviceUrl} as '${computerName}'. Ctrl-C disconnects.`);
      for (const job of interrupted) this.#queue(job);
      void this.#scales?.publish(() => this.#keeper.session, over);
      while (!over.aborted) {
        await Promise.race([isOver, sleep(systemClock, LOOK_EVERY_MS)]);
        await this.#look();
      }
    } finally {
      this.#ended.abort();
      // The goodbye never ends on a connection that the service is refusing.
      const goodbye = { description: 'the goodbye', limit: '2s' };
      await within(this.#keeper.disconnect(), goodbye).catch(() => undefined);
      await this.#documents.close();
    }
    if (!signal.aborted) throw new LinkError({ reason: 'unauthorized', message: 'the key was refused' });
  }

  credential(): Promise<LinkCredential> {
    return Promise.resolve({ kind: 'api-key', key: this.#options.key });
  }

  credentialRefused(): void {
    this.#ended.abort();
  }

  /** Jobs whose last state the service does not have: it need not send them again. */
  holding(): readonly number[] {
    return [...this.#unprinted().map(({ jobId }) => jobId), ...this.#unacknowledged];
  }

  async onConnected(session: LinkSession): Promise<void> {
    await session.reportPrinters(this.#printers);
    if (this.#scales) await session.reportScales(this.#scales.list());
  }

  onRefresh(): void {
    // A session that ends first takes the report with it; the next connection reports again.
    if (this.#keeper.session) this.onConnected(this.#keeper.session).catch(() => undefined);
  }

  /** Acknowledged once it is in the store. One that is there already is not printed again, but reported again. */
  async onJob(job: DeliveredJob): Promise<void> {
    const known = this.#store.held.jobs[job.jobId];
    if (known?.end) this.#report(job.jobId, known.end);
    if (known) return;
    this.#store.keep(job.jobId, { job, cups: [], end: null });
    this.#queue(job);
  }

  #unprinted(): readonly DeliveredJob[] {
    return Object.values(this.#store.held.jobs).flatMap(({ job, end }) => (job && !end ? [job] : []));
  }

  /** Jobs for a printer are printed one after the other, in the order in which they came. */
  #queue(job: DeliveredJob): void {
    const before = this.#last.get(job.printerKey) ?? Promise.resolve();
    const printed = before.then(() => this.#print(job));
    this.#last.set(job.printerKey, printed);
  }

  async #print(job: DeliveredJob): Promise<void> {
    const { jobId, printerKey, title, qty } = job;
    // Beside the store: what a crash leaves there is written again by the next process.
    const file = path.join(this.#options.folder, `job-${jobId}`);
    try {
      this.#report(jobId, 'received');
      if (!this.#printers.some(({ key }) => key === printerKey)) throw new Error(`there is no queue '${printerKey}'`);
      writeFileSync(file, await this.#documentOf(job), { mode: OWNER_ALONE });
      this.#report(jobId, 'queued_to_print');
      const ids: number[] = [];
      while (ids.length < qty) ids.push(await this.#submit(job, file));
      this.#store.keep(jobId, { job, cups: ids, end: 'done' });
      this.#report(jobId, 'done');
      this.#options.say(`job ${jobId} '${title}' is in the queue ${printerKey}`);
    } catch (error) {
      // What the end of this program interrupted is taken up by the next one.
      if (!this.#ended.signal.aborted) this.#fail(jobId, messageOf(error));
    } finally {
      rmSync(file, { force: true });
    }
  }

  async #documentOf(job: DeliveredJob): Promise<Uint8Array> {
    const isHere = job.contentType.endsWith('_base64');
    if (!isHere) this.#report(job.jobId, 'downloading');
    const document = await (isHere ? decodeBase64(job.content) : this.#documents.fetch(job));
    if (document.ok) return document.value;
    throw new Error(document.error);
  }

  /** Waits as long as CUPS is down; what it refuses is an error. */
  async #submit(job: DeliveredJob, file: string): Promise<number> {
    let isUp = false;
    for (;;) {
      this.#ended.signal.throwIfAborted();
      try {
        return await cups.print(job, file);
      } catch (error) {
        const wasUp = isUp;
        isUp = (await cups.queues().catch(() => undefined)) !== undefined;
        // Otherwise it may have been down, and be back by now.
        if (wasUp && isUp) throw error;
        await sleep(systemClock, LOOK_EVERY_MS, this.#ended.signal);
      }
    }
  }

  /** Reports what has changed since the last look. */
  async #look(): Promise<void> {
    const lastKnown = this.#printers.map((printer) => ({ ...printer, state: 'offline' }));
    const printers = await cups.queues().catch(() => lastKnown);
    if (JSON.stringify(printers) !== JSON.stringify(this.#printers)) {
      this.#printers = printers;
      this.#options.say(printers.map(({ name, state }) => `${name} (${state})`).join(', ') || 'no printers');
      this.onRefresh();
    }
    await this.#follow().catch(() => undefined);
  }

  /** Forgets jobs that CUPS has printed, and reports those that it has not. @throws Error when CUPS does not answer */
  async #follow(): Promise<void> {
    const open = Object.values(this.#store.held.jobs).filter(({ job, end }) => job && end);
    if (open.length === 0) return;
    const stateOf = await cups.jobStates();
    for (const { job, cups: ids } of open) {
      const states = new Set(ids.map(stateOf));
      if (!job || states.has('under way')) continue;
      if (states.has('failed')) this.#fail(job.jobId, 'CUPS gave up on this job');
      else if (states.has('gone')) this.#fail(job.jobId, 'CUPS no longer knows this job');
      else this.#store.keep(job.jobId, { job: null, cups: [], end: 'done' });
    }
  }

  #fail(jobId: number, message: string): void {
    this.#options.say(`job ${jobId}: ${message}`);
    this.#store.keep(jobId, { job: null, cups: [], end: 'error' });
    this.#report(jobId, 'error', message);
  }

  #report(jobId: number, state: string, message: string | null = null): void {
    const createTimestamp = new Date(systemClock.now()).toISOString();
    const report = { id: randomUUID(), jobId, state, message, data: null, createTimestamp };
    if (state === 'done' || state === 'error') this.#unacknowledged.add(jobId);
    this.#keeper.session?.reportJobState(report).then(
      () => this.#unacknowledged.delete(jobId),
      () => undefined,
    );
  }
}
