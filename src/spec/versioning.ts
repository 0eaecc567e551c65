/** Clauses about versions: of the API, of the client, and what may be added without a new one. */

import type { ClauseRows } from './clause.ts';

export const VERSIONING_CLAUSES = {
  'versioning/api-version': { statement: 'A response has an Api-Version header.' },
  'versioning/api-version-semantic': { statement: 'Api-Version is a semantic version.' },
  'versioning/api-version-on-errors': {
    level: 'should',
    statement: 'An error response has an Api-Version header too.',
  },
  'versioning/accept-version-accepted': {
    statement:
      'A request with Accept-Version set to the Api-Version that the service shows is answered as well as one without.',
  },
  'versioning/stable-states-guaranteed': {
    statement:
      'The stable print job states keep their names and meanings within the compatibility of the API.',
    needs: ['computer'],
  },
  'versioning/other-states-tolerated': {
    level: 'should',
    party: 'caller',
    statement: 'A caller copes with print job states it does not know.',
  },
  'versioning/other-message-types-tolerated': {
    level: 'should',
    party: 'caller',
    statement: 'A caller copes with webhook message types it does not know.',
  },
  'versioning/old-client-options': {
    level: 'observed',
    party: 'client',
    statement: 'A very old client may not support newer print options.',
    needs: ['computer'],
  },
} as const satisfies ClauseRows;
