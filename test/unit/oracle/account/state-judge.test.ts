import {
  ask,
  at,
  BEGAN_MS,
  connects,
  delivers,
  DESK,
  goes,
  later,
  quiet,
  reports,
  sendsReport,
  sleeps,
  submits,
  tell,
  type Told,
} from '../../../support/told-history.ts';

function time(ms: number): string {
  return new Date(ms).toISOString();
}

/** A state of job 1, so many milliseconds after it was submitted. */
function state(name: string, age = 0, given: object = {}): object {
  const common = { printJobId: 1, state: name, message: '', data: {}, clientVersion: null, age };
  return { ...common, createTimestamp: time(BEGAN_MS + age), ...given };
}

const fresh = state('new');
const sent = state('sent_to_client', 1_000);
const done = state('done', 2_000, { clientVersion: '4.0.0' });

/** The states of job 1 as the service lists them. */
function shows(...states: readonly object[]): ReturnType<typeof ask> {
  return ask('GET /printjobs/1/states', { value: [states] });
}

const submitted = at(BEGAN_MS, submits(1, { expireAfter: 60 }));
const begun = [DESK, submitted];
const away = [DESK, goes(), quiet, submitted];
const delivered = [begun, at(BEGAN_MS + 1_000, delivers(1))];
const [sentReport, knownReport] = [sendsReport(1), { ...sendsReport(1), kind: 'report' as const }];
const acknowledgedLate = [delivered, later(2_000, sentReport), later(2_500, knownReport), later(2_500, quiet)];
const acknowledged = [delivered, later(5_000, sentReport), later(5_000, knownReport), later(5_000, quiet)];
const reported = [
  delivered,
  at(BEGAN_MS + 2_000, sentReport),
  at(BEGAN_MS + 2_000, knownReport),
  at(BEGAN_MS + 2_000, quiet),
];
const disturbed = { isLinkDisturbed: true };
const real = { isVirtual: false };

const NOT_SENT = ['states/sent-to-client | states of job 1 | sent_to_client | new | job 1'];

const HIDDEN = ['print-jobs/states-set | GET /printjobs/1/states | states of job 1 | none | job 1'];

