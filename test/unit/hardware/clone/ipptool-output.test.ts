import { describe, expect, it } from 'vitest';

import { attributesFromIpptool } from '../../../../src/hardware/clone/ipptool-output.ts';
import { attributesToJson } from '../../../../src/hardware/ipp/attribute-json.ts';

const ASKED = `"/usr/share/cups/ipptool/get-printer-attributes.test":
    Get-Printer-Attributes:
        printer-uri (uri) = ipp://printer.example/ipp/print
        requested-attributes (1setOf keyword) = all,media-col-database
    Get printer attributes using get-printer-attributes                  [PASS]
        RECEIVED: 9188 bytes in response
        status-code = successful-ok (successful-ok)
        attributes-charset (charset) = utf-8
        printer-state (enum) = idle
`;

function read(...lines: readonly string[]): Record<string, unknown> {
  const output = ASKED + lines.map((line) => `        ${line}\n`).join('');
  return attributesToJson(attributesFromIpptool(output, 'printer.txt'));
}

describe('what ipptool says of a printer', () => {
  it('is what was received, and not what was asked', () => {
    expect(read()).toEqual({ 'printer-state': [{ enum: [3] }] });
  });

  it.each([
    [
      'sides-supported (1setOf keyword) = one-sided,two-sided-long-edge',
      [{ keyword: ['one-sided', 'two-sided-long-edge'] }],
    ],
    ['copies-supported (rangeOfInteger) = 1-999', [{ rangeOfInteger: [[1, 999]] }]],
    ['media-left-margin-supported (1setOf integer) = 0,423', [{ integer: [0, 423] }]],
    ['color-supported (boolean) = true', [{ boolean: [true] }]],
    [
      'printer-resolution-supported (1setOf resolution) = 300dpi,600x1200dpi,40dpcm',
      [
        {
          resolution: [
            [300, 300, 3],
            [600, 1200, 3],
            [40, 40, 4],
          ],
        },
      ],
    ],
    ['printer-geo-location (unknown) = unknown', [{ unknown: [null] }]],
    ['finishings-supported (1setOf enum) = none,staple-dual-left,fold-z,120', [{ enum: [3, 28, 100, 120] }]],
    [
      'operations-supported (1setOf enum) = Print-Job,Get-Jobs,Identify-Printer,0x4027',
      [{ enum: [2, 10, 60, 0x4027] }],
    ],
    ['print-quality-supported (1setOf enum) = draft,high', [{ enum: [3, 5] }]],
    ['printer-device-id (textWithoutLanguage) = MFG:A;CMD:PDF,URF;', [{ textWithoutLanguage: ['MFG:A;CMD:PDF,URF;'] }]],
    [
      'printer-supply-description (1setOf textWithoutLanguage) = cyan, light,black',
      [{ textWithoutLanguage: ['cyan, light', 'black'] }],
    ],
    ['printer-name (nameWithLanguage) = Drucker[de-at]', [{ nameWithLanguage: [['de-at', 'Drucker']] }]],
    [
      'printer-input-tray (1setOf octetString) = type=a;name=Tray\\ 1,2;,type=b;name=\\303\\234ber;',
      [{ octetString: ['type=a;name=Tray 1,2;', 'type=b;name=Über;'] }],
    ],
    ['printer-organization (textWithoutLanguage) = ', [{ textWithoutLanguage: [''] }]],
  ])('has %s', (line, values) => {
    expect(Object.values(read(line)).at(-1)).toEqual(values);
  });

  it('has the members of collections, by how they look', () => {
    const medium =
      '{media-size={x-dimension=21000 y-dimension=9000-29700} media-source=tray-1 media-info=Our label, small media-bottom-margin=0,423}';
    const { 'media-col-ready': ready } = read(`media-col-ready (1setOf collection) = ${medium},${medium}`);
    const size = { 'x-dimension': [{ integer: [21_000] }], 'y-dimension': [{ rangeOfInteger: [[9_000, 29_700]] }] };
    const one = {
      'media-size': [{ collection: [size] }],
      'media-source': [{ keyword: ['tray-1'] }],
      'media-info': [{ nameWithoutLanguage: ['Our label, small'] }],
      'media-bottom-margin': [{ integer: [0, 423] }],
    };
    expect(ready).toEqual([{ collection: [one, one] }]);
  });

  it.each([
    ['a name without a known number', 'finishings-supported (enum) = vendor-magic'],
    ['a collection that was too long for ipptool', 'media-col-database (1setOf collection) = '],
    ['a collection that was cut', 'media-col-ready (collection) = {media-size={x-dimension=2'],
  ])('lacks %s', (_what, line) => {
    expect(Object.keys(read(line))).toEqual(['printer-state']);
  });

  it.each(['', 'Hello', '{"ipp": {}}', ASKED.slice(0, 300)])('is not in %j', (output) => {
    expect(() => attributesFromIpptool(output, 'printer.txt')).toThrow('printer.txt has no attributes of a printer');
  });
});
