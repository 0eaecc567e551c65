import { describe, expect, it } from 'vitest';

import { createRandom } from '../../../src/common/random.ts';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { DEFAULT_ROOM } from '../../../src/devices/default-room.ts';
import {
  loadPrinterProfile,
  printerProfileNames,
  readPrinterProfile,
} from '../../../src/devices/printer-profile.ts';
import { Room, type RoomDescription } from '../../../src/devices/room.ts';
import { InMemoryLink } from '../../support/in-memory-link.ts';

function roomOf(description: RoomDescription, link = new InMemoryLink()): Room {
  return new Room(description, {
    clock: new VirtualClock(),
    random: createRandom(1),
    link,
    serviceUrl: 'http://127.0.0.1:8631',
    credential: { kind: 'api-key', key: 'k' },
  });
}

describe('a room', () => {
  it('connects all its computers, which report all their printers', async () => {
    const link = new InMemoryLink();
    const room = roomOf(DEFAULT_ROOM, link);
    await room.connect();
    expect(room.computers.map((computer) => computer.name)).toEqual(['FRONT-DESK', 'BACK-OFFICE']);
    expect(link.printerReports.map((printers) => printers.length)).toEqual([3, 1]);
    await room.close();
    expect(room.computers.some((computer) => computer.connected)).toBe(false);
  });

  it('finds a printer by name, and says which there are when there is none', () => {
    const room = roomOf(DEFAULT_ROOM);
    expect(room.printer('Office MFP').capabilities?.color).toBe(true);
    expect(() => room.printer('Lazer')).toThrow("the room has no printer 'Lazer'");
    expect(() => room.printer('Laser', 'BACK-OFFICE')).toThrow("the room has no printer 'Laser'");
  });

  it('refuses a printer profile that does not exist', () => {
    const description = { computers: [{ name: 'A', printers: [{ profile: 'no-such' }] }] };
    expect(() => roomOf(description)).toThrow("there is no printer profile 'no-such'");
  });
});

describe('printer profiles', () => {
  it.each(printerProfileNames())('%s is in order, and its own paper is one that it has', (name) => {
    const { capabilities, defaults } = loadPrinterProfile(name);
    const papers = Object.keys(capabilities?.papers ?? {});
    expect([undefined, ...papers]).toContain(defaults.paper);
  });

  it('are refused with the file and every problem in it', () => {
    const json = JSON.stringify({ kind: 'laser', name: '', why: 'short', os: 'windows', capabilities: null });
    expect(() => readPrinterProfile(json, 'mine.json')).toThrow(/mine\.json.*name.*description.*why/);
    expect(() => readPrinterProfile('{', 'mine.json')).toThrow('mine.json is not JSON');
  });
});
