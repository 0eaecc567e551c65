/**
 * Workbench: reference service and rooms on one clock. start.ts puts it behind a port.
 *
 *   control API ─┬─► service (its admin facade) ── observer ──► logs, live feed
 *                └─► rooms, one for each account ══ link ══► service
 */

import { systemClock } from '../common/clock.ts';
import { createRandom } from '../common/random.ts';
import type { ServerCertificate } from '../common/self-signed.ts';
import type { VirtualClock } from '../common/virtual-clock.ts';
import { Press } from '../devices/press/press.ts';
import type { Exposure } from '../hardware/exposed-room.ts';
import type { ClockView, RoomComputerView } from '../record/control-types.ts';
import { createService, type Service } from '../service/server.ts';
import type { ServiceAdmin } from '../service/service-admin.ts';
import type { ServiceRules } from '../service/service-rules.ts';
import type { AnsweredRequest, ServiceObserver } from '../service/service-observer.ts';
import { DEFAULT_API_KEY, isControlPath } from './defaults.ts';
import { DrivenClock } from './driven-clock.ts';
import { ConnectionLog } from './logs/connection-log.ts';
import { DeliveryLog } from './logs/delivery-log.ts';
import { KeptDocuments } from './logs/kept-documents.ts';
import { LiveFeed, watch } from './logs/live-feed.ts';
import { Redaction } from './logs/redaction.ts';
import { TrafficLog } from './logs/traffic-log.ts';
import { newSecret } from './new-secret.ts';
import type { AccountRoom } from './room/account-room.ts';
import { AccountRooms, newAccount } from './room/account-rooms.ts';
import type { RoomChoice } from './room/room-choice.ts';
import { roomComputers } from './room/room-view.ts';
import { Runs } from './runs/runs.ts';
import { JobViews } from './views/job-views.ts';
import { Jobs } from './views/jobs.ts';

export interface StartOptions {
  /** 8631 by default; 0 takes any port that is free. */
  readonly port?: number | undefined;
  /** 127.0.0.1 by default. Beyond loopback the control API wants a token. */
  readonly host?: string | undefined;
  /** `real` unless given. A virtual clock of your own lets several workbenches share one time. */
  readonly clock?: 'real' | 'virtual' | VirtualClock | undefined;
  /** Everything that is left to chance follows from it; 1 by default. */
  readonly seed?: number | string | undefined;
  /** Where the service keeps everything; in memory unless given. */
  readonly dataFile?: string | undefined;
  /**
   * The API key of the account. Unless given it is that of the data file, or of a new service `test-key`, and beyond
   * loopback a random one.
   */
  readonly apiKey?: string | undefined;
  /** What the control API wants beyond loopback; a random one unless given. */
  readonly controlToken?: string | undefined;
  /** Served to a load from elsewhere that asks whether it is permitted; none is unless given. */
  readonly loadToken?: string | undefined;
  /** `spec`, the request rate of the specification, unless given; `off` counts nothing. */
  readonly limits?: 'spec' | 'off' | undefined;
  /** Two computers with four printers and a scale unless given. */
  readonly room?: RoomChoice | undefined;
  /** Where run records are looked for; `reports` unless given. */
  readonly reports?: string | undefined;
  /** HTTPS with a certificate that is made at the start, or with this one; plain HTTP unless given. */
  readonly tls?: boolean | ServerCertificate | undefined;
  /** Protocols and ports under which operating systems reach the printers; none by default. */
  readonly expose?: Exposure | undefined;
  /** Called with each fault of the service itself, which it answers with 500. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

const DEFAULT_SEED = 1;

/** What a workbench is made from: where it listens is decided by start.ts. */
interface WorkbenchOptions extends Omit<StartOptions, 'port' | 'host' | 'loadToken' | 'expose' | 'tls'> {
  /** In PEM, where it serves TLS. */
  readonly certificate?: string | undefined;
  readonly webhookSender?: ServiceRules['webhookSender'] | undefined;
}

export class Workbench {
  readonly controlToken: string | undefined;
  /** In PEM, of a workbench that serves TLS. */
  readonly certificate: string | undefined;
  readonly seed: number | string;
  readonly limits: 'spec' | 'off';
  /** ISO 8601, in real time. */
  readonly startedAt = new Date(systemClock.now()).toISOString();
  readonly time: DrivenClock;
  readonly jobs: Jobs;
  readonly documents = new KeptDocuments();
  readonly traffic: TrafficLog;
  readonly deliveries: DeliveryLog;
  readonly feed: LiveFeed;
  readonly runs: Runs;
  readonly rooms: AccountRooms;
  #apiKey: string;
  readonly #choice: RoomChoice;
  readonly #service: Service;
  readonly press: Press;
  readonly #connections = new ConnectionLog();
  #url = '';

