/**
 * Holds exchanges with the printing API against docs/openapi.json.
 *
 *   2xx   request and response must be as the document says
 *   else  the response must; the request may have been as bad as its sender wanted
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

import { PROJECT } from './command-line.ts';

export interface ObservedExchange {
  readonly method: string;
  /** The request target, with the query. */
  readonly target: string;
  readonly requestHeaders: ReadonlyMap<string, string>;
  /** Undefined where there was none. */
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly responseHeaders: ReadonlyMap<string, string>;
  readonly responseBody: string;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly allowEmptyValue?: boolean;
}

interface Answer {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, FormMedia>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface FormMedia {
  readonly schema: { readonly properties?: Readonly<Record<string, { readonly type?: unknown }>> };
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly headers: Readonly<Record<string, { readonly required?: boolean }>> };
}

export const OPENAPI_FILE = path.join(PROJECT, 'docs/openapi.json');

export function readApiDocument(): ApiDocument {
  return JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as ApiDocument;
}

/** The specification names it, and shows nothing of it (gap/printers-refresh). */
const UNDESCRIBED: ReadonlySet<string> = new Set(['/printers/refresh']);

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

interface Route {
  readonly pointer: string;
  readonly pattern: RegExp;
  readonly operations: Readonly<Record<string, Operation>>;
}

export class OpenApiValidator {
  readonly #routes: readonly Route[];
  readonly #document: ApiDocument;
  readonly #json = newAjv(false);
  /** In paths, queries, headers and forms everything is a string. */
  readonly #text = newAjv(true);
  readonly #compiled = new Map<string, ValidateFunction>();
  /** Operations that were seen to succeed: `GET /whoami`. */
  readonly succeeded = new Set<string>();

