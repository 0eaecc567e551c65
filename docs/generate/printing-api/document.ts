/**
 * docs/openapi.json: the printing API as OpenAPI 3.1, from the tables of src/specification.
 *
 * It says what the specification prints and nothing more. What is left open has no schema but an `x-gap`, and an example
 * of what the reference service answers; every statement names its clause as `x-clause`, and as
 * `x-source` where that stands.
 */

import { packageVersion } from '../../../src/common/package-version.ts';
import type { Family } from '../../../src/specification/clause.ts';
import { ENDPOINTS } from '../../../src/specification/endpoints.ts';
import { ERROR_FIELDS, ERRORS } from '../../../src/specification/errors.ts';
import { MEDIA_TYPES, WEBHOOK_STATUS_HEADER } from '../../../src/specification/headers.ts';
import { LIMITS } from '../../../src/specification/limits.ts';
import { DEFAULT_PORT } from '../../../src/workbench/defaults.ts';
import { captureExamples, type Examples } from './examples.ts';
import { headerParameterComponents, pathsOf } from './operations.ts';
import { errorResponses, headerComponents } from './responses.ts';
import {
  answerSchema,
  type Json,
  limitOf,
  notShown,
  originOf,
  referenceTo,
  resourceSchemas,
  statementOf,
} from './schemas.ts';

const TAGS: Readonly<Record<Family, string>> = {
  accounts: 'The account of the caller, Child Accounts, tags and API keys.',
  computers: 'Computers on which a client runs.',
  printers: 'Printers that the computers reported.',
  'print-jobs': 'Submitting, listing and cancelling print jobs, and their states.',
  scales: 'Readings of the scales at the computers.',
  webhooks: 'Where the service sends events.',
  'client-downloads': 'Client keys, and which versions of the client are offered.',
  misc: 'Whether the service runs, and whether credentials are valid.',
};

const DESCRIPTION = `The HTTP API of a remote printing service, as its specification prints it.

Every request but \`GET /ping\` carries an API key, as the user of HTTP Basic without a password. An Integrator Account
acts for a Child with one of the \`X-Child-Account-By-*\` headers. ${statementOf('limits/request-rate').description}
${statementOf('limits/request-burst').description} ${statementOf('limits/request-rate-exceeded').description}

Where the specification shows no shape there is no schema: \`x-gap\` names the question, the example shows what the
reference service answers, and other services may answer otherwise. \`x-clause\` names the statement of the
specification that an entry follows from, \`x-source\` the heading and row where it stands.`;

/** docs/openapi.json, as it should be. */
export async function openApiDocument(): Promise<Json> {
  const examples = await captureExamples();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Remote Printing Service HTTP API',
      version: packageVersion(),
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The address of the service',
        variables: {
          base_url: { default: `http://127.0.0.1:${DEFAULT_PORT}`, description: 'platen start listens here' },
        },
      },
    ],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(ENDPOINTS, examples),
    webhooks: webhooksOf(examples),
    components: {
      schemas: { ...resourceSchemas(), Error: errorSchema() },
      parameters: headerParameterComponents(),
      headers: headerComponents(),
      responses: errorResponses(examples),
      securitySchemes: securitySchemes(),
    },
    'x-limits': Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, limitOf(limit)])),
  };
}

function errorSchema(): Json {
  const fields = Object.entries(ERROR_FIELDS);
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(([name, { clause }]) => [name, { type: 'string', ...statementOf(clause) }]),
    ),
    required: fields.map(([name]) => name),
    ...statementOf('errors/object-three-keys'),
  };
}

function securitySchemes(): Json {
  const basic = { type: 'http', scheme: 'basic' };
  return {
    apiKey: {
      ...basic,
      ...statementOf('authentication/basic-key'),
    },
    endUser: { ...basic, ...statementOf('authentication/delegated-basic') },
  };
}

/** What the service, and the client, ask of a caller's own servers. */
function webhooksOf({ events }: Examples): Json {
  return {
    events: {
      post: {
        operationId: 'receiveEvents',
        tags: ['webhooks'],
        summary: statementOf('events/body-array').description,
        ...originOf('events/body-array'),
        ...notShown(['gap/secret-transmission']),
        security: [],
        requestBody: {
          required: true,
          content: {
            [MEDIA_TYPES.json.value]: {
              schema: { type: 'array', items: referenceTo('schemas', 'Event') },
              example: events,
            },
          },
        },
        responses: {
          '2XX': {
            ...statementOf('events/success-2xx'),
            headers: {
              [WEBHOOK_STATUS_HEADER.name]: {
                required: true,
                schema: { type: 'string', const: WEBHOOK_STATUS_HEADER.value },
                ...statementOf(WEBHOOK_STATUS_HEADER.clause),
              },
            },
          },
          default: statementOf('events/non-2xx-fails'),
        },
      },
    },
    clientAuthentication: { get: delegatedAuthentication() },
  };
}

function delegatedAuthentication(): Json {
  const key = answerSchema({ returns: 'client key', gaps: [] });
  const carries = ['client-id', 'version', 'edition', 'computer-name'].map(
    (what) => statementOf(`authentication/delegated-${what}`).description,
  );
  const unauthorized = {
    type: 'object',
    properties: {
      code: { type: 'string', const: ERRORS.Unauthorized.code, ...statementOf(ERRORS.Unauthorized.clause) },
      message: { type: 'string', ...statementOf('authentication/delegated-401-message') },
    },
    required: ['code', 'message'],
  };
  return {
    operationId: 'authenticateClient',
    tags: ['client-downloads'],
    summary: statementOf('authentication/delegated-https-get').description,
    description: `${carries.join(' ')} In which part of the address, the caller chooses.`,
    ...originOf('authentication/delegated-https-get'),
    security: [{ endUser: [] }],
    responses: {
      '200': {
        ...statementOf('authentication/delegated-200-key'),
        content: { [MEDIA_TYPES.json.value]: { schema: key } },
      },
      '401': {
        ...statementOf('authentication/delegated-401'),
        content: { [MEDIA_TYPES.json.value]: { schema: unauthorized } },
      },
    },
  };
}
