import {
  ask,
  BEGAN_MS,
  connects,
  delivers,
  DESK,
  ELSEWHERE,
  goes,
  later,
  notifies,
  quiet,
  reports,
  restarted,
  silence,
  submits,
  tell,
  type Told,
} from '../../../support/told-history.ts';

const time = (ms: number): string => new Date(BEGAN_MS + ms).toISOString();

/** The event of a state of a job. */
function event(jobId = 1, state = 'new', ms = 0, given: object = {}): object {
  const data = { printJobId: jobId, state };
  return { type: 'print job state', accountId: 7, controllingAccountId: 7, createdAt: time(ms), data, ...given };
}

function ofComputer(computerId = 1, ms = 0, given: object = {}): object {
  const data = { computerId, state: 'connected' };
  return { type: 'computer state', accountId: 7, controllingAccountId: 7, createdAt: time(ms), data, ...given };
}

/** The event of a state of job 1, with its own number where others have that of the job. */
function inOwnWords(state: string): object {
  return event(1, '', 0, { data: { id: 501, printer: { state: 'online' }, about: { ref: '1' }, to: state } });
}

const sends = (ms: number, events: readonly unknown[], given: object = {}): Told =>
  later(ms, notifies({ events, endedMs: BEGAN_MS + ms, ...given }));
const fails = (ms: number, events: readonly unknown[], given: object = {}): Told =>
  sends(ms, events, { answer: 'bad', ...given });

const SETTINGS = { url: 'http://hook', secret: 's', messages: ['print job state'] };
const makes = (sent: object = {}, webhookId = 1, asked: object = {}): Told =>
  ask('POST /webhook', { sent: { ...SETTINGS, ...sent }, value: [{ webhookId, ...SETTINGS, ...sent }], ...asked });
const changes = (sent: object, asked: object = {}): ReturnType<typeof ask> =>
  ask('PATCH /webhook/1', { sent, value: [], ...asked });

/** All computers are away: nothing happens but what is told. */
const away = [DESK, goes(), quiet];
const hooked = [away, makes(), quiet];
const end = later(60_000, quiet);
const submitted = later(0, submits(1));
/** A job is submitted, and the event of it comes. */
const begun = [hooked, submitted];
const whole = [begun, sends(0, [event()])];
const failed = [begun, fails(0, [event()])];
const delivered = [whole, later(5, connects()), later(5, delivers(1))];
/** An answer takes 400 ms. */
const slowly = [begun, later(0, ask('GET /noop', { sentMs: BEGAN_MS - 400 }))];
/** The computer comes, and the event of its delivery too. */
const sent = [delivered, sends(5, [event(1, 'sent_to_client', 5)])];
const sentAgain = [
  later(6, goes()),
  later(7, connects()),
  later(7, delivers(1)),
  sends(7, [event(1, 'sent_to_client', 7)]),
];
/** Its webhook leads elsewhere before the event has come. */
const moved = [
  begun,
  quiet,
  later(1, ask('PATCH /webhook/1', { sent: { url: 'http://new', secret: 'new' }, value: [] })),
];
const real = { isVirtual: false };
const MESSAGES = { 'computer state': 'computer state', 'print job state': 'print job state' };
/** Another service, whose events are told by `inOwnWords`. */
const ELSEWHERE_KNOWN = { ...ELSEWHERE, dialect: { 'message-types': MESSAGES } };

const LACKS_NEW = ['events/print-job-state | events to http://hook | an event of job 1 new | 0 of 1'];

