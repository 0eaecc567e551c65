import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { closeReason } from '../../../src/link/messages.ts';

describe('the reason of a close', () => {
  it('is left alone when it fits', () => {
    expect(closeReason('€'.repeat(41))).toBe('€'.repeat(41));
  });

  it('is cut between characters, not between bytes', () => {
    expect(closeReason(`a${'€'.repeat(100)}`)).toBe(`a${'€'.repeat(40)}`);
  });

  it('always fits, and is the beginning of the text', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 200 }), (text) => {
        const reason = closeReason(text);
        return Buffer.byteLength(reason) <= 123 && text.startsWith(reason);
      }),
      { seed: 20_260_101 },
    );
  });
});
