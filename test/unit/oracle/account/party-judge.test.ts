import {
  ask,
  begins,
  connects,
  DESK,
  goes,
  quiet,
  restarted,
  sleeps,
  tell,
  type Told,
} from '../../../support/told-history.ts';

const NAMES = { firstname: 'Ann', lastname: 'Lee', email: 'a@example.test', creatorRef: 'ref' };
const WANTED = { ...NAMES, password: 'longer 8' };

/** A Child that is made. */
function makes(id: number, given: object = {}, more: object = {}, answer: object = {}): ReturnType<typeof ask> {
  return ask('POST /account', {
    status: 201,
    sent: { Account: { ...WANTED, ...given }, ...more },
    value: { Account: { id }, ...answer },
  });
}

const refusesChild = (given: object = {}, more: object = {}, asked: object = {}): Told =>
  ask('POST /account', { status: 400, sent: { Account: { ...WANTED, ...given }, ...more }, value: {}, ...asked });
const of = (child: number) => ({ child: String(child) });
const second = { creatorRef: 'other', email: 'b@example.test' };

/** What the account says of itself. */
function whoami(given: object = {}, asked: object = {}): ReturnType<typeof ask> {
  return ask('GET /whoami', {
    value: { id: 7, numComputers: 0, connected: [], state: 'active', Tags: [], ...given },
    ...asked,
  });
}

const ofChild = (id: number, given: object = {}): Told => whoami({ id, ...NAMES, ...given }, of(id));

const ODD_NAME_TAKEN = ['accounts/tag-name-other-refused | status of POST /account | a refusal | 201'];

tell('a Child is made', [
  [
    'without a reference, which is shown as null',
    [makes(9, { creatorRef: undefined }), ofChild(9, { creatorRef: null })],
    [],
  ],
  ['with all it needs', [makes(9), ofChild(9)], []],
  [
    'without a first name',
    [makes(9, { firstname: undefined })],
    ['accounts/create-firstname-missing-refused | status of POST /account | a refusal | 201'],
  ],
  [
    'without a last name',
    [makes(9, { lastname: undefined })],
    ['accounts/create-lastname-missing-refused | status of POST /account | a refusal | 201'],
  ],
  [
    'without an address',
    [makes(9, { email: undefined })],
    ['accounts/create-email-missing-refused | status of POST /account | a refusal | 201'],
  ],
  [
    'without a password',
    [makes(9, { password: undefined })],
    ['accounts/create-password-missing-refused | status of POST /account | a refusal | 201'],
  ],
  [
    'with a password of 7 bytes',
    [makes(9, { password: '1234567' })],
    ['limits/password-under-refused | status of POST /account | a refusal | 201'],
  ],
  ['with a password of 8 bytes', [makes(9, { password: '12345678' })], []],
  ['with a password of 8 bytes in 4 letters', [makes(9, { password: 'üüüü' })], []],
  ['with a password that is a number', [makes(9, { password: 5 })], []],
  ['without a reference', [makes(9, { creatorRef: undefined }), makes(10, { creatorRef: undefined })], []],
  [
    'with a reference that another has',
    [makes(9), makes(10)],
    ['accounts/create-creator-ref-unique | status of POST /account | a refusal | 201'],
  ],
  ['with a reference that a deleted one had', [makes(9), ask('DELETE /account', of(9)), makes(10)], []],
  ['with a tag', [makes(9, {}, { Tags: { floor: '3' } }), ofChild(9, { Tags: { floor: '3' } })], []],
  [
    'with a tag that is not shown',
    [makes(9, {}, { Tags: { floor: '3' } }), ofChild(9)],
    ['accounts/tag-in-account-object | Tags of account 9 in GET /whoami | {"floor":"3"} | []'],
  ],
  ['with a tag of another name', [makes(9, {}, { Tags: { 'a b': '3' } })], ODD_NAME_TAKEN],
  ['with a tag among others of another name', [makes(9, {}, { Tags: { ok: '1', 'a b': '3' } })], ODD_NAME_TAKEN],
  ['with a tag of a name that is too long', [makes(9, {}, { Tags: { ['a'.repeat(65)]: '3' } })], ODD_NAME_TAKEN],
  ['with a tag of the longest name', [makes(9, {}, { Tags: { ['a'.repeat(64)]: '3' } })], []],
  ['with tags that are a list', [makes(9, {}, { Tags: ['a b'] })], []],
  ['without anything', [ask('POST /account', { status: 201, sent: {}, value: { Account: { id: 9 } } })], []],
  ['by form', [ask('POST /account', { status: 201, sent: 'Account[email]=x', value: { Account: { id: 9 } } })], []],
  ['without a password, refused', [refusesChild({ password: undefined })], []],
  ['refused by an account that may have none', [refusesChild()], []],
  [
    'refused by an account that has one',
    [makes(9), refusesChild(second)],
    ['accounts/create | status of POST /account | a success | 400'],
  ],
  ['refused for a reference that another has', [makes(9), refusesChild()], []],
  ['refused for a tag of another name', [makes(9), refusesChild(second, { Tags: { 'a b': 1 } })], []],
  ['refused where others may have taken its address', [makes(9), refusesChild(second)], [], { isWhole: false }],
  ['refused in a service that others use', [makes(9), refusesChild(second)], [], { ownAccount: '7' }],
  ['refused too often', [makes(9), refusesChild(second, {}, { status: 429 })], []],
  ['whose answer is its id', [ask('POST /account', { sent: { Account: WANTED }, value: 9 }), ofChild(9)], []],
  [
    'whose answer is the account',
    [ask('POST /account', { sent: { Account: WANTED }, value: { id: 9 } }), ofChild(9, { lastname: 'X' })],
    ['accounts/create-lastname | lastname of account 9 in GET /whoami | "Lee" | X'],
  ],
  [
    'whose answer has no id',
    [
      ask('POST /account', { sent: { Account: WANTED }, value: { Account: { id: '9' } } }),
      ofChild(9, { lastname: 'X' }),
    ],
    [],
  ],
  [
    'whose first name is not shown',
    [makes(9), ofChild(9, { firstname: 'X' })],
    ['accounts/create-firstname | firstname of account 9 in GET /whoami | "Ann" | X'],
  ],
  [
    'whose last name is not shown',
    [makes(9), ofChild(9, { lastname: 'X' })],
    ['accounts/create-lastname | lastname of account 9 in GET /whoami | "Lee" | X'],
  ],
  [
    'whose address is not shown',
    [makes(9), ofChild(9, { email: 'X' })],
    ['accounts/create-email | email of account 9 in GET /whoami | "a@example.test" | X'],
  ],
  [
    'whose reference is not shown',
    [makes(9), ofChild(9, { creatorRef: null })],
    ['accounts/create-creator-ref | creatorRef of account 9 in GET /whoami | "ref" | null'],
  ],
]);

