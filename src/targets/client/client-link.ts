/**
 * Client link: the port of device-link.ts over a service's own client program, so that checks, scenarios and loads
 * reach computers as they do over any other link. Each computer is a client-computer.ts.
 */

import { ActionableError } from '../../common/actionable-error.ts';
import { systemClock } from '../../common/clock.ts';
import { createRandom } from '../../common/random.ts';
import { Press } from '../../devices/press/press.ts';
import {
  LinkError,
  linesOf,
  type DeviceLink,
  type LinkRequest,
  type LinkSession,
  type ProgramLink,
} from '../../link/device-link.ts';
import { lackOfKernelHost } from '../../hardware/usb/kernel-host.ts';
import { missingForPrintSystem } from '../print-system.ts';
import { ServiceClient } from '../service-client.ts';
import { ClientComputer } from './client-computer.ts';
import type { ClientDescription } from './client-command.ts';
import { ExpectedJobs } from './paper-jobs.ts';

export interface ClientLinkOptions {
  readonly client: ClientDescription;
  /** The folder of the descriptor. */
  readonly cwd: string;
}

export type ClientLink = DeviceLink & { readonly program: ProgramLink };

/** A link whose computers are run by the client program. @throws ActionableError without CUPS */
export function clientLink(options: ClientLinkOptions): ClientLink {
  const missing = missingForPrintSystem();
  if (missing.length > 0) {
    throw new ActionableError(
      'usage',
      `a client program prints through CUPS, and there is no ${missing.join(', no ')} on this machine`,
      'apt-get install cups cups-client cups-ipp-utils cups-filters',
    );
  }
  const press = new Press(systemClock);
  const all = scopeOf(options, press);
  const close = async (): Promise<void> => {
    await all.program.close();
    await press.close();
  };
  return { ...all, program: { ...all.program, close } };
}

function scopeOf(options: ClientLinkOptions, press: Press): ClientLink {
  const expected = new ExpectedJobs();
  /** By installation: a computer that comes back is the same. */
  const computers = new Map<string, ClientComputer>();
  const scopes = new Set<ClientLink>();
  const services = new Set<ServiceClient>();
  let isClosed = false;

  const open = async (request: LinkRequest): Promise<LinkSession> => {
    if (isClosed) throw new LinkError({ reason: 'closed', message: 'the link for this computer was closed' });
    const { installationId } = request.client;
    const known = computers.get(installationId);
    if (known) {
      await known.reconnect();
      return known;
    }
    const ask = request.ask ?? askWithKey(request, services);
    const computer = new ClientComputer({ ...options, press, expected }, request, ask);
    computers.set(installationId, computer);
    await computer.install();
    return computer;
  };

  return {
    open,
    program: {
      lackOfScales: lackOfKernelHost(),
      submitted: (job) => expected.add(job),
      crash(computerName, what, downMs) {
        for (const computer of computers.values()) if (computer.name === computerName) computer.crash(what, downMs);
      },
      scope() {
        const scope = scopeOf(options, press);
        scopes.add(scope);
        return scope;
      },
      async close() {
        isClosed = true;
        await Promise.all([...scopes].map((scope) => scope.program.close()));
        await Promise.all([...computers.values()].map((computer) => computer.takeDown()));
        computers.clear();
        for (const service of services) await service.close();
      },
    },
  };
}

function askWithKey(request: LinkRequest, services: Set<ServiceClient>): (path: string) => Promise<unknown> {
  const { serviceUrl: baseUrl, credential } = request;
  const service = new ServiceClient({ baseUrl, apiKey: credential.key, isPatient: true });
  services.add(service);
  return async (path) => (await service.send({ method: 'GET', path })).value;
}

const TRIAL = 'platen: trial of the client program';

/**
 * Connects one computer with the client program and takes it down again.
 *
 * @throws ActionableError of kind unreachable, with the last lines of the program, when it does not show up
 */
export async function tryClient(link: ClientLink, baseUrl: string, apiKey: string): Promise<void> {
  const trial = link.program.scope();
  const service = new ServiceClient({ baseUrl, apiKey, isPatient: true });
  const random = createRandom(process.pid).stream('trial');
  const events = { onJob: () => Promise.resolve(), onRefresh: () => undefined, onDrop: () => undefined };
  const who = { installationId: random.uuid(), computerName: `${TRIAL} ${random.hex(8)}`, hostname: null };
  const client = { ...who, inet: null, inet6: null, version: null, edition: null };
  try {
    const credential = { kind: 'api-key', key: apiKey } as const;
    const session = await trial.open({ serviceUrl: baseUrl, credential, client, holding: () => [], events });
    const printer = { key: 'trial', name: 'Trial', description: '', default: null, state: null, capabilities: null };
    await session.reportPrinters([printer]);
    await session.close();
    await service.send({ method: 'DELETE', path: `/computers/${session.computerId}` });
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    const nextStep = 'Does it start by hand with `command:` of the descriptor, and is its computer named {computer}?';
    throw new ActionableError('unreachable', linesOf(error.failure), nextStep, { cause: error });
  } finally {
    await trial.program.close();
    await service.close();
  }
}
