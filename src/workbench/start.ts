/**
 * start(): the bench as one object. Reference service and room on one clock, behind one port.
 *
 *   FrontDoor ─┬─ /_platen/… ─► ControlApi ─► Jobs ─┬─► service (over HTTP, as any caller)
 *              └─ everything else ─► service        └─► room (what came out)
 *                                       ▲
 *                                       └── link ── room
 */

import { randomBytes } from 'node:crypto';

import { ActionableError } from '../common/actionable-error.ts';
import { systemClock, type Clock } from '../common/clock.ts';
import type { Duration } from '../common/duration.ts';
import { FaultPlan } from '../common/fault-plan.ts';
import { createRandom, type Random } from '../common/random.ts';
import { realTimekeeper, virtualTimekeeper, type Timekeeper } from '../common/timekeeper.ts';
import { VirtualClock } from '../common/virtual-clock.ts';
import { DEFAULT_ROOM } from '../devices/default-room.ts';
import type { VirtualPrinter } from '../devices/printer.ts';
import { RoomFaults } from '../devices/room-faults.ts';
import { Room, type RoomDescription } from '../devices/room.ts';
import { LinkError } from '../link/device-link.ts';
import { webSocketLink } from '../link/websocket-link.ts';
import type { NewAccount } from '../service/domain/account.ts';
import { createService, type Service } from '../service/server.ts';
import { ControlApi } from './control-api.ts';
import { isLoopbackName } from './control-guard.ts';
import { DEFAULT_API_KEY, DEFAULT_PORT } from './defaults.ts';
import { FrontDoor } from './front-door.ts';
import { Jobs } from './jobs.ts';
import { Pacemaker } from './pacemaker.ts';
import { roomPrinterOf, type RoomPrinter } from './room-view.ts';
import { BADGE_HEADER, ServiceClient } from './service-client.ts';

export interface StartOptions {
  /** 8631 unless given; 0 takes any port that is free. */
  readonly port?: number | undefined;
  /** 127.0.0.1 unless given. Beyond loopback the control API wants a token. */
  readonly host?: string | undefined;
  /** `real` unless given. A virtual clock of your own lets several benches share one time. */
  readonly clock?: 'real' | 'virtual' | VirtualClock | undefined;
  /** Everything that is left to chance follows from it; 1 unless given. */
  readonly seed?: number | string | undefined;
  /** Where the service keeps everything; in memory unless given. */
  readonly dataFile?: string | undefined;
  /** The API key of the account; `test-key` unless given. */
  readonly apiKey?: string | undefined;
  /** What the control API wants beyond loopback; one that is made up unless given. */
  readonly controlToken?: string | undefined;
  /** `spec`, the request rate of the specification, unless given; `off` counts nothing. */
  readonly limits?: 'spec' | 'off' | undefined;
  /** Two computers with four printers unless given. */
  readonly room?: 'default' | 'none' | RoomDescription | undefined;
}

/** The time of a bench. */
export interface BenchClock {
  readonly isVirtual: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Lets time pass: moves a virtual clock on and settles, waits on a real one. */
  advance(duration: Duration): Promise<void>;
}

/** A bench that runs. */
export interface Platen extends AsyncDisposable {
  /** Base address of the service. */
  readonly url: string;
  readonly apiKey: string;
  /** Key of an account that has nothing to do with the first and no printers. */
  readonly secondApiKey: string;
  /** What the control API wants as a bearer token; undefined on loopback, where it wants none. */
  readonly controlToken: string | undefined;
  readonly clock: BenchClock;
  readonly room: Room;
  readonly jobs: Jobs;
  /** The printers of the account, by id. */
  printers(): Promise<RoomPrinter[]>;
  /** Back to the seed: accounts and room as they were at the start, and nothing else. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_SEED = 1;
const SECRET_BYTES = 16;

/**
 * Starts a bench; resolves when its computers are connected and it can be used.
 *
 * @throws ActionableError when the port, the data file or the room cannot be had
 */
export async function start(options: StartOptions = {}): Promise<Platen> {
  const bench = new Bench(options);
  try {
    await bench.open();
    return bench;
  } catch (error) {
    await bench.close();
    throw error;
  }
}

/** One bench, from its parts. Everything but `open` and `close` is wiring. */
class Bench implements Platen {
  readonly apiKey: string;
  readonly secondApiKey: string;
  readonly controlToken: string | undefined;
  readonly clock: BenchClock;
  readonly #options: StartOptions;
  readonly #host: string;
  readonly #time: Clock;
  readonly #timekeeper: Timekeeper;
  readonly #random: Random;
  readonly #badge = newSecret();
  readonly #service: Service;
  readonly #door = new FrontDoor();
  readonly #plan: FaultPlan;
  readonly #faults: RoomFaults;
  readonly #pacemaker: Pacemaker | undefined;
  #running: Running | undefined;

