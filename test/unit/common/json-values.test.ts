import { expect, it } from 'vitest';

import { holdsMoreValuesThan } from '../../../src/common/json-values.ts';

it.each([
  ['[1,2,3]', 3],
  ['{"a":[1,2],"b":{"c":3}}', 5],
  ['["a,b,c","[[["]', 2],
  [String.raw`["\",[","\\",7]`, 3],
  ['7', 0],
])('%s holds %d values', (json, values) => {
  expect(holdsMoreValuesThan(Buffer.from(json), values)).toBe(false);
  expect(holdsMoreValuesThan(Buffer.from(json), values - 1)).toBe(true);
});
