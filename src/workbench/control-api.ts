/**
 * Control API: what the bench can be asked and told over HTTP, below /_platen on the service's own port.
 *
 * No path of the specification begins with an underscore, so the two never meet. One table, a line a
 * route; who may use it is the guard's affair.
 */

import type { IncomingMessage } from 'node:http';

import { ActionableError } from '../common/actionable-error.ts';
import { parseDuration, type Duration } from '../common/duration.ts';
import { faultRule } from '../common/fault-rule.ts';
import type { Timekeeper } from '../common/timekeeper.ts';
import { faultComplaint, ROOM_FAULTS, type RoomFaults } from '../devices/room-faults.ts';
import { Router } from '../service/router.ts';
import { bytes, ControlError, json, type ControlReply } from './control-reply.ts';
import type { JobQuery } from './job-query.ts';
import { JobWaitExpired, type Jobs } from './jobs.ts';
import type { Pacemaker } from './pacemaker.ts';
import { rawBytes, sheetsPdf, sidePng } from './printed-document.ts';
import type { ServiceClient } from './service-client.ts';

export const CONTROL_PREFIX = '/_platen';

/** What the routes work on. */
export interface ControlParts {
  /** Asked anew each time: a reset begins with other ones. */
  readonly jobs: () => Jobs;
  readonly service: ServiceClient;
  readonly timekeeper: Timekeeper;
  /** Lets a virtual clock run with real time; undefined on a real one. */
  readonly pacemaker: Pacemaker | undefined;
  readonly faults: RoomFaults;
  readonly info: () => Readonly<Record<string, unknown>>;
  readonly reset: () => Promise<void>;
}

interface ControlRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: () => Promise<unknown>;
}

type ControlHandler = (request: ControlRequest, parts: ControlParts) => Promise<ControlReply> | ControlReply;

const ROUTES: readonly {
  readonly method: string;
  readonly path: string;
  readonly handler: ControlHandler;
}[] = [
  { method: 'GET', path: '/health', handler: () => json({ status: 'ready' }) },
  { method: 'GET', path: '/info', handler: (_, { info }) => json(info()) },
  { method: 'GET', path: '/jobs', handler: async (_, { jobs }) => json(await jobs().list()) },
  { method: 'GET', path: '/jobs/wait', handler: waitForJob },
  { method: 'GET', path: '/jobs/{id}', handler: getJob },
  { method: 'GET', path: '/jobs/{id}/sheets.pdf', handler: getSheetsPdf },
  { method: 'GET', path: '/jobs/{id}/sheets/{file}', handler: getSidePng },
  { method: 'GET', path: '/jobs/{id}/raw', handler: getRaw },
  { method: 'GET', path: '/printers', handler: async (_, { service }) => json(await service.printers()) },
  { method: 'GET', path: '/clock', handler: (_, parts) => json(clockOf(parts)) },
  { method: 'POST', path: '/clock/advance', handler: advanceClock },
  { method: 'POST', path: '/clock/resume', handler: (_, parts) => setRunning(parts, true) },
  { method: 'POST', path: '/clock/freeze', handler: (_, parts) => setRunning(parts, false) },
  { method: 'GET', path: '/faults', handler: (_, { faults }) => json(faults.rules) },
  { method: 'POST', path: '/faults', handler: addFault },
  { method: 'DELETE', path: '/faults', handler: clearFaults },
  { method: 'DELETE', path: '/faults/{id}', handler: removeFault },
  { method: 'POST', path: '/reset', handler: resetBench },
];

