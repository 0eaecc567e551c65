import { describe, expect, it } from 'vitest';

import {
  ask,
  BEGAN_MS,
  brokenIn,
  DESK,
  goes,
  later,
  notifies,
  quiet,
  restarted,
  submits,
  tell,
  type Row,
  type Told,
} from '../../../support/told-history.ts';

const SETTINGS = { url: 'http://hook', secret: 's', messages: ['print job state'] };
const hooked = [
  DESK,
  goes(),
  quiet,
  ask('POST /webhook', { sent: SETTINGS, value: [{ webhookId: 1, ...SETTINGS }] }),
  quiet,
];

const event = (jobId: number, ms = 0): object => ({
  type: 'print job state',
  accountId: 7,
  controllingAccountId: 7,
  createdAt: new Date(BEGAN_MS + ms).toISOString(),
  data: { printJobId: jobId, state: 'new' },
});
const sends = (ms: number, events: readonly unknown[], answer: 'good' | 'bad' = 'good'): Told =>
  later(ms, notifies({ events, answer, endedMs: BEGAN_MS + ms }));

/** The list with these statistics. */
const lists = (ms: number, statistics: object, given: object = {}): Told =>
  later(ms, ask('GET /webhooks', { value: [{ webhookId: 1, ...SETTINGS, ...statistics }], ...given }));
const counts = (
  receivedEvents: number,
  successfulRequests: number,
  failedRequests: number,
  droppedEvents: number,
): object => ({
  receivedEvents: { counts: receivedEvents },
  successfulRequests: { counts: successfulRequests },
  failedRequests: { counts: failedRequests },
  droppedEvents: { counts: droppedEvents },
});
const end = later(60_000, quiet);

/** Two events; one comes at once, the other fails twice. */
const busy = [
  hooked,
  later(0, submits(1)),
  sends(0, [event(1)]),
  later(0, submits(2)),
  sends(0, [event(2)], 'bad'),
  sends(5_000, [event(2)], 'bad'),
];
const once = [hooked, later(0, submits(1)), sends(0, [event(1)])];

tell('the counts of a webhook show', [
  [
    'one too many right as the last request ended',
    [once, lists(0, counts(2, 1, 0, 0)), end],
    ['webhooks/received-counts-triggers | receivedEvents of webhook 1 | 1 | 2'],
  ],
  ['all', [busy, lists(6_000, counts(2, 1, 2, 1)), end], []],
  [
    'one event too many',
    [busy, lists(6_000, counts(3, 1, 2, 1)), end],
    ['webhooks/received-counts-triggers | receivedEvents of webhook 1 | 2 | 3'],
  ],
  [
    'one success too few',
    [busy, lists(6_000, counts(2, 0, 2, 1)), end],
    ['webhooks/successful-counts-requests | successfulRequests of webhook 1 | 1 | 0'],
  ],
  [
    'one failure too many',
    [busy, lists(6_000, counts(2, 1, 3, 1)), end],
    ['webhooks/failed-counts-requests | failedRequests of webhook 1 | 2 | 3'],
  ],
  [
    'none dropped',
    [busy, lists(6_000, counts(2, 1, 2, 0)), end],
    ['webhooks/dropped-counts-given-up | droppedEvents of webhook 1 | 1 | 0'],
  ],
  [
    'one that is dropped after one retry',
    [
      hooked,
      later(0, submits(1)),
      sends(0, [event(1)], 'bad'),
      sends(5_000, [event(1)]),
      lists(6_000, counts(1, 1, 1, 0)),
      end,
    ],
    [],
  ],
  [
    'one dropped that was repeated with success',
    [
      hooked,
      later(0, submits(1)),
      sends(0, [event(1)], 'bad'),
      sends(5_000, [event(1)]),
      lists(6_000, counts(1, 1, 1, 1)),
      end,
    ],
    ['webhooks/dropped-counts-given-up | droppedEvents of webhook 1 | 0 | 1'],
  ],
  [
    'anything while something is to be repeated',
    [hooked, later(0, submits(1)), sends(0, [event(1)], 'bad'), lists(1_000, counts(9, 9, 9, 9)), later(4_000, quiet)],
    [],
  ],
  [
    'anything when the service was killed with an answer under way',
    [
      hooked,
      later(0, submits(1)),
      later(0, notifies({ events: [event(1)], endedMs: BEGAN_MS + 10 })),
      later(5, restarted),
      lists(6_000, counts(9, 9, 9, 9)),
      end,
    ],
    [],
  ],
  [
    'anything when the service was killed with one of two answers under way',
    [
      hooked,
      later(0, submits(1)),
      later(0, notifies({ events: [event(1)], endedMs: BEGAN_MS + 10 })),
      later(5, restarted),
      later(20, submits(2)),
      sends(20, [event(2, 20)]),
      lists(6_000, counts(9, 9, 9, 9)),
      end,
    ],
    [],
  ],
  [
    'anything before the last request ended',
    [once, lists(0, counts(1, 1, 0, 0)), later(0, submits(2)), sends(1_000, [event(2, 1_000)]), end],
    [
      'events/field-created-at | createdAt of an event to http://hook | when it happened | 1970-01-01T00:01:41.000Z',
      'events/due-after-success | an event to http://hook | due at 100000 | sent at 101000',
    ],
  ],
  [
    'another measure by the other nesting',
    [once, lists(6_000, { counts: { receivedEvents: 5 } }), end],
    ['webhooks/received-counts-triggers | receivedEvents of webhook 1 | 1 | 5'],
  ],
  ['by the other nesting', [once, lists(6_000, { counts: { receivedEvents: 1, droppedEvents: 0 } }), end], []],
  ['text', [once, lists(6_000, { receivedEvents: { counts: '5' } }), end], []],
  ['numbers alone', [once, lists(6_000, { receivedEvents: 5 }), end], []],
  ['nothing', [once, lists(6_000, {}), end], []],
  [
    'another webhook before it',
    [
      once,
      later(
        6_000,
        ask('GET /webhooks', {
          value: [
            { webhookId: 2, ...SETTINGS, ...counts(9, 9, 9, 9) },
            { webhookId: 1, ...SETTINGS, ...counts(1, 1, 0, 0) },
          ],
        }),
      ),
      end,
    ],
    ['limits/webhooks-none-at-first | body of GET /webhooks | its webhooks alone | webhook 2'],
  ],
  [
    'the answer to another method',
    [once, later(6_000, ask('PUT /webhooks', { value: [{ webhookId: 1, ...SETTINGS, ...counts(9, 9, 9, 9) }] })), end],
    [],
  ],
  [
    'none dropped after a failure that was not repeated',
    [hooked, later(0, submits(1)), sends(0, [event(1)], 'bad'), lists(6_000, counts(1, 0, 1, 0)), end],
    ['events/failed-requeued | delivery of an event to http://hook | a second request after a failed one | 1 requests'],
  ],
  ['another webhook', [once, later(6_000, ask('GET /webhooks', { value: [{ webhookId: 1, ...SETTINGS }] })), end], []],
  ['a refusal', [once, lists(6_000, counts(9, 9, 9, 9), { status: 500 }), end], []],
  [
    'the answer of a change',
    [
      once,
      later(
        6_000,
        ask('PATCH /webhook/1', { sent: {}, value: [{ webhookId: 1, ...SETTINGS, ...counts(9, 9, 9, 9) }] }),
      ),
      end,
    ],
    [],
  ],
  [
    'what was right before',
    [once, lists(1_000, counts(9, 1, 0, 0)), lists(6_000, counts(9, 1, 0, 0)), end],
    ['webhooks/received-counts-triggers | receivedEvents of webhook 1 | 1 | 9'],
  ],
  [
    'another path',
    [once, later(6_000, ask('GET /noop', { value: [{ webhookId: 1, ...counts(9, 9, 9, 9) }] })), end],
    [],
  ],
]);

