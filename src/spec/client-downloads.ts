/** Clauses about client keys and client downloads. */

import type { ClauseRows } from './clause.ts';

export const CLIENT_DOWNLOAD_CLAUSES = {
  'client-downloads/client-key': {
    statement: 'GET /client/key/{uuid} with edition and version succeeds and yields a client key.',
  },
  'client-downloads/client-key-edition': {
    statement:
      'GET /client/key/{uuid} takes edition, the value the client passed to the authentication endpoint.',
  },
  'client-downloads/client-key-version': {
    statement:
      'GET /client/key/{uuid} takes version, the value the client passed to the authentication endpoint.',
  },
  'client-downloads/client-key-connects': {
    level: 'should',
    statement: 'A client that connects with the client key belongs to the account that requested it.',
    needs: ['computer'],
  },
  'client-downloads/client-key-no-api-key': {
    level: 'should',
    statement: 'A client key does not authenticate at the API.',
  },
  'client-downloads/list': {
    statement: 'GET /download/clients succeeds with all client versions supported for the account.',
  },
  'client-downloads/list-set': {
    statement: 'GET /download/clients/{download_id_set} succeeds with the client downloads in the set.',
    needs: ['client-downloads'],
  },
  'client-downloads/list-set-only': {
    statement: 'GET /download/clients/{download_id_set} shows no client download outside the set.',
    needs: ['client-downloads'],
  },
  'client-downloads/latest': {
    statement:
      'GET /download/clients/{os} tells of the latest enabled client version for the operating system.',
    needs: ['client-downloads'],
  },
  'client-downloads/latest-osx': { statement: 'osx is an operating system.', needs: ['client-downloads'] },
  'client-downloads/latest-windows': {
    statement: 'windows is an operating system.',
    needs: ['client-downloads'],
  },
  'client-downloads/latest-other-refused': {
    level: 'should',
    statement: 'Another operating system is answered with a 4xx status and the error object.',
  },
  'client-downloads/latest-own-os': {
    level: 'should',
    statement: 'The latest version is one for the operating system asked for.',
    needs: ['client-downloads'],
  },
  'client-downloads/latest-highest': {
    statement: 'The latest version is the highest one that is enabled.',
    needs: ['client-downloads'],
  },
  'client-downloads/latest-numeric': {
    level: 'should',
    statement: 'Versions are compared number by number: 4.10 is higher than 4.9.',
    needs: ['client-downloads'],
  },
  'client-downloads/latest-skips-disabled': {
    statement: 'A version that is not enabled is never the latest.',
    needs: ['client-downloads'],
  },
  'client-downloads/latest-short-path': {
    statement: 'GET /download/client/{os} exists, and leads to the same version.',
    needs: ['client-downloads'],
  },
  'client-downloads/update': {
    statement: 'PATCH /download/clients/{download_id_set} succeeds with the updated downloads.',
    needs: ['client-downloads'],
  },
  'client-downloads/update-enabled': {
    statement: 'PATCH with enabled false disables the downloads in the set, and with true enables them.',
    needs: ['client-downloads'],
  },
  'client-downloads/update-leaves-others': {
    level: 'should',
    statement: 'PATCH leaves downloads outside the set.',
    needs: ['client-downloads'],
  },
  'client-downloads/update-own-account': {
    level: 'should',
    statement: 'What one account enables or disables changes nothing for another.',
    needs: ['client-downloads', 'second-account'],
  },
  'client-downloads/update-no-boolean-refused': {
    level: 'should',
    statement: 'PATCH with an enabled that is no boolean is refused and changes nothing.',
    needs: ['client-downloads'],
  },
  'client-downloads/generic-address': {
    statement: '{app_url}/download/client/{edition}/{os} serves the same client.',
    needs: ['client-downloads'],
  },
} as const satisfies ClauseRows;