tell('an event comes', [
  // What `data` has, and where, is not printed.
  ['in words of the service', [begun, sends(0, [inOwnWords('new')]), end], [], ELSEWHERE_KNOWN],
  [
    'in words of the service, and late',
    [begun, sends(9_000, [inOwnWords('new')]), end],
    ['events/due-first | an event to http://hook | due at 100000 | sent at 109000'],
    ELSEWHERE_KNOWN,
  ],
  ['in time', [whole, end], []],
  ['never', [begun, end], LACKS_NEW],
  ['never, and no time is left', [begun, later(0, quiet)], LACKS_NEW],
  ['never, and nothing else is seen', [begun], []],
  ['never, on a real clock', [begun, end], LACKS_NEW, real],
  ['never, on a real clock right after it was due', [begun, later(1_999, quiet)], [], real],
  ['never, on a real clock when it was due', [begun, later(2_000, quiet)], LACKS_NEW, real],
  ['never, and no later than an answer', [slowly, later(2_399, quiet)], [], real],
  ['never, and later than any answer', [slowly, later(2_400, quiet)], LACKS_NEW, real],
  ['never, to a webhook for other types', [away, makes({ messages: ['computer state'] }), submitted, end], []],
  ['never, to a webhook for all types', [away, makes({ messages: ['*'] }), submitted, end], LACKS_NEW],
  ['never, to a webhook whose messages cannot be read', [begun, end], [], { dialect: {} }],
  ['never, of a job before the webhook', [away, submitted, makes(), end], []],
  [
    'never, of a job after the webhook was deleted',
    [hooked, ask('DELETE /webhook/1', { value: [] }), submitted, end],
    [],
  ],
  [
    'never, of a job before the webhook was deleted',
    [begun, quiet, later(1, ask('DELETE /webhook/1', { value: [] })), end],
    ['events/queued-survive-delete | events to http://hook | an event of job 1 new | 0 of 1'],
  ],
  [
    'never, of a delivery while the webhook was deleted',
    [delivered, later(6, ask('DELETE /webhook/1', { value: [] })), end],
    [],
  ],
  [
    'never, of a job before the webhook was changed',
    [begun, quiet, later(1, changes({ secret: 'new' })), end],
    ['events/later-events-still-sent | events to http://hook | an event of job 1 new | 0 of 1'],
  ],
  [
    'never, of a job right before the webhook was changed to another type',
    [begun, later(1, changes({ messages: ['computer state'] })), end],
    ['events/later-events-still-sent | events to http://hook | an event of job 1 new | 0 of 1'],
  ],
  [
    'never, of a job after the webhook was changed',
    [hooked, changes({ secret: 'new' }), submitted, end],
    ['events/later-events-still-sent | events to http://hook | an event of job 1 new | 0 of 1'],
  ],
  [
    'never, of a job after the webhook was changed to another type',
    [hooked, changes({ messages: ['computer state'] }), submitted, end],
    [],
  ],
  ['never, of a webhook of which an answer lacks', [hooked, silence('PATCH /webhook/1', {}), submitted, end], []],
  ['never, after something else got no answer', [hooked, silence('PATCH /account', {}), submitted, end], LACKS_NEW],
  [
    'never, and a receiver gave an answer that is unsure',
    [begun, sends(0, [event()], { answer: 'unsure' }), later(1, submits(2)), end],
    [],
  ],
  [
    'of one job and not of the other',
    [whole, later(0, submits(2)), end],
    ['events/print-job-state | events to http://hook | an event of job 2 new | 0 of 1'],
  ],
  ['of one delivery twice', [delivered, sends(5, [event(1, 'sent_to_client', 5)]), end], []],
  [
    'not of a delivery',
    [delivered, end],
    ['events/print-job-state | events to http://hook | an event of job 1 sent_to_client | 0 of 1'],
  ],
  [
    'not of a report',
    [sent, reports(1).map((one) => later(6, one)), end],
    ['events/print-job-state | events to http://hook | an event of job 1 done | 0 of 1'],
  ],
  [
    'not of a report that was not acknowledged',
    [
      sent,
      reports(1)
        .slice(0, 1)
        .map((one) => later(6, one)),
      end,
    ],
    [],
  ],
  ['not of a report of another state', [sent, reports(1, 'jam').map((one) => later(6, one)), end], []],
  [
    'never, of a job of another account',
    [whole, later(0, submits(2, { printerId: 99 }, { key: 'other', account: '8' })), end],
    [],
  ],
  ['that cannot be read', [begun, sends(0, [event(1, 'new', 0, { data: {} })]), end], []],
  [
    'that cannot be read, of another type',
    [begun, sends(0, [event(1, 'new', 0, { data: {}, type: 'other' })]), end],
    LACKS_NEW,
  ],
  ['that a receiver rejects until the end', [failed, later(0, submits(2)), later(4_999, quiet)], []],
  ['that waits while another is repeated', [failed, later(0, submits(2)), later(5_000, quiet)], []],
  [
    'that does not come when another was repeated',
    [failed, later(0, submits(2)), sends(5_000, [event()]), later(5_001, quiet)],
    ['events/print-job-state | events to http://hook | an event of job 2 new | 0 of 1'],
  ],
]);

const told = (given: object): readonly Told[] => [begun, sends(0, [event(1, 'new', 0, given)]), end];

