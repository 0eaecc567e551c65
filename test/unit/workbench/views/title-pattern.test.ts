import { describe, expect, it } from 'vitest';

import { TitlePattern } from '../../../../src/workbench/views/title-pattern.ts';

describe('a title pattern', () => {
  it.each([
    [/^Invoice \d+$/],
    [/invoice/i],
    [/^b/m],
    [/a.b/s],
    [/voice/gy],
    [/[^\w\s]/u],
    [/(?<what>Invoice|Letter) 1/],
    [/\u0041\/\x42/],
    [/^$/],
  ])('finds with %s what JavaScript finds', (pattern) => {
    const titles = ['', 'Invoice 12', 'INVOICE', 'a\nb', 'A/B', 'é 🖨', 'Letter 1'];
    const { source, flags } = pattern;
    const found = titles.filter((title) => new TitlePattern(source, flags).test(title));
    expect(found).toEqual(titles.filter((title) => new RegExp(source, flags.replace(/[gy]/g, '')).test(title)));
  });

  it('looks at each title from its beginning, however often', () => {
    const pattern = new TitlePattern('a', 'g');
    expect([pattern.test('a'), pattern.test('a'), String(pattern)]).toEqual([true, true, '/a/g']);
  });

  it.each([
    ['lookahead', 'a(?=b)', '', 'no lookaround'],
    ['lookbehind', '(?<!a)b', '', 'no lookaround'],
    ['a backreference', String.raw`(a)\1`, '', 'no backreferences'],
    ['an open bracket', '(', '', 'title=WORDS'],
    ['repetitions of repetitions', '((a{20}){20}){20}', '', 'repeats at most 1000 times'],
    ['too many steps', '(a{500}b{500})', '', 'more than 1000 steps'],
    ['another flag', 'a', 'q', "'q' is not one of i, m, s"],
  ])('with %s is refused, and says what helps', (_what, source, flags, message) => {
    expect(() => new TitlePattern(source, flags)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(message) }),
    );
  });
});
