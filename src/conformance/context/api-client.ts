/**
 * API client of a check: requests in the words of the specification, recorded in the history.
 *
 * It interprets nothing, and repeats only what was refused for its rate: a service may count in another way than we
 * keep below it. A request without a complete answer ends the check, and the target is to blame.
 */

import { requestName } from '../../common/request-name.ts';
import { basicAuthorization } from '../../common/basic-authorization.ts';
import { isObject, type JsonObject, NotJson, parseJson } from '../../common/json-value.ts';
import { leavesOf } from '../../common/places.ts';
import { success, type Outcome } from '../../common/outcome.ts';
import type { HeaderPair } from '../../common/header-pairs.ts';
import { realTimekeeper } from '../../common/timekeeper.ts';
import type { Press } from '../../devices/press/press.ts';
import { ERRORS } from '../../specification/errors.ts';
import { MEDIA_TYPES } from '../../specification/headers.ts';
import { submittedJob } from '../../link/submitted-job.ts';
import type { QuestionId } from '../../targets/dialect.ts';
import { unreadBody } from '../../stage/absences.ts';
import type { Ask } from '../../stage/manner.ts';
import type { Target } from '../../targets/target.ts';
import type { Exchange, HttpRequest, HttpSender, WireFailure } from '../../wire/http-exchange.ts';
import { asRecords, isId, recordIds } from '../expect/records.ts';
import type { Turns } from './pacing.ts';
import { answerOf, usualIdName, type Answer } from '../expect/answer.ts';
import { formOf, objectOf } from '../generate/form-body.ts';
import { CheckEnded, ifOffered, isUntestable } from './check-ended.ts';
import type { History } from './history.ts';
import type { NumberedExchange } from './judgement.ts';
import type { Offers } from './offers.ts';
import type { ActName, MetDeviation, Reader } from './reader.ts';
import type { Traffic } from './traffic.ts';

type IdQuestion = Extract<QuestionId, 'job-id' | 'download-id'>;

/** A request as a check words it. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: readonly HeaderPair[];
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as a form with the same keys, in place of JSON. */
  readonly form?: object;
  /** Sent as it stands; wins over `json`. */
  readonly body?: Uint8Array | string;
  /** Sent in chunks, without a Content-Length. */
  readonly isChunked?: boolean;
  /** The Authorization header, or null for none at all. Default: the key of the account as user name. */
  readonly authorization?: string | null;
}

/** What of a request is its body. */
export type Content = Pick<ApiRequest, 'headers' | 'json' | 'form' | 'body' | 'isChunked'>;

export interface ApiClient {
  readonly send: (request: ApiRequest) => Promise<Answer>;
  /**
   * As `send`, for requests that race: one without an answer does not end the check, since it may have taken
   * effect.
   */
  readonly attempt: (request: ApiRequest) => Promise<Attempt>;
  readonly get: (path: string, headers?: readonly HeaderPair[]) => Promise<Answer>;
  /** Without `json`, and so of `put`: no body. */
  readonly post: (path: string, json?: unknown, headers?: readonly HeaderPair[]) => Promise<Answer>;
  readonly put: (path: string, json?: unknown) => Promise<Answer>;
  readonly patch: (path: string, json: unknown) => Promise<Answer>;
  readonly delete: (path: string) => Promise<Answer>;
}

/** A request that may have got no answer, on a scale of milliseconds that never jumps. */
export interface Attempt {
  readonly answer: Answer | undefined;
  readonly startMs: number;
  readonly endMs: number;
}

/** What the clients of one check share. */
export interface Transport {
  readonly target: Target;
  readonly turns: Turns;
  /** Sends whether or not it is its turn. */
  readonly sender: HttpSender;
  /** Sends from another source address. */
  readonly elsewhere?: HttpSender | undefined;
  readonly history: History;
  readonly press?: Press | undefined;
  /** Which endpoints are there; without it, all of them. */
  readonly offers?: Offers | undefined;
  /** Sends faster than the rate on purpose, and takes a 429 for what it is. */
  readonly isUnpaced?: true | undefined;
  /** How long this check has let time go by, on the clock of the target. */
  readonly waitedMs: () => number;
  /** What this check has seen so far. */
  readonly exchanges: NumberedExchange[];
  readonly wireFailures: WireFailure[];
  /** What answers are taken for; without it, for what they are. */
  readonly reader?: Reader<Transport> | undefined;
  /** What this check has met of how the service does things otherwise than printed, each once for a clause. */
  readonly met: MetDeviation[];
  /** The acts that are being tried, one for the sake of another. */
  readonly acts?: ReadonlySet<ActName> | undefined;
  /** Ends a check that must not see the things of a trial, which this exchange asks for. */
  readonly postpone?: ((exchange: Exchange) => void) | undefined;
  /** What went over the links of its computers and to its webhooks. */
  readonly traffic: Traffic;
  /**
   * Where records whose shape is not shown have their id: as the descriptor or an earlier asking says, else asked where
   * that is unclear, else undefined.
   */
  readonly idNameOf: (question: IdQuestion, isUnclear: boolean) => Promise<string | undefined>;
  /** Ids of the print jobs it has made, for the cleaning up. */
  readonly jobIds: number[];
  /**
   * Urls of the webhooks of this check, those that should have been refused included: for the cleaning up.
   */
  readonly webhookUrls: Set<string>;
  /** Ends the check when it is over its time: nothing more is sent then. */
  readonly signal: AbortSignal;
}

