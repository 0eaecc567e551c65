import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { mergeWebhookTotals, WEBHOOK_STATES, WebhookAccount } from '../../../src/oracle/webhook-account.ts';
import { STRAY_KINDS, WEBHOOK_CLASSES, type WebhookClass } from '../../../src/record/words.ts';

const GOOD = { atUs: 2_000_000, isAnsweredWell: true, hasRightSecret: true };
const FAILED = { ...GOOD, isAnsweredWell: false };

function account(): WebhookAccount {
  return new WebhookAccount({ lateAfterUs: 6_000_000 });
}

/** Owed when the service dies as often as this, and received like this afterwards. */
function receivedAfterDeaths(deaths: number, ...receipts: readonly (typeof GOOD)[]): WebhookAccount {
  const webhooks = received();
  for (let death = 0; death < deaths; death++) webhooks.serviceDied(1_500_000, 1);
  for (const receipt of receipts) webhooks.received(0, 'done', receipt);
  return webhooks;
}

/** Owed from one second on, and then received like this. */
function received(...receipts: readonly (typeof GOOD)[]): WebhookAccount {
  const webhooks = account();
  webhooks.mustCome(0, 'done', 1_000_000);
  for (const receipt of receipts) webhooks.received(0, 'done', receipt);
  return webhooks;
}

const STORIES: readonly (readonly [WebhookClass, string, () => WebhookAccount])[] = [
  ['delivered', 'came once', () => received(GOOD)],
  ['repeated', 'came again after a failure', () => received(FAILED, GOOD)],
  ['dropped', 'failed twice', () => received(FAILED, FAILED)],
  ['lost', 'never came', () => received()],
  ['lost', 'failed once and was not tried again', () => received(FAILED)],
  ['lost', 'never came after the service had died', () => receivedAfterDeaths(1)],
  ['dropped', 'died with the service, and failed', () => receivedAfterDeaths(1, FAILED)],
  ['dropped', 'died twice with the service', () => receivedAfterDeaths(2)],
  ['delivered', 'came after the service had died', () => receivedAfterDeaths(1, GOOD)],
  ['too-often', 'came again after a success', () => received(GOOD, GOOD)],
  [
    'repeated',
    'came again after a death, and both were recorded after it',
    () => receivedAfterDeaths(1, { ...GOOD, atUs: 1_400_000 }, { ...GOOD, atUs: 7_000_000 }),
  ],
  [
    'too-often',
    'came again after the service had come back',
    () => receivedAfterDeaths(1, { ...GOOD, atUs: 3_000_000 }, { ...GOOD, atUs: 7_000_000 }),
  ],
  ['too-often', 'came a third time', () => received(FAILED, FAILED, FAILED)],
  ['wrong-secret', 'came with another secret', () => received({ ...GOOD, hasRightSecret: false })],
  ['late', 'came long after its cause', () => received({ ...GOOD, atUs: 9_000_000 })],
  ['repeated', 'late, as the receiver had failed', () => received(FAILED, { ...GOOD, atUs: 9_000_000 })],
  ['delivered', 'came as late as it may', () => received({ ...GOOD, atUs: 7_000_000 })],
  ['late', 'came a moment later', () => received({ ...GOOD, atUs: 7_000_001 })],
  [
    'delivered',
    'came in time after a cause between two milliseconds',
    () => {
      const webhooks = account();
      webhooks.mustCome(0, 'done', 1_000_900);
      webhooks.received(0, 'done', { ...GOOD, atUs: 7_000_500 });
      return webhooks;
    },
  ],
  [
    'late',
    'counted from its first cause',
    () => {
      const webhooks = received();
      webhooks.mustCome(0, 'done', 8_000_000);
      webhooks.received(0, 'done', { ...GOOD, atUs: 9_000_000 });
      return webhooks;
    },
  ],
  [
    'late',
    'came again long after a death',
    () => receivedAfterDeaths(1, { ...GOOD, atUs: 1_400_000 }, { ...GOOD, atUs: 9_000_000 }),
  ],
  [
    'early',
    'came before its cause',
    () => {
      const webhooks = account();
      webhooks.received(0, 'done', GOOD);
      webhooks.mustCome(0, 'done', 3_000_000);
      return webhooks;
    },
  ],
  [
    'delivered',
    'came before the answer, at any time',
    () => {
      const webhooks = account();
      webhooks.mayCome(0, 'done');
      webhooks.received(0, 'done', { ...GOOD, atUs: 90_000_000 });
      return webhooks;
    },
  ],
  [
    'delivered',
    'came before the answer, but its cause was on the way',
    () => {
      const webhooks = account();
      webhooks.mayCome(0, 'done');
      webhooks.received(0, 'done', GOOD);
      return webhooks;
    },
  ],
];

