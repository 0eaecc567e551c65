/** Clauses about client keys and client downloads. */

import { given } from './clause.ts';

export const CLIENT_DOWNLOAD_CLAUSES = [
  given().must({
    'client-downloads/client-key': 'GET /client/key/{uuid} with edition and version succeeds and yields a client key.',
    'client-downloads/list': 'GET /download/clients succeeds with all client versions supported for the account.',
  }),
  given().should({
    'client-downloads/client-key-edition':
      'GET /client/key/{uuid} takes edition, the value the client passed to the authentication endpoint.',
    'client-downloads/client-key-version':
      'GET /client/key/{uuid} takes version, the value the client passed to the authentication endpoint.',
    'client-downloads/client-key-no-api-key': 'A client key does not authenticate at the API.',
    'client-downloads/latest-other-refused':
      'Another operating system is answered with a 4xx status and the error object.',
  }),
  given({ needs: ['computer'] }).should({
    'client-downloads/client-key-connects':
      'A client that connects with the client key belongs to the account that requested it.',
  }),
  given({ needs: ['client-downloads'] }).must({
    'client-downloads/list-set':
      'GET /download/clients/{download_id_set} succeeds with the client downloads in the set.',
    'client-downloads/list-set-only':
      'GET /download/clients/{download_id_set} shows no client download outside the set.',
    'client-downloads/latest':
      'GET /download/clients/{os} tells of the latest enabled client version for the operating system.',
    'client-downloads/latest-osx': 'osx is an operating system.',
    'client-downloads/latest-windows': 'windows is an operating system.',
    'client-downloads/latest-highest': 'The latest version is the highest one that is enabled.',
    'client-downloads/latest-skips-disabled': 'A version that is not enabled is never the latest.',
    'client-downloads/update': 'PATCH /download/clients/{download_id_set} succeeds with the updated downloads.',
    'client-downloads/update-enabled':
      'PATCH with enabled false disables the downloads in the set, and with true enables them.',
    'client-downloads/generic-address': '{app_url}/download/client/{edition}/{os} serves the same client.',
    'client-downloads/latest-own-os': 'The latest version is one for the operating system asked for.',
    'client-downloads/update-leaves-others': 'PATCH leaves downloads outside the set.',
  }),
  given({ needs: ['client-downloads'] }).should({
    'client-downloads/latest-short-path': 'GET /download/client/{os} exists, and leads to the same version.',
    'client-downloads/latest-numeric': 'Versions are compared number by number: 4.10 is higher than 4.9.',
    'client-downloads/update-no-boolean-refused':
      'PATCH with an enabled that is not a boolean is refused and changes nothing.',
  }),
  given({ needs: ['client-downloads', 'second-account'] }).must({
    'client-downloads/update-own-account': 'What one account enables or disables changes nothing for another.',
  }),
];
