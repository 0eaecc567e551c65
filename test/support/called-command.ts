/**
 * The command line called in this process: one of its own takes a second before it begins.
 */

import { vi } from 'vitest';

import { main } from '../../src/cli/main.ts';

// Each call adds some, as if it were a process of its own.
for (const emitter of [process, process.stdout]) emitter.setMaxListeners(0);

/** Calls the command line; what it writes is kept. */
export async function call(argv: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = '';
  const keep = (chunk: unknown): boolean => {
    text += String(chunk);
    return true;
  };
  const kept = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(keep));
  try {
    const code = await main(argv);
    return { code, text };
  } finally {
    for (const one of kept) one.mockRestore();
    for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  }
}