tell('an event has', [
  [
    'a type in one word',
    [begun, sends(0, [event(), event(1, 'x', 0, { type: 'printJobState' })]), end],
    ['events/field-type | type of an event to http://hook | computer state or print job state | printJobState'],
  ],
  [
    'a state of a job of another account',
    [
      begun,
      later(0, submits(2, { printerId: 99 }, { key: 'other', account: '8' })),
      sends(0, [event(), event(2)]),
      end,
    ],
    ['events/print-job-state | state of an event to http://hook | one that the job has had | job 2 new'],
  ],
  ['one of two times at which a job was sent', [sent, sentAgain, end], []],
  ['no data', told({ data: null }), ['events/field-data | data of an event to http://hook | an object | null']],
  ['a list of data', told({ data: [] }), ['events/field-data | data of an event to http://hook | an object | []']],
  [
    'an account of text',
    told({ accountId: '7' }),
    ['events/field-account-id | accountId of an event to http://hook | an integer | 7'],
  ],
  [
    'another account',
    told({ accountId: 9, controllingAccountId: 9 }),
    [
      'events/own-account-only | accountId of an event to http://hook | account 7 or a Child | 9',
      'events/print-job-state | events to http://hook | an event of job 1 new | 0 of 1',
    ],
  ],
  ['the account of a Child that was not made here', told({ accountId: 9 }), LACKS_NEW],
  [
    'the account of a Child',
    [
      ask('POST /account', { sent: { Account: {} }, value: { Account: { id: 9 } } }),
      told({ accountId: 9, controllingAccountId: 5 }),
    ],
    [
      'accounts/create-firstname-missing-refused | status of POST /account | a refusal | 200',
      'events/print-job-state | events to http://hook | an event of job 1 new | 0 of 1',
    ],
  ],
  ['another controlling account', told({ controllingAccountId: 5 }), []],
  [
    'a state of a job of a Child that was not made here',
    [begun, sends(0, [event(), event(5, 'new', 0, { accountId: 9 })]), end],
    [],
  ],
  [
    'a controlling account of text',
    told({ controllingAccountId: '7' }),
    ['events/field-controlling-account-id | controllingAccountId of an event to http://hook | an id | 7'],
  ],
  [
    'a state that is not printed',
    [begun, sends(0, [event(), event(1, 'jam')]), end],
    [
      'events/stable-states-only | state of an event to http://hook | a stable state | jam',
      'events/print-job-state | state of an event to http://hook | one that the job has had | job 1 jam',
    ],
  ],
  ['another type', [begun, sends(0, [event(), event(1, 'x', 0, { type: 'printer state' })]), end], []],
  [
    'a type in other letters',
    [begun, sends(0, [event(), event(1, 'x', 0, { type: 'Print_Job-State' })]), end],
    ['events/field-type | type of an event to http://hook | computer state or print job state | Print_Job-State'],
  ],
  [
    'a type that is no text',
    [begun, sends(0, [event(), event(1, 'x', 0, { type: 5 })]), end],
    ['events/field-type | type of an event to http://hook | computer state or print job state | 5'],
  ],
  [
    'a type that it did not ask for',
    [begun, sends(0, [event(), ofComputer()]), end],
    ['events/other-types-do-not | type of an event to http://hook | one of print job state | computer state'],
  ],
  ['a type that it may have asked for', [begun, sends(0, [event(), ofComputer()]), end], [], { dialect: {} }],
  [
    'a type that it asked for before',
    [hooked, changes({ messages: ['computer state'] }), submitted, sends(0, [event()]), end],
    [],
  ],
  [
    'a state that the job never had',
    [begun, sends(0, [event(), event(1, 'done')]), end],
    ['events/print-job-state | state of an event to http://hook | one that the job has had | job 1 done'],
  ],
  [
    'a state of a job that nobody knows',
    [begun, sends(0, [event(), event(9)]), end],
    ['events/print-job-state | state of an event to http://hook | one that the job has had | job 9 new'],
  ],
  [
    'a state of a job that others may have submitted',
    [begun, sends(0, [event(), event(9)]), end],
    [],
    { isWhole: false },
  ],
  [
    'that a job was sent which may have got lost on its way',
    [begun, sends(0, [event(), event(1, 'sent_to_client')]), end],
    [],
  ],
  [
    'an earlier time',
    [begun, sends(0, [event(1, 'new', -1)]), end],
    ['events/field-created-at | createdAt of an event to http://hook | when it happened | 1970-01-01T00:01:39.999Z'],
  ],
  [
    'a later time',
    [begun, sends(0, [event(1, 'new', 1)]), end],
    ['events/field-created-at | createdAt of an event to http://hook | when it happened | 1970-01-01T00:01:40.001Z'],
  ],
  [
    'an earlier time than a clock may be off',
    [begun, sends(0, [event(1, 'new', -2_001)]), end],
    ['events/field-created-at | createdAt of an event to http://hook | when it happened | 1970-01-01T00:01:37.999Z'],
    real,
  ],
  ['a time as early as a clock may be off', [begun, sends(0, [event(1, 'new', -2_000)]), end], [], real],
  [
    'a later time than a clock may be off',
    [begun, sends(0, [event(1, 'new', 2_001)]), end],
    ['events/field-created-at | createdAt of an event to http://hook | when it happened | 1970-01-01T00:01:42.001Z'],
    real,
  ],
  ['a time as late as a clock may be off', [begun, sends(0, [event(1, 'new', 2_000)]), end], [], real],
  [
    'the time of a clock that is moved',
    [begun, sends(0, [event(1, 'new', 60_000)]), end],
    [],
    { ...real, isMoved: true },
  ],
  [
    'another time on a link that loses frames',
    [begun, sends(0, [event(1, 'new', 5)]), end],
    [],
    { isLinkDisturbed: true },
  ],
  ['a time that cannot be read', [begun, sends(0, [event(1, 'new', 0, { createdAt: 'noon' })]), end], []],
  [
    'a time before the webhook',
    [begun, sends(0, [event(1, 'new', -99_000)]), end],
    [
      'events/field-created-at | createdAt of an event to http://hook | when it happened | 1970-01-01T00:00:01.000Z',
      'events/before-webhook-not-sent | createdAt of an event to http://hook | after the webhook was made | 1970-01-01T00:00:01.000Z',
    ],
  ],
  [
    'no list',
    [begun, sends(0, [event()]), sends(1, [], { events: undefined }), end],
    ['events/body-array | a request to http://hook | an array of events | something else'],
  ],
  [
    'another secret',
    [begun, sends(0, [event()], { secret: 'x' }), end],
    [
      'events/secret-sent | a request to http://hook | s | x',
      'events/queued-keep-secret | an event to http://hook | the secret s | another one',
    ],
  ],
  [
    'no secret',
    [begun, sends(0, [event()], { secret: null }), end],
    [
      'events/secret-sent | a request to http://hook | s | a request without it',
      'events/queued-keep-secret | an event to http://hook | the secret s | another one',
    ],
  ],
  ['its secret in a header', [begun, sends(0, [event()], { secret: null, values: ['s'] }), end], []],
  [
    'its secret in credentials',
    [begun, sends(0, [event()], { secret: null, values: [`Basic ${Buffer.from('u:s').toString('base64')}`] }), end],
    [],
  ],
]);