it.each(STORIES)('%s: %s', (name, _what, tell) => {
  expect(tell().totals()).toMatchObject({ events: 1, classes: { [name]: 1 } });
});

it('has a story for each class', () => {
  expect(new Set(STORIES.map(([name]) => name))).toEqual(new Set(WEBHOOK_CLASSES));
});

it('puts every event into exactly one class', () => {
  const told = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.boolean(), fc.boolean()), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(told, (history) => {
      const webhooks = account();
      const seen = new Set<number>();
      for (const [row, isOwed, isAnsweredWell] of history) {
        seen.add(row);
        if (isOwed) webhooks.mustCome(row, 'new', 1_000);
        else webhooks.received(row, 'new', { ...GOOD, isAnsweredWell });
      }
      const { events, classes } = webhooks.totals();
      expect(events).toBe(seen.size);
      expect(Object.values(classes).reduce((sum, count) => sum + count, 0)).toBe(events);
    }),
  );
});

it('holds the counters of the service against what its receivers saw', () => {
  const webhooks = received(FAILED, FAILED);
  const counters = { receivedEvents: 1, droppedEvents: 0, successfulRequests: 0, failedRequests: 2 };
  expect(webhooks.totals(counters, { good: 0, failed: 2 }).reconciliation).toEqual([
    { counter: 'receivedEvents', service: 1, seen: 1, agrees: true },
    { counter: 'droppedEvents', service: 0, seen: 1, agrees: false },
    { counter: 'successfulRequests', service: 0, seen: 0, agrees: true },
    { counter: 'failedRequests', service: 2, seen: 2, agrees: true },
  ]);
});

it('adds up shards, and does not let two wrongs make a right', () => {
  const counters = { receivedEvents: 1, droppedEvents: 1, successfulRequests: 0, failedRequests: 0 };
  const merged = mergeWebhookTotals([
    received(GOOD).totals(counters),
    received(FAILED, FAILED).totals({ ...counters, droppedEvents: 0 }),
  ]);
  expect(merged).toMatchObject({ events: 2, classes: { delivered: 1, dropped: 1 } });
  expect(merged.reconciliation[1]).toEqual({ counter: 'droppedEvents', service: 1, seen: 1, agrees: false });
});

it('knows what is still owed', () => {
  expect([received().owed, received(GOOD).owed]).toEqual([1, 0]);
});

it('forgets no event that came without a cause, however often', () => {
  const webhooks = account();
  for (let time = 0; time < 256; time++) webhooks.received(0, 'done', GOOD);
  expect(webhooks.totals()).toMatchObject({
    events: 1,
    classes: { 'too-often': 1 },
    receipts: { good: 256, failed: 0 },
  });
});

it('asks for no event that may come', () => {
  const webhooks = account();
  webhooks.mayCome(0, 'done');
  expect([webhooks.totals().events, webhooks.owed]).toEqual([0, 0]);
});