tell('the states of a job show', [
  [
    'none, after it was cancelled when it may have expired',
    [
      away,
      later(61_000, ask('DELETE /printjobs/1', { value: [1] })),
      later(62_000, ask('GET /printjobs/1/states', { value: [] })),
    ],
    [],
  ],
  [
    'a second new',
    [away, later(1_000, shows(fresh, { ...fresh, age: 7 }))],
    ['states/age-since-new | state new of job 1 | age 0 | 7 | job 1'],
  ],
  ['all there is', [reported, later(3_000, shows(fresh, sent, done))], []],
  ['none', [reported, later(3_000, ask('GET /printjobs/1/states', { value: [] }))], HIDDEN],
  ['new alone, before it is delivered', [away, later(1_000, shows(fresh))], []],
  ['no new', [away, later(1_000, shows(state('queued')))], ['states/new | states of job 1 | new | queued | job 1']],
  [
    'an age of new',
    [away, later(1_000, shows({ ...fresh, age: 2 }))],
    [
      'states/age-of-new-zero | age of new of job 1 | 0 | 2 | job 1',
      'states/age-since-new | state new of job 1 | age 0 | 2 | job 1',
    ],
  ],
  [
    'a new of a client',
    [away, later(1_000, shows({ ...fresh, clientVersion: '4' }))],
    [
      'states/new-by-service | clientVersion of new of job 1 | null | {"printJobId":1,"state":"new","message":"","data":{},"clientVersion":"4","age":0,"createTimestamp":"1970-01-01T00:01:40.000Z"} | job 1',
      'states/client-version-null | state new of job 1 | clientVersion null | 4 | job 1',
    ],
  ],
  [
    'a new from before its submission',
    [away, later(1_000, shows(state('new', 0, { createTimestamp: time(BEGAN_MS - 1) })))],
    [
      'states/create-timestamp-of-service | createTimestamp of new of job 1 | when it was submitted | {"printJobId":1,"state":"new","message":"","data":{},"clientVersion":null,"age":0,"createTimestamp":"1970-01-01T00:01:39.999Z"} | job 1',
    ],
  ],
  [
    'a new from after its answer',
    [away, later(1_000, shows(state('new', 0, { createTimestamp: time(BEGAN_MS + 1) })))],
    [
      'states/create-timestamp-of-service | createTimestamp of new of job 1 | when it was submitted | {"printJobId":1,"state":"new","message":"","data":{},"clientVersion":null,"age":0,"createTimestamp":"1970-01-01T00:01:40.001Z"} | job 1',
    ],
  ],
  [
    'a new within what a clock may be off',
    [away, later(1_000, shows(state('new', 0, { createTimestamp: time(BEGAN_MS - 2_005) })))],
    [],
    { ...real, clockErrorMs: 5 },
  ],
  [
    'a new beyond what a clock may be off',
    [away, later(1_000, shows(state('new', 0, { createTimestamp: time(BEGAN_MS - 2_006) })))],
    [
      'states/create-timestamp-of-service | createTimestamp of new of job 1 | when it was submitted | {"printJobId":1,"state":"new","message":"","data":{},"clientVersion":null,"age":0,"createTimestamp":"1970-01-01T00:01:37.994Z"} | job 1',
    ],
    { ...real, clockErrorMs: 5 },
  ],
  [
    'a new later than what a clock may be off',
    [away, later(1_000, shows(state('new', 0, { createTimestamp: time(BEGAN_MS + 2_006) })))],
    [
      'states/create-timestamp-of-service | createTimestamp of new of job 1 | when it was submitted | {"printJobId":1,"state":"new","message":"","data":{},"clientVersion":null,"age":0,"createTimestamp":"1970-01-01T00:01:42.006Z"} | job 1',
    ],
    { ...real, clockErrorMs: 5 },
  ],
  [
    'a new as late as a clock may be off',
    [away, later(1_000, shows(state('new', 0, { createTimestamp: time(BEGAN_MS + 2_005) })))],
    [],
    { ...real, clockErrorMs: 5 },
  ],
  ['a time that cannot be read', [away, later(1_000, shows(state('new', 0, { createTimestamp: 'noon' })))], []],

  ['no sent_to_client', [delivered, quiet, later(3_000, shows(fresh))], NOT_SENT],
  [
    'no sent_to_client of a delivery that is seen after the answer',
    [begun, later(3_000, shows(fresh)), delivers(1)],
    [],
  ],
  [
    'no sent_to_client of a delivery since the last answer',
    [begun, later(1_000, delivers(1)), later(3_000, shows(fresh))],
    [],
  ],
  [
    'no sent_to_client of a delivery before the last answer',
    [begun, later(1_000, delivers(1)), later(1_000, ask('GET /noop')), later(3_000, shows(fresh))],
    NOT_SENT,
  ],
  [
    'no sent_to_client of a delivery after the request',
    [
      delivered,
      later(1_000, quiet),
      ask('GET /printjobs/1/states', { value: [[fresh]], sentMs: BEGAN_MS + 1_000, atMs: BEGAN_MS + 3_000 }),
    ],
    [],
    real,
  ],
  [
    'no sent_to_client of a delivery right before the request',
    [
      delivered,
      later(1_000, quiet),
      ask('GET /printjobs/1/states', { value: [[fresh]], sentMs: BEGAN_MS + 1_001, atMs: BEGAN_MS + 3_000 }),
    ],
    NOT_SENT,
    real,
  ],
  [
    'no sent_to_client of a delivery before something else that is no answer',
    [begun, later(1_000, delivers(1)), later(1_001, connects(2)), later(3_000, shows(fresh))],
    [],
  ],
  [
    'no sent_to_client of a delivery in the millisecond of the request',
    [delivered, later(1_000, quiet), later(1_000, shows(fresh))],
    NOT_SENT,
  ],
  [
    'no sent_to_client, and another state',
    [delivered, quiet, later(3_000, shows(fresh, state('jam', 2_000)))],
    ['states/sent-to-client | states of job 1 | sent_to_client | new → jam | job 1'],
  ],
  [
    'sent_to_client of a job that is delivered later',
    [
      away,
      later(60_001, connects()),
      later(60_002, shows(fresh, state('sent_to_client', 60_002), state('expired', 60_000))),
      later(60_003, delivers(1)),
    ],
    [
      'states/sent-to-client-not-before | states of job 1 | no sent_to_client | new → sent_to_client → expired | job 1',
      'print-jobs/expired-not-delivered | job 1 at computer 1 | no delivery | a delivery | job 1',
    ],
  ],
  [
    'sent_to_client of a job that was delivered too late, and no expired',
    [
      away,
      later(60_001, connects()),
      later(60_002, delivers(1)),
      later(60_003, quiet),
      later(60_004, shows(fresh, state('sent_to_client', 60_002))),
    ],
    ['print-jobs/expired-not-delivered | job 1 at computer 1 | no delivery | a delivery | job 1'],
  ],
  [
    'two times of expired, the first too early',
    [away, later(60_001, shows(fresh, state('expired', 59_999), state('expired', 60_000)))],
    ['print-jobs/expire-after-not-early | states of job 1 | expired at its time | new → expired → expired | job 1'],
  ],
  [
    'a new at the millisecond in which it was submitted',
    [DESK, goes(), quiet, at(BEGAN_MS + 0.5, submits(1)), later(1_000, shows(fresh))],
    [],
  ],
  [
    'two times of new',
    [away, later(1_000, shows(fresh, state('new', 0, { createTimestamp: time(BEGAN_MS + 500) })))],
    ['states/age-since-new | state new of job 1 | age 500 | 0 | job 1'],
  ],
  [
    'no new of a job of a deleted computer',
    [away, later(1, ask('DELETE /computers/1', { value: [1] })), later(2, shows(state('queued')))],
    [],
  ],
  [
    'sent_to_client of a job whose computer is away',
    [away, later(1_000, shows(fresh, state('sent_to_client', 500)))],
    ['states/sent-to-client-not-before | states of job 1 | no sent_to_client | new → sent_to_client | job 1'],
  ],
  [
    'sent_to_client on a link that loses frames',
    [away, later(1_000, shows(fresh, state('sent_to_client', 500)))],
    [],
    disturbed,
  ],
  [
    'sent_to_client of a job that may be on its way',
    [begun, later(1_000, shows(fresh, state('sent_to_client', 500)))],
    [],
  ],
  [
    'sent_to_client of a job that was delivered',
    [
      away,
      later(1, connects()),
      later(2, delivers(1)),
      later(3, goes()),
      later(4, quiet),
      later(1_000, shows(fresh, state('sent_to_client', 2))),
    ],
    [],
  ],
  [
    'sent_to_client of a job that was cancelled before its computer was there',
    [
      away,
      later(1, ask('DELETE /printjobs/1', { value: [1] })),
      later(2, connects()),
      later(1_000, shows(fresh, state('sent_to_client', 2))),
    ],
    ['states/sent-to-client-not-before | states of job 1 | no sent_to_client | new → sent_to_client | job 1'],
  ],
  [
    'sent_to_client of a job that expired before its computer was there',
    [
      away,
      later(60_001, connects()),
      later(70_000, shows(fresh, state('sent_to_client', 2), state('expired', 60_000))),
    ],
    ['states/sent-to-client-not-before | states of job 1 | no sent_to_client | new → sent_to_client → expired | job 1'],
  ],
  [
    'sent_to_client of a job that expired as its computer came',
    [away, later(60_000, connects()), later(70_000, shows(fresh, state('sent_to_client', 60_000)))],
    [],
  ],
  [
    'sent_to_client of a job that expired right before its computer came, on a real clock',
    [away, later(62_000, connects()), later(70_000, shows(fresh, state('sent_to_client', 62_000)))],
    [],
    real,
  ],
  [
    'sent_to_client of a job that expired before its computer came, on a real clock',
    [
      away,
      later(62_001, connects()),
      later(70_000, shows(fresh, state('sent_to_client', 62_000), state('expired', 60_000))),
    ],
    ['states/sent-to-client-not-before | states of job 1 | no sent_to_client | new → sent_to_client → expired | job 1'],
    real,
  ],
  [
    'sent_to_client of a printer of which nothing is known',
    [DESK, at(BEGAN_MS, submits(1, { printerId: 99 })), later(1_000, shows(fresh, state('sent_to_client', 500)))],
    [],
  ],

  ['expired in time', [away, later(60_001, shows(fresh, state('expired', 60_000)))], []],
  ['no expired right at its time', [away, later(60_000, shows(fresh))], []],
  ['no expired', [away, later(60_001, shows(fresh))], ['states/expired | states of job 1 | expired | new | job 1']],
  ['no expired, on a real clock', [away, later(62_000, shows(fresh))], [], real],
  [
    'no expired for long, on a real clock',
    [away, later(62_001, shows(fresh))],
    ['states/expired | states of job 1 | expired | new | job 1'],
    real,
  ],
  ['no expired on a link that loses frames', [away, later(60_001, shows(fresh))], [], disturbed],
  ['no expired of a job that may be on its way', [begun, later(60_001, shows(fresh))], []],
  ['no expired of a job whose computer sleeps', [DESK, sleeps(), submitted, later(60_001, shows(fresh))], []],
  ['no expired of a delivered job', [reported, later(60_001, shows(fresh, sent, done))], []],
  [
    'no expired of a job that was delivered right after a computer came back',
    [
      away,
      later(2, connects()),
      later(3, delivers(1)),
      later(4, goes()),
      later(5, quiet),
      later(60_001, shows(fresh, state('sent_to_client', 3))),
    ],
    [],
  ],
  [
    'no expired of a cancelled job',
    [away, later(1, ask('DELETE /printjobs/1', { value: [1] })), later(60_001, shows(fresh))],
    [],
  ],
  [
    'no expired of a job that is cancelled later',
    [away, later(60_001, shows(fresh)), later(60_002, ask('DELETE /printjobs/1', { value: [1] }))],
    ['states/expired | states of job 1 | expired | new | job 1'],
  ],
  [
    'expired of a cancelled job',
    [away, later(1, ask('DELETE /printjobs/1', { value: [1] })), later(60_001, shows(fresh, state('expired', 60_000)))],
    ['print-jobs/cancelled-does-not-expire | states of job 1 | no expired | new → expired | job 1'],
  ],
  [
    'expired of a job that is cancelled later',
    [
      away,
      later(60_001, shows(fresh, state('expired', 60_000))),
      later(60_002, ask('DELETE /printjobs/1', { value: [] })),
    ],
    [],
  ],
  [
    'expired of a delivered job',
    [delivered, quiet, later(60_001, shows(fresh, sent, state('expired', 60_000)))],
    ['print-jobs/expire-after-delivered | states of job 1 | no expired | new → sent_to_client → expired | job 1'],
  ],
  [
    'expired of a job that is delivered later',
    [begun, later(60_001, shows(fresh, state('expired', 60_000))), later(60_002, delivers(1))],
    [],
  ],
  [
    'expired of a delivered job on a link that loses frames',
    [delivered, quiet, later(60_001, shows(fresh, sent, state('expired', 60_000)))],
    [],
    disturbed,
  ],
  [
    'expired that is shown early',
    [away, later(59_999, shows(fresh, state('expired', 60_000)))],
    ['print-jobs/expire-after-not-early | states of job 1 | expired at its time | new → expired | job 1'],
  ],
  ['expired right in time', [away, later(60_000, shows(fresh, state('expired', 60_000)))], []],
  [
    'expired with an early time',
    [away, later(60_001, shows(fresh, state('expired', 59_999)))],
    ['print-jobs/expire-after-not-early | states of job 1 | expired at its time | new → expired | job 1'],
  ],
  [
    'expired with a time as early as a clock may be off',
    [away, later(60_001, shows(fresh, state('expired', 58_000)))],
    [],
    real,
  ],
  [
    'expired with a time earlier than a clock may be off',
    [away, later(60_001, shows(fresh, state('expired', 57_999)))],
    ['print-jobs/expire-after-not-early | states of job 1 | expired at its time | new → expired | job 1'],
    real,
  ],
  [
    'expired with a late time',
    [away, later(70_000, shows(fresh, state('expired', 60_001)))],
    [
      'states/create-timestamp-of-service | expired of job 1 | a timestamp at its expiry | {"printJobId":1,"state":"expired","message":"","data":{},"clientVersion":null,"age":60001,"createTimestamp":"1970-01-01T00:02:40.001Z"} | job 1',
    ],
  ],
  [
    'expired with a time as late as a clock may be off',
    [away, later(70_000, shows(fresh, state('expired', 62_000)))],
    [],
    real,
  ],
  [
    'expired with a time later than a clock may be off',
    [away, later(70_000, shows(fresh, state('expired', 62_001)))],
    [
      'states/create-timestamp-of-service | expired of job 1 | a timestamp at its expiry | {"printJobId":1,"state":"expired","message":"","data":{},"clientVersion":null,"age":62001,"createTimestamp":"1970-01-01T00:02:42.001Z"} | job 1',
    ],
    real,
  ],
  [
    'expired with the time of a clock that is moved',
    [away, later(70_000, shows(fresh, state('expired', 69_000)))],
    [],
    { ...real, isMoved: true },
  ],
  [
    'expired of a job of a deleted computer',
    [away, later(1, ask('DELETE /computers/1', { value: [1] })), later(2, shows())],
    [],
  ],
  [
    'new of a job whose computer is deleted later',
    [away, later(1, shows(sent)), later(2, ask('DELETE /computers/1', { value: [1] }))],
    [
      'states/new | states of job 1 | new | sent_to_client | job 1',
      'states/sent-to-client-not-before | states of job 1 | no sent_to_client | sent_to_client | job 1',
    ],
  ],
]);

