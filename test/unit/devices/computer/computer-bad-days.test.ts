/**
 * A computer's bad days, with the reference service at the other end of real sockets.
 */

import { describe, expect, it } from 'vitest';

import { FaultPlan } from '../../../../src/common/fault-plan.ts';
import { createRandom } from '../../../../src/common/random.ts';
import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { CRASH_POINTS } from '../../../../src/devices/computer/crash-points.ts';
import { loadPrinterProfile } from '../../../../src/devices/printer/printer-profile.ts';
import { Room, type RoomDescription } from '../../../../src/devices/room.ts';
import type { DeliveredJob } from '../../../../src/link/device-link.ts';
import { InMemoryLink } from '../../../support/in-memory-link.ts';
import { jobMessage } from '../../../support/link-computer.ts';
import { buildPdf } from '../../../support/pdf-builder.ts';
import { DESK, ServiceRoom } from '../../../support/service-room.ts';

interface InMemoryRoom {
  readonly room: Room;
  readonly link: InMemoryLink;
  readonly clock: VirtualClock;
  readonly faults: FaultPlan;
}

/** A room whose service is in memory. */
function inMemory(description: RoomDescription, clock = new VirtualClock(), seed = 'memory'): InMemoryRoom {
  const link = new InMemoryLink();
  const random = createRandom(seed);
  const faults = new FaultPlan(clock, random.stream('faults'));
  const room = new Room(description, {
    clock,
    random,
    link,
    faults,
    serviceUrl: 'http://127.0.0.1:1',
    credential: { kind: 'api-key', key: 'k' },
  });
  return { room, link, clock, faults };
}

function rawJob(jobId: number): DeliveredJob {
  const { type: _type, id: _id, ...job } = jobMessage(jobId);
  return { ...job, printerKey: 'printer-1' };
}

function deskWith(changes: Partial<RoomDescription['computers'][number]>): RoomDescription {
  return { computers: DESK.computers.map((computer) => ({ ...computer, ...changes })) };
}

describe('a client program that dies', () => {
  it.each(CRASH_POINTS)('%s: the job is printed once all the same', async (fault) => {
    await using bench = await ServiceRoom.open();
    bench.faults.add({ at: 'computer/DESK', fault, times: 1 });
    const id = await bench.print();
    expect(bench.desk.connected).toBe(false);
    await bench.service.clock.advance('1m');
    expect((await bench.states(id)).at(-1)).toBe('done');
    expect(bench.printed(id)).toBe(1);
    expect(bench.desk.holding()).toEqual([]);
    expect(bench.faults.log).toHaveLength(1);
  });

  it.each([
    ['crash-before-received', 1],
    ['crash-before-acknowledged', 1],
    ['crash-after-acknowledged', 1],
    ['crash-before-spooled', 1],
    ['crash-after-spooled', 2],
    ['crash-after-done', 1],
  ] as const)('%s, and forgets: the job comes out %i times', async (fault, times) => {
    await using bench = await ServiceRoom.open();
    bench.faults.add({ at: 'computer/DESK', fault, times: 1, with: { forget: true } });
    const id = await bench.print();
    await bench.service.clock.advance('1m');
    expect((await bench.states(id)).at(-1)).toBe('done');
    expect(bench.printed(id)).toBe(times);
  });

  it('prints a job once when it dies of another one that came ready at the same moment', async () => {
    await using bench = await ServiceRoom.open();
    bench.faults.add({ at: 'computer/DESK', fault: 'crash-before-spooled', after: 1, times: 1 });
    const content = Buffer.from(buildPdf()).toString('base64');
    const body = { printerId: 1, contentType: 'pdf_base64', content };
    const answers = [1, 2, 3].map(() => bench.service.call('POST', '/printjobs', { body }));
    const ids = (await Promise.all(answers)).map((answer) => answer.body as number);
    await bench.service.clock.advance('1m');
    expect(bench.faults.log).toHaveLength(1);
    expect(ids.map((id) => bench.printed(id))).toEqual([1, 1, 1]);
  });

  it('is started again after as long as it is said to be down', async () => {
    await using bench = await ServiceRoom.open();
    bench.desk.crash({ downMs: 60_000 });
    await bench.service.clock.advance('59s');
    expect(bench.desk.connected).toBe(false);
    const id = await bench.print();
    expect(await bench.states(id)).toEqual(['new']);
    await bench.service.clock.advance('1s');
    expect(bench.desk.connected).toBe(true);
    expect((await bench.states(id)).at(-1)).toBe('done');
  });

  it('stays down for as long as the rule says', async () => {
    await using bench = await ServiceRoom.open();
    bench.faults.add({ at: 'computer', fault: 'crash-after-done', for: '10m' });
    await bench.print();
    await bench.service.clock.advance('9m');
    expect(bench.desk.connected).toBe(false);
    await bench.service.clock.advance('1m');
    expect(bench.desk.connected).toBe(true);
  });

  it('takes up what it held when somebody disconnects it while it is down', async () => {
    await using bench = await ServiceRoom.open();
    bench.faults.add({ at: 'computer/DESK', fault: 'crash-before-spooled', times: 1 });
    const id = await bench.print();
    await bench.desk.disconnect();
    await bench.desk.connect();
    await bench.service.clock.settle();
    expect((await bench.states(id)).at(-1)).toBe('done');
    expect(bench.printed(id)).toBe(1);
  });
});

