/**
 * platen/testcontainers: a workbench in a container, for tests in any project that uses testcontainers.
 *
 *   new PlatenContainer(image).withClock('virtual').start() ─► StartedPlatenContainer ─► connect()
 *
 * The module needs the package `testcontainers` beside platen, and a container engine.
 */

import { AbstractStartedContainer, GenericContainer, Wait, type StartedTestContainer } from 'testcontainers';

import { DEFAULT_PORT } from './workbench/defaults.ts';
import { connect } from './workbench/library/connect.ts';
import type { Platen } from './workbench/library/platen.ts';
import { newSecret } from './workbench/new-secret.ts';

/** For the start of a container on a busy machine. */
const STARTUP_TIMEOUT_MS = 60_000;
/** A name of the machine that the engine runs on, inside of the container. */
const CALLBACK_HOST = 'host.docker.internal';
/** What `platen start` says when its room is connected. */
const READY = /platen \S+ is ready/;

/** A workbench to start in a container. */
export class PlatenContainer extends GenericContainer {
  #apiKey = newSecret();
  readonly #controlToken = newSecret();
  readonly #flags = new Map<string, string>();

  /** @param image - an image made with `npm run image`, such as `platen` */
  constructor(image: string) {
    super(image);
    this.withExposedPorts(DEFAULT_PORT)
      .withExtraHosts([{ host: CALLBACK_HOST, ipAddress: 'host-gateway' }])
      .withWaitStrategy(Wait.forLogMessage(READY))
      .withStartupTimeout(STARTUP_TIMEOUT_MS);
  }

  /** The API key of the account; a random one unless given. */
  withApiKey(apiKey: string): this {
    this.#apiKey = apiKey;
    return this;
  }

  /** Everything that is left to chance follows from it; 1 by default. */
  withSeed(seed: number | string): this {
    return this.#with('--seed', String(seed));
  }

  /** A virtual clock moves only when it is advanced; `real` unless given. */
  withClock(clock: 'real' | 'virtual'): this {
    return this.#with('--clock', clock);
  }

  /** `spec`, the request rate of the specification, unless given; `off` counts nothing. */
  withLimits(limits: 'spec' | 'off'): this {
    return this.#with('--limits', limits);
  }

  override async start(): Promise<StartedPlatenContainer> {
    const flags = [...this.#flags].flat();
    this.withCommand(['start', '--host', '0.0.0.0', ...flags]).withEnvironment({
      PLATEN_API_KEY: this.#apiKey,
      PLATEN_CONTROL_TOKEN: this.#controlToken,
    });
    return new StartedPlatenContainer(await super.start(), this.#apiKey, this.#controlToken);
  }

  #with(flag: string, value: string): this {
    this.#flags.set(flag, value);
    return this;
  }
}

/** A workbench that runs in a container. */
export class StartedPlatenContainer extends AbstractStartedContainer {
  readonly #apiKey: string;
  readonly #controlToken: string;

  constructor(started: StartedTestContainer, apiKey: string, controlToken: string) {
    super(started);
    this.#apiKey = apiKey;
    this.#controlToken = controlToken;
  }

  /**
   * The same object as `connect` of the package gives: printers, jobs, clock, webhooks, accounts. Its `close`
   * leaves the container running.
   *
   * @throws ActionableError when the workbench no longer answers
   */
  connect(): Promise<Platen> {
    return connect(this.getUrl(), { token: this.#controlToken, callbackHost: CALLBACK_HOST });
  }

  /** Base address of the service, as seen from outside of the container. */
  getUrl(): string {
    return `http://${this.getHost()}:${this.getMappedPort(DEFAULT_PORT)}`;
  }

  /** The user name of HTTP Basic; the password is empty. */
  getApiKey(): string {
    return this.#apiKey;
  }

  /** What the control API wants as a bearer token. */
  getControlToken(): string {
    return this.#controlToken;
  }
}
