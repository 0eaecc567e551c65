import fc from 'fast-check';
import { expect, it } from 'vitest';

import { DueQueue, type DueEntry } from '../../../src/common/due-queue.ts';

it('is empty at first', () => {
  const queue = new DueQueue();
  expect(queue.peek()).toBeUndefined();
  expect(queue.take()).toBeUndefined();
});

it('leaves in place what is only looked at', () => {
  const queue = new DueQueue();
  const entry = queue.add(5, () => undefined);
  expect(queue.peek()).toBe(entry);
  expect(queue.take()).toBe(entry);
  expect(queue.take()).toBeUndefined();
});

it('hands out what a stable sort by due time would, without what was cancelled', () => {
  const tasks = fc.array(fc.record({ dueMs: fc.integer({ min: 0, max: 20 }), cancelled: fc.boolean() }));
  fc.assert(
    fc.property(tasks, (planned) => {
      const queue = new DueQueue();
      const entries = planned.map(({ dueMs, cancelled }) => {
        const entry = queue.add(dueMs, () => undefined);
        entry.cancelled = cancelled;
        return entry;
      });
      const expected = entries.filter((entry) => !entry.cancelled).toSorted((a, b) => a.dueMs - b.dueMs);
      expect(drain(queue)).toEqual(expected);
    }),
  );
});

it('keeps the order when takes and additions alternate', () => {
  const steps = fc.array(fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }));
  fc.assert(
    fc.property(steps, (plan) => {
      const queue = new DueQueue();
      let model: DueEntry[] = [];
      const expected: (DueEntry | undefined)[] = [];
      const taken: (DueEntry | undefined)[] = [];
      for (const dueMs of plan) {
        if (dueMs === undefined) {
          taken.push(queue.take());
          expected.push(model[0]);
          model = model.slice(1);
        } else {
          model = [...model, queue.add(dueMs, () => undefined)].toSorted((a, b) => a.dueMs - b.dueMs);
        }
      }
      expect([...taken, ...drain(queue)]).toEqual([...expected, ...model]);
    }),
  );
});

function drain(queue: DueQueue): DueEntry[] {
  const taken: DueEntry[] = [];
  for (let entry = queue.take(); entry; entry = queue.take()) taken.push(entry);
  return taken;
}
