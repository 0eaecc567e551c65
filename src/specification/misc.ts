/** Clauses about `/ping` and `/noop`. */

import { given } from './clause.ts';

export const MISC_CLAUSES = [
  given().must({
    'misc/ping': 'GET /ping answers 200 while the API is available.',
    'misc/ping-without-credentials': 'GET /ping needs no credentials.',
    'misc/noop': 'GET /noop with valid credentials answers 200.',
    'misc/noop-body-is-request-id': 'The body of GET /noop is the Request-Id of the response as a JSON string.',
    'misc/noop-missing-401': 'GET /noop without credentials answers 401 with code InvalidCredentials.',
    'misc/noop-invalid-401': 'GET /noop with invalid credentials answers 401 with code InvalidCredentials.',
    'misc/ping-with-bad-credentials': 'GET /ping answers 200 to invalid credentials: it does not check them.',
  }),
];
