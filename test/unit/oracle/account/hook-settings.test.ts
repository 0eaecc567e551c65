import { ask, silence, tell, type Told } from '../../../support/told-history.ts';

const SETTINGS = { url: 'http://hook', secret: 's', messages: ['*'] };
const OTHER = { key: 'other', account: '8' };

function hook(webhookId: number, given: object = {}): object {
  return { webhookId, ...SETTINGS, ...given };
}

function lists(...hooks: readonly object[]): ReturnType<typeof ask> {
  return ask('GET /webhooks', { value: hooks });
}

/** A webhook that is made; the answer lists those before it as well. */
function makes(
  webhookId: number,
  sent: object = {},
  before: readonly object[] = [],
  asked: object = {},
): ReturnType<typeof ask> {
  return ask('POST /webhook', { sent: { ...SETTINGS, ...sent }, value: [...before, hook(webhookId, sent)], ...asked });
}

const refusing = (sent: unknown, asked: object = {}): ReturnType<typeof ask> =>
  ask('POST /webhook', { sent, status: 400, value: {}, ...asked });
const address = (number: number): object => ({ url: `http://hook/${number}` });
const several = (count: number): readonly Told[] =>
  Array.from({ length: count }, (_, index) =>
    makes(
      index + 1,
      address(index + 1),
      Array.from({ length: index }, (__, before) => hook(before + 1, address(before + 1))),
    ),
  );
const shown = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => hook(index + 1, address(index + 1)));
const deletes = (id: number, asked: object = {}): ReturnType<typeof ask> =>
  ask(`DELETE /webhook/${id}`, { value: [], ...asked });
const changes = (id: number, sent: unknown, asked: object = {}): ReturnType<typeof ask> =>
  ask(`PATCH /webhook/${id}`, { sent, value: [], ...asked });

const REFUSED = ['webhooks/create | status of POST /webhook | a success | 400'];

