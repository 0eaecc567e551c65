/**
 * Responses of the printing API: what an operation answers, with its headers, and every error.
 */

import type { Endpoint, Header } from '../../../src/specification/clause.ts';
import { ERRORS } from '../../../src/specification/errors.ts';
import {
  ACCESS_CONTROL_HEADERS,
  AUTHENTICATION_HEADERS,
  LIST_HEADERS,
  MEDIA_TYPES,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
} from '../../../src/specification/headers.ts';
import { nameOf, type ErrorName, type Examples } from './examples.ts';
import { answerSchema, referenceTo, statementOf, type Json } from './schemas.ts';

/** Request headers that make an Integrator act for a Child; the response repeats the one that was used. */
const { childAccountById, childAccountByEmail, childAccountByCreatorRef } = REQUEST_HEADERS;
export const CHILD_HEADERS: readonly Header[] = [childAccountById, childAccountByEmail, childAccountByCreatorRef];

export const createsJob = ({ returns }: Endpoint): boolean => returns === 'id';

/** Where each error may happen. */
const HAPPENS: Readonly<Record<ErrorName, (endpoint: Endpoint) => boolean>> = {
  InvalidContent: ({ body }) => body.kind !== 'none',
  InvalidCredentials: ({ authenticated }) => authenticated,
  ScaleNotFound: ({ returns }) => returns === 'reading',
  Conflict: createsJob,
  BodyTooLarge: ({ method }) => method === 'POST',
  TooManyRequests: () => true,
};

const ERROR_NAMES = Object.keys(HAPPENS) as ErrorName[];

/** Where the specification prints no status, any success will do. */
const ANY_SUCCESS = '2XX';

/** `responses` of an operation. @param variants - of one path and method */
export function responsesOf(variants: readonly Endpoint[], calls: Examples['calls']): Json {
  const [endpoint] = variants;
  if (!endpoint) return {};
  const schemas = variants.map(answerSchema);
  const errors = ERROR_NAMES.filter((name) => HAPPENS[name](endpoint));
  return {
    [endpoint.successStatus ?? ANY_SUCCESS]: {
      description: variants.map(({ returns }) => DESCRIPTIONS[returns] ?? returns).join(', or '),
      headers: headersOf(endpoint),
      content: {
        [MEDIA_TYPES.json.value]: {
          schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
          example: calls.get(nameOf(endpoint))?.answer,
        },
      },
    },
    ...Object.fromEntries(errors.map((name) => [ERRORS[name].status, referenceTo('responses', name)])),
    default: referenceTo('responses', 'Refused'),
  };
}

const DESCRIPTIONS: Readonly<Partial<Record<Endpoint['returns'], string>>> = {
  ids: 'ids of what was affected',
  id: 'the id of the new print job',
  'not shown': 'a success; the specification does not show its body',
};

function headersOf({ authenticated, paginated }: Endpoint): Json {
  const { account, authWith, authorizedAs } = AUTHENTICATION_HEADERS;
  const headers: readonly Header[] = [
    ...EVERYWHERE,
    ...(authenticated ? [account, authWith, authorizedAs, ...CHILD_HEADERS] : []),
    ...(paginated ? Object.values(LIST_HEADERS) : []),
  ];
  return Object.fromEntries(headers.map(({ name }) => [name, referenceTo('headers', name)]));
}

const { contentType: _, ...STANDARD } = RESPONSE_HEADERS;
const EVERYWHERE: readonly Header[] = [...Object.values(STANDARD), ...Object.values(ACCESS_CONTROL_HEADERS)];

const INTEGERS: ReadonlySet<Header> = new Set<Header>([
  ...Object.values(LIST_HEADERS),
  AUTHENTICATION_HEADERS.account,
  AUTHENTICATION_HEADERS.authorizedAs,
]);
/** Headers that a response always has, where it may have them at all. */
const PRESENT: ReadonlySet<Header> = new Set<Header>([
  ...EVERYWHERE,
  ...Object.values(LIST_HEADERS),
  AUTHENTICATION_HEADERS.account,
  AUTHENTICATION_HEADERS.authWith,
  AUTHENTICATION_HEADERS.challenge,
]);

/** `components.headers`. */
export function headerComponents(): Json {
  const all: readonly Header[] = [
    ...EVERYWHERE,
    ...Object.values(AUTHENTICATION_HEADERS),
    ...Object.values(LIST_HEADERS),
    ...CHILD_HEADERS,
  ];
  return Object.fromEntries(all.map((header) => [header.name, headerComponent(header)]));
}

function headerComponent(header: Header): Json {
  const type = header === RESPONSE_HEADERS.elapsed ? 'number' : INTEGERS.has(header) ? 'integer' : 'string';
  return {
    ...(PRESENT.has(header) && { required: true }),
    schema: { type, ...(header.value !== undefined && { examples: [header.value] }) },
    ...statementOf(header.clause),
  };
}

/** `components.responses`: the printed errors, and every other refusal. */
export function errorResponses({ errors }: Examples): Json {
  const known = ERROR_NAMES.map((name): [string, Json] => [
    name,
    {
      ...statementOf(ERRORS[name].clause),
      ...errorResponse(name === 'InvalidCredentials'),
      ...bodyOf(errorSchema(name), errors[name]),
    },
  ]);
  const refused = {
    description: 'Any other refusal. Which codes there are is not shown.',
    'x-gap': ['gap/error-codes'],
    ...errorResponse(false),
    ...bodyOf(referenceTo('schemas', 'Error')),
  };
  return { ...Object.fromEntries(known), Refused: refused };
}

/** Which other conditions yield a 400 is not shown: any code may be in one. */
function errorSchema(name: ErrorName): Json {
  const { code, status } = ERRORS[name];
  const shape = referenceTo('schemas', 'Error');
  if (code === null || status === ERRORS.InvalidContent.status) return shape;
  return { allOf: [shape, { type: 'object', properties: { code: { const: code } } }] };
}

function errorResponse(isChallenge: boolean): Json {
  const headers = [...EVERYWHERE, ...(isChallenge ? [AUTHENTICATION_HEADERS.challenge] : [])];
  return { headers: Object.fromEntries(headers.map(({ name }) => [name, referenceTo('headers', name)])) };
}

function bodyOf(schema: Json, example?: unknown): Json {
  return { content: { [MEDIA_TYPES.json.value]: { schema, ...(example !== undefined && { example }) } } };
}
