/**
 * Building blocks of dimensions: small changes of what the service is asked, answers and sends to webhooks.
 */

import { hash } from 'node:crypto';

import type { WebhookSender } from '../../src/service/delivery/webhook-request.ts';
import type { ServiceRules } from '../../src/service/service-rules.ts';
import {
  mapHeaders,
  type Meddle,
  type PassingAnswer,
  type PassingRequest,
  type Rewrite,
} from '../mutants/meddling-proxy.ts';
import { jsonOf } from '../mutants/mutant-tools.ts';
import type { Change } from './dimension.ts';
import { refused } from './refusals.ts';

export type JsonObject = Record<string, unknown>;

const isSuccess = ({ status }: PassingAnswer): boolean => status >= 200 && status < 300;

const isAbout = ({ method, path }: Pick<PassingRequest, 'method' | 'path'>, pattern: RegExp): boolean =>
  pattern.test(`${method} ${path.replace(/^\/\/+/, '/')}`);

/** Changes the JSON of successes of requests whose method and path match. */
export function json(request: RegExp, change: (value: never, answer: PassingAnswer) => unknown): Change {
  return {
    meddle: (answer) =>
      isSuccess(answer) && answer.body !== '' && isAbout(answer, request)
        ? { body: JSON.stringify(change(JSON.parse(answer.body) as never, answer)) }
        : undefined,
  };
}

/** Another status, and with it another body where one is given, of successes. */
export function answered(request: RegExp, status: number, body?: unknown): Change {
  return {
    meddle: (answer) => {
      if (!isSuccess(answer) || !isAbout(answer, request)) return undefined;
      if (status === 204) return { status, headers: withDigestOf(answer.headers, ''), body: '' };
      return { status, ...(body !== undefined && { body: JSON.stringify(body) }) };
    },
  };
}

/** Headers that were changed together with the body. */
export function withDigestOf(headers: readonly string[], body: string): readonly string[] {
  const digest = hash('md5', body, 'base64');
  return mapHeaders(headers, (name, value) => [name, name.toLowerCase() === 'content-md5' ? digest : value]);
}

/** Objects whose keys are not the service's: names that callers and drivers made. */
const AS_GIVEN: ReadonlySet<string> = new Set(['Tags', 'ApiKeys', 'capabilities', 'measurement', 'data']);

/** Changes every object of an answer, the innermost first. */
export function everyObject(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => everyObject(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([key, below]) => [
    key,
    AS_GIVEN.has(key) ? below : everyObject(below, change),
  ]);
  return change(Object.fromEntries(inner) as JsonObject);
}

/** Changes the objects that have a key, wherever they stand in an answer. */
export function objectsWith(request: RegExp, key: string, change: (object: JsonObject) => JsonObject): Change {
  return json(request, (value: unknown) =>
    everyObject(value, (object) => (key in object ? { ...object, ...change(object) } : object)),
  );
}

/** The value of one field, wherever it stands. */
export function field(request: RegExp, key: string, change: (value: unknown) => unknown): Change {
  return objectsWith(request, key, ({ [key]: value }) => ({ [key]: change(value) }));
}

/** Each header of an answer, by its name in lower case. */
export function header(name: string, change: (value: string) => string): Meddle {
  return ({ headers }) => ({
    headers: mapHeaders(headers, (given, value) => [given, given.toLowerCase() === name ? change(value) : value]),
  });
}

/** Refuses requests that the reference service takes. */
export function refusing(
  request: RegExp,
  [status, code]: readonly [status: number, code: string],
  when: (request: PassingRequest) => boolean = () => true,
): Change {
  return { rewrite: (one) => (isAbout(one, request) && when(one) ? refused(status, code) : undefined) };
}

/** Refuses what the reference service refuses as well, with another status, except for bodies that are not JSON. */
export function refusedWith(request: RegExp, from: number, [status, code]: readonly [number, string]): Change {
  return {
    meddle: (answer) =>
      answer.status === from && isAbout(answer, request) && !answer.body.includes('"InvalidContent"')
        ? { status, body: JSON.stringify({ ...(JSON.parse(answer.body) as JsonObject), code }) }
        : undefined,
  };
}

/** The JSON object that a request brings; without keys where it brings another body. */
export function fieldsOf(request: PassingRequest): JsonObject {
  const value = jsonOf(request);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** Changes the fields of a JSON body on its way to the service. */
export function fieldsSent(pattern: RegExp, change: (fields: JsonObject) => JsonObject): Rewrite {
  return (request) => {
    const fields = fieldsOf(request);
    if (!isAbout(request, pattern) || Object.keys(fields).length === 0) return undefined;
    return { body: JSON.stringify(change(fields)) };
  };
}

/** As if the caller had not sent it. */
export function withoutRequestHeader(unwanted: string): Rewrite {
  return ({ headers }) => ({
    headers: mapHeaders(headers, (name, value) => (name.toLowerCase() === unwanted ? [] : [name, value])),
  });
}

export type SentEvent = JsonObject & { readonly data: JsonObject };

/** Changes the events of each request to a webhook. */
export function sentEvents(change: (events: readonly SentEvent[]) => readonly unknown[]): Change {
  return sending(
    (send) => (target, body, onAnswer) =>
      send(target, JSON.stringify(change(JSON.parse(body) as SentEvent[])), onAnswer),
  );
}

/** Changes the data of events of a type. */
export function eventData(type: string, change: (data: JsonObject) => JsonObject): Change {
  return sentEvents((events) =>
    events.map((event) => (event['type'] === type ? { ...event, data: change(event.data) } : event)),
  );
}

type Send = WebhookSender['send'];

/** Wraps the sending of requests to webhooks. */
export function sending(wrap: (send: Send, options: Parameters<ServiceRules['webhookSender']>[0]) => Send): Change {
  return {
    rules: ({ webhookSender }) => ({
      webhookSender: (options) => {
        const sender = webhookSender(options);
        return { ...sender, send: wrap((...request) => sender.send(...request), options) };
      },
    }),
  };
}
