/**
 * Started service: the service under test as a program of its own, started by its command. It is told where to listen
 * and where to keep its data, is killed and started again on that data, and leaves no process behind.
 *
 *   command ─► polled until it answers ─► up ── kill (SIGKILL) ─► gone ── the same command, port and folder ─► up
 */

import { connect } from 'node:net';

import { ActionableError, usageError } from '../common/actionable-error.ts';
import { sleep, systemClock } from '../common/clock.ts';
import { messageOf } from '../common/error-message.ts';
import { isObject, NotJson, parseJson } from '../common/json-value.ts';
import { readRegularFile } from '../common/regular-file.ts';
import { startStopwatch } from '../common/stopwatch.ts';
import { realTimekeeper } from '../common/timekeeper.ts';
import { eventually } from '../common/waiter.ts';
import { createHttpSender, type HttpSender } from '../wire/http-exchange.ts';
import type { StartDescription } from './descriptor.ts';
import { removeSharedMemory, wakeGroup } from './fake-time.ts';
import { freePort } from './free-port.ts';
import { GuardedChild } from './guarded-child.ts';
import { areAsleep, killMarked, MARK, markedProcesses, portsOfMarked } from './marked-processes.ts';

export interface StartedServiceOptions {
  readonly start: StartDescription;
  /** The command runs there. */
  readonly cwd: string;
  /** For its data; it marks its processes as well. */
  readonly folder: string;
  /** What the command is told beside its port and folder, by the names in braces. */
  readonly told: Readonly<Record<string, string>>;
  /** Where the service listens, with values in braces. */
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Cancels a start, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Names of values in braces, and the variables in which a command finds the same. */
const VARIABLES: Readonly<Record<string, string>> = {
  port: 'PORT',
  folder: 'DATA_DIR',
  key: 'API_KEY',
  secondKey: 'SECOND_API_KEY',
};

const DEFAULT_READY = '/ping';
const DEFAULT_START_LIMIT = '60s';
const LOOK_EVERY_MS = 50;
const ANSWER_LIMIT_MS = 2_000;
/** Looks after which a service that listens elsewhere is not waited for any longer. */
const LOOKS_ELSEWHERE = 40;
const HTTP_PORT = 80;
/** Looks at its threads, which have to find nothing to do some times in a row. */
const QUIET_MS = 3;
const QUIET_LOOKS = 4;
/** For a service that always has something to do. */
const BUSY_MOST_MS = 200;
/** A service may start more of them at any time. */
const PROCESSES_KNOWN_MS = 1_000;

export class StartedService {
  readonly #options: StartedServiceOptions;
  readonly #values: Map<string, string>;
  #child: GuardedChild | undefined;
  #isEnding = false;
  #processes: readonly number[] = [];
  #looked: () => number = () => Infinity;
  #baseUrl = '';

  private constructor(options: StartedServiceOptions, port: number) {
    this.#options = options;
    this.#values = new Map(Object.entries({ ...options.told, folder: options.folder, port: String(port) }));
  }

  /** @throws ActionableError of kind unreachable when it does not come up, with its last lines; nothing is left then */
  static async start(options: StartedServiceOptions): Promise<StartedService> {
    const service = new StartedService(options, await freePort());
    await service.#refuseOther();
    await service.#comeUp();
    return service;
  }

