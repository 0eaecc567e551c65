import {
  ask,
  at,
  begins,
  computerRecord,
  connects,
  DESK,
  goes,
  hasPrinters,
  printer,
  printerRecord,
  quiet,
  sendsPrinters,
  sleeps,
  submits,
  tell,
  type Told,
} from '../../../support/told-history.ts';

const OTHER = { key: 'other', account: '8' };
const lists = (path: string, value: unknown, asked: object = {}): Told => ask(`GET ${path}`, { value, ...asked });
const computers = (...records: readonly object[]): Told => lists('/computers', records);
const second = computerRecord(2);
const own = computerRecord();

/** Computers 1 and 2. */
const TWO = [ask('GET /noop'), connects(), connects(2)];

const hasThird = [TWO, computers(computerRecord(3), second, own)];

const HAS_THIRD = ['computers/list-set | ids of GET /computers | what is asked for | also 3'];

tell('a list of computers', [
  ['all of them', [TWO, computers(second, own)], []],
  ['none', [TWO, computers()], ['computers/list | ids of GET /computers | also 1 | []']],
  ['one too few', [TWO, computers(second)], ['computers/list | ids of GET /computers | also 1 | [2]']],
  [
    'without one that came while it was on its way',
    [TWO, lists('/computers', [own], { sentMs: 2_000 })],
    [],
    { isVirtual: false },
  ],
  [
    'without one that came just before',
    [TWO, lists('/computers', [own], { sentMs: 2_001 })],
    ['computers/list | ids of GET /computers | also 2 | [1]'],
    { isVirtual: false },
  ],
  ['one too many', [hasThird], HAS_THIRD],
  ['one too many where others may have made it', [hasThird], [], { isWhole: false }],
  ['one too many in an account that others may know', [hasThird], [], { ownAccount: '9' }],
  ['one too many in the account that is known', [hasThird], HAS_THIRD, { ownAccount: '7' }],
  ['one whose hello got no welcome', [TWO, begins('NEW'), computers(computerRecord(3), second, own)], []],
  [
    'two of which one got no welcome',
    [TWO, begins('NEW'), computers(computerRecord(4), computerRecord(3), second, own)],
    ['computers/list-set | ids of GET /computers | what is asked for | also 4,3'],
  ],
  [
    'one whose hello was for another account',
    [TWO, ask('GET /noop', OTHER), begins('NEW', 'other'), computers(computerRecord(3), second, own)],
    HAS_THIRD,
  ],
  [
    'one that is known and got no second welcome',
    [TWO, begins('DESK'), computers(computerRecord(3), second, own)],
    HAS_THIRD,
  ],
  ['none that was deleted', [TWO, ask('DELETE /computers/2', { value: [2] }), computers(own)], []],
  [
    'one that was deleted',
    [TWO, ask('DELETE /computers/2', { value: [2] }), computers(second, own)],
    ['computers/list-set | ids of GET /computers | what is asked for | also 2'],
  ],
  [
    'one that was deleted and began to connect',
    [TWO, ask('DELETE /computers/2', { value: [2] }), begins('PC2'), computers(computerRecord(3), own)],
    [],
  ],
  ['those of the set', [TWO, lists('/computers/2', [second])], []],
  [
    'one outside the set',
    [TWO, lists('/computers/2', [second, own])],
    ['computers/list-set | ids of GET /computers/2 | what is asked for | also 1'],
  ],
  [
    'not the one of the set',
    [TWO, lists('/computers/2', [])],
    ['computers/list | ids of GET /computers/2 | also 2 | []'],
  ],
  ['those of a set, and one that is unknown', [TWO, lists('/computers/2,3', [second])], []],
  ['those of two', [TWO, lists('/computers/1,2', [second, own])], []],
  [
    'one of another account',
    [TWO, ask('GET /noop', OTHER), connects(3, { apiKey: 'other' }), computers(computerRecord(3), second, own)],
    HAS_THIRD,
  ],
  [
    'none of another account',
    [TWO, ask('GET /noop', OTHER), connects(3, { apiKey: 'other' }), computers(second, own)],
    [],
  ],
  [
    'one that connected again with another key',
    [TWO, goes(2), connects(2, { apiKey: 'new' }), computers(second, own)],
    [],
  ],
  [
    'the oldest first',
    [TWO, computers(own, second)],
    ['computers/paginated | ids of GET /computers | newest first | [1,2]'],
  ],
  [
    'not the second of a set, written in another way',
    [TWO, lists('/computers/1%2c2', [own])],
    ['computers/list | ids of GET /computers/1%2c2 | also 2 | [1]'],
  ],
  ['an object', [TWO, lists('/computers', {})], ['computers/list | GET /computers | an array | {}']],
  ['records without ids', [TWO, computers({ name: 'DESK' })], []],
  ['a refusal', [TWO, lists('/computers', {}, { status: 404 })], []],
  [
    'something else',
    [TWO, lists('/computers/1/x', {}), lists('/x/computers', {}), ask('PUT /computers', { value: {} })],
    [],
  ],
]);

