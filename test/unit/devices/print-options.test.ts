import { describe, expect, it } from 'vitest';

import { readPrintOptions } from '../../../src/devices/print-options.ts';
import { loadPrinterProfile } from '../../../src/devices/printer-profile.ts';

const laser = loadPrinterProfile('laser-a4');
const silent = loadPrinterProfile('null-capabilities');
const unsized = loadPrinterProfile('inkjet-null-sizes');

describe('readPrintOptions', () => {
  it.each([
    [{ paper: 'A9' }, 'print option paper = "A9": the printer has none of that name'],
    [{ bin: 'Tray 9' }, 'print option bin = "Tray 9": the printer has none of that name'],
    [{ dpi: '5x5' }, 'print option dpi = "5x5": the printer has none of that name'],
    [{ media: 'Gold' }, 'print option media = "Gold": the printer has none of that name'],
    [{ copies: 1000 }, 'print option copies = 1000: the printer makes at most 999'],
    [{ copies: 0 }, 'print option copies = 0: a positive integer is needed'],
    [{ copies: 'two' }, 'print option copies = "two": a positive integer is needed'],
    [{ pages: ['1'] }, 'print option pages = ["1"]: a page set is needed'],
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
      ignored: { shiny: 'no print option of this name' },
    });
  });

  it('passes over a choice that the driver reports nothing about', () => {
    const read = readPrintOptions({ paper: 'A4', copies: 5000 }, silent);
    expect(read.ok && read.value.settings).toEqual({ copies: 5000 });
    expect(read.ok && read.value.record.ignored).toHaveProperty('paper');
  });

  it('prints on the size of the document page where the driver knows no size of the paper', () => {
    const read = readPrintOptions({ paper: '4x6' }, unsized);
    expect(read.ok && read.value.record.ignored['paper']).toContain('no size');
  });

  it('is not fooled by names that every object has', () => {
    expect(readPrintOptions({ paper: 'constructor' }, laser).ok).toBe(false);
    const read = readPrintOptions({ toString: 1 }, laser);
    expect(read.ok && read.value.record.ignored['toString']).toBe('no print option of this name');
  });
});
