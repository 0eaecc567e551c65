import { describe, expect, it } from 'vitest';

import { createRandom } from '../../../../src/common/random.ts';
import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { Room, type RoomDescription } from '../../../../src/devices/room.ts';
import { InMemoryLink } from '../../../support/in-memory-link.ts';

const SHIPPING: RoomDescription['computers'][number] = {
  name: 'SHIPPING',
  clockSkewMs: -60_000,
  printers: [],
  scales: [
    { profile: 'mettler-ps60', name: 'Workbench' },
    { profile: 'mettler-ps60', name: 'Workbench', port: null },
  ],
};

class ShippingRoom {
  readonly clock = new VirtualClock();
  readonly link = new InMemoryLink();
  readonly room: Room;

  constructor(computer = SHIPPING) {
    this.room = new Room(
      { computers: [computer] },
      {
        clock: this.clock,
        random: createRandom(1),
        link: this.link,
        serviceUrl: 'http://127.0.0.1:8631',
        credential: { kind: 'api-key', key: 'k' },
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.room.close();
  }
}

describe('the scales of a computer', () => {
  it('are reported when it connects, with their latest readings', async () => {
    await using shipping = new ShippingRoom();
    await shipping.room.connect();
    const [scales] = shipping.link.scaleReports;
    expect(scales).toEqual([
      expect.objectContaining({
        key: 'scale-1',
        deviceName: 'Workbench',
        vendorId: 3768,
        productId: 61440,
        port: 'COM1',
      }),
      expect.objectContaining({ key: 'scale-2', deviceName: 'Workbench', port: null }),
    ]);
    expect(shipping.link.readings.map(({ scaleKey, mass }) => [scaleKey, mass[0]])).toEqual([
      ['scale-1', 0],
      ['scale-2', 0],
    ]);
  });

  it('are not reported by a computer that has none', async () => {
    await using shipping = new ShippingRoom({ name: 'DESK', printers: [] });
    await shipping.room.connect();
    shipping.link.refresh();
    expect(shipping.link.scaleReports).toEqual([]);
  });

  it('report what they weigh, at the time of a clock that is a minute slow', async () => {
    await using shipping = new ShippingRoom();
    await shipping.room.connect();
    shipping.room.scales[0]?.load(2_500_000_000);
    await shipping.clock.advance('1s');
    expect(shipping.link.readings.at(-1)).toEqual({
      scaleKey: 'scale-1',
      mass: [2_494_758_035, 22_679_619],
      measurement: { lb: 5_500_000_000 },
      clientReportedCreateTimestamp: '2025-12-31T23:59:00.500Z',
    });
  });

  it('are listed again when one is unplugged or plugged in, and when the service asks', async () => {
    await using shipping = new ShippingRoom();
    await shipping.room.connect();
    shipping.room.scales[0]?.unplug();
    shipping.room.scales[0]?.plug();
    shipping.link.refresh();
    const keys = shipping.link.scaleReports.map((scales) => scales.map(({ key }) => key));
    const both = ['scale-1', 'scale-2'];
    expect(keys).toEqual([both, ['scale-2'], both, both]);
  });

  it('keep quiet while there is no connection, and report where they stand at the next', async () => {
    await using shipping = new ShippingRoom();
    await shipping.room.connect();
    shipping.room.computer('SHIPPING').cut();
    const before = shipping.link.readings.length;
    shipping.link.refusal = { reason: 'unreachable', message: 'not there' };
    shipping.room.scales[0]?.load(1_000_000_000);
    await shipping.clock.advance('10m');
    expect(shipping.link.readings).toHaveLength(before);
    shipping.link.refusal = undefined;
    await shipping.clock.advance('31s');
    expect(shipping.link.readings.slice(before).map(({ measurement }) => measurement)).toContainEqual({
      lb: 2_200_000_000,
    });
    expect(shipping.link.scaleReports).toHaveLength(2);
  });

  it('leave nothing scheduled while nothing lies on them', async () => {
    await using shipping = new ShippingRoom();
    await shipping.room.connect();
    await shipping.clock.advance('14d');
    expect(shipping.link.readings).toHaveLength(2);
  });

  it.each([1e13, -1e13, Number.NaN])('cannot have a clock that is %s ms wrong', (clockSkewMs) => {
    expect(() => new ShippingRoom({ ...SHIPPING, clockSkewMs })).toThrow("a computer's clock cannot be");
  });

  it('are found by name, and refused when the profile does not exist', async () => {
    await using shipping = new ShippingRoom();
    expect(shipping.room.scales).toHaveLength(2);
    expect(() => shipping.room.scale('Table')).toThrow("the room has no scale 'Table'");
    const wrong = { ...SHIPPING, scales: [{ profile: 'no-such' }] };
    expect(() => new ShippingRoom(wrong)).toThrow("there is no scale profile 'no-such'");
  });
});
