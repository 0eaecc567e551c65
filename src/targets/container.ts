/**
 * Container target: the service under test from its image, in a container of its own for as long as the run lasts.
 *
 *   platen ─► 127.0.0.1:published port ─► container ─► host.docker.internal ─► webhook receivers of platen
 *
 * Testcontainers pulls the image, talks to the engine and cleans up after a killed process. It is loaded here alone, as
 * only a run with an image needs it.
 */

import { networkInterfaces } from 'node:os';

import type * as Testcontainers from 'testcontainers';
import type { ContainerRuntimeClient } from 'testcontainers';

import { ActionableError } from '../common/actionable-error.ts';
import { messageOf } from '../common/error-message.ts';
import { realTimekeeper } from '../common/timekeeper.ts';
import { eventually, WaitExpired, within } from '../common/waiter.ts';
import { createHttpSender, type HttpSender } from '../wire/http-exchange.ts';
import type { ImageDescription } from './descriptor.ts';
import { remoteTarget, type RemoteTargetOptions } from './remote.ts';
import type { Target } from './target.ts';

export interface ContainerTargetOptions extends Omit<RemoteTargetOptions, 'url'> {
  readonly image: ImageDescription;
  /** Called with the address of the service once it answers, before it is asked for anything with a key. */
  readonly prepare?: ((url: string) => Promise<void>) | undefined;
  /** Cancels the start, with its reason; the container is removed. */
  readonly signal?: AbortSignal | undefined;
}

type Package = typeof Testcontainers;
type Container = Awaited<ReturnType<ContainerRuntimeClient['container']['create']>>;
type ContainerState = Awaited<ReturnType<ContainerRuntimeClient['container']['inspect']>>;

interface ImageConfig {
  readonly ExposedPorts?: Readonly<Record<string, unknown>>;
}

interface StartedContainer {
  readonly client: ContainerRuntimeClient;
  readonly container: Container;
  readonly image: ImageDescription;
  readonly port: number;
  readonly signal: AbortSignal | undefined;
}

const CALLBACK_HOST = 'host.docker.internal';
const LOOPBACK = '127.0.0.1';
const DEFAULT_READY = '/ping';
const DEFAULT_START_LIMIT = '60s';
const LOOK_EVERY_MS = 200;
const ANSWER_LIMIT_MS = 2_000;
const LOG_LINES = 20;
const LOG_LIMIT = '5s';

/**
 * Starts a container of the image and waits until the service in it answers.
 *
 * @throws ActionableError of kind usage when testcontainers, the image or its one port is missing, of kind
 *   unreachable when no engine answers or the service does not come up, else as remoteTarget does; nothing is left
 */
