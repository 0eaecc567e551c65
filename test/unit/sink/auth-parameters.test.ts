import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestParameters } from '../../../src/sink/auth-parameters.ts';

describe('digestParameters', () => {
  it('reads bare and quoted values and undoes the quoting', () => {
    const found = digestParameters(String.raw`digest  A="x, \"y\" \\", nc=00000001 ,qop=auth`);
    expect(Object.fromEntries(found ?? [])).toEqual({
      a: String.raw`x, "y" \ `.trim(),
      nc: '00000001',
      qop: 'auth',
    });
  });

  it.each([
    'Basic abc',
    'Digest a="1", a="2"',
    'Digest a="1", A="2"',
    'Digest a="1',
    'Digest a=1 b=2',
    'Digest =1',
  ])('reads nothing from %j', (header) => {
    expect(digestParameters(header)).toBeUndefined();
  });

  it('takes any text without failing', () => {
    const pieces = fc.constantFrom('Digest ', 'a', '=', '"', '\\', ',', ' ', '__proto__', '\u0000');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const found = digestParameters(`Digest ${parts.join('')}`);
        expect(found === undefined || found instanceof Map).toBe(true);
      }),
    );
  });
});
