import {
  ask,
  connects,
  DESK,
  DOCUMENT,
  ELSEWHERE,
  goes,
  hasPrinters,
  printer,
  printerRecord,
  quiet,
  sendsPrinters,
  submits,
  tell,
} from '../../../support/told-history.ts';

const away = [DESK, goes(), quiet];
const refused = (sent: unknown, status = 400): ReturnType<typeof ask> =>
  ask('POST /printjobs', { sent, status, value: {} });
const { printerId, contentType, content } = DOCUMENT;

tell('a submission', [
  [
    'without a printer',
    [away, submits(1, { printerId: undefined })],
    ['print-jobs/printer-id-missing-refused | status of POST /printjobs | a refusal | 201'],
  ],
  ['with a printer under another name', [away, submits(1, { printerId: undefined, printer: 11 })], []],
  [
    'without a content type',
    [away, submits(1, { contentType: undefined })],
    ['print-jobs/content-type-missing-refused | status of POST /printjobs | a refusal | 201'],
  ],
  [
    'without content',
    [away, submits(1, { content: undefined })],
    ['print-jobs/content-missing-refused | status of POST /printjobs | a refusal | 201'],
  ],
  [
    'with another content type',
    [away, submits(1, { contentType: 'pdf' })],
    ['print-jobs/content-type-other-refused | status of POST /printjobs | a refusal | 201'],
  ],
  ['with a content type that is no text', [away, submits(1, { contentType: 5 })], []],
  [
    'with a qty of 0',
    [away, submits(1, { qty: 0 })],
    ['print-jobs/qty-zero-refused | status of POST /printjobs | a refusal | 201'],
  ],
  [
    'with a qty below 0',
    [away, submits(1, { qty: -1 })],
    ['print-jobs/qty-negative-refused | status of POST /printjobs | a refusal | 201'],
  ],
  ['with a qty of text', [away, submits(1, { qty: '-1' })], []],
  [
    'to a printer that nobody has',
    [away, submits(1, { printerId: 900_000_000 })],
    ['print-jobs/printer-id-unknown-refused | status of POST /printjobs | a refusal | 201'],
  ],
  ['to a printer of which nothing is known', [away, submits(1, { printerId: 899_999_999 })], []],
  ['to a printer of text', [away, submits(1, { printerId: '900000000' })], []],
  [
    'with other authentication',
    [away, submits(1, { authentication: { type: 'Bearer', credentials: { user: 'u', pass: 'p' } } })],
    ['print-jobs/document-authentication-type | status of POST /printjobs | a refusal | 201'],
  ],
  ['with authentication of text', [away, submits(1, { authentication: 'Basic' })], []],
  [
    'without a password',
    [away, submits(1, { authentication: { type: 'BasicAuth', credentials: { user: 'u' } } })],
    ['print-jobs/document-authentication-credentials | status of POST /printjobs | a refusal | 201'],
  ],
  [
    'without a user',
    [away, submits(1, { authentication: { type: 'BasicAuth', credentials: { pass: 'p' } } })],
    ['print-jobs/document-authentication-credentials | status of POST /printjobs | a refusal | 201'],
  ],
  [
    'without credentials',
    [away, submits(1, { authentication: { type: 'DigestAuth' } })],
    ['print-jobs/document-authentication-credentials | status of POST /printjobs | a refusal | 201'],
  ],
  [
    'with credentials',
    [away, submits(1, { authentication: { type: 'DigestAuth', credentials: { user: 'u', pass: 'p' } } })],
    [],
  ],
  [
    'that fails',
    [away, refused({ contentType, content }, 500)],
    ['print-jobs/printer-id-missing-refused | status of POST /printjobs | a refusal | 500'],
  ],
  ['that is refused', [away, refused({ contentType, content })], []],
  ['that is no object', [away, ask('POST /printjobs', { sent: [], status: 400 })], []],
  [
    'to a printer of another account',
    [away, ask('GET /noop', { key: 'other', account: '8' }), submits(1, {}, { key: 'other', account: '8' })],
    ['print-jobs/printer-id-foreign-refused | status of POST /printjobs | a refusal | 201'],
  ],
  [
    'to a printer of another account, refused',
    [
      away,
      ask('GET /noop', { key: 'other', account: '8' }),
      ask('POST /printjobs', { sent: DOCUMENT, status: 404, value: {}, key: 'other', account: '8' }),
    ],
    [],
  ],
  ['of an account that is not named', [away, submits(1, {}, { key: 'other', account: '' })], []],
]);