const changes = (sent: unknown, shown: object = {}, asked: object = {}): Told =>
  ask('PATCH /account', {
    sent,
    value: { id: 7, numComputers: 0, connected: [], state: 'active', ...shown },
    ...asked,
  });
const refusesChange = (sent: unknown, asked: object = {}): Told =>
  ask('PATCH /account', { sent, status: 400, value: {}, ...asked });

tell('an account changes', [
  ['a name', [changes({ firstname: 'Bo' }, { firstname: 'Bo' }), whoami({ firstname: 'Bo' })], []],
  [
    'a name that the answer does not show',
    [changes({ firstname: 'Bo' }, { firstname: 'Ann' })],
    ['accounts/update-answer-shows-change | firstname of account 7 in PATCH /account | "Bo" | Ann'],
  ],
  [
    'a name that is not shown later',
    [changes({ firstname: 'Bo' }, { firstname: 'Bo' }), whoami({ firstname: 'Ann' })],
    ['accounts/update-firstname | firstname of account 7 in GET /whoami | "Bo" | Ann'],
  ],
  [
    'a last name that is not shown later',
    [changes({ lastname: 'Bo' }, { lastname: 'Bo' }), whoami({ lastname: 'Ann' })],
    ['accounts/update-lastname | lastname of account 7 in GET /whoami | "Bo" | Ann'],
  ],
  [
    'an address that is not shown later',
    [changes({ email: 'Bo' }, { email: 'Bo' }), whoami({ email: 'Ann' })],
    ['accounts/update-email | email of account 7 in GET /whoami | "Bo" | Ann'],
  ],
  [
    'a reference that is not shown later',
    [changes({ creatorRef: 'Bo' }, { creatorRef: 'Bo' }), whoami({ creatorRef: 'Ann' })],
    ['accounts/update-creator-ref | creatorRef of account 7 in GET /whoami | "Bo" | Ann'],
  ],
  [
    'a name, with no account as answer',
    [changes({ firstname: 'Bo' }, {}, { value: true })],
    ['accounts/update-answers-like-whoami | body of PATCH /account | an account object | true'],
  ],
  [
    'a name, refused',
    [refusesChange({ firstname: 'Bo' })],
    ['accounts/update | status of PATCH /account | a success | 400'],
  ],
  ['a name of no letters, refused', [refusesChange({ firstname: '' })], []],
  ['a name of a number, refused', [refusesChange({ firstname: 5 })], []],
  ['a field that is not a name, refused', [refusesChange({ colour: 'red' })], []],
  ['a name and another field, refused', [refusesChange({ firstname: 'Bo', colour: 'red' })], []],
  ['a name, failed', [refusesChange({ firstname: 'Bo' }, { status: 500 })], []],
  ['a name, without a key', [refusesChange({ firstname: 'Bo' }, { status: 401, key: 'x', account: '' })], []],
  ['a name, forbidden', [refusesChange({ firstname: 'Bo' }, { status: 403 })], []],
  [
    'a name of a suspended Child, refused',
    [makes(9), ask('PUT /account/state', { sent: 'suspended', ...of(9) }), refusesChange({ firstname: 'Bo' }, of(9))],
    [],
  ],
  [
    'a password, refused',
    [refusesChange({ password: 'longer 8' })],
    ['accounts/update-password | status of PATCH /account | a success | 400'],
  ],
  ['a password of 7 bytes, refused', [refusesChange({ password: '1234567' })], []],
  [
    'a password of 8 bytes, refused',
    [refusesChange({ password: '12345678' })],
    ['accounts/update-password | status of PATCH /account | a success | 400'],
  ],
  ['an address, refused', [refusesChange({ email: 'b@example.test' })], []],
  ['a name and an address, refused', [refusesChange({ firstname: 'Bo', email: 'b@example.test' })], []],
  ['by form, refused', [refusesChange('firstname=Bo')], []],
  ['by form', [changes('firstname=Bo', {}, { value: true })], []],
  [
    'a reference that another has',
    [
      makes(9),
      makes(10, second),
      ask('PATCH /account', {
        sent: { creatorRef: 'ref' },
        value: { id: 10, ...NAMES, ...second, creatorRef: 'ref', numComputers: 0, connected: [], state: 'active' },
        ...of(10),
      }),
    ],
    ['accounts/update-creator-ref-unique | status of PATCH /account | a refusal | 200'],
  ],
  // It is printed of Children alone.
  [
    'of the account itself, a reference that a Child has',
    [makes(9), changes({ creatorRef: 'ref' }, { creatorRef: 'ref' })],
    [],
  ],
  [
    'a reference that another has, refused',
    [makes(9), makes(10, second), refusesChange({ creatorRef: 'ref' }, of(10))],
    [],
  ],
  [
    'its own reference',
    [
      makes(9),
      ask('PATCH /account', {
        sent: { creatorRef: 'ref' },
        value: { id: 9, ...NAMES, numComputers: 0, connected: [], state: 'active' },
        ...of(9),
      }),
    ],
    [],
  ],
  [
    'a name beside a Child without a reference',
    [makes(9, { creatorRef: undefined }), changes({ firstname: 'Bo' }, { firstname: 'Bo' })],
    [],
  ],
  ['a webhook instead', [ask('PATCH /webhook/1', { sent: { firstname: 'Bo' }, value: [] })], []],
  [
    'nothing',
    [
      makes(9),
      ask('PATCH /account', {
        sent: {},
        value: { id: 9, ...NAMES, numComputers: 0, connected: [], state: 'active' },
        ...of(9),
      }),
    ],
    [],
  ],
]);

