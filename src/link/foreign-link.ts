/**
 * Foreign link: an adapter to a service that speaks another link, in a module of the user's.
 *
 *   my-link.ts  export const link: DeviceLink ─► loaded, checked ─► computers
 *
 * What the module exports, the sessions it opens and the jobs it hands over are checked against the port, so
 * that a mistake in it is an error message, not a crash later on.
 */

import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { usageError, type ActionableError } from '../common/actionable-error.ts';
import { messageOf } from '../common/error-message.ts';
import { foundAt, shownPath } from '../common/named-place.ts';
import { whyNotRegular } from '../common/regular-file.ts';
import { readValueAs } from '../common/schema-problems.ts';
import {
  LINK_FAILURE_REASONS,
  LinkError,
  type DeliveredJob,
  type DeviceLink,
  type LinkFailure,
  type LinkRequest,
  type LinkSession,
} from './device-link.ts';
import { deliveredJob } from './messages.ts';

const SESSION_METHODS = [
  'reportPrinters',
  'reportScales',
  'reportJobState',
  'publishReading',
  'reconnect',
  'pause',
  'resume',
  'cut',
  'close',
] as const satisfies readonly (keyof LinkSession)[];

/**
 * Loads the module and takes its link.
 *
 * @throws ActionableError of kind usage when there is no such module, or it has no link
 */
export async function loadForeignLink(file: string): Promise<DeviceLink> {
  const full = path.resolve(file);
  const found = foundAt(full);
  if (!found) throw unusable(`there is no module ${shownPath(file)}`);
  const reason = whyNotRegular(found);
  if (reason !== undefined) throw unusable(`${shownPath(file)} is no module: ${reason}`);
  const module = await importModule(full, file);
  if (!('link' in module)) {
    const others = Object.keys(module).toSorted().join(', ') || 'nothing';
    throw unusable(`${file} exports no 'link'; it exports ${others}`);
  }
  const { link } = module;
  if (!hasMethod(link, 'open')) throw unusable(`the 'link' that ${file} exports has no method open()`);
  return { open: (request) => openChecked(link, request, file) };
}

type Opener = Readonly<Record<'open', (request: LinkRequest) => unknown>>;

async function importModule(full: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(full).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw unusable(`${file} cannot be loaded: ${messageOf(error)}`, error);
  }
}

function unusable(message: string, cause?: unknown): ActionableError {
  const nextStep = "docs/device-link.md shows a module with 'export const link'.";
  return usageError(message, nextStep, { cause });
}

async function openChecked(link: Opener, request: LinkRequest, file: string): Promise<LinkSession> {
  const session = await asLinkErrors(() => link.open(checkedRequest(request, file)));
  const lacking = SESSION_METHODS.filter((name) => !hasMethod(session, name)).map((name) => `${name}()`);
  if (!hasField(session, 'computerId', Number.isSafeInteger)) lacking.push('computerId, an integer');
  if (!hasField(session, 'connected', (value) => typeof value === 'boolean')) lacking.push('connected, a boolean');
  if (lacking.length > 0) throw brokenPort(`the session that ${file} opened has no ${lacking.join(', ')}`);
  return checkedSession(session as LinkSession, request);
}

/** The request may change between connections: the adapter sees it as it is at that moment. */
function checkedRequest(request: LinkRequest, file: string): LinkRequest {
  const { events } = request;
  return {
    serviceUrl: request.serviceUrl,
    get credential() {
      return request.credential;
    },
    get client() {
      return request.client;
    },
    holding: () => request.holding(),
    events: {
      onJob: async (given) => {
        const job = readJob(given, file);
        request.onFrame?.({ from: 'service', text: JSON.stringify({ type: 'job', ...job }) });
        await events.onJob(job);
      },
      onRefresh: () => events.onRefresh(),
      onDrop: (failure) => events.onDrop(readFailure(failure)),
    },
    localAddress: request.localAddress,
  };
}

/** @throws LinkError naming the first field that is wrong */
function readJob(job: unknown, file: string): DeliveredJob {
  const read = readValueAs(deliveredJob, job);
  if (!read.ok) throw brokenPort(`${file} delivered an invalid job: ${read.error}`);
  return read.value;
}

/** A session whose methods reject rather than throw, with errors that computers understand. */
function checkedSession(session: LinkSession, { onFrame }: LinkRequest): LinkSession {
  /** In the words of our own link: an adapter shows no frames. */
  const report = (message: object, send: () => Promise<void>): Promise<void> => {
    onFrame?.({ from: 'computer', text: JSON.stringify(message) });
    return asLinkErrors(send);
  };
  return {
    get computerId() {
      return session.computerId;
    },
    get connected() {
      return session.connected;
    },
    reportPrinters: (printers) => report({ type: 'printers', printers }, () => session.reportPrinters(printers)),
    reportScales: (scales) => report({ type: 'scales', scales }, () => session.reportScales(scales)),
    reportJobState: (state) => report({ type: 'job-state', ...state }, () => session.reportJobState(state)),
    publishReading: (reading) => report({ type: 'reading', ...reading }, () => session.publishReading(reading)),
    reconnect: () => asLinkErrors(() => session.reconnect()),
    pause: () => session.pause(),
    resume: () => session.resume(),
    cut: () => session.cut(),
    close: () => asLinkErrors(() => session.close()),
  };
}

/** @throws LinkError for everything that is thrown */
async function asLinkErrors<Value>(act: () => Value): Promise<Awaited<Value>> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof LinkError) throw error;
    const known = hasField(error, 'failure', isFailure) ? (error as { failure: LinkFailure }).failure : undefined;
    throw new LinkError(known ?? { reason: 'closed', message: messageOf(error) }, { cause: error });
  }
}

function isFailure(value: unknown): boolean {
  return (
    hasField(value, 'reason', (reason) => LINK_FAILURE_REASONS.some((known) => known === reason)) &&
    hasField(value, 'message', (message) => typeof message === 'string') &&
    (!('lines' in (value as object)) || hasField(value, 'lines', isTexts))
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function readFailure(failure: unknown): LinkFailure {
  if (isFailure(failure)) return failure as LinkFailure;
  return { reason: 'closed', message: 'the connection ended, and the link did not say why' };
}

function brokenPort(message: string): LinkError {
  return new LinkError({ reason: 'protocol', message });
}

function hasMethod<Name extends string>(
  value: unknown,
  name: Name,
): value is Readonly<Record<Name, (...args: unknown[]) => unknown>> {
  return hasField(value, name, (field) => typeof field === 'function');
}

function hasField(value: unknown, name: string, fits: (field: unknown) => boolean): boolean {
  return typeof value === 'object' && value !== null && fits(Reflect.get(value, name));
}
