import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { drawDay, type DrawOptions } from '../../../../src/explore/draw/draw-day.ts';
import { MOVES, MOVE_KINDS } from '../../../../src/explore/draw/moves.ts';
import { textOf } from '../../../../src/explore/play-day.ts';
import { readScenario } from '../../../../src/scenario/format/read-scenario.ts';

const OPTIONS: DrawOptions = { without: [], room: undefined, expect: 'strict', isOnRealTime: false };
const SEEDS = Array.from({ length: 150 }, (_, index) => index + 1);

describe('a day', () => {
  it('is a scenario without a mistake, whatever the seed', () => {
    const problems = SEEDS.flatMap((seed) => {
      const read = readScenario(textOf(drawDay(seed, OPTIONS)), '.');
      return read.ok ? [] : read.error.map(({ message }) => `${seed}: ${message}`);
    });
    expect(problems).toEqual([]);
  });

  it('is the same byte for byte for the same seed, and another for another', () => {
    const texts = SEEDS.map((seed) => textOf(drawDay(seed, OPTIONS)));
    expect(SEEDS.map((seed) => textOf(drawDay(seed, OPTIONS)))).toEqual(texts);
    expect(new Set(texts).size).toBe(SEEDS.length);
  });

  it('says in its file what it says as a value', () => {
    const day = drawDay(7, OPTIONS);
    expect(parse(textOf(day))).toEqual(day);
  });

  it('leaves out the kinds of moves that are not wanted', () => {
    const without = ['connect', 'away-and-back', 'weigh', 'fall-silent'];
    const texts = SEEDS.map((seed) => textOf(drawDay(seed, { ...OPTIONS, without })));
    expect(texts.filter((text) => text.includes('- connect:'))).toEqual([]);
    expect(texts.filter((text) => text.includes('- weigh:'))).toEqual([]);
  });

  it('happens in the room that is given', () => {
    const room = { computers: [{ name: 'DESK', printers: [{ profile: 'laser-a4', name: 'Laser' }] }] };
    const days = SEEDS.map((seed) => drawDay(seed, { ...OPTIONS, room }));
    expect(days.every((day) => day.room === room)).toBe(true);
    expect(days.some((day) => textOf(day).includes('printer: Laser'))).toBe(true);
  });

  it('takes no longer than a minute at a time on real time', () => {
    const texts = SEEDS.map((seed) => textOf(drawDay(seed, { ...OPTIONS, isOnRealTime: true })));
    expect(texts.filter((text) => /advance: \d+[hd]/.test(text))).toEqual([]);
  });

  it('has moves of every kind, over many seeds', () => {
    expect(Object.values(MOVES).every(({ weight }) => weight > 0)).toBe(true);
    const kinds = SEEDS.flatMap((seed) => drawDay(seed, OPTIONS).steps.flatMap((step) => Object.keys(step)));
    expect(new Set(kinds).size).toBeGreaterThan(20);
    expect(MOVE_KINDS.length).toBeGreaterThan(30);
  });
});