const deletesAccount = (asked: object = {}): Told => ask('DELETE /account', asked);

tell('an account deletes', [
  ['a Child', [makes(9), deletesAccount(of(9))], []],
  [
    'a Child, refused',
    [makes(9), deletesAccount({ ...of(9), status: 400, account: '' })],
    ['accounts/delete | status of DELETE /account | a success | 400'],
  ],
  ['an account that is no Child, refused', [deletesAccount({ ...of(9), status: 400, account: '' })], []],
  ['itself, refused', [makes(9), deletesAccount({ status: 400 })], []],
  ['nothing by another method', [makes(9), ask('PUT /account', { ...of(9), status: 405, account: '' })], []],
  [
    'a Child, answered for another one',
    [makes(9), deletesAccount({ ...of(9), account: '7' }), makes(10)],
    [
      'authentication/child-x-account | DELETE /account | 9 | 7',
      'accounts/create-creator-ref-unique | status of POST /account | a refusal | 201',
    ],
  ],
]);

const state = (value: unknown, asked: object = {}): Told => ask('GET /account/state', { value, ...asked });
const becomes = (sent: unknown, asked: object = {}): Told => ask('PUT /account/state', { sent, ...asked });
const suspended = [makes(9), becomes('suspended', of(9))];

tell('the state of an account is', [
  ['active', [state('active')], []],
  ['suspended', [state('suspended')], ['accounts/state-active | body of GET /account/state | active | suspended']],
  ['suspended, where others may have done it', [state('suspended')], [], { isWhole: false }],
  [
    'suspended, of a Child where others may have done it',
    [makes(9), state('suspended', of(9))],
    ['accounts/state-active | body of GET /account/state | active | suspended'],
    { isWhole: false },
  ],
  ['suspended, as it was made', [suspended, state('suspended', of(9))], []],
  [
    'active, though it was suspended',
    [suspended, state('active', of(9))],
    ['accounts/state-suspended | body of GET /account/state | suspended | active'],
  ],
  ['active again', [suspended, becomes('active', of(9)), state('active', of(9))], []],
  [
    'not active again',
    [suspended, becomes('active', of(9)), state('suspended', of(9))],
    ['accounts/state-active | body of GET /account/state | active | suspended'],
  ],
  ['refused', [state({}, { status: 404 })], ['accounts/state-read | status of GET /account/state | a state | 404']],
  ['failed', [state({}, { status: 500 })], []],
  ['refused, of a suspended one', [suspended, state({}, { status: 403, ...of(9) })], []],
  [
    'suspended, refused',
    [makes(9), becomes('suspended', { ...of(9), status: 400 })],
    ['accounts/state-suspend | status of PUT /account/state | a success | 400'],
  ],
  [
    'active, refused',
    [suspended, becomes('active', { ...of(9), status: 400 })],
    ['accounts/state-activate | status of PUT /account/state | a success | 400'],
  ],
  ['active, failed', [suspended, becomes('active', { ...of(9), status: 500 }), state('suspended', of(9))], []],
  [
    'active, though it is, refused',
    [makes(9), becomes('active', { ...of(9), status: 400 })],
    [],
    { isReference: false },
  ],
  [
    'active, though it is, refused by the reference service',
    [makes(9), becomes('active', { ...of(9), status: 400 })],
    ['accounts/state-activate | status of PUT /account/state | a success | 400'],
  ],
  [
    'suspended, refused by another service',
    [makes(9), becomes('suspended', { ...of(9), status: 400 })],
    ['accounts/state-suspend | status of PUT /account/state | a success | 400'],
    { isReference: false },
  ],
  [
    'something else',
    [makes(9), becomes('asleep', of(9))],
    ['accounts/state-other-refused | status of PUT /account/state | a refusal | 200'],
  ],
  ['something else, refused', [makes(9), becomes('asleep', { ...of(9), status: 400 })], []],
  ['itself suspended, refused', [becomes('suspended', { status: 400 })], []],
  ['itself suspended', [becomes('suspended'), state('active')], []],
  [
    'something else by another method',
    [makes(9), ask('POST /account/state', { sent: 'suspended', ...of(9) }), state('active', of(9))],
    [],
  ],
]);

