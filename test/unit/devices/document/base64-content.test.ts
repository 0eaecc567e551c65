import { assert, constantFrom, array, property, string, uint8Array } from 'fast-check';
import { expect, it } from 'vitest';

import { decodeBase64 } from '../../../../src/devices/document/base64-content.ts';

it('gives back what was encoded, with padding or without, in one line or several', () => {
  assert(
    property(uint8Array(), (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      for (const spelling of [text, text.replaceAll('=', ''), text.replaceAll(/.{5}/g, '$&\r\n')]) {
        const decoded = decodeBase64(spelling);
        expect(decoded.ok && Buffer.from(decoded.value).equals(bytes)).toBe(true);
      }
    }),
  );
});

it('takes no text with a character outside the standard alphabet', () => {
  const odd = constantFrom('-', '_', '*', '\u0141', '\u00e9', '\0', 'A', '=');
  assert(
    property(array(odd, { minLength: 1, maxLength: 8 }), string({ maxLength: 4 }), (odds, rest) => {
      const text = odds.join('') + rest;
      if (/^[A-Za-z0-9+/=\s]*$/.test(text)) return;
      expect(decodeBase64(text).ok).toBe(false);
    }),
  );
});
