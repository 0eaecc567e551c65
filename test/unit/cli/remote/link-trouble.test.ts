import { expect, it } from 'vitest';

import { explainLink } from '../../../../src/cli/remote/link-trouble.ts';
import { LinkError } from '../../../../src/link/device-link.ts';

const URL = 'http://127.0.0.1:9';

it('shows the last lines of a client program, each on a line of its own', () => {
  const lines = ['  | starting', '  | no printer'];
  const error = new LinkError({ reason: 'unreachable', message: 'it did not connect', lines });
  expect(error.message).toBe('it did not connect\n  | starting\n  | no printer');
  expect(() => explainLink('the computers', URL, error)).toThrow(
    expect.objectContaining({ lines: ['it did not connect', ...lines] }),
  );
});

it('leaves a line break that a service put into its reason where it is', () => {
  const error = new LinkError({ reason: 'refused', message: 'no\nPASSED: taken' });
  expect(() => explainLink('the computers', URL, error)).toThrow(
    expect.objectContaining({ lines: [`the computers cannot connect to ${URL}: no\nPASSED: taken`] }),
  );
});