tell('making a webhook', [
  ['one', [makes(1), lists(hook(1))], []],
  [
    'one without an address',
    [makes(1, { url: undefined })],
    [
      'webhooks/create-url-missing-refused | status of POST /webhook | a refusal | 200',
      'webhooks/create-url | webhook 1 in POST /webhook | "" | nothing',
    ],
  ],
  [
    'one without a secret',
    [makes(1, { secret: undefined })],
    [
      'webhooks/create-secret-missing-refused | status of POST /webhook | a refusal | 200',
      'webhooks/create-secret | webhook 1 in POST /webhook | "" | nothing',
    ],
  ],
  [
    'one without messages',
    [makes(1, { messages: undefined })],
    [
      'webhooks/create-messages-missing-refused | status of POST /webhook | a refusal | 200',
      'webhooks/create-messages | webhook 1 in POST /webhook | [] | nothing',
    ],
  ],
  [
    'one without an address and a secret',
    [makes(1, { url: undefined, secret: undefined })],
    [
      'webhooks/create-url-missing-refused | status of POST /webhook | a refusal | 200',
      'webhooks/create-url | webhook 1 in POST /webhook | "" | nothing',
      'webhooks/create-secret | webhook 1 in POST /webhook | "" | nothing',
    ],
  ],
  [
    'one for all types and another',
    [makes(1, { messages: ['*', 'computer state'] })],
    ['webhooks/messages-star-with-others-refused | status of POST /webhook | a refusal | 200'],
  ],
  [
    'one for another and all types',
    [makes(1, { messages: ['computer state', '*'] })],
    ['webhooks/messages-star-with-others-refused | status of POST /webhook | a refusal | 200'],
  ],
  ['one for two types', [makes(1, { messages: ['computer state', 'print job state'] })], []],
  ['one for all types alone', [makes(1, { messages: ['*'] })], []],
  ['one without anything that is refused', [refusing({})], []],
  ['one by form', [refusing('url=x')], []],
  ['one that is refused', [refusing(SETTINGS)], REFUSED],
  ['one that fails', [refusing(SETTINGS, { status: 500 })], []],
  ['one too often', [refusing(SETTINGS, { status: 429 })], []],
  ['one while suspended', [refusing(SETTINGS, { status: 403 })], []],
  ['one of a type that is not printed, refused', [refusing({ ...SETTINGS, messages: ['other'] })], []],
  ['one of a printed type, refused', [refusing({ ...SETTINGS, messages: ['computer state'] })], REFUSED],
  [
    'one of a printed type whose spelling is unknown, refused',
    [refusing({ ...SETTINGS, messages: ['computer state'] })],
    [],
    { dialect: {} },
  ],
  ['one for all types where no spelling is known, refused', [refusing(SETTINGS)], REFUSED, { dialect: {} }],
  ['one whose messages are text, refused', [refusing({ ...SETTINGS, messages: '*' })], []],
  ['one whose address is a number, refused', [refusing({ ...SETTINGS, url: 5 })], []],
  ['one in an account that others use, refused', [refusing(SETTINGS)], [], { isWhole: false }],
  ['one beside others at the same time, refused', [refusing(SETTINGS, { together: 1 })], []],
  ['a second one for the same address, refused', [makes(1), refusing(SETTINGS)], [], { isReference: false }],
  ['a second one for the same address, refused by the reference service', [makes(1), refusing(SETTINGS)], REFUSED],
  [
    'a second one for another address, refused',
    [makes(1), refusing({ ...SETTINGS, url: 'http://new' })],
    REFUSED,
    { isReference: false },
  ],
  [
    'a second one for an address that was changed, refused',
    [makes(1), changes(1, { url: 'http://moved' }), refusing(SETTINGS)],
    REFUSED,
    { isReference: false },
  ],
  [
    'a second one for an address of a deleted one, refused',
    [makes(1), deletes(1), refusing(SETTINGS)],
    REFUSED,
    { isReference: false },
  ],
  ['five', [several(5), lists(...shown(5))], []],
  ['a sixth', [several(6)], ['limits/webhooks-sixth-refused | status of POST /webhook | a refusal | 200']],
  ['a sixth that is refused', [several(5), refusing({ ...SETTINGS, url: 'http://six' })], []],
  ['a fifth that is refused', [several(4), refusing({ ...SETTINGS, url: 'http://five' })], REFUSED],
  [
    'a fifth that is refused after one of five was deleted',
    [several(5), deletes(5), refusing({ ...SETTINGS, url: 'http://six' })],
    ['limits/webhooks-freed | status of POST /webhook | a success | 400'],
  ],
  [
    'a fifth after one of five was deleted',
    [several(5), deletes(5), makes(6, address(6), shown(4)), lists(...shown(4), hook(6, address(6)))],
    [],
  ],
  [
    'one that is not in the answer',
    [ask('POST /webhook', { sent: SETTINGS, value: [] }), lists(hook(1)), refusing({ ...SETTINGS, url: 'http://two' })],
    ['webhooks/create | POST /webhook | a new webhook for http://hook | []'],
  ],
  [
    'one of another address in the answer',
    [ask('POST /webhook', { sent: SETTINGS, value: [hook(1, { url: 'http://x' })] })],
    [
      'webhooks/create | POST /webhook | a new webhook for http://hook | [{"webhookId":1,"url":"http://x","secret":"s","messages":["*"]}]',
    ],
  ],
  [
    'one that has the id of another',
    [makes(1), makes(1)],
    [
      'webhooks/create | POST /webhook | a new webhook for http://hook | [{"webhookId":1,"url":"http://hook","secret":"s","messages":["*"]}]',
    ],
  ],
  [
    'one alone in the answer',
    [ask('POST /webhook', { sent: SETTINGS, value: hook(1) })],
    [
      'webhooks/create | POST /webhook | a new webhook for http://hook | {"webhookId":1,"url":"http://hook","secret":"s","messages":["*"]}',
      'webhooks/create-answers-list | body of POST /webhook | an array | {"webhookId":1,"url":"http://hook","secret":"s","messages":["*"]}',
    ],
  ],
  [
    'one beside others at the same time',
    [makes(1, {}, [], { together: 1 }), makes(2, address(2), [], { together: 1 })],
    [],
  ],
]);

