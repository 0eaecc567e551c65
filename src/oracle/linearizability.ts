/**
 * Linearizability: is there an order of operations that were made at the same time in which each answer
 * makes sense, one after the other?
 *
 *   A ├────────┤ 201                 A before B: 201, 409 makes sense.  B before A: not.
 *   B     ├──────────┤ 409           One order will do. That A ends before C begins is kept in every order.
 *   C             ├─ … no answer     It may have happened at any time after it was sent, or never.
 *
 * A search for such an order that takes what can come first, goes on from there, and never looks twice at
 * the same operations done with the same state (Wing and Gong; Lowe). Pure, and bounded.
 */

export interface Operation<Input, Output> {
  readonly input: Input;
  /** Undefined when no answer came. */
  readonly output: Output | undefined;
  readonly startMs: number;
  /** When the answer was there; ignored when there was none. */
  readonly endMs: number;
}

/** What the operations are about, as if one came after the other. */
export interface SequentialModel<State, Input, Output> {
  readonly initial: State;
  /**
   * The state after an operation that was answered like this, or undefined where that makes no sense. Without
   * an answer: the state if it happened.
   */
  readonly next: (state: State, input: Input, output: Output | undefined) => State | undefined;
  /** The same text for equal states. */
  readonly nameOf: (state: State) => string;
}

/** `order` has positions in the history; operations that never happened are not in it. */
export type Linearization =
  | { readonly verdict: 'linearizable'; readonly order: readonly number[] }
  /** With the longest order that made sense. */
  | { readonly verdict: 'not-linearizable'; readonly order: readonly number[] }
  /** Too many orders to look at all of them. */
  | { readonly verdict: 'undecided' };

const STATES_MOST = 200_000;

/** Looks for an order. @param statesMost - how many situations are looked at before it gives up */
export function linearize<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
  statesMost = STATES_MOST,
): Linearization {
  const seen = new Set<string>();
  const answered = history.flatMap(({ output }, position) => (output === undefined ? [] : [position]));
  let longest: readonly number[] = [];

  const search = (state: State, order: readonly number[]): readonly number[] | undefined => {
    if (answered.every((position) => order.includes(position))) return order;
    if (order.length > longest.length) longest = order;
    const situation = `${order.toSorted((left, right) => left - right).join()} ${model.nameOf(state)}`;
    if (seen.has(situation) || seen.size >= statesMost) return undefined;
    seen.add(situation);
    for (const [position, { input, output }] of candidates(history, order)) {
      const after = model.next(state, input, output);
      const found = after === undefined ? undefined : search(after, [...order, position]);
      if (found) return found;
    }
    return undefined;
  };

  const order = search(model.initial, []);
  if (order) return { verdict: 'linearizable', order };
  return seen.size >= statesMost ? { verdict: 'undecided' } : { verdict: 'not-linearizable', order: longest };
}

/** Operations that may come next, with their positions: those that began before any other open one had its answer. */
function candidates<Input, Output>(
  history: readonly Operation<Input, Output>[],
  order: readonly number[],
): readonly (readonly [number, Operation<Input, Output>])[] {
  const open = [...history.entries()].filter(([position]) => !order.includes(position));
  const firstEndMs = Math.min(...open.map(([, operation]) => endOf(operation)));
  return open.filter(([, { startMs }]) => startMs <= firstEndMs);
}

function endOf({ output, endMs }: Operation<unknown, unknown>): number {
  return output === undefined ? Number.POSITIVE_INFINITY : endMs;
}
