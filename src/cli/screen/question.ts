/**
 * Question: what a command asks at the terminal.
 */

import { createInterface } from 'node:readline/promises';

/** Whether it runs at one. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

export async function ask(question: string): Promise<string> {
  using lines = createInterface({ input: process.stdin, output: process.stdout });
  return lines.question(question);
}
