import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { linearize, type Operation, type SequentialModel } from '../../../src/oracle/linearizability.ts';
import {
  ONCE,
  places,
  register,
  type OnceInput,
  type OnceOutput,
  type PlacesInput,
  type PlacesOutput,
  type RegisterInput,
  type RegisterOutput,
} from '../../../src/oracle/race-models.ts';

/** Every order of every choice of operations that has all answered ones. */
function* orders(left: readonly number[], order: readonly number[] = []): Generator<readonly number[]> {
  yield order;
  for (const one of left) {
    yield* orders(
      left.filter((other) => other !== one),
      [...order, one],
    );
  }
}

/** The definition itself: slow, and beyond doubt. */
function isLinearizable<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): boolean {
  const makesSense = (order: readonly number[]): boolean => {
    if (history.some(({ output }, position) => output !== undefined && !order.includes(position))) return false;
    const keepsTime = order.every((position, index) =>
      order.slice(0, index).every((earlier) => {
        const after = history[position];
        const isBefore = after?.output !== undefined && after.endMs < (history[earlier]?.startMs ?? 0);
        return !isBefore;
      }),
    );
    if (!keepsTime) return false;
    let state: State | undefined = model.initial;
    for (const position of order) {
      const operation = history[position];
      if (!operation || state === undefined) return false;
      state = model.next(state, operation.input, operation.output);
    }
    return state !== undefined;
  };
  return [...orders([...history.keys()])].some(makesSense);
}

const spans = fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 6 }));

function histories<Input, Output>(
  answered: fc.Arbitrary<readonly [Input, Output | undefined]>,
): fc.Arbitrary<readonly Operation<Input, Output>[]> {
  const operation = fc
    .tuple(answered, spans)
    .map(([[input, output], [startMs, lengthMs]]) => ({ input, output, startMs, endMs: startMs + lengthMs }));
  return fc.array(operation, { maxLength: 5 });
}

const yesOrNo = fc.boolean().map((accepted) => ({ accepted }));
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 3 });

/** How often the search agrees with the definition, by what both say. */
function agreement<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  answered: fc.Arbitrary<readonly [Input, Output | undefined]>,
): { readonly good: boolean; readonly bad: boolean; readonly differing: readonly unknown[] } {
  const tried = fc.sample(histories(answered), { numRuns: 400, seed: 11 }).map((history) => ({
    history,
    isGood: isLinearizable(model, history),
    found: linearize(model, history).verdict,
  }));
  return {
    good: tried.some(({ isGood }) => isGood),
    bad: tried.some(({ isGood }) => !isGood),
    differing: tried.filter(({ isGood, found }) => (found === 'linearizable') !== isGood),
  };
}

/** Neither always good nor always bad, or it would say nothing. */
const AGREEMENT = { good: true, bad: true, differing: [] };

it('agrees with the definition on keys that are used once', () => {
  const found = agreement<number, OnceInput, OnceOutput>(
    ONCE,
    fc.oneof(
      fc.tuple(fc.constant({ kind: 'use' } as const), maybe(yesOrNo)),
      fc.tuple(
        fc.constant({ kind: 'count' } as const),
        fc.nat({ max: 2 }).map((count) => ({ count })),
      ),
    ),
  );
  expect(found).toEqual(AGREEMENT);
});

it('agrees with the definition on a limited number of places', () => {
  const found = agreement<number, PlacesInput, PlacesOutput>(
    places(2, 1),
    fc.oneof(
      fc.tuple(fc.constant('take' as const), maybe(yesOrNo)),
      fc.tuple(
        fc.constant('count' as const),
        fc.integer({ min: 1, max: 3 }).map((count) => ({ count })),
      ),
    ),
  );
  expect(found).toEqual(AGREEMENT);
});

it('agrees with the definition on values that are written and read', () => {
  const value = fc.constantFrom('a', 'b');
  const found = agreement<string, RegisterInput, RegisterOutput>(
    register('a'),
    fc.oneof(
      fc.tuple(
        value.map((text) => ({ kind: 'write', value: text }) as const),
        maybe(fc.constant('written' as const)),
      ),
      fc.tuple(
        fc.constant({ kind: 'read' } as const),
        value.map((text) => ({ value: text })),
      ),
    ),
  );
  expect(found).toEqual(AGREEMENT);
});

const use = (accepted: boolean | undefined, startMs: number, endMs: number): Operation<OnceInput, OnceOutput> => ({
  input: { kind: 'use' },
  output: accepted === undefined ? undefined : { accepted },
  startMs,
  endMs,
});

it('accepts any one winner among simultaneous uses', () => {
  expect(linearize(ONCE, [use(false, 0, 9), use(true, 1, 8), use(false, 2, 7)])).toEqual({
    verdict: 'linearizable',
    order: [1, 0, 2],
  });
});

it('refuses two winners, and no winner at all', () => {
  expect(linearize(ONCE, [use(true, 0, 5), use(true, 1, 5)]).verdict).toBe('not-linearizable');
  expect(linearize(ONCE, [use(false, 0, 5), use(false, 1, 5)]).verdict).toBe('not-linearizable');
});

