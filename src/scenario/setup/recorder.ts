/**
 * Recorder: keeps everything that was seen of the service while a scenario plays, for the judges of `service`.
 *
 *   api  ── requests, answers ──────────────────► history ──► judges
 *   room ── link ─┬─ connections, deliveries ──►
 *                 └─ acknowledged reports ─────►
 */

import type { Timekeeper } from '../../common/timekeeper.ts';
import type {
  DeliveredJob,
  DeviceLink,
  JobStateReport,
  LinkEvents,
  LinkRequest,
  LinkSession,
  ReadingReport,
} from '../../link/device-link.ts';
import type { PrinterReport, ScaleReport } from '../../link/messages.ts';
import type { Observation } from '../../oracle/account/observation.ts';
import type { WatchedRequest } from '../../targets/service-client.ts';

export class Recorder {
  readonly history: Observation[] = [];
  readonly #time: Pick<Timekeeper, 'now'>;
  /** The newest connection of each computer: an older one ends without an end of the computer's connection. */
  readonly #newest = new Map<number, object>();
  /** Counts the times that requests were sent together; undefined while they are sent one after the other. */
  #together: number | undefined;
  #times = 0;

  constructor(time: Pick<Timekeeper, 'now'>) {
    this.#time = time;
  }

  nowMs(): number {
    return this.#time.now();
  }

  add(observation: Observation): void {
    this.history.push(observation);
  }

  /** Everything in progress has finished. */
  quiet(): void {
    this.add({ kind: 'quiet', atMs: this.nowMs() });
  }

  /** Takes down a request that was sent and what came of it. */
  request({ apiKey, json, sentMs, outcome, value }: WatchedRequest): void {
    const atMs = this.nowMs();
    const sent = asSent(json);
    if (!outcome.ok) {
      const { method, path, headers } = outcome.error.request;
      return this.add({ kind: 'silence', atMs, sentMs, apiKey, method, path, headers, sent });
    }
    const together = this.#together === undefined ? {} : { together: this.#together };
    this.add({ kind: 'exchange', atMs, sentMs, ...together, apiKey, sent, value, http: outcome.value });
  }

  /** Requests that are sent at the same time. */
  async together<Result>(send: () => Promise<Result>): Promise<Result> {
    this.#together = ++this.#times;
    try {
      return await send();
    } finally {
      this.#together = undefined;
    }
  }

  /** The same link, which is listened to. */
  listen(link: DeviceLink): DeviceLink {
    return {
      open: async (request) => {
        const line = new Line(this, request);
        const sentMs = this.nowMs();
        const holding = [...request.holding()];
        line.begins();
        const { serviceUrl, credential, client, localAddress, onFrame } = request;
        const whoAndWhere = { serviceUrl, credential, client, localAddress, onFrame };
        const session = await link.open({ ...whoAndWhere, holding: () => request.holding(), events: line.events });
        line.began(session, sentMs, holding);
        return new ObservedSession(session, line);
      },
    };
  }

  opened(computerId: number, connection: object): void {
    this.#newest.set(computerId, connection);
  }

  ended(computerId: number, connection: object): void {
    if (this.#newest.get(computerId) !== connection) return;
    this.#newest.delete(computerId);
    this.add({ kind: 'gone', atMs: this.nowMs(), computerId });
  }
}

/** As it goes over the wire. */
function asSent(json: unknown): unknown {
  return json === undefined ? undefined : (JSON.parse(JSON.stringify(json)) as unknown);
}

/** One session of a computer, over all its connections. */
class Line {
  readonly events: LinkEvents;
  readonly recorder: Recorder;
  readonly #request: LinkRequest;
  #computerId = 0;
  #connections = 0;
  /** A job may come before the welcome has been heard of. */
  #welcome = Promise.withResolvers<void>();

  constructor(recorder: Recorder, request: LinkRequest) {
    this.recorder = recorder;
    this.#request = request;
    const { events } = request;
    this.events = {
      onJob: async (job) => {
        await this.#welcome.promise;
        this.#delivered(job);
        await events.onJob(job);
      },
      onRefresh: () => events.onRefresh(),
      onDrop: (failure) => {
        this.gone();
        events.onDrop(failure);
      },
    };
  }

  get holding(): readonly number[] {
    return [...this.#request.holding()];
  }

  get computerId(): number {
    return this.#computerId;
  }

  get version(): string | null {
    return this.#request.client.version;
  }

  begins(): void {
    const { recorder } = this;
    const { client, credential } = this.#request;
    recorder.add({ kind: 'connecting', atMs: recorder.nowMs(), apiKey: credential.key, client });
  }

  began(session: LinkSession, sentMs: number, holding: readonly number[]): void {
    const { recorder } = this;
    const { client, credential } = this.#request;
    this.#computerId = session.computerId;
    this.#connections++;
    recorder.opened(this.#computerId, this);
    const at = { kind: 'connected', atMs: recorder.nowMs(), sentMs, computerId: this.#computerId } as const;
    recorder.add({ ...at, apiKey: credential.key, client, holding });
    this.#welcome.resolve();
  }

  gone(): void {
    this.#welcome = Promise.withResolvers();
    this.recorder.ended(this.#computerId, this);
  }

  #delivered(job: DeliveredJob): void {
    const { recorder, computerId } = this;
    recorder.add({ kind: 'delivered', atMs: recorder.nowMs(), computerId, connection: this.#connections, job });
  }
}

class ObservedSession implements LinkSession {
  readonly #session: LinkSession;
  readonly #line: Line;

  constructor(session: LinkSession, line: Line) {
    this.#session = session;
    this.#line = line;
  }

  get computerId(): number {
    return this.#session.computerId;
  }

  get connected(): boolean {
    return this.#session.connected;
  }

  reportPrinters(printers: readonly PrinterReport[]): Promise<void> {
    return this.#acknowledged('printers', { printers }, this.#session.reportPrinters(printers));
  }

  reportScales(scales: readonly ScaleReport[]): Promise<void> {
    return this.#acknowledged('scales', { scales }, this.#session.reportScales(scales));
  }

  reportJobState(report: JobStateReport): Promise<void> {
    const { version } = this.#line;
    return this.#acknowledged('report', { report, version }, this.#session.reportJobState(report));
  }

  publishReading(reading: ReadingReport): Promise<void> {
    return this.#acknowledged('reading', { reading }, this.#session.publishReading(reading));
  }

  async reconnect(): Promise<void> {
    if (this.#session.connected) return this.#session.reconnect();
    const sentMs = this.#line.recorder.nowMs();
    const { holding } = this.#line;
    this.#line.begins();
    await this.#session.reconnect();
    this.#line.began(this.#session, sentMs, holding);
  }

  pause(): void {
    this.#note('asleep');
    this.#session.pause();
  }

  resume(): void {
    this.#note('awake');
    this.#session.resume();
  }

  cut(): void {
    this.#session.cut();
  }

  close(): Promise<void> {
    this.#line.gone();
    return this.#session.close();
  }

  #note(kind: 'asleep' | 'awake'): void {
    const { recorder, computerId } = this.#line;
    recorder.add({ kind, atMs: recorder.nowMs(), computerId });
  }

  async #acknowledged(
    kind: 'printers' | 'scales' | 'report' | 'reading',
    what: object,
    work: Promise<void>,
  ): Promise<void> {
    const { recorder, computerId } = this.#line;
    const add = (seen: string): void => {
      recorder.add({ kind: seen, atMs: recorder.nowMs(), computerId, ...what } as Observation);
    };
    add(`${kind}-sent`);
    await work;
    add(kind);
  }
}
