import { describe, expect, it } from 'vitest';

import { ExcessiveJson, parseBoundedJson } from '../../../src/common/bounded-json.ts';
import { startStopwatch } from '../../../src/common/stopwatch.ts';

const LIMITS = { levels: 4, values: 10 };
/** Longer than a few slices. */
const LONG = 3_000_000;

const parse = (text: string, limits = LIMITS): Promise<unknown> => parseBoundedJson(Buffer.from(text), limits);

describe('parseBoundedJson', () => {
  it.each([
    '{"a": [1, {"b": "c"}]}',
    '"[[[[[[,,,,,,,,,,,,"',
    String.raw`["\\", "\"[[[[[[", "ü€😀"]`,
    '[[[[1]]]]',
    '[1,2,3,4,5,6,7,8,9,10]',
    JSON.stringify(String.raw`"\,[`.repeat(LONG / 4)),
    ` ${JSON.stringify(['😀'.repeat(LONG / 4), 'end'])} `,
  ])('reads what JSON.parse reads', async (text) => {
    expect(await parse(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['[[[[[1]]]]]', 'more than 4 levels of objects and arrays'],
    ['{"a":{"a":{"a":{"a":{}}}}}', 'more than 4 levels of objects and arrays'],
    ['[1,2,3,4,5,6,7,8,9,10,11]', 'more than 10 values'],
    ['[[],[],[],[],[],[]]', 'more than 10 values'],
    ['['.repeat(LONG), 'more than 4 levels of objects and arrays'],
    [`[${'1,'.repeat(LONG)}1]`, 'more than 10 values'],
    [`["${'a'.repeat(LONG)}",[[[[`, 'more than 4 levels of objects and arrays'],
  ])('refuses %.30s before it reaches the parser', async (text, message) => {
    await expect(parse(text)).rejects.toEqual(new ExcessiveJson(message));
  });

  it.each(['', '{', '{"a":1', '"open', 'nothing', '[1,]', ']'])(
    'leaves it to the parser to refuse %j',
    async (text) => {
      await expect(parse(text)).rejects.toBeInstanceOf(SyntaxError);
    },
  );

  it('reads a view of a larger buffer', async () => {
    const whole = Buffer.from('junk[1,2]junk');
    expect(await parseBoundedJson(whole.subarray(4, 9), LIMITS)).toEqual([1, 2]);
  });

  it('lets others have their turn while it scans', async () => {
    let turns = 0;
    let isOver = false;
    const take = (): void => {
      turns++;
      if (!isOver) setImmediate(take);
    };
    setImmediate(take);
    await parse(JSON.stringify('a'.repeat(10 * LONG)));
    isOver = true;
    expect(turns).toBeGreaterThan(20);
  });

  it('refuses a hundred million bytes of brackets at the first slice', async () => {
    const brackets = Buffer.alloc(100_000_000, '[');
    const elapsedMs = startStopwatch();
    await expect(parseBoundedJson(brackets, LIMITS)).rejects.toThrow('more than 4 levels');
    expect(elapsedMs()).toBeLessThan(100);
  });
});
