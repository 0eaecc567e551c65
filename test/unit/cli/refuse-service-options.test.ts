/**
 * Options that mean nothing to a pipeline are refused, and not ignored.
 */

import { expect, test } from 'vitest';

import { refuseServiceOptions } from '../../../src/cli/explore-pipeline.ts';

test.each([
  { flags: { link: 'none' }, what: '--link' },
  { flags: { findKnee: true }, what: '--find-knee' },
  { flags: { workers: 2 }, what: '--workers' },
])('$what is nothing for a pipeline', ({ flags, what }) => {
  expect(() => refuseServiceOptions(flags, undefined)).toThrow(`a pipeline has no use for ${what}`);
});

test('an address is nothing for a pipeline, and a seed and a folder are for both', () => {
  expect(() => refuseServiceOptions({}, 'http://127.0.0.1')).toThrow('the address http://127.0.0.1');
  expect(() => refuseServiceOptions({ seed: 3, out: 'reports' }, undefined)).not.toThrow();
});
