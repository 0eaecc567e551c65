import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ANYWHERE } from '../../../../src/common/file-reach.ts';
import {
  PRINTER_PROFILES,
  type PrinterCapabilities,
  type PrinterProfile,
} from '../../../../src/devices/printer/printer-profile.ts';

const PROFILES = PRINTER_PROFILES.names().map((name) => PRINTER_PROFILES.load(name));

/** Sizes of the papers; those of a profile that tells none are empty. */
function sizes({ papers }: PrinterCapabilities): (readonly [number | null, number | null])[] {
  return Object.values(papers ?? {});
}

function names({ bins, medias, papers }: PrinterCapabilities): string[] {
  return [...(bins ?? []), ...(medias ?? []), ...Object.keys(papers ?? {})];
}

function hasDuplicates(list: readonly unknown[] | null | undefined): boolean {
  return new Set(list).size !== (list ?? []).length;
}

/** [[minimum width, height], [maximum width, height]] where the extent has that shape. */
function extentOf({ extent }: PrinterCapabilities): { least: number[]; most: number[] } | undefined {
  const [least, most] = extent ?? [];
  return least && most ? { least, most } : undefined;
}

/** What drivers in the field report; each must be there to be tried out. */
const ODDITIES: readonly (readonly [string, (capabilities: PrinterCapabilities) => boolean])[] = [
  ['no papers at all', ({ papers }) => papers !== undefined && sizes({ papers }).length === 0],
  ['only papers of unknown size', (all) => sizes(all).length > 0 && sizes(all).every(([width]) => width === null)],
  [
    'some papers of unknown size',
    (all) => sizes(all).some(([width]) => width === null) && sizes(all).some(([width]) => width),
  ],
  ['only papers of size zero', (all) => sizes(all).length > 0 && sizes(all).every(([width]) => width === 0)],
  ['a reserved paper of size zero', ({ papers }) => papers?.['Reserved48']?.[0] === 0],
  ['300 papers and more', (all) => sizes(all).length >= 300],
  ['one paper only', (all) => sizes(all).length === 1],
  ['two names for one size', (all) => hasDuplicates(sizes(all).map(String))],
  ['a paper wider than tall', (all) => sizes(all).some(([width, height]) => Number(width) > Number(height))],
  ['A4 of 2099 tenths of a millimetre', ({ papers }) => papers?.['A4']?.[0] === 2099],
  ['Executive of 1842 tenths of a millimetre', ({ papers }) => papers?.['Executive']?.[0] === 1842],
  ['80 mm paper that is 72 mm wide', ({ papers }) => papers?.['Roll Paper 80 x 297 mm']?.[0] === 720],
  [
    'a paper larger than its extent',
    (all) =>
      sizes(all).some(([width, height]) => {
        const most = extentOf(all)?.most ?? [];
        return Number(width) > Number(most[0]) || Number(height) > Number(most[1]);
      }),
  ],
  ['an extent of null', ({ extent }) => extent === null],
  ['an empty extent', ({ extent }) => extent?.length === 0],
  ['an extent that begins at zero', (all) => extentOf(all)?.least[0] === 0],
  ['an extent upside down', (all) => Number(extentOf(all)?.least[0]) > Number(extentOf(all)?.most[0])],
  ['an extent of 16-bit integers', (all) => extentOf(all)?.most[0] === 32_767],
  ['half an extent', ({ extent }) => extent?.length === 1],
  ['no resolutions', ({ dpis }) => dpis?.length === 0],
  ['a resolution that is not square', ({ dpis }) => dpis?.includes('200x100') ?? false],
  ['a resolution with a zero before it', ({ dpis }) => dpis?.includes('0182x182') ?? false],
  ['no trays', ({ bins }) => bins?.length === 0],
  ['two trays of one name', ({ bins }) => hasDuplicates(bins)],
  ['a tray cut at 24 characters', ({ bins }) => bins?.some((bin) => /^\S.{22}[a-z]$/.test(bin)) ?? false],
  ['a tray that is a cutting mode', ({ bins }) => bins?.includes('DocFeedCut') ?? false],
  ['a tray that is a kind of paper', ({ bins }) => bins?.includes('Transparency') ?? false],
  [
    'names with blanks before or behind',
    (all) => names(all).some((name) => name !== name.trim() && name.trim() !== ''),
  ],
  ['media that are all one blank', ({ medias }) => medias?.filter((media) => media === ' ').length === 5],
  [
    'names in other scripts',
    (all) => names(all).some((name) => /\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Han}/u.test(name)),
  ],
  ['names with accents', (all) => names(all).some((name) => /[äöüßé]/.test(name))],
  ['a non-breaking blank', (all) => names(all).some((name) => name.includes('\u00a0'))],
  ['a name with an inch mark', (all) => names(all).some((name) => name.includes('"'))],
  ['a name with hash sign, ampersand or slash', (all) => names(all).some((name) => /[#&/]/.test(name))],
  ['a name cut at 31 characters', (all) => names(all).some((name) => name.length === 31 && name.includes('('))],
  ['one copy at most', ({ copies }) => copies === 1],
  ['9998 copies at most', ({ copies }) => copies === 9998],
  ['an unknown number of copies', ({ copies }) => copies === null],
  ['no n-up', ({ nup }) => nup?.length === 0],
  ['n-up of 1 only', ({ nup }) => String(nup) === '1'],
  ['n-up without 1', ({ nup }) => nup !== undefined && nup !== null && nup.length > 0 && !nup.includes(1)],
  ['400 pages a minute', ({ printrate }) => printrate?.rate === 400],
  ['a rate in lines', ({ printrate }) => printrate?.unit === 'lmp'],
  ['no rate', ({ printrate }) => printrate === null],
  ['members that are missing', (all) => !('medias' in all) && !('nup' in all)],
  ['custom paper sizes', (all) => all.supports_custom_paper_size === true],
  ['collation without colour', ({ collate, color }) => collate === true && color === false],
];

const PRINTERS: readonly (readonly [string, (profile: PrinterProfile) => boolean])[] = [
  ['reports no capabilities', ({ capabilities }) => capabilities === null],
  ['has an error text for a name', ({ name }) => name.startsWith('Der RPC-Server')],
  ['has a name beyond ASCII', ({ name }) => name.includes('ñ')],
  ['has a name other than its description', ({ name, description }) => name !== description],
  ['does not tell its state', ({ state }) => state === null],
  ['is offline', ({ state }) => state === 'offline'],
  ['is out of paper', ({ state }) => state === 'out_of_paper'],
  ['is in error', ({ state }) => state === 'error'],
  [
    'is a fax that claims duplex and colour',
    ({ kind, capabilities }) => kind === 'fax' && capabilities?.duplex === true,
  ],
  [
    'prints colour where the client ignores gray',
    ({ os, capabilities }) => os === 'macos' && capabilities?.color === true,
  ],
  ['is redirected from another computer', ({ name }) => name.includes('redirected')],
];

describe('the printer profiles', () => {
  it('are at least 32, and no two say the same about themselves', () => {
    expect(PROFILES.length).toBeGreaterThanOrEqual(32);
    expect(new Set(PROFILES.map(({ why }) => why)).size).toBe(PROFILES.length);
  });

  it.each([
    'laser',
    'inkjet',
    'office-mfp',
    'production',
    'plotter',
    'label',
    'receipt',
    'dot-matrix',
    'fax',
    'virtual',
  ])('hold one of kind %s', (kind) => {
    expect(PROFILES.map((profile) => profile.kind)).toContain(kind);
  });

  it('come from three kinds of operating system', () => {
    expect(new Set(PROFILES.map(({ os }) => os)).size).toBe(3);
  });

  it.each(ODDITIES)('hold %s', (_, isOdd) => {
    expect(PROFILES.some(({ capabilities }) => capabilities !== null && isOdd(capabilities))).toBe(true);
  });

  it.each(PRINTERS)('hold one that %s', (_, isOdd) => {
    expect(PROFILES.some(isOdd)).toBe(true);
  });
});

describe('a profile of the user', () => {
  it('is named by the path of its file, and refused with its mistakes', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'platen-profile-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'our-printer.json');
    writeFileSync(file, JSON.stringify({ ...PRINTER_PROFILES.load('laser-a4'), name: 'Ours' }));
    expect(PRINTER_PROFILES.load(file, ANYWHERE).name).toBe('Ours');
    expect(() => PRINTER_PROFILES.load(path.join(folder, 'missing.json'), ANYWHERE)).toThrow('there is no such file');
    expect(() => PRINTER_PROFILES.load(file)).toThrow('there is no printer profile');
  });
});
