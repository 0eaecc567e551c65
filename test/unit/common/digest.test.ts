import { hash } from 'node:crypto';

import { expect, it } from 'vitest';

import { sha256Of } from '../../../src/common/digest.ts';

it.each([0, 1, 4 * 1024 * 1024, 9 * 1024 * 1024 + 1])('is that of all of %i bytes', async (length) => {
  const bytes = Buffer.alloc(length, 'digits');
  expect(await sha256Of(bytes)).toBe(hash('sha256', bytes));
});
