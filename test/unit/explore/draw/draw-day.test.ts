import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { drawDay, type DrawOptions } from '../../../../src/explore/draw/draw-day.ts';
import type { Elsewhere } from '../../../../src/explore/draw/draft.ts';
import { MOVES, MOVE_KINDS } from '../../../../src/explore/draw/moves.ts';
import { textOf } from '../../../../src/explore/play-day.ts';
import { readScenario } from '../../../../src/scenario/format/read-scenario.ts';

const OPTIONS: DrawOptions = { without: [], room: undefined, expect: 'strict' };
/** A service of which nothing is known. */
const ELSEWHERE: Elsewhere = {
  dialect: {},
  isOnRealTime: false,
  hasSecondAccount: false,
  isIntegrator: false,
  reach: 'other-link',
  isRestartable: false,
};
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
    const without = ['connect', 'away-and-back', 'submit-document', 'swap-scales', 'weigh', 'fall-silent'];
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

  it('passes no hours while a scale is loaded, though another one is unplugged', () => {
    const day = drawDay(4_124, OPTIONS);
    const loaded = day.steps.findIndex((step) => 'weigh' in step);
    const rest = textOf({ ...day, steps: day.steps.slice(loaded) });
    expect(rest).toContain('advance: 61s');
    expect(rest).not.toMatch(/advance: \d+(h|d)/);
  });

  it('passes no hours once the zero point of a scale has drifted', () => {
    const day = drawDay(810_321, OPTIONS);
    const drifted = day.steps.findIndex((step) => textOf({ ...day, steps: [step] }).includes('fault: drift'));
    const rest = textOf({ ...day, steps: day.steps.slice(drifted) });
    expect(rest).toMatch(/fault: drift[^]*advance: 61s/);
    expect(rest).not.toMatch(/advance: \d+(h|d)/);
  });

  it('takes no longer than a minute at a time on real time', () => {
    const texts = SEEDS.map((seed) =>
      textOf(drawDay(seed, { ...OPTIONS, elsewhere: { ...ELSEWHERE, isOnRealTime: true } })),
    );
    expect(texts.filter((text) => /advance: \d+[hd]/.test(text))).toEqual([]);
  });

  it('leaves alone, in an account that other days share, what is not of its room', () => {
    const shared = { ...ELSEWHERE, isOnRealTime: true };
    const texts = SEEDS.map((seed) => textOf(drawDay(seed, { ...OPTIONS, elsewhere: shared })));
    expect(texts.filter((text) => /method: DELETE\n +path: \/printjobs\n|path: \/scale\n/.test(text))).toEqual([]);
    const names = texts.flatMap((text) => text.match(/(idempotencyKey: |creatorRef: |\/(tag|apikey)\/).*/g) ?? []);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !name.includes('{run}'))).toEqual([]);
  });

  it('happens in a Child Account of an Integrator, but for what only the Integrator does', () => {
    const elsewhere = { ...ELSEWHERE, isIntegrator: true };
    const texts = SEEDS.map((seed) => textOf(drawDay(seed, { ...OPTIONS, elsewhere })));
    const own = texts.filter((text) => text.includes('account: own'));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((text) => !text.includes('as: child'))).toEqual([]);
  });

  it('does without what the service does not have, or what nobody knows of it', () => {
    const texts = SEEDS.map((seed) => textOf(drawDay(seed, { ...OPTIONS, elsewhere: ELSEWHERE })));
    const lacking = /\{second\}|account: child|at: link\/|computer state\n|print job state\n/;
    expect(texts.filter((text) => lacking.test(text.replaceAll(/- "\*"\n +- .*\n/g, '')))).toEqual([]);
    expect(texts.every((text) => text.includes('account: own'))).toBe(true);
  });

  it('has only moves that can be played where nothing but the API is reached', () => {
    const texts = (reach: Elsewhere['reach']): readonly string[] =>
      SEEDS.map((seed) => textOf(drawDay(seed, { ...OPTIONS, elsewhere: { ...ELSEWHERE, reach } })));
    const ofRoom =
      /\{computer:|- (crash|cut|sleep|wake|connect|disconnect|weigh|plug|unplug|press|add-printer):|at: (printer|computer|scale|link)\//;
    const [nothing, printer, client] = [texts('nothing'), texts('printer'), texts('client')];
    expect([...nothing, ...printer].filter((text) => ofRoom.test(text))).toEqual([]);
    expect(nothing.filter((text) => /- submit:|\{printer:/.test(text))).toEqual([]);
    expect(printer.filter((text) => text.includes('- submit:')).length).toBeGreaterThan(SEEDS.length / 3);
    expect(client.filter((text) => /scales:\n|at: (computer|scale|link)\//.test(text))).toEqual([]);
    expect(client.some((text) => text.includes('- disconnect:'))).toBe(true);
    // A day that did nothing would find nothing.
    expect([...nothing, ...printer].filter((text) => text.split('- ').length < 5)).toEqual([]);
  });

  it('cancels none but its own jobs on a printer that has others', () => {
    const texts = SEEDS.map((seed) =>
      textOf(drawDay(seed, { ...OPTIONS, elsewhere: { ...ELSEWHERE, reach: 'printer', hasSecondAccount: true } })),
    );
    const cancels = texts.flatMap((text) => text.match(/method: DELETE\n +path: \S*printjobs\S*/g) ?? []);
    expect(cancels.length).toBeGreaterThan(10);
    expect(cancels.filter((one) => !one.includes('{job:'))).toEqual([]);
  });

  it('says what is not printed as the service says it', () => {
    const dialect = {
      'message-types': { 'computer state': 'computer-state', 'print job state': 'printjob-state' },
      'new-key': 'keys.{name}',
      'simulated-reading': { body: { grams: 5 } },
    } as const;
    const texts = SEEDS.map((seed) => textOf(drawDay(seed, { ...OPTIONS, elsewhere: { ...ELSEWHERE, dialect } })));
    const said = ['- printjob-state', '- computer-state', 'from: keys.{run}-key', 'grams: 5'];
    expect(said.filter((words) => !texts.some((text) => text.includes(words)))).toEqual([]);
  });

  it('lets no job expire sooner than the service takes it', () => {
    const drawn = (seed: number): string => textOf(drawDay(seed, { ...OPTIONS, elsewhere: ELSEWHERE }));
    expect(SEEDS.some((seed) => drawn(seed).includes('expireAfter: 60\n'))).toBe(true);
    const elsewhere = { ...ELSEWHERE, dialect: { 'least-expire-after': 900 } };
    const texts = SEEDS.map((seed) => textOf(drawDay(seed, { ...OPTIONS, elsewhere })));
    expect(texts.filter((text) => /expireAfter: \d{2}\n|expireAfter: 600\n/.test(text))).toEqual([]);
    // What is to expire after it was done still does.
    expect(texts.filter((text) => /expireAfter: 900\n.*\n.*advance: 901s/.test(text))).not.toEqual([]);
  });

  it('has what callers seldom write, and may: no password, names that begin with a mark, keys that differ by a zero', () => {
    const texts = Array.from({ length: 600 }, (_, index) => textOf(drawDay(index + 1, OPTIONS)));
    const seldom = [
      'pass: ""',
      '/account/tag/_shelf',
      'idempotencyKey: "04711"',
      'reply: status 500',
      'path: /printers/2147483647/printjobs',
      '{receiver}/hook',
    ];
    expect(seldom.filter((words) => !texts.some((text) => text.includes(words)))).toEqual([]);
  });

  it('submits more jobs than a page has in portions that a service takes at once', () => {
    const texts = Array.from({ length: 300 }, (_, index) => textOf(drawDay(index + 1, OPTIONS)));
    const numbers = texts.map((text) => (text.match(/(?<=times: )\d+/g) ?? []).map(Number));
    expect(Math.max(...numbers.flat())).toBeLessThan(30);
    expect(numbers.filter((times) => times.join().includes('26,26,26,26'))).not.toEqual([]);
  });

  it('has moves of every kind, over many seeds', () => {
    expect(Object.values(MOVES).every(({ weight }) => weight > 0)).toBe(true);
    const kinds = SEEDS.flatMap((seed) => drawDay(seed, OPTIONS).steps.flatMap((step) => Object.keys(step)));
    expect(new Set(kinds).size).toBeGreaterThan(20);
    expect(MOVE_KINDS.length).toBeGreaterThan(30);
  });
});
