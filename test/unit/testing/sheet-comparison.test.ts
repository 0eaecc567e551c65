/**
 * Sheets against pictures that are kept: what is written, what is compared, and what is left of a difference.
 */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { PNG } from 'pngjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { encodePng } from '../../../src/devices/press/sheet-picture.ts';
import { compareSheet, type Comparison, type SheetUpdate } from '../../../src/testing/sheet-comparison.ts';

const WIDTH = 20;
const HEIGHT = 10;

let root: string;
let folder: string;
let expectedFile: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'platen-sheet-'));
  folder = path.join(root, 'results');
  expectedFile = path.join(root, 'sheets/letter.png');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function compare(actual: Uint8Array, update: SheetUpdate = 'missing', tolerance = 0): Promise<Comparison> {
  return compareSheet({ actual, expectedFile, tolerance, update, folder });
}

describe('a picture that is missing', () => {
  it('is written, and compared from then on', async () => {
    expect(await compare(picture())).toEqual({ is: 'wrote' });
    expect(await compare(picture())).toEqual({ is: 'same' });
    expect(await compare(picture([3]))).toMatchObject({ is: 'different' });
  });

  it('is not written where nothing may be', async () => {
    expect(await compare(picture(), 'none')).toEqual({ is: 'missing' });
    expect(existsSync(expectedFile)).toBe(false);
  });
});

describe('a sheet that looks different', () => {
  it('is kept beside what was expected and a picture of the difference', async () => {
    await compare(picture());
    const difference = await compare(picture([3, 4, 45]));
    expect(difference).toEqual({
      is: 'different',
      how: '3 of 200 pixels differ (1.5 %)',
      pictures: ['expected', 'actual', 'difference'].map((what) => path.join(folder, `letter-${what}.png`)),
    });
    expect(readFileSync(path.join(folder, 'letter-expected.png')).equals(picture())).toBe(true);
    expect(readFileSync(path.join(folder, 'letter-actual.png')).equals(picture([3, 4, 45]))).toBe(true);
    expect(reddish(readFileSync(path.join(folder, 'letter-difference.png')))).toEqual([3, 4, 45]);
  });

  it('is described without much arithmetic by globals, which takes seconds under jest', async () => {
    await compare(picture());
    const abs = vi.spyOn(Math, 'abs');
    await compare(picture([3, 4, 45]));
    expect(abs.mock.calls.length).toBeLessThan(2 * WIDTH * HEIGHT);
    abs.mockRestore();
  });

  it('leaves nothing once it is as it should be', async () => {
    await compare(picture());
    await compare(picture([3]));
    await compare(picture());
    expect(readdirSync(folder)).toEqual([]);
  });

  it('may differ by the share of pixels that the test allows', async () => {
    await compare(picture());
    expect(await compare(picture([3, 4]), 'missing', 0.01)).toEqual({ is: 'same' });
    expect(await compare(picture([3, 4, 5]), 'missing', 0.01)).toMatchObject({ is: 'different' });
  });

  it('becomes the expected one where everything is updated', async () => {
    await compare(picture());
    expect(await compare(picture([3]), 'all')).toEqual({ is: 'wrote' });
    expect(await compare(picture([3]), 'none')).toEqual({ is: 'same' });
  });

  it('has another size', async () => {
    await compare(picture());
    const larger = encodePng(WIDTH, HEIGHT * 2, new Uint8Array(WIDTH * HEIGHT * 8).fill(255));
    const difference = await compare(larger, 'missing', 1);
    expect(difference).toMatchObject({ is: 'different', how: 'it is 20 × 20 pixels, not 20 × 10' });
    const { width, height } = PNG.sync.read(readFileSync(path.join(folder, 'letter-difference.png')));
    expect([width, height]).toEqual([20, 20]);
  });
});

it('says of a file that is not a picture what to do', async () => {
  await compare(picture());
  writeFileSync(expectedFile, 'version https://git-lfs.github.com/spec/v1');
  await expect(compare(picture())).rejects.toThrow(/letter\.png: it is not a PNG/);
});

/** A white picture with black pixels at these places. */
function picture(black: readonly number[] = []): Buffer {
  const pixels = new Uint8Array(WIDTH * HEIGHT * 4).fill(255);
  for (const place of black) pixels.fill(0, place * 4, place * 4 + 3);
  return Buffer.from(encodePng(WIDTH, HEIGHT, pixels));
}

function reddish(png: Buffer): number[] {
  const { data } = PNG.sync.read(png);
  const places = Array.from({ length: data.length / 4 }, (_, place) => place);
  return places.filter((place) => (data[place * 4] ?? 0) > 200 && (data[place * 4 + 1] ?? 0) < 100);
}