tell('a computer in a list has', [
  [
    'another name',
    [DESK, computers(computerRecord(1, { name: 'X' }))],
    ['computers/name-as-reported | computer 1 in GET /computers | "DESK" | "X"'],
  ],
  [
    'another host',
    [DESK, computers(computerRecord(1, { hostname: 'X' }))],
    ['computers/field-hostname | computer 1 in GET /computers | "DESK.local" | "X"'],
  ],
  [
    'another address',
    [DESK, computers(computerRecord(1, { inet: 'X' }))],
    ['computers/field-inet | computer 1 in GET /computers | "10.0.0.1" | "X"'],
  ],
  [
    'another version',
    [DESK, computers(computerRecord(1, { version: 'X' }))],
    ['computers/version-as-reported | computer 1 in GET /computers | "4.0.0" | "X"'],
  ],
  [
    'a name that it changed',
    [
      DESK,
      connects(1, { client: { ...connects().client, computerName: 'NEW' } }),
      computers(computerRecord(1, { name: 'NEW' })),
    ],
    [],
  ],
  [
    'another beginning',
    [DESK, computers(own), computers(computerRecord(1, { createTimestamp: '2027-01-01T00:00:00.000Z' }))],
    [
      'computers/create-timestamp-constant | computer 1 in GET /computers | "2026-01-01T00:00:00.000Z" | "2027-01-01T00:00:00.000Z"',
    ],
  ],
  [
    'another beginning after it connected again',
    [
      DESK,
      computers(own),
      goes(),
      connects(),
      computers(computerRecord(1, { createTimestamp: '2027-01-01T00:00:00.000Z' })),
    ],
    [
      'computers/create-timestamp-constant | computer 1 in GET /computers | "2026-01-01T00:00:00.000Z" | "2027-01-01T00:00:00.000Z"',
    ],
  ],
  [
    'disconnected, while it is there',
    [DESK, computers(computerRecord(1, { state: 'disconnected' }))],
    ['states/computer-connected-differs | computer 1 in GET /computers | not disconnected | disconnected'],
  ],
  ['disconnected, while it is away', [DESK, goes(), computers(computerRecord(1, { state: 'disconnected' }))], []],
  ['disconnected, while it sleeps', [DESK, sleeps(), computers(computerRecord(1, { state: 'disconnected' }))], []],
  [
    'disconnected, on a link that loses frames',
    [DESK, computers(computerRecord(1, { state: 'disconnected' }))],
    [],
    { isLinkDisturbed: true },
  ],
  [
    'disconnected, on a real clock',
    [DESK, computers(computerRecord(1, { state: 'disconnected' }))],
    [],
    { isVirtual: false },
  ],
]);

const deletes = (path: string, value: unknown, asked: object = {}): Told => ask(`DELETE ${path}`, { value, ...asked });

