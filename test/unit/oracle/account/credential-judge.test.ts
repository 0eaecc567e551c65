import { ask, tell, type Told } from '../../../support/told-history.ts';

const noop = (asked: object = {}): Told => ask('GET /noop', asked);
const refused = (asked: object = {}): Told => noop({ status: 401, account: '', ...asked });
const makes = (id: number, apiKeys?: object): Told =>
  ask('POST /account', {
    sent: { Account: { firstname: '-', lastname: '-', email: `${id}@example.test`, password: 'longer 8' } },
    value: { Account: { id }, ...(apiKeys && { ApiKeys: apiKeys }) },
  });
const of = (child: number) => ({ child: String(child) });
const TILL = 'till-key-0123456789';
const creates = ask('POST /account/apikey/till', { value: TILL });
const revokes = ask('DELETE /account/apikey/till');
const suspends = (child: number): Told => ask('PUT /account/state', { sent: 'suspended', ...of(child) });
const deletes = (child: number): Told => ask('DELETE /account', of(child));
const till = { key: TILL };
const ofChild = { key: 'child-key-0123456789', account: '9' };
const CHILD = makes(9, { till: 'child-key-0123456789' });

tell('a key', [
  ['is none and comes too often', [noop({ key: 'no-such-key-5', status: 429 })], []],
  ['works again', [noop(), noop()], []],
  ['works no more', [noop(), refused()], ['authentication/basic-key | status of GET /noop | an answer | 401']],
  ['works no more for a Child of which nothing is known', [noop(), refused(of(9))], []],
  [
    'works no more by another header of a Child',
    [noop(), refused({ headers: { 'X-Child-Account-By-Email': 'a' } })],
    [],
  ],
  [
    'works no more, beside a header of another kind',
    [noop(), refused({ headers: { 'X-Trace': '1' } })],
    ['authentication/basic-key | status of GET /noop | an answer | 401'],
  ],
  ['has never worked', [refused()], []],
  ['has worked for a Child alone', [makes(9), noop({ key: 'k2', ...of(9) }), refused({ key: 'k2' })], []],
  ['was refused too often', [noop(), noop({ status: 429, account: '' })], []],
  ['failed', [noop({ status: 500 }), refused()], []],
  [
    'is none and works',
    [noop({ key: 'no-such-key-5' })],
    ['authentication/invalid-key-401 | status of GET /noop | 401 | 200'],
  ],
  ['is none and is refused', [refused({ key: 'no-such-key-5' })], []],
  [
    'is none and fails',
    [noop({ key: 'no-such-key-5', status: 500 })],
    ['authentication/invalid-key-401 | status of GET /noop | 401 | 500'],
  ],
  [
    'works in capitals',
    [noop(), noop({ key: 'KEY' })],
    ['authentication/invalid-key-401 | status of GET /noop | 401 | 200'],
  ],
  [
    'works in small letters',
    [noop({ key: 'KEY' }), noop()],
    ['authentication/invalid-key-401 | status of GET /noop | 401 | 200'],
  ],
  ['is refused in capitals', [noop(), refused({ key: 'KEY' })], []],
  ['works beside another', [noop(), noop({ key: 'other' })], []],
  ['is left out', [noop(), noop({ key: '', account: '' })], []],
  ['was made and works', [creates, noop(till)], []],
  [
    'was made and does not work',
    [creates, refused(till)],
    ['accounts/api-key-authenticates | status of GET /noop | an answer | 401'],
  ],
  ['was made and does not work for a Child', [creates, refused({ ...till, ...of(9) })], []],
  [
    'was revoked and works',
    [creates, revokes, noop(till)],
    ['accounts/api-key-deleted-401 | status of GET /noop | 401 | 200'],
  ],
  ['was revoked and is refused', [creates, noop(till), revokes, refused(till)], []],
  [
    'was revoked and fails',
    [creates, revokes, noop({ ...till, status: 500 })],
    ['accounts/api-key-deleted-401 | status of GET /noop | 401 | 500'],
  ],
  ['of a Child works', [CHILD, noop(ofChild)], []],
  [
    'of a Child does not work',
    [CHILD, refused({ key: ofChild.key })],
    ['accounts/api-key-authenticates | status of GET /noop | an answer | 401'],
  ],
  ['of a suspended Child is refused', [CHILD, suspends(9), refused({ key: ofChild.key })], []],
  ['of a suspended Child works', [CHILD, suspends(9), noop(ofChild)], []],
  [
    'of a deleted Child works',
    [CHILD, deletes(9), noop(ofChild)],
    ['accounts/delete-keys-stop | status of GET /noop | 401 | 200'],
  ],
  ['of a deleted Child is refused', [CHILD, deletes(9), refused({ key: ofChild.key })], []],
  [
    'that worked before its Child was suspended is refused',
    [makes(9), noop(ofChild), suspends(9), refused({ key: ofChild.key })],
    [],
  ],
  [
    'that worked before its Child was deleted is refused',
    [makes(9), noop(ofChild), deletes(9), refused({ key: ofChild.key })],
    [],
  ],
  [
    'that worked before its Child was deleted works',
    [makes(9), noop(ofChild), deletes(9), noop(ofChild)],
    ['accounts/delete-keys-stop | status of GET /noop | 401 | 200'],
  ],
]);

