import { setImmediate } from 'node:timers/promises';

import { assert, constantFrom, array, asyncProperty, string, uint8Array } from 'fast-check';
import { expect, it } from 'vitest';

import { decodeBase64 } from '../../../../src/devices/document/base64-content.ts';

it('gives back what was encoded, with padding or without, in one line or several', async () => {
  await assert(
    asyncProperty(uint8Array(), async (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      for (const spelling of [text, text.replaceAll('=', ''), text.replaceAll(/.{5}/g, '$&\r\n')]) {
        const decoded = await decodeBase64(spelling);
        expect(decoded.ok && Buffer.from(decoded.value).equals(bytes)).toBe(true);
      }
    }),
  );
});

it('takes no text with a character outside the standard alphabet', async () => {
  const odd = constantFrom('-', '_', '*', '\u0141', '\u00e9', '\0', 'A', '=');
  await assert(
    asyncProperty(array(odd, { minLength: 1, maxLength: 8 }), string({ maxLength: 4 }), async (odds, rest) => {
      const text = odds.join('') + rest;
      if (/^[A-Za-z0-9+/=\s]*$/.test(text)) return;
      expect((await decodeBase64(text)).ok).toBe(false);
    }),
  );
});

it('reads a long text in pieces, and lets others in between', async () => {
  const bytes = Buffer.alloc(24 * 1024 * 1024 + 1, 'label');
  const decoding = decodeBase64(bytes.toString('base64'));
  const [first] = await Promise.race([decoding.then(() => ['the text']), setImmediate(['others'])]);
  expect(first).toBe('others');
  const decoded = await decoding;
  expect(decoded.ok && bytes.equals(decoded.value)).toBe(true);
});