tell('changing a webhook', [
  ['an address', [makes(1), changes(1, { url: 'http://new' }), lists(hook(1, { url: 'http://new' }))], []],
  [
    'an address that stays',
    [makes(1), changes(1, { url: 'http://new' }), lists(hook(1))],
    ['webhooks/update-url | webhook 1 in GET /webhooks | "http://new" | "http://hook"'],
  ],
  ['a secret', [makes(1), changes(1, { secret: 'new' }), lists(hook(1, { secret: 'new' }))], []],
  [
    'a secret that stays',
    [makes(1), changes(1, { secret: 'new' }), lists(hook(1))],
    ['webhooks/update-secret | webhook 1 in GET /webhooks | "new" | "s"'],
  ],
  [
    'messages',
    [makes(1), changes(1, { messages: ['computer state'] }), lists(hook(1, { messages: ['computer state'] }))],
    [],
  ],
  [
    'messages that stay',
    [makes(1), changes(1, { messages: ['computer state'] }), lists(hook(1))],
    ['webhooks/update-messages | webhook 1 in GET /webhooks | ["computer state"] | ["*"]'],
  ],
  [
    'messages to all types and another',
    [makes(1), changes(1, { messages: ['*', 'computer state'] })],
    ['webhooks/update-star-with-others-refused | status of PATCH /webhook/1 | a refusal | 200'],
  ],
  [
    'something and is refused',
    [makes(1), changes(1, { secret: 'new' }, { status: 400 }), lists(hook(1))],
    ['webhooks/update | status of PATCH /webhook/1 | a success | 400'],
  ],
  ['something and fails', [makes(1), changes(1, { secret: 'new' }, { status: 500 }), lists(hook(1))], []],
  [
    'messages to an unknown type, refused',
    [makes(1), changes(1, { messages: ['other'] }, { status: 400 }), lists(hook(1))],
    [],
  ],
  [
    'messages to all types and another, refused',
    [makes(1), changes(1, { messages: ['*', 'computer state'] }, { status: 400 }), lists(hook(1))],
    [],
  ],
  ['by form, refused', [makes(1), changes(1, 'url=x', { status: 400 }), lists(hook(1))], []],
  ['by form', [makes(1), changes(1, 'url=x'), lists(hook(1))], []],
  [
    // What it is answered is for the service to choose.
    'that of another account, without effect',
    [makes(1), ask('GET /noop', OTHER), changes(1, { secret: 'new' }, OTHER), lists(hook(1))],
    [],
  ],
  [
    'that of another account',
    [makes(1), ask('GET /noop', OTHER), changes(1, { secret: 'new' }, OTHER), lists(hook(1, { secret: 'new' }))],
    ['webhooks/create-secret | webhook 1 in GET /webhooks | "s" | "new"'],
  ],
  [
    'that of another account, refused',
    [makes(1), ask('GET /noop', OTHER), changes(1, { secret: 'new' }, { ...OTHER, status: 404 }), lists(hook(1))],
    [],
  ],
  ['a deleted one, refused', [makes(1), deletes(1), changes(1, { secret: 'new' }, { status: 404 })], []],
  ['a deleted one', [makes(1), deletes(1), changes(1, { secret: 'new' })], []],
  ['one that there is not', [changes(1, { secret: 'new' }, { status: 404 })], []],
  [
    'with an answer that is no list',
    [makes(1), changes(1, { secret: 'new' }, { value: {} })],
    ['webhooks/update-answers-list | body of PATCH /webhook/1 | an array | {}'],
  ],
  ['with a list from before', [makes(1), changes(1, { secret: 'new' }, { value: [hook(1)] })], []],
  [
    'twice',
    [
      makes(1),
      changes(1, { secret: 'new' }),
      changes(1, { url: 'http://new' }),
      lists(hook(1, { url: 'http://new', secret: 'new' })),
    ],
    [],
  ],
  ['by another path', [makes(1), ask('PATCH /webhook/1x', { sent: { secret: 'new' }, value: [] }), lists(hook(1))], []],
  ['number zero', [makes(1), changes(0, { secret: 'new' }, { status: 404 }), lists(hook(1))], []],
]);

tell('deleting a webhook', [
  ['one', [several(2), deletes(2), lists(...shown(1))], []],
  [
    'one that stays',
    [several(2), deletes(2), lists(...shown(2))],
    ['webhooks/delete | body of GET /webhooks | its webhooks alone | webhook 2'],
  ],
  [
    'one and it is refused',
    [several(2), deletes(2, { status: 404 }), lists(...shown(2))],
    ['webhooks/delete | status of DELETE /webhook/2 | a success | 404'],
  ],
  [
    'one and it fails',
    [several(2), deletes(2, { status: 500 }), lists(...shown(2))],
    ['webhooks/delete | status of DELETE /webhook/2 | a success | 500'],
  ],
  ['one twice', [several(2), deletes(2), deletes(2, { status: 404 })], []],
  [
    'one and another goes',
    [several(2), deletes(2), lists()],
    ['webhooks/delete-leaves-other-webhooks | webhook 1 in GET /webhooks | shown | not in the list'],
  ],
  [
    'that of another account, without effect',
    [several(1), ask('GET /noop', OTHER), deletes(1, OTHER), lists(...shown(1))],
    [],
  ],
  [
    'that of another account',
    [several(1), ask('GET /noop', OTHER), deletes(1, OTHER), lists()],
    ['webhooks/delete-leaves-other-webhooks | webhook 1 in GET /webhooks | shown | not in the list'],
  ],
  [
    'that of another account, refused',
    [several(1), ask('GET /noop', OTHER), deletes(1, { ...OTHER, status: 404 }), lists(...shown(1))],
    [],
  ],
  ['one that there is not', [deletes(1, { status: 404 })], []],
  ['one that nobody knows', [deletes(1)], []],
  [
    'with an answer that is no list',
    [several(1), deletes(1, { value: {} })],
    ['webhooks/delete-answers-list | body of DELETE /webhook/1 | an array | {}'],
  ],
  ['with a list from before', [several(1), deletes(1, { value: shown(1) })], []],
  ['by another path', [several(1), ask('DELETE /webhook/1/x', { value: [] }), lists(...shown(1))], []],
]);