  /** @throws ActionableError when the data file cannot be used */
  constructor(options: StartOptions) {
    const { apiKey = DEFAULT_API_KEY, host = DEFAULT_HOST, seed = DEFAULT_SEED } = options;
    this.#options = options;
    this.#host = host;
    this.apiKey = apiKey;
    this.secondApiKey = `${apiKey}-of-another-account`;
    this.controlToken = isLoopbackName(host) ? undefined : (options.controlToken ?? newSecret());
    [this.#time, this.#timekeeper] = timeOf(options.clock);
    this.clock = benchClock(this.#timekeeper);
    this.#random = createRandom(seed);
    this.#plan = new FaultPlan(this.#time, this.#random.stream('faults'));
    this.#faults = new RoomFaults((name) => printersNamed(name, this.room), this.#plan, this.#time);
    this.#pacemaker = this.#timekeeper.isVirtual ? new Pacemaker(this.#timekeeper) : undefined;
    this.#service = createService({
      clock: this.#time,
      random: this.#random.stream('service'),
      dataFile: options.dataFile,
      accounts: [newAccount('first', this.apiKey), newAccount('second', this.secondApiKey)],
      limits: options.limits,
      isUncounted: ({ headers }) => headers[BADGE_HEADER] === this.#badge,
    });
  }

  get url(): string {
    return this.#parts.url;
  }

  get room(): Room {
    return this.#parts.room;
  }

  get jobs(): Jobs {
    return this.#parts.jobs;
  }

  async printers(): Promise<RoomPrinter[]> {
    const printers = await this.#parts.service.printers();
    return printers.map(roomPrinterOf).toSorted((a, b) => a.id - b.id);
  }

  get #parts(): Running {
    if (!this.#running) throw new Error('the bench is not open');
    return this.#running;
  }

  async open(): Promise<void> {
    const { port = DEFAULT_PORT } = this.#options;
    const url = urlOf(this.#host, await this.#door.listen({ host: this.#host, port }));
    const service = new ServiceClient({ url, apiKey: this.apiKey, badge: this.#badge, clock: this.#time });
    this.#running = this.#furnish(url, service);
    const info = (): Record<string, unknown> => ({
      url,
      apiKey: this.apiKey,
      seed: this.#options.seed ?? DEFAULT_SEED,
    });
    const control = new ControlApi({
      jobs: () => this.jobs,
      service,
      timekeeper: this.#timekeeper,
      pacemaker: this.#pacemaker,
      faults: this.#faults,
      info,
      reset: () => this.reset(),
    });
    this.#door.open(this.#service, control, { token: this.controlToken });
    await this.room.connect().catch(explainRefusal);
  }

  async reset(): Promise<void> {
    const { url, room, service } = this.#parts;
    this.#faults.clear();
    await room.close();
    this.#plan.reset();
    this.#service.reset();
    this.#running = this.#furnish(url, service);
    await this.room.connect();
  }

  /** A room as the seed makes it, and the jobs it will print. */
  #furnish(url: string, service: ServiceClient): Running {
    const room = new Room(descriptionOf(this.#options.room), {
      clock: this.#time,
      random: this.#random.stream('room'),
      link: webSocketLink({ clock: this.#time, faults: this.#plan }),
      faults: this.#plan,
      serviceUrl: url,
      credential: { kind: 'api-key', key: this.apiKey },
    });
    return { url, room, service, jobs: new Jobs(service, room, this.#timekeeper) };
  }

  async close(): Promise<void> {
    await this.#pacemaker?.freeze();
    await this.#running?.room.close();
    // The service first: it ends connections of computers that are not ours, which the door would wait for.
    this.#service.close();
    await this.#door.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** What there is once the port is known. */
interface Running {
  readonly url: string;
  readonly room: Room;
  readonly jobs: Jobs;
  readonly service: ServiceClient;
}

/** The printers that a name in a place means. */
function printersNamed(name: string, room: Room): readonly VirtualPrinter[] {
  return name === '*' ? room.printers : [room.printer(name)];
}

/** Not from the seed: whoever knows the seed must not know it. */
function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

function timeOf(choice: StartOptions['clock'] = 'real'): [Clock, Timekeeper] {
  if (choice === 'real') return [systemClock, realTimekeeper];
  const clock = choice === 'virtual' ? new VirtualClock() : choice;
  return [clock, virtualTimekeeper(clock)];
}

function benchClock(timekeeper: Timekeeper): BenchClock {
  return {
    isVirtual: timekeeper.isVirtual,
    now: () => timekeeper.now(),
    advance: (duration) => timekeeper.elapse(duration),
  };
}

function descriptionOf(room: StartOptions['room'] = 'default'): RoomDescription {
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
