import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runService, type RunningService } from '../../../support/running-service.ts';
import { ScriptedComputer } from '../../../support/scripted-computer.ts';

const NAME = 'Fairbanks Scales - SCB-R9000';

let service: RunningService;
beforeEach(async () => {
  service = await runService();
});
afterEach(() => service[Symbol.asyncDispose]());

function scale(key: string, overrides: object = {}): object {
  return {
    key,
    deviceName: NAME,
    vendor: 'Fairbanks',
    product: 'SCB-R9000',
    vendorId: 2919,
    productId: 21854,
    port: '\\\\?\\hid#vid_0b67&pid_555e#7&1f8c62d&0&0000#{4d1e55b2}',
    ...overrides,
  };
}

async function plug(computer: ScriptedComputer, ...scales: object[]): Promise<void> {
  await computer.report({ type: 'scales', scales });
}

async function weigh(computer: ScriptedComputer, scaleKey: string, overrides: object = {}): Promise<void> {
  await computer.report({
    type: 'reading',
    scaleKey,
    mass: [1_200_000_000, 5_000_000],
    measurement: { kg: 1_200_000_000 },
    clientReportedCreateTimestamp: '2026-01-01T01:00:00+01:00',
    ...overrides,
  });
}

async function get(path: string): Promise<unknown> {
  const answer = await service.call('GET', path);
  expect(answer.status).toBe(200);
  return answer.body;
}

function pathOf(deviceName: string, deviceNum = 0): string {
  return `/computer/1/scale/${encodeURIComponent(deviceName)}/${deviceNum}`;
}

describe('reading scales', () => {
  it('shows the scale data object with all its keys in the order of the table', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    await plug(computer, scale('usb-1'));
    await weigh(computer, 'usb-1');
    await service.clock.advance('7s');
    const { text } = await service.call('GET', pathOf(NAME));
    expect(text).toBe(
      JSON.stringify({
        mass: [1_200_000_000, 5_000_000],
        computerId: 1,
        vendor: 'Fairbanks',
        product: 'SCB-R9000',
        vendorId: 2919,
        productId: 21854,
        port: '\\\\?\\hid#vid_0b67&pid_555e#7&1f8c62d&0&0000#{4d1e55b2}',
        deviceName: NAME,
        deviceNum: 0,
        count: null,
        measurement: { kg: 1_200_000_000 },
        clientReportedCreateTimestamp: '2026-01-01T00:00:00.000Z',
        ntpOffset: null,
        ageOfData: 7_000,
      }),
    );
  });

  it.each(['a b', 'a+b', 'a#1', 'a/b', '50%', 'Küche ⚖', 'scales', '__proto__', ' a?b&c=d', '%2F'])(
    'finds a scale called %j',
    async (deviceName) => {
      await using computer = await ScriptedComputer.connect(service.url);
      await plug(computer, scale('a', { deviceName }), scale('b'));
      await weigh(computer, 'a');
      await weigh(computer, 'b');
      expect(await get(pathOf(deviceName))).toMatchObject({ deviceName });
      expect(await get(`/computer/1/scales/${encodeURIComponent(deviceName)}`)).toMatchObject([{ deviceName }]);
    },
  );

  it('takes a blank in a name as + too', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    await plug(computer, scale('a', { deviceName: 'my scale' }));
    await weigh(computer, 'a');
    expect(await get('/computer/1/scale/my+scale/0')).toMatchObject({ deviceName: 'my scale' });
  });

  it('shows mass and measurement exactly, past 2^31 and up to 2^53', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    await plug(computer, scale('a', { vendor: null, product: null, port: null }));
    const readings = [
      { mass: [2_147_483_648, null], measurement: { lb: 40_000_000_000, oz: 5_200_000_000 } },
      { mass: [Number.MAX_SAFE_INTEGER, 1], measurement: { g: Number.MAX_SAFE_INTEGER } },
      { mass: [null, 5_000_000], measurement: {} },
    ];
    for (const reading of readings) {
      await weigh(computer, 'a', reading);
      expect(await get(pathOf(NAME))).toMatchObject({ ...reading, vendor: '', product: '', port: '' });
    }
  });

  it('keeps a reading 45 s also when its scale is unplugged or its computer gone', async () => {
    const computer = await ScriptedComputer.connect(service.url);
    await plug(computer, scale('a'));
    await weigh(computer, 'a');
    await plug(computer);
    await computer[Symbol.asyncDispose]();
    await service.clock.advance(44_999);
    expect(await get('/computer/1/scales')).toHaveLength(1);
  });

  it('lists a renamed scale once, under its new name', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    await plug(computer, scale('a'));
    await weigh(computer, 'a');
    await plug(computer, scale('a', { deviceName: 'Counter' }));
    await weigh(computer, 'a');
    expect(await get('/computer/1/scales')).toMatchObject([{ deviceName: 'Counter', deviceNum: 0 }]);
  });

  it('acknowledges and ignores a reading of a scale that is not plugged in', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    await weigh(computer, 'unknown');
    expect(await get('/computer/1/scales')).toEqual([]);
  });

  it('forgets the readings of a computer that was deleted', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    await plug(computer, scale('a'));
    await weigh(computer, 'a');
    await service.call('DELETE', '/computers/1');
    expect(await get('/computer/1/scales')).toEqual([]);
  });
});

