/** Names of computers and printers that an operating system may give them, in any script. */

import * as fc from 'fast-check';

export const deviceNames: fc.Arbitrary<string> = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((name) => name.trim() === name && !/\p{Cc}/u.test(name));
