/** Clauses about versions: of the API, of the client, and what may be added without a new one. */

import { given } from './clause.ts';

export const VERSIONING_CLAUSES = [
  given().must({
    'versioning/api-version': 'A response has an Api-Version header.',
    'versioning/api-version-semantic': 'Api-Version is a semantic version.',
    'versioning/accept-version-accepted':
      'A request with Accept-Version set to the service’s Api-Version gets an answer like one without.',
    'versioning/api-version-on-errors': 'An error response also has an Api-Version header.',
  }),
  given({ needs: ['computer'] }).must({
    'versioning/stable-states-guaranteed':
      'The stable print job states keep their names and meanings within the compatibility of the API.',
  }),
  given({ party: 'caller' }).should({
    'versioning/other-states-tolerated': 'A caller copes with print job states it does not know.',
    'versioning/other-message-types-tolerated': 'A caller copes with webhook message types it does not know.',
  }),
  given({ party: 'client', needs: ['computer'] }).observed({
    'versioning/old-client-options': 'A very old client may not support newer print options.',
  }),
];