it.each([
  ['nothing', [], 1],
  ['a failure', [FAILED], 1],
  ['two failures', [FAILED, FAILED], 0],
  ['a success', [GOOD], 0],
])('is owed after %s: %i', (_, receipts, owed) => {
  expect(received(...receipts).owed).toBe(owed);
});

it.each(WEBHOOK_STATES)('is owed an event of the state %s', (state) => {
  const webhooks = account();
  webhooks.mustCome(0, state, 1_000_000);
  expect(webhooks.owed).toBe(1);
});

it('is owed nothing by a service that died twice', () => {
  expect([receivedAfterDeaths(1).owed, receivedAfterDeaths(2).owed]).toEqual([1, 0]);
});

it('keeps accounts of every state of every job', () => {
  const webhooks = account();
  const rows = [0, 1, 1_023, 1_024, 5_000];
  for (const row of rows) for (const state of WEBHOOK_STATES) webhooks.mustCome(row, state, 1_000_000);
  for (const row of rows) webhooks.received(row, 'done', GOOD);
  const { events, classes } = webhooks.totals();
  expect([events, classes.delivered]).toEqual([rows.length * WEBHOOK_STATES.length, rows.length]);
});

it('knows whether the service died, and when a request last failed', () => {
  const webhooks = received(GOOD);
  expect([webhooks.hasServiceDied, webhooks.lastFailedUs]).toEqual([false, undefined]);
  webhooks.received(1, 'done', { ...FAILED, atUs: 3_000_000 });
  webhooks.received(2, 'done', { ...GOOD, atUs: 4_000_000 });
  webhooks.serviceDied(5_000_000, 3);
  expect([webhooks.hasServiceDied, webhooks.lastFailedUs]).toEqual([true, 3_000_000]);
  expect(webhooks.totals().receipts).toEqual({ good: 2, failed: 1 });
});

it.each([
  [2, 'dropped'],
  [3, 'lost'],
] as const)('counts a request that died with the service for the jobs that there were: row %i is %s', (row, name) => {
  const webhooks = received(GOOD);
  webhooks.serviceDied(1_500_000, 3);
  webhooks.mustCome(row, 'new', 2_000_000);
  webhooks.received(row, 'new', { ...FAILED, atUs: 3_000_000 });
  expect(webhooks.totals().classes).toMatchObject({ [name]: 1 });
});

it('counts a request that died with the service for every state of the first job', () => {
  for (const state of WEBHOOK_STATES) {
    const webhooks = account();
    webhooks.mustCome(0, state, 1_000_000);
    webhooks.serviceDied(1_500_000, 1);
    // The next job began after it.
    webhooks.mustCome(1, state, 2_000_000);
    for (const row of [0, 1]) webhooks.received(row, state, { ...FAILED, atUs: 3_000_000 });
    expect(webhooks.totals().classes).toMatchObject({ dropped: 1, lost: 1 });
  }
});

it('forgets no job when the service dies', () => {
  const webhooks = account();
  webhooks.mustCome(4, 'new', 1_000_000);
  webhooks.serviceDied(1_500_000, 2);
  expect(webhooks.totals().events).toBe(1);
});

