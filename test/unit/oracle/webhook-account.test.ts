import fc from 'fast-check';
import { expect, it } from 'vitest';

import { mergeWebhookTotals, WebhookAccount } from '../../../src/oracle/webhook-account.ts';
import { WEBHOOK_CLASSES, type WebhookClass } from '../../../src/record/words.ts';

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
    'came again after a death, and both were told after it',
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