const deletesComputer = ask('DELETE /computers/1', { value: [1] });
const there = { numComputers: 1, connected: [1] };

tell('an account says of itself', [
  ['an account', [whoami()], []],
  ['text', [ask('GET /whoami', { value: 'me' })], ['accounts/whoami | body of GET /whoami | an account object | me']],
  ['a refusal', [ask('GET /whoami', { value: 'me', status: 500 })], []],
  ['another id', [whoami({ id: 8 })], ['accounts/field-id | id of account 7 in GET /whoami | "7" | 8']],
  [
    'another name than before',
    [whoami({ firstname: 'Ann' }), whoami({ firstname: 'Bo' })],
    ['accounts/create-firstname | firstname of account 7 in GET /whoami | "Ann" | Bo'],
  ],
  [
    'another address than before',
    [whoami({ email: 'Ann' }), whoami({ email: 'Bo' })],
    ['accounts/create-email | email of account 7 in GET /whoami | "Ann" | Bo'],
  ],
  [
    'another state',
    [whoami({ state: 'suspended' })],
    ['accounts/state-in-account-object | state of account 7 in GET /whoami | "active" | suspended'],
  ],
  ['another state, where others may have done it', [whoami({ state: 'suspended' })], [], { isWhole: false }],
  [
    'tags that nobody made',
    [whoami({ Tags: { floor: '3' } })],
    ['accounts/tags-per-account | Tags of account 7 in GET /whoami | [] | {"floor":"3"}'],
  ],
  ['tags that others may have made', [whoami({ Tags: { floor: '3' } })], [], { isWhole: false }],
  ['no tags as an object', [whoami({ Tags: {} })], []],
  ['no tags as nothing', [whoami({ Tags: undefined })], []],
  [
    'a computer too few',
    [DESK, whoami()],
    [
      'accounts/num-computers-counts | numComputers of account 7 in GET /whoami | 1 | 0',
      'accounts/field-connected | connected of account 7 in GET /whoami | [1] | []',
    ],
  ],
  ['a computer', [DESK, whoami(there)], []],
  [
    'a computer too many',
    [DESK, whoami({ ...there, numComputers: 2 })],
    ['accounts/num-computers-counts | numComputers of account 7 in GET /whoami | 1 | 2'],
  ],
  ['a computer too many that got no welcome', [DESK, begins('NEW'), whoami({ ...there, numComputers: 2 })], []],
  [
    'two too many of which one got no welcome',
    [DESK, begins('NEW'), whoami({ ...there, numComputers: 3 })],
    ['accounts/num-computers-counts | numComputers of account 7 in GET /whoami | 1 | 3'],
  ],
  [
    'computers as text',
    [DESK, whoami({ ...there, numComputers: '1' })],
    ['accounts/num-computers-counts | numComputers of account 7 in GET /whoami | 1 | 1'],
  ],
  ['computers that others may have made', [DESK, whoami({ ...there, numComputers: 2 })], [], { isWhole: false }],
  [
    'a deleted computer',
    [DESK, deletesComputer, whoami(there)],
    ['accounts/num-computers-counts | numComputers of account 7 in GET /whoami | 0 | 1'],
  ],
  ['no deleted computer', [DESK, deletesComputer, whoami()], []],
  ['no computer after all were deleted', [DESK, ask('DELETE /computers', { value: [1] }), whoami()], []],
  [
    'a computer after another request was answered with its number',
    [DESK, ask('PUT /computers/1', { value: [1] }), whoami(there)],
    [],
  ],
  [
    'a computer after a job of the same number was deleted',
    [DESK, ask('DELETE /printjobs/1', { value: [1] }), whoami(there)],
    [],
  ],
  [
    'a computer of another account',
    [
      DESK,
      ask('GET /noop', { key: 'other', account: '8' }),
      connects(2, { apiKey: 'other' }),
      quiet,
      whoami({ numComputers: 2, connected: [1, 2] }),
    ],
    ['accounts/num-computers-counts | numComputers of account 7 in GET /whoami | 1 | 2'],
  ],
  [
    'a computer after its deletion was refused',
    [DESK, ask('DELETE /computers/1', { value: {}, status: 404 }), whoami(there)],
    [],
  ],
  ['a computer after others were deleted', [DESK, ask('DELETE /computersx', { value: [1] }), whoami(there)], []],
  [
    'no computer connected',
    [DESK, whoami({ ...there, connected: [] })],
    ['accounts/field-connected | connected of account 7 in GET /whoami | [1] | []'],
  ],
  [
    'another computer connected whose id holds its own',
    [DESK, whoami({ ...there, connected: [11, 12] })],
    ['accounts/field-connected | connected of account 7 in GET /whoami | [1] | [11,12]'],
  ],
  [
    'connected as text',
    [DESK, whoami({ ...there, connected: '1' })],
    ['accounts/field-connected | connected of account 7 in GET /whoami | [1] | 1'],
  ],
  ['connected as text, before all is quiet', [whoami({ connected: 'none' })], []],
  ['connected as records', [DESK, whoami({ ...there, connected: [{ id: 1 }] })], []],
  [
    'one of two connected',
    [DESK, connects(2), quiet, whoami({ numComputers: 2, connected: [2] })],
    ['accounts/field-connected | connected of account 7 in GET /whoami | [1,2] | [2]'],
  ],
  ['no computer connected, before all is quiet', [DESK, connects(2), whoami({ numComputers: 2, connected: [] })], []],
  [
    'no computer connected, after another answer',
    [DESK, ask('GET /noop'), whoami({ ...there, connected: [] })],
    ['accounts/field-connected | connected of account 7 in GET /whoami | [1] | []'],
  ],
  ['no computer connected on a real clock', [DESK, whoami({ ...there, connected: [] })], [], { isVirtual: false }],
  [
    'no computer connected where frames get lost',
    [DESK, whoami({ ...there, connected: [] })],
    [],
    { isLinkDisturbed: true },
  ],
  ['no computer connected that left', [DESK, goes(), quiet, whoami({ ...there, connected: [] })], []],
  ['no computer connected that sleeps', [DESK, sleeps(), quiet, whoami({ ...there, connected: [] })], []],
  [
    'no computer connected of a service that was restarted',
    [DESK, restarted, quiet, whoami({ ...there, connected: [] })],
    [],
  ],
  ['no credentials', [ask('GET /whoami', { key: 'x', account: '', status: 401, value: 'x' })], []],
]);

