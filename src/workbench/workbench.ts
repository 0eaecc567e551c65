/**
 * Workbench: reference service and rooms on one clock, behind one port.
 *
 *   FrontDoor ─┬─ /_platen/… ─► ControlApi ─► routes ─┬─► service (its admin facade)
 *              └─ everything else ─► service          ├─► rooms, one for each tenant
 *                                     │  ▲            └─► logs, live feed
 *                        observer ◄───┘  └── link ── rooms
 */

import { randomBytes } from 'node:crypto';

import { ActionableError } from '../common/actionable-error.ts';
import { systemClock } from '../common/clock.ts';
import { createRandom, type Random } from '../common/random.ts';
import type { VirtualClock } from '../common/virtual-clock.ts';
import { DEFAULT_ROOM } from '../devices/default-room.ts';
import { Press } from '../devices/press/press.ts';
import type { RoomDescription } from '../devices/room.ts';
import { LinkError } from '../link/device-link.ts';
import type { AccountView, ClockView, NewAccountView, RoomComputerView } from '../record/control-types.ts';
import type { NewAccount } from '../service/domain/account.ts';
import { createService, type Service } from '../service/server.ts';
import type { ServiceAdmin } from '../service/service-admin.ts';
import type { ServiceObserver } from '../service/service-observer.ts';
import { ControlApi } from './control/control-api.ts';
import { isLoopbackName } from './control/control-guard.ts';
import { ControlError } from './control/control-reply.ts';
import { DEFAULT_API_KEY, DEFAULT_PORT } from './defaults.ts';
import { FrontDoor } from './front-door.ts';
import { ConnectionLog } from './logs/connection-log.ts';
import { DeliveryLog } from './logs/delivery-log.ts';
import { KeptDocuments } from './logs/kept-documents.ts';
import { LiveFeed, watch } from './logs/live-feed.ts';
import { TrafficLog } from './logs/traffic-log.ts';
import { Runs } from './runs.ts';
import { Tenant } from './tenant.ts';
import { JobViews } from './views/job-views.ts';
import { Jobs } from './views/jobs.ts';
import { Redaction } from './views/redaction.ts';
import { roomComputers } from './views/room-view.ts';
import type { WorkbenchParts, RoomChoice } from './workbench-parts.ts';
import { WorkbenchTime } from './workbench-time.ts';

export interface StartOptions {
  /** 8631 unless given; 0 takes any port that is free. */
  readonly port?: number | undefined;
  /** 127.0.0.1 unless given. Beyond loopback the control API wants a token. */
  readonly host?: string | undefined;
  /** `real` unless given. A virtual clock of your own lets several workbenches share one time. */
  readonly clock?: 'real' | 'virtual' | VirtualClock | undefined;
  /** Everything that is left to chance follows from it; 1 unless given. */
  readonly seed?: number | string | undefined;
  /** Where the service keeps everything; in memory unless given. */
  readonly dataFile?: string | undefined;
  /** The API key of the account; `test-key` unless given. */
  readonly apiKey?: string | undefined;
  /** What the control API wants beyond loopback; one that is made up unless given. */
  readonly controlToken?: string | undefined;
  /** Served to whoever asks whether this service may be loaded from elsewhere; nobody may unless given. */
  readonly loadToken?: string | undefined;
  /** `spec`, the request rate of the specification, unless given; `off` counts nothing. */
  readonly limits?: 'spec' | 'off' | undefined;
  /** Two computers with four printers and a scale unless given. */
  readonly room?: RoomChoice | undefined;
  /** Where run records are looked for; `reports` unless given. */
  readonly reports?: string | undefined;
}

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_SEED = 1;
const SECRET_BYTES = 16;
/** A workbench is for tests on one machine: more at the same time are a leak. */
const MOST_ISOLATED = 1_000;

export class Workbench implements WorkbenchParts {
  readonly apiKey: string;
  readonly secondApiKey: string;
  readonly controlToken: string | undefined;
  readonly seed: number | string;
  readonly limits: 'spec' | 'off';
  readonly startedAt = new Date(systemClock.now()).toISOString();
  readonly time: WorkbenchTime;
  readonly jobs: Jobs;
  readonly documents = new KeptDocuments();
  readonly traffic: TrafficLog;
  readonly deliveries: DeliveryLog;
  readonly feed: LiveFeed;
  readonly runs: Runs;
  readonly control = new ControlApi(this);
  readonly #options: StartOptions;
  readonly #host: string;
  readonly #random: Random;
  readonly #service: Service;
  readonly #door = new FrontDoor();
  readonly #press: Press;
  readonly #connections = new ConnectionLog();
  /** By account, the main one first. */
  readonly #tenants = new Map<number, Tenant>();
  #url = '';