tell('deleting computers', [
  ['one', [TWO, deletes('/computers/2', [2])], []],
  ['all', [TWO, deletes('/computers', [1, 2])], []],
  [
    'not the one that is named',
    [TWO, deletes('/computers/2', [])],
    ['computers/delete-removes | ids of DELETE /computers/2 | computer 2 | []'],
  ],
  [
    'not one of all',
    [TWO, deletes('/computers', [1])],
    ['computers/delete-removes | ids of DELETE /computers | computer 2 | [1]'],
  ],
  [
    'another one as well',
    [TWO, deletes('/computers/2', [1, 2])],
    ['computers/delete-leaves-others | ids of DELETE /computers/2 | what it names | [1,2]'],
  ],
  [
    'one of another account',
    [TWO, ask('GET /noop', OTHER), deletes('/computers', [1], OTHER)],
    ['computers/delete-leaves-others | ids of DELETE /computers | what it names | [1]'],
  ],
  ['none of another account', [TWO, ask('GET /noop', OTHER), deletes('/computers', [], OTHER)], []],
  [
    'not one of two that are named',
    [TWO, deletes('/computers/1,2', [1])],
    ['computers/delete-removes | ids of DELETE /computers/1,2 | computer 2 | [1]'],
  ],
  ['what is no set', [TWO, deletes('/computers/all', [])], []],
  ['print jobs instead', [TWO, deletes('/printjobs', [])], []],
  [
    'with an object',
    [TWO, deletes('/computers/2', { ids: [2] })],
    ['computers/delete-set | DELETE /computers/2 | an array of ids | {"ids":[2]}'],
  ],
  ['and is refused', [TWO, deletes('/computers/2', {}, { status: 404 })], []],
  ['something else', [TWO, deletes('/computers/2/x', {}), deletes('/x/computers', {})], []],
]);

const laser = printerRecord();
const receipts = printerRecord(12, 'Receipts');
const printers = (...records: readonly object[]): Told => lists('/printers', records);
const changed = (given: object): Told => printers(printerRecord(11, 'Laser', given as never));
const both = [DESK, hasPrinters(1, printer(), printer('Receipts'))];
const elsewhere = [ask('GET /noop', OTHER), connects(3, { apiKey: 'other' }), hasPrinters(3, printer('Foreign'))];

