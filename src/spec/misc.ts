/** Clauses about `/ping` and `/noop`. */

import type { ClauseRows } from './clause.ts';

export const MISC_CLAUSES = {
  'misc/ping': { statement: 'GET /ping answers 200 while the API is available.' },
  'misc/ping-without-credentials': { statement: 'GET /ping needs no credentials.' },
  'misc/ping-with-bad-credentials': {
    level: 'should',
    statement: 'GET /ping answers 200 with invalid credentials too: nobody looks at them.',
  },
  'misc/noop': { statement: 'GET /noop with valid credentials answers 200.' },
  'misc/noop-body-is-request-id': {
    statement: 'The body of GET /noop is the Request-Id of the response as a JSON string.',
  },
  'misc/noop-missing-401': {
    statement: 'GET /noop without credentials answers 401 with code InvalidCredentials.',
  },
  'misc/noop-invalid-401': {
    statement: 'GET /noop with invalid credentials answers 401 with code InvalidCredentials.',
  },
} as const satisfies ClauseRows;