const valid = {
  title: 't',
  source: 's',
  options: {},
  qty: 5,
  expireAfter: 60,
  authentication: { type: 'BasicAuth', credentials: { user: 'u', pass: 'p' } },
};
const longest = 1_209_600;

const REFUSED = ['print-jobs/created-201 | status of POST /printjobs | 201 | 400 {}'];

tell('a refused submission', [
  ['with all that is allowed', [away, refused({ ...DOCUMENT, ...valid })], REFUSED],
  ['as little as possible', [away, refused(DOCUMENT)], REFUSED],
  ['without options', [away, refused({ ...DOCUMENT, options: null })], REFUSED],
  [
    'with an address',
    [away, refused({ printerId, contentType: 'pdf_uri', content: 'http://a' })],
    ['print-jobs/content-type-pdf-uri | status of POST /printjobs | 201 | 400 {}'],
  ],
  [
    'with success of another kind',
    [away, ask('POST /printjobs', { sent: DOCUMENT, status: 200, value: 1 })],
    ['print-jobs/created-201 | status of POST /printjobs | 201 | 200 1'],
  ],
  ['with options that a printer may lack', [away, refused({ ...DOCUMENT, options: { copies: 2 } })], []],
  ['with options that are none', [away, refused({ ...DOCUMENT, options: 'none' })], []],
  ['with options that are a number', [away, refused({ ...DOCUMENT, options: 5 })], []],
  ['with a list of no options', [away, refused({ ...DOCUMENT, options: [] })], []],
  ['with a content type that is no text', [away, refused({ ...DOCUMENT, contentType: 5 })], []],
  ['with content that is no text', [away, refused({ ...DOCUMENT, content: 5 })], []],
  ['with a title that is no text', [away, refused({ ...DOCUMENT, title: 5 })], []],
  ['with a source that is no text', [away, refused({ ...DOCUMENT, source: 5 })], []],
  ['with a field that is not printed', [away, refused({ ...DOCUMENT, colour: 'red' })], []],
  ['with the id of its printer as text', [away, refused({ ...DOCUMENT, printerId: String(printerId) })], []],
  ['with half a copy', [away, refused({ ...DOCUMENT, qty: 1.5 })], []],
  ['with an expiry of 0', [away, refused({ ...DOCUMENT, expireAfter: 0 })], []],
  ['with authentication that is no object', [away, refused({ ...DOCUMENT, authentication: 5 })], []],
  ['to an unknown printer', [away, refused({ ...DOCUMENT, printerId: 99 })], []],
  ['of a printer that its computer has no longer', [DESK, hasPrinters(1), refused(DOCUMENT)], []],
  [
    'of a printer that has another name now',
    [
      DESK,
      hasPrinters(1, printer('Lobby', { key: 'laser' })),
      ask('GET /printers', { value: [printerRecord(11, 'Lobby')] }),
      refused(DOCUMENT),
    ],
    REFUSED,
  ],
  ['of a printer whose report is on its way', [DESK, sendsPrinters(1, printer()), refused(DOCUMENT)], []],
  [
    'of a printer of a computer that never reported',
    [connects(), ask('GET /printers', { value: [printerRecord()] }), refused(DOCUMENT)],
    [],
  ],
  ['by form', [away, refused('printerId=11')], []],
  ['too often', [away, refused(DOCUMENT, 429)], []],
  [
    'with a key that is refused',
    [away, refused(DOCUMENT, 401)],
    ['authentication/basic-key | status of POST /printjobs | an answer | 401'],
  ],
  ['while suspended', [away, refused(DOCUMENT, 403)], []],
  ['and fails', [away, refused(DOCUMENT, 500)], ['print-jobs/created-201 | status of POST /printjobs | 201 | 500 {}']],
  ['by another method', [away, ask('PUT /printjobs', { sent: DOCUMENT, status: 405 })], []],
  ['elsewhere', [away, ask('POST /printjob', { sent: DOCUMENT, status: 404 })], []],
  ['for longer than by default', [away, refused({ ...DOCUMENT, expireAfter: longest + 1 })], [], ELSEWHERE],
  ['for as long as by default', [away, refused({ ...DOCUMENT, expireAfter: longest })], REFUSED, ELSEWHERE],
  [
    'for longer than by default, at the reference service',
    [away, refused({ ...DOCUMENT, expireAfter: longest + 1 })],
    REFUSED,
  ],
  ['twice', [away, refused({ ...DOCUMENT, qty: 2 })], [], ELSEWHERE],
  ['once', [away, refused({ ...DOCUMENT, qty: 1 })], REFUSED, ELSEWHERE],
]);