  constructor(document: ApiDocument = readApiDocument()) {
    this.#document = document;
    for (const ajv of [this.#json, this.#text]) ajv.addSchema(document, 'openapi');
    this.#routes = Object.entries(document.paths)
      // `/printjobs/states` is not a set.
      .toSorted(([one], [other]) => placeholders(one) - placeholders(other))
      .map(([template, operations]) => ({
        pointer: `/paths/${escaped(template)}`,
        pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '([^/]*)')}$`),
        operations,
      }));
  }

  /** The operation that a request is for; undefined for what the document does not describe. */
  kindOf(exchange: ObservedExchange): string | undefined {
    return this.#placeOf(exchange)?.pointer;
  }

  /** What does not fit; undefined for what the document does not describe, such as another method. */
  problemsOf(exchange: ObservedExchange): readonly string[] | undefined {
    const place = this.#placeOf(exchange);
    if (!place) return undefined;
    const problems = this.#responseProblems(place, exchange);
    if (exchange.status >= 300) return problems;
    this.succeeded.add(place.pointer);
    const { url, values } = place;
    return [
      ...problems,
      ...this.#parameterProblems(place, exchange, url, values),
      ...this.#bodyProblems(place, exchange),
    ];
  }

  #placeOf({ method, target }: ObservedExchange): Place | undefined {
    const url = new URL(target.replace(/^\/+/, '/'), 'http://service');
    const pathname = url.pathname.replace(/(.)\/$/, '$1');
    if (UNDESCRIBED.has(pathname) || isBrokenEscape(pathname)) return undefined;
    const route = this.#routes.find(({ pattern }) => pattern.test(pathname));
    const operation = route?.operations[method.toLowerCase()];
    if (!route || !operation) return undefined;
    const values = (route.pattern.exec(pathname) ?? []).slice(1).map(decodeURIComponent);
    return { pointer: `${route.pointer}/${method.toLowerCase()}`, operation, url, values };
  }

  #responseProblems({ pointer, operation }: Place, exchange: ObservedExchange): string[] {
    const status = [String(exchange.status), `${Math.floor(exchange.status / 100)}XX`, 'default'].find(
      (key) => operation.responses[key] !== undefined,
    );
    const answer = operation.responses[status ?? ''];
    if (status === undefined || !answer) return [`no response ${exchange.status} is described`];
    const at = answer.$ref ? answer.$ref.slice(1) : `${pointer}/responses/${status}`;
    const described = this.#at(at) as Answer;
    const missing = Object.keys(described.headers ?? {}).filter(
      (name) => this.#document.components.headers[name]?.required && !exchange.responseHeaders.has(name.toLowerCase()),
    );
    const body = this.#validate(
      this.#json,
      `${at}/content/${escaped(JSON_TYPE)}/schema`,
      parsed(exchange.responseBody),
    );
    return [...missing.map((name) => `the response has no ${name}`), ...body.map((problem) => `response${problem}`)];
  }

  #parameterProblems(
    { pointer, operation }: Place,
    exchange: ObservedExchange,
    url: URL,
    values: readonly string[],
  ): string[] {
    const inPath = operation.parameters.filter((one) => one.in === 'path');
    return operation.parameters.flatMap((given, index) => {
      const at = given.$ref ? given.$ref.slice(1) : `${pointer}/parameters/${index}`;
      const parameter = this.#at(at) as Parameter;
      const { name } = parameter;
      const value = {
        path: values[inPath.indexOf(given)],
        query: url.searchParams.get(name) ?? undefined,
        header: exchange.requestHeaders.get(name.toLowerCase()),
      }[parameter.in];
      if (value === undefined) return parameter.required ? [`${parameter.in} ${name} is missing`] : [];
      if (value === '' && parameter.allowEmptyValue) return [];
      return this.#validate(this.#text, `${at}/schema`, value).map((problem) => `${parameter.in} ${name}${problem}`);
    });
  }

  #bodyProblems({ pointer, operation: { requestBody } }: Place, exchange: ObservedExchange): string[] {
    if (!requestBody) return [];
    const text = exchange.requestBody ?? '';
    if (text === '') return requestBody.required ? ['the request has no body'] : [];
    const [type = ''] = (exchange.requestHeaders.get('content-type') ?? JSON_TYPE).split(';');
    const mediaType = type.trim().toLowerCase();
    const media = requestBody.content[mediaType];
    // What a body of another type means is a gap.
    if (!media) return [];
    const isForm = mediaType === FORM_TYPE;
    const at = `${pointer}/requestBody/content/${escaped(mediaType)}/schema`;
    const value = isForm ? formOf(text, media) : parsed(text);
    return this.#validate(isForm ? this.#text : this.#json, at, value).map((problem) => `request${problem}`);
  }

  #validate(ajv: Ajv2020, pointer: string, value: unknown): string[] {
    const key = `${ajv === this.#text ? 'text' : 'json'} ${pointer}`;
    const validate = this.#compiled.get(key) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    this.#compiled.set(key, validate);
    // Values are coerced in place: a bare one needs a place.
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  #at(pointer: string): unknown {
    return pointer
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (node, key) =>
          (node as Record<string, unknown>)[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')],
        this.#document,
      );
  }
}

interface Place {
  readonly pointer: string;
  readonly operation: Operation;
  readonly url: URL;
  /** What stands in the path, decoded. */
  readonly values: readonly string[];
}

function newAjv(coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes });
  ajvFormats.default(ajv);
  return ajv;
}

function placeholders(template: string): number {
  return template.split('{').length;
}

/** As a part of a JSON pointer in the fragment of an address. */
function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function parsed(text: string): unknown {
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/** A form in the shape of its schema: lists under `name[]`, however they were indexed; objects by their keys. */
function formOf(text: string, { schema: { properties = {} } }: FormMedia): Record<string, unknown> {
  const form: Record<string, unknown> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const [name = '', ...inner] = key.split(/[[\]]+/).filter((part) => part !== '');
    const list = `${name}[]`;
    if (properties[list]) form[list] = [...((form[list] as unknown[] | undefined) ?? []), value];
    else if (properties[key] || inner.length === 0) form[key] = value;
    else setIn(form, [name, ...inner], value);
  }
  return form;
}

function setIn(object: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) object[key] = value;
  else setIn((object[key] ??= {}) as Record<string, unknown>, rest, value);
}

function isBrokenEscape(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return false;
  } catch {
    return true;
  }
}
