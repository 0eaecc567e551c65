import {
  ask,
  at,
  computerRecord,
  connects,
  delivers,
  DESK,
  goes,
  hasPrinters,
  printer,
  printerRecord,
  quiet,
  reports,
  restarted,
  sleeps,
  submits,
  tell,
  wakes,
} from '../../../support/told-history.ts';

/** Another account, with printer 12 of computer 2. */
const TILL = [
  connects(2),
  ...hasPrinters(2, printer('Receipts')),
  ask('GET /printers', {
    value: [printerRecord(12, 'Receipts', { computer: computerRecord(2) }), printerRecord()],
  }),
];

/** A job for a computer that is away, which expires after ten seconds. */
const expiring = [DESK, goes(), quiet, at(100_000, submits(1, { expireAfter: 10 }))];

const delivered = [DESK, submits(1), delivers(1)];

tell('a delivery of', [
  ['one delivery', [delivered, quiet], []],
  ['a delivery that is seen before the answer to its submission', [DESK, delivers(1), submits(1)], []],
  [
    'a job that nobody submitted',
    [DESK, delivers(9)],
    ['print-jobs/refused-leaves-nothing | job 9 at computer 1 | a job that was accepted | a delivery'],
  ],
  ['a job that somebody else may have submitted', [DESK, delivers(9)], [], { isWhole: false }],
  [
    'the same job twice on one connection',
    [delivered, delivers(1)],
    ['print-jobs/delivered-once | job 1 at computer 1 | one delivery | the same job twice on one connection | job 1'],
  ],
  ['the same job on the next connection', [delivered, goes(), connects(), delivers(1)], []],
  [
    'what the computer said it holds',
    [delivered, goes(), connects(1, { holding: [1] }), delivers(1)],
    [
      'print-jobs/delivered-once | job 1 at computer 1 | one delivery | a delivery of what the computer said it holds | job 1',
    ],
  ],
  [
    'what the computer said it holds, twice',
    [delivered, goes(), connects(1, { holding: [1] }), delivers(1), delivers(1)],
    [
      'print-jobs/delivered-once | job 1 at computer 1 | one delivery | a delivery of what the computer said it holds | job 1',
      'print-jobs/delivered-once | job 1 at computer 1 | one delivery | the same job twice on one connection | job 1',
    ],
  ],
  ['what it does not hold', [delivered, goes(), connects(1, { holding: [2] }), delivers(1)], []],
  [
    'a job whose end was acknowledged',
    [delivered, reports(1), goes(), connects(), delivers(1)],
    [
      'print-jobs/delivered-once | job 1 at computer 1 | one delivery | a delivery after its end was acknowledged | job 1',
    ],
  ],
  [
    'a job whose failure was acknowledged',
    [delivered, reports(1, 'error'), goes(), connects(), delivers(1)],
    [
      'print-jobs/delivered-once | job 1 at computer 1 | one delivery | a delivery after its end was acknowledged | job 1',
    ],
  ],
  [
    'a job of which another state was acknowledged',
    [delivered, reports(1, 'received'), goes(), connects(), delivers(1)],
    [],
  ],
  ['a job whose end was not acknowledged', [delivered, reports(1).slice(0, 1), goes(), connects(), delivers(1)], []],
  [
    'jobs in another order',
    [DESK, submits(1), submits(2), delivers(2), delivers(1)],
    ['print-jobs/delivered-in-order | job 1 at computer 1 | before its successors | after job 2 | job 1'],
  ],
  [
    'an older job after a new connection',
    [DESK, submits(1), submits(2), delivers(2), goes(), connects(), delivers(1)],
    [],
  ],
  [
    'an older job again',
    [DESK, submits(1), submits(2), delivers(1), delivers(2), goes(), connects(), delivers(2), delivers(1)],
    [],
  ],
  [
    'jobs in another order on two computers',
    [
      DESK,
      TILL,
      submits(1),
      submits(2, { printerId: 12 }),
      delivers(2, { printerKey: 'receipts' }, { computerId: 2 }),
      delivers(1),
    ],
    [],
  ],
  [
    'a job in the millisecond in which it expires, at a computer that did not come back',
    [DESK, goes(), quiet, at(100_000, submits(1, { expireAfter: 10 })), at(110_000, delivers(1))],
    [],
  ],
  [
    'anything on a link that loses frames',
    [delivered, delivers(1), ask('DELETE /printjobs/1', { value: [] }), quiet],
    [],
    { isLinkDisturbed: true },
  ],
  [
    'a cancelled job',
    [DESK, goes(), quiet, submits(1), ask('DELETE /printjobs/1', { value: [1] }), connects(), delivers(1)],
    ['print-jobs/cancelled-not-delivered | job 1 at computer 1 | no delivery | a delivery | job 1'],
  ],
  [
    'a cancelled job, where the link may have held it up',
    [DESK, goes(), quiet, submits(1), ask('DELETE /printjobs/1', { value: [1] }), connects(), delivers(1)],
    [],
    { isLinkDisturbed: true },
  ],
  [
    'a job whose computer began to connect right at its expiry',
    [expiring, connects(1, { atMs: 110_000, sentMs: 110_000 }), at(110_001, delivers(1))],
    [],
  ],
  [
    'a job at the moment of its expiry',
    [expiring, connects(1, { atMs: 110_000, sentMs: 110_000 }), at(110_000, delivers(1))],
    [],
  ],
  [
    'a job after its expiry that got lost with the connection before',
    [DESK, at(100_000, submits(1, { expireAfter: 10 })), goes(), at(110_000, connects()), at(110_001, delivers(1))],
    [],
  ],
  [
    'an expired job to a computer that was away until after its expiry',
    [expiring, at(110_001, connects()), at(110_002, delivers(1))],
    ['print-jobs/expired-not-delivered | job 1 at computer 1 | no delivery | a delivery | job 1'],
  ],
  [
    'what was sent to a computer asleep before the expiry and is read after it',
    [DESK, sleeps(), at(100_000, submits(1, { expireAfter: 10 })), at(120_000, wakes()), at(120_001, delivers(1))],
    [],
  ],
]);

