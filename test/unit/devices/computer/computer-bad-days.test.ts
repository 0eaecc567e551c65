/**
 * A computer's bad days, with the reference service at the other end of real sockets.
 */

import { describe, expect, it, vi } from 'vitest';

import { FaultPlan } from '../../../../src/common/fault-plan.ts';
import { createRandom } from '../../../../src/common/random.ts';
import { VirtualClock } from '../../../../src/common/virtual-clock.ts';
import { CRASH_POINTS } from '../../../../src/devices/computer/crash-points.ts';
import { PRINTER_PROFILES } from '../../../../src/devices/printer/printer-profile.ts';
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
    await using workbench = await ServiceRoom.open();
    workbench.faults.add({ at: 'computer/DESK', fault, times: 1 });
    const id = await workbench.print();
    expect(workbench.desk.connected).toBe(false);
    await workbench.service.clock.advance('1m');
    expect((await workbench.states(id)).at(-1)).toBe('done');
    expect(workbench.printed(id)).toBe(1);
    expect(workbench.desk.holding()).toEqual([]);
    expect(workbench.faults.log).toHaveLength(1);
  });

  it.each([
    ['crash-before-received', 1],
    ['crash-before-acknowledged', 1],
    ['crash-after-acknowledged', 1],
    ['crash-before-spooled', 1],
    ['crash-after-spooled', 2],
    ['crash-after-done', 1],
  ] as const)('%s, and forgets: the job comes out %i times', async (fault, times) => {
    await using workbench = await ServiceRoom.open();
    workbench.faults.add({ at: 'computer/DESK', fault, times: 1, with: { forget: true } });
    const id = await workbench.print();
    await workbench.service.clock.advance('1m');
    expect((await workbench.states(id)).at(-1)).toBe('done');
    expect(workbench.printed(id)).toBe(times);
  });

  it('prints a job once when it dies of another one that came ready at the same moment', async () => {
    await using workbench = await ServiceRoom.open();
    workbench.faults.add({ at: 'computer/DESK', fault: 'crash-before-spooled', after: 1, times: 1 });
    const content = Buffer.from(buildPdf()).toString('base64');
    const body = { printerId: 1, contentType: 'pdf_base64', content };
    const answers = [1, 2, 3].map(() => workbench.service.call('POST', '/printjobs', { body }));
    const ids = (await Promise.all(answers)).map((answer) => answer.body as number);
    await workbench.service.clock.advance('1m');
    expect(workbench.faults.log).toHaveLength(1);
    expect(ids.map((id) => workbench.printed(id))).toEqual([1, 1, 1]);
  });

  it('is started again after the time that the rule gives', async () => {
    await using workbench = await ServiceRoom.open();
    workbench.desk.crash({ downMs: 60_000 });
    await workbench.service.clock.advance('59s');
    expect(workbench.desk.connected).toBe(false);
    const id = await workbench.print();
    expect(await workbench.states(id)).toEqual(['new']);
    await workbench.service.clock.advance('1s');
    expect(workbench.desk.connected).toBe(true);
    expect((await workbench.states(id)).at(-1)).toBe('done');
  });

  it('stays down for as long as the rule says', async () => {
    await using workbench = await ServiceRoom.open();
    workbench.faults.add({ at: 'computer', fault: 'crash-after-done', for: '10m' });
    await workbench.print();
    await workbench.service.clock.advance('9m');
    expect(workbench.desk.connected).toBe(false);
    await workbench.service.clock.advance('1m');
    expect(workbench.desk.connected).toBe(true);
  });

  it('resumes what it held when it is disconnected while it is down', async () => {
    await using workbench = await ServiceRoom.open();
    workbench.faults.add({ at: 'computer/DESK', fault: 'crash-before-spooled', times: 1 });
    const id = await workbench.print();
    await workbench.desk.disconnect();
    await workbench.desk.connect();
    await workbench.service.clock.settle();
    expect((await workbench.states(id)).at(-1)).toBe('done');
    expect(workbench.printed(id)).toBe(1);
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
  it('leaves a ghost that gets no jobs, and prints what comes once', async () => {
    await using workbench = await ServiceRoom.open();
    const id = workbench.desk.id;
    await workbench.desk.leaveGhost();
    expect(workbench.desk.id).toBe(id);
    const job = await workbench.print();
    expect(workbench.printed(job)).toBe(1);
    expect((await workbench.states(job)).at(-1)).toBe('done');
  });

  it('loses to its ghost what the service sends there, until the ghost is gone', async () => {
    await using workbench = await ServiceRoom.open();
    await workbench.desk.leaveGhost();
    workbench.desk.crash({ downMs: 3_600_000 });
    const job = await workbench.print();
    expect(await workbench.states(job)).toEqual(['new', 'sent_to_client']);
    expect(workbench.printed(job)).toBe(0);
    await workbench.service.clock.advance('1h');
    expect(workbench.printed(job)).toBe(1);
  });

  it('is one computer with its copy, whatever they are called', async () => {
    const installationId = '3f2b8c1e-6d4a-4f7b-9a2c-1d5e8f7a6b4c';
    const computers = ['DESK', 'COPY'].map((name) => ({
      name,
      installationId,
      printers: [{ profile: 'laser-a4', name: 'Laser' }],
    }));
    await using workbench = await ServiceRoom.open({ description: { computers } });
    const [desk, copy] = workbench.room.computers;
    expect(copy?.id).toBe(desk?.id);
    const job = await workbench.print();
    expect(workbench.printed(job)).toBe(1);
  });

  it('prints a job twice when its copy comes while it is at work', async () => {
    const installationId = '3f2b8c1e-6d4a-4f7b-9a2c-1d5e8f7a6b4c';
    const printers = [{ profile: 'laser-a4', name: 'Laser' }];
    const computers = ['DESK', 'COPY'].map((name) => ({ name, installationId, printers }));
    await using workbench = await ServiceRoom.make({ description: { computers } });
    workbench.faults.add({ at: 'computer/DESK', fault: 'crash-after-spooled', times: 1 });
    await workbench.room.computer('DESK').connect();
    const job = await workbench.print();
    expect(workbench.printed(job)).toBe(1);
    await workbench.room.computer('COPY').connect();
    await workbench.service.clock.advance('1m');
    expect(workbench.printed(job)).toBe(2);
  });
});

