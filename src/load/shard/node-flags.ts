/**
 * Node flags for a process that holds a large room. Left alone, V8 gives ten thousand computers a young
 * generation and a heap that grow far beyond what they hold; kept short they cost a third of the memory,
 * and the work on jobs some more time in the collector.
 */

export const ROOM_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=30'];
