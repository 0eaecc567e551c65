/**
 * Clauses about who a caller is: Basic authentication, acting as a Child Account, and a caller's own
 * authentication endpoint for custom-branded clients.
 */

import type { ClauseRows } from './clause.ts';

export const AUTHENTICATION_CLAUSES = {
  // Basic
  'authentication/basic-key': {
    statement: 'A request whose Basic username is an API key and whose password is empty is accepted.',
  },
  'authentication/required-everywhere': {
    statement: 'Every endpoint but GET /ping refuses a request without credentials.',
  },
  'authentication/missing-credentials-401': { statement: 'A request without credentials gets 401.' },
  'authentication/invalid-key-401': { statement: 'A request with a key that does not exist gets 401.' },
  'authentication/www-authenticate': { statement: 'A 401 carries WWW-Authenticate: Basic realm=Api.' },
  'authentication/empty-key-401': { level: 'should', statement: 'An empty username gets 401.' },
  'authentication/other-scheme-401': {
    level: 'should',
    statement: 'An Authorization of another scheme than Basic gets 401.',
  },
  'authentication/malformed-header-401': {
    level: 'should',
    statement: 'An Authorization: Basic that is no base64 gets 401, not a 5xx status.',
  },
  'authentication/key-exact': {
    level: 'should',
    statement: 'A key is compared whole: a prefix, another case or added blanks do not authenticate.',
  },
  'authentication/refusal-first': {
    level: 'should',
    statement:
      'Without valid credentials nothing else of the request is judged: a bad body gets 401, not 400.',
  },
  'authentication/refused-names-no-account': { level: 'should', statement: 'A 401 carries no X-Account.' },
  'authentication/refused-does-nothing': {
    level: 'should',
    statement: 'A request refused with 401 changes nothing.',
    needs: ['computer'],
  },
  'authentication/one-account': {
    statement: 'A key identifies exactly one account: it always leads to the same account id.',
  },
  'authentication/any-key': { statement: 'Each of the keys of an account leads to that account.' },
  'authentication/x-account': { statement: 'A successful response has X-Account with the account id.' },
  'authentication/x-auth-with': {
    statement: 'A successful response has X-Auth-With, which reports the authentication method.',
  },
  'authentication/x-auth-with-api-key': {
    level: 'observed',
    statement: 'X-Auth-With is ApiKey for a request authenticated by an API key.',
  },

  // Acting as a Child Account
  'authentication/child-by-id': {
    statement: 'X-Child-Account-By-Id with the id of a Child makes the Integrator act as that Child.',
    needs: ['child-account'],
  },
  'authentication/child-by-email': {
    statement: 'X-Child-Account-By-Email with the email of a Child makes the Integrator act as that Child.',
    needs: ['child-account'],
  },
  'authentication/child-by-creator-ref': {
    statement:
      'X-Child-Account-By-CreatorRef with the creatorRef of a Child makes the Integrator act as that Child.',
    needs: ['child-account'],
  },
  'authentication/child-strategy-by-id': {
    statement: 'Acting by id, the response carries the X-Child-Account-By-Id header.',
    needs: ['child-account'],
  },
  'authentication/child-strategy-by-email': {
    statement: 'Acting by email, the response carries the X-Child-Account-By-Email header.',
    needs: ['child-account'],
  },
  'authentication/child-strategy-by-creator-ref': {
    statement: 'Acting by creatorRef, the response carries the X-Child-Account-By-CreatorRef header.',
    needs: ['child-account'],
  },
  'authentication/child-x-authorized-as': {
    statement: 'Acting as a Child, X-Authorized-As is the id of the Integrator.',
    needs: ['child-account'],
  },
  'authentication/child-x-account': {
    statement: 'Acting as a Child, X-Account is the id of the Child.',
    needs: ['child-account'],
  },
  'authentication/child-lists': {
    level: 'should',
    statement: 'Acting as a Child, lists show what belongs to the Child and nothing of the Integrator.',
    needs: ['child-account', 'computer'],
  },
  'authentication/child-creates': {
    level: 'should',
    statement: 'Acting as a Child, a new print job belongs to the Child.',
    needs: ['child-account', 'computer'],
  },
  'authentication/no-child-no-authorized-as': {
    level: 'should',
    statement:
      'Without a Child header there is no X-Authorized-As and no X-Child-Account-By-* in the response.',
  },
  'authentication/child-by-unknown-id-401': {
    statement: 'An X-Child-Account-By-Id that names no Child gets 401.',
    needs: ['integrator'],
  },
  'authentication/child-by-unknown-email-401': {
    statement: 'An X-Child-Account-By-Email that names no Child gets 401.',
    needs: ['integrator'],
  },
  'authentication/child-by-unknown-creator-ref-401': {
    statement: 'An X-Child-Account-By-CreatorRef that names no Child gets 401.',
    needs: ['integrator'],
  },
  'authentication/child-of-another-401': {
    level: 'should',
    statement: 'A header that names a Child of another Integrator gets 401.',
    needs: ['integrator', 'second-account'],
  },
  'authentication/child-header-of-single-401': {
    level: 'should',
    statement: 'A Single Account that names an account it does not control gets 401.',
    needs: ['second-account'],
  },
  'authentication/child-bad-header-never-parent': {
    level: 'should',
    statement: 'A Child header that fails never makes the request act on the Integrator itself.',
    needs: ['integrator', 'computer'],
  },
  'authentication/child-deleted-401': {
    level: 'should',
    statement: 'A header that names a deleted Child gets 401.',
    needs: ['child-account'],
  },

  // A caller's own authentication endpoint
  'authentication/delegated-https-get': {
    party: 'client',
    statement: 'A custom-branded client asks the authentication URL by HTTPS GET.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-basic': {
    party: 'client',
    statement:
      'The request to the authentication URL carries the username and password of the end user as HTTP Basic.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-client-id': {
    party: 'client',
    statement: 'The request to the authentication URL carries the client identifier, a version 4 UUID.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-version': {
    party: 'client',
    statement: 'The request to the authentication URL carries a version number.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-edition': {
    party: 'client',
    statement: 'The request to the authentication URL carries an edition name.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-computer-name': {
    level: 'observed',
    party: 'client',
    statement: 'The request to the authentication URL may carry a computer name.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-not-to-service': {
    party: 'client',
    statement: 'The password of the end user never reaches the service.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-json': {
    party: 'caller',
    statement: 'The authentication endpoint answers with Content-Type application/json.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-200-key': {
    party: 'caller',
    statement:
      'On good credentials the authentication endpoint answers 200 with the client key as a JSON string.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-key-from-service': {
    party: 'caller',
    statement:
      'The client key that the authentication endpoint hands out is the one it got from GET /client/key/{uuid}.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-401': {
    party: 'caller',
    statement: 'On bad credentials the authentication endpoint answers 401.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-401-message': {
    party: 'caller',
    statement: 'The body of a 401 of the authentication endpoint has a message.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-message-shown': {
    party: 'client',
    statement: 'The client shows the message of the 401 of the authentication endpoint to the end user.',
    needs: ['authentication-endpoint'],
  },
  'authentication/delegated-key-connects': {
    level: 'should',
    party: 'client',
    statement: 'With the key that the authentication endpoint handed out the client connects to the service.',
    needs: ['authentication-endpoint', 'computer'],
  },
  'authentication/delegated-key-of-child': {
    statement: 'A client key can be requested for a Child Account.',
    needs: ['child-account'],
  },
  'authentication/delegated-child-on-the-fly': {
    statement:
      'A Child Account may be created inside the authentication endpoint, and its client key works at once.',
    needs: ['authentication-endpoint', 'integrator'],
  },
} as const satisfies ClauseRows;