const everything = [away, makes({ messages: ['*'] }), quiet];
const returned = [everything, later(0, connects())];

tell('an event of a computer', [
  ['that came', [returned, sends(0, [ofComputer()]), end], []],
  [
    'that came, and nobody hears of it',
    [returned, end],
    ['events/computer-changes | events to http://hook | an event of computer 1 | 0 of 1'],
  ],
  [
    'that left, in words of the service',
    [
      returned,
      sends(0, [ofComputer(1, 0, { data: { number: 501, seat: { ref: '1' }, now: 'up' } })]),
      later(5, goes()),
      end,
    ],
    ['events/computer-changes | events to http://hook | an event of computer 1 | 1 of 2'],
  ],
  [
    'that left',
    [returned, sends(0, [ofComputer()]), later(5, goes()), end],
    ['events/computer-changes | events to http://hook | an event of computer 1 | 1 of 2'],
  ],
  ['that came, on a link that loses frames', [returned, end], [], { isLinkDisturbed: true }],
  ['that came, on a real clock', [returned, end], [], real],
  ['that was deleted before', [ask('DELETE /computers/1', { value: [1] }), returned, end], []],
  [
    'of a service that was killed',
    [returned, sends(0, [ofComputer()]), later(1, restarted), later(2, goes()), end],
    [],
  ],
  [
    'that came after the service was killed',
    [
      returned,
      sends(0, [ofComputer()]),
      later(1, restarted),
      later(2, connects()),
      later(3, goes()),
      later(4, goes()),
      end,
    ],
    ['events/computer-changes | events to http://hook | an event of computer 1 | 1 of 3'],
  ],
  [
    'of an account that was suspended',
    [returned, later(1, ask('PUT /account/state', { sent: 'suspended' })), sends(1, []), end],
    [],
  ],
  ['that came at another time', [returned, sends(0, [ofComputer(1, 5)]), end], []],
  [
    'that was there before the webhook',
    [everything, sends(0, [ofComputer(1, -99_500)]), end],
    [
      'events/before-webhook-not-sent | createdAt of an event to http://hook | after the webhook was made | 1970-01-01T00:00:00.500Z',
    ],
  ],
  [
    'that came when the webhook was made',
    [
      away,
      makes({ messages: ['*'] }, 1, { sentMs: BEGAN_MS, atMs: BEGAN_MS }),
      later(0, connects()),
      sends(0, [ofComputer()]),
      end,
    ],
    [],
  ],
  ['that nobody knows', [everything, sends(0, [ofComputer(9)]), end], []],
  [
    'that left twice at one time',
    [returned, later(1, goes()), later(1, connects()), sends(1, [ofComputer(1, 1)]), sends(1, [ofComputer(1, 1)]), end],
    [
      'events/success-2xx | delivery of an event to http://hook | none after a success | 2 requests',
      'events/computer-changes | events to http://hook | an event of computer 1 | 1 of 3',
    ],
  ],
  [
    'that left twice at one time, elsewhere',
    [returned, later(1, goes()), later(1, connects()), sends(1, [ofComputer(1, 1)]), sends(1, [ofComputer(1, 1)]), end],
    [],
    { ...real, isReference: false },
  ],
  [
    'that came and left at one time, elsewhere',
    [
      away,
      makes({ messages: ['*'] }),
      quiet,
      later(0, connects(2)),
      later(0, goes(2)),
      sends(0, [ofComputer(2)]),
      sends(0, [ofComputer(2)]),
      end,
    ],
    [],
    { ...real, isReference: false },
  ],
  [
    'that came once, and is told twice, elsewhere',
    [
      away,
      makes({ messages: ['*'] }),
      quiet,
      later(0, connects(2)),
      sends(0, [ofComputer(2)]),
      sends(1, [ofComputer(2)]),
      end,
    ],
    ['events/success-2xx | delivery of an event to http://hook | none after a success | 2 requests'],
    { ...real, isReference: false },
  ],
  [
    'that came, not with the event of a job',
    [
      everything,
      later(0, connects(2)),
      later(1, submits(1)),
      sends(1, [event(1, 'new', 1)]),
      sends(2, [ofComputer(2)]),
      end,
    ],
    [],
  ],
  ['that came and is told late', [returned, sends(500, [ofComputer()]), end], []],
]);