describe('PUT /scale', () => {
  it('stores 779 g of the virtual scale at computer 0 and answers with the object', async () => {
    const answer = await service.call('PUT', '/scale');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        mass: [779_000_000, null],
        computerId: 0,
        vendorId: 0,
        productId: 0,
        deviceName: 'Service Test Scale',
        deviceNum: 0,
        measurement: { g: 779_000_000_000 },
        clientReportedCreateTimestamp: '2026-01-01T00:00:00.000Z',
        ageOfData: 0,
      },
    });
    expect(await get('/computer/0/scale/Service%20Test%20Scale/0')).toEqual(answer.body);
    expect(await get('/computer/0/scales')).toEqual([answer.body]);
  });

  it.each([
    [{}, [779_000_000, null], { g: 779_000_000_000 }],
    [{ mass: [null, 7] }, [null, 7], {}],
    [{ mass: ['5000000000', null] }, [5_000_000_000, null], { g: 5_000_000_000_000 }],
    [{ measurement: { g: 20_000_000_000 } }, [20_000_000, null], { g: 20_000_000_000 }],
    [{ measurement: { kg: 1_200_000_000 } }, [1_200_000_000, null], { kg: 1_200_000_000 }],
    [{ measurement: { oz: 800_000_000 } }, [22_679_619, null], { oz: 800_000_000 }],
    [{ measurement: { lb: 2_050_000_000 } }, [929_864_359, null], { lb: 2_050_000_000 }],
    [{ measurement: { lb: 40e9, oz: 5_200_000_000 } }, [18_291_112_320, null], { lb: 40e9, oz: 5_200_000_000 }],
    [{ measurement: { g: -50e9 } }, [null, null], { g: -50e9 }],
    [{ measurement: {} }, [null, null], {}],
    [{ mass: [1, 2], measurement: { oz: 3 } }, [1, 2], { oz: 3 }],
  ])('takes %j', async (body, mass, measurement) => {
    const answer = await service.call('PUT', '/scale', { body });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toHaveProperty('mass', mass);
    expect(answer.body).toHaveProperty('measurement', measurement);
  });

  it('takes a form as well', async () => {
    const answer = await service.call('PUT', '/scale', {
      body: 'mass[]=1000&mass[]=&measurement[oz]=35&vendor=A+B&vendorId=7',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const expected = { mass: [1_000, null], measurement: { oz: 35 }, vendor: 'A B', vendorId: 7 };
    expect(answer).toMatchObject({ status: 200, body: expected });
  });

  it('needs no body, also with a JSON Content-Type', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(await service.call('PUT', '/scale', { headers })).toMatchObject({ status: 200 });
  });

  it('takes a vendor, product, port and USB ids', async () => {
    const body = { vendor: 'V', product: 'P', port: 'USB1', vendorId: 2338, productId: '32771' };
    const answer = await service.call('PUT', '/scale', { body });
    expect(answer.body).toMatchObject({ ...body, productId: 32_771 });
  });

  it.each([
    ['mass', { mass: 5 }],
    ['mass', { mass: [1] }],
    ['mass[0]', { mass: [-1, null] }],
    ['mass[0]', { mass: [1.5, null] }],
    ['mass[0]', { mass: [Number.MAX_SAFE_INTEGER, null] }],
    ['mass[1]', { mass: [1, 'x'] }],
    ['measurement', { measurement: [] }],
    ['measurement', { measurement: { st: 1 } }],
    ['measurement.g', { measurement: { g: 0.5 } }],
    ['measurement', { measurement: { lb: Number.MAX_SAFE_INTEGER, kg: Number.MAX_SAFE_INTEGER } }],
    ['vendor', { vendor: 7 }],
    ['vendor', { vendor: 'v'.repeat(1_001) }],
    ['vendorId', { vendorId: 65_536 }],
    ['body', []],
    ['body', '"text"'],
  ])('refuses a wrong %s: %j', async (field, body) => {
    const answer = await service.call('PUT', '/scale', { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BadRequest', message: expect.stringContaining(field) },
    });
    expect(await get('/computer/0/scales')).toEqual([]);
  });
});
