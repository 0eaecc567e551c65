import { describe, expect, it } from 'vitest';

import { readPrintOptions } from '../../../../src/devices/printer/print-options.ts';
import { PRINTER_PROFILES } from '../../../../src/devices/printer/printer-profile.ts';

const laser = PRINTER_PROFILES.load('laser-a4');
const silent = PRINTER_PROFILES.load('null-capabilities');
const unsized = PRINTER_PROFILES.load('inkjet-null-sizes');
const mac = { ...PRINTER_PROFILES.load('office-mfp'), os: 'macos' } as const;

/** What became of one option, as text. */
function fate(option: string, value: unknown, profile = laser, others: Record<string, unknown> = {}): string {
  const read = readPrintOptions({ ...others, [option]: value }, profile);
  if (!read.ok) return `refused: ${read.error}`;
  const { applied, ignored } = read.value.record;
  return option in applied ? `applied: ${String(applied[option])}` : `ignored: ${String(ignored[option])}`;
}

describe('readPrintOptions', () => {
  it.each([
    [{ paper: 'A9' }, 'print option paper = "A9": the printer has none with that name'],
    [{ bin: 'Tray 9' }, 'print option bin = "Tray 9": the printer has none with that name'],
    [{ dpi: '5x5' }, 'print option dpi = "5x5": the printer has none with that name'],
    [{ media: 'Gold' }, 'print option media = "Gold": the printer has none with that name'],
    [{ copies: 1000 }, 'print option copies = 1000: the printer makes at most 999'],
    [{ copies: 0 }, 'print option copies = 0: a positive integer is needed'],
    [{ copies: 'two' }, 'print option copies = "two": a positive integer is needed'],
    [{ pages: ['1'] }, 'print option pages = ["1"]: a page set is needed'],
    [{ rotate: 45 }, 'print option rotate = 45: 0, 90, 180 or 270 is needed'],
    [{ rotate: '' }, 'print option rotate = "": 0, 90, 180 or 270 is needed'],
    [{ duplex: true }, 'print option duplex = true: long-edge, short-edge or one-sided is needed'],
    [{ duplex: '' }, 'print option duplex = "": long-edge, short-edge or one-sided is needed'],
    [{ color: 'grey' }, 'print option color = "grey": true or false is needed'],
    [{ collate: 1 }, 'print option collate = 1: true or false is needed'],
    [{ fit_to_page: 'yes' }, 'print option fit_to_page = "yes": true or false is needed'],
    [{ nup: 0 }, 'print option nup = 0: a positive integer is needed'],
  ])('refuses %j, naming option and value', (options, message) => {
    expect(readPrintOptions(options, laser)).toEqual({ ok: false, error: message });
  });

  it('takes an empty bin, dpi, media or paper for none', () => {
    const read = readPrintOptions({ bin: '', dpi: '', media: '', paper: '' }, laser);
    expect(read.ok && read.value.record).toMatchObject({ applied: {}, ignored: {} });
    expect(read.ok && read.value.settings.paper?.name).toBe('A4');
  });

  it('takes numbers that arrive as text', () => {
    const read = readPrintOptions({ copies: '2' }, laser);
    expect(read.ok && read.value.settings.copies).toBe(2);
  });

  it('records what was asked, what was applied, and why the rest was not', () => {
    const asked = { paper: 'Letter', shiny: true };
    const read = readPrintOptions(asked, laser);
    expect(read.ok && read.value.record).toEqual({
      asked,
      applied: { paper: 'Letter' },
      ignored: { shiny: 'there is no print option of this name' },
    });
  });

  it('passes over a choice that the driver reports nothing about', () => {
    const read = readPrintOptions({ paper: 'A4', copies: 5000 }, silent);
    expect(read.ok && read.value.settings).toMatchObject({ copies: 5000, paper: null });
    expect(read.ok && read.value.record.ignored).toHaveProperty('paper');
  });

  it('prints on the size of the document page where the driver knows no size of the paper', () => {
    const read = readPrintOptions({ paper: '4x6' }, unsized);
    expect(read.ok && read.value.record.ignored['paper']).toContain('no size');
  });

  it('is not fooled by names that every object has', () => {
    expect(readPrintOptions({ paper: 'constructor' }, laser).ok).toBe(false);
    const read = readPrintOptions({ toString: 1 }, laser);
    expect(read.ok && read.value.record.ignored['toString']).toBe('there is no print option of this name');
  });

  it('O16: takes from the printer what the job leaves open, and from the job what it says', () => {
    const duplexer = {
      ...laser,
      defaults: { ...laser.defaults, duplex: 'long-edge', bin: 'Tray1', collate: false, color: false },
    } as const;
    const left = readPrintOptions({ bin: '', duplex: null }, duplexer);
    expect(left.ok && left.value.settings).toMatchObject({
      duplex: 'long-edge',
      tray: 'Tray1',
      collate: false,
      gray: true,
    });
    const said = readPrintOptions({ duplex: 'one-sided', bin: 'Manual', collate: true }, duplexer);
    expect(said.ok && said.value.settings).toMatchObject({
      duplex: 'one-sided',
      tray: 'Manual',
      collate: true,
    });
  });

  it('O17: has an effect for color on Windows with backend 6 alone, and none on a printer without colour', () => {
    const colour = { ...PRINTER_PROFILES.load('virtual-pdf') };
    expect(fate('color', 'false', colour)).toBe('applied: false');
    expect(fate('color', false, { ...colour, backend: 'older' })).toContain('backend engine6');
    expect(fate('color', false, { ...colour, os: 'macos' })).toBe('ignored: it has effect on Windows only');
    expect(fate('color', false, { ...colour, quirks: { ...colour.quirks, ignoresColor: true } })).toContain(
      'ignores it',
    );
    expect(fate('color', true, laser)).toBe('ignored: the printer has no colour');
    const read = readPrintOptions({}, laser);
    expect(read.ok && read.value.settings.gray).toBe(true);
  });

  it('has an effect for fit_to_page everywhere but with an older backend on Windows', () => {
    expect(fate('fit_to_page', true, laser)).toBe('applied: true');
    expect(fate('fit_to_page', true, mac)).toBe('applied: true');
    expect(fate('fit_to_page', true, { ...laser, backend: 'older' })).toContain('backend engine6');
  });

  it('O21: puts several pages on a side on macOS alone, and only as many as the printer knows', () => {
    expect(fate('nup', 4, laser)).toBe('ignored: it has effect on macOS only');
    expect(fate('nup', '4', mac)).toBe('applied: 4');
    expect(fate('nup', 1, { ...mac, capabilities: null })).toBe('applied: 1');
    expect(fate('nup', 8, mac)).toContain('refused: print option nup = 8');
  });

  it('O21: takes media only together with bin where the driver is like that', () => {
    const shy = { ...mac, quirks: { ...mac.quirks, mediaNeedsBin: true } };
    expect(fate('media', 'Bond', shy)).toContain('together with bin');
    expect(fate('media', 'Bond', shy, { bin: 'Tray 1' })).toBe('applied: Bond');
    expect(fate('media', 'Bond', mac)).toBe('applied: Bond');
  });

  it('O14: turns 180 into 0 and 270 into 90 where the driver is like that', () => {
    const half = { ...laser, quirks: { ...laser.quirks, rotateMod180: true } };
    expect([0, 90, 180, 270].map((degrees) => fate('rotate', degrees, half))).toEqual([
      'applied: 0',
      'applied: 90',
      'applied: 0',
      'applied: 90',
    ]);
    expect(fate('rotate', '270', laser)).toBe('applied: 270');
  });

  it('O24: refuses two sides on a printer that has one, and lets it print one side', () => {
    const simplex = PRINTER_PROFILES.load('label-4x6');
    expect(fate('duplex', 'long-edge', simplex)).toBe(
      'refused: print option duplex = "long-edge": the printer prints one side only',
    );
    expect(fate('duplex', 'one-sided', simplex)).toBe('applied: one-sided');
    expect(fate('duplex', 'long-edge', silent)).toContain('ignored: the printer does not report');
  });

  it('keeps leading spaces and strange signs in names', () => {
    const odd = PRINTER_PROFILES.load('inkjet-leading-spaces');
    expect(fate('bin', ' Tray 1', odd)).toBe('applied:  Tray 1');
    expect(fate('bin', 'Tray 1', odd)).toContain('refused');
  });
});
