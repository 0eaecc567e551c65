/**
 * Remote target: a service reached by its address, with a preflight that reports a wrong address or key before
 * hundreds of checks fail for that reason.
 *
 * The preflight stops only where checks would say nothing about the service:
 *
 *   no answer, no HTTP, no whole answer in time    it is not there
 *   HTML, or no 200 from /ping and no other JSON   the address is that of something else (a web site,
 *   nothing but 404 or no JSON from the others     a login page, a proxy), or has a wrong path
 *   401, 403 or 404 to the given key alone         nearly every check would fail for the key alone
 *   429 to everything                             nothing can be asked
 *
 * Anything else that answers is checked, however wrong its answers.
 */

import { ActionableError } from '../common/actionable-error.ts';
import { inOneLine } from '../common/in-one-line.ts';
import { basicAuthorization } from '../common/basic-authorization.ts';
import { sleep, systemClock } from '../common/clock.ts';
import { isObject, NotJson, parseJson } from '../common/json-value.ts';
import { addressOf } from '../common/service-address.ts';
import { realTimekeeper } from '../common/timekeeper.ts';
import { headerValues, type HeaderPair } from '../common/header-pairs.ts';
import {
  createHttpSender,
  type Exchange,
  type HttpSender,
  type WireFailure,
  WIRE_FAILURE_WORDS,
  type WireFailureKind,
} from '../wire/http-exchange.ts';
import { DEFAULT_REQUESTS_PER_SECOND, type Target } from './target.ts';

/** `isIntegrator` counts where GET /whoami does not say it; `requestsPerSecond` has a default. */
export interface RemoteTargetOptions extends Pick<
  Target,
  'apiKey' | 'secondApiKey' | 'link' | 'integratorApiKey' | 'callbackHost' | 'isIntegrator' | 'requestsPerSecond'
> {
  readonly url: string;
  /** How long the preflight waits for each answer. Default 10 s. */
  readonly preflightLimitMs?: number | undefined;
}

/**
 * A target at an address, after the preflight.
 *
 * @throws ActionableError of kind usage when the address is invalid or the key is refused, of kind unreachable
 *   when the preflight says that checking makes no sense
 */
export async function remoteTarget(options: RemoteTargetOptions): Promise<Target> {
  const baseUrl = parseBaseUrl(options.url);
  const { apiKey, secondApiKey, link, integratorApiKey, callbackHost } = options;
  if (secondApiKey === apiKey) throw sameKeyTwice();
  const sender = createHttpSender({ limitMs: options.preflightLimitMs });
  let isIntegrator: boolean | undefined;
  try {
    await preflight(sender, baseUrl, apiKey);
    await ensureTaken(sender, baseUrl, apiKey, KEYS.first);
    await refuseOtherServer(sender, baseUrl, apiKey);
    if (secondApiKey !== undefined) await ensureTaken(sender, baseUrl, secondApiKey, KEYS.second);
    if (integratorApiKey !== undefined) await ensureTaken(sender, baseUrl, integratorApiKey, KEYS.integrator);
    isIntegrator = (await saysItIsIntegrator(sender, baseUrl, apiKey)) ?? options.isIntegrator;
  } finally {
    await sender.close();
  }
  return {
    name: baseUrl,
    kind: 'remote',
    baseUrl,
    apiKey,
    isIntegrator,
    clock: systemClock,
    timekeeper: realTimekeeper,
    requestsPerSecond: options.requestsPerSecond ?? DEFAULT_REQUESTS_PER_SECOND,
    secondApiKey,
    link,
    integratorApiKey,
    callbackHost,
    close: () => Promise.resolve(),
  };
}

function parseBaseUrl(text: string): string {
  const nextStep = 'Write it whole, for example https://print.example or http://localhost:8631.';
  return addressOf(text, 'a service', nextStep).href.replace(/\/+$/, '');
}

async function preflight(sender: HttpSender, baseUrl: string, apiKey: string): Promise<void> {
  const bare = await ask(sender, baseUrl, '/ping', []);
  // A service that wrongly demands a key here is one all the same: a check reports it.
  const ping = bare.response.status === 401 ? await ask(sender, baseUrl, '/ping', [authorizationOf(apiKey)]) : bare;
  refuseRedirect(ping);
  refuseUnavailable(ping);
  refuseHtml(ping);
  if (ping.response.status !== 200 && !(await answersWithJson(sender, baseUrl, apiKey))) throw otherServer(ping);
}

