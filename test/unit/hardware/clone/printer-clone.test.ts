import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { Press } from '../../../../src/devices/press/press.ts';
import { PRINTER_PROFILES, type PrinterProfile } from '../../../../src/devices/printer/printer-profile.ts';
import { VirtualPrinter } from '../../../../src/devices/printer/printer.ts';
import { cloneOf } from '../../../../src/hardware/clone/printer-clone.ts';
import { ExposedRoom } from '../../../../src/hardware/exposed-room.ts';
import { attributesFromJson, attributesToJson } from '../../../../src/hardware/ipp/attribute-json.ts';
import { integer, keyword, nameText, text, type IppAttribute } from '../../../../src/hardware/ipp/attribute.ts';
import { isIdentity } from '../../../../src/hardware/ipp/identity.ts';
import { printerAttributes } from '../../../../src/hardware/ipp/ipp-client.ts';

const clock = new VirtualClock();
const press = new Press(clock);
const names = PRINTER_PROFILES.names();
let originals: ExposedRoom;
let clones: ExposedRoom;

function exposed(profiles: readonly PrinterProfile[]): Promise<ExposedRoom> {
  const printers = profiles.map((profile, index) => {
    const options = { clock, press, timeScale: 0, trayCapacity: 5 };
    const printer = new VirtualPrinter(index + 1, { profile, name: names[index] }, options, {
      refresh: () => undefined,
    });
    // Some were switched off when they were recorded.
    printer.clear();
    return printer;
  });
  const computers = (): { name: string; printers: VirtualPrinter[]; scales: [] }[] => [
    { name: 'DESK', printers, scales: [] },
  ];
  return ExposedRoom.open({ clock, press, exposure: { ipp: 0 }, computers });
}

function attributesOf(room: ExposedRoom, name: string): Promise<IppAttribute[]> {
  return printerAttributes(room.addresses.find((one) => one.name === name)?.uris.ipp ?? '');
}

/** As a file of fixtures/printers is read. */
async function cloned(name: string): Promise<PrinterProfile> {
  const clone = cloneOf(await attributesOf(originals, name), 'a test');
  return PRINTER_PROFILES.read(JSON.stringify(clone), 'clone.json');
}

function byName(attributes: readonly IppAttribute[]): Record<string, unknown> {
  return attributesToJson(attributes.toSorted((a, b) => a.name.localeCompare(b.name)));
}

function model(attributes: readonly IppAttribute[]): Record<string, unknown> {
  return byName(attributes.filter((attribute) => !isIdentity(attribute)));
}

beforeAll(async () => {
  originals = await exposed(names.map((name) => PRINTER_PROFILES.load(name)));
  clones = await exposed(await Promise.all(names.map(cloned)));
}, 60_000);

afterAll(async () => {
  await Promise.all([originals?.close(), clones?.close()]);
  await press.close();
});

describe('the clone of a printer', () => {
  it.each(names)('answers as its original, attribute by attribute: %s', async (name) => {
    const [original, clone] = [await attributesOf(originals, name), await attributesOf(clones, name)];
    expect(model(clone)).toEqual(model(original));
    expect(clone.map((one) => one.name).toSorted()).toEqual(original.map((one) => one.name).toSorted());
    expect(Object.keys(model(original)).length).toBeGreaterThan(70);
  });

  it.each(names)('has papers, trays and resolutions of its original: %s', async (name) => {
    const profile = PRINTER_PROFILES.load(name);
    const clone = await cloned(name);
    const known = profile.capabilities;
    expect(clone.capabilities).toMatchObject({ color: known?.color === true, duplex: known?.duplex === true });
    const papers = Object.values(known?.papers ?? {}).filter((size) => size.every((side) => side !== null && side > 0));
    expect(Object.keys(clone.capabilities?.papers ?? {})).toHaveLength(papers.length || 2);
  });

  it('keeps nothing that says which printer it was', () => {
    const attributes = [
      nameText('printer-name', 'Laser of Ada'),
      text('printer-location', 'Room 7'),
      text('printer-device-id', 'MFG:A;SN:123;MDL:B;'),
      text('printer-make-and-model', 'A B'),
      keyword('media-supported', 'iso_a4_210x297mm'),
    ];
    const { ipp } = cloneOf(attributes, 'a test');
    expect(Object.keys(ipp ?? {})).toEqual(['printer-device-id', 'printer-make-and-model', 'media-supported']);
    expect(ipp?.['printer-device-id']).toEqual([{ textWithoutLanguage: ['MFG:A;MDL:B;'] }]);
  });
});

describe('attributes as JSON', () => {
  it('come back as they were, whatever their types', () => {
    const attributes: IppAttribute[] = [
      integer('n', 1, 2),
      {
        name: 'mixed',
        values: [
          { type: 'keyword', value: 'a' },
          { type: 'nameWithoutLanguage', value: 'B' },
        ],
      },
      { name: 'none', values: [{ type: 'no-value' }] },
      { name: 'range', values: [{ type: 'rangeOfInteger', lower: 1, upper: 9 }] },
      { name: 'dots', values: [{ type: 'resolution', x: 600, y: 300, unit: 3 }] },
      { name: 'flag', values: [{ type: 'boolean', value: false }] },
      { name: 'said', values: [{ type: 'textWithLanguage', language: 'de', value: 'Grüße' }] },
      { name: 'bytes', values: [{ type: 'octetString', bytes: Buffer.of(0xff, 0x00) }] },
      { name: 'tray', values: [{ type: 'octetString', bytes: Buffer.from('type=other;') }] },
      { name: 'when', values: [{ type: 'dateTime', bytes: Buffer.alloc(11, 1) }] },
      { name: 'odd', values: [{ type: 'other', tag: 0x50, bytes: Buffer.of(1) }] },
      { name: 'nested', values: [{ type: 'collection', members: [integer('x', 3)] }] },
    ];
    const json = JSON.parse(JSON.stringify(attributesToJson(attributes)));
    expect(attributesFromJson(json)).toEqual(attributes);
  });

  it('are refused by name where they cannot be read', () => {
    expect(() => attributesFromJson({ copies: [{ integer: ['two'] }] })).toThrow(
      `IPP attribute copies cannot have the value "two" of type 'integer'`,
    );
    expect(() => attributesFromJson({ copies: [{ int: [2] }] })).toThrow("of type 'int'");
  });
});