/** A client that speaks with this key, and adds these headers to every request. */
export function createApiClient(transport: Transport, apiKey: string, always: readonly HeaderPair[] = []): ApiClient {
  const prepare = (request: ApiRequest): HttpRequest => {
    transport.offers?.refuse(request.method, request.path);
    rememberWebhook(transport, request);
    const headers = [...always, ...(request.headers ?? [])];
    return toHttp(transport, apiKey, { ...request, headers });
  };
  const send = async (request: ApiRequest): Promise<Answer> => sendOne(transport, prepare(request));
  return {
    send,
    attempt: async (request) => {
      const outcome = await exchangeOne(transport, prepare(request));
      if (!outcome.ok) {
        return { answer: undefined, startMs: outcome.error.sentMs, endMs: outcome.error.failedMs };
      }
      const { exchange } = outcome.value;
      return { answer: outcome.value, startMs: exchange.sentMs, endMs: exchange.receivedMs };
    },
    get: (path, headers = []) => send({ method: 'GET', path, headers }),
    post: (path, json, headers = []) => send({ method: 'POST', path, json, headers }),
    put: (path, json) => send({ method: 'PUT', path, json }),
    patch: (path, json) => send({ method: 'PATCH', path, json }),
    delete: (path) => send({ method: 'DELETE', path }),
  };
}

/** The fields of a webhook are no longer: some checks send many megabytes. */
const WEBHOOK_MAX_CHARACTERS = 100_000;

function rememberWebhook({ webhookUrls }: Transport, { path, json, form, body }: ApiRequest): void {
  if (!/^\/webhook\b/.test(path)) return;
  const isShortText = typeof body === 'string' && body.length <= WEBHOOK_MAX_CHARACTERS;
  const fields = form ?? json ?? (isShortText ? fieldsOfText(body) : undefined);
  if (isObject(fields) && typeof fields['url'] === 'string') webhookUrls.add(fields['url']);
}

/** The fields of a body that a check wrote itself: JSON, or else a form. */
function fieldsOfText(body: string): unknown {
  const value = parseJson(Buffer.from(body));
  return value instanceof NotJson ? Object.fromEntries(new URLSearchParams(body)) : value;
}

function toHttp({ target }: Transport, apiKey: string, request: ApiRequest): HttpRequest {
  const authorization = request.authorization === undefined ? basicAuthorization(apiKey) : request.authorization;
  const { json, form } = request;
  const encoded = form ? formOf(form) : json === undefined ? undefined : JSON.stringify(json);
  const body = request.body ?? encoded;
  const headers: HeaderPair[] = [];
  if (authorization !== null) headers.push(['Authorization', authorization]);
  if (form) headers.push(['Content-Type', MEDIA_TYPES.form.value]);
  else if (json !== undefined) headers.push(['Content-Type', MEDIA_TYPES.json.value]);
  headers.push(...(request.headers ?? []));
  const { method, path, isChunked = false } = request;
  const bare = { method, baseUrl: target.baseUrl, path, headers, ...(isChunked && { isChunked }) };
  return body === undefined ? bare : { ...bare, body };
}

/** Methods that change nothing. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Ends the check where the target must stay as it is. */
export function refuseToWrite({ isReadOnly }: Target): void {
  if (isReadOnly !== true) return;
  throw new CheckEnded('untestable', 'would change something on a target that is not local; --allow-writes allows it');
}

/** A computer that the account lends is not ours to delete, and nor is any other one there. */
function refuseToDeleteBorrowed({ link, usePrinter }: Target, { method, path }: HttpRequest): void {
  if (link || usePrinter === undefined || method !== 'DELETE' || !/^\/+computers\b/.test(path)) return;
  throw new CheckEnded('untestable', 'would delete computers of an account whose printer is in use');
}

/** How often a request is sent that is refused for its rate, and how long it waits between. */
const TURNS = 3;
const PAUSE_MS = 3_000;

async function sendOne(transport: Transport, request: HttpRequest): Promise<Answer> {
  for (let turn = 1; ; turn++) {
    const outcome = await exchangeOne(transport, request);
    if (!outcome.ok) throw new CheckEnded('fail', unanswered(outcome.error));
    const isTooEarly = outcome.value.status === ERRORS.TooManyRequests.status;
    if (!isTooEarly || turn === TURNS || transport.isUnpaced) return outcome.value;
    const { timekeeper } = transport.target;
    await timekeeper.elapse(PAUSE_MS);
    // A limit may count real time beside a clock that is moved.
    if (turn > 1 && timekeeper.moved) await realTimekeeper.elapse(PAUSE_MS);
  }
}