describe('a computer that sleeps', () => {
  it('is said to stall, so that a virtual clock does not wait for what it is asked', async () => {
    await using workbench = await ServiceRoom.open();
    const { clock } = workbench.service;
    const stalled = vi.spyOn(clock, 'stall');
    const held = vi.spyOn(clock, 'hold');
    workbench.desk.sleep();
    await clock.advance('31s');
    const [asleep] = stalled.mock.calls;
    expect(asleep).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+$/)]);
    const pong = held.mock.calls.find(([what]) => what.startsWith('the pong of'));
    expect(pong?.[2]).toBe(asleep?.[0]);
  });

  it('is found out by the service, and prints after it woke', async () => {
    await using workbench = await ServiceRoom.open();
    workbench.desk.sleep();
    await workbench.service.clock.advance('2m');
    const { body } = await workbench.service.call('GET', '/computers');
    expect(body).toMatchObject([{ state: 'disconnected' }]);
    const job = await workbench.print();
    expect(await workbench.states(job)).toEqual(['new']);
    workbench.desk.wake();
    await workbench.service.clock.advance('1m');
    expect(workbench.printed(job)).toBe(1);
    expect((await workbench.states(job)).at(-1)).toBe('done');
  });

  it('keeps its connection when it sleeps too briefly to be noticed', async () => {
    await using workbench = await ServiceRoom.open();
    workbench.desk.sleep();
    const job = await workbench.print();
    expect(await workbench.states(job)).toEqual(['new', 'sent_to_client']);
    workbench.desk.wake();
    await workbench.service.clock.advance('1s');
    expect(workbench.printed(job)).toBe(1);
    expect((await workbench.states(job)).at(-1)).toBe('done');
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
  it('reports only queued, in_progress and the end, and ignores newer options', async () => {
    await using workbench = await ServiceRoom.open({ description: deskWith({ oldClient: true }) });
    const job = await workbench.submit(1, { copies: 2, nup: 4 });
    await workbench.service.clock.settle();
    expect(await workbench.states(job)).toEqual(['new', 'sent_to_client', 'queued', 'in_progress', 'done']);
    expect(workbench.room.printouts(job)[0]?.options.asked).toEqual({ copies: 2 });
  });
});

describe('printers that come and go', () => {
  it('are known to the service as soon as they are installed, renamed, or removed', async () => {
    await using workbench = await ServiceRoom.open();
    const { desk } = workbench;
    const label = desk.addPrinter({ profile: PRINTER_PROFILES.load('label-4x6'), name: 'Label' });
    await workbench.service.clock.settle();
    expect(await workbench.printers()).toContain('Label: online');
    desk.renamePrinter(label, 'Label, new');
    await workbench.service.clock.settle();
    expect((await workbench.printers()).filter((name) => name.startsWith('Label'))).toEqual(['Label, new: online']);
    expect(workbench.printed(await workbench.print(2))).toBe(1);
    desk.removePrinter(label);
    desk.removePrinter(label);
    await workbench.service.clock.settle();
    expect(await workbench.printers()).not.toContain('Label, new: online');
  });

  it('end a job in error when they were removed while it was queued', async () => {
    await using workbench = await ServiceRoom.open();
    const [laser] = workbench.desk.printers;
    await workbench.desk.disconnect();
    const job = await workbench.submit();
    if (laser) workbench.desk.removePrinter(laser);
    await workbench.desk.connect();
    await workbench.service.clock.settle();
    const end = (await workbench.timeline(job)).at(-1);
    expect(end?.state).toBe('error');
    expect(end?.message).toContain('printer not found');
  });

  it('never give their key to another', async () => {
    await using workbench = await ServiceRoom.open();
    const [laser] = workbench.desk.printers;
    if (laser) workbench.desk.removePrinter(laser);
    const next = workbench.desk.addPrinter({ profile: PRINTER_PROFILES.load('laser-a4'), name: 'Laser' });
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
      link.refusal = { reason: 'unreachable', message: 'not there' };
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
