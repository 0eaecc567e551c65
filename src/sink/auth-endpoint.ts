/**
 * Authentication endpoint: what a caller with a custom-branded client runs, so that its end users log in with
 * the caller's accounts, and their passwords never reach the service.
 *
 *   client ── GET {auth_url}?uuid=&version=&edition=[&computerName=], Basic user:pass ──► endpoint
 *                                                      endpoint ── obtainClientKey ──► service
 *   client ◄── 200 "client key"  or  401 {code: 'Unauthorized', message} ── endpoint
 *
 * The specification does not name the query parameters. `uuid`, `version` and `edition` have their names from
 * GET /client/key/{uuid}. A request without proper ones gets 400; when the service gives no key, it gets 502;
 * both as {code, message}. Nothing here stores, logs or repeats a password.
 */

import type { Clock } from '../common/clock.ts';
import { messageOf } from '../common/error-message.ts';
import { within } from '../common/waiter.ts';
import { ERRORS } from '../specification/errors.ts';
import { basicCredentials, sameSecret, type Credentials } from './basic-credentials.ts';
import { ReceivedLog } from './received-log.ts';
import { jsonAnswer, type Answer } from './reply.ts';
import { startSinkServer, type SinkRequest, type SinkServer } from './sink-server.ts';

const LOGIN_BODY_MAX_BYTES = 64 * 1024;
const KEY_LIMIT = '10s';
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The client that asks for a key, and for whom. */
export interface ClientIdentity {
  /** Client identifier, a version 4 UUID. */
  readonly uuid: string;
  readonly edition: string;
  readonly version: string;
  readonly user: string;
  /** Null when the client does not say. */
  readonly computerName: string | null;
}

interface AuthEndpointOptions {
  readonly clock: Clock;
  /** Who may log in. */
  readonly users: readonly Credentials[];
  /**
   * Gets a client key from the service with the caller's own key: GET /client/key/{uuid}?edition=&version=,
   * for a Child Account that it may create first. Rejects when it gets none.
   */
  readonly obtainClientKey: (client: ClientIdentity) => Promise<string>;
}

const PARAMETER_NAMES = ['uuid', 'version', 'edition', 'computerName'] as const;
type ClientParameters = { readonly [name in (typeof PARAMETER_NAMES)[number]]?: string };

export interface LoginAttempt extends Pick<SinkRequest, 'arrivedAtMs' | 'arrivedMonotonicMs' | 'method' | 'path'> {
  /** The user name as given; null without well-formed Basic credentials. */
  readonly user: string | null;
  /** The parameters of the client that were given; others are not kept. */
  readonly parameters: ClientParameters;
  readonly status: number;
  /** Why the service gave no key; null when it did or was not asked. */
  readonly problem: string | null;
}

export interface AuthEndpoint extends SinkServer {
  readonly log: ReceivedLog<LoginAttempt>;
}

interface Judgement {
  readonly answer: Answer;
  readonly problem?: string;
}

/** Starts an endpoint on a free loopback port; it answers at every path. */
export async function startAuthEndpoint(options: AuthEndpointOptions): Promise<AuthEndpoint> {
  const log = new ReceivedLog<LoginAttempt>();
  const server = await startSinkServer({
    clock: options.clock,
    bodyMaxBytes: LOGIN_BODY_MAX_BYTES,
    async answer(request) {
      const given = basicCredentials(request.rawHeaders);
      const parameters = clientParameters(request.query);
      const { answer, problem = null } = await judge(request, given, parameters, options);
      const { arrivedAtMs, arrivedMonotonicMs, method, path } = request;
      const user = given?.user ?? null;
      const { status } = answer;
      log.add({ arrivedAtMs, arrivedMonotonicMs, method, path, user, parameters, status, problem });
      return answer;
    },
  });
  return { ...server, log };
}

async function judge(
  request: SinkRequest,
  given: Credentials | undefined,
  parameters: ClientParameters,
  options: AuthEndpointOptions,
): Promise<Judgement> {
  if (request.method !== 'GET') return refusal(405, 'MethodNotAllowed', 'Ask with GET.', ['Allow', 'GET']);
  if (!given || !isKnown(given, options.users)) {
    return refusal(ERRORS.Unauthorized.status, ERRORS.Unauthorized.code, 'User name or password is wrong.', [
      'WWW-Authenticate',
      'Basic realm="login", charset="UTF-8"',
    ]);
  }
  const { uuid, version, edition, computerName } = parameters;
  if (uuid === undefined || !UUID_V4.test(uuid)) {
    return refusal(400, 'BadRequest', 'The parameter uuid must be a version 4 UUID.');
  }
  if (!version || !edition) return refusal(400, 'BadRequest', 'The parameters version and edition are needed.');
  return keyFor({ uuid, version, edition, user: given.user, computerName: computerName ?? null }, options);
}

async function keyFor(client: ClientIdentity, options: AuthEndpointOptions): Promise<Judgement> {
  const { clock, obtainClientKey } = options;
  const description = `a client key for ${client.uuid}`;
  try {
    const work = obtainClientKey(client);
    return { answer: jsonAnswer(200, await within(work, { description, limit: KEY_LIMIT, clock })) };
  } catch (error) {
    const problem = messageOf(error);
    return { ...refusal(502, 'BadGateway', 'The printing service gave no client key.'), problem };
  }
}

function refusal(
  status: number,
  code: string,
  message: string,
  header?: readonly [name: string, value: string],
): Judgement {
  return { answer: jsonAnswer(status, { code, message }, header ? [header] : []) };
}

function isKnown(given: Credentials, users: readonly Credentials[]): boolean {
  return users.some(({ user, pass }) => user === given.user && sameSecret(pass, given.pass));
}

/** The first value of each parameter of the client. */
function clientParameters(query: string): ClientParameters {
  const given = new URLSearchParams(query);
  return Object.fromEntries(
    PARAMETER_NAMES.map((name) => [name, given.get(name)] as const).filter(([, value]) => value !== null),
  );
}
