import { expect, it } from 'vitest';

import { describeMismatch } from '../../../src/oracle/mismatch.ts';

it('says where something is wrong, what was expected and what came', () => {
  const mismatch = { at: 'status of GET /ping', expected: 'status 200', actual: '404' };
  expect(describeMismatch(mismatch)).toBe('status of GET /ping: expected status 200, got 404');
});
