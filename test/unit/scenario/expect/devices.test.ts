import { describe, expect, it } from 'vitest';

import { computers, printers } from '../../../../src/scenario/expect/devices.ts';
import { breaksOf, linesOf, type ToldSetup } from '../../../support/breaks-of.ts';

const computer = { name: 'DESK' };
const sheet = (name: string | null): object => ({ paper: { name } });
const RECORDS = [
  { id: 11, name: 'Other', state: 'offline' },
  { id: 12, name: 'Laser 4', state: 'online' },
];

function withPrinter(records: readonly object[] = RECORDS, printouts: readonly object[] = []): ToldSetup {
  return {
    cast: { printer: () => ({ computer }) },
    printerId: async () => 12,
    printersOf: async (one: unknown) => (one === computer ? records : []),
    printer: () => ({ printouts: () => printouts }),
  };
}

const PRINTED = [
  { kind: 'sheets', sheets: [sheet('A4'), sheet('A4')] },
  { kind: 'raw', length: 5 },
  { kind: 'sheets', sheets: [sheet(null)] },
  { kind: 'raw', length: 7 },
];

describe('a printer', () => {
  it.each<readonly [string, unknown, ToldSetup, readonly string[]]>([
    ['its state', 'online', withPrinter(), []],
    ['another state', 'offline', withPrinter(), ['state of Laser | offline | online | gap/printer-transitions']],
    [
      'a state that is null',
      'online',
      withPrinter([{ id: 12, state: null }]),
      ['state of Laser | online | null | gap/printer-transitions'],
    ],
    [
      'a state of none',
      'online',
      withPrinter([]),
      ['state of Laser | online | no such printer | gap/printer-transitions'],
    ],
    ['a state of one letter', 'x', withPrinter([{ id: 12, state: 'x' }]), []],
    [
      'the state of the first record',
      'x',
      withPrinter([
        { id: 12, state: 'x' },
        { id: 12, state: 'y' },
      ]),
      [],
    ],
    ['its name', { name: 'Laser 4' }, withPrinter(), []],
    ['another name', { name: 'X' }, withPrinter(), ['name of Laser | X | Laser 4']],
    ['a name of none', { name: 'X' }, withPrinter([]), ['name of Laser | X | no such printer']],
    [
      'all that it printed',
      { sheets: 3, printouts: 4, rawBytes: 12, paper: 'A4, without a name' },
      withPrinter(RECORDS, PRINTED),
      [],
    ],
    [
      'other than it printed',
      { sheets: 1, printouts: 1, rawBytes: 1, paper: 'A5' },
      withPrinter(RECORDS, PRINTED),
      [
        'sheets of Laser | 1 | 3',
        'printouts of Laser | 1 | 4',
        'raw bytes of Laser | 1 | 12',
        'paper of Laser | A5 | A4, without a name',
      ],
    ],
    ['nothing printed', { sheets: 0, printouts: 0, rawBytes: 0, paper: '' }, withPrinter(), []],
    ['nothing', {}, withPrinter([]), []],
  ])('has %s', async (_, wanted, setup, expected) => {
    expect(await linesOf(printers, { Laser: wanted }, setup)).toEqual(expected);
  });

  it('is about no job', async () => {
    expect(await breaksOf(printers, { Laser: { sheets: 1 } }, withPrinter())).toMatchObject([{ jobs: [] }]);
  });
});

function withComputer(records: unknown, printerCount = 2): ToldSetup {
  return {
    computer: () => computer,
    cast: { computerId: (one: unknown) => (one === computer ? 4 : 0) },
    printersOf: async (one: unknown) => (one === computer ? RECORDS.slice(0, printerCount) : []),
    api: { look: async (path: string) => (path === '/computers/4' ? records : undefined) },
  };
}

describe('a computer', () => {
  const own = { id: 4, name: 'DESK', state: 'connected' };

  it.each<readonly [string, unknown, ToldSetup, readonly string[]]>([
    ['its state', 'connected', withComputer([own]), []],
    ['its state in other words', 'connected', withComputer([{ ...own, state: 'up' }]), []],
    [
      'a state that is not that',
      'connected',
      withComputer([{ ...own, state: 'disconnected' }]),
      ['state of DESK | connected | disconnected | gap/computer-transitions'],
    ],
    [
      'another state',
      'disconnected',
      withComputer([own]),
      ['state of DESK | disconnected | connected | gap/computer-transitions'],
    ],
    [
      'a state of none',
      'connected',
      withComputer([]),
      ['state of DESK | connected | no such computer | gap/computer-transitions'],
    ],
    ['its printers', { printers: 2 }, withComputer([own]), []],
    ['other printers', { printers: 2 }, withComputer([own], 1), ['printers of DESK | 2 | 1']],
    ['no printers', { printers: 0 }, withComputer([own], 0), []],
  ])('has %s', async (_, wanted, setup, expected) => {
    expect(await linesOf(computers, { DESK: wanted }, setup)).toEqual(expected);
  });

  it('is not judged by an answer that is no list of computers', async () => {
    await expect(linesOf(computers, { DESK: 'connected' }, withComputer('none'))).rejects.toThrow('/computers/4');
  });

  it('is asked for its printers only where they matter', async () => {
    const setup = { ...withComputer([own]), printersOf: () => Promise.reject(new Error('asked')) };
    expect(await linesOf(computers, { DESK: 'connected' }, setup)).toEqual([]);
  });
});

it.each([{ state: '' }, '', { sheets: -1 }, { other: 1 }])('refuses %j', (given) => {
  expect([printers, computers].map((kind) => kind.safeParse({ DESK: given }).success)).toEqual([false, false]);
});