/** Endpoints without parameters that every service has, and that answer JSON. */
const SURE_PATHS = ['/noop', '/whoami', '/computers', '/printers'] as const;

/** Whether it is a service all the same, whose /ping is for a check to report. */
async function answersWithJson(sender: HttpSender, baseUrl: string, apiKey: string): Promise<boolean> {
  // The control API has JSON there as well.
  if (withoutPagePath(baseUrl) !== undefined) return false;
  for (const path of SURE_PATHS) {
    const { status, body } = (await ask(sender, baseUrl, path, [authorizationOf(apiKey)])).response;
    if (status < 300 && !(parseJson(body) instanceof NotJson)) return true;
  }
  return false;
}

/** A server that answers any path with 200 and a text, or nothing but /ping, is not a service with defects. */
async function refuseOtherServer(sender: HttpSender, baseUrl: string, apiKey: string): Promise<void> {
  const seen: string[] = [];
  for (const path of SURE_PATHS) {
    const { response } = await ask(sender, baseUrl, path, [authorizationOf(apiKey)]);
    const isMissing = response.status === 404 || response.status === 405;
    const isText = response.status < 300 && parseJson(response.body) instanceof NotJson;
    if (!isMissing && !isText) return;
    seen.push(`${path} ${response.status}${isText ? ' without JSON' : ''}`);
  }
  throw new ActionableError(
    'unreachable',
    `${baseUrl} is not a printing service: it answers ${seen.join(', ')}`,
    withoutPagePath(baseUrl) ?? WRONG_ADDRESS,
  );
}

const WRONG_ADDRESS = 'Give the base address of the API; a path prefix such as /api may be wrong.';

/** The name of a key, and where it is given. */
interface KeyName {
  readonly name: string;
  readonly place: string;
}

const KEYS = {
  first: { name: 'the API key', place: '--key or in PLATEN_API_KEY' },
  second: { name: 'the second API key', place: '--second-key' },
  integrator: { name: 'the API key of the Integrator', place: '--integrator-key' },
} as const satisfies Readonly<Record<string, KeyName>>;

/** Statuses with which a service may say that it does not know a key. */
const REFUSING: ReadonlySet<number> = new Set([401, 403, 404]);

/** A key that no endpoint takes is more likely wrong than a service that refuses everything. */
async function ensureTaken(
  sender: HttpSender,
  baseUrl: string,
  apiKey: string,
  { name, place }: KeyName,
): Promise<void> {
  const seen: string[] = [];
  const statuses = new Set<number>();
  for (const path of SURE_PATHS) {
    const { status } = (await ask(sender, baseUrl, path, [authorizationOf(apiKey)])).response;
    if (!REFUSING.has(status)) return;
    seen.push(`GET ${path} answered ${status}`);
    statuses.add(status);
  }
  const isAddress = statuses.size === 1 && statuses.has(404) && !(await asksForKey(sender, baseUrl));
  if (isAddress) return;
  // The kind is `usage` because another command is needed.
  throw new ActionableError(
    'usage',
    `${baseUrl} refused ${name}: ${seen.join(', ')}`,
    `Give a key of this service with ${place}, or in the descriptor.`,
  );
}

/** Whether it answers in another way without any key: then the paths are right. */
async function asksForKey(sender: HttpSender, baseUrl: string): Promise<boolean> {
  const { status } = (await ask(sender, baseUrl, SURE_PATHS[0], [])).response;
  return status === 401 || status === 403;
}

function sameKeyTwice(): ActionableError {
  return new ActionableError(
    'usage',
    'the second API key is the same as the first',
    'Give the key of an unrelated account, not of a Child Account of the first, or omit it.',
  );
}

function authorizationOf(apiKey: string): HeaderPair {
  return ['Authorization', basicAuthorization(apiKey)];
}

/** Anything else wrong with the answer is for the checks to report. */
async function saysItIsIntegrator(sender: HttpSender, baseUrl: string, apiKey: string): Promise<boolean | undefined> {
  const headers = [authorizationOf(apiKey)];
  const outcome = await sender.send({ method: 'GET', baseUrl, path: '/whoami', headers });
  return outcome.ok ? mayCreateAccounts(parseJson(outcome.value.response.body)) : undefined;
}