describe('a computer that forgets', () => {
  it('prints a job it knows again, once for each time it forgets', async () => {
    const { room, link, clock, faults } = inMemory(DESK);
    faults.add({ at: 'computer/DESK', fault: 'forget-job', after: 1, times: 1 });
    await room.connect();
    for (let delivery = 0; delivery < 4; delivery++) {
      await link.deliver(rawJob(1));
      await clock.settle();
    }
    expect(room.printouts(1)).toHaveLength(2);
    await room.close();
  });
});

describe('a computer with more than one connection', () => {
  it('leaves a ghost behind that gets no jobs, and prints what comes once', async () => {
    await using bench = await ServiceRoom.open();
    const id = bench.desk.id;
    await bench.desk.leaveGhost();
    expect(bench.desk.id).toBe(id);
    const job = await bench.print();
    expect(bench.printed(job)).toBe(1);
    expect((await bench.states(job)).at(-1)).toBe('done');
  });

  it('loses to its ghost what the service sends there, until the ghost is gone', async () => {
    await using bench = await ServiceRoom.open();
    await bench.desk.leaveGhost();
    bench.desk.crash({ downMs: 3_600_000 });
    const job = await bench.print();
    expect(await bench.states(job)).toEqual(['new', 'sent_to_client']);
    expect(bench.printed(job)).toBe(0);
    await bench.service.clock.advance('1h');
    expect(bench.printed(job)).toBe(1);
  });

  it('is one computer with its copy, whatever they are called', async () => {
    const installationId = '3f2b8c1e-6d4a-4f7b-9a2c-1d5e8f7a6b4c';
    const computers = ['DESK', 'COPY'].map((name) => ({
      name,
      installationId,
      printers: [{ profile: 'laser-a4', name: 'Laser' }],
    }));
    await using bench = await ServiceRoom.open({ description: { computers } });
    const [desk, copy] = bench.room.computers;
    expect(copy?.id).toBe(desk?.id);
    const job = await bench.print();
    expect(bench.printed(job)).toBe(1);
  });

  it('prints a job twice when its copy comes while it is at work', async () => {
    const installationId = '3f2b8c1e-6d4a-4f7b-9a2c-1d5e8f7a6b4c';
    const printers = [{ profile: 'laser-a4', name: 'Laser' }];
    const computers = ['DESK', 'COPY'].map((name) => ({ name, installationId, printers }));
    await using bench = await ServiceRoom.make({ description: { computers } });
    bench.faults.add({ at: 'computer/DESK', fault: 'crash-after-spooled', times: 1 });
    await bench.room.computer('DESK').connect();
    const job = await bench.print();
    expect(bench.printed(job)).toBe(1);
    await bench.room.computer('COPY').connect();
    await bench.service.clock.advance('1m');
    expect(bench.printed(job)).toBe(2);
  });
});

describe('a computer that sleeps', () => {
  it('is found out by the service, and prints after it woke', async () => {
    await using bench = await ServiceRoom.open();
    bench.desk.sleep();
    await bench.service.clock.advance('2m');
    const { body } = await bench.service.call('GET', '/computers');
    expect(body).toMatchObject([{ state: 'disconnected' }]);
    const job = await bench.print();
    expect(await bench.states(job)).toEqual(['new']);
    bench.desk.wake();
    await bench.service.clock.advance('1m');
    expect(bench.printed(job)).toBe(1);
    expect((await bench.states(job)).at(-1)).toBe('done');
  });

  it('goes on with its connection when it slept so short that nobody noticed', async () => {
    await using bench = await ServiceRoom.open();
    bench.desk.sleep();
    const job = await bench.print();
    expect(await bench.states(job)).toEqual(['new', 'sent_to_client']);
    bench.desk.wake();
    await bench.service.clock.advance('1s');
    expect(bench.printed(job)).toBe(1);
    expect((await bench.states(job)).at(-1)).toBe('done');
  });
});