const NOT_AGAIN = [
  'events/failed-requeued | delivery of an event to http://hook | a second request after a failed one | 1 requests',
];

tell('an event is sent', [
  [
    'again after a success',
    [whole, sends(5_000, [event()]), end],
    [
      'events/success-2xx | delivery of an event to http://hook | none after a success | 2 requests',
      'limits/webhook-retry-delay | delivery of an event to http://hook | 5000 ms after a failure | 5000',
    ],
  ],
  [
    'again after a success, of one of two deliveries, elsewhere',
    [
      sent,
      sends(5, [event(1, 'sent_to_client', 5)]),
      later(6, goes()),
      later(7, connects()),
      later(7, delivers(1)),
      end,
    ],
    ['events/success-2xx | delivery of an event to http://hook | none after a success | 2 requests'],
    { isReference: false },
  ],
  ['again after a failure', [failed, sends(5_000, [event()]), end], []],
  ['not again after a failure', [failed, end], NOT_AGAIN],
  ['not again after a failure, while there is time', [failed, later(5_000, quiet)], []],
  ['not again after a failure, when the time is over', [failed, later(5_001, quiet)], NOT_AGAIN],
  ['not again after a failure, on a real clock', [failed, later(7_000, quiet)], [], real],
  ['not again after a failure for long, on a real clock', [failed, later(7_001, quiet)], NOT_AGAIN, real],
  ['not again after a failure, on a clock that is moved', [failed, end], [], { ...real, isMoved: true }],
  ['not again after two failures', [failed, fails(5_000, [event()]), end], []],
  [
    'three times',
    [failed, fails(5_000, [event()]), fails(10_000, [event()]), end],
    ['limits/webhook-retries | delivery of an event to http://hook | 2 requests at most | 3 requests'],
  ],
  [
    'three times, and the last one succeeds',
    [failed, fails(5_000, [event()]), sends(10_000, [event()]), end],
    ['limits/webhook-retries | delivery of an event to http://hook | 2 requests at most | 3 requests'],
  ],
  [
    'again, too early',
    [failed, sends(4_999, [event()]), end],
    ['events/due-after-failure | delivery of an event to http://hook | 5000 ms after a failure | 4999'],
  ],
  [
    'again, too late',
    [failed, sends(5_001, [event()]), end],
    ['limits/webhook-retry-delay | delivery of an event to http://hook | 5000 ms after a failure | 5001'],
  ],
  ['again, as early as a clock may be off', [failed, sends(3_000, [event()]), end], [], real],
  [
    'again, too early on a real clock',
    [failed, sends(2_999, [event()]), end],
    ['events/due-after-failure | delivery of an event to http://hook | 5000 ms after a failure | 2999'],
    real,
  ],
  ['again, as late as a clock may be off', [failed, sends(7_000, [event()]), end], [], real],
  [
    'again, too late on a real clock',
    [failed, sends(7_001, [event()]), end],
    ['limits/webhook-retry-delay | delivery of an event to http://hook | 5000 ms after a failure | 7001'],
    real,
  ],
  ['again, no later than an answer', [slowly, fails(0, [event()]), sends(7_400, [event()]), end], [], real],
  [
    'again, later than any answer',
    [slowly, fails(0, [event()]), sends(7_401, [event()]), end],
    ['limits/webhook-retry-delay | delivery of an event to http://hook | 5000 ms after a failure | 7401'],
    real,
  ],
  [
    'again, after a slow failure',
    [begun, fails(0, [event()], { endedMs: BEGAN_MS + 2_000 }), sends(7_000, [event()]), end],
    [],
  ],
  [
    'again, after a slow failure and too early',
    [begun, fails(0, [event()], { endedMs: BEGAN_MS + 2_000 }), sends(6_999, [event()]), end],
    ['events/due-after-failure | delivery of an event to http://hook | 5000 ms after a failure | 4999'],
  ],
  [
    'again, when another failed between',
    [
      failed,
      later(4_000, submits(2)),
      fails(5_000, [event(2, 'new', 4_000)]),
      sends(10_000, [event(), event(2, 'new', 4_000)]),
      end,
    ],
    [],
  ],
  [
    'another, too early after a failure',
    [failed, later(1, submits(2)), sends(1, [event(2, 'new', 1)]), sends(5_000, [event()]), end],
    [
      'limits/webhook-retry-delay | delivery of an event to http://hook | 5000 ms after a failure | 5000',
      'events/due-after-failure | delivery of an event to http://hook | 5000 ms after a failure | 1',
    ],
  ],
  ['of one of two deliveries, the later one', [delivered, sentAgain, end], []],
  [
    'late, of a job that expired',
    [
      hooked,
      later(0, submits(1, { expireAfter: 10 })),
      sends(0, [event()]),
      sends(15_000, [event(1, 'expired', 10_000)]),
      end,
    ],
    [],
  ],
  [
    'of a job that expired, and not with another one',
    [
      hooked,
      later(0, submits(1, { expireAfter: 10 })),
      sends(0, [event()]),
      later(12_000, submits(2)),
      sends(12_000, [event(2, 'new', 12_000)]),
      sends(15_000, [event(1, 'expired', 10_000)]),
      end,
    ],
    [],
  ],
  [
    'not with one to another address',
    [
      failed,
      later(1, submits(2)),
      later(1, changes({ url: 'http://new' })),
      later(2, submits(3)),
      sends(2, [event(3, 'new', 2)], { url: 'http://new' }),
      sends(5_000, [event(), event(2, 'new', 1)]),
      end,
    ],
    [],
  ],
  [
    'not with one of the millisecond in which it happened',
    [
      whole,
      later(1, submits(2)),
      sends(1, [event(2, 'new', 1)], { endedMs: BEGAN_MS + 3 }),
      later(1, submits(3)),
      sends(3, [event(3, 'new', 1)]),
      end,
    ],
    [],
  ],
  ['late, where two were told', [whole, sends(50, [event(1, 'new', 0, { number: 2 })]), end], []],
  [
    'late and not with another one, on a real clock',
    [failed, later(1, submits(2)), sends(5_000, [event()]), sends(5_001, [event(2, 'new', 1)]), end],
    [],
    real,
  ],
  ['another, right after a success', [whole, later(1, submits(2)), sends(1, [event(2, 'new', 1)]), end], []],
  [
    'another, late after a success',
    [whole, later(1, submits(2)), sends(2, [event(2, 'new', 1)]), end],
    ['events/due-after-success | an event to http://hook | due at 100001 | sent at 100002'],
  ],
  [
    'the first one late',
    [begun, sends(1, [event()]), end],
    ['events/due-first | an event to http://hook | due at 100000 | sent at 100001'],
  ],
  ['the first one as late as a clock may be off', [begun, sends(2_000, [event()]), end], [], real],
  [
    'the first one late on a real clock',
    [begun, sends(2_001, [event()]), end],
    ['events/due-first | an event to http://hook | due at 100000 | sent at 102001'],
    real,
  ],
  [
    'another, late after a failure',
    [failed, later(1, submits(2)), sends(5_000, [event()]), sends(5_001, [event(2, 'new', 1)]), end],
    [
      'events/due-after-success | an event to http://hook | due at 105000 | sent at 105001',
      'events/all-due-in-one | a request to http://hook | all due events | not all of them',
    ],
  ],
  [
    'another, in time after a failure',
    [failed, later(1, submits(2)), sends(5_000, [event(), event(2, 'new', 1)]), end],
    [],
  ],
  [
    'another, late after a failure alone',
    [failed, fails(5_000, [event()]), later(5_001, submits(2)), sends(10_001, [event(2, 'new', 5_001)]), end],
    ['events/due-after-failure | an event to http://hook | due at 110000 | sent at 110001'],
  ],
  [
    'two of one time in two requests',
    [begun, later(0, submits(2)), sends(0, [event()]), sends(0, [event(2)]), end],
    [],
  ],
  [
    'two in two requests, the first after both',
    [begun, later(1, submits(2)), sends(2, [event(2, 'new', 1)], { endedMs: BEGAN_MS + 2 }), sends(3, [event()]), end],
    [
      'events/due-after-success | an event to http://hook | due at 100002 | sent at 100003',
      'events/due-first | an event to http://hook | due at 100001 | sent at 100002',
      'events/all-due-in-one | a request to http://hook | all due events | not all of them',
    ],
  ],
  [
    'in a later request than one before its report was acknowledged',
    [
      whole,
      later(3, connects()),
      later(3, delivers(1)),
      sends(3, [event(1, 'sent_to_client', 3)]),
      reports(1)
        .slice(0, 1)
        .map((one) => later(5, one)),
      later(5, goes()),
      later(6, submits(2)),
      sends(6, [event(2, 'new', 6)]),
      reports(1)
        .slice(1)
        .map((one) => later(7, one)),
      sends(7, [event(1, 'done', 5)]),
      end,
    ],
    [],
  ],
  [
    'all at once with keys in another order',
    [failed, sends(5_000, [Object.fromEntries(Object.entries(event()).toReversed())]), end],
    [],
  ],
]);

