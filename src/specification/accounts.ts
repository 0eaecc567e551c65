/**
 * Clauses about accounts: the account object, Child Accounts and their life, tags, API keys.
 */

import { given } from './clause.ts';

export const ACCOUNT_CLAUSES = [
  // The account object
  given().must({
    'accounts/whoami': 'GET /whoami answers with the account object of the caller.',
    'accounts/field-id': 'id of the account object is an integer.',
    'accounts/field-firstname': 'firstname of the account object is a string.',
    'accounts/field-lastname': 'lastname of the account object is a string.',
    'accounts/field-email': 'email of the account object is a string.',
    'accounts/field-can-create-sub-accounts': 'canCreateSubAccounts of the account object is a boolean.',
    'accounts/field-creator-email': 'creatorEmail of the account object is a string or null.',
    'accounts/field-creator-ref': 'creatorRef of the account object is a string or null.',
    'accounts/field-child-accounts': 'childAccounts of the account object is an array.',
    'accounts/field-credits': 'credits of the account object is an integer.',
    'accounts/field-num-computers': 'numComputers of the account object is an integer.',
    'accounts/field-total-prints': 'totalPrints of the account object is an integer.',
    'accounts/field-versions': 'versions of the account object is an array.',
    'accounts/field-connected': 'connected of the account object is an array.',
    'accounts/field-tags':
      'Tags (with a capital T) is an array while it is empty; the shape of a populated one is a gap.',
    'accounts/field-state': 'state of the account object is active or suspended.',
    'accounts/field-permissions': 'permissions of the account object is an array of strings.',
  }),
  given().should({
    'accounts/credits-not-null': 'credits of the account object is not null, since the table prints an integer.',
    'accounts/fields-always-present': 'The account object has all sixteen keys, even those whose value is null.',
    'accounts/secrets-not-shown': 'The account object shows neither password nor API keys.',
  }),
  given({ needs: ['integrator'] }).should({
    'accounts/integrator-can-create': 'canCreateSubAccounts of the account object is true for an Integrator Account.',
  }),
  given({ needs: ['child-account'] }).should({
    'accounts/child-cannot-create': 'canCreateSubAccounts of the account object is false for a Child Account.',
    'accounts/creator-email-of-child': 'creatorEmail of a Child Account is the email of its Integrator.',
  }),
  given({ needs: ['computer'] }).should({
    'accounts/num-computers-counts': 'numComputers of the account object is the number of computers of the account.',
  }),

  // Creating a Child Account
  given({ needs: ['integrator'] }).must({
    'accounts/create': 'POST /account by an Integrator Account creates a Child Account.',
    'accounts/create-as-json': 'The creation fields are taken as JSON.',
    'accounts/create-as-form': 'The creation fields are taken as a form, with keys like Account[email].',
    'accounts/create-firstname': 'The new account has the firstname that was sent.',
    'accounts/create-firstname-missing-refused': 'A creation without firstname is refused.',
    'accounts/create-firstname-empty-refused': 'A creation with an empty firstname is refused.',
    'accounts/create-firstname-dash': 'A single dash is accepted as firstname.',
    'accounts/create-lastname': 'The new account has the lastname that was sent.',
    'accounts/create-lastname-missing-refused': 'A creation without lastname is refused.',
    'accounts/create-lastname-empty-refused': 'A creation with an empty lastname is refused.',
    'accounts/create-lastname-dash': 'A single dash is accepted as lastname.',
    'accounts/create-email': 'The new account has the email that was sent.',
    'accounts/create-email-missing-refused': 'A creation without email is refused.',
    'accounts/create-password': 'A creation takes a password.',
    'accounts/create-password-missing-refused': 'A creation without password is refused.',
    'accounts/create-password-no-complexity':
      'A password only has to be long enough: eight equal letters are accepted.',
    'accounts/create-creator-ref': 'The new account has the creatorRef that was sent.',
    'accounts/create-api-keys': 'A creation makes one API key for each name in ApiKeys.',
    'accounts/create-tags': 'A creation stores each of its Tags, name to value.',
    'accounts/create-only-required': 'A creation without creatorRef, ApiKeys and Tags is accepted.',
    'accounts/create-api-keys-work': 'A key made at creation authenticates the new account.',
  }),
  given({ needs: ['integrator'] }).should({
    'accounts/create-refused-leaves-nothing':
      'A refused creation leaves no account behind: none is controllable, and its creatorRef stays free.',
  }),
  given({ needs: ['second-account'] }).must({
    'accounts/create-by-single-refused': 'POST /account by an account that is not an Integrator is refused.',
  }),
  given({ needs: ['child-account'] }).must({
    'accounts/create-by-child-refused': 'POST /account as a Child Account is refused.',
    'accounts/create-creator-ref-unique':
      'A creation with the creatorRef of another Child of the Integrator is refused.',
  }),
  given({ party: 'caller', needs: ['integrator'] }).should({
    'accounts/create-names-dash-sent': 'A caller sends a single dash as firstname and lastname.',
  }),

  // Changing and deleting a Child Account
  given({ needs: ['child-account'] }).must({
    'accounts/update': 'PATCH /account with a Child header changes that Child.',
    'accounts/update-answers-like-whoami':
      'PATCH /account answers with the same object as GET /whoami of that account.',
    'accounts/update-answer-shows-change': 'The answer of PATCH /account already shows the new values.',
    'accounts/update-firstname': 'PATCH /account can change firstname alone.',
    'accounts/update-lastname': 'PATCH /account can change lastname alone.',
    'accounts/update-email': 'PATCH /account can change email alone.',
    'accounts/update-password': 'PATCH /account can change password alone.',
    'accounts/update-creator-ref': 'PATCH /account can change creatorRef alone.',
    'accounts/update-leaves-the-rest': 'Fields that PATCH /account does not name keep their values.',
    'accounts/delete': 'DELETE /account with a Child header deletes that Child.',
    'accounts/update-leaves-the-parent': 'PATCH /account with a Child header leaves the Integrator unchanged.',
    'accounts/update-creator-ref-identifies':
      'After a change of creatorRef the new one identifies the Child, and the old one no longer does.',
    'accounts/update-creator-ref-unique':
      'PATCH /account to the creatorRef of another Child of the Integrator is refused, and both keep theirs.',
    'accounts/delete-leaves-the-parent': 'Deleting a Child leaves the Integrator working.',
    'accounts/delete-leaves-other-children': 'Deleting a Child leaves the other Children working.',
    'accounts/delete-keys-stop': 'The API keys of a deleted Child get 401.',
  }),
  given({ needs: ['child-account'] }).should({
    'accounts/update-refused-changes-nothing': 'A refused PATCH /account changes none of its fields.',
  }),

  // State
  given({ needs: ['child-account'] }).must({
    'accounts/state-read': 'GET /account/state with a Child header answers with the state of that Child.',
    'accounts/state-json-string': 'GET /account/state answers with a JSON string.',
    'accounts/state-active': 'A state of an account is active.',
    'accounts/state-suspended': 'A state of an account is suspended.',
    'accounts/state-suspend': 'PUT /account/state with the JSON string suspended suspends an active Child.',
    'accounts/state-activate': 'PUT /account/state with the JSON string active reactivates a suspended Child.',
    'accounts/state-in-account-object':
      'The state that PUT set is the state in the account object, where that can still be read.',
    'accounts/state-leaves-the-parent': 'Suspending a Child leaves the Integrator active.',
  }),
  given({ needs: ['child-account'] }).should({
    'accounts/state-same-again':
      'After PUT /account/state with the state that the account has already, it has that state.',
    'accounts/state-other-refused': 'PUT /account/state with another string is refused and changes nothing.',
  }),
  given({ needs: ['integrator'] }).should({
    'accounts/state-initially-active': 'A new Child Account is active.',
  }),

  // Tags and API keys
  given().must({
    'accounts/tag-create': 'POST /account/tag/{name} creates a tag that does not exist.',
    'accounts/tag-update': 'POST /account/tag/{name} replaces the value of a tag that exists.',
    'accounts/tag-read': 'GET /account/tag/{name} succeeds for a tag that exists.',
    'accounts/tag-delete': 'DELETE /account/tag/{name} removes the tag.',
    'accounts/tag-name-letters-digits': 'A tag name may have letters and digits.',
    'accounts/tag-name-dot-dash-underscore': 'A tag name may have dots, dashes and underscores.',
    'accounts/tag-name-other-refused': 'A tag name with any other character is refused.',
    'accounts/api-key-create': 'POST /account/apikey/{description} creates an API key of that name.',
    'accounts/api-key-read': 'GET /account/apikey/{description} succeeds for a key that exists.',
    'accounts/api-key-delete': 'DELETE /account/apikey/{description} removes the key.',
    'accounts/api-key-authenticates': 'A created key authenticates its account at once.',
    'accounts/api-key-many': 'An account can have any number of keys at a time.',
    'accounts/api-key-deleted-401': 'A deleted key gets 401.',
  }),
  given().should({
    'accounts/tag-read-missing':
      'GET /account/tag/{name} of a tag that does not exist is answered with a 4xx status and the error object.',
    'accounts/tag-value-string': 'The value of a tag is a string and comes back as it was sent.',
    'accounts/tag-in-account-object': 'A tag that was set is found in Tags of the account object.',
  }),
  given({ needs: ['second-account'] }).should({
    'accounts/tags-per-account': 'Two accounts may have tags of the same name with different values.',
  }),

  // Control
  given({ needs: ['webhook-receiver'] }).must({
    'accounts/single-controls-itself':
      'The controlling account of a Single or Integrator Account is that account itself.',
  }),
  given({ needs: ['child-account', 'webhook-receiver'] }).must({
    'accounts/parent-controls-child': 'The controlling account of a Child Account is its parent.',
  }),
  given({ needs: ['integrator'] }).must({
    'accounts/controllable': 'GET /account/controllable of an Integrator Account succeeds.',
  }),
];