const ofClient = (name: string, age: number, given: object = {}): object =>
  state(name, age, { clientVersion: '4.0.0', ...given });
const told = (name: string, ms: number, id?: string): readonly Told[] =>
  reports(1, name, { ...(id !== undefined && { id }) }).map((one) => at(BEGAN_MS + ms, one));
const hour = { createTimestamp: '2025-01-01T00:00:00.000Z', age: Date.parse('2025-01-01T00:00:00.000Z') - BEGAN_MS };

const shownWithDelivery = [later(2_000, quiet), later(3_000, shows(fresh, sent))];

tell('the states that a computer reported show', [
  [
    'no done',
    [reported, later(3_000, shows(fresh, sent))],
    ['states/done | state done of job 1 | shown | new → sent_to_client | job 1'],
  ],
  [
    'no error',
    [delivered, told('error', 2_000), shownWithDelivery],
    ['states/error | state error of job 1 | shown | new → sent_to_client | job 1'],
  ],
  [
    'no further state',
    [delivered, told('received', 2_000), shownWithDelivery],
    ['states/history-kept | state received of job 1 | shown | new → sent_to_client | job 1'],
  ],
  ['no done that was not acknowledged', [delivered, later(2_000, sentReport), shownWithDelivery], []],
  [
    'a done that was not acknowledged',
    [delivered, later(2_000, sentReport), later(2_000, quiet), later(3_000, shows(fresh, sent, done))],
    [],
  ],
  [
    'no done acknowledged since the last answer',
    [delivered, quiet, later(2_000, sentReport), later(2_000, knownReport), later(3_000, shows(fresh, sent))],
    [],
  ],
  [
    'a done that nobody reported',
    [delivered, quiet, later(3_000, shows(fresh, sent, done))],
    ['states/ends-once | states of job 1 | no done | new → sent_to_client → done | job 1'],
  ],
  [
    'an error that nobody reported',
    [reported, later(3_000, shows(fresh, sent, done, ofClient('error', 2_500)))],
    ['states/ends-once | states of job 1 | no error | new → sent_to_client → done → error | job 1'],
  ],
  [
    'another state that nobody reported',
    [reported, later(3_000, shows(fresh, sent, done, ofClient('cooling', 2_500)))],
    [],
  ],
  [
    'done and error that nobody reported',
    [delivered, quiet, later(3_000, shows(fresh, sent, done, ofClient('error', 2_500)))],
    ['states/ends-once | states of job 1 | no done | new → sent_to_client → done → error | job 1'],
  ],
  ['the time of the client', [reported, later(3_000, shows(fresh, sent, { ...done, ...hour }))], []],
  ['the time at which it was sent', [acknowledgedLate, later(3_000, shows(fresh, sent, done))], []],
  [
    'the time at which it was acknowledged',
    [acknowledgedLate, later(3_000, shows(fresh, sent, ofClient('done', 2_500)))],
    [],
  ],
  [
    'a time before it was sent',
    [acknowledgedLate, later(3_000, shows(fresh, sent, ofClient('done', 1_999)))],
    [
      'states/create-timestamp-of-client | state done of job 1 | a timestamp of 2025-01-01T00:00:00.000Z | {"printJobId":1,"state":"done","message":"","data":{},"clientVersion":"4.0.0","age":1999,"createTimestamp":"1970-01-01T00:01:41.999Z"} | job 1',
    ],
  ],
  [
    'a time after it was acknowledged',
    [acknowledgedLate, later(3_000, shows(fresh, sent, ofClient('done', 2_501)))],
    [
      'states/create-timestamp-of-client | state done of job 1 | a timestamp of 2025-01-01T00:00:00.000Z | {"printJobId":1,"state":"done","message":"","data":{},"clientVersion":"4.0.0","age":2501,"createTimestamp":"1970-01-01T00:01:42.501Z"} | job 1',
    ],
  ],
  [
    'a time as early as a clock may be off',
    [acknowledged, later(9_000, shows(fresh, sent, ofClient('done', 3_000)))],
    [],
    real,
  ],
  [
    'a time earlier than a clock may be off',
    [acknowledged, later(9_000, shows(fresh, sent, ofClient('done', 2_999)))],
    [
      'states/create-timestamp-of-client | state done of job 1 | a timestamp of 2025-01-01T00:00:00.000Z | {"printJobId":1,"state":"done","message":"","data":{},"clientVersion":"4.0.0","age":2999,"createTimestamp":"1970-01-01T00:01:42.999Z"} | job 1',
    ],
    real,
  ],
  [
    'a time as late as a clock may be off',
    [acknowledged, later(9_000, shows(fresh, sent, ofClient('done', 7_000)))],
    [],
    real,
  ],
  [
    'a time that cannot be read',
    [reported, later(3_000, shows(fresh, sent, { ...done, createTimestamp: 'noon' }))],
    [],
  ],
  [
    'a report that was sent again',
    [
      delivered,
      later(2_000, sentReport),
      later(2_500, sentReport),
      later(2_500, knownReport),
      later(2_500, quiet),
      later(3_000, shows(fresh, sent, done)),
    ],
    [],
  ],
  [
    'two alike, each with its time',
    [
      delivered,
      told('jam', 2_000, 'a'),
      told('jam', 3_000, 'b'),
      later(3_000, quiet),
      later(4_000, shows(fresh, sent, ofClient('jam', 2_000), ofClient('jam', 3_000))),
    ],
    [],
  ],
  [
    'two alike, one with another time',
    [
      delivered,
      told('jam', 2_000, 'a'),
      told('jam', 3_000, 'b'),
      later(3_000, quiet),
      later(4_000, shows(fresh, sent, ofClient('jam', 2_000), ofClient('jam', 3_500))),
    ],
    [
      'states/create-timestamp-of-client | state jam of job 1 | a timestamp of 2025-01-01T00:00:00.000Z | {"printJobId":1,"state":"jam","message":"","data":{},"clientVersion":"4.0.0","age":2000,"createTimestamp":"1970-01-01T00:01:42.000Z"} | job 1',
    ],
  ],
  [
    'another version',
    [reported, later(3_000, shows(fresh, sent, { ...done, clientVersion: '5' }))],
    ['states/client-version-of-client | state done of job 1 | clientVersion 4.0.0 | 5 | job 1'],
  ],
  [
    'two other versions',
    [reported, later(3_000, shows(fresh, sent, { ...done, clientVersion: '5' }, { ...done, clientVersion: '6' }))],
    ['states/client-version-of-client | state done of job 1 | clientVersion 4.0.0 | 5 | job 1'],
  ],
  ['its version and another', [reported, later(3_000, shows(fresh, sent, done, { ...done, clientVersion: '6' }))], []],
  [
    'no version',
    [reported, later(3_000, shows(fresh, sent, { ...done, clientVersion: null }))],
    ['states/client-version-of-client | state done of job 1 | clientVersion 4.0.0 | null | job 1'],
  ],
  ['sent_to_client of the client', [delivered, told('sent_to_client', 2_000), shownWithDelivery], []],
]);