tell('a Child', [
  ['acts', [makes(9), noop(of(9))], []],
  [
    'is refused',
    [makes(9), noop(), refused(of(9))],
    ['authentication/child-by-id | status of GET /noop | an answer | 401'],
  ],
  ['is refused to a key that has not worked', [makes(9), refused({ key: 'other', ...of(9) })], []],
  [
    'is refused to a key that was revoked',
    [makes(9), creates, noop(till), revokes, refused({ ...till, ...of(9) })],
    [],
  ],
  ['that nobody made is refused', [noop(), refused(of(9))], []],
  ['that was suspended is refused', [makes(9), suspends(9), refused(of(9))], []],
  ['that was deleted is refused', [makes(9), deletes(9), refused(of(9))], []],
  [
    'that was deleted acts',
    [makes(9), deletes(9), noop(of(9))],
    ['authentication/child-deleted-401 | status of GET /noop | 401 | 200'],
  ],
  [
    'that was deleted fails',
    [makes(9), deletes(9), noop({ ...of(9), status: 500 })],
    ['authentication/child-deleted-401 | status of GET /noop | 401 | 500'],
  ],
  [
    'acts as another account',
    [makes(9), noop({ ...of(9), account: '7' })],
    ['authentication/child-x-account | GET /noop | 9 | 7'],
  ],
  [
    'acts without a name',
    [makes(9), noop({ ...of(9), account: '' })],
    ['authentication/child-x-account | GET /noop | 9 | nothing'],
  ],
  ['fails as another account', [makes(9), noop({ ...of(9), account: '7', status: 500 })], []],
  ['that nobody made acts as another account', [noop({ ...of(9), account: '7' })], []],
  [
    'acts by the right of another account',
    [makes(9), noop({ ...of(9), answerHeaders: { 'X-Authorized-As': '8' } })],
    ['authentication/child-x-authorized-as | GET /noop | 7 | 8'],
  ],
  [
    'acts without saying by which header',
    [
      makes(9),
      noop({ headers: { 'x-child-account-by-id': '9' }, account: '9', answerHeaders: { 'x-authorized-as': '7' } }),
    ],
    ['authentication/child-strategy-by-id | GET /noop | the strategy | no such header'],
  ],
  [
    'acts by a header in small letters',
    [
      makes(9),
      noop({
        headers: { 'x-child-account-by-id': '9' },
        account: '9',
        answerHeaders: { 'x-authorized-as': '7', 'x-child-account-by-id': '9' },
      }),
    ],
    [],
  ],
]);
