import { describe, expect, it } from 'vitest';

import type { EventPlaces } from '../../../../src/oracle/account/event-places.ts';
import type { HookVersion } from '../../../../src/oracle/account/hook-settings.ts';
import type { SeenWebhookRequest } from '../../../../src/oracle/account/observation.ts';
import { addressed, carries, WebhookRequests } from '../../../../src/oracle/account/webhook-requests.ts';
import { notifies } from '../../../support/told-history.ts';

const request = (atMs: number, given: Partial<SeenWebhookRequest> = {}): SeenWebhookRequest =>
  notifies({ atMs, endedMs: atMs, ...given });
const version = (url: string, secret: string): HookVersion => ({ url, secret }) as HookVersion;

describe('a request is addressed', () => {
  it.each([
    ['to a webhook', request(0), [version('http://hook', 's')], ['http://hook', 's']],
    ['to none', request(0, { url: 'http://x?a' }), [version('http://hook', 's')], ['http://x?a', 's']],
    [
      'with the secret in the query',
      request(0, { url: 'http://hook?k=s', secret: null }),
      [version('http://hook', 's')],
      ['http://hook', 's'],
    ],
    [
      'with more in the query',
      request(0, { url: 'http://hook?a=1&k=s', secret: null }),
      [version('http://hook?a=1', 's')],
      ['http://hook?a=1', 's'],
    ],
    [
      'to the longest address',
      request(0, { url: 'http://hook?a=1&b' }),
      [version('http://hook', 's'), version('http://hook?a=1', 's')],
      ['http://hook?a=1', 's'],
    ],
    [
      'with the longest secret',
      request(0, { secret: 'ss' }),
      [version('http://hook', 's'), version('http://hook', 'ss')],
      ['http://hook', 'ss'],
    ],
    [
      'with the shorter secret',
      request(0),
      [version('http://hook', 's'), version('http://hook', 'ss')],
      ['http://hook', 's'],
    ],
    [
      'with the secret of another address',
      request(0, { url: 'http://hook?a', secret: 'two' }),
      [version('http://hook?a', 'one'), version('http://hook', 'two')],
      ['http://hook?a', 'two'],
    ],
    [
      'with the secret of another address in a header',
      request(0, { url: 'http://hook?a', secret: null, values: ['two'] }),
      [version('http://hook?a', 'one'), version('http://hook', 'two')],
      ['http://hook?a', null],
    ],
    ['with another secret', request(0, { secret: 'x' }), [version('http://hook', 's')], ['http://hook', 'x']],
  ])('%s', (_, sent, versions, expected) => {
    const { url, secret } = addressed(sent, versions);
    expect([url, secret]).toEqual(expected);
  });
});

it.each([
  ['in its header', { secret: 'a b' }, true],
  ['in another one', { secret: null, values: ['x', 'a b'] }, true],
  ['in its address', { secret: null, url: 'http://hook?k=a%20b' }, true],
  ['in base64', { secret: null, values: ['YSBi'] }, true],
  ['in credentials', { secret: null, values: ['basic dTphIGI='] }, true],
  ['in other credentials', { secret: null, values: ['Bearer dTphIGI='] }, false],
  ['in two parts', { secret: 'a', url: ' b', values: [] }, false],
  ['that is not there as a word', { secret: null, values: ['null'] }, false],
  ['after its scheme', { secret: null, values: ['Bearer a b'] }, true],
  ['as a parameter', { secret: null, values: ['token=a b'] }, true],
  ['as a part of other words', { secret: null, values: ['in a bed', 'Bearer xa b'] }, false],
  ['in part of a query', { secret: null, url: 'http://hook?k=xa%20b' }, false],
  ['nowhere', { secret: null, values: ['ab'] }, false],
])('carries a secret %s', (_, given, expected) => {
  expect(carries(request(0, given), 'a b')).toBe(expected);
});

const event = (data: unknown, type = 'print job state'): object => ({ type, data });

/** Where events have what they are about. */
const PLACES: EventPlaces = { job: 'printJobId', computer: 'at.computer', state: 'is.now' };
const read = (
  all: readonly SeenWebhookRequest[],
  restartsMs: readonly number[] = [],
  places = PLACES,
): WebhookRequests => new WebhookRequests(all, restartsMs, places);