describe('a computer whose clock is wrong', () => {
  it('reports the times it believes in', async () => {
    const { room, link, clock } = inMemory(deskWith({ clockSkewMs: 3_600_000 }));
    await room.connect();
    await link.deliver(rawJob(1));
    await clock.settle();
    room.computers[0]?.skewClock(-7_200_000);
    await link.deliver(rawJob(2));
    await clock.settle();
    const times = new Set(link.states.map(({ createTimestamp }) => createTimestamp));
    expect([...times]).toEqual(['2026-01-01T01:00:00.000Z', '2025-12-31T23:00:00.000Z']);
    await room.close();
  });
});

describe('an old client', () => {
  it('tells only queued, in_progress and the end, and passes newer options over', async () => {
    await using bench = await ServiceRoom.open({ description: deskWith({ oldClient: true }) });
    const job = await bench.submit(1, { copies: 2, nup: 4 });
    await bench.service.clock.settle();
    expect(await bench.states(job)).toEqual(['new', 'sent_to_client', 'queued', 'in_progress', 'done']);
    expect(bench.room.printouts(job)[0]?.options.asked).toEqual({ copies: 2 });
  });
});

describe('printers that come and go', () => {
  it('are known to the service as soon as they are installed, renamed, or removed', async () => {
    await using bench = await ServiceRoom.open();
    const { desk } = bench;
    const label = desk.addPrinter({ profile: loadPrinterProfile('label-4x6'), name: 'Label' });
    await bench.service.clock.settle();
    expect(await bench.printers()).toContain('Label: online');
    desk.renamePrinter(label, 'Label, new');
    await bench.service.clock.settle();
    expect((await bench.printers()).filter((name) => name.startsWith('Label'))).toEqual([
      'Label, new: online',
    ]);
    expect(bench.printed(await bench.print(2))).toBe(1);
    desk.removePrinter(label);
    desk.removePrinter(label);
    await bench.service.clock.settle();
    expect(await bench.printers()).not.toContain('Label, new: online');
  });

  it('end a job in error when they were removed while it was queued', async () => {
    await using bench = await ServiceRoom.open();
    const [laser] = bench.desk.printers;
    await bench.desk.disconnect();
    const job = await bench.submit();
    if (laser) bench.desk.removePrinter(laser);
    await bench.desk.connect();
    await bench.service.clock.settle();
    const end = (await bench.timeline(job)).at(-1);
    expect(end?.state).toBe('error');
    expect(end?.message).toContain('printer not found');
  });

  it('never give their key to another', async () => {
    await using bench = await ServiceRoom.open();
    const [laser] = bench.desk.printers;
    if (laser) bench.desk.removePrinter(laser);
    const next = bench.desk.addPrinter({ profile: loadPrinterProfile('laser-a4'), name: 'Laser' });
    expect(next.key).not.toBe(laser?.key);
  });
});

describe('a room whose service comes back', () => {
  it('spreads its attempts: no tenth of a second sees more than a few of them', async () => {
    const clock = new VirtualClock();
    const desks = Array.from({ length: 400 }, (_, index) => inMemory(DESK, clock, `storm ${index}`));
    const links = desks.map(({ link }) => link);
    const rooms = desks.map(({ room }) => room);
    await Promise.all(rooms.map((room) => room.connect()));
    for (const link of links) {
      link.refusal = { reason: 'unreachable', message: 'nobody there' };
      link.drop();
    }
    await clock.advance('20s');
    for (const link of links) link.refusal = undefined;
    const perTick: number[] = [];
    for (let tick = 0; tick < 300; tick++) {
      const before = connectedOf(rooms);
      await clock.advance('100ms');
      perTick.push(connectedOf(rooms) - before);
    }
    expect(connectedOf(rooms)).toBe(400);
    expect(Math.max(...perTick)).toBeLessThan(20);
    await Promise.all(rooms.map((room) => room.close()));
  });
});

function connectedOf(rooms: readonly Room[]): number {
  return rooms.filter((room) => room.computers[0]?.connected).length;
}
