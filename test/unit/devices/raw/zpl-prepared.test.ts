import { describe, expect, it } from 'vitest';

import { zplLabels } from '../../../../src/devices/raw/raw-zpl.ts';
import { whatIsMissing, whyNoLabel } from '../../../../src/devices/raw/zpl-commands.ts';
import { zplPrepared } from '../../../../src/devices/raw/zpl-prepared.ts';
import { withSerials } from '../../../../src/devices/raw/zpl-serials.ts';

describe('ZPL before it is drawn', () => {
  it.each([
    ['inches', '^MUI^FO0.5,0.5^GB2,0.5,0.02^FS', '^FO101,101^GB406,101,4^FS'],
    [
      'millimetres, up to dots again',
      '^MUM^FO10,5^A0N,5,5^FDa^FS^MUD^FO10,5^FDb',
      '^FO80,40^A0N,40,40^FDa^FS^FO10,5^FDb',
    ],
    ['the top of the label', '^LT100^FO10,20^FDa', '^FO10,120^FDa'],
    ['the left of the label', '^LS5^FT10,20,1^FDa', '^FT5,20,1^FDa'],
    ['a block of text', '^A0N,50,50^TBN,300,200^FDa', '^A0N,50,50^FB300,4,0,L,0^FDa'],
    ['a picture by its name', '^IMR:T.GRF^FS', '^XGR:T.GRF,1,1^FS'],
    ['a label stored as a picture', '^ILT.GRF', '^FO0,0^XGR:T.GRF,1,1^FS'],
    ['files without a memory', '^DFORDER^FS^XFORDER^FS', '^DFR:ORDER^FS^XFR:ORDER^FS'],
    ['an ellipse', '^GE8,4,1^FS', '^GFA,4,4,1,7E81817E^FS'],
    [
      'letters one below the other',
      '^FO5,5^FPV^A0N,30,30^FDab^FS',
      '^FO5,5^A0N,30,30^FS^FO5,5^A0N,30,30^FDa^FS^FO5,35^A0N,30,30^FDb^FS',
    ],
    ['letters from the right', '^FO5,5^FPR^FDab^FS', '^FO5,5^FDba^FS'],
    ['a serial number', '^SN001,1,Y^FS', '^FD001^FS'],
    ['all else as it is', '~DGR:T.GRF,1,1,FF\n^XA^CC+^FO1,1+FDa^FS+XZ', '~DGR:T.GRF,1,1,FF\n^XA^CC+^FO1,1+FDa^FS+XZ'],
  ])('has %s', (_, zpl, wanted) => {
    expect(zplPrepared(zpl, 8)).toBe(wanted);
  });

  it('has a label for each serial number', () => {
    const zpl = withSerials('^XA^FO1,1^SN098,1,Y^FS^PQ3^XZ^XA^FDx^FS^PQ2^XZ', 25);
    expect(zplLabels(zpl, 9).map(({ fields, copies }) => [fields, copies])).toEqual([
      [['098'], 1],
      [['099'], 1],
      [['100'], 1],
      [['x'], 2],
    ]);
    const pairs = withSerials('^XA^SNA9,-4^FS^PQ4,0,2^XZ', 25);
    expect(zplLabels(pairs, 9).map(({ fields }) => fields[0])).toEqual(['A9', 'A9', 'A5', 'A5']);
  });

  it.each([
    ['hexadecimal escapes', '^FH^FDCaf_C3_A9^FS', 'Caf\xc3\xa9'],
    ['escapes by another letter', '^FH\\^FDa\\5Fb_^FS', 'a_b_'],
    ['lines of a block', '^FB400,3^FDAnna\\&Beta^FS', 'Anna\nBeta'],
    ['an escape of another field', '^FH^FDa^FS^FD_41^FS', 'a|_41'],
  ])('has the text of %s', (_, field, text) => {
    expect(zplLabels(`^XA${field}^XZ`, 1)[0]?.fields.join('|')).toBe(text);
  });
});

describe('a command of ZPL', () => {
  it.each([
    ['SF', 'SF (a serial number by a pattern)'],
    ['YY', 'YY, which is no command that platen knows'],
    ['FD', undefined],
    ['MD', undefined],
    ['AQ', undefined],
  ])('%s is drawn, or named', (command, missing) => {
    expect(whatIsMissing(command)).toBe(missing);
  });

  it('B8 leaves the whole label undrawn, and says so', () => {
    expect(whyNoLabel('B8')).toContain('EAN-8');
    expect(whyNoLabel('BC')).toBeUndefined();
  });
});