export class ControlApi {
  readonly #router = new Router<ControlHandler>(ROUTES);
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  /** @throws ControlError when the request cannot be served */
  async answer(request: IncomingMessage): Promise<ControlReply> {
    const url = new URL(request.url ?? '/', 'http://bench');
    const segments = url.pathname
      .slice(CONTROL_PREFIX.length)
      .split('/')
      .filter((part) => part !== '');
    const method = request.method ?? 'GET';
    const match = this.#router.match(method, segments);
    if (match.kind === 'none') throw new ControlError(404, 'NotFound', `there is nothing at ${url.pathname}`);
    if (match.kind === 'other-methods') {
      throw new ControlError(405, 'MethodNotAllowed', `use ${match.allowed.join(' or ')} at ${url.pathname}`);
    }
    const { params, handler } = match;
    return handler({ params, query: url.searchParams, body: () => readJson(request) }, this.#parts);
  }
}

async function waitForJob({ query }: ControlRequest, { jobs }: ControlParts): Promise<ControlReply> {
  const timeout = query.get('timeout') ?? undefined;
  if (timeout !== undefined && parseDuration(timeout) === undefined) {
    throw new ControlError(400, 'BadRequest', `timeout: '${timeout}' is no duration such as 5s`);
  }
  try {
    return json(await jobs().wait(jobQuery(query), timeout === undefined ? {} : { timeout }));
  } catch (error) {
    if (!(error instanceof JobWaitExpired)) throw error;
    throw new ControlError(408, 'WaitExpired', error.message, { closest: error.closest });
  }
}

function jobQuery(query: URLSearchParams): JobQuery {
  return {
    id: wholeNumber(query, 'id'),
    title: query.get('title') ?? undefined,
    printer: query.get('printer') ?? undefined,
    state: query.get('state')?.split(','),
    after: wholeNumber(query, 'after'),
    printouts: wholeNumber(query, 'printouts'),
  };
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ControlError(400, 'BadRequest', `${name}: '${text}' is no whole number`);
}

async function getJob({ params }: ControlRequest, { jobs }: ControlParts): Promise<ControlReply> {
  const job = await jobs().get(jobId(params));
  return job ? json(job) : noJob(params);
}

async function getSheetsPdf({ params }: ControlRequest, { jobs }: ControlParts): Promise<ControlReply> {
  const pdf = await sheetsPdf(jobs().printouts(jobId(params)));
  return pdf ? bytes('application/pdf', pdf) : nothingPrinted('no sheet', params);
}

async function getSidePng({ params }: ControlRequest, { jobs }: ControlParts): Promise<ControlReply> {
  const side = /^([1-9]\d{0,5})\.png$/.exec(params['file'] ?? '')?.[1];
  if (!side)
    throw new ControlError(404, 'NotFound', 'a side of the sheets is at sheets/1.png, sheets/2.png …');
  const png = await sidePng(jobs().printouts(jobId(params)), Number(side));
  return png ? bytes('image/png', png) : nothingPrinted(`no side ${side}`, params);
}

function getRaw({ params }: ControlRequest, { jobs }: ControlParts): ControlReply {
  const raw = rawBytes(jobs().printouts(jobId(params)));
  return raw ? bytes('application/octet-stream', raw) : nothingPrinted('no raw printout', params);
}

function jobId(params: Readonly<Record<string, string>>): number {
  const text = params['id'] ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : noJob(params);
}

function noJob({ id = '' }: Readonly<Record<string, string>>): never {
  throw new ControlError(404, 'NotFound', `there is no job ${id}`);
}

function nothingPrinted(what: string, { id = '' }: Readonly<Record<string, string>>): never {
  throw new ControlError(404, 'NotFound', `${what} of job ${id} has come out of a printer`);
}

async function advanceClock({ body }: ControlRequest, parts: ControlParts): Promise<ControlReply> {
  if (!parts.timekeeper.isVirtual) throw onRealTime('advanced');
  await parts.timekeeper.elapse(durationOf(await body()));
  return json(clockOf(parts));
}

async function setRunning(parts: ControlParts, running: boolean): Promise<ControlReply> {
  if (!parts.pacemaker) throw onRealTime(running ? 'resumed' : 'frozen');
  if (running) parts.pacemaker.resume();
  else await parts.pacemaker.freeze();
  return json(clockOf(parts));
}

function onRealTime(what: string): ControlError {
  return new ControlError(409, 'RealClock', `this bench runs on real time, which cannot be ${what}`);
}

async function addFault({ body }: ControlRequest, { faults }: ControlParts): Promise<ControlReply> {
  const rule = faultRule.safeParse(await body());
  if (!rule.success) {
    const problems = rule.error.issues.map(({ path, message }) => `${path.join('.') || 'rule'}: ${message}`);
    throw new ControlError(400, 'BadRequest', problems.join('; '));
  }
  const complaint = faultComplaint(rule.data, ROOM_FAULTS);
  if (complaint !== undefined) throw new ControlError(400, 'BadRequest', complaint);
  try {
    return json({ id: faults.add(rule.data) }, 201);
  } catch (error) {
    if (!(error instanceof ActionableError)) throw error;
    throw new ControlError(400, 'BadRequest', `${error.message}. ${error.nextStep}`);
  }
}

function clearFaults(_: ControlRequest, { faults }: ControlParts): ControlReply {
  faults.clear();
  return json(faults.rules);
}

function removeFault({ params }: ControlRequest, { faults }: ControlParts): ControlReply {
  const { id = '' } = params;
  if (faults.remove(id)) return json(faults.rules);
  throw new ControlError(404, 'NotFound', `there is no fault rule '${id}' in force`);
}

async function resetBench(_: ControlRequest, { reset }: ControlParts): Promise<ControlReply> {
  await reset();
  return json({ status: 'ready' });
}

function durationOf(body: unknown): Duration {
  const by: unknown = typeof body === 'object' && body !== null && 'by' in body ? body.by : undefined;
  if ((typeof by === 'string' || typeof by === 'number') && parseDuration(by) !== undefined) return by;
  throw new ControlError(400, 'BadRequest', 'send {"by": "14d"}: how far the clock is to go');
}

interface ClockView {
  readonly now: string;
  readonly isVirtual: boolean;
  /** Whether time passes by itself. */
  readonly running: boolean;
}

function clockOf({ timekeeper, pacemaker }: ControlParts): ClockView {
  const now = new Date(timekeeper.now()).toISOString();
  return { now, isVirtual: timekeeper.isVirtual, running: pacemaker?.running ?? true };
}

/** A command to the bench is a line or two; anything longer is none. */
const BODY_MAX_BYTES = 64 * 1024;

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX_BYTES) throw new ControlError(413, 'TooLarge', `more than ${BODY_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new ControlError(400, 'InvalidContent', 'the body is not JSON');
  }
}