const { message: _message, ...unsaid } = fresh as { readonly message?: string };

tell('a state', [
  [
    'that lacks a field',
    [away, later(1, shows(unsaid))],
    [
      'states/fields-always-present | state new of job 1 | message | {"printJobId":1,"state":"new","data":{},"clientVersion":null,"age":0,"createTimestamp":"1970-01-01T00:01:40.000Z"} | job 1',
    ],
  ],
  [
    'whose message is null',
    [away, later(1, shows({ ...fresh, message: null }))],
    ['states/message-not-null | message of state new of job 1 | not null | null | job 1'],
  ],
  [
    'whose job is null',
    [away, later(1, shows({ ...fresh, printJobId: null }))],
    [
      'print-jobs/states-set | GET /printjobs/1/states | states of print jobs | [[{"printJobId":null,"state":"new","message":"","data":{},"clientVersion":null,"age":0,"createTimestamp":"1970-01-01T00:01:40.000Z"}]]',
    ],
  ],
  [
    'with another age',
    [reported, later(3_000, shows(fresh, sent, { ...done, age: 1_998 }))],
    ['states/age-since-new | state done of job 1 | age 2000 | 1998 | job 1'],
  ],
  [
    'with an age that is no number',
    [reported, later(3_000, shows(fresh, sent, { ...done, age: '2000' }))],
    ['states/age-since-new | state done of job 1 | age 2000 | 2000 | job 1'],
  ],
  [
    'with ages that are cut off, of times to the microsecond',
    [
      reported,
      later(
        3_000,
        shows(
          { ...fresh, createTimestamp: '1970-01-01T00:01:40.000500Z' },
          { ...sent, createTimestamp: '1970-01-01T00:01:41.000100Z', age: 999 },
          { ...done, createTimestamp: '1970-01-01T00:01:42.000600Z', age: 2_000 },
        ),
      ),
    ],
    [],
  ],
  [
    'with an age that cannot be known',
    [reported, later(3_000, shows({ ...fresh, createTimestamp: 'noon' }, { ...sent, age: 5 }, done))],
    [],
  ],
  [
    'without a new to tell its age',
    [reported, later(3_000, shows({ ...sent, age: 5 }, done))],
    ['states/new | states of job 1 | new | sent_to_client → done | job 1'],
  ],
  [
    'of the service with a version',
    [reported, later(3_000, shows(fresh, { ...sent, clientVersion: '4' }, done))],
    ['states/client-version-null | state sent_to_client of job 1 | clientVersion null | 4 | job 1'],
  ],
  [
    'expired with a version',
    [away, later(60_001, shows(fresh, state('expired', 60_000, { clientVersion: '4' })))],
    ['states/client-version-null | state expired of job 1 | clientVersion null | 4 | job 1'],
  ],
]);

