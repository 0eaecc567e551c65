/**
 * Control API: the workbench over HTTP, below /_platen on the service's own port.
 *
 * No path of the specification begins with an underscore, so the two never meet. The routes are data
 * (routes/); who may use them is the guard's affair. A program in this process asks the same routes
 * without a socket between.
 */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { messageOf } from '../../common/error-message.ts';
import { Router } from '../../service/gate/router.ts';
import { CONTROL_PREFIX } from '../defaults.ts';
import type { Workbench } from '../workbench.ts';
import { ApiError, badRequest, invalidContent, notFound } from '../../service/gate/api-error.ts';
import { type ControlReply } from './control-reply.ts';
import type { ControlRoute } from './control-route.ts';

/** A request to the control API, from this process or over HTTP. */
export interface ControlQuestion {
  readonly method: string;
  /** Below the prefix, percent-encoded, with the query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: (mostBytes: number) => Promise<unknown>;
  readonly signal: AbortSignal | undefined;
}

/** Characters of a path that an error repeats. */
const MOST_REPEATED = 200;

export class ControlApi {
  readonly #workbench: Workbench;
  #router: Promise<Router<ControlRoute>> | undefined;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** @throws ApiError when the request cannot be served, and what becomes one (errorReply) */
  async answer({ method, target, headers, body, signal }: ControlQuestion): Promise<ControlReply> {
    const url = parseTarget(target);
    const { pathname } = url;
    const path = pathname.slice(0, MOST_REPEATED);
    const segments = pathname.split('/').filter((part) => part !== '');
    this.#router ??= loadRouter();
    const match = (await this.#router).match(method === 'HEAD' ? 'GET' : method, segments.map(decoded));
    if (match.kind === 'none') {
      throw notFound(`there is nothing at ${CONTROL_PREFIX}${path}`);
    }
    if (match.kind === 'other-methods') {
      const allowed = match.allowed.join(' or ');
      throw new ApiError(405, 'MethodNotAllowed', `use ${allowed} at ${CONTROL_PREFIX}${path}`);
    }
    const { params, handler } = match;
    const reply = await handler.handle({ params, query: url.searchParams, headers, body, signal }, this.#workbench);
    // What it has changed holds from its answer on, also for a service that is killed then.
    await this.#workbench.service.committed();
    return reply;
  }

  /** The question that came over HTTP. */
  answerHttp(request: IncomingMessage, signal: AbortSignal): Promise<ControlReply> {
    return this.answer({
      method: request.method ?? 'GET',
      target: (request.url ?? '/').slice(CONTROL_PREFIX.length),
      headers: request.headers,
      body: (mostBytes) => readJson(request, mostBytes),
      signal,
    });
  }
}

/** Loaded with the first question: a workbench is ready sooner, and many are never asked. */
async function loadRouter(): Promise<Router<ControlRoute>> {
  const { CONTROL_ROUTES } = await import('./routes/all-routes.ts');
  return new Router(CONTROL_ROUTES.map((route) => ({ method: route.method, path: route.path, handler: route })));
}

function parseTarget(target: string): URL {
  try {
    return new URL(`http://workbench/${target.replace(/^\/+/, '')}`);
  } catch {
    throw badRequest('this is not a path');
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest(`'${segment.slice(0, MOST_REPEATED)}' is not percent-encoded as it should be`);
  }
}

async function readJson(request: IncomingMessage, mostBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new ApiError(413, 'TooLarge', `more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch (error) {
    throw invalidContent(`the body is not JSON: ${messageOf(error)}`);
  }
}