const HOUR_MS = 3_600_000;
const decaying = (fields: object): object => ({ receivedEvents: { counts: 1, ...fields } });
/** Two lists, so many milliseconds apart, after one event. */
const between = (ms: number, before: object, after: object, more: readonly Told[] = []): readonly Told[] => [
  once,
  lists(0, decaying(before)),
  more,
  lists(ms, decaying(after)),
  later(ms + HOUR_MS, quiet),
];
const half = Math.exp(-1);
/** A quarter of the five-minute scale. */
const QUARTER_MS = 75_000;
const slowest = Math.exp(-0.125);
const fastest = Math.exp(-0.5);

const DECAY: readonly Row[] = [
  ['of five minutes', between(300_000, { exp5m: 1 }, { exp5m: half }), []],
  ['of five minutes as a half-life', between(300_000, { exp5m: 1 }, { exp5m: 0.5 }), []],
  ['of an hour', between(HOUR_MS, { exp1h: 1 }, { exp1h: half }), []],
  ['of a day', between(24 * HOUR_MS, { exp1d: 1 }, { exp1d: half }), []],
  ['of a week', between(168 * HOUR_MS, { exp7d: 1 }, { exp7d: half }), []],
  [
    'of an hour as of five minutes',
    between(300_000, { exp1h: 1 }, { exp1h: half }),
    ['webhooks/measure-exp1h | exp1h of receivedEvents after 300000 ms | a scale of about 3600000 ms | 300000 ms'],
  ],
  [
    'of a day as of an hour',
    between(2 * HOUR_MS, { exp1d: 1 }, { exp1d: half * half }),
    ['webhooks/measure-exp1d | exp1d of receivedEvents after 7200000 ms | a scale of about 86400000 ms | 3600000 ms'],
  ],
  [
    'of a week as of a day',
    between(24 * HOUR_MS, { exp7d: 1 }, { exp7d: half }),
    [
      'webhooks/measure-exp7d | exp7d of receivedEvents after 86400000 ms | a scale of about 604800000 ms | 86400000 ms',
    ],
  ],
  [
    'of five minutes as of an hour',
    between(300_000, { exp5m: 1 }, { exp5m: 0.92 }),
    [
      'webhooks/measure-exp5m | exp5m of receivedEvents after 300000 ms | a scale of about 300000 ms | 3597915.701282394 ms',
    ],
  ],
  ['as slow as may be', between(QUARTER_MS, { exp5m: 1 }, { exp5m: slowest - 1e-9 }), []],
  [
    'slower than may be',
    between(QUARTER_MS, { exp5m: 1 }, { exp5m: slowest + 1e-3 }),
    [
      'webhooks/measure-exp5m | exp5m of receivedEvents after 75000 ms | a scale of about 300000 ms | 605485.7342963628 ms',
    ],
  ],
  ['as fast as may be', between(QUARTER_MS, { exp5m: 1 }, { exp5m: fastest + 1e-9 }), []],
  [
    'faster than may be',
    between(QUARTER_MS, { exp5m: 1 }, { exp5m: fastest - 1e-3 }),
    [
      'webhooks/measure-exp5m | exp5m of receivedEvents after 75000 ms | a scale of about 300000 ms | 149506.6037163535 ms',
    ],
  ],
  ['none, too early to tell', between(14_999, { exp5m: 1 }, { exp5m: 1 }), []],
  [
    'none, as early as it can be told',
    between(15_000, { exp5m: 1 }, { exp5m: 1 }),
    ['webhooks/measure-exp5m | exp5m of receivedEvents after 15000 ms | a scale of about 300000 ms | Infinity ms'],
  ],
  [
    'none, as late as it can be told',
    between(8 * 300_000, { exp5m: 1 }, { exp5m: 1 }),
    ['webhooks/measure-exp5m | exp5m of receivedEvents after 2400000 ms | a scale of about 300000 ms | Infinity ms'],
  ],
  ['none, too late to tell', between(8 * 300_000 + 1, { exp5m: 1 }, { exp5m: 1 }), []],
  ['none of what is too little to tell', between(300_000, { exp5m: 0.124 }, { exp5m: 0.124 }), []],
  [
    'none of what is enough to tell',
    between(300_000, { exp5m: 0.125 }, { exp5m: 0.125 }),
    ['webhooks/measure-exp5m | exp5m of receivedEvents after 300000 ms | a scale of about 300000 ms | Infinity ms'],
  ],
  [
    'upwards',
    between(1_000, { exp5m: 0.5 }, { exp5m: 0.6 }),
    ['webhooks/measures-decay | exp5m of receivedEvents after 1000 ms | 0.5 at most | 0.6'],
  ],
  [
    'of a count',
    between(1_000, { counts: 3 }, { counts: 2 }),
    ['webhooks/counts-do-not-decay | counts of receivedEvents after 1000 ms | 3 at least | 2'],
  ],
  ['of text', between(300_000, { exp5m: '1' }, { exp5m: '1' }), []],
  ['that begins late', between(300_000, {}, { exp5m: 1 }), []],
  ['that ends early', between(300_000, { exp5m: 1 }, {}), []],
  ['without counts', between(300_000, { counts: null, exp5m: 1 }, { counts: null, exp5m: 1 }), []],
];

