import { expect, it } from 'vitest';

import { webhooks } from '../../../../src/scenario/expect/webhooks.ts';
import { breaksOf, linesOf, type ToldSetup } from '../../../support/breaks-of.ts';

const event = (state: unknown, type = 'print job state'): object => ({ type, data: { state } });
const request = (events: readonly unknown[] | undefined, secret: string | null = 's'): object => ({
  events: events ? { ok: true, value: events } : { ok: false, error: 'no list' },
  secret,
});

/** A webhook whose receiver got these requests, and the list that the service shows. */
function setup(requests: readonly object[], list: unknown = [], path = '/hook', dialect = {}): ToldSetup {
  return {
    target: { dialect },
    webhooks: new Map([['hook', { id: 3, path: '/hook' }]]),
    sinks: { receiver: async () => ({ log: { to: (asked: string) => (asked === path ? requests : []) } }) },
    api: { look: async (asked: string) => (asked === '/webhooks' ? list : undefined) },
  };
}

const BUSY = [
  request([event('new')]),
  request(undefined),
  request([event('done'), event('connected', 'computer state')]),
];
/** A state of a job stands where the service chose. */
const OWN_WORDS = ['new', 'done'].map((to) =>
  request([{ type: 'print job state', data: { printer: { state: 'online' }, job: { to } } }]),
);
const counts = (number: number): object => ({ droppedEvents: { counts: number } });

it.each<readonly [string, unknown, readonly object[], readonly string[]]>([
  ['its requests', 3, BUSY, []],
  ['other requests', 2, BUSY, ['requests of hook | 2 | 3']],
  ['no requests', 0, [], []],
  ['its events', { events: 3 }, BUSY, []],
  ['other events', { events: 2 }, BUSY, ['events of hook | 2 | 3']],
  ['its batches', { batches: [1, 0, 2] }, BUSY, []],
  ['other batches', { batches: [3] }, BUSY, ['batches of hook | [3] | [1,0,2]']],
  ['states of jobs', { jobStates: ['new', 'done'] }, BUSY, []],
  [
    'other states of jobs',
    { jobStates: ['done', 'new'] },
    BUSY,
    ['jobStates of hook | ["done","new"] | ["new","done"] | gap/print-job-event-data'],
  ],
  ['states of jobs in words of the service', { jobStates: ['new', 'done'] }, OWN_WORDS, []],
  ['states of computers', { computerStates: ['connected'] }, BUSY, []],
  [
    'other states of computers',
    { computerStates: [] },
    BUSY,
    ['computerStates of hook | [] | ["connected"] | gap/computer-event-data'],
  ],
  [
    'states that are not text',
    { jobStates: [] },
    [request([event(5), 'text', { type: 'print job state' }, { data: { state: 'new' } }])],
    [],
  ],
  ['its secret', { secret: 's' }, BUSY, []],
  [
    'another secret',
    { secret: 't' },
    [request([], 't'), request([], 's')],
    ['secret of hook | "t" | "s" | gap/secret-transmission'],
  ],
  [
    'two other secrets',
    { secret: 't' },
    [request([], 'u'), request([], 'v')],
    ['secret of hook | "t" | "u" | gap/secret-transmission'],
  ],
  ['a secret without a request', { secret: 't' }, [], []],
  ['a secret in a request without one', { secret: 't' }, [request([], null)], []],
])('expects of a webhook %s', async (_, wanted, requests, expected) => {
  expect(await linesOf(webhooks, { hook: wanted }, setup(requests))).toEqual(expected);
});

it.each<readonly [string, unknown, readonly string[]]>([
  [
    'its count',
    [
      { webhookId: 2, ...counts(9) },
      { webhookId: 3, ...counts(1) },
    ],
    [],
  ],
  ['its count by the other nesting', [{ webhookId: 3, counts: { droppedEvents: 1 } }], []],
  ['another count', [{ webhookId: 3, ...counts(2) }], ['droppedEvents of hook | 1 | 2']],
  [
    'a count of another webhook',
    [{ webhookId: 2, ...counts(1) }],
    ['droppedEvents of hook | 1 | nothing | gap/webhook-statistics-nesting'],
  ],
  [
    'no count',
    [{ webhookId: 3, droppedEvents: 1 }],
    ['droppedEvents of hook | 1 | nothing | gap/webhook-statistics-nesting'],
  ],
  [
    'a count in a list that is none',
    { webhookId: 3 },
    ['droppedEvents of hook | 1 | nothing | gap/webhook-statistics-nesting'],
  ],
  [
    'a count that lies deeper',
    [{ webhookId: 3, counts: { droppedEvents: { now: 1 } } }],
    ['droppedEvents of hook | 1 | {"now":1} | gap/webhook-statistics-nesting'],
  ],
  ['a count beside records that are none', [null, 'text', { webhookId: 3, ...counts(1) }], []],
  ['a count of null', [{ webhookId: 3, droppedEvents: null, counts: { droppedEvents: 1 } }], []],
])('expects of the statistics of a webhook %s', async (_, list, expected) => {
  expect(await linesOf(webhooks, { hook: { statistics: { droppedEvents: 1 } } }, setup([], list))).toEqual(expected);
});

it('looks at another path where the webhook was changed to it', async () => {
  expect(
    await linesOf(webhooks, { hook: { path: '/moved', requests: 1 } }, setup([request([])], [], '/moved')),
  ).toEqual([]);
  expect(await linesOf(webhooks, { hook: 1 }, setup([request([])], [], '/moved'))).toEqual([
    'requests of hook | 1 | 0',
  ]);
  expect(await linesOf(webhooks, { other: 1 }, setup([request([])], [], ''))).toEqual([]);
});

it('is about no job', async () => {
  expect(await breaksOf(webhooks, { hook: 1 }, setup([]))).toMatchObject([{ jobs: [] }]);
});

it.each([-1, { path: 'moved' }, { jobStates: 'new' }, { other: 1 }])('refuses %j', (given) => {
  expect(webhooks.safeParse({ hook: given }).success).toBe(false);
});

it('finds a count of a webhook where the descriptor says that it stands', async () => {
  const list = [{ webhookId: 3, measured: { counts: { droppedEvents: 1 } } }];
  const nested = { 'statistics-nesting': 'measured.{measure}.{statistic}' };
  const expected = { hook: { statistics: { droppedEvents: 1 } } };
  expect(await linesOf(webhooks, expected, setup([], list, '/hook', nested))).toEqual([]);
});