tell('an id that is', [
  [
    'text',
    [away, submits(1, {}, { value: '1' })],
    ['print-jobs/created-id-integer | body of POST /printjobs | an id | 1'],
  ],
  [
    'half',
    [away, submits(1, {}, { value: 1.5 })],
    ['print-jobs/created-id-integer | body of POST /printjobs | an id | 1.5'],
  ],
  ['0', [away, submits(0)], ['print-jobs/created-id-integer | body of POST /printjobs | an id | 0']],
  ['1', [away, submits(1)], []],
  [
    'less than before',
    [away, submits(5), submits(6), submits(4)],
    ['print-jobs/created-id-grows | body of POST /printjobs | more than 6 | 4 | job 4'],
  ],
  ['more than before', [away, submits(5), submits(6)], []],
  ['as before', [away, submits(5), submits(5)], []],
  [
    'less than that of another account',
    [away, submits(5), submits(4, { printerId: 99 }, { key: 'other', account: '8' })],
    [],
  ],
  [
    'less than one submitted at the same time',
    [away, submits(5, {}, { sentMs: 50_000, atMs: 50_010 }), submits(4, {}, { sentMs: 50_010, atMs: 50_020 })],
    [],
  ],
  [
    'less than one answered before it was sent',
    [away, submits(5, {}, { sentMs: 50_000, atMs: 50_010 }), submits(4, {}, { sentMs: 50_011, atMs: 50_020 })],
    ['print-jobs/created-id-grows | body of POST /printjobs | more than 5 | 4 | job 4'],
  ],
]);

const DAY = 86_400_000;
const keyed = (id: number, atMs = Number.NaN, asked: object = {}): ReturnType<typeof ask> =>
  submits(id, {}, { headers: { 'X-Idempotency-Key': 'monday' }, atMs, sentMs: atMs, ...asked });
const conflict = (atMs = Number.NaN, asked: object = {}): ReturnType<typeof ask> =>
  keyed(1, atMs, { status: 409, value: {}, ...asked });

const TAKEN_FOR_USED = ['print-jobs/idempotency-first-accepted | status of POST /printjobs | 201 | 409 {}'];

const TAKEN_AGAIN = ['print-jobs/idempotency-conflict | status of POST /printjobs | 409 | 201'];

