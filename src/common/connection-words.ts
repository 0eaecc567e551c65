/**
 * Connection words: why a connection could not be made, by the code of the operating system.
 */

import { messageOf } from './error-message.ts';

export const CONNECTION_WORDS = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed without an answer',
  EHOSTUNREACH: 'no route leads to that address',
  ENETUNREACH: 'no route leads to that address',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'there is no host of that name',
} as const;

const WORDS: Readonly<Record<string, string>> = CONNECTION_WORDS;

/** In words; an error of another kind keeps its message. */
export function connectionTrouble(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return WORDS[code] ?? (messageOf(error) || code);
}