  get cwd(): string {
    return this.#options.cwd;
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** A text with the values in braces, those that the service has said among them. */
  fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (written: string, name: string) => this.#values.get(name) ?? written);

  /** The same for an address or a key. @throws ActionableError where a name stands for nothing */
  fillWhole = (text: string): string => {
    const filled = this.fill(text);
    const [written] = /\{\w+\}/.exec(filled) ?? [];
    if (written === undefined) return filled;
    const { says } = this.#options.start;
    const place = says === undefined ? '' : `, nor in ${this.fill(says)}`;
    const known = [...this.#values.keys()].map((name) => `{${name}}`).join(', ');
    throw usageError(`nothing is called ${written}${place}`, `There are ${known}; docs/target.md has them.`);
  };

  /** How it ended, with its last lines, if platen did not end it. */
  get lost(): readonly string[] | undefined {
    const end = this.#isEnding ? undefined : this.#child?.end;
    return end === undefined ? undefined : [end, ...this.lines];
  }

  /** The last lines that it printed. */
  get lines(): readonly string[] {
    return (this.#child?.lines ?? []).map((line) => `  | ${line.trimEnd()}`);
  }

  get lineCount(): number {
    return this.#child?.lineCount ?? 0;
  }

  /** Lets it look at its timers again, and do what is due. */
  async doWhatIsDue(): Promise<void> {
    this.#wake();
    await this.comeToRest();
  }

  /** Until none of its threads has anything to do. */
  async comeToRest(): Promise<void> {
    const passedMs = startStopwatch();
    if (this.#looked() > PROCESSES_KNOWN_MS) this.#findProcesses();
    for (let quiet = 0; quiet < QUIET_LOOKS && passedMs() < BUSY_MOST_MS;) {
      await sleep(systemClock, QUIET_MS);
      quiet = areAsleep(this.#processes) ? quiet + 1 : 0;
    }
  }

  #findProcesses(): void {
    this.#processes = markedProcesses(this.#options.folder);
    this.#looked = startStopwatch();
  }

  /** It waits for its sockets, or for a connection. */
  #wake(): void {
    const { pid, end } = this.#child ?? {};
    if (pid !== undefined && end === undefined) wakeGroup(pid);
    const { hostname, port } = new URL(this.#baseUrl);
    const socket = connect({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) || HTTP_PORT });
    socket.on('connect', () => socket.destroy()).on('error', () => undefined);
  }

  /** Ends it at once, with all that it has started. */
  async kill(): Promise<void> {
    this.#isEnding = true;
    this.#child?.kill('SIGKILL');
    await this.#child?.exited;
    this.#clear();
  }

  /** @throws ActionableError when it does not come up again */
  async restart(): Promise<void> {
    await this.kill();
    const before = this.#baseUrl;
    await this.#comeUp();
    if (this.#baseUrl === before) return;
    await this.kill();
    throw usageError(
      `started again, the service is at ${this.#baseUrl} instead of ${before}`,
      'Let it listen on the port that it is told: {port} in the command, or PORT in its environment.',
    );
  }

  /** Ends it in good order. */
  async close(): Promise<void> {
    this.#isEnding = true;
    await this.#child?.stop();
    this.#clear();
  }

  #clear(): void {
    killMarked(this.#options.folder);
    if (this.#child?.pid !== undefined) removeSharedMemory(this.#child.pid);
  }

  /** Another service at the same address would be taken for this one. */
  async #refuseOther(): Promise<void> {
    const url = this.fill(this.#options.url);
    if (/[{}]/.test(url)) return;
    const sender = createHttpSender({ limitMs: ANSWER_LIMIT_MS });
    const outcome = await sender.send({ method: 'GET', baseUrl: url, path: '/', headers: [] });
    await sender.close();
    if (!outcome.ok && outcome.error.kind === 'refused') return;
    throw usageError(
      `something listens at ${url} before the service is started`,
      'Stop it, or omit the address: then the service is told a free port in PORT.',
    );
  }

  async #comeUp(): Promise<void> {
    const { start, cwd, environment, folder } = this.#options;
    const told = [...this.#values].flatMap(([name, value]) => (VARIABLES[name] ? [[VARIABLES[name], value]] : []));
    const own = Object.entries(start.environment ?? {}).map(([name, value]) => [name, this.fill(value)]);
    this.#isEnding = false;
    this.#child = new GuardedChild({
      command: ['sh', '-c', this.fill(start.command)],
      environment: { ...process.env, ...Object.fromEntries([...told, ...own]), ...environment, [MARK]: folder },
      cwd,
    });
    try {
      await this.#untilUp();
    } catch (error) {
      const failed = this.#neverUp(error);
      await this.kill();
      this.#options.signal?.throwIfAborted();
      throw failed;
    }
  }

  async #untilUp(): Promise<void> {
    const { start } = this.#options;
    const sender = createHttpSender({ limitMs: ANSWER_LIMIT_MS });
    let seen = 'nothing';
    let looks = 0;
    try {
      await eventually({
        description: `the service to answer`,
        limit: start.startLimit ?? DEFAULT_START_LIMIT,
        every: LOOK_EVERY_MS,
        timekeeper: realTimekeeper,
        lastSeen: () => seen,
        probe: async () => {
          seen = await this.#look(sender, ++looks);
          return seen === UP || undefined;
        },
      });
    } finally {
      await sender.close();
    }
  }

  /** What is seen of it. @throws Error when it does not come up any more */
  async #look(sender: HttpSender, looks: number): Promise<string> {
    this.#options.signal?.throwIfAborted();
    const { start, folder } = this.#options;
    const end = this.#child?.end;
    if (end !== undefined && markedProcesses(folder).length > 0)
      throw this.#failed(`${end} and went on in the background`, STAY_IN_FOREGROUND);
    if (end !== undefined) throw new Error(end);
    const unsaid = this.#hear();
    if (unsaid !== undefined) return unsaid;
    this.#baseUrl = this.fillWhole(this.#options.url).replace(/\/+$/, '');
    const path = start.ready ?? DEFAULT_READY;
    const outcome = await sender.send({ method: 'GET', baseUrl: this.#baseUrl, path, headers: [] });
    if (outcome.ok) {
      const { status } = outcome.value.response;
      return status < 500 ? UP : `GET ${this.#baseUrl}${path} answered ${status}`;
    }
    if (looks % LOOKS_ELSEWHERE === 0) this.#refuseElsewhere(portsOfMarked(folder));
    return `GET ${this.#baseUrl}${path}: ${outcome.error.message}`;
  }

  /** @throws ActionableError when it listens, but not where it is expected */
  #refuseElsewhere(ports: readonly number[]): void {
    const expected = Number(new URL(this.#baseUrl).port);
    if (ports.length === 0 || ports.includes(expected)) return;
    const isTold = String(expected) === this.#values.get('port');
    throw new ActionableError(
      'unreachable',
      `the service does not listen on port ${expected}, ${isTold ? 'which it was told' : 'as its address says'}, but on ${ports.join(', ')}`,
      isTold
        ? `Let it listen on {port}, which it finds in PORT, or give its address as well: http://127.0.0.1:${ports[0]}`
        : 'Correct the address, or omit it: then the service is told a free port in PORT.',
    );
  }

  /** Takes in what the service says in its file. Returns what is missing of it. */
  #hear(): string | undefined {
    const { says } = this.#options.start;
    if (says === undefined) return undefined;
    const file = this.fill(says);
    const read = readRegularFile(file);
    if (!read.ok) return `${file}: ${read.error}`;
    const said = parseJson(read.value);
    if (said instanceof NotJson || !isObject(said)) return `no JSON object in ${file}`;
    for (const [name, value] of Object.entries(said)) this.#values.set(name, String(value));
    return undefined;
  }

  #neverUp(error: unknown): ActionableError {
    if (error instanceof ActionableError) return error;
    const printed = this.lines.length === 0 ? 'It printed nothing.' : 'Above is the end of what it printed.';
    const alone = `PORT=8080 ${this.fill(this.#options.start.command)}`;
    return this.#failed(messageOf(error), `${printed} Try the command alone: ${alone}`, error);
  }

  #failed(why: string, remedy: string, cause?: unknown): ActionableError {
    return new ActionableError('unreachable', [`the service did not come up: ${why}`, ...this.lines], remedy, {
      cause,
    });
  }
}

const UP = 'it is up';
const STAY_IN_FOREGROUND = 'Let the command stay in the foreground for as long as the service runs.';