describe('the measures of a webhook decay', () => {
  it.each(DECAY)('%s', (_, seen, broken) => {
    expect(brokenIn(seen).filter((line) => !line.startsWith('webhooks/received-counts'))).toEqual(broken);
  });
});

/** While another event comes, ten minutes later. */
const grown = (before: number, after: number): readonly Told[] => [
  between(600_000, { exp5m: before }, { counts: 2, exp5m: after }, [
    later(599_999, submits(2)),
    sends(599_999, [event(2, 599_999)]),
  ]),
];
const most = 1 + 4 * Math.exp(-1) + 0.01;

tell('what has come beside what decays is', [
  ['as much as may be left', grown(4, most - 1e-9), []],
  [
    'more than may be left',
    grown(4, most + 1e-3),
    [
      'webhooks/measure-exp5m | exp5m of receivedEvents after 600000 ms | 2.481517764685769 at most | 2.482517764685769',
    ],
  ],
]);

it('compares each list with the one before', () => {
  const three = [
    once,
    lists(0, decaying({ exp5m: 1 })),
    lists(300_000, decaying({ exp5m: half })),
    lists(301_000, decaying({ exp5m: 0.9 })),
    later(400_000, quiet),
  ];
  expect(brokenIn(three)).toEqual([
    'webhooks/measures-decay | exp5m of receivedEvents after 1000 ms | 0.36787944117144233 at most | 0.9',
  ]);
});

it('compares lists only where the webhook is in both', () => {
  const without = later(100_000, ask('GET /webhooks', { value: [], account: '8', key: 'other' }));
  const three = [
    once,
    lists(0, decaying({ exp5m: 1 })),
    without,
    lists(300_000, decaying({ exp5m: 1 })),
    later(400_000, quiet),
  ];
  expect(brokenIn(three)).toEqual([
    'webhooks/measure-exp5m | exp5m of receivedEvents after 300000 ms | a scale of about 300000 ms | Infinity ms',
  ]);
});
