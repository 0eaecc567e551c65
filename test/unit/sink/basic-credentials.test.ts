import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { basicCredentials } from '../../../src/sink/basic-credentials.ts';

function read(...values: readonly string[]): ReturnType<typeof basicCredentials> {
  return basicCredentials(values.map((value) => ['authorization', value] as const));
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64');
}

describe('basicCredentials', () => {
  it('reads any user without a colon and any password back', () => {
    const text = fc.string({ unit: 'grapheme' });
    const user = text.filter((name) => !name.includes(':'));
    fc.assert(
      fc.property(user, text, (user, pass) => {
        expect(read(`bAsIc  ${encode(`${user}:${pass}`)}`)).toEqual({ user, pass });
      }),
    );
  });

  it.each([
    ['no header', []],
    ['two headers', [`Basic ${encode('a:b')}`, `Basic ${encode('a:b')}`]],
    ['no colon', [`Basic ${encode('ab')}`]],
    ['no base64', ['Basic a:b']],
    ['nothing', ['']],
    ['another scheme', [`Bearer ${encode('a:b')}`]],
  ])('reads nothing from %s', (_what, values) => {
    expect(read(...values)).toBeUndefined();
  });
});