/** Sends a request when it is its turn, and records what became of it. */
async function exchangeOne(transport: Transport, request: HttpRequest): Promise<Outcome<Answer, WireFailure>> {
  if (!SAFE_METHODS.has(request.method)) refuseToWrite(transport.target);
  refuseToDeleteBorrowed(transport.target, request);
  const sender = await transport.turns.next(request.headers);
  transport.signal.throwIfAborted();
  const waitedMs = transport.waitedMs();
  const outcome = await sender.send(request);
  if (!outcome.ok) {
    transport.wireFailures.push(outcome.error);
    return outcome;
  }
  transport.turns.saw(outcome.value);
  const position = transport.history.add(outcome.value);
  transport.exchanges.push({ position, exchange: outcome.value, waitedMs });
  const { unreadBefore } = outcome.value;
  if (unreadBefore) {
    const deviation = unreadBody(unreadBefore);
    meet(transport, { deviation, here: deviation, exchange: transport.history.exchanges.lastIndexOf(unreadBefore) });
  }
  const exchange = await readAnswer(transport, outcome.value, position);
  const { status } = outcome.value.response;
  await transport.offers?.saw(request.method, request.path, status);
  const answer = answerOf(exchange, position, await idNameIn(transport, exchange), status);
  if (request.method === 'POST' && request.path === '/printjobs' && isId(answer.value)) {
    transport.jobIds.push(answer.value);
    tellProgram(transport, answer.value, request);
  }
  return success(answer);
}

/** The exchange as the specification prints it, where the service is known to do it otherwise. */
async function readAnswer(transport: Transport, exchange: Exchange, position: number): Promise<Exchange> {
  const { reader, history } = transport;
  if (!reader) return exchange;
  const reading = await reader.read(exchange, transport, (path) => askAlike(transport, exchange.request, path));
  for (const one of reading.met) meet(transport, { ...one, exchange: position });
  history.readAs(position, reading.exchange);
  return reading.exchange;
}

function meet({ met }: Transport, one: MetDeviation): void {
  const isKnown = met.some(
    ({ deviation, here }) => deviation.id === one.deviation.id && here.clauses[0] === one.here.clauses[0],
  );
  if (!isKnown) met.push(one);
}

/** Reads an exchange of an earlier time, with the trials that it asks for. */
export async function readAgain(transport: Transport, exchange: Exchange): Promise<void> {
  const position = transport.history.exchanges.lastIndexOf(exchange);
  await readAnswer({ ...transport, postpone: undefined, met: [] }, exchange, position);
}

/** What a GET answers with the headers of a request, but for those that speak of its body. */
async function askAlike(transport: Transport, { baseUrl, headers }: HttpRequest, path: string): ReturnType<Ask['get']> {
  const sent = headers.filter(([name]) => !name.toLowerCase().startsWith('content-'));
  const outcome = await ifOffered(exchangeOne(transport, { method: 'GET', baseUrl, path, headers: sent }));
  return outcome?.ok ? { value: outcome.value.value, headers: outcome.value.exchange.response.headers } : undefined;
}

/** Where a client program prints the job, it is known on paper by what was submitted, as JSON or as a form. */
function tellProgram({ target }: Transport, jobId: number, { body = '' }: HttpRequest): void {
  const program = target.link?.program;
  if (!program) return;
  const value = parseJson(Buffer.from(body));
  const sent = value instanceof NotJson ? objectOf(body.toString()) : value;
  if (isObject(sent) && typeof sent['contentType'] === 'string') program.submitted(submittedJob(jobId, sent));
}

/** Lists of records whose shape the specification does not show. */
const UNSHOWN_LISTS: readonly (readonly [path: RegExp, question: IdQuestion])[] = [
  [/^\/(printers\/[^/]+\/)?printjobs(\/[^/?]+)?(\?|$)/, 'job-id'],
  [/^\/download\/clients(\/[\d,]+)?(\?|$)/, 'download-id'],
];

/** That it could not be found out is no matter to a check that never looks for an id. */
async function idNameIn({ idNameOf, jobIds }: Transport, { request, response }: Exchange): Promise<() => string> {
  const [, question] = UNSHOWN_LISTS.find(([path]) => path.test(request.path)) ?? [];
  if (question === undefined || request.method !== 'GET' || response.status >= 300) return usualIdName;
  const records = asRecords(parseJson(response.body));
  if (!records) return usualIdName;
  try {
    const idName = await idNameOf(question, isUnclear(records, new Set(jobIds)));
    return idName === undefined ? usualIdName : () => idName;
  } catch (error) {
    if (!isUntestable(error)) throw error;
    return () => {
      throw error;
    };
  }
}

/** Whether the records have no `id`, or what POST answered stands elsewhere in them. */
function isUnclear(records: readonly JsonObject[], jobIds: ReadonlySet<unknown>): boolean {
  const ids = recordIds(records);
  if (!ids) return true;
  return !ids.some((id) => jobIds.has(id)) && leavesOf(records).some(([, leaf]) => jobIds.has(leaf));
}

function unanswered({ request, kind, message }: WireFailure): string {
  return `${requestName(request)} got no answer (${kind}: ${message})`;
}
