import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { IppAttribute, IppGroup, IppValue } from '../../../../src/hardware/ipp/attribute.ts';
import { decodeMessage, encodeMessage } from '../../../../src/hardware/ipp/codec.ts';

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const words = fc.string({ unit: 'grapheme', maxLength: 40 });
const bytes = fc.uint8Array({ maxLength: 40 });

const { attribute } = fc.letrec<{ value: IppValue; attribute: IppAttribute }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ type: fc.constantFrom('integer' as const, 'enum' as const), value: int32 }),
    fc.record({ type: fc.constant('boolean' as const), value: fc.boolean() }),
    fc.record({
      type: fc.constantFrom('keyword' as const, 'uri' as const, 'charset' as const),
      value: words,
    }),
    fc.record({ type: fc.constant('nameWithLanguage' as const), language: words, value: words }),
    fc.record({ type: fc.constant('rangeOfInteger' as const), lower: int32, upper: int32 }),
    fc.record({ type: fc.constant('resolution' as const), x: int32, y: int32, unit: fc.constantFrom(3, 4) }),
    fc.record({ type: fc.constant('octetString' as const), bytes }),
    fc.record({ type: fc.constantFrom('unknown' as const, 'no-value' as const) }),
    fc.record({
      type: fc.constant('collection' as const),
      members: fc.array(tie('attribute'), { maxLength: 4 }),
    }),
  ),
  attribute: fc.record({
    name: fc.stringMatching(/^[a-z-]{1,20}$/),
    values: fc.array(tie('value'), { minLength: 1, maxLength: 4 }),
  }),
}));

const group: fc.Arbitrary<IppGroup> = fc.record({
  type: fc.constantFrom('operation' as const, 'job' as const, 'printer' as const, 'unsupported' as const),
  attributes: fc.array(attribute, { maxLength: 6 }),
});

const message = fc.record({
  version: fc.constant({ major: 2, minor: 0 }),
  code: fc.nat(0xffff),
  requestId: int32,
  groups: fc.array(group, { maxLength: 4 }),
  data: bytes,
});

/** Why bytes are not a message; empty when they are one. */
function whyNot(input: Uint8Array): string {
  try {
    decodeMessage(input);
    return '';
  } catch (error) {
    return String(error);
  }
}

function operation(...rest: readonly number[]): Uint8Array {
  return Uint8Array.of(2, 0, 0, 2, 0, 0, 0, 1, 0x01, ...rest);
}

describe('the codec of IPP', () => {
  it('reads what it wrote, whatever the values and however deep the collections', () => {
    fc.assert(
      fc.property(message, (written) => {
        const read = decodeMessage(encodeMessage(written));
        expect({ ...read, data: new Uint8Array(read.data) }).toEqual(written);
      }),
    );
  });

  it('reads any bytes as a message, or says where they are wrong', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
        expect(whyNot(input)).toMatch(/^$|^IppFormatError: .* at byte \d+$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads a message that is cut off anywhere as one that ends too early', () => {
    const whole = encodeMessage({
      version: { major: 2, minor: 0 },
      code: 2,
      requestId: 1,
      groups: [
        {
          type: 'operation',
          attributes: [{ name: 'attributes-charset', values: [{ type: 'charset', value: 'utf-8' }] }],
        },
      ],
      data: new Uint8Array(),
    });
    for (let length = 0; length < whole.length; length++) {
      expect(() => decodeMessage(whole.subarray(0, length))).toThrow(/ends before/);
    }
  });

  const nested = Array.from({ length: 40 }, () => [0x34, 0, 0, 0, 0, 0x4a, 0, 0, 0, 1, 0x61]).flat();

  it.each([
    ['a value before any group', Uint8Array.of(2, 0, 0, 2, 0, 0, 0, 1, 0x44, 0, 0), 'before any group'],
    ['a further value of no attribute', operation(0x44, 0, 0, 0, 1, 0x61), 'a further value of no attribute'],
    ['an integer of two bytes', operation(0x21, 0, 1, 0x61, 0, 2, 0, 1), '2 bytes in place of 4'],
    ['a length beyond the end', operation(0x44, 0, 1, 0x61, 0xff, 0xff), 'ends before'],
    ['text whose language does not fit', operation(0x35, 0, 1, 0x61, 0, 4, 0, 9, 0, 0), 'do not fit'],
    ['a member without a name', operation(0x34, 0, 1, 0x61, 0, 0, 0x21, 0, 0, 0, 4, 0, 0, 0, 1), 'without a name'],
    ['collections forty deep', operation(0x34, 0, 1, 0x61, 0, 0, 0x4a, 0, 0, 0, 1, 0x61, ...nested), 'nested'],
  ])('refuses %s', (_, input, why) => {
    expect(() => decodeMessage(input)).toThrow(why);
  });
});