const two = [DESK, goes(), quiet, submitted, at(BEGAN_MS, submits(2))];
const other = { ...fresh, printJobId: 2 };
const list = (path: string, value: unknown, asked: object = {}): Told =>
  later(1_000, ask(`GET ${path}`, { value, ...asked }));

tell('an answer about states may be, or not:', [
  ['a flat list', [two, list('/printjobs/1,2/states', [fresh, other])], []],
  ['lists by job', [two, list('/printjobs/1,2/states', { 1: [fresh], 2: [other] })], []],
  [
    'a list that lacks a job of the set',
    [two, list('/printjobs/1,2/states', [[fresh]])],
    ['print-jobs/states-set | GET /printjobs/1,2/states | states of job 2 | none | job 2'],
  ],
  ['a page of a set', [two, list('/printjobs/1,2/states?limit=1', [[fresh]])], []],
  [
    'a set the other way round',
    [two, list('/printjobs/1,2/states?dir=asc', [[fresh]])],
    ['print-jobs/states-set | GET /printjobs/1,2/states?dir=asc | states of job 2 | none | job 2'],
  ],
  ['a page of a set the other way round', [two, list('/printjobs/1,2/states?dir=asc&limit=1', [[fresh]])], []],
  ['a set with a query of another kind', [two, list('/printjobs/1,2/states?pretty=1', [[fresh]])], []],
  [
    'text for all',
    [two, list('/printjobs/states', 'none')],
    ['print-jobs/states-set | GET /printjobs/states | states of print jobs | none'],
  ],
  ['some of all', [two, list('/printjobs/states', [[fresh]])], []],
  [
    'a job outside the set',
    [two, list('/printjobs/1/states', [[fresh], [other]])],
    ['print-jobs/states-set-only | GET /printjobs/1/states | jobs of the set | job 2'],
  ],
  [
    'a job of which nothing is known',
    [two, list('/printjobs/1/states', [[fresh], [{ ...fresh, printJobId: 77 }]])],
    [],
  ],
  [
    'text',
    [two, list('/printjobs/1/states', 'none')],
    ['print-jobs/states-set | GET /printjobs/1/states | states of print jobs | none'],
  ],
  [
    'null',
    [two, list('/printjobs/1/states', null)],
    ['print-jobs/states-set | GET /printjobs/1/states | states of print jobs | null'],
  ],
  [
    'names alone',
    [two, list('/printjobs/1/states', [['new']])],
    ['print-jobs/states-set | GET /printjobs/1/states | states of print jobs | [["new"]]'],
  ],
  [
    'states without a job',
    [two, list('/printjobs/1/states', [[{ state: 'new' }]])],
    ['print-jobs/states-set | GET /printjobs/1/states | states of print jobs | [[{"state":"new"}]]'],
  ],
  ['a refusal', [two, list('/printjobs/1/states', 'none', { status: 404 })], []],
  ['something else', [two, later(1_000, ask('PUT /printjobs/1/states', { value: 'none' }))], []],
  ['another path', [two, list('/printjobs/1/statesx', 'none'), list('/x/printjobs/1/states', 'none')], []],
  ['what is no set', [two, list('/printjobs/one/states', [])], []],
  [
    'text for what is no set',
    [two, list('/printjobs/one/states', 'none')],
    ['print-jobs/states-set | GET /printjobs/one/states | states of print jobs | none'],
  ],
  [
    'no state of a cancelled job',
    [two, later(1, ask('DELETE /printjobs/1', { value: [1] })), list('/printjobs/1/states', [])],
    [],
  ],
  [
    'no state of a job that is cancelled later',
    [two, list('/printjobs/1/states', []), later(1_001, ask('DELETE /printjobs/1', { value: [1] }))],
    HIDDEN,
  ],
  ['no state of a job that is submitted later', [DESK, ask('GET /printjobs/1/states', { value: [] }), submits(1)], []],
  [
    'no state of a job of a deleted computer',
    [two, later(1, ask('DELETE /computers/1', { value: [1] })), list('/printjobs/1/states', [])],
    [],
  ],
  [
    'no state of a job whose computer is deleted later',
    [two, list('/printjobs/1/states', []), later(1_001, ask('DELETE /computers/1', { value: [1] }))],
    HIDDEN,
  ],
  [
    'less than before',
    [away, later(1, shows(fresh, ofClient('jam', 0))), later(2, shows(fresh))],
    [
      'states/history-kept | states of job 1 | those shown before | {"printJobId":1,"state":"jam","message":"","data":{},"clientVersion":"4.0.0","age":0,"createTimestamp":"1970-01-01T00:01:40.000Z"} | job 1',
    ],
  ],
  [
    'two less than before',
    [away, later(1, shows(fresh, ofClient('jam', 0), ofClient('stop', 0))), later(2, shows(fresh))],
    [
      'states/history-kept | states of job 1 | those shown before | {"printJobId":1,"state":"jam","message":"","data":{},"clientVersion":"4.0.0","age":0,"createTimestamp":"1970-01-01T00:01:40.000Z"} | job 1',
    ],
  ],
  [
    'another message than before',
    [away, later(1, shows(fresh)), later(2, shows({ ...fresh, message: 'x' }))],
    [
      'states/history-kept | states of job 1 | those shown before | {"printJobId":1,"state":"new","message":"","data":{},"clientVersion":null,"age":0,"createTimestamp":"1970-01-01T00:01:40.000Z"} | job 1',
    ],
  ],
  ['more than before', [away, later(1, shows(fresh)), later(2, shows(fresh, ofClient('jam', 0)))], []],
  ['less of another job', [two, list('/printjobs/1/states', [[fresh]]), list('/printjobs/2/states', [[other]])], []],
]);