  /** @throws ActionableError when the data file cannot be used */
  constructor(options: StartOptions) {
    const { apiKey = DEFAULT_API_KEY, host = DEFAULT_HOST, seed = DEFAULT_SEED } = options;
    this.#options = options;
    this.#host = host;
    this.seed = seed;
    this.limits = options.limits ?? 'spec';
    this.apiKey = apiKey;
    this.secondApiKey = `${apiKey}-of-another-account`;
    this.controlToken = isLoopbackName(host) ? undefined : (options.controlToken ?? newSecret());
    this.time = new WorkbenchTime(options.clock ?? 'real');
    this.#press = new Press(this.time.clock);
    this.#random = createRandom(seed);
    const redaction = new Redaction(() => this.#keys());
    this.traffic = new TrafficLog(redaction, () => this.url);
    this.deliveries = new DeliveryLog(redaction);
    this.feed = new LiveFeed(
      [
        watch('room', () => ({ computers: this.#mainRoom() })),
        watch('faults', () => ({ rules: this.#main?.faults.rules ?? [] })),
        watch('clock', () => this.time.view(), clockNews),
      ],
      systemClock.now(),
    );
    this.runs = new Runs(options.reports ?? 'reports', (run) =>
      this.feed.tell(`run ${run.id}`, () => ({ name: 'run', data: { run } })),
    );
    this.#service = createService({
      clock: this.time.clock,
      random: this.#random.stream('service'),
      dataFile: options.dataFile,
      accounts: [newAccount('first', this.apiKey), newAccount('second', this.secondApiKey)],
      limits: options.limits,
      observer: this.#observer(),
    });
    this.jobs = new Jobs({
      service: this.service,
      timekeeper: this.time.timekeeper,
      rooms: () => [...this.#tenants.values()].map(({ room }) => room),
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

  get service(): ServiceAdmin {
    return this.#service.admin;
  }

  get #main(): Tenant | undefined {
    return this.#tenants.values().next().value;
  }

  async open(): Promise<void> {
    const { port = DEFAULT_PORT } = this.#options;
    this.#url = urlOf(this.#host, await this.#door.listen({ host: this.#host, port }));
    const account = this.#accountWith(this.apiKey);
    const tenant = this.#settle(account, this.apiKey, this.#options.room ?? 'default', '');
    this.#door.open(this.#service, this.control, {
      token: this.controlToken,
      loadToken: this.#options.loadToken,
    });
    await tenant.connect().catch(explainRefusal);
  }

  tenant(accountId: number | undefined): Tenant {
    const found = accountId === undefined ? this.#main : this.#tenants.get(accountId);
    if (found) return found;
    throw new ControlError(404, 'NotFound', `there is no account ${accountId ?? ''} with a room`);
  }

  accounts(): AccountView[] {
    const main = this.#main?.accountId;
    return this.service.accounts().map(({ id, email, parentId, apiKeys }) => {
      const name = email.split('@')[0] ?? '';
      if (id === main) return { id, name, kind: 'main' };
      if (this.#tenants.has(id)) return { id, name, kind: 'isolated' };
      const isSecond = [...apiKeys.values()].includes(this.secondApiKey);
      return { id, name, kind: parentId === null && isSecond ? 'second' : 'child' };
    });
  }

  async createAccount(room: RoomChoice): Promise<NewAccountView> {
    if (this.#tenants.size > MOST_ISOLATED) {
      const message = `there are ${MOST_ISOLATED} isolated accounts: delete some`;
      throw new ControlError(409, 'TooMany', message);
    }
    const apiKey = newSecret();
    const { id } = this.service.createAccount(newAccount(`isolated-${apiKey.slice(0, 6)}`, apiKey));
    try {
      await this.#settle(id, apiKey, room, `of account ${id}`).connect();
      return { id, apiKey };
    } catch (error) {
      await this.#tenants.get(id)?.clear();
      this.#tenants.delete(id);
      this.service.removeAccount(id);
      throw error;
    }
  }

  async removeAccount(id: number): Promise<void> {
    const tenant = this.#tenants.get(id);
    if (!tenant || tenant === this.#main) {
      throw new ControlError(404, 'NotFound', `there is no isolated account ${id}`);
    }
    this.#tenants.delete(id);
    await tenant.clear();
    this.service.removeAccount(id);
  }

  async reset(accountId?: number): Promise<void> {
    if (accountId === undefined) await this.#resetAll();
    else await this.#resetOne(this.tenant(accountId));
    this.feed.tellAll('workbench', { what: 'reset' });
  }

  async close(): Promise<void> {
    await this.time.freeze();
    this.feed.close();
    this.runs.close();
    await Promise.all([...this.#tenants.values()].map((tenant) => tenant.clear()));
    await this.#press.close();
    // The service first: it ends connections of computers that are not ours, which the door would wait for.
    this.#service.close();
    await this.#door.close();
  }

  /** Isolated accounts go: whoever made them has come to an end. */
  async #resetAll(): Promise<void> {
    const [main, ...isolated] = this.#tenants.values();
    for (const tenant of isolated) this.#tenants.delete(tenant.accountId);
    await Promise.all([...(main ? [main] : []), ...isolated].map((tenant) => tenant.clear()));
    this.#service.reset();
    this.documents.clear();
    this.traffic.clear();
    this.deliveries.clear();
    this.#connections.clear();
    await main?.furnish();
  }

  async #resetOne(tenant: Tenant): Promise<void> {
    await tenant.clear();
    this.service.clearAccount(tenant.accountId);
    await tenant.furnish();
  }

  #settle(accountId: number, apiKey: string, room: RoomChoice, stream: string): Tenant {
    const tenant = new Tenant({
      accountId,
      apiKey,
      description: descriptionOf(room),
      clock: this.time.clock,
      random: stream === '' ? this.#random : this.#random.stream(stream),
      serviceUrl: this.url,
      press: this.#press,
      onSheetOut: (jobId) => this.#tellJob(jobId),
    });
    this.#tenants.set(accountId, tenant);
    return tenant;
  }

  #accountWith(apiKey: string): number {
    const accounts = this.service.accounts();
    const found = accounts.find(({ apiKeys }) => [...apiKeys.values()].includes(apiKey));
    // A data file made with another key: its room cannot connect, which is told when it tries.
    return (found ?? accounts[0])?.id ?? 0;
  }

  #observer(): ServiceObserver {
    return {
      answered: (request) => {
        const id = this.traffic.add(request);
        this.feed.tell(`request ${id}`, () => {
          const entry = this.traffic.get(id);
          return entry && { name: 'request', data: { entry } };
        });
      },
      submitted: (job, content) => this.documents.keep(job, content),
      jobState: ({ id }) => this.#tellJob(id),
      connection: (computer, atMs) => this.#connections.add(computer, atMs),
      delivered: (made) => {
        const id = this.deliveries.add(made);
        this.feed.tell(`delivery ${id}`, () => {
          const delivery = this.deliveries.get(id);
          return delivery && { name: 'delivery', data: { delivery } };
        });
      },
    };
  }

  #tellJob(id: number): void {
    this.feed.tell(`job ${id}`, () => {
      const job = this.jobs.summary(id);
      return job && { name: 'job', data: { job } };
    });
  }

  #mainRoom(): readonly RoomComputerView[] {
    return this.#main ? roomComputers(this.#main, this.service) : [];
  }

  #keys(): string[] {
    const accounts = this.service.accounts();
    return [...accounts.flatMap(({ apiKeys }) => [...apiKeys.values()]), this.controlToken ?? ''];
  }
}

/** Of a clock that runs, the passing of time is no news. */
function clockNews(view: ClockView): unknown {
  return view.running ? 'running' : view;
}

/** Not from the seed: whoever knows the seed must not know it. */
function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

function descriptionOf(room: RoomChoice): RoomDescription {
  if (room === 'default') return DEFAULT_ROOM;
  return room === 'none' ? { computers: [] } : room;
}

function newAccount(name: string, apiKey: string): NewAccount {
  return {
    firstname: '-',
    lastname: '-',
    email: `${name}@example.test`,
    creatorRef: null,
    parentId: null,
    isIntegrator: name === 'first',
    tags: {},
    apiKeys: { platen: apiKey },
  };
}

/** Where to reach what listens on `host`: an address that stands for all of them is no destination. */
function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? DEFAULT_HOST : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function explainRefusal(error: unknown): never {
  if (!(error instanceof LinkError) || error.failure.reason !== 'unauthorized') throw error;
  throw new ActionableError(
    'usage',
    'the data file was made with another API key: the room cannot connect',
    'Start with the --key it was made with, or with another --data file.',
    { cause: error },
  );
}
