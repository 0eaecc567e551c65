// A request on its way: body, credentials, rate, route, and the headers of every answer.
import { createHash, randomBytes } from 'node:crypto';
import { callerOf } from './accounts.mjs';
import { readBody } from './body.mjs';
import { Refusal, unfit } from './errors.mjs';
import { pageOf } from './pages.mjs';
import { route } from './routes.mjs';

/** What may end in a set. */
const OF_SETS = new Set(['computers', 'printers', 'printjobs', 'download']);
const BODY_MOST = 50 * 1024 * 1024;

export async function handle(request, response) {
  const since = process.hrtime();
  const requestId = `${Date.now().toString(36)}.${randomBytes(9).toString('base64url')}`;
  let answer;
  try {
    answer = await answerTo(request, requestId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, message, headers } = error;
    // A connection on which something went wrong is not used again.
    answer = { status, body: { uid: requestId, message, code }, headers: { ...headers, Connection: 'close' } };
  }
  send(request, response, { requestId, since, ...answer });
}

async function answerTo(request, requestId) {
  const bytes = await bytesOf(request);
  const { segments, query } = targetOf(request);
  if (request.method === 'OPTIONS') return { status: 200, body: null };
  if (segments.join('/') === 'ping' && request.method === 'GET') return { status: 200, body: { alive: true } };
  const caller = callerOf(request);
  if (!caller.payer.bucket.take()) throw new Refusal(429, 'TooManyRequests', 'more than ten a second', caller.headers);
  try {
    if (bytes === undefined) throw new Refusal(413, 'TooLarge', 'a body has at most 50 MB');
    const { run, args, isOpen } = route(request.method, segments);
    const body = isOpen ? undefined : readBody(request.headers, bytes);
    const outcome = await run({ ...caller, request, requestId, body, query, page: () => pageOf(query) }, ...args);
    const { status = 200, value, headers = {}, list } = outcome ?? {};
    const extra = list ? listHeaders(list) : {};
    return { status, body: list ? list.shown : (value ?? null), headers: { ...caller.headers, ...extra, ...headers } };
  } catch (error) {
    if (error instanceof Refusal) Object.assign(error.headers, caller.headers);
    throw error;
  }
}

/** Undefined where there are too many; they are read to their end all the same. */
async function bytesOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= BODY_MOST) chunks.push(chunk);
  }
  return length > BODY_MOST ? undefined : Buffer.concat(chunks);
}

/** An empty segment is let pass at the beginning, and where it cannot be meant as an empty set. */
function targetOf({ url, method }) {
  const [path, search = ''] = url.split(/\?(.*)/s);
  const raw = path.replace(/^\/+/, '').split('/');
  if (raw.length > 1 && raw.at(-1) === '' && (method === 'GET' || !OF_SETS.has(raw[0]))) raw.pop();
  if (raw.length > 1 && raw.includes('')) throw unfit('a part of the path is empty');
  try {
    return { segments: raw.map(decodeURIComponent), query: new URLSearchParams(search) };
  } catch {
    throw unfit('the path is not encoded as it should be');
  }
}

function listHeaders({ shown, from, limit, total }) {
  return {
    'Records-Total': total,
    'Records-Returned-Limit': limit,
    'Records-Returned-Offset': from,
    'Records-Returned': shown.length,
  };
}

function send(request, response, { requestId, since, status, body, headers = {} }) {
  const text = JSON.stringify(body, null, request.headers['x-pretty'] ? '\t' : undefined);
  const [seconds, nanoseconds] = process.hrtime(since);
  const tookMs = seconds * 1e3 + nanoseconds / 1e6;
  const all = {
    ...headers,
    'access-control-expose-headers': '*, Authorization',
    'access-control-allow-methods': 'DELETE, GET, OPTIONS, PATCH, POST, PUT',
    'access-control-allow-headers': 'authorization, content-type, x-idempotency-key',
    'access-control-allow-origin': '*',
    'api-version': '4.0.0-stranger.2+node',
    'response-time': `${tookMs.toFixed(1)} milliseconds`,
    'content-md5': createHash('md5').update(text).digest('hex'),
    'request-id': requestId,
    elapsed: (tookMs / 1_000).toFixed(7),
    'content-type': 'application/json',
  };
  // A short answer says its length, a long one comes in pieces.
  if (text.length < 200) all['content-length'] = Buffer.byteLength(text);
  response.writeHead(status, 'So be it', all);
  const half = Math.floor(text.length / 2);
  if (text.length >= 200) response.write(text.slice(0, half));
  response.end(text.length >= 200 ? text.slice(half) : text);
}