const basic = { type: 'BasicAuth', credentials: { user: 'u', pass: 'p' } };

const PDF = { contentType: 'pdf_base64' };

tell('what a computer gets is judged:', [
  [
    'an address',
    [
      DESK,
      submits(1, { contentType: 'pdf_uri', content: 'http://a' }),
      delivers(1, { contentType: 'pdf_uri', content: 'http://a' }),
    ],
    [],
  ],
  [
    'all fields',
    [
      DESK,
      submits(1, { title: 't', source: 's', qty: 2, options: { copies: 2 }, authentication: basic }),
      delivers(1, { title: 't', source: 's', qty: 2, options: { copies: 2 }, authentication: basic }),
    ],
    [],
  ],
  [
    'another content type',
    [DESK, submits(1), delivers(1, { contentType: 'pdf_base64' })],
    ['print-jobs/body-content-type | contentType of job 1 at its computer | "raw_base64" | "pdf_base64" | job 1'],
  ],
  [
    'other bytes',
    [DESK, submits(1), delivers(1, { content: 'eQ==' })],
    ['print-jobs/content-bytes-unharmed | content of job 1 at its computer | what was sent | something else | job 1'],
  ],
  ['the same bytes written otherwise', [DESK, submits(1, { content: 'eA' }), delivers(1)], []],
  [
    'other bytes than a form says',
    [DESK, submits(1, { content: undefined }), delivers(1)],
    ['print-jobs/content-missing-refused | status of POST /printjobs | a refusal | 201'],
  ],
  [
    'another address',
    [
      DESK,
      submits(1, { contentType: 'pdf_uri', content: 'http://a' }),
      delivers(1, { contentType: 'pdf_uri', content: 'http://b' }),
    ],
    ['print-jobs/content-bytes-unharmed | content of job 1 at its computer | what was sent | something else | job 1'],
  ],
  [
    'an address that is the same base64',
    [
      DESK,
      submits(1, { contentType: 'pdf_uri', content: 'eA' }),
      delivers(1, { contentType: 'pdf_uri', content: 'eA==' }),
    ],
    ['print-jobs/content-bytes-unharmed | content of job 1 at its computer | what was sent | something else | job 1'],
  ],
  [
    'another title',
    [DESK, submits(1, { title: 'a' }), delivers(1, { title: 'b' })],
    ['print-jobs/body-title | title of job 1 at its computer | "a" | "b" | job 1'],
  ],
  ['a title of the service', [DESK, submits(1), delivers(1, { title: 'b' })], []],
  [
    'another source',
    [DESK, submits(1, { source: 'a' }), delivers(1, { source: 'b' })],
    ['print-jobs/body-source | source of job 1 at its computer | "a" | "b" | job 1'],
  ],
  ['a source of the service', [DESK, submits(1), delivers(1, { source: 'b' })], []],
  [
    'a second copy',
    [DESK, submits(1), delivers(1, { qty: 2 })],
    ['print-jobs/qty-passed-on | qty of job 1 at its computer | 1 | 2 | job 1'],
  ],
  [
    'other options',
    [DESK, submits(1), delivers(1, { options: { copies: 2 } })],
    ['print-jobs/options-untouched-by-service | options of job 1 at its computer | {} | {"copies":2} | job 1'],
  ],
  [
    'no options',
    [DESK, submits(1, { ...PDF, options: { copies: 2 } }), delivers(1, PDF)],
    ['print-jobs/options-untouched-by-service | options of job 1 at its computer | {"copies":2} | {} | job 1'],
  ],
  ['no options of a RAW document', [DESK, submits(1, { options: { copies: 2 } }), delivers(1)], []],
  [
    'other credentials',
    [DESK, submits(1), delivers(1, { authentication: basic })],
    [
      'print-jobs/authentication-passed-on | authentication of job 1 at its computer | null | {"type":"BasicAuth","credentials":{"user":"u","pass":"p"}} | job 1',
    ],
  ],
  ['no credentials', [DESK, submits(1), delivers(1, { authentication: undefined })], []],
  [
    'another printer',
    [DESK, hasPrinters(1, printer(), printer('Other')), submits(1), delivers(1, { printerKey: 'other' })],
    ['print-jobs/body-printer-id | printerKey of job 1 at its computer | Laser | ["Other"] | job 1'],
  ],
  [
    'an unknown printer',
    [DESK, submits(1), delivers(1, { printerKey: 'none' })],
    ['print-jobs/body-printer-id | printerKey of job 1 at its computer | Laser | [] | job 1'],
  ],
  [
    'another computer',
    [DESK, TILL, submits(1), delivers(1, {}, { computerId: 2 })],
    ['print-jobs/delivered-to-its-computer | computer of job 1 | 1 | 2 | job 1'],
  ],
  [
    'a printer of which nothing is known',
    [DESK, submits(1, { printerId: 99 }), delivers(1, { printerKey: 'none' }, { computerId: 5 })],
    [],
  ],
]);

