import { expect, it } from 'vitest';

import { addToMessage } from '../../../src/testing/test-results.ts';

it('adds a note once to a message and to a stack that is written when it is read', () => {
  const error = new Error('not out');
  let written: string | undefined;
  Object.defineProperty(error, 'stack', {
    get: () => (written ??= `Error: ${error.message}\n    at here`),
    set: (stack: string) => {
      written = stack;
    },
  });
  addToMessage(error, 'its jobs');
  expect([error.message, error.stack]).toEqual(['not out\n\nits jobs', 'Error: not out\n\nits jobs\n    at here']);
});