/** As the account object says it, in whatever case its keys are and whatever is around it. */
function mayCreateAccounts(account: unknown): boolean | undefined {
  if (!isObject(account) && !Array.isArray(account)) return undefined;
  for (const [name, member] of Object.entries(account) as readonly [string, unknown][]) {
    if (/^can_?create_?sub_?accounts$/i.test(name)) return String(member) === 'true';
    const inner = mayCreateAccounts(member);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

async function ask(
  sender: HttpSender,
  baseUrl: string,
  path: string,
  headers: readonly HeaderPair[],
): Promise<Exchange> {
  for (let turn = 1; ; turn++) {
    const outcome = await sender.send({ method: 'GET', baseUrl, path, headers });
    if (!outcome.ok) throw unreachable(baseUrl, outcome.error);
    if (outcome.value.response.status !== TOO_MANY) return outcome.value;
    if (turn === TURNS) throw tooMany(baseUrl, path);
    await sleep(systemClock, PAUSE_MS);
  }
}

const TOO_MANY = 429;
/** How often it is asked what it refuses for the rate, and how long it rests between. */
const TURNS = 3;
const PAUSE_MS = 3_000;

function tooMany(baseUrl: string, path: string): ActionableError {
  return new ActionableError(
    'unreachable',
    `${baseUrl} answers 429 to GET ${path}, also after ${((TURNS - 1) * PAUSE_MS) / 1_000} seconds without a request`,
    'Is another run using the same account or address? Raise the limit, or wait until it has recovered.',
  );
}

const NEXT_STEP: Readonly<Record<WireFailureKind, string>> = {
  'no-tls': 'Write http:// in place of https://, or start it with TLS.',
  refused: 'Is the service running, and is the port right?',
  unresolved: 'Is the host name spelled right?',
  tls: 'Is its certificate valid, and does it speak HTTPS on this port? --ca FILE names the certificate of your own authority.',
  reset: 'Does it speak HTTPS on this port (https://)? Is there a proxy that closes the connection?',
  timeout: 'Is the service overloaded, or does a firewall drop the connection?',
  'not-http': 'Is the port that of an HTTP service, or of HTTPS (https://)?',
  'too-large': 'Is the address that of the API?',
  failed: 'Try the address with curl.',
};

function unreachable(baseUrl: string, { kind, message, request }: WireFailure): ActionableError {
  return new ActionableError(
    'unreachable',
    `${baseUrl} does not answer GET ${request.path} (${WIRE_FAILURE_WORDS[kind] ?? `${kind}: ${message}`})`,
    NEXT_STEP[kind],
  );
}

function refuseRedirect({ request, response }: Exchange): void {
  if (response.status < 300 || response.status >= 400) return;
  const location = headerValues(response.headers, 'location')[0] ?? 'nowhere';
  throw new ActionableError(
    'unreachable',
    `${request.baseUrl} redirects GET ${request.path} to ${location}; redirects are not followed`,
    'Give the address that it redirects to, if that is the service.',
  );
}

/** A page of maintenance is HTML too. */
function refuseUnavailable({ request: { baseUrl }, response: { status } }: Exchange): void {
  if (status < 500) return;
  throw new ActionableError(
    'unreachable',
    `${baseUrl} is not available: GET /ping answers ${status}`,
    'It may be starting, or down for maintenance: try again, and look at its log.',
  );
}

function refuseHtml({ request, response }: Exchange): void {
  const type = headerValues(response.headers, 'content-type')[0] ?? '';
  if (!/html/i.test(type) && !/^\s*<(!doctype|html)/i.test(response.body.subarray(0, 200).toString('utf8'))) return;
  throw new ActionableError(
    'unreachable',
    `${request.baseUrl} answers GET ${request.path} with HTML (status ${response.status}): it is a web site, not the API`,
    'Give the base address of the API; a path prefix such as /api may be missing.',
  );
}

function otherServer({ request: { baseUrl }, response: { status, body } }: Exchange): ActionableError {
  const beginning = inOneLine(body.toString('utf8', 0, SHOWN_BYTES));
  return new ActionableError(
    'unreachable',
    `${baseUrl} is not a printing service: GET /ping answers ${status}${beginning && `, with ${beginning}`}`,
    withoutPagePath(baseUrl) ?? WRONG_ADDRESS,
  );
}

const SHOWN_BYTES = 100;

/** People copy the address of the page. */
function withoutPagePath(baseUrl: string): string | undefined {
  const [, service] = /^(.*)\/_platen(?:\/|$)/.exec(baseUrl) ?? [];
  return service && `That is the address of the page of a workbench. Its service is at ${service}`;
}