it('takes a use without an answer for the winner where that explains the refusals', () => {
  expect(linearize(ONCE, [use(undefined, 0, 5), use(false, 1, 5)]).verdict).toBe('linearizable');
  expect(linearize(ONCE, [use(false, 0, 1), use(undefined, 2, 5)]).verdict).toBe('not-linearizable');
});

it('gives up rather than looking for ever', () => {
  const many = Array.from({ length: 14 }, () => use(undefined, 0, 5));
  expect(linearize(ONCE, [...many, use(true, 0, 5), use(true, 0, 5)], 50).verdict).toBe('undecided');
});

it.each([
  [1, 4],
  [2, 4 + 3],
  [3, 4 + 3 + 2],
])('looks at %i situations before it gives up', (statesMost, operationsTried) => {
  let tried = 0;
  const model = { initial: 0, nameOf: String, next: (state: number) => (tried++, state + 1) };
  const history = Array.from({ length: 4 }, () => use(true, 0, 5));
  expect(linearize(model, history, statesMost)).toEqual({ verdict: 'undecided' });
  expect(tried).toBe(operationsTried);
});

it('has looked at all of them when it says so, with as many as there are', () => {
  const two = [use(true, 0, 5), use(true, 0, 5)];
  // Nothing done; the first; the second.
  expect(linearize(ONCE, two, 4).verdict).toBe('not-linearizable');
  expect(linearize(ONCE, two, 3).verdict).toBe('undecided');
});

it('never looks twice at the same operations done with the same state', () => {
  let looks = 0;
  const never = {
    initial: 0,
    nameOf: String,
    next: (state: number, input: OnceInput) => {
      looks++;
      return input.kind === 'count' ? undefined : state;
    },
  };
  const count: Operation<OnceInput, OnceOutput> = {
    input: { kind: 'count' },
    output: { count: 0 },
    startMs: 0,
    endMs: 5,
  };
  const history = [...Array.from({ length: 11 }, () => use(true, 0, 5)), count];
  expect(linearize(never, history).verdict).toBe('not-linearizable');
  // Each set of the eleven is looked at once, and from each the ones that are left are tried.
  expect(looks).toBe(11 * 2 ** 10 + 2 ** 11);
});

it('shows the longest order that made sense, the first of several', () => {
  const history = [use(false, 0, 9), use(true, 0, 9), use(true, 0, 9), use(false, 0, 9)];
  expect(linearize(ONCE, history)).toEqual({ verdict: 'not-linearizable', order: [1, 0, 3] });
});

it('needs no order of operations that had no answer', () => {
  expect(linearize(ONCE, [use(undefined, 0, 5)])).toEqual({ verdict: 'linearizable', order: [] });
  expect(linearize(ONCE, [])).toEqual({ verdict: 'linearizable', order: [] });
});

it.each([
  ['that began as another ended', 5, [1, 0]],
  ['that began after another had ended', 6, undefined],
])('lets an operation %s come first', (_, startMs, order) => {
  const found = linearize(ONCE, [use(false, 0, 5), use(true, startMs, 9)]);
  expect(found).toEqual(order ? { verdict: 'linearizable', order } : { verdict: 'not-linearizable', order: [] });
});

const PLACES = places(3, 1);

it.each([
  [PLACES.next(1, 'take', { accepted: true }), 2],
  [PLACES.next(2, 'take', { accepted: true }), 3],
  [PLACES.next(3, 'take', { accepted: true }), undefined],
  [PLACES.next(4, 'take', { accepted: true }), undefined],
  [PLACES.next(2, 'take', { accepted: false }), undefined],
  [PLACES.next(3, 'take', { accepted: false }), 3],
  [PLACES.next(2, 'take', undefined), 3],
  [PLACES.next(3, 'take', undefined), 3],
  [PLACES.next(2, 'count', { count: 2 }), 2],
  [PLACES.next(2, 'count', { count: 3 }), undefined],
  [PLACES.initial, 1],
  [ONCE.initial, 0],
  [ONCE.next(0, { kind: 'use' }, undefined), 1],
  [ONCE.next(0, { kind: 'use' }, { accepted: true }), 1],
  [ONCE.next(1, { kind: 'use' }, { accepted: true }), undefined],
  [ONCE.next(0, { kind: 'use' }, { accepted: false }), undefined],
  [ONCE.next(1, { kind: 'use' }, { accepted: false }), 1],
  [ONCE.next(1, { kind: 'count' }, { count: 1 }), 1],
  [ONCE.next(1, { kind: 'count' }, { count: 0 }), undefined],
])('counts places and uses: %j is %j', (found, expected) => {
  expect(found).toBe(expected);
});

const REGISTER = register('a');

it.each([
  [REGISTER.initial, 'a'],
  [REGISTER.nameOf('b'), 'b'],
  [REGISTER.next('a', { kind: 'write', value: 'b' }, 'written'), 'b'],
  [REGISTER.next('a', { kind: 'write', value: 'b' }, undefined), 'b'],
  [REGISTER.next('a', { kind: 'read' }, { value: 'a' }), 'a'],
  [REGISTER.next('a', { kind: 'read' }, { value: 'b' }), undefined],
  [REGISTER.next('a', { kind: 'read' }, { value: undefined }), undefined],
  [REGISTER.next('a', { kind: 'read' }, undefined), 'a'],
])('keeps a value: %j is %j', (found, expected) => {
  expect(found).toBe(expected);
});