tell('a service that is killed sends an event', [
  [
    'again after an answer that it cannot have known',
    [begun, sends(0, [event()], { endedMs: BEGAN_MS + 10 }), later(5, restarted), sends(5_010, [event()]), end],
    [],
  ],
  [
    'again after a success that it knew',
    [begun, sends(0, [event()]), later(5, restarted), sends(5_010, [event()]), end],
    [
      'events/success-2xx | delivery of an event to http://hook | none after a success | 2 requests',
      'limits/webhook-retry-delay | delivery of an event to http://hook | 5000 ms after a failure | 5010',
    ],
  ],
  [
    'again after a success that ended as it was killed',
    [begun, sends(0, [event()], { endedMs: BEGAN_MS + 5 }), later(5, restarted), sends(5_010, [event()]), end],
    [
      'events/success-2xx | delivery of an event to http://hook | none after a success | 2 requests',
      'limits/webhook-retry-delay | delivery of an event to http://hook | 5000 ms after a failure | 5005',
    ],
  ],
  [
    'three times, the first cut',
    [
      begun,
      fails(0, [event()], { endedMs: BEGAN_MS + 5 }),
      later(5, restarted),
      fails(5_005, [event()]),
      sends(10_005, [event()]),
      end,
    ],
    [],
  ],
  [
    'four times, the first cut',
    [
      begun,
      fails(0, [event()], { endedMs: BEGAN_MS + 5 }),
      later(5, restarted),
      fails(5_010, [event()]),
      fails(10_010, [event()]),
      sends(15_010, [event()]),
      end,
    ],
    [
      'limits/webhook-retries | delivery of an event to http://hook | 3 requests at most | 4 requests',
      'limits/webhook-retry-delay | delivery of an event to http://hook | 5000 ms after a failure | 5005',
    ],
  ],
  ['late, as it was killed meanwhile', [begun, later(5, restarted), sends(50, [event()]), end], []],
  [
    'not with another one, as it was killed meanwhile',
    [
      whole,
      later(1, submits(2)),
      later(2, submits(3)),
      sends(2, [event(3, 'new', 2)]),
      later(3, restarted),
      sends(4, [event(2, 'new', 1)]),
      end,
    ],
    [],
  ],
  [
    'late, as it was killed later',
    [begun, sends(50, [event()]), later(51, restarted), end],
    ['events/due-first | an event to http://hook | due at 100000 | sent at 100050'],
  ],
  ['early after a failure, as it was killed meanwhile', [failed, later(5, restarted), sends(6, [event()]), end], []],
  [
    'late after a failure, as it was killed meanwhile',
    [failed, later(4_000, restarted), sends(9_000, [event()]), end],
    [],
  ],
  [
    'later after a failure, as it was killed meanwhile',
    [failed, later(4_000, restarted), sends(9_001, [event()]), end],
    ['limits/webhook-retry-delay | delivery of an event to http://hook | 5000 ms after a failure | 9001'],
  ],
  ['not again after a failure, as it was killed meanwhile', [failed, later(4_000, restarted), later(9_000, quiet)], []],
  [
    'not again after a failure and a while, though it was killed meanwhile',
    [failed, later(4_000, restarted), later(9_001, quiet)],
    NOT_AGAIN,
  ],
]);

