import { describe, expect, it } from 'vitest';

import { createRandom } from '../../../../src/common/random.ts';
import { Room } from '../../../../src/devices/room.ts';
import { webSocketLink } from '../../../../src/link/websocket-link.ts';
import { FIRST_KEY, runService, type RunningService } from '../../../support/running-service.ts';

class ShippingDesk {
  readonly service: RunningService;
  readonly room: Room;

  constructor(service: RunningService) {
    this.service = service;
    this.room = new Room(
      {
        computers: [
          {
            name: 'SHIPPING',
            printers: [],
            scales: [{ profile: 'dymo-s250', name: 'Floor scale' }, { profile: 'dymo-m10' }],
          },
        ],
      },
      {
        clock: service.clock,
        random: createRandom(1),
        link: webSocketLink(service),
        serviceUrl: service.url,
        credential: { kind: 'api-key', key: FIRST_KEY },
      },
    );
  }

  async scales(path = 'scales'): Promise<unknown> {
    const answer = await this.service.call('GET', `/computer/${this.room.computer('SHIPPING').id}/${path}`);
    return answer.body;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.room.close();
    await this.service[Symbol.asyncDispose]();
  }
}

describe('a scale and the service', () => {
  it('show the same weight, far beyond 32 bits, for as long as it lies there', async () => {
    await using desk = new ShippingDesk(await runService());
    await desk.room.connect();
    desk.room.scale('Floor scale').load(68_038_855_500);
    await desk.service.clock.advance('2m');
    expect(await desk.scales('scale/Floor%20scale/0')).toMatchObject({
      mass: [68_038_855_500, 226_796_185],
      measurement: { lb: 150_000_000_000 },
      deviceName: 'Floor scale',
      deviceNum: 0,
      vendor: 'DYMO',
      vendorId: 2338,
      productId: 32_777,
      port: 'USB2',
    });
  });

  it('agree that a scale that switched itself off is gone after 45 seconds', async () => {
    await using desk = new ShippingDesk(await runService());
    await desk.room.connect();
    const scale = desk.room.computer('SHIPPING').scales[1];
    scale?.load(100_000_000);
    await desk.service.clock.advance('179s');
    expect(await desk.scales()).toMatchObject([{ measurement: { lb: 0, oz: 3_500_000_000 } }]);
    await desk.service.clock.advance('46s');
    expect(scale?.attached).toBe(false);
    expect(await desk.scales()).toEqual([]);
  });
});