const away = [DESK, goes(), quiet];

const NOT_DELIVERED = ['print-jobs/delivered | job 1 at computer 1 | a delivery | none, while it is connected | job 1'];

tell('when all is quiet', [
  ['a job that never comes', [DESK, submits(1), quiet, quiet], NOT_DELIVERED],
  [
    'each of several jobs that never come',
    [DESK, submits(1), submits(2), submits(3), submits(4), quiet],
    [1, 2, 3, 4].map(
      (id) => `print-jobs/delivered | job ${id} at computer 1 | a delivery | none, while it is connected | job ${id}`,
    ),
  ],
  [
    'a job that waited for its computer and never comes',
    [away, submits(1), connects(), quiet],
    ['print-jobs/sent-on-reconnect | job 1 at computer 1 | a delivery | none, while it is connected | job 1'],
  ],
  ['a job for a computer that is away', [away, submits(1), quiet], []],
  ['a job for a computer that sleeps', [DESK, sleeps(), submits(1), quiet], []],
  ['a job for a computer that woke up', [DESK, sleeps(), submits(1), wakes(), quiet], NOT_DELIVERED],
  ['sleep of a computer that is away', [away, sleeps(), submits(1), quiet], []],
  ['a job for a computer that lost its service', [DESK, submits(1), restarted, quiet], []],
  ['a job that is not there yet', [DESK, quiet, submits(1)], []],
  ['a job that comes later', [DESK, submits(1), quiet, delivers(1)], NOT_DELIVERED],
  ['a job that came', [delivered, quiet], []],
  ['a job on a link that loses frames', [DESK, submits(1), quiet], [], { isLinkDisturbed: true }],
  ['a job of an unknown printer', [DESK, submits(1, { printerId: 99 }), quiet], []],
  ['a cancelled job', [away, submits(1), ask('DELETE /printjobs/1', { value: [1] }), connects(), quiet], []],
  [
    'a job that is cancelled later',
    [away, submits(1), connects(), quiet, ask('DELETE /printjobs/1', { value: [1] })],
    ['print-jobs/sent-on-reconnect | job 1 at computer 1 | a delivery | none, while it is connected | job 1'],
  ],
  [
    'an expired job',
    [away, at(100_000, submits(1, { expireAfter: 10 })), at(110_000, connects()), at(110_000, quiet)],
    [],
  ],
  [
    'a job right before its expiry',
    [away, at(100_000, submits(1, { expireAfter: 10 })), at(109_000, connects()), at(109_999, quiet)],
    ['print-jobs/sent-on-reconnect | job 1 at computer 1 | a delivery | none, while it is connected | job 1'],
  ],
  [
    'a job of a deleted computer',
    [DESK, submits(1), ask('DELETE /computers/1', { value: [1] }), connects(), quiet],
    [],
  ],
  [
    'a job whose computer is deleted later',
    [DESK, submits(1), quiet, ask('DELETE /computers/1', { value: [1] })],
    NOT_DELIVERED,
  ],
]);