const sets = (value: unknown, asked: object = {}, name = 'floor'): Told =>
  ask(`POST /account/tag/${name}`, { sent: value, ...asked });
const shows = (value: unknown, asked: object = {}, name = 'floor'): Told =>
  ask(`GET /account/tag/${name}`, { value, ...asked });
const removes = (asked: object = {}, name = 'floor'): Told => ask(`DELETE /account/tag/${name}`, asked);
const missing = { status: 404, value: {} };

const setsBoth = [sets('3', { together: 1 }), sets('4', { together: 1 })];

const SHOWS_FOUR = ['accounts/tag-read | GET /account/tag/floor | "3" | 200 "4"'];

tell('a tag is', [
  ['set and shown', [sets('3'), shows('3')], []],
  ['shown as a record', [sets('3'), shows({ value: '3' })], []],
  ['shown with another value', [sets('3'), shows('4')], SHOWS_FOUR],
  ['not found', [sets('3'), shows('3', missing)], ['accounts/tag-read | GET /account/tag/floor | "3" | 404 {}']],
  [
    'shown before it was set',
    [shows('3')],
    ['accounts/tag-read-missing | GET /account/tag/floor | a refusal | 200 "3"'],
  ],
  ['shown that others may have set', [shows('3')], [], { isWhole: false }],
  [
    'shown by a refusal',
    [sets('3'), shows('3', { status: 404 })],
    ['accounts/tag-read | GET /account/tag/floor | "3" | 404 "3"'],
  ],
  ['not found before it was set', [shows({}, missing)], []],
  ['changed', [sets('3'), sets('4'), shows('4')], []],
  ['not changed', [sets('3'), sets('4'), shows('3')], ['accounts/tag-read | GET /account/tag/floor | "4" | 200 "3"']],
  ['deleted', [sets('3'), removes(), shows({}, missing)], []],
  [
    'not deleted',
    [sets('3'), removes(), shows('3')],
    ['accounts/tag-read-missing | GET /account/tag/floor | a refusal | 200 "3"'],
  ],
  [
    'whose deletion is refused',
    [sets('3'), removes({ status: 400 }), shows('3')],
    ['accounts/tag-delete | DELETE /account/tag/floor | a success | 400 nothing'],
  ],
  ['that is not there, whose deletion is refused', [removes({ status: 404 })], []],
  [
    'refused',
    [sets('3', { status: 400 })],
    ['accounts/tag-create | POST /account/tag/floor | a success | 400 nothing'],
  ],
  [
    'whose change is refused',
    [sets('3'), sets('4', { status: 400 })],
    ['accounts/tag-update | POST /account/tag/floor | a success | 400 nothing'],
  ],
  ['refused where nobody knows which body it takes', [sets('3', { status: 400 })], [], { dialect: {} }],
  ['of another body, refused', [sets({ value: '3' }, { status: 400 })], []],
  [
    'of a suspended Child, refused',
    [...suspended, sets('3', { ...of(9), status: 403 }), shows({}, { ...of(9), status: 403 })],
    [],
  ],
  ['of a suspended Child, shown with another value', [...suspended, sets('3', of(9)), shows('4', of(9))], SHOWS_FOUR],
  [
    'of another name',
    [sets('3', {}, 'a%20b')],
    ['accounts/tag-name-other-refused | POST /account/tag/a%20b | a refusal | 200 nothing'],
  ],
  ['of another name, refused', [sets('3', { status: 400 }, 'a%20b')], []],
  [
    'of another name, shown',
    [shows('3', {}, 'a%20b')],
    ['accounts/tag-name-other-refused | GET /account/tag/a%20b | a refusal | 200 "3"'],
  ],
  [
    'of a name that is too long',
    [sets('3', {}, 'a'.repeat(65))],
    [
      'accounts/tag-name-other-refused | POST /account/tag/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | a refusal | 200 nothing',
    ],
  ],
  ['of the longest name', [sets('3', {}, 'a'.repeat(64)), shows('3', {}, 'a'.repeat(64))], []],
  ['of a name in other letters', [sets('3', {}, '%66loor'), shows('3')], []],
  [
    'of another account',
    [makes(9), sets('3', of(9)), shows('3')],
    ['accounts/tag-read-missing | GET /account/tag/floor | a refusal | 200 "3"'],
  ],
  ['of another account, not found', [makes(9), sets('3', of(9)), shows({}, missing)], []],
  ['that is shown by the account', [sets('3'), whoami({ Tags: { floor: '3' } })], []],
  [
    'that is not shown by the account',
    [sets('3'), whoami({ Tags: { other: '3' } })],
    ['accounts/tag-in-account-object | Tags of account 7 in GET /whoami | {"floor":"3"} | {"other":"3"}'],
  ],
  [
    'that is shown by the account with another value',
    [sets('3'), whoami({ Tags: { floor: '4' } })],
    ['accounts/tag-in-account-object | Tags of account 7 in GET /whoami | {"floor":"3"} | {"floor":"4"}'],
  ],
  [
    'that is not shown by an account without any',
    [sets('3'), whoami({ Tags: undefined })],
    ['accounts/tag-in-account-object | Tags of account 7 in GET /whoami | {"floor":"3"} | nothing'],
  ],
  ['that is shown by the account as a list', [sets('3'), whoami({ Tags: [{ name: 'floor', value: '3' }] })], []],
  [
    'that is deleted and shown by the account',
    [sets('3'), removes(), whoami({ Tags: { floor: '3' } })],
    ['accounts/tags-per-account | Tags of account 7 in GET /whoami | [] | {"floor":"3"}'],
  ],
  ['set at the same time, and the first is shown', [setsBoth, shows('3'), shows('3')], []],
  ['set at the same time, and the second is shown', [setsBoth, shows('4'), shows('4')], []],
  ['set at the same time, and both are shown', [setsBoth, shows('3'), shows('4')], SHOWS_FOUR],
  [
    'set at the same time, and another is shown',
    [setsBoth, shows('5')],
    ['accounts/tag-read | GET /account/tag/floor | "4" | 200 "5"'],
  ],
  [
    'set at the same time, and an earlier one is shown',
    [sets('2', { together: 1 }), sets('3', { together: 2 }), sets('4', { together: 2 }), shows('2')],
    ['accounts/tag-read | GET /account/tag/floor | "4" | 200 "2"'],
  ],
  [
    'set at the same time and later',
    [setsBoth, sets('5'), shows('3')],
    ['accounts/tag-read | GET /account/tag/floor | "5" | 200 "3"'],
  ],
  [
    'set at the same time, and the first is shown by the account',
    [setsBoth, whoami({ Tags: { floor: '3' } }), shows('4')],
    SHOWS_FOUR,
  ],
]);