/** Two webhooks. */
function two(one: object, other: object): readonly Told[] {
  const before = { webhookId: 1, ...SETTINGS, ...one };
  return [
    away,
    makes(one),
    makes(other, 2, { value: [before, { webhookId: 2, ...SETTINGS, ...other }] }),
    quiet,
    submitted,
  ];
}

/** Three webhooks of one address; the secrets of the first two do not tell them apart. */
const ALIKE = ['s', 'ss', 'other'].map((secret, index) => ({ ...SETTINGS, webhookId: index + 1, secret }));
const THREE = [
  away,
  ALIKE.map(({ secret }, index) => makes({ secret }, index + 1, { value: ALIKE.slice(0, index + 1) })),
  quiet,
  submitted,
];

tell('an event goes', [
  [
    'to one of two webhooks of two addresses and one secret',
    [two({}, { url: 'http://two' }), sends(0, [event()]), end],
    ['events/print-job-state | events to http://two | an event of job 1 new | 0 of 1'],
  ],
  [
    'to one of three webhooks of one address, of which two cannot be told apart',
    [THREE, sends(0, [event()], { secret: 'other' }), end],
    [],
  ],
  ['to the old address with the old secret', [moved, sends(0, [event()]), end], []],
  [
    'to the new address',
    [moved, sends(0, [event()], { url: 'http://new' }), end],
    ['events/new-events-new-url | an event to http://new | http://hook | http://new'],
  ],
  [
    'with the new secret',
    [moved, sends(0, [event()], { secret: 'new' }), end],
    ['events/queued-keep-secret | an event to http://hook | the secret s | another one'],
  ],
  [
    'with either secret, while it is being changed',
    [
      delivered,
      later(6, ask('PATCH /webhook/1', { sent: { secret: 'new' }, value: [] })),
      sends(5, [event(1, 'sent_to_client', 5)], { secret: 'new' }),
      end,
    ],
    [],
  ],
  [
    'with the new secret when it is repeated',
    [
      failed,
      quiet,
      later(1, ask('PATCH /webhook/1', { sent: { secret: 'new' }, value: [] })),
      sends(5_000, [event()], { secret: 'new' }),
      end,
    ],
    [
      'limits/webhook-retry-delay | delivery of an event to http://hook | 5000 ms after a failure | 5000',
      'events/queued-keep-secret | an event to http://hook | the secret s | another one',
    ],
  ],
  [
    'after the change, to the old address',
    [hooked, ask('PATCH /webhook/1', { sent: { url: 'http://new' }, value: [] }), submitted, sends(0, [event()]), end],
    ['events/new-events-new-url | an event to http://hook | http://new | http://hook'],
  ],
  [
    'after the change, to the new address',
    [
      hooked,
      ask('PATCH /webhook/1', { sent: { url: 'http://new' }, value: [] }),
      submitted,
      sends(0, [event()], { url: 'http://new' }),
      end,
    ],
    [],
  ],
  [
    'with the secret in the query',
    [begun, sends(0, [event()], { url: 'http://hook?secret=s', secret: null }), end],
    [],
  ],
  [
    'with the secret in a longer query',
    [
      away,
      makes({ url: 'http://hook?x=1' }),
      quiet,
      submitted,
      sends(0, [event()], { url: 'http://hook?x=1&secret=s', secret: null }),
      end,
    ],
    [],
  ],
  ['to a longer address', [begun, sends(0, [event()], { url: 'http://hookx' }), end], LACKS_NEW],
  [
    'to two webhooks of one address',
    [two({}, { secret: 'other one' }), sends(0, [event()]), sends(0, [event()], { secret: 'other one' }), end],
    [],
  ],
  ['to one of two webhooks of one address', [two({}, { secret: 'two' }), sends(0, [event()]), end], LACKS_NEW],
  [
    'to one of two webhooks of one address whose secrets do not tell them apart',
    [two({}, { secret: 'ss' }), sends(0, [event()]), end],
    [],
  ],
  [
    'to one of two webhooks of one address whose secrets are the same the other way round',
    [two({ secret: 'ss' }, {}), sends(0, [event()]), end],
    [],
  ],
  [
    'to one of two webhooks, of which the other had that address before',
    [
      two({}, { secret: 'two' }),
      sends(0, [event()]),
      sends(0, [event()], { secret: 'two' }),
      quiet,
      later(1, ask('PATCH /webhook/2', { sent: { url: 'http://new' }, value: [] })),
      end,
    ],
    [],
  ],
  [
    'with one of the two secrets of a webhook, where another has that address',
    [
      two({}, { secret: 'other' }),
      sends(0, [event()]),
      sends(0, [event()], { secret: 'other' }),
      changes({ secret: 'new' }),
      quiet,
      later(1, submits(2)),
      sends(1, [event(2, 'new', 1)], { secret: 'new' }),
      sends(1, [event(2, 'new', 1)], { secret: 'other' }),
      end,
    ],
    [],
  ],
  [
    'nowhere, where the first of two secrets of a webhook does not tell it from another',
    [two({}, { secret: 'ss' }), changes({ secret: 'new' }), quiet, later(1, submits(2)), end],
    [],
  ],
  [
    'to two webhooks of two addresses',
    [two({}, { url: 'http://two' }), sends(0, [event()]), sends(0, [event()], { url: 'http://two' }), end],
    [],
  ],
]);