it.each<readonly [string, object, string | undefined, string | undefined]>([
  ['a job and its state', event({ printJobId: 1, is: { now: 'new' } }), 'job 1 new', 'new'],
  ['an id of text', event({ printJobId: '12', is: { now: 'new' } }), 'job 12 new', 'new'],
  ['an id of other text', event({ printJobId: 'a1', is: { now: 'new' } }), undefined, 'new'],
  ['an id of text that goes on', event({ printJobId: '1a', is: { now: 'new' } }), undefined, 'new'],
  ['a job without a state', event({ printJobId: 1, state: 'new' }), undefined, undefined],
  ['a state that is no text', event({ printJobId: 1, is: { now: 5 } }), undefined, undefined],
  ['a state without a job', event({ id: 1, is: { now: 'new' } }), undefined, 'new'],
  ['no data', event('none'), undefined, undefined],
  ['a computer', event({ at: { computer: 1 } }, 'computer state'), 'computer 1', undefined],
  ['a computer at the place of a job', event({ printJobId: 1 }, 'computer state'), undefined, undefined],
])('reads %s', (_, one, subject, state) => {
  const { received } = read([request(0, { events: [one] })]);
  expect(received).toMatchObject([{ subject, state }]);
});

it('reads nothing where nobody knows the place', () => {
  const nowhere = { job: undefined, computer: undefined, state: undefined };
  const all = [
    request(0, { events: [event({ printJobId: 1, state: 'new' }), event({ computerId: 1 }, 'computer state')] }),
  ];
  expect(read(all, [], nowhere).received.map(({ subject, state }) => subject ?? state)).toEqual([undefined, undefined]);
});

it('knows an event that comes again, but not at another address', () => {
  const one = event({ printJobId: 1, state: 'new' });
  const again = Object.fromEntries(Object.entries(one).toReversed());
  const all = [
    request(0, { events: [one, 'text'] }),
    request(5, { events: [again] }),
    request(6, { url: 'http://x', events: [one] }),
    request(7, { events: undefined }),
  ];
  const { received } = read(all);
  expect(received.map(({ requests }) => requests.map(({ atMs }) => atMs))).toEqual([[0, 5], [6]]);
});

describe('a restart', () => {
  it.each([
    ['before a request', 99, 'good', false],
    ['as a request came', 100, 'good', true],
    ['while it was answered', 150, 'good', true],
    ['as its answer ended', 200, 'good', false],
    ['as its answer ended, which failed', 200, 'bad', true],
    ['after its answer', 201, 'bad', false],
  ] as const)('%s cuts it', (_, restartMs, answer, expected) => {
    const one = request(100, { endedMs: 200, answer });
    expect(read([one], [restartMs]).isCut(one)).toBe(expected);
  });

  it.each([
    ['before', 99, 5_100],
    ['right after', 100, 5_100],
    ['later', 3_000, 8_000],
    ['as it was due', 5_100, 10_100],
    ['after it was due', 5_101, 5_100],
  ])('%s a failure makes it due again at %d: %d', (_, restartMs, expected) => {
    expect(read([], [restartMs]).retryMs(request(100, { answer: 'bad' }))).toBe(expected);
  });

  it('after a restart begins the delay anew', () => {
    expect(read([], [3_000, 7_000]).retryMs(request(100))).toBe(12_000);
  });

  it.each([
    [99, false],
    [100, true],
    [200, true],
    [201, false],
  ])('at %d is between two times: %s', (restartMs, expected) => {
    expect(read([], [restartMs]).isAcrossRestart(100, 200)).toBe(expected);
  });
});

it.each([
  ['nothing failed', [request(100)], 5_100, 0, false],
  ['an answer is not over', [request(100, { endedMs: Infinity })], 5_100, 0, true],
  ['something failed', [request(100, { answer: 'bad' })], 5_100, 0, true],
  ['something failed long ago', [request(100, { answer: 'bad' })], 5_101, 0, false],
  ['something failed and time is not exact', [request(100, { answer: 'bad' })], 5_101, 1, true],
] as const)('waits for a repetition when %s', (_, all, endMs, slackMs, expected) => {
  expect(read(all).isPending(endMs, slackMs)).toBe(expected);
});

describe('an event is due', () => {
  const other = request(50, { url: 'http://x', answer: 'bad' });
  const next = request(9_000);
  it.each([
    ['at once without a request before', [], 100, 100],
    ['at once after a request to another target', [other], 100, 100],
    ['at once after a request with another secret', [request(50, { secret: 'x', answer: 'bad' })], 100, 100],
    ['at once after a success', [request(50)], 100, 100],
    ['when a success has ended', [request(50, { endedMs: 150 })], 100, 150],
    ['five seconds after a failure', [request(50, { answer: 'bad' })], 100, 5_050],
    ['at once long after a failure', [request(50, { answer: 'bad' })], 6_000, 6_000],
    ['after the last of two', [request(50, { answer: 'bad' }), request(80)], 100, 100],
  ] as const)('%s', (_, before, happenedMs, expected) => {
    expect(read([...before, next]).dueMs(happenedMs, next)).toBe(expected);
  });
});