  /** @throws ActionableError when the data file cannot be used */
  constructor(options: WorkbenchOptions) {
    const { controlToken, seed = DEFAULT_SEED } = options;
    this.#apiKey = options.apiKey ?? (controlToken === undefined ? DEFAULT_API_KEY : newSecret());
    this.#choice = options.room ?? 'default';
    this.seed = seed;
    this.limits = options.limits ?? 'spec';
    this.controlToken = controlToken;
    this.certificate = options.certificate;
    this.time = new DrivenClock(options.clock ?? 'real');
    this.press = new Press(this.time.clock);
    const random = createRandom(seed);
    const redaction = new Redaction(() => this.#keys());
    this.traffic = new TrafficLog(redaction, () => this.url);
    this.deliveries = new DeliveryLog(redaction);
    this.feed = new LiveFeed(
      [
        watch('room', () => ({ computers: this.#mainRoom() })),
        watch('faults', () => ({ rules: this.rooms.main?.faults.rules ?? [] })),
        watch('clock', () => this.time.view(), clockNews),
      ],
      systemClock.now(),
    );
    this.runs = new Runs({
      folder: options.reports ?? 'reports',
      onChange: (run) => this.feed.announce(`run ${run.id}`, () => ({ name: 'run', data: { run } })),
      certificate: options.certificate,
    });
    this.#service = createService({
      clock: this.time.clock,
      random: random.stream('service'),
      dataFile: options.dataFile,
      accounts: () => [newAccount('first', this.apiKey), newAccount('second', this.secondApiKey)],
      refuseWebhook,
      forbiddenAddresses: 'link-local',
      limits: options.limits,
      ...(options.webhookSender && { rules: { webhookSender: options.webhookSender } }),
      observer: this.#observer(),
      onFault: options.onFault,
    });
    if (options.apiKey === undefined) this.#apiKey = firstKeyOf(this.service);
    this.rooms = new AccountRooms({
      service: this.service,
      serviceUrl: () => this.url,
      secondApiKey: this.secondApiKey,
      clock: this.time.clock,
      random,
      press: this.press,
      onSheetOut: (jobId) => this.#announceJob(jobId),
    });
    this.jobs = new Jobs({
      service: this.service,
      timekeeper: this.time.timekeeper,
      rooms: () => this.rooms.all.map(({ room }) => room),
      views: new JobViews({
        service: this.service,
        documents: this.documents,
        deliveries: this.deliveries,
        connections: this.#connections,
        redaction,
        url: () => this.url,
        now: () => this.time.now(),
      }),
    });
  }

  get url(): string {
    return this.#url;
  }

  get apiKey(): string {
    return this.#apiKey;
  }

  /** Key of an account that is unrelated to the first. */
  get secondApiKey(): string {
    return `${this.#apiKey}-of-another-account`;
  }

  /** Whether an account has the key that everybody knows. */
  get hasKnownKey(): boolean {
    return this.service.accounts().some(({ apiKeys }) => [...apiKeys.values()].includes(DEFAULT_API_KEY));
  }

  get service(): ServiceAdmin {
    return this.#service.admin;
  }

  /** Takes the requests that are not for the control API. */
  get http(): Service {
    return this.#service;
  }

  /** Makes the room of the main account, for a service that is reached at `url`. @throws ActionableError */
  furnish(url: string): void {
    this.#url = url;
    this.rooms.furnish(this.apiKey, this.#choice);
  }

  /** Connects the room; call when the service can be reached. @throws ActionableError, LinkError */
  async connect(): Promise<void> {
    if (this.time.isVirtual) await this.#catchUp();
    await this.rooms.connect();
  }

  /** Virtual time goes on where the data file ends: nothing in it may be of the future. */
  async #catchUp(): Promise<void> {
    const behindMs = (this.service.latestMs() ?? 0) - this.time.now();
    if (behindMs > 0) await this.time.advance(behindMs);
  }

  /** The room of an account; of the main one where none is named. @throws ApiError when it has none */
  room(accountId: number | undefined): AccountRoom {
    return this.rooms.of(accountId);
  }

  /** Back to the seed: everything, or one account. */
  async reset(accountId?: number): Promise<void> {
    if (accountId === undefined) await this.#resetAll();
    else await this.rooms.restore(accountId);
    this.feed.announceAll('workbench', { what: 'reset' });
  }

  /** Kills the service, and starts it again on its data file. @throws ActionableError without one */
  restart(): void {
    this.#service.restart();
    this.feed.announceAll('reset', {});
  }

  async close(): Promise<void> {
    await this.time.freeze();
    this.feed.close();
    await this.runs.close();
    await this.rooms.close();
    await this.press.close();
    this.#service.close();
  }

  async #resetAll(): Promise<void> {
    await this.rooms.clear();
    this.#service.reset();
    this.documents.clear();
    this.jobs.clear();
    this.traffic.clear();
    this.deliveries.clear();
    this.#connections.clear();
    await this.rooms.main?.restore();
  }

  #observer(): ServiceObserver {
    return {
      answered: (request) => {
        if (isOfPage(request)) return;
        const id = this.traffic.add(request);
        this.feed.announce(`request ${id}`, () => {
          const entry = this.traffic.get(id);
          return entry && { name: 'request', data: { entry } };
        });
      },
      submitted: (job, content) => this.documents.keep(job, content),
      jobState: ({ id }) => this.#announceJob(id),
      connection: (computer, atMs) => this.#connections.add(computer, atMs),
      delivered: (made) => {
        const id = this.deliveries.add(made);
        this.feed.announce(`delivery ${id}`, () => {
          const delivery = this.deliveries.get(id);
          return delivery && { name: 'delivery', data: { delivery } };
        });
      },
    };
  }