export async function containerTarget(options: ContainerTargetOptions): Promise<Target> {
  const { image, prepare, signal, ...access } = options;
  const testcontainers = await loadTestcontainers();
  const client = await engineOf(testcontainers);
  // Pulling may take long, and leaves nothing behind when it is cancelled.
  const config = await orAborted(imageConfig(testcontainers, client, image.name), signal);
  const port = image.port ?? exposedPort(image.name, config);
  const labels = await orAborted(labelsOf(testcontainers, client), signal);
  const container = await create(client, image, port, labels);
  const close = onlyOnce(() => remove(container));
  const place = { client, container, image, port, signal };
  try {
    const url = await comeUp(place);
    await prepare?.(url);
    const callback = access.callbackHost === undefined ? await callbackOf(place) : {};
    const target = await remoteTarget({ ...access, url });
    return { ...target, ...callback, name: image.name, kind: 'container', isDisposable: true, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function loadTestcontainers(): Promise<Package> {
  try {
    return await import('testcontainers');
  } catch (error) {
    throw new ActionableError(
      'usage',
      `the package testcontainers, which starts images, cannot be loaded: ${messageOf(error)}`,
      'npm install --save-dev testcontainers',
      { cause: error },
    );
  }
}

async function engineOf({ getContainerRuntimeClient }: Package): Promise<ContainerRuntimeClient> {
  try {
    return await getContainerRuntimeClient();
  } catch (error) {
    throw new ActionableError(
      'unreachable',
      `no container engine answers: ${messageOf(error)}`,
      'Start Docker or Podman, or set DOCKER_HOST; `docker info` has to work.',
      { cause: error },
    );
  }
}

/** The port that the image says it serves on. */
function exposedPort(name: string, { ExposedPorts }: ImageConfig): number {
  const ports = Object.keys(ExposedPorts ?? {})
    .filter((port) => !port.endsWith('/udp'))
    .map((port) => Number.parseInt(port, 10));
  const [port] = ports;
  if (port !== undefined && ports.length === 1) return port;
  const found = ports.length === 0 ? 'no port' : `several ports: ${ports.join(', ')}`;
  throw new ActionableError(
    'usage',
    `the image ${name} exposes ${found}`,
    'Name the port of the service with --image-port, or in image.port of the descriptor.',
  );
}

/** The configuration of the image, which is pulled if it is not there. */
async function imageConfig({ ImageName }: Package, client: ContainerRuntimeClient, name: string): Promise<ImageConfig> {
  try {
    const image = ImageName.fromString(name);
    await client.image.pull(image);
    return (await client.image.inspect(image)).Config;
  } catch (error) {
    throw new ActionableError(
      'usage',
      `there is no local image ${name}, and it cannot be pulled: ${messageOf(error)}`,
      'Build it first, or correct its name; `docker images` lists them.',
      { cause: error },
    );
  }
}

/** They tell the cleaner of testcontainers what to remove when this process is killed. */
async function labelsOf(
  { getReaper, LABEL_TESTCONTAINERS_SESSION_ID }: Package,
  client: ContainerRuntimeClient,
): Promise<Readonly<Record<string, string>>> {
  try {
    return { [LABEL_TESTCONTAINERS_SESSION_ID]: (await getReaper(client)).sessionId };
  } catch (error) {
    throw new ActionableError(
      'unreachable',
      `the cleaner of testcontainers does not start: ${messageOf(error)}`,
      'TESTCONTAINERS_RYUK_DISABLED=true runs without it; then a run that is killed leaves its container.',
      { cause: error },
    );
  }
}

async function create(
  client: ContainerRuntimeClient,
  { name, environment = {}, command }: ImageDescription,
  port: number,
  labels: Readonly<Record<string, string>>,
): Promise<Container> {
  const published = `${port}/tcp`;
  return client.container
    .create({
      Image: name,
      Env: Object.entries(environment).map(([key, value]) => `${key}=${value}`),
      ...(command && { Cmd: command }),
      Labels: labels,
      ExposedPorts: { [published]: {} },
      HostConfig: {
        // Reached from this machine alone, where the engine is on this machine.
        PortBindings: { [published]: [{ HostIp: isHere(client) ? LOOPBACK : '', HostPort: '0' }] },
        ExtraHosts: [`${CALLBACK_HOST}:host-gateway`],
      },
    })
    .catch((error: unknown) => {
      throw new ActionableError(
        'usage',
        `no container can be made of the image ${name}: ${messageOf(error)}`,
        'Does `docker run` start it? A command can be given in image.command of the descriptor.',
        { cause: error },
      );
    });
}

/** The address of the service, as soon as it answers there. */
async function comeUp(place: StartedContainer): Promise<string> {
  const sender = createHttpSender({ limitMs: ANSWER_LIMIT_MS });
  let seen = 'it was not started';
  try {
    await place.client.container.start(place.container);
    return await eventually({
      description: `${place.image.name} to answer`,
      limit: place.image.startLimit ?? DEFAULT_START_LIMIT,
      every: LOOK_EVERY_MS,
      timekeeper: realTimekeeper,
      lastSeen: () => seen,
      probe: async () => {
        const looked = await look(place, sender);
        if ('url' in looked) return looked.url;
        seen = looked.seen;
        return undefined;
      },
    });
  } catch (error) {
    place.signal?.throwIfAborted();
    throw await neverUp(place, error);
  } finally {
    await sender.close();
  }
}

type Look = { readonly url: string } | { readonly seen: string };

/** @throws Error when the container has ended */
async function look({ client, container, image, port, signal }: StartedContainer, sender: HttpSender): Promise<Look> {
  signal?.throwIfAborted();
  const { State: state, NetworkSettings: network } = await client.container.inspect(container);
  if (!state.Running) throw new Error(`it ended with exit code ${state.ExitCode}`);
  const published = network.Ports[`${port}/tcp`]?.[0]?.HostPort;
  if (published === undefined) return { seen: `port ${port} is not published` };
  const url = `http://${isHere(client) ? LOOPBACK : client.info.containerRuntime.host}:${published}`;
  const path = image.ready ?? DEFAULT_READY;
  const outcome = await sender.send({ method: 'GET', baseUrl: url, path, headers: [] });
  if (!outcome.ok) return { seen: `GET ${path} on port ${port}: ${outcome.error.message}` };
  const { status } = outcome.value.response;
  // Anything else wrong with its answers is for the checks to report.
  return status < 500 ? { url } : { seen: `GET ${path} on port ${port} answered ${status}` };
}

async function neverUp({ client, container, image }: StartedContainer, error: unknown): Promise<ActionableError> {
  const log = await lastLines(client, container);
  const why = error instanceof WaitExpired ? error.message : messageOf(error);
  return new ActionableError(
    'unreachable',
    [`the service in ${image.name} did not come up: ${why}`, ...log],
    log.length === 0
      ? 'It printed nothing. Are command, environment and port right?'
      : 'Above is the end of what it printed. Are command, environment and port right?',
    { cause: error },
  );
}

async function lastLines(client: ContainerRuntimeClient, container: Container): Promise<readonly string[]> {
  try {
    // The log of a container that still runs would have no end.
    await client.container.stop(container);
    const stream = await client.container.logs(container, { tail: LOG_LINES });
    const chunks: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const chunk of stream) chunks.push(String(chunk));
    };
    await within(reading(), { description: 'the log of the container', limit: LOG_LIMIT });
    const lines = chunks.join('').split('\n');
    return lines.filter((line) => line.trim() !== '').map((line) => `  | ${line.trimEnd()}`);
  } catch {
    return [];
  }
}

/** How the service reaches this machine: by a name, and the address it leads to. */
async function callbackOf({
  client,
  container,
}: StartedContainer): Promise<Pick<Target, 'callbackHost' | 'callbackAddress'>> {
  const address = callbackAddress(client, await client.container.inspect(container));
  return { callbackHost: CALLBACK_HOST, callbackAddress: address };
}

/** Undefined if unknown: then receivers listen on all interfaces. */
function callbackAddress(client: ContainerRuntimeClient, state: ContainerState): string | undefined {
  const gateways = Object.values(state.NetworkSettings.Networks).map(({ Gateway }) => Gateway);
  const gateway = gateways.find(isOurs);
  if (gateway !== undefined) return gateway;
  // Its engine runs in a virtual machine, which passes the name on to the loopback of this one.
  return client.info.containerRuntime.operatingSystem.includes('Docker Desktop') ? LOOPBACK : undefined;
}

function isHere({ info }: ContainerRuntimeClient): boolean {
  const { host } = info.containerRuntime;
  return host === 'localhost' || isOurs(host);
}

function isOurs(address: string): boolean {
  return Object.values(networkInterfaces()).some((found) => found?.some((one) => one.address === address));
}

async function remove(container: Container): Promise<void> {
  await container.remove({ force: true, v: true }).catch((error: unknown) => {
    throw new ActionableError(
      'harness',
      `the container of the service could not be removed: ${messageOf(error)}`,
      `docker rm --force ${container.id.slice(0, 12)}`,
      { cause: error },
    );
  });
}

/** Settles as the work does, or when the signal aborts; the work itself goes on. @throws the reason of the signal */
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