const cancels = (path: string, value: unknown, status = 200): ReturnType<typeof ask> =>
  ask(`DELETE ${path}`, { value, status });

const NOT_CANCELLED = ['print-jobs/delete-200-ids | job 1 of the cancellation | cancelled | not cancelled | job 1'];

tell('cancelling', [
  [
    'a job that another computer got',
    [away, TILL, submits(1), delivers(1, {}, { computerId: 2 }), cancels('/printjobs/1', [])],
    ['print-jobs/delivered-to-its-computer | computer of job 1 | 1 | 2 | job 1'],
  ],
  ['a job that waits', [away, submits(1), submits(2), cancels('/printjobs/1', [1])], []],
  ['a job that waits and is not cancelled', [away, submits(1), cancels('/printjobs/1', [])], NOT_CANCELLED],
  ['all jobs', [away, submits(1), submits(2), cancels('/printjobs', [1, 2])], []],
  [
    'all jobs but one',
    [away, submits(1), submits(2), cancels('/printjobs', [1])],
    ['print-jobs/delete-200-ids | job 2 of the cancellation | cancelled | not cancelled | job 2'],
  ],
  [
    'the jobs of a printer',
    [away, submits(1), submits(2, { printerId: 99 }), cancels('/printers/11/printjobs', [1])],
    [],
  ],
  [
    'the jobs of another printer as well',
    [away, submits(1), submits(2, { printerId: 99 }), cancels('/printers/11/printjobs', [1, 2])],
    ['print-jobs/delete-leaves-others | ids of DELETE /printers/11/printjobs | only jobs that it names | [2]'],
  ],
  ['some of the jobs of a printer', [away, submits(1), submits(2), cancels('/printers/11/printjobs/1', [1])], []],
  [
    'another job as well',
    [away, submits(1), submits(2), cancels('/printjobs/1', [1, 2])],
    ['print-jobs/delete-leaves-others | ids of DELETE /printjobs/1 | only jobs that it names | [2]'],
  ],
  ['an id that belongs to no job as well', [away, submits(1), cancels('/printjobs/1', [1, 77, '2'])], []],
  [
    'a delivered job',
    [delivered, cancels('/printjobs/1', [1])],
    [
      'print-jobs/cancelled-not-delivered | job 1 at computer 1 | no delivery | a delivery | job 1',
      'print-jobs/delete-delivered-not-cancelled | job 1 of the cancellation | not cancelled | cancelled | job 1',
    ],
  ],
  ['a delivered job, which stays', [delivered, cancels('/printjobs/1', [])], []],
  [
    'a printed job',
    [delivered, reports(1), cancels('/printjobs/1', [1])],
    [
      'print-jobs/cancelled-not-delivered | job 1 at computer 1 | no delivery | a delivery | job 1',
      'print-jobs/delete-completed-not-cancelled | job 1 of the cancellation | not cancelled | cancelled',
    ],
  ],
  ['a job that is delivered later', [DESK, submits(1), cancels('/printjobs/1', []), delivers(1)], []],
  ['a cancelled job again', [away, submits(1), cancels('/printjobs/1', [1]), cancels('/printjobs/1', [])], []],
  [
    'a cancelled job, which is named again',
    [away, submits(1), cancels('/printjobs/1', [1]), cancels('/printjobs/1', [1])],
    ['print-jobs/delete-200-ids | job 1 of the cancellation | cancelled before | cancelled again | job 1'],
  ],
  [
    'an expired job',
    [away, at(100_000, submits(1, { expireAfter: 10 })), at(110_000, cancels('/printjobs/1', []))],
    [],
  ],
  [
    'a job right before its expiry',
    [away, at(100_000, submits(1, { expireAfter: 10 })), at(109_999, cancels('/printjobs/1', []))],
    NOT_CANCELLED,
  ],
  ['a job that may be on its way', [DESK, submits(1), cancels('/printjobs/1', [])], []],
  ['a job on a link that loses frames', [away, submits(1), cancels('/printjobs/1', [])], [], { isLinkDisturbed: true }],
  [
    'a job of a printer of which nothing is known',
    [away, submits(1, { printerId: 99 }), cancels('/printjobs/1', [])],
    [],
  ],
  ['a job that is submitted later', [away, cancels('/printjobs', []), submits(1)], []],
  [
    'a job of a deleted computer',
    [away, submits(1), ask('DELETE /computers/1', { value: [1] }), cancels('/printjobs/1', [])],
    [],
  ],
  [
    'a job whose computer is deleted later',
    [away, submits(1), cancels('/printjobs/1', []), ask('DELETE /computers/1', { value: [1] })],
    NOT_CANCELLED,
  ],
  [
    'with an answer that is no list',
    [away, submits(1), cancels('/printjobs/1', { ids: [1] })],
    ['print-jobs/delete-200-ids | DELETE /printjobs/1 | 200 and an array of ids | 200 {"ids":[1]}'],
  ],
  [
    'with an error',
    [away, submits(1), cancels('/printjobs/1', {}, 400)],
    ['print-jobs/delete-200-ids | DELETE /printjobs/1 | 200 and an array of ids | 400 {}'],
  ],
  [
    'with another success',
    [away, submits(1), cancels('/printjobs/1', [1], 202)],
    ['print-jobs/delete-200-ids | DELETE /printjobs/1 | 200 and an array of ids | 202 [1]'],
  ],
  ['too often', [away, submits(1), cancels('/printjobs/1', {}, 429)], []],
  [
    'with a key that is refused',
    [away, submits(1), cancels('/printjobs/1', {}, 401)],
    ['authentication/basic-key | status of DELETE /printjobs/1 | an answer | 401'],
  ],
  ['while suspended', [away, submits(1), cancels('/printjobs/1', {}, 403)], []],
  ['a set with an unknown job, refused', [away, submits(1), cancels('/printjobs/1,77', {}, 404)], []],
  [
    'a set with an unknown job that fails',
    [away, submits(1), cancels('/printjobs/1,77', {}, 500)],
    ['print-jobs/delete-200-ids | DELETE /printjobs/1,77 | 200 and an array of ids | 500 {}'],
  ],
  ['jobs of an unknown printer, refused', [away, submits(1), cancels('/printers/77/printjobs', {}, 404)], []],
  [
    'jobs of a known and an unknown printer, refused',
    [away, submits(1), cancels('/printers/11,77/printjobs', {}, 404)],
    [],
  ],
  [
    'jobs of a known printer, refused',
    [away, submits(1), cancels('/printers/11/printjobs', {}, 404)],
    ['print-jobs/delete-200-ids | DELETE /printers/11/printjobs | 200 and an array of ids | 404 {}'],
  ],
  [
    'a job of a known printer, refused',
    [away, submits(1), cancels('/printers/11/printjobs/1', {}, 404)],
    ['print-jobs/delete-200-ids | DELETE /printers/11/printjobs/1 | 200 and an array of ids | 404 {}'],
  ],
  [
    'jobs of a printer of a deleted computer, refused',
    [away, submits(1), ask('DELETE /computers/1', { value: [1] }), cancels('/printers/11/printjobs', {}, 404)],
    [],
  ],
  ['what is no set', [away, submits(1), cancels('/printjobs/one', {}, 400)], []],
  ['what is no job', [away, submits(1), ask('DELETE /printjobsx', { value: {} })], []],
  ['states', [away, submits(1), ask('GET /printjobs/1', { value: [{ id: 1 }] })], []],
  [
    'a job of another account',
    [
      away,
      submits(1),
      ask('GET /noop', { key: 'other', account: '8' }),
      ask('DELETE /printjobs/1', { key: 'other', account: '8', value: [1] }),
    ],
    ['print-jobs/delete-leaves-others | ids of DELETE /printjobs/1 | only jobs that it names | [1]'],
  ],
]);
