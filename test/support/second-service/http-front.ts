/**
 * The HTTP side: who is calling, for whom, how often; then the route; then what every answer carries.
 */

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';

import { notFound, Refusal, type Answer, type Call } from './reading-requests.ts';
import type { Account, Store } from './store.ts';

export type Route = (call: Call) => Answer;
/** `METHOD /path/:placeholder` and what answers it; the first that fits is taken. */
export type Routes = readonly (readonly [string, Route])[];

const MOST_BODY_BYTES = 50 * 1024 * 1024;
const RATE_PER_SECOND = 10;
const BURST = 35;

const EVERYONE = {
  'Content-Type': 'application/json',
  'Api-Version': '2.4.0',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Expose-Headers': '*',
};

/** Whose key it is. A client key opens the link alone. */
export function accountOfKey(store: Store, key: string): Account | undefined {
  return [...store.accounts.values()].find(({ keys }) => [...keys.values()].includes(key));
}

/** The user name of Basic credentials, when the password is empty. */
export function basicKey(header: string | undefined): string | undefined {
  const encoded = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  return /^([^:]+):?$/.exec(Buffer.from(encoded, 'base64').toString('utf8'))?.[1];
}

export interface HttpFrontOptions {
  readonly store: Store;
  readonly routes: Routes;
  readonly hasRateLimit: boolean;
}