const TILL = 'till-key-0123456789';
const SHOP = 'shop-key-0123456789';
const creates = (key: unknown, asked: object = {}, name = 'till'): Told =>
  ask(`POST /account/apikey/${name}`, { value: key, ...asked });
const reads = (value: unknown, asked: object = {}): Told => ask('GET /account/apikey/till', { value, ...asked });
const revokes = (asked: object = {}, name = 'till'): Told => ask(`DELETE /account/apikey/${name}`, asked);

const SHOWS_SHOP_KEY = ['accounts/api-key-read | GET /account/apikey/till | the key | 200 "shop-key-0123456789"'];

tell('a key is', [
  ['made and shown', [creates(TILL), reads(TILL)], []],
  ['shown in a record', [creates({ key: TILL }), reads({ name: 'till' })], []],
  ['shown beside other strings', [creates(TILL), reads([SHOP, TILL])], []],
  ['shown as another one', [creates(TILL), reads(SHOP)], SHOWS_SHOP_KEY],
  [
    'not found',
    [creates(TILL), reads({}, missing)],
    ['accounts/api-key-read | GET /account/apikey/till | the key | 404 {}'],
  ],
  ['shown from then on, though not when it was made', [creates(null), reads(TILL), reads(TILL)], []],
  ['shown as another one than at first', [creates(null), reads(TILL), reads(SHOP)], SHOWS_SHOP_KEY],
  ['not found before it was made', [reads({}, missing)], []],
  [
    'refused',
    [creates({}, { status: 400 })],
    ['accounts/api-key-create | POST /account/apikey/till | a success | 400 {}'],
  ],
  ['refused where there is one of that name', [creates(TILL), creates({}, { status: 409 }), reads(TILL)], []],
  [
    'refused after the one of that name was deleted',
    [creates(TILL), revokes(), creates({}, { status: 409 })],
    ['accounts/api-key-create | POST /account/apikey/till | a success | 409 {}'],
  ],
  ['of a suspended Child, refused', [...suspended, creates({}, { ...of(9), status: 403 })], []],
  [
    'of a Child that is active again, refused',
    [...suspended, becomes('active', of(9)), creates({}, { ...of(9), status: 400 })],
    ['accounts/api-key-create | POST /account/apikey/till | a success | 400 {}'],
  ],
  ['refused where others may have made one', [creates({}, { status: 400 })], [], { isWhole: false }],
  ['refused where nobody knows which body it takes', [creates({}, { status: 400 })], [], { dialect: {} }],
  [
    'the same as another one',
    [creates(TILL), creates(TILL, {}, 'shop')],
    ['accounts/api-key-many | POST /account/apikey/shop | a key of its own | 200 "till-key-0123456789"'],
  ],
  ['another than that of another name', [creates(TILL), creates(SHOP, {}, 'shop')], []],
  ['the same as before', [creates(TILL), creates(TILL)], []],
  ['not shown when it is made', [creates({}), creates({}, {}, 'shop')], []],
  [
    'one of two strings, of which another has one',
    [creates([TILL, SHOP]), creates([TILL, 'desk-key-0123456789'], {}, 'shop')],
    [],
  ],
  ['deleted', [creates(TILL), revokes()], []],
  [
    'whose deletion is refused',
    [creates(TILL), revokes({ status: 400 })],
    ['accounts/api-key-delete | DELETE /account/apikey/till | a success | 400 nothing'],
  ],
  ['whose deletion is forbidden', [creates(TILL), revokes({ status: 403 })], []],
  ['that is not there, whose deletion is refused', [revokes({ status: 404 })], []],
  ['deleted twice', [creates(TILL), revokes(), revokes({ status: 404 })], []],
  ['made again after it was deleted', [creates(TILL), revokes(), creates(SHOP), reads(SHOP)], []],
  ['of a name in other letters', [creates(TILL, {}, '%74ill'), reads(SHOP)], SHOWS_SHOP_KEY],
  ['of another account', [makes(9), creates(TILL, of(9)), reads({}, missing)], []],
  [
    'of a Child that it was made with',
    [makes(9, {}, {}, { ApiKeys: { till: TILL } }), ask('GET /account/apikey/till', { ...of(9), value: SHOP })],
    SHOWS_SHOP_KEY,
  ],
  [
    'of a Child that was made without',
    [makes(9, {}, {}, { ApiKeys: [TILL] }), ask('GET /account/apikey/0', { ...of(9), status: 404 })],
    [],
  ],
  ['by another method', [creates(TILL), ask('PUT /account/apikey/till', { status: 405 })], []],
]);

const controls = (value: unknown, asked: object = {}): Told => ask('GET /account/controllable', { value, ...asked });

tell('an account controls', [
  ['a Child', [makes(9), controls([9])], []],
  ['no Child', [makes(9), controls([])], ['accounts/controllable | GET /account/controllable | account 9 | []']],
  [
    'one of two',
    [makes(9), makes(10, second), controls([{ id: 10 }])],
    ['accounts/controllable | GET /account/controllable | account 9 | [{"id":10}]'],
  ],
  [
    'an account whose id holds that of its Child',
    [makes(9), controls([19, 95])],
    ['accounts/controllable | GET /account/controllable | account 9 | [19,95]'],
  ],
  ['no deleted Child', [makes(9), deletesAccount(of(9)), controls([])], []],
  [
    'no account that is no Child',
    [
      ask('GET /whoami', {
        key: 'other',
        account: '8',
        value: { id: 8, numComputers: 0, connected: [], state: 'active' },
      }),
      controls([]),
    ],
    [],
  ],
  ['no Child of another one', [makes(9), controls([], { key: 'other', account: '8' })], []],
  ['a refusal', [makes(9), controls({}, { status: 403 })], []],
]);
