/**
 * start(): a workbench in this process, as one object.
 *
 *   Listener ─┬─ /_platen/… ─► ControlApi ─► Workbench
 *             └─ everything else ─► its service
 */

import { usageError } from '../common/actionable-error.ts';
import { isLoopbackName } from '../common/loopback.ts';
import type { HardwareAddresses } from '../hardware/exposed-room.ts';
import { checkDataFile, type DataFileCheck } from '../service/data-file-check.ts';
import { ControlApi } from './control/control-api.ts';
import { askHere, ControlClient } from './control/control-client.ts';
import { DEFAULT_API_KEY, DEFAULT_PORT } from './defaults.ts';
import { Platen } from './library/platen.ts';
import { Listener } from './listener.ts';
import { MomentStage } from './moment/moment-stage.ts';
import { newSecret } from './new-secret.ts';
import { assertIsFor, serverCertificate } from './server-certificate.ts';
import { ensureStartOptions } from './start-options.ts';
import { Workbench, type StartOptions } from './workbench.ts';

const DEFAULT_HOST = '127.0.0.1';

interface StartedOptions {
  readonly workbench: Workbench;
  readonly control: ControlApi;
  readonly close: () => Promise<void>;
  readonly certificate: string | undefined;
}

/** A workbench of this process: a Platen, and what only its own process may know. */
export class StartedPlaten extends Platen {
  /** Key of an account that cannot see the first, and has no printers. */
  readonly secondApiKey: string;
  /** What the control API wants as a bearer token; undefined on loopback, where it wants none. */
  readonly controlToken: string | undefined;
  /** What a client has to trust, as PEM; undefined without `tls`. */
  readonly certificate: string | undefined;
  readonly #workbench: Workbench;

  constructor({ workbench, control, close, certificate }: StartedOptions) {
    const { url, apiKey } = workbench;
    const { accountId } = workbench.room(undefined);
    const { isVirtual } = workbench.time;
    super({ url, apiKey, accountId, isVirtual, isMain: true }, new ControlClient(askHere(control)), close);
    this.secondApiKey = workbench.secondApiKey;
    this.controlToken = workbench.controlToken;
    this.certificate = certificate;
    this.#workbench = workbench;
  }

  /** Kills the service, and starts it again on its data file. @throws ActionableError without one */
  restartService(): void {
    this.ensureOpen();
    this.#workbench.restart();
  }

  /** Where operating systems reach the printers of the room; empty unless started with `expose`. */
  hardware(): HardwareAddresses[] {
    this.ensureOpen();
    return this.#workbench.room(undefined).addresses;
  }
}

/**
 * Starts a workbench; resolves when its computers are connected and it can be used.
 *
 * @throws ActionableError when the port or the data file cannot be used, or the room cannot be made
 */
export async function start(options: StartOptions = {}): Promise<StartedPlaten> {
  ensureStartOptions(options);
  return startOn(MomentStage.ofEnvironment(), options);
}

/** The same for an app that is watched, and for which something may go wrong. */
export async function startOn(stage: MomentStage | undefined, options: StartOptions): Promise<StartedPlaten> {
  const { host = DEFAULT_HOST, port = DEFAULT_PORT, loadToken } = options;
  const token = isLoopbackName(host) ? undefined : (options.controlToken ?? newSecret());
  const certificate = await serverCertificate(options.tls, host);
  const listener = new Listener(certificate);
  const workbench = new Workbench({
    ...options,
    controlToken: token,
    certificate: certificate?.cert,
    webhookSender: stage?.sender,
  });
  const close = async (): Promise<void> => {
    await stage?.end();
    // The service first: it ends connections of foreign computers, which the listener would wait for.
    await workbench.close();
    await listener.close();
  };
  try {
    const isKeyKnown = workbench.hasKnownKey;
    if (isKeyKnown && token !== undefined && options.apiKey !== DEFAULT_API_KEY) throw knownKeyBeyondLoopback(options);
    const control = new ControlApi(workbench);
    const url = await listener.listen({ host, port });
    if (certificate) assertIsFor(certificate, url);
    workbench.furnish(url);
    listener.open(stage?.before(workbench.http) ?? workbench.http, control, { token, loadToken, isKeyKnown });
    await workbench.connect();
    if (options.expose) await workbench.rooms.expose(options.expose, host);
    const started = { workbench, control, certificate: certificate?.cert };
    // It looks at the paper when the one that an app holds is closed.
    await stage?.begin(new StartedPlaten({ ...started, close: () => Promise.resolve() }));
    return new StartedPlaten({ ...started, close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** What is in a data file, and what of it is damaged. */
export type CheckedData = DataFileCheck;

/** Reads all of a data file that no workbench has open. @throws ActionableError when it cannot be opened */
export function checkData(file: string): CheckedData {
  return checkDataFile(file);
}

function knownKeyBeyondLoopback({ dataFile, host }: StartOptions): Error {
  return usageError(
    `the API key in ${dataFile} is ${DEFAULT_API_KEY}, which everybody knows: it is not taken beyond loopback (${host})`,
    `Start with another --data file, or with --key ${DEFAULT_API_KEY} to take it all the same.`,
  );
}
