/**
 * Clauses about who a caller is: Basic authentication, acting as a Child Account, and a caller's own
 * authentication endpoint for custom-branded clients.
 */

import { given } from './clause.ts';

export const AUTHENTICATION_CLAUSES = [
  // Basic
  given().must({
    'authentication/basic-key': 'A request whose Basic username is an API key and whose password is empty is accepted.',
    'authentication/required-everywhere': 'Every endpoint but GET /ping refuses a request without credentials.',
    'authentication/missing-credentials-401': 'A request without credentials gets 401.',
    'authentication/invalid-key-401': 'A request with a key that does not exist gets 401.',
    'authentication/www-authenticate': 'A 401 carries WWW-Authenticate: Basic realm=Api.',
    'authentication/one-account': 'A key identifies exactly one account: it always leads to the same account id.',
    'authentication/any-key': 'Each of the keys of an account leads to that account.',
    'authentication/x-account': 'A successful response has X-Account with the account id.',
    'authentication/x-auth-with': 'A successful response has X-Auth-With, which reports the authentication method.',
    'authentication/empty-key-401': 'An empty username gets 401.',
    'authentication/other-scheme-401': 'An Authorization of another scheme than Basic gets 401.',
    'authentication/malformed-header-401': 'An Authorization: Basic that is not base64 gets 401, not a 5xx status.',
  }),
  given().should({
    'authentication/key-exact': 'A key is compared whole: a prefix, another case or added blanks do not authenticate.',
    'authentication/refusal-first':
      'Without valid credentials nothing else of the request is judged: a bad body gets 401, not 400.',
    'authentication/refused-names-no-account': 'A 401 carries no X-Account.',
  }),
  given().observed({
    'authentication/x-auth-with-api-key': 'X-Auth-With is ApiKey for a request authenticated by an API key.',
  }),
  given({ needs: ['computer'] }).must({
    'authentication/refused-does-nothing': 'A request refused with 401 changes nothing.',
  }),

  // Acting as a Child Account
  given({ needs: ['child-account'] }).must({
    'authentication/child-by-id':
      'X-Child-Account-By-Id with the id of a Child makes the Integrator act as that Child.',
    'authentication/child-by-email':
      'X-Child-Account-By-Email with the email of a Child makes the Integrator act as that Child.',
    'authentication/child-by-creator-ref':
      'X-Child-Account-By-CreatorRef with the creatorRef of a Child makes the Integrator act as that Child.',
    'authentication/child-strategy-by-id': 'Acting by id, the response carries the X-Child-Account-By-Id header.',
    'authentication/child-strategy-by-email':
      'Acting by email, the response carries the X-Child-Account-By-Email header.',
    'authentication/child-strategy-by-creator-ref':
      'Acting by creatorRef, the response carries the X-Child-Account-By-CreatorRef header.',
    'authentication/child-x-authorized-as': 'Acting as a Child, X-Authorized-As is the id of the Integrator.',
    'authentication/child-x-account': 'Acting as a Child, X-Account is the id of the Child.',
    'authentication/child-deleted-401': 'A header that names a deleted Child gets 401.',
    'authentication/child-header-of-child-401': 'A Child Account that names another Child in a header gets 401.',
  }),
  given({ needs: ['child-account', 'computer'] }).must({
    'authentication/child-lists':
      'Acting as a Child, lists show what belongs to the Child and nothing of the Integrator.',
    'authentication/child-creates': 'Acting as a Child, a new print job belongs to the Child.',
  }),
  given().should({
    'authentication/no-child-no-authorized-as':
      'Without a Child header there is no X-Authorized-As and no X-Child-Account-By-* in the response.',
  }),
  given({ needs: ['integrator'] }).must({
    'authentication/child-by-unknown-id-401': 'An X-Child-Account-By-Id that names no Child gets 401.',
    'authentication/child-by-unknown-email-401': 'An X-Child-Account-By-Email that names no Child gets 401.',
    'authentication/child-by-unknown-creator-ref-401': 'An X-Child-Account-By-CreatorRef that names no Child gets 401.',
  }),
  given({ needs: ['integrator', 'second-account'] }).must({
    'authentication/child-of-another-401': 'A header that names a Child of another Integrator gets 401.',
  }),
  given({ needs: ['second-account'] }).must({
    'authentication/child-header-of-single-401': 'A Single Account that names an account it does not control gets 401.',
  }),
  given({ needs: ['integrator', 'computer'] }).must({
    'authentication/child-bad-header-never-parent':
      'A Child header that fails never makes the request act on the Integrator itself.',
  }),

  // A caller's own authentication endpoint
  given({ party: 'client', needs: ['authentication-endpoint'] }).must({
    'authentication/delegated-https-get': 'A custom-branded client asks the authentication URL by HTTPS GET.',
    'authentication/delegated-basic':
      'The request to the authentication URL carries the username and password of the end user as HTTP Basic.',
    'authentication/delegated-client-id':
      'The request to the authentication URL carries the client identifier, a version 4 UUID.',
    'authentication/delegated-version': 'The request to the authentication URL carries a version number.',
    'authentication/delegated-edition': 'The request to the authentication URL carries an edition name.',
    'authentication/delegated-not-to-service': 'The password of the end user never reaches the service.',
    'authentication/delegated-message-shown':
      'The client shows the message of the 401 of the authentication endpoint to the end user.',
  }),
  given({ party: 'client', needs: ['authentication-endpoint'] }).observed({
    'authentication/delegated-computer-name': 'The request to the authentication URL may carry a computer name.',
  }),
  given({ party: 'caller', needs: ['authentication-endpoint'] }).must({
    'authentication/delegated-json': 'The authentication endpoint answers with Content-Type application/json.',
    'authentication/delegated-200-key':
      'On good credentials the authentication endpoint answers 200 with the client key as a JSON string.',
    'authentication/delegated-key-from-service':
      'The client key that the authentication endpoint hands out is the one it got from GET /client/key/{uuid}.',
    'authentication/delegated-401': 'On bad credentials the authentication endpoint answers 401.',
    'authentication/delegated-401-message': 'The body of a 401 of the authentication endpoint has a message.',
  }),
  given({ party: 'client', needs: ['authentication-endpoint', 'computer'] }).should({
    'authentication/delegated-key-connects':
      'With the key that the authentication endpoint handed out the client connects to the service.',
  }),
  given({ needs: ['child-account'] }).must({
    'authentication/delegated-key-of-child': 'A client key can be requested for a Child Account.',
  }),
  given({ needs: ['authentication-endpoint', 'integrator'] }).must({
    'authentication/delegated-child-on-the-fly':
      'A Child Account may be created inside the authentication endpoint, and its client key works at once.',
  }),
];