tell('an idempotency key', [
  ['used for the first time', [away, keyed(1)], []],
  ['refused the first time', [away, conflict()], TAKEN_FOR_USED],
  [
    'refused with another error the first time',
    [away, conflict(Number.NaN, { status: 400 })],
    ['print-jobs/idempotency-first-accepted | status of POST /printjobs | 201 | 400 {}'],
  ],
  ['used twice', [away, keyed(1), keyed(2)], TAKEN_AGAIN],
  ['refused the second time', [away, keyed(1), conflict()], []],
  [
    'refused with another error the second time',
    [away, keyed(1), conflict(Number.NaN, { status: 400 })],
    ['print-jobs/idempotency-conflict | status of POST /printjobs | 409 | 400'],
  ],
  [
    'refused with another error for a body that may be refused',
    [away, keyed(1), conflict(Number.NaN, { status: 400, sent: undefined })],
    [],
  ],
  [
    'accepted the second time, with a body that may be refused',
    [away, keyed(1), keyed(2, Number.NaN, { sent: undefined })],
    TAKEN_AGAIN,
  ],
  [
    'that is empty',
    [
      away,
      submits(1, {}, { headers: { 'X-Idempotency-Key': '' } }),
      submits(2, {}, { headers: { 'X-Idempotency-Key': '' } }),
    ],
    [],
  ],
  ['used right before its day is over', [away, keyed(1, 100_000), keyed(2, 100_000 + DAY - 1)], TAKEN_AGAIN],
  ['used when its day is over', [away, keyed(1, 100_000), keyed(2, 100_000 + DAY)], []],
  ['refused when its day is over', [away, keyed(1, 100_000), conflict(100_000 + DAY)], []],
  [
    'refused after its day',
    [away, keyed(1, 100_000), conflict(100_001 + DAY)],
    ['limits/idempotency-reuse | status of POST /printjobs | 201 | 409 {}'],
  ],
  ['refused twice after its day', [away, keyed(1, 100_000), keyed(2, 100_001 + DAY), conflict(100_002 + DAY)], []],
  [
    'used twice after its day',
    [away, keyed(1, 100_000), keyed(2, 100_001 + DAY), keyed(3, 100_002 + DAY)],
    TAKEN_AGAIN,
  ],
  [
    'of another account',
    [away, keyed(1), keyed(2, Number.NaN, { key: 'other', account: '8', sent: { ...DOCUMENT, printerId: 99 } })],
    [],
  ],
  [
    'used at the same time, answered later',
    [away, conflict(50_000, { sentMs: 49_000, atMs: 50_000 }), keyed(1, 50_001, { sentMs: 50_000, atMs: 50_001 })],
    [],
  ],
  [
    'used after it was refused',
    [away, conflict(50_000, { sentMs: 49_000, atMs: 50_000 }), keyed(1, 50_002, { sentMs: 50_001, atMs: 50_002 })],
    TAKEN_FOR_USED,
  ],
  [
    'refused while another job was submitted without one',
    [away, conflict(50_000, { sentMs: 49_000 }), submits(1, {}, { sentMs: 50_000, atMs: 50_001 })],
    TAKEN_FOR_USED,
  ],
  [
    'used before it was refused, by another account',
    [
      away,
      keyed(1, 49_000, {
        sentMs: 49_000,
        atMs: 49_500,
        key: 'other',
        account: '8',
        sent: { ...DOCUMENT, printerId: 99 },
      }),
      conflict(50_000, { sentMs: 49_000 }),
    ],
    TAKEN_FOR_USED,
  ],
  ['that others may have used', [away, conflict()], [], { isWhole: false }],
  ['that others may have used, on a real clock', [away, conflict()], [], { isVirtual: false }],
  [
    'that others may have used, refused otherwise',
    [away, conflict(Number.NaN, { status: 400 })],
    ['print-jobs/idempotency-first-accepted | status of POST /printjobs | 201 | 400 {}'],
    { isWhole: false },
  ],
  [
    'that others may have used, free again',
    [away, keyed(1, 100_000), conflict(100_001 + DAY)],
    ['limits/idempotency-reuse | status of POST /printjobs | 201 | 409 {}'],
    { isWhole: false },
  ],
  [
    'that is long',
    [away, submits(1, {}, { headers: { 'x-idempotency-key': 'k'.repeat(65) }, status: 400 })],
    [],
    { isReference: false },
  ],
  [
    'that is not too long',
    [away, submits(1, {}, { headers: { 'x-idempotency-key': 'k'.repeat(64) }, status: 400 })],
    ['print-jobs/idempotency-first-accepted | status of POST /printjobs | 201 | 400 1'],
    { isReference: false },
  ],
  [
    'that is long, at the reference service',
    [away, submits(1, {}, { headers: { 'x-idempotency-key': 'k'.repeat(65) }, status: 400 })],
    ['print-jobs/idempotency-first-accepted | status of POST /printjobs | 201 | 400 1'],
  ],
  ['used in the same millisecond, answered later', [away, conflict(50_000), keyed(1, 50_000)], []],
  [
    'missing, with a conflict',
    [away, ask('POST /printjobs', { sent: DOCUMENT, status: 409, value: {} })],
    ['print-jobs/created-201 | status of POST /printjobs | 201 | 409 {}'],
  ],
  [
    'missing, with a conflict, where others may have used some',
    [away, ask('POST /printjobs', { sent: DOCUMENT, status: 409, value: {} })],
    ['print-jobs/created-201 | status of POST /printjobs | 201 | 409 {}'],
    { isWhole: false },
  ],
  [
    'missing, with a conflict beside another submission without one',
    [
      away,
      ask('POST /printjobs', { sent: DOCUMENT, status: 409, value: {}, sentMs: 49_000, atMs: 50_000 }),
      submits(1, {}, { sentMs: 50_000, atMs: 50_001 }),
    ],
    ['print-jobs/created-201 | status of POST /printjobs | 201 | 409 {}'],
  ],
]);