tell('a list of printers', [
  ['all of them', [both, printers(receipts, laser)], []],
  [
    'none',
    [DESK, printers()],
    ['printers/known-after-report | printers of computer 1 in GET /printers | 1 printers | 0'],
  ],
  [
    'none, of a report that came while they were on their way',
    [both, lists('/printers', [], { sentMs: 0 })],
    [],
    { isVirtual: false },
  ],
  [
    'one too few',
    [both, printers(laser)],
    ['printers/known-after-report | printers of computer 1 in GET /printers | 2 printers | 1'],
  ],
  [
    'one too few while a report is on its way',
    [DESK, sendsPrinters(1, printer(), printer('Receipts')), printers(laser)],
    [],
  ],
  [
    'one too many',
    [DESK, printers(receipts, laser)],
    [
      'printers/list-of-computers-only | printers of computer 1 in GET /printers | none but those reported | ["Receipts","A printer",{"copies":9},false]',
    ],
  ],
  [
    'none but a new one whose report is on its way',
    [DESK, sendsPrinters(1, printer('New')), printers(printerRecord(12, 'New'))],
    [],
  ],
  ['one for two of one name', [DESK, hasPrinters(1, printer(), printer('Laser', { key: 'two' })), printers(laser)], []],
  [
    'one twice, and not the other',
    [both, printers(printerRecord(13, 'Laser'), laser)],
    [
      'printers/same-id-after-reconnect | printer 13 in GET /printers | id 11 | 13',
      'printers/same-id-after-reconnect | printer 11 in GET /printers | id 13 | 11',
      'printers/capabilities-as-reported | printers of computer 1 in GET /printers | ["Receipts","A printer",{"copies":9},false] | nothing',
    ],
  ],
  [
    'the longest description that is told whole',
    [DESK, changed({ description: 'X'.repeat(169) })],
    [
      `printers/capabilities-as-reported | printers of computer 1 in GET /printers | ["Laser","A printer",{"copies":9},false] | ["Laser","${'X'.repeat(169)}",{"copies":9},false]`,
    ],
  ],
  ['none of another account', [DESK, elsewhere, printers(laser)], []],
  [
    'another id beside another one',
    [both, printers(receipts, printerRecord(10, 'Laser'))],
    ['printers/same-id-after-reconnect | printer 10 in GET /printers | id 11 | 10'],
  ],
  ['one that was reported twice', [DESK, hasPrinters(1, printer(), printer()), printers(laser)], []],
  [
    'one that was changed in the same report',
    [DESK, hasPrinters(1, printer('Laser', { description: 'old' }), printer()), printers(laser)],
    [],
  ],
  [
    'another name',
    [DESK, printers(printerRecord(11, 'Other'))],
    [
      'printers/capabilities-as-reported | printers of computer 1 in GET /printers | ["Laser","A printer",{"copies":9},false] | ["Other","A printer",{"copies":9},false]',
    ],
  ],
  [
    'another description',
    [DESK, changed({ description: 'X' })],
    [
      'printers/capabilities-as-reported | printers of computer 1 in GET /printers | ["Laser","A printer",{"copies":9},false] | ["Laser","X",{"copies":9},false]',
    ],
  ],
  [
    'a long description',
    [DESK, changed({ description: 'X'.repeat(300) })],
    [
      'printers/capabilities-as-reported | printers of computer 1 in GET /printers | ["Laser","A printer",{"copies":9},false] | ["Laser","XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX…',
    ],
  ],
  [
    'another default',
    [DESK, changed({ default: true })],
    [
      'printers/capabilities-as-reported | printers of computer 1 in GET /printers | ["Laser","A printer",{"copies":9},false] | ["Laser","A printer",{"copies":9},true]',
    ],
  ],
  [
    'other capabilities',
    [DESK, changed({ capabilities: { copies: 1 } })],
    [
      'printers/capabilities-as-reported | printers of computer 1 in GET /printers | ["Laser","A printer",{"copies":9},false] | ["Laser","A printer",{"copies":1},false]',
    ],
  ],
  [
    'capabilities in another order',
    [
      DESK,
      hasPrinters(1, printer('Laser', { capabilities: { a: [{ b: 1, c: 2 }], d: null } })),
      changed({ capabilities: { d: null, a: [{ c: 2, b: 1 }] } }),
    ],
    [],
  ],
  [
    'a list in capabilities in another order',
    [DESK, hasPrinters(1, printer('Laser', { capabilities: { a: [1, 2] } })), changed({ capabilities: { a: [2, 1] } })],
    [
      'printers/capabilities-as-reported | printers of computer 1 in GET /printers | ["Laser","A printer",{"a":[1,2]},false] | ["Laser","A printer",{"a":[2,1]},false]',
    ],
  ],
  ['another state', [DESK, changed({ state: 'offline' })], []],
  [
    'no computer',
    [DESK, changed({ computer: 1 })],
    [
      'printers/field-computer | printer 11 in GET /printers | its computer | 1',
      'printers/known-after-report | printers of computer 1 in GET /printers | 1 printers | 0',
    ],
  ],
  [
    'another name of its computer',
    [DESK, changed({ computer: computerRecord(1, { name: 'X' }) })],
    ['computers/name-as-reported | computer 1 in GET /printers | "DESK" | "X"'],
  ],
  [
    'a computer of which nothing is known',
    [DESK, printers(printerRecord(13, 'Far', { computer: { id: 5 } }), laser)],
    [],
  ],
  [
    'one of another account',
    [DESK, elsewhere, printers(printerRecord(13, 'Foreign', { computer: computerRecord(3) }), laser)],
    ['printers/list | printer 13 in GET /printers | printers of account 7 | one of 8'],
  ],
  [
    'another id',
    [DESK, printers(printerRecord(15, 'Laser'))],
    ['printers/same-id-after-reconnect | printer 15 in GET /printers | id 11 | 15'],
  ],
  [
    'another id of a name that two have',
    [DESK, hasPrinters(1, printer(), printer('Laser', { key: 'two' })), printers(printerRecord(15, 'Laser'), laser)],
    [],
  ],
  [
    'another id of a printer that was removed and came back',
    [
      both,
      printers(receipts, laser),
      hasPrinters(1, printer()),
      hasPrinters(1, printer('Receipts', { key: 'new' }), printer()),
      printers(printerRecord(16, 'Receipts'), laser),
    ],
    [],
  ],
  [
    'another id of one that was renamed before',
    [
      DESK,
      hasPrinters(1, printer('New', { key: 'laser' })),
      printers(printerRecord(11, 'New')),
      hasPrinters(1, printer()),
      printers(printerRecord(15, 'Laser')),
    ],
    [],
  ],
  [
    'ids in another order',
    [both, printers(laser, receipts)],
    ['printers/paginated | ids of GET /printers | newest first | [11,12]'],
  ],
  [
    'one id twice',
    [DESK, printers(laser, laser)],
    ['printers/paginated | ids of GET /printers | newest first | [11,11]'],
  ],
  ['those of a computer', [TWO, DESK, lists('/computers/1/printers', [laser])], []],
  [
    'those of another computer',
    [DESK, connects(2), lists('/computers/2/printers', [laser])],
    ['printers/list-of-computers-only | printer 11 in GET /computers/2/printers | computer 2 | 1'],
  ],
  [
    'those of all asked computers',
    [DESK, connects(2), hasPrinters(2, printer('Two')), lists('/computers/1/printers', [laser])],
    [],
  ],
  [
    'none of an asked computer',
    [DESK, lists('/computers/1/printers', [])],
    ['printers/known-after-report | printers of computer 1 in GET /computers/1/printers | 1 printers | 0'],
  ],
  ['those of a set', [both, lists('/printers/11', [laser])], []],
  [
    'another one than that of the set',
    [both, lists('/printers/11', [receipts, laser])],
    ['printers/list-set | GET /printers/11 | printers of the set | printer 12'],
  ],
  [
    'those of a set in another order',
    [both, lists('/printers/11,12', [laser, receipts])],
    ['printers/paginated | ids of GET /printers/11,12 | newest first | [11,12]'],
  ],
  [
    'two others than that of the set',
    [both, lists('/printers/13', [receipts, laser])],
    ['printers/list-set | GET /printers/13 | printers of the set | printer 12'],
  ],
  [
    'none of two computers',
    [DESK, connects(2), lists('/computers/1,2/printers', [])],
    ['printers/known-after-report | printers of computer 1 in GET /computers/1,2/printers | 1 printers | 0'],
  ],
  ['those of a set of a computer', [both, lists('/computers/1/printers/11', [laser])], []],
  [
    'another one than that of a set of a computer',
    [both, lists('/computers/1/printers/11', [receipts])],
    ['printers/list-set | GET /computers/1/printers/11 | printers of the set | printer 12'],
  ],
  ['the rest of a page', [both, lists('/printers?after=12', [laser])], []],
  ['one page', [both, lists('/printers?limit=1', [receipts])], []],
  [
    'a page that is not full',
    [both, lists('/printers?limit=2', [receipts])],
    ['printers/known-after-report | printers of computer 1 in GET /printers?limit=2 | 2 printers | 1'],
  ],
  [
    'an object',
    [DESK, lists('/printers', {})],
    ['printers/known-after-report | printers of computer 1 in GET /printers | 1 printers | 0'],
  ],
  ['those of what is no set of computers', [DESK, lists('/computers/x/printers', [])], []],
  ['something else', [DESK, lists('/x/printers', []), lists('/printers/11/x', []), lists('/printers/', [])], []],
  [
    'after it was away',
    [DESK, goes(), connects(), printers()],
    ['printers/known-after-report | printers of computer 1 in GET /printers | 1 printers | 0'],
  ],
]);