  #announceJob(id: number): void {
    this.feed.announce(`job ${id}`, () => {
      const job = this.jobs.summary(id);
      return job && { name: 'job', data: { job } };
    });
  }

  #mainRoom(): readonly RoomComputerView[] {
    const { main } = this.rooms;
    return main ? roomComputers(main, this.service) : [];
  }

  #keys(): string[] {
    const accounts = this.service.accounts();
    return [...accounts.flatMap(({ apiKeys }) => [...apiKeys.values()]), this.controlToken ?? ''];
  }
}

/** A data file keeps the key that it was made with. */
function firstKeyOf(service: ServiceAdmin): string {
  const [first] = service.accounts();
  const [key = ''] = first?.apiKeys.values() ?? [];
  return key;
}

/** The path alone tells: no list has all names by which a machine can be reached. */
function refuseWebhook({ pathname }: URL): string | undefined {
  return isControlPath(pathname) ? 'no webhook may lead to the control API of a workbench' : undefined;
}

/** For a clock that runs, the passing of time is not news. */
function clockNews(view: ClockView): unknown {
  return view.running ? 'running' : view;
}

/** What the page asks of the service for itself is no traffic to look at. */
function isOfPage({ requestHeaders }: AnsweredRequest): boolean {
  return requestHeaders.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'x-platen-page');
}
