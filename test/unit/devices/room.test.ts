import { describe, expect, it } from 'vitest';

import { FaultPlan } from '../../../src/common/fault-plan.ts';
import { createRandom } from '../../../src/common/random.ts';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { DEFAULT_ROOM } from '../../../src/devices/default-room.ts';
import { PRINTER_PROFILES } from '../../../src/devices/printer/printer-profile.ts';
import { Room, type RoomDescription, type RoomOptions } from '../../../src/devices/room.ts';
import type { DeliveredJob } from '../../../src/link/device-link.ts';
import { CountingClock } from '../../support/counting-clock.ts';
import { InMemoryLink } from '../../support/in-memory-link.ts';
import { jobMessage } from '../../support/link-computer.ts';

function roomOf(description: RoomDescription, link = new InMemoryLink(), options: Partial<RoomOptions> = {}): Room {
  return new Room(description, {
    clock: new VirtualClock(),
    random: createRandom(1),
    link,
    serviceUrl: 'http://127.0.0.1:8631',
    credential: { kind: 'api-key', key: 'k' },
    ...options,
  });
}

function rawJob(jobId: number, printerKey: string): DeliveredJob {
  const { type: _type, id: _id, ...job } = jobMessage(jobId);
  return { ...job, printerKey };
}

const SCALE_AND_PRINTERS = {
  printers: [{ profile: 'laser-a4' }, { profile: 'label-4x6' }],
  scales: [{ profile: 'dymo-m10' }, { profile: 'mettler-ps60' }],
};

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

  it('finds a printer by name, and lists the others where that name is unknown', () => {
    const room = roomOf(DEFAULT_ROOM);
    expect(room.printer('Office MFP').capabilities?.color).toBe(true);
    expect(() => room.printer('Lazer')).toThrow("the room has no printer 'Lazer'");
    expect(() => room.printer('Laser', 'BACK-OFFICE')).toThrow("the room has no printer 'Laser'");
  });

  it('has as many timers as one computer has, however many there are, and none when it is closed', async () => {
    for (const count of [1, 20]) {
      const clock = new CountingClock();
      const names = Array.from({ length: count }, (_, index) => `DESK-${index + 1}`);
      const computers = names.map((name) => ({ name, ...SCALE_AND_PRINTERS }));
      const room = roomOf({ computers }, new InMemoryLink(), { clock });
      await room.connect();
      expect(clock.timers).toBe(1);
      room.scales[1]?.load(1_000_000_000);
      expect(clock.timers).toBe(2);
      await room.close();
      expect(clock.timers).toBe(0);
    }
  });

  it('lets go wrong what its plan says, at the computer that is named there', async () => {
    const clock = new VirtualClock();
    const faults = new FaultPlan(clock, createRandom('faults'));
    const links = [new InMemoryLink(), new InMemoryLink()];
    const rooms = ['A', 'B'].map((name, index) =>
      roomOf({ computers: [{ name, printers: [{ profile: 'laser-a4' }] }] }, links[index], { clock, faults }),
    );
    for (const room of rooms) await room.connect();
    faults.add({ at: 'computer/B', fault: 'crash-after-acknowledged' });
    for (const link of links) await link.deliver(rawJob(1, 'printer-1'));
    await clock.settle();
    expect(rooms.map((room) => room.computers[0]?.connected)).toEqual([true, false]);
    expect(rooms.map((room) => room.printouts().length)).toEqual([1, 0]);
    expect(faults.log).toMatchObject([{ place: 'computer/B', fault: 'crash-after-acknowledged' }]);
    for (const room of rooms) await room.close();
  });

  it('distinguishes two printers of one name, and leaves two defaults as they are', async () => {
    const clock = new VirtualClock();
    const link = new InMemoryLink();
    const twin = { profile: 'laser-a4', name: 'Laser', default: true };
    const room = roomOf({ computers: [{ name: 'DESK', printers: [twin, twin] }] }, link, { clock });
    await room.connect();
    expect(link.printerReports[0]).toMatchObject([
      { key: 'printer-1', name: 'Laser', default: true },
      { key: 'printer-2', name: 'Laser', default: true },
    ]);
    await link.deliver(rawJob(1, 'printer-2'));
    await clock.settle();
    expect(room.printers.map((printer) => printer.printouts().length)).toEqual([0, 1]);
    expect(() => room.printer('Laser')).toThrow("there are 2 printers 'Laser'");
    await room.close();
  });

  it('refuses a printer profile that does not exist', () => {
    const description = { computers: [{ name: 'A', printers: [{ profile: 'no-such' }] }] };
    expect(() => roomOf(description)).toThrow("there is no printer profile 'no-such'");
  });
});

describe('printer profiles', () => {
  it.each(PRINTER_PROFILES.names())('%s is in order, and its own paper is one that it has', (name) => {
    const { capabilities, defaults } = PRINTER_PROFILES.load(name);
    const papers = Object.keys(capabilities?.papers ?? {});
    expect([undefined, ...papers]).toContain(defaults.paper);
  });
});
