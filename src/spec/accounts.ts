/**
 * Clauses about accounts: the account object, Child Accounts and their life, tags, API keys.
 */

import type { ClauseRows } from './clause.ts';

export const ACCOUNT_CLAUSES = {
  // The account object
  'accounts/whoami': { statement: 'GET /whoami answers with the account object of the caller.' },
  'accounts/field-id': { statement: 'id of the account object is an integer.' },
  'accounts/field-firstname': { statement: 'firstname of the account object is a string.' },
  'accounts/field-lastname': { statement: 'lastname of the account object is a string.' },
  'accounts/field-email': { statement: 'email of the account object is a string.' },
  'accounts/field-can-create-sub-accounts': {
    statement: 'canCreateSubAccounts of the account object is a boolean.',
  },
  'accounts/field-creator-email': { statement: 'creatorEmail of the account object is a string or null.' },
  'accounts/field-creator-ref': { statement: 'creatorRef of the account object is a string or null.' },
  'accounts/field-child-accounts': { statement: 'childAccounts of the account object is an array.' },
  'accounts/field-credits': { statement: 'credits of the account object is an integer.' },
  'accounts/field-num-computers': { statement: 'numComputers of the account object is an integer.' },
  'accounts/field-total-prints': { statement: 'totalPrints of the account object is an integer.' },
  'accounts/field-versions': { statement: 'versions of the account object is an array.' },
  'accounts/field-connected': { statement: 'connected of the account object is an array.' },
  'accounts/field-tags': {
    statement:
      'Tags (with a capital T) is an array while it is empty; the shape of a populated one is a gap.',
  },
  'accounts/field-state': { statement: 'state of the account object is active or suspended.' },
  'accounts/field-permissions': { statement: 'permissions of the account object is an array of strings.' },
  'accounts/fields-always-present': {
    level: 'should',
    statement: 'All sixteen keys of the account object are present, also where the value is null.',
  },
  'accounts/integrator-can-create': {
    level: 'should',
    statement: 'canCreateSubAccounts of the account object is true for an Integrator Account.',
    needs: ['integrator'],
  },
  'accounts/child-cannot-create': {
    level: 'should',
    statement: 'canCreateSubAccounts of the account object is false for a Child Account.',
    needs: ['child-account'],
  },
  'accounts/num-computers-counts': {
    level: 'should',
    statement: 'numComputers of the account object is the number of computers of the account.',
    needs: ['computer'],
  },
  'accounts/creator-email-of-child': {
    level: 'should',
    statement: 'creatorEmail of a Child Account is the email of its Integrator.',
    needs: ['child-account'],
  },
  'accounts/secrets-not-shown': {
    level: 'should',
    statement: 'The account object shows neither password nor API keys.',
  },

  // Creating a Child Account
  'accounts/create': {
    statement: 'POST /account by an Integrator Account creates a Child Account.',
    needs: ['integrator'],
  },
  'accounts/create-as-json': { statement: 'The creation fields are taken as JSON.', needs: ['integrator'] },
  'accounts/create-as-form': {
    statement: 'The creation fields are taken as a form, with keys like Account[email].',
    needs: ['integrator'],
  },
  'accounts/create-by-single-refused': {
    statement: 'POST /account by an account that is no Integrator is refused.',
    needs: ['second-account'],
  },
  'accounts/create-by-child-refused': {
    statement: 'POST /account as a Child Account is refused.',
    needs: ['child-account'],
  },
  'accounts/create-firstname': {
    statement: 'The new account has the firstname that was sent.',
    needs: ['integrator'],
  },
  'accounts/create-firstname-missing-refused': {
    statement: 'A creation without firstname is refused.',
    needs: ['integrator'],
  },
  'accounts/create-firstname-empty-refused': {
    statement: 'A creation with an empty firstname is refused.',
    needs: ['integrator'],
  },
  'accounts/create-firstname-dash': {
    statement: 'A single dash is accepted as firstname.',
    needs: ['integrator'],
  },
  'accounts/create-lastname': {
    statement: 'The new account has the lastname that was sent.',
    needs: ['integrator'],
  },
  'accounts/create-lastname-missing-refused': {
    statement: 'A creation without lastname is refused.',
    needs: ['integrator'],
  },
  'accounts/create-lastname-empty-refused': {
    statement: 'A creation with an empty lastname is refused.',
    needs: ['integrator'],
  },
  'accounts/create-lastname-dash': {
    statement: 'A single dash is accepted as lastname.',
    needs: ['integrator'],
  },
  'accounts/create-names-dash-sent': {
    level: 'should',
    party: 'caller',
    statement: 'A caller sends a single dash as firstname and lastname.',
    needs: ['integrator'],
  },
  'accounts/create-email': {
    statement: 'The new account has the email that was sent.',
    needs: ['integrator'],
  },
  'accounts/create-email-missing-refused': {
    statement: 'A creation without email is refused.',
    needs: ['integrator'],
  },
  'accounts/create-password': { statement: 'A creation takes a password.', needs: ['integrator'] },
  'accounts/create-password-missing-refused': {
    statement: 'A creation without password is refused.',
    needs: ['integrator'],
  },
  'accounts/create-password-no-complexity': {
    statement: 'A password needs no more than its length: eight equal letters are accepted.',
    needs: ['integrator'],
  },
  'accounts/create-creator-ref': {
    statement: 'The new account has the creatorRef that was sent.',
    needs: ['integrator'],
  },
  'accounts/create-creator-ref-unique': {
    level: 'should',
    statement: 'A creation with the creatorRef of another Child of the Integrator is refused.',
    needs: ['child-account'],
  },
  'accounts/create-api-keys': {
    statement: 'A creation makes one API key for each name in ApiKeys.',
    needs: ['integrator'],
  },
  'accounts/create-api-keys-work': {
    level: 'should',
    statement: 'A key made at creation authenticates the new account.',
    needs: ['integrator'],
  },
  'accounts/create-tags': {
    statement: 'A creation stores each of its Tags, name to value.',
    needs: ['integrator'],
  },
  'accounts/create-refused-leaves-nothing': {
    level: 'should',
    statement:
      'A refused creation leaves no account behind: none is controllable, and its creatorRef stays free.',
    needs: ['integrator'],
  },

  'accounts/create-only-required': {
    statement: 'A creation without creatorRef, ApiKeys and Tags is accepted.',
    needs: ['integrator'],
  },

  // Changing a Child Account
  'accounts/update': {
    statement: 'PATCH /account with a Child header changes that Child.',
    needs: ['child-account'],
  },
  'accounts/update-answers-like-whoami': {
    statement: 'PATCH /account answers with the same object as GET /whoami of that account.',
    needs: ['child-account'],
  },
  'accounts/update-answer-shows-change': {
    statement: 'The answer of PATCH /account already shows the new values.',
    needs: ['child-account'],
  },
  'accounts/update-firstname': {
    statement: 'PATCH /account can change firstname alone.',
    needs: ['child-account'],
  },
  'accounts/update-lastname': {
    statement: 'PATCH /account can change lastname alone.',
    needs: ['child-account'],
  },
  'accounts/update-email': { statement: 'PATCH /account can change email alone.', needs: ['child-account'] },
  'accounts/update-password': {
    statement: 'PATCH /account can change password alone.',
    needs: ['child-account'],
  },
  'accounts/update-creator-ref': {
    statement: 'PATCH /account can change creatorRef alone.',
    needs: ['child-account'],
  },
  'accounts/update-leaves-the-rest': {
    statement: 'Fields that PATCH /account does not name keep their values.',
    needs: ['child-account'],
  },
  'accounts/update-leaves-the-parent': {
    level: 'should',
    statement: 'PATCH /account with a Child header leaves the Integrator unchanged.',
    needs: ['child-account'],
  },
  'accounts/update-creator-ref-identifies': {
    level: 'should',
    statement:
      'After a change of creatorRef the new one identifies the Child, and the old one no longer does.',
    needs: ['child-account'],
  },
  'accounts/update-refused-changes-nothing': {
    level: 'should',
    statement: 'A refused PATCH /account changes none of its fields.',
    needs: ['child-account'],
  },

  // Deleting a Child Account
  'accounts/delete': {
    statement: 'DELETE /account with a Child header deletes that Child.',
    needs: ['child-account'],
  },
  'accounts/delete-leaves-the-parent': {
    level: 'should',
    statement: 'Deleting a Child leaves the Integrator working.',
    needs: ['child-account'],
  },
  'accounts/delete-leaves-other-children': {
    level: 'should',
    statement: 'Deleting a Child leaves the other Children working.',
    needs: ['child-account'],
  },
  'accounts/delete-keys-stop': {
    level: 'should',
    statement: 'The API keys of a deleted Child get 401.',
    needs: ['child-account'],
  },

  // State
  'accounts/state-read': {
    statement: 'GET /account/state with a Child header answers with the state of that Child.',
    needs: ['child-account'],
  },
  'accounts/state-json-string': {
    statement: 'GET /account/state answers with a JSON string.',
    needs: ['child-account'],
  },
  'accounts/state-active': { statement: 'A state of an account is active.', needs: ['child-account'] },
  'accounts/state-suspended': { statement: 'A state of an account is suspended.', needs: ['child-account'] },
  'accounts/state-initially-active': {
    level: 'should',
    statement: 'A new Child Account is active.',
    needs: ['integrator'],
  },
  'accounts/state-suspend': {
    statement: 'PUT /account/state with the JSON string suspended suspends an active Child.',
    needs: ['child-account'],
  },
  'accounts/state-activate': {
    statement: 'PUT /account/state with the JSON string active reactivates a suspended Child.',
    needs: ['child-account'],
  },
  'accounts/state-in-account-object': {
    level: 'should',
    statement: 'The state that PUT set is the state in the account object.',
    needs: ['child-account'],
  },
  'accounts/state-other-refused': {
    level: 'should',
    statement: 'PUT /account/state with another string is refused and changes nothing.',
    needs: ['child-account'],
  },
  'accounts/state-leaves-the-parent': {
    level: 'should',
    statement: 'Suspending a Child leaves the Integrator active.',
    needs: ['child-account'],
  },

  // Tags
  'accounts/tag-create': { statement: 'POST /account/tag/{name} creates a tag that does not exist.' },
  'accounts/tag-update': { statement: 'POST /account/tag/{name} replaces the value of a tag that exists.' },
  'accounts/tag-read': { statement: 'GET /account/tag/{name} succeeds for a tag that exists.' },
  'accounts/tag-delete': { statement: 'DELETE /account/tag/{name} removes the tag.' },
  'accounts/tag-read-missing': {
    level: 'should',
    statement:
      'GET /account/tag/{name} of a tag that does not exist is answered with a 4xx status and the error object.',
  },
  'accounts/tag-name-letters-digits': { statement: 'A tag name may have letters and digits.' },
  'accounts/tag-name-dot-dash-underscore': { statement: 'A tag name may have dots, dashes and underscores.' },
  'accounts/tag-name-other-refused': { statement: 'A tag name with any other character is refused.' },
  'accounts/tag-value-string': {
    level: 'should',
    statement: 'The value of a tag is a string and comes back as it was sent.',
  },
  'accounts/tag-in-account-object': {
    level: 'should',
    statement: 'A tag that was set is found in Tags of the account object.',
  },
  'accounts/tags-per-account': {
    level: 'should',
    statement: 'Two accounts may have tags of the same name with different values.',
    needs: ['second-account'],
  },

  // API keys
  'accounts/api-key-create': {
    statement: 'POST /account/apikey/{description} creates an API key of that name.',
  },
  'accounts/api-key-read': { statement: 'GET /account/apikey/{description} succeeds for a key that exists.' },
  'accounts/api-key-delete': { statement: 'DELETE /account/apikey/{description} removes the key.' },
  'accounts/api-key-authenticates': { statement: 'A created key authenticates its account at once.' },
  'accounts/api-key-many': { statement: 'An account can have any number of keys at a time.' },
  'accounts/api-key-deleted-401': { level: 'should', statement: 'A deleted key gets 401.' },

  // Control
  'accounts/single-controls-itself': {
    statement: 'The controlling account of a Single or Integrator Account is that account itself.',
    needs: ['webhook-receiver'],
  },
  'accounts/parent-controls-child': {
    statement: 'The controlling account of a Child Account is its parent.',
    needs: ['child-account', 'webhook-receiver'],
  },
  'accounts/controllable': { statement: 'GET /account/controllable succeeds.' },
} as const satisfies ClauseRows;