export function createHttpFront({ store, routes, hasRateLimit }: HttpFrontOptions): Server {
  const { clock } = store;
  const buckets = new Map<number, { left: number; at: number }>();

  const isTooMuch = (account: Account): boolean => {
    const now = clock.now();
    const bucket = buckets.get(account.id) ?? { left: BURST, at: now };
    bucket.left = Math.min(BURST, bucket.left + ((now - bucket.at) / 1000) * RATE_PER_SECOND);
    bucket.at = now;
    buckets.set(account.id, bucket);
    if (bucket.left < 1) return true;
    bucket.left--;
    return false;
  };

  const answer = async (
    request: IncomingMessage,
    requestId: string,
    about: Record<string, string>,
  ): Promise<Answer> => {
    const { method = 'GET', url = '/', headers } = request;
    const [rawPath = '/', query = ''] = splitOnce(url, '?');
    if (method === 'OPTIONS') return { json: {} };
    const segments = pathSegments(rawPath, method);
    if (method === 'GET' && segments.join('/') === 'ping') return { json: 'pong' };
    const caller = accountOfKey(store, basicKey(headers.authorization) ?? '');
    if (!caller) throw refuseCredentials(about, 'The API key is missing or unknown');
    const account = actingFor(store, caller, headers, about);
    about['X-Account'] = String(account.id);
    about['X-Auth-With'] = 'ApiKey';
    if (hasRateLimit && isTooMuch(account)) {
      throw new Refusal(429, 'TooManyRequests', 'More than 10 requests a second');
    }
    const body = await readBytes(request);
    if (segments.join('/') === 'noop' && method === 'GET') return { json: requestId };
    const { route, path } = findRoute(routes, method, segments);
    return route({
      requestId,
      method,
      path,
      query: new URLSearchParams(query),
      headers,
      account,
      caller,
      body,
    });
  };

  const server = createServer((request, response) => {
    const requestId = randomUUID();
    const startedAt = process.hrtime.bigint();
    const about: Record<string, string> = {};
    const done = clock.busy(`${request.method} ${request.url}`);
    response.on('close', done);
    answer(request, requestId, about)
      .catch((error: unknown) => refused(error, requestId))
      .then(({ status = 200, headers, json }) => {
        const milliseconds = Number(process.hrtime.bigint() - startedAt) / 1e6;
        const body = json === undefined ? '' : JSON.stringify(json);
        response.writeHead(status, {
          ...EVERYONE,
          'Request-Id': requestId,
          Elapsed: (milliseconds / 1000).toFixed(6),
          'Response-Time': `${Math.round(milliseconds)}`,
          'Content-MD5': createHash('md5').update(body).digest('base64'),
          ...(status === 204 ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
          ...about,
          ...headers,
        });
        response.end(body);
        request.resume();
      })
      .catch(() => response.destroy());
  });
  server.on('clientError', refuseBytes);
  return server;
}

function refused(error: unknown, requestId: string): Answer {
  const { status, code, message } = error instanceof Refusal ? error : new Refusal(500, 'InternalError', String(error));
  return { status, json: { uid: requestId, code, message } };
}

/** Bytes that are no HTTP get an answer all the same. */
function refuseBytes(_: Error, socket: Socket): void {
  if (!socket.writable) return;
  const requestId = randomUUID();
  const body = JSON.stringify({ uid: requestId, code: 'BadRequest', message: 'This is no HTTP request' });
  const head = Object.entries({
    ...EVERYONE,
    'Request-Id': requestId,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(['HTTP/1.1 400 Bad Request', ...head, '', body].join('\r\n'));
}

function refuseCredentials(about: Record<string, string>, message: string): Refusal {
  about['WWW-Authenticate'] = 'Basic realm=Api';
  return new Refusal(401, 'InvalidCredentials', message);
}

const STRATEGIES: readonly (readonly [string, (child: Account, value: string) => boolean])[] = [
  ['X-Child-Account-By-Id', ({ id }, value) => String(id) === value],
  ['X-Child-Account-By-Email', ({ email }, value) => email === value],
  ['X-Child-Account-By-CreatorRef', ({ creatorRef }, value) => creatorRef === value],
];

/** The account that a request is for. With several headers, all must name the same child. */
function actingFor(
  store: Store,
  caller: Account,
  headers: IncomingMessage['headers'],
  about: Record<string, string>,
): Account {
  const given = STRATEGIES.filter(([header]) => headers[header.toLowerCase()] !== undefined);
  if (given.length === 0) return caller;
  const child = store
    .childrenOf(caller)
    .find((one) => given.every(([header, isMeant]) => isMeant(one, String(headers[header.toLowerCase()]))));
  if (!child) throw refuseCredentials(about, 'The header names no Child Account');
  for (const [header] of given) about[header] = String(headers[header.toLowerCase()]);
  about['X-Authorized-As'] = String(caller.id);
  return child;
}

/** An empty last segment is left out, but for a DELETE: there it is more likely an id that was forgotten. */
function pathSegments(rawPath: string, method: string): readonly string[] {
  const segments = rawPath.replace(/^\/+/, '').split('/');
  if (segments.at(-1) === '' && method !== 'DELETE') segments.pop();
  try {
    return segments.map((segment) => decodeURIComponent(segment.replaceAll('+', ' ')));
  } catch {
    throw new Refusal(400, 'BadRequest', 'The path is not well encoded');
  }
}

function splitOnce(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function findRoute(
  routes: Routes,
  method: string,
  segments: readonly string[],
): { readonly route: Route; readonly path: Record<string, string> } {
  let isKnownPath = false;
  for (const [pattern, route] of routes) {
    const [verb, template = ''] = splitOnce(pattern, ' ');
    const path = matchPath(template, segments);
    if (!path) continue;
    isKnownPath = true;
    if (verb === method) return { route, path };
  }
  if (isKnownPath) throw new Refusal(405, 'MethodNotAllowed', `${method} is not for this path`);
  throw notFound('There is nothing at this path');
}

function matchPath(template: string, segments: readonly string[]): Record<string, string> | undefined {
  const parts = template.slice(1).split('/');
  if (parts.length !== segments.length) return undefined;
  const path: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':') && segment !== '') path[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return path;
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_BODY_BYTES) chunks.push(chunk);
      else reject(new Refusal(413, 'BodyTooLarge', 'A body has at most 50 MB'));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}
