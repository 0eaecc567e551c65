import { PNG } from 'pngjs';
import { expect, it } from 'vitest';

import { pngDifference, pngSize } from '../../../src/common/png-difference.ts';

const HEAD_CHUNK = { from: 8, to: 33 };
const AT = { width: 16, interlaced: 28 };

/** A white picture with black pixels at these places. */
function picture(width: number, height: number, black: readonly number[] = []): Buffer {
  const png = new PNG({ width, height });
  png.data.fill(255);
  for (const place of black) png.data.fill(0, place * 4, place * 4 + 3);
  return PNG.sync.write(png);
}

function changed(change: (bytes: Buffer) => Buffer | number): Buffer {
  const bytes = picture(20, 10);
  const made = change(bytes);
  return typeof made === 'number' ? bytes : made;
}

it('tells how many pixels differ', async () => {
  const difference = await pngDifference(picture(20, 10), picture(20, 10, [3, 4, 45]));
  expect(difference).toMatchObject({ ok: true, value: { share: 0.015, how: '3 of 200 pixels differ (1.5 %)' } });
  expect(await pngDifference(picture(20, 10), picture(20, 10))).toMatchObject({ value: { share: 0 } });
});

it.each<[string, Buffer, string]>([
  ['text', Buffer.from('version https://git-lfs.github.com/spec/v1'), 'it is not a PNG'],
  ['nothing', Buffer.alloc(0), 'it is not a PNG'],
  ['interlaced', changed((bytes) => bytes.writeUInt8(1, AT.interlaced)), 'it is an interlaced PNG'],
  ['huge', changed((bytes) => bytes.writeUInt32BE(0xff_ff_ff_ff, AT.width)), 'it has more than 50000000 pixels'],
  [
    'of two sizes',
    changed((bytes) => Buffer.concat([bytes.subarray(0, HEAD_CHUNK.to), bytes.subarray(HEAD_CHUNK.from)])),
    'it is not a PNG',
  ],
])('does not unpack what is %s', async (_, content, why) => {
  expect(pngSize(content)).toMatchObject({ ok: false, error: why });
  expect(await pngDifference(content, picture(20, 10))).toMatchObject({ ok: false, error: why });
});

it('says that a picture is damaged', async () => {
  const cut = changed((bytes) => bytes.subarray(0, HEAD_CHUNK.to + 20));
  expect(await pngDifference(cut, picture(20, 10))).toMatchObject({ ok: false, error: 'it is a damaged PNG' });
});