const away = [DESK, goes(), quiet];
const jobs = (...ids: readonly number[]): readonly { id: number }[] => ids.map((id) => ({ id }));
const three = [away, submits(1), submits(2), submits(3, { printerId: 99 })];
const paged = (query: string, ...ids: readonly number[]): Told => lists(`/printjobs${query}`, jobs(...ids));

tell('a list of print jobs', [
  ['all', [three, paged('', 3, 2, 1)], []],
  ['not the newest', [three, paged('', 2, 1)], ['print-jobs/created-listed | ids of GET /printjobs | also 3 | [2,1]']],
  ['not the oldest', [three, paged('', 3, 2)], ['print-jobs/created-listed | ids of GET /printjobs | also 1 | [3,2]']],
  [
    'not the one in the middle',
    [three, paged('', 3, 1)],
    ['print-jobs/created-listed | ids of GET /printjobs | also 2 | [3,1]'],
  ],
  ['none', [three, paged('')], ['print-jobs/created-listed | ids of GET /printjobs | also 1 | []']],
  [
    'one too many',
    [three, paged('', 4, 3, 2, 1)],
    ['print-jobs/list-of-printers-only | ids of GET /printjobs | what is asked for | also 4'],
  ],
  [
    'two too many',
    [three, paged('', 5, 4, 3, 2, 1)],
    ['print-jobs/list-of-printers-only | ids of GET /printjobs | what is asked for | also 5,4'],
  ],
  ['one too many where others may have made it', [three, paged('', 4, 3, 2, 1)], [], { isWhole: false }],
  [
    'the oldest first',
    [three, paged('', 1, 2, 3)],
    ['print-jobs/paginated | ids of GET /printjobs | newest first | [1,2,3]'],
  ],
  [
    'one twice',
    [three, paged('', 3, 2, 2, 1)],
    ['print-jobs/paginated | ids of GET /printjobs | newest first | [3,2,2,1]'],
  ],
  ['the oldest first, as asked', [three, paged('?dir=asc', 1, 2, 3)], []],
  [
    'the newest first, against what is asked',
    [three, paged('?dir=asc', 3, 2, 1)],
    ['print-jobs/paginated | ids of GET /printjobs?dir=asc | oldest first | [3,2,1]'],
  ],
  [
    'one twice, the oldest first',
    [three, paged('?dir=asc', 1, 2, 2, 3)],
    ['print-jobs/paginated | ids of GET /printjobs?dir=asc | oldest first | [1,2,2,3]'],
  ],
  ['the newest first, as asked', [three, paged('?dir=desc', 3, 2, 1)], []],
  ['those after one', [three, paged('?after=3', 2, 1)], []],
  [
    'the one after which it begins',
    [three, paged('?after=2', 2, 1)],
    ['service/page-after | ids of GET /printjobs?after=2 | those after 2 | [2,1]'],
  ],
  [
    'those before',
    [three, paged('?after=2', 3, 1)],
    ['service/page-after | ids of GET /printjobs?after=2 | those after 2 | [3,1]'],
  ],
  [
    'not all after one',
    [three, paged('?after=3', 2)],
    ['print-jobs/created-listed | ids of GET /printjobs?after=3 | also 1 | [2]'],
  ],
  ['those after one, the oldest first', [three, paged('?dir=asc&after=1', 2, 3)], []],
  [
    'the one after which it begins, the oldest first',
    [three, paged('?dir=asc&after=2', 2, 3)],
    ['service/page-after | ids of GET /printjobs?dir=asc&after=2 | those after 2 | [2,3]'],
  ],
  [
    'not all after one, the oldest first',
    [three, paged('?dir=asc&after=1', 3)],
    ['print-jobs/created-listed | ids of GET /printjobs?dir=asc&after=1 | also 2 | [3]'],
  ],
  ['after nothing', [three, paged('?after=', 3, 2, 1)], []],
  ['a page', [three, paged('?limit=2', 3, 2)], []],
  [
    'a page with a gap',
    [three, paged('?limit=2', 3, 1)],
    ['print-jobs/created-listed | ids of GET /printjobs?limit=2 | also 2 | [3,1]'],
  ],
  [
    'a page of three with a gap at its end',
    [three, submits(4), submits(5), paged('?limit=3', 5, 4, 2)],
    ['print-jobs/created-listed | ids of GET /printjobs?limit=3 | also 3 | [5,4,2]'],
  ],
  [
    'a page with a gap, the oldest first',
    [three, paged('?limit=2&dir=asc', 1, 3)],
    ['print-jobs/created-listed | ids of GET /printjobs?limit=2&dir=asc | also 2 | [1,3]'],
  ],
  ['a page, the oldest first', [three, paged('?limit=2&dir=asc', 1, 2)], []],
  [
    'a page that is too long',
    [three, paged('?limit=2', 3, 2, 1)],
    ['service/page-limit | ids of GET /printjobs?limit=2 | 2 at most | 3'],
  ],
  [
    'a page that is not full',
    [three, paged('?limit=2', 3)],
    ['print-jobs/created-listed | ids of GET /printjobs?limit=2 | also 1 | [3]'],
  ],
  ['a page of none', [three, paged('?limit=0')], []],
  ['those of a set', [three, lists('/printjobs/1,2', jobs(2, 1))], []],
  [
    'not all of a set',
    [three, lists('/printjobs/1,2', jobs(2))],
    ['print-jobs/created-listed | ids of GET /printjobs/1,2 | also 1 | [2]'],
  ],
  [
    'another one than those of a set',
    [three, lists('/printjobs/1', jobs(2, 1))],
    ['print-jobs/list-of-printers-only | ids of GET /printjobs/1 | what is asked for | also 2'],
  ],
  ['those of a printer', [three, lists('/printers/11/printjobs', jobs(2, 1))], []],
  [
    'one of another printer',
    [three, lists('/printers/11/printjobs', jobs(3, 2, 1))],
    ['print-jobs/list-of-printers-only | ids of GET /printers/11/printjobs | what is asked for | also 3'],
  ],
  ['those of a set of a printer', [three, lists('/printers/11/printjobs/2,3', jobs(2))], []],
  [
    'not that of a set of a printer',
    [three, lists('/printers/11/printjobs/2', [])],
    ['print-jobs/created-listed | ids of GET /printers/11/printjobs/2 | also 2 | []'],
  ],
  ['an object', [three, lists('/printjobs', {})], ['print-jobs/created-listed | GET /printjobs | an array | {}']],
  ['ids that are called otherwise', [three, lists('/printjobs', [{ printJobId: 3 }])], []],
  [
    'ids that are known to be called otherwise',
    [three, lists('/printjobs', [{ printJobId: 3 }])],
    ['print-jobs/created-listed | ids of GET /printjobs | also 1 | [3]'],
    { dialect: { 'job-id': 'printJobId' } },
  ],
  [
    'ids that are known to be inside',
    [three, lists('/printjobs', [{ id: 9, job: { number: 3 } }])],
    ['print-jobs/created-listed | ids of GET /printjobs | also 1 | [3]'],
    { dialect: { 'job-id': 'job.number' } },
  ],
  [
    'ids of something else, with those of the jobs inside',
    [three, lists('/printjobs', [{ id: 9, job: { number: 3 } }])],
    [],
    { dialect: {} },
  ],
  [
    'not the newest, where nobody knows how ids are called',
    [three, paged('', 2, 1)],
    ['print-jobs/created-listed | ids of GET /printjobs | also 3 | [2,1]'],
    { dialect: {} },
  ],
  [
    'one too many, where nobody knows how ids are called',
    [three, paged('', 4, 3, 2, 1)],
    ['print-jobs/list-of-printers-only | ids of GET /printjobs | what is asked for | also 4'],
    { dialect: {} },
  ],
  [
    'one that is none, where nobody knows how ids are called',
    [three, paged('', 4)],
    [
      'print-jobs/list-of-printers-only | ids of GET /printjobs | what is asked for | also 4',
      'print-jobs/created-listed | ids of GET /printjobs | also 1 | [4]',
    ],
    { dialect: {} },
  ],
  [
    'ids of no job, with those of the jobs beside them',
    [three, lists('/printjobs', [{ id: 9, number: 3 }])],
    [
      'print-jobs/list-of-printers-only | ids of GET /printjobs | what is asked for | also 9',
      'print-jobs/created-listed | ids of GET /printjobs | also 1 | [9]',
    ],
  ],
  ['ids of which only some are numbers', [three, lists('/printjobs', [{ id: 3 }, { id: '2' }])], []],
  ['not the cancelled one', [away, submits(1), submits(2), deletes('/printjobs/2', [2]), paged('', 1)], []],
  ['the cancelled one', [away, submits(1), submits(2), deletes('/printjobs/2', [2]), paged('', 2, 1)], []],
  ['not one that is submitted later', [away, submits(1), paged('', 1), submits(2)], []],
  [
    'one that is submitted later',
    [away, submits(1), paged('', 2, 1), submits(2)],
    ['print-jobs/list-of-printers-only | ids of GET /printjobs | what is asked for | also 2'],
  ],
  [
    'a page that lacks one beside the cancelled one',
    [away, submits(1), submits(2), submits(3), deletes('/printjobs/3', [3]), paged('?limit=2', 2)],
    [],
  ],
  [
    'a page that lacks one behind the cancelled one that it shows',
    [away, submits(1), submits(2), submits(3), deletes('/printjobs/3', [3]), paged('?limit=3', 3, 2)],
    ['print-jobs/created-listed | ids of GET /printjobs?limit=3 | also 1 | [3,2]'],
  ],
  [
    'a page that lacks two beside the cancelled one',
    [away, submits(1), submits(2), submits(3), submits(4), deletes('/printjobs/4', [4]), paged('?limit=3', 3)],
    ['print-jobs/created-listed | ids of GET /printjobs?limit=3 | also 1 | [3]'],
  ],
  [
    'a page of none but the cancelled one',
    [away, submits(1), submits(2), deletes('/printjobs/2', [2]), paged('?limit=1')],
    [],
  ],
  [
    'not the one that expired',
    [away, at(100_000, submits(1, { expireAfter: 10 })), at(110_000, ask('GET /printjobs', { value: [] }))],
    [],
  ],
  [
    'not the one that expires right afterwards',
    [away, at(100_000, submits(1, { expireAfter: 10 })), at(109_999, ask('GET /printjobs', { value: [] }))],
    ['print-jobs/created-listed | ids of GET /printjobs | also 1 | []'],
  ],
  ['not that of a deleted computer', [away, submits(1), deletes('/computers/1', [1]), paged('')], []],
  [
    'not one whose computer is deleted later',
    [away, submits(1), paged(''), deletes('/computers/1', [1])],
    ['print-jobs/created-listed | ids of GET /printjobs | also 1 | []'],
  ],
  ['something else', [three, lists('/x/printjobs', []), lists('/printjobs/1/x', []), lists('/printjobs/one', {})], []],
  ['states of all', [three, lists('/printjobs/states', [])], []],
]);

const many = Array.from({ length: 101 }, (_, index) => submits(index + 1));
const from = (newest: number, count: number): readonly { id: number }[] =>
  jobs(...Array.from({ length: count }, (_, index) => newest - index));

tell('a page without a limit of its own has', [
  ['a hundred', [away, many, lists('/printjobs', from(101, 100))], []],
  [
    'one less than a hundred',
    [away, many, lists('/printjobs', from(101, 99))],
    [
      `print-jobs/created-listed | ids of GET /printjobs | also 1 | [${from(101, 99)
        .map(({ id }) => id)
        .join()}]`,
    ],
  ],
  [
    'more than a hundred',
    [away, many, lists('/printjobs', from(101, 101))],
    ['service/page-limit | ids of GET /printjobs | 100 at most | 101'],
  ],
  ['a hundred of more that are asked for', [away, many, lists('/printjobs?limit=500', from(101, 100))], []],
]);
