/**
 * OpenAPI: the control API as a document of OpenAPI 3.1, made from the table of its routes.
 */

import { z } from 'zod';

import { packageVersion } from '../../common/package-version.ts';
import { answers } from '../../record/control-answers.ts';
import { CONTROL_PREFIX } from '../defaults.ts';
import type { RouteDescription } from './control-route.ts';

type Json = Readonly<Record<string, unknown>>;

export function openApi(routes: readonly RouteDescription[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    (paths[CONTROL_PREFIX + route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  const { schemas } = z.toJSONSchema(answers, { uri: referenceTo, io: 'output', reused: 'inline' });
  return {
    openapi: '3.1.0',
    info: {
      title: 'platen control API',
      version: packageVersion(),
      description:
        'On loopback without a key; bound beyond it, every request but health carries the control token. Not for pages of other sites.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, bare(schema)])),
      securitySchemes: { controlToken: { type: 'http', scheme: 'bearer' } },
    },
    security: [{}, { controlToken: [] }],
  };
}

function operationOf({ method, path, summary, query, body, answer, status }: RouteDescription): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const parameters = [...inPath, ...queryParameters(query)];
  return {
    operationId: operationId(method, path),
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { content: { 'application/json': { schema: schemaOf(body) } } },
    }),
    responses: {
      [status]: { description: summary, content: answerContent(answer) },
      default: {
        description: 'a refusal',
        content: { 'application/json': { schema: { $ref: referenceTo('Error') } } },
      },
    },
  };
}

function queryParameters(query: z.ZodObject | undefined): Json[] {
  if (!query) return [];
  const { properties = {} } = schemaOf(query) as { readonly properties?: Record<string, Json> };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    schema,
  }));
}

function answerContent(answer: RouteDescription['answer']): Json {
  if (typeof answer !== 'string') {
    return { 'application/json': { schema: { $ref: referenceTo(answers.get(answer)?.id ?? '') } } };
  }
  const schema = answer.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
  return { [answer]: { schema } };
}

function referenceTo(name: string): string {
  return `#/components/schemas/${name}`;
}

function schemaOf(schema: z.ZodType): Json {
  return bare(z.toJSONSchema(schema, { io: 'input', reused: 'inline' }));
}

/** Without what a schema says when it stands alone. */
function bare(schema: Json): Json {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$id'));
}

/** `GET /jobs/{id}/text` → `getJobsIdText`. */
export function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z]+/).filter((word) => word !== '');
  return [method.toLowerCase(), ...words.map((word) => (word[0] ?? '').toUpperCase() + word.slice(1))].join('');
}
