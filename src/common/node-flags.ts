/**
 * Node flags: how V8 weighs memory against time in a process that is started.
 */

/**
 * By default, V8 gives a process of ten thousand connections a young generation and a heap far larger than what it
 * holds; small ones save a third of the memory, and cost some time in the collector.
 */
export const SPARING_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=30'];
/** Connections from which on memory matters more than time in the collector. */
const MANY_CONNECTIONS = 5_000;

/** @param busy - for a process with fewer connections than make memory matter more than time */
export function nodeFlagsFor(connections: number, busy: readonly string[]): readonly string[] {
  return connections >= MANY_CONNECTIONS ? SPARING_NODE_FLAGS : busy;
}
