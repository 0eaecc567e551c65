/**
 * What callers send, read and refused: bodies, sets, pages.
 */

import type { IncomingHttpHeaders } from 'node:http';

import type { Account, Json, JsonObject } from './store.ts';

/** A request that is answered with an error. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function notFound(what: string): Refusal {
  return new Refusal(404, 'ResourceNotFound', what);
}

export function badRequest(what: string): Refusal {
  return new Refusal(400, 'BadRequest', what);
}

export interface Call {
  readonly requestId: string;
  readonly method: string;
  /** Values of the placeholders of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Whom the request is for, and whose key it came with. */
  readonly account: Account;
  readonly caller: Account;
  readonly body: Buffer;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** No body when left out. */
  readonly json?: Json;
}

/** The body as JSON or as a form; undefined when it is empty. */
export function readBody({ body, headers }: Call): Json | undefined {
  if (body.length === 0) return undefined;
  const type = (headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return readForm(body.toString('utf8'));
  if (type !== 'application/json') throw new Refusal(415, 'UnsupportedMediaType', `${type} is not read here`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Json;
  } catch {
    throw new Refusal(400, 'InvalidContent', 'The body is no JSON');
  }
}

/** The body as an object; a missing one is empty. */
export function readObject(call: Call): JsonObject {
  const body = readBody(call) ?? {};
  if (!isObject(body)) throw badRequest('The body must be an object');
  return body;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Account[email]=a&ApiKeys[]=b` as `{Account: {email: 'a'}, ApiKeys: ['b']}`. */
function readForm(text: string): JsonObject {
  const form: Branch = new Map();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [name.split('[')[0] ?? '', ...Array.from(name.matchAll(/\[([^\]]*)\]/g), (part) => part[1])];
    let branch = form;
    for (const [depth, raw] of path.entries()) {
      const key = raw === '' || raw === undefined ? String(branch.size) : raw;
      if (depth === path.length - 1) {
        branch.set(key, value);
        break;
      }
      const next = branch.get(key);
      const below: Branch = next instanceof Map ? next : new Map();
      branch.set(key, below);
      branch = below;
    }
  }
  return Object.fromEntries([...form].map(([key, value]) => [key, plain(value)]));
}

type Branch = Map<string, string | Branch>;

function plain(value: string | Branch): Json {
  if (typeof value === 'string') return value;
  const keys = [...value.keys()];
  if (keys.every((key, index) => key === String(index))) return [...value.values()].map(plain);
  return Object.fromEntries([...value].map(([key, below]) => [key, plain(below)]));
}

export function stringIn(body: JsonObject, key: string): string {
  const value = body[key];
  if (typeof value !== 'string') throw badRequest(`${key} must be a string`);
  return value;
}

/** An integer, written as a number or as digits. */
export function integerIn(value: Json | undefined, key: string, least: number): number {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= least) return number;
  throw badRequest(`${key} must be an integer from ${least}`);
}

/** Whether an id is in a set such as `1,3,5`; ranges (`5-9`, `-7`, `20-`) are taken too. */
export function readSet(text: string): (id: number) => boolean {
  const parts = text.split(',').map((part) => {
    const range = /^(\d*)-(\d*)$/.exec(part);
    const [from, to] = range ? [range[1] || '1', range[2] || '9007199254740991'] : [part, part];
    if (part === '-' || !/^\d+$/.test(from) || !/^\d+$/.test(to)) throw badRequest(`'${text}' is no set of ids`);
    const [low, high] = [Number(from), Number(to)];
    if (low < 1 || !Number.isSafeInteger(low) || !Number.isSafeInteger(high)) {
      throw badRequest(`'${text}' is no set of ids`);
    }
    return [low, high] as const;
  });
  return (id) => parts.some(([low, high]) => low <= id && id <= high);
}

const MOST_RECORDS = 500;

/** One page of a collection, and the headers that tell about it. */
export function pageOf<Item extends { readonly id: number }>(
  call: Call,
  items: readonly Item[],
): { readonly page: readonly Item[]; readonly headers: Record<string, string> } {
  onlyQuery(call, ['limit', 'after', 'dir']);
  const limit = Math.min(MOST_RECORDS, integerIn(call.query.get('limit') || '100', 'limit', 1));
  const dir = call.query.get('dir') || 'desc';
  if (dir !== 'asc' && dir !== 'desc') throw badRequest('dir must be asc or desc');
  const after = call.query.get('after') || undefined;
  const sorted = items.toSorted((a, b) => (dir === 'asc' ? a.id - b.id : b.id - a.id));
  const start = after === undefined ? undefined : integerIn(after, 'after', 1);
  const rest = sorted.filter(({ id }) => start === undefined || (dir === 'asc' ? id > start : id < start));
  const page = rest.slice(0, limit);
  return {
    page,
    headers: {
      'Records-Returned': String(page.length),
      'Records-Returned-Offset': String(sorted.length - rest.length),
      'Records-Returned-Limit': String(limit),
      'Records-Total': String(sorted.length),
    },
  };
}

/** Refuses query parameters that mean nothing here. */
export function onlyQuery(call: Call, known: readonly string[]): void {
  const stranger = [...call.query.keys()].find((name) => !known.includes(name));
  if (stranger !== undefined) throw badRequest(`There is no query parameter '${stranger}' here`);
}
