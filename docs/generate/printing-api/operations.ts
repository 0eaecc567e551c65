/**
 * Operations of the printing API: a row of the table of endpoints as an operation of OpenAPI.
 *
 * OpenAPI takes two paths for one that differ in the names of their placeholders alone. Where the specification prints
 * such paths (`/download/clients/{os}`, `/download/clients/{download_id_set}`) they are one here, whose placeholder may
 * be either.
 */

import type { Endpoint, Header, InputField, PathPart } from '../../../src/specification/clause.ts';
import { REQUEST_HEADERS } from '../../../src/specification/headers.ts';
import { operationId } from '../../../src/workbench/control/openapi.ts';
import { requestBody } from './bodies.ts';
import { nameOf, type Examples } from './examples.ts';
import { CHILD_HEADERS, createsJob, responsesOf } from './responses.ts';
import { inputSchema, type Json, originOf, referenceTo, statementOf } from './schemas.ts';

/** `paths` of the document. */
export function pathsOf(endpoints: readonly Endpoint[], { calls }: Examples): Json {
  const byShape = Map.groupBy(endpoints, ({ path }) => path.replaceAll(PLACEHOLDER, '{}'));
  return Object.fromEntries(
    [...byShape.values()].map((alike) => {
      const path = commonPath(alike);
      const byMethod = Map.groupBy(alike, ({ method }) => method);
      const operations = [...byMethod].map(([method, variants]): [string, Json] => [
        method.toLowerCase(),
        operationOf(path, variants, calls),
      ]);
      return [path, Object.fromEntries(operations)];
    }),
  );
}

const PLACEHOLDER = /\{(\w+)\}/g;

function commonPath(endpoints: readonly Endpoint[]): string {
  const [first] = endpoints;
  let index = 0;
  return (first?.path ?? '').replaceAll(PLACEHOLDER, () => {
    const names = new Set(endpoints.map(({ parts }) => parts[index]?.name));
    index++;
    return `{${[...names].join('_or_')}}`;
  });
}

/** @param variants - of one path and method; more than one where their placeholders differ */
function operationOf(path: string, variants: readonly Endpoint[], calls: Examples['calls']): Json {
  const [endpoint] = variants;
  if (!endpoint) return {};
  const body = requestBody(endpoint, calls.get(nameOf(endpoint))?.request);
  return {
    operationId: operationId(endpoint.method, path),
    tags: [endpoint.family],
    summary: variants.map(({ clause }) => statementOf(clause).description).join(' '),
    ...originOf(endpoint.clause),
    ...(variants.length > 1 && { 'x-clause': variants.map(({ clause }) => clause) }),
    ...(!endpoint.authenticated && { security: [] }),
    parameters: [...pathParameters(path, variants), ...queryParameters(endpoint), ...headerParameters(endpoint)],
    ...(body && { requestBody: body }),
    responses: responsesOf(variants, calls),
  };
}

function pathParameters(path: string, variants: readonly Endpoint[]): Json[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, name], index) => {
    const parts = variants.flatMap(({ parts: own }) => own[index] ?? []);
    const schemas = parts.map(partSchema);
    const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
    return { name, in: 'path', required: true, schema };
  });
}

/** As text or as an array: some generated clients cannot write an array into a path, some mock servers read one. */
const SET = {
  anyOf: [
    { type: 'string', pattern: String.raw`^[1-9]\d*(,[1-9]\d*)*$` },
    { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1 },
  ],
  examples: ['1,3,5'],
};

function partSchema({ isSet, value }: PathPart): Json {
  return isSet ? { ...SET, ...statementOf(value.clause) } : inputSchema(value);
}

function queryParameters({ query }: Endpoint): Json[] {
  return Object.entries(query).map(([name, field]) => parameterOf(name, field));
}

function parameterOf(name: string, field: InputField): Json {
  const { description, ...schema } = inputSchema(field);
  const isEmptyTaken = name === 'after';
  return {
    name,
    in: 'query',
    description,
    ...(field.required && { required: true }),
    ...(isEmptyTaken && { allowEmptyValue: true }),
    schema,
  };
}

const { idempotencyKey, pretty, dontLog, acceptVersion } = REQUEST_HEADERS;

function headerParameters(endpoint: Endpoint): Json[] {
  const headers = [
    ...(createsJob(endpoint) ? [idempotencyKey] : []),
    ...(endpoint.authenticated ? CHILD_HEADERS : []),
    pretty,
    dontLog,
    acceptVersion,
  ];
  return headers.map(({ name }) => referenceTo('parameters', name));
}

/** `components.parameters`. */
export function headerParameterComponents(): Json {
  return Object.fromEntries(
    Object.values<Header>(REQUEST_HEADERS).map(({ name, clause }) => [
      name,
      { name, in: 'header', schema: { type: 'string' }, ...statementOf(clause) },
    ]),
  );
}
