/**
 * Control route: one line of the control API, as data. The router, the OpenAPI document and the table in
 * docs/control-api.md are made of these, so that they cannot differ.
 */

import type { IncomingHttpHeaders } from 'node:http';

import { z } from 'zod';

import { knownKeys, readValueAs } from '../../common/schema-problems.ts';
import type { Workbench } from '../workbench.ts';
import { badRequest, notFound } from '../../service/gate/api-error.ts';
import { UnfitValue, type ControlReply } from './control-reply.ts';

/** What a route takes and answers, for people and for documents. */
export interface RouteDescription {
  readonly method: HttpMethod;
  /** Below /_platen; placeholders as `{id}`. */
  readonly path: string;
  /** One line for people. */
  readonly summary: string;
  /** The schema of what is answered, or a media type where that is not JSON. */
  readonly answer: z.ZodType | `${string}/${string}`;
  readonly status: number;
  readonly query: z.ZodObject | undefined;
  readonly body: z.ZodType | undefined;
}

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A request as it came, before it is read. */
export interface RawControlRequest {
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. @throws ApiError when it is longer than that */
  readonly bytes: (mostBytes: number) => Promise<Uint8Array>;
  /** The same as a value; undefined for an empty one. @throws ApiError when it is not JSON, or more than that */
  readonly body: (mostBytes: number) => Promise<unknown>;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal | undefined;
}

interface ControlRequest<Body, Query> extends Pick<RawControlRequest, 'params' | 'headers' | 'signal'> {
  readonly query: Query;
  readonly body: Body;
}

export interface ControlRoute extends RouteDescription {
  readonly handle: (request: RawControlRequest, workbench: Workbench) => Promise<ControlReply>;
}

interface RouteOptions<Body, Query> extends Pick<RouteDescription, 'summary' | 'answer'> {
  /** 200 unless given. */
  readonly status?: number;
  readonly query?: z.ZodObject & z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** The size limit of the body; 256 KiB unless given: most commands to the workbench are a few lines. */
  readonly mostBytes?: number;
  readonly handler: (
    request: ControlRequest<Body, Query>,
    workbench: Workbench,
  ) => Promise<ControlReply> | ControlReply;
}

const BODY_MAX_BYTES = 256 * 1024;

/** A route whose handler gets query and body as its schemas read them. */
export function route<Body = undefined, Query = Readonly<Record<string, never>>>(
  line: `${HttpMethod} /${string}`,
  { summary, answer, status = 200, query, body, mostBytes = BODY_MAX_BYTES, handler }: RouteOptions<Body, Query>,
): ControlRoute {
  return {
    ...described(line, { summary, answer, status, query, body }),
    handle: async ({ query: given, body: read, ...request }, workbench) => {
      refuseLong(given);
      return handler(
        {
          ...request,
          query: queryOf(line, query ?? z.object({}), given) as Query,
          body: (body ? readAs(body, await read(mostBytes), `the body of ${line}`) : undefined) as Body,
        },
        workbench,
      );
    },
  };
}

/** The longest name of a query parameter, and its longest value. */
const NAME_MAX_CHARACTERS = 100;
const VALUE_MAX_CHARACTERS = 1_000;

function refuseLong(query: URLSearchParams): void {
  for (const [name, value] of query) {
    const shown = name.slice(0, NAME_MAX_CHARACTERS);
    if (shown !== name) throw badRequest(`'${shown}…' is not a parameter of this query`);
    if (value.length > VALUE_MAX_CHARACTERS) {
      throw badRequest(`${name}: must have at most ${VALUE_MAX_CHARACTERS} characters`);
    }
  }
}

interface BytesRouteOptions extends Pick<RouteDescription, 'summary' | 'answer'> {
  /** What the bytes must hold; the handler sees to it. */
  readonly body: z.ZodType;
  readonly mostBytes: number;
  readonly handler: (
    request: Pick<RawControlRequest, 'params'> & { readonly bytes: Uint8Array },
    workbench: Workbench,
  ) => Promise<ControlReply>;
}

/** A route whose handler reads its body itself: one that is too long to be read while others wait. */
export function bytesRoute(line: `${HttpMethod} /${string}`, options: BytesRouteOptions): ControlRoute {
  const { summary, answer, body, mostBytes, handler } = options;
  return {
    ...described(line, { summary, answer, status: 200, query: undefined, body }),
    handle: async ({ params, query, bytes }, workbench) => {
      queryOf(line, z.object({}), query);
      return handler({ params, bytes: await bytes(mostBytes) }, workbench);
    },
  };
}

/** A key that is overlooked would widen what is listed, or deleted. @throws ApiError naming what is wrong */
function queryOf(line: string, schema: z.ZodObject, query: URLSearchParams): unknown {
  return readAs(schema.strict(), Object.fromEntries(query), `the query of ${line}`);
}

function described(line: string, rest: Omit<RouteDescription, 'method' | 'path'>): RouteDescription {
  const [method = '', path = ''] = line.split(' ');
  return { method: method as HttpMethod, path, ...rest };
}

/** @throws ApiError naming all that is wrong, and the keys that there are */
function readAs<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const read = readValueAs(schema, value);
  if (read.ok) return read.value;
  const keys = knownKeys(schema);
  const takes = keys.length > 0 ? ` (it takes ${keys.join(', ')})` : '';
  throw new UnfitValue(`${name}: ${read.error}${takes}`, read.error);
}

/** A query parameter that is an integer in decimal digits. */
export function wholeNumber(description: string): z.ZodType<number | undefined, string | undefined> {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'must be an integer from 0 to 999999999999999')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', description });
}

/** A query parameter that is taken as it is. */
export function text(description: string): z.ZodType<string | undefined, string | undefined> {
  return z.string().optional().meta({ description });
}

/** `account` of a query: what is not given means all accounts, or the main one. */
export const account = wholeNumber('id of the account meant');

export function idIn(params: Readonly<Record<string, string>>, what: string, name = 'id'): number {
  const text = params[name] ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw notFound(`there is no ${what} ${text.slice(0, 40)}`);
}

/** The side in `3.png`, from 1. @throws ApiError when it is something else */
export function sideIn(file: string): number {
  const side = /^([1-9]\d{0,5})\.png$/.exec(file)?.[1];
  if (side !== undefined) return Number(side);
  throw notFound('a side of the sheets is at sheets/1.png, sheets/2.png …');
}