tell('a list of webhooks shows', [
  ['none at first', [lists()], []],
  [
    'one at first',
    [lists(hook(1))],
    ['limits/webhooks-none-at-first | body of GET /webhooks | its webhooks alone | webhook 1'],
  ],
  [
    'two at first',
    [lists(hook(1), hook(2))],
    ['limits/webhooks-none-at-first | body of GET /webhooks | its webhooks alone | webhook 1'],
  ],
  ['one at first where others may have made it', [lists(hook(1))], [], { isWhole: false }],
  ['one at first in an account that others may know', [lists(hook(1))], [], { ownAccount: '9' }],
  [
    'one that lacks',
    [makes(1), lists()],
    ['webhooks/delete-leaves-other-webhooks | webhook 1 in GET /webhooks | shown | not in the list'],
  ],
  [
    'another address',
    [makes(1), lists(hook(1, { url: 'http://x' }))],
    ['webhooks/create-url | webhook 1 in GET /webhooks | "http://hook" | "http://x"'],
  ],
  [
    'another secret',
    [makes(1), lists(hook(1, { secret: 'x' }))],
    ['webhooks/create-secret | webhook 1 in GET /webhooks | "s" | "x"'],
  ],
  [
    'other messages',
    [makes(1), lists(hook(1, { messages: [] }))],
    ['webhooks/create-messages | webhook 1 in GET /webhooks | ["*"] | []'],
  ],
  [
    'one id twice',
    [makes(1), lists(hook(1), hook(1))],
    [
      'webhooks/id-assigned-by-service | body of GET /webhooks | an id for each webhook | [{"webhookId":1,"url":"http://hook","secret":"s","messages":["*"]},{"webhookId":1,"url":"http://hook","secret":"s","messages":["*"]}]',
    ],
  ],
  [
    'text beside it',
    [makes(1), ask('GET /webhooks', { value: [hook(1), 'x'] })],
    [
      'webhooks/id-assigned-by-service | body of GET /webhooks | an id for each webhook | [{"webhookId":1,"url":"http://hook","secret":"s","messages":["*"]},"x"]',
    ],
  ],
  [
    'one of another account',
    [makes(1), ask('GET /webhooks', { ...OTHER, value: [hook(1)] })],
    ['webhooks/list-own-only | body of GET /webhooks | its webhooks alone | webhook 1'],
  ],
  ['none of another account', [makes(1), ask('GET /webhooks', { ...OTHER, value: [] })], []],
  ['an object', [ask('GET /webhooks', { value: {} })], ['webhooks/list | body of GET /webhooks | an array | {}']],
  [
    'an object in an account that others know',
    [ask('GET /webhooks', { value: {} })],
    ['webhooks/list | body of GET /webhooks | an array | {}'],
    { isWhole: false },
  ],
  ['a refusal', [ask('GET /webhooks', { value: {}, status: 500 })], []],
  ['too many requests', [makes(1), ask('GET /webhooks', { value: [], status: 429 })], []],
  ['something else', [ask('GET /web', { value: {} }), ask('POST /webhook/5', { value: [], sent: SETTINGS })], []],
  [
    'anything after a change got no answer',
    [makes(1), silence('PATCH /webhook/1', { secret: 'new' }), lists(hook(1, { secret: 'new' }))],
    [],
  ],
  ['one beside others at the same time', [makes(1), ask('GET /webhooks', { value: [], together: 1 })], []],
  ['what a new one listed at the same time lacks', [makes(1), makes(2, address(2), [], { together: 1 })], []],
]);
