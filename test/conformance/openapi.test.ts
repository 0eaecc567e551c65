/**
 * docs/openapi.json against the endpoints there are, and against a linter. `reference-service.test.ts` holds it against
 * what is really said, and `npm run prove openapi` is the long form of that.
 */

import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { expect, it } from 'vitest';

import { ENDPOINTS } from '../../src/specification/endpoints.ts';
import { PROJECT } from '../support/command-line.ts';
import {
  OPENAPI_FILE,
  OpenApiValidator,
  readApiDocument,
  type ObservedExchange,
} from '../support/openapi-validator.ts';

/** Sends no statistics, and does not look for a newer version. */
const SILENT = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const { paths } = readApiDocument();
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

it('has every endpoint, and what two paths of one shape print as one', () => {
  const shapes = new Set(
    ENDPOINTS.map((endpoint) => `${endpoint.method} ${endpoint.path.replaceAll(/\{\w+\}/g, '{}')}`),
  );
  expect(operations).toHaveLength(shapes.size);
});

const EXCHANGE: ObservedExchange = {
  method: 'GET',
  target: '/computers?limit=2',
  requestHeaders: new Map(),
  requestBody: undefined,
  status: 200,
  responseHeaders: new Map(),
  responseBody: '[]',
};

it.each([
  ['a header is missing', {}, 'the response has no Request-Id'],
  ['a field has another type', { responseBody: '[{"id": "1"}]' }, 'response/0/id must be integer'],
  ['a field is missing', { responseBody: '[{"id": 1}]' }, "response/0 must have required property 'name'"],
  ['a parameter has another type', { target: '/computers?limit=x' }, 'query limit must be integer'],
  ['a set has a letter', { target: '/computers/1,x' }, 'path computer_set must match pattern'],
  [
    'an error has no code',
    { status: 404, responseBody: '{"uid": "1"}' },
    "response must have required property 'code'",
  ],
  [
    'a body has another value',
    { method: 'POST', target: '/printjobs', status: 201, requestBody: '{"contentType": "pdf"}', responseBody: '1' },
    'request/contentType must be equal to one of the allowed values',
  ],
  [
    'a form has another value',
    {
      method: 'POST',
      target: '/printjobs',
      status: 201,
      requestHeaders: new Map([['content-type', 'application/x-www-form-urlencoded']]),
      requestBody: 'printerId=1&contentType=pdf_uri&content=x&options[copies]=0',
      responseBody: '1',
    },
    'request/options/copies must be >= 1',
  ],
])('would be seen to be wrong where %s', (_, different, problem) => {
  const problems = new OpenApiValidator().problemsOf({ ...EXCHANGE, ...different });
  expect(problems?.some((found) => found.startsWith(problem))).toBe(true);
});

it('is a document of which a linter says nothing', () => {
  const linter = path.join(PROJECT, 'node_modules/.bin/redocly');
  const report = execFileSync(linter, ['lint', '--format=json', OPENAPI_FILE], { encoding: 'utf8', env: SILENT });
  expect(JSON.parse(report)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
});