describe('answers that the service may not have heard', () => {
  const AGAIN = { ...GOOD, atUs: 6_000_000 };

  it.each([
    [3_000_000, 'too-often'],
    [3_000_001, 'repeated'],
    [5_000_000, 'repeated'],
    [5_000_001, 'too-often'],
  ])('are those of the two seconds before, even if recorded later: at %i µs the event is %s', (atUs, name) => {
    const after = received();
    after.answersUnheard(5_000_000);
    after.received(0, 'done', { ...GOOD, atUs });
    after.received(0, 'done', AGAIN);
    expect(after.totals().classes).toMatchObject({ [name]: 1 });
  });

  it.each([
    [3_000_000, 'too-often'],
    [3_000_001, 'repeated'],
    [5_000_000, 'repeated'],
  ])('are those of events that had come before: at %i µs the event is %s', (atUs, name) => {
    const before = received({ ...GOOD, atUs });
    before.answersUnheard(5_000_000);
    before.received(0, 'done', AGAIN);
    expect(before.totals().classes).toMatchObject({ [name]: 1 });
  });

  it('are of no event that came long ago, even of the first', () => {
    const webhooks = account();
    const [state = 'new'] = WEBHOOK_STATES;
    webhooks.mustCome(0, state, 1_000_000);
    webhooks.received(0, state, GOOD);
    webhooks.answersUnheard(60_000_000);
    webhooks.received(0, state, { ...GOOD, atUs: 61_000_000 });
    expect(webhooks.totals().classes['too-often']).toBe(1);
  });

  it('are found among answers that failed', () => {
    const webhooks = received(GOOD);
    webhooks.received(1, 'done', FAILED);
    webhooks.received(2, 'done', GOOD);
    webhooks.answersUnheard(2_500_000);
    webhooks.received(0, 'done', AGAIN);
    expect(webhooks.totals().classes.repeated).toBe(1);
  });

  it('are the eight thousand newest', () => {
    const webhooks = account();
    for (let row = 0; row <= 8_192; row++) {
      webhooks.mustCome(row, 'done', 1_000_000);
      webhooks.received(row, 'done', GOOD);
    }
    webhooks.answersUnheard(2_500_000);
    for (const row of [0, 1, 8_192]) webhooks.received(row, 'done', AGAIN);
    expect(webhooks.totals().classes).toMatchObject({ 'too-often': 1, repeated: 2 });
  });
});

it('counts strays with the events that a service says it had', () => {
  const webhooks = received(GOOD);
  for (const kind of STRAY_KINDS) webhooks.receivedStray(kind);
  webhooks.receivedStray('again');
  const counters = { receivedEvents: 4, droppedEvents: 0, successfulRequests: 1, failedRequests: 0 };
  const { strays, reconciliation } = webhooks.totals(counters);
  expect(strays).toEqual({ ...Object.fromEntries(STRAY_KINDS.map((kind) => [kind, 1])), again: 2 });
  expect(reconciliation).toEqual([
    { counter: 'receivedEvents', service: 4, seen: 4, agrees: true },
    { counter: 'droppedEvents', service: 0, seen: 0, agrees: true },
  ]);
  expect(webhooks.totals().reconciliation).toEqual([]);
});

it('does not let a shard that is right make up for one that is wrong', () => {
  const counters = { receivedEvents: 1, droppedEvents: 0, successfulRequests: 0, failedRequests: 0 };
  const merged = mergeWebhookTotals([
    received(GOOD).totals(counters),
    received(GOOD).totals({ ...counters, receivedEvents: 2 }),
  ]);
  expect(merged.reconciliation[0]).toEqual({ counter: 'receivedEvents', service: 3, seen: 2, agrees: false });
});

it('adds up all that shards have counted', () => {
  const counters = { receivedEvents: 1, droppedEvents: 0, successfulRequests: 1, failedRequests: 0 };
  const [left, right] = [received(GOOD), received(FAILED, GOOD)];
  left.receivedStray('again');
  right.receivedStray('again');
  const merged = mergeWebhookTotals([
    left.totals({ ...counters, receivedEvents: 2 }, { good: 1, failed: 0 }),
    right.totals({ ...counters, receivedEvents: 2, failedRequests: 1 }, { good: 1, failed: 1 }),
  ]);
  expect(merged.strays.again).toBe(2);
  expect(merged.receipts).toEqual({ good: 2, failed: 1 });
  expect(merged.reconciliation).toEqual([
    { counter: 'receivedEvents', service: 4, seen: 4, agrees: true },
    { counter: 'droppedEvents', service: 0, seen: 0, agrees: true },
    { counter: 'successfulRequests', service: 2, seen: 2, agrees: true },
    { counter: 'failedRequests', service: 1, seen: 1, agrees: true },
  ]);
});
