import { expect, it } from 'vitest';

import { formatBytes } from '../../../src/common/format-bytes.ts';

it.each([
  [0, '0 B'],
  [817, '817 B'],
  [48_211, '48.2 KB'],
  [50_000_000, '50 MB'],
  [2_540_000_000, '2.5 GB'],
])('%i bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
