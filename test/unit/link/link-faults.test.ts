/**
 * What can go wrong on a link, between a computer and the reference service on real sockets.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { FaultPlan } from '../../../src/common/fault-plan.ts';
import type { FaultRule } from '../../../src/common/fault-rule.ts';
import { startStopwatch } from '../../../src/common/stopwatch.ts';
import { CRASH_POINTS } from '../../../src/devices/computer/crash-points.ts';
import { LINK_FAULTS } from '../../../src/link/faults/frame-faults.ts';
import { webSocketLink } from '../../../src/link/websocket-link.ts';
import { ServiceRoom } from '../../support/service-room.ts';

function withFaultyLink(seed = 1): Promise<ServiceRoom> {
  return ServiceRoom.open({
    seed,
    link: ({ clock }, faults) => webSocketLink({ clock, faults }),
  });
}

/** A seeded run with cuts and latency. @returns what was decided */
async function play(): Promise<FaultPlan['decisions']> {
  await using workbench = await withFaultyLink(7);
  workbench.faults.add({ at: 'link/DESK/to-service', fault: 'drop', probability: 0.1 });
  workbench.faults.add({ at: 'link/DESK/to-computer', fault: 'latency', probability: 0.5 });
  for (let number = 0; number < 5; number++) {
    await workbench.submit();
    await workbench.service.clock.advance('10s');
  }
  return [...workbench.faults.decisions];
}

async function endsWell(workbench: ServiceRoom, job: number): Promise<void> {
  expect((await workbench.states(job)).at(-1)).toBe('done');
  expect(workbench.printed(job)).toBe(1);
  expect(workbench.desk.holding()).toEqual([]);
}

describe('a link', () => {
  it('without a rule for it works as any other', async () => {
    await using workbench = await withFaultyLink();
    await endsWell(workbench, await workbench.print());
    expect(workbench.faults.log).toEqual([]);
  });

  it('with latency brings a job later by the delay, and what follows it no sooner', async () => {
    await using workbench = await withFaultyLink();
    const at = 'link/DESK/to-computer/job';
    workbench.faults.add({ at, fault: 'latency', times: 1, with: { delay: '2s' } });
    const first = await workbench.submit();
    const second = await workbench.print();
    await workbench.service.clock.advance('1999ms');
    expect([workbench.printed(first), workbench.printed(second)]).toEqual([0, 0]);
    await workbench.service.clock.advance('1ms');
    expect([workbench.printed(first), workbench.printed(second)]).toEqual([1, 1]);
    const done = (await workbench.timeline(first)).at(-1);
    expect(done?.createTimestamp).toContain('00:00:02');
  });

  it('does not keep virtual time waiting for a frame that waits for virtual time', async () => {
    await using workbench = await withFaultyLink();
    workbench.faults.add({ at: 'link/DESK', fault: 'latency', with: { delay: '1s' } });
    const elapsedMs = startStopwatch();
    const job = await workbench.print();
    await workbench.service.clock.advance('1m');
    await endsWell(workbench, job);
    expect(elapsedMs()).toBeLessThan(2_000);
  });

  it.each([
    ['before the job gets through', 'to-computer/job', 'before'],
    ['after the job got through', 'to-computer/job', 'after'],
    ['before its acknowledgement gets through', 'to-service/ack', 'before'],
    ['before a state gets through', 'to-service/job-state', 'before'],
    ['after a state got through', 'to-service/job-state', 'after'],
    ['before the acknowledgement of a state gets through', 'to-computer/ack', 'before'],
  ])('that is cut %s comes back, and the job is printed once', async (_, where, when) => {
    await using workbench = await withFaultyLink();
    workbench.faults.add({ at: `link/DESK/${where}`, fault: 'drop', times: 1, with: { when } });
    const job = await workbench.print();
    expect(workbench.faults.log).toHaveLength(1);
    await workbench.service.clock.advance('1m');
    await endsWell(workbench, job);
  });

  it('is cut at the third message of any kind, in either direction', async () => {
    await using workbench = await withFaultyLink();
    workbench.faults.add({ at: 'link/DESK', fault: 'drop', after: 2, times: 1 });
    await workbench.print();
    expect(workbench.faults.log).toMatchObject([{ occasion: 3 }]);
    await workbench.service.clock.advance('1m');
    expect(workbench.desk.connected).toBe(true);
  });

  it.each(['to-service', 'to-computer'])('that cuts a frame %s in the middle loses nothing', async (way) => {
    await using workbench = await withFaultyLink();
    workbench.faults.add({ at: `link/DESK/${way}`, fault: 'truncate', after: 1, times: 1 });
    const job = await workbench.print();
    await workbench.service.clock.advance('1m');
    expect(workbench.faults.log).toHaveLength(1);
    await endsWell(workbench, job);
  });

  it.each(['job', 'ack'])('that brings a %s twice is dropped or forgiven, and connects again', async (kind) => {
    await using workbench = await withFaultyLink();
    workbench.faults.add({ at: `link/DESK/*/${kind}`, fault: 'duplicate', times: 1 });
    const job = await workbench.print();
    await workbench.service.clock.advance('1m');
    expect(workbench.faults.log.length).toBeGreaterThan(0);
    await endsWell(workbench, job);
  });

  it('that reorders states still brings all of them', async () => {
    await using workbench = await withFaultyLink();
    workbench.faults.add({ at: 'link/DESK/to-service/job-state', fault: 'reorder', times: 1 });
    const job = await workbench.print();
    const states = await workbench.states(job);
    expect(states.indexOf('received')).toBeGreaterThan(states.indexOf('preparing_to_print'));
    await endsWell(workbench, job);
  });

  it('brings a frame that was held back for the next one even if none comes', async () => {
    await using workbench = await withFaultyLink();
    workbench.faults.add({
      at: 'link/DESK/to-computer/job',
      fault: 'reorder',
      times: 1,
      with: { wait: '3s' },
    });
    const job = await workbench.print();
    expect(workbench.printed(job)).toBe(0);
    await workbench.service.clock.advance('3s');
    await endsWell(workbench, job);
  });

  it('that is mute gets its jobs when it reads again, or after the service gave it up', async () => {
    await using workbench = await withFaultyLink();
    workbench.faults.add({ at: 'link/DESK/to-computer/job', fault: 'mute', for: '10s' });
    const job = await workbench.print();
    expect(await workbench.states(job)).toEqual(['new', 'sent_to_client']);
    await workbench.service.clock.advance('11s');
    await endsWell(workbench, job);
  });

  it('that is mute for long is cut by the service, and comes back', async () => {
    await using workbench = await withFaultyLink();
    workbench.faults.add({
      at: 'link/DESK/to-computer/job',
      fault: 'mute',
      times: 1,
      with: { duration: '5m' },
    });
    const job = await workbench.print();
    await workbench.service.clock.advance('2m');
    const { body } = await workbench.service.call('GET', '/computers');
    expect(body).toMatchObject([{ state: 'disconnected' }]);
    await workbench.service.clock.advance('10m');
    await endsWell(workbench, job);
  });

  it('that closes slowly leaves a ghost, and the new connection gets the jobs', async () => {
    await using workbench = await withFaultyLink();
    workbench.faults.add({ at: 'link/DESK', fault: 'slow-close', times: 1, with: { delay: '20s' } });
    workbench.desk.cut();
    await workbench.service.clock.advance('5s');
    const { body } = await workbench.service.call('GET', '/computers');
    expect(body).toMatchObject([{ state: 'connected' }]);
    await endsWell(workbench, await workbench.print());
    await workbench.service.clock.advance('1m');
    await endsWell(workbench, await workbench.print());
  });

  it('that is refused is tried again until it is not', async () => {
    await using workbench = await withFaultyLink();
    workbench.faults.add({ at: 'link/DESK/connect', fault: 'refuse', for: '1m' });
    workbench.desk.cut();
    await workbench.service.clock.advance('30s');
    expect(workbench.desk.lastFailure?.reason).toBe('unreachable');
    const job = await workbench.print();
    await workbench.service.clock.advance('2m');
    await endsWell(workbench, job);
  });

  const ruleArbitrary: fc.Arbitrary<FaultRule> = fc
    .record({
      fault: fc.constantFrom(...Object.keys(LINK_FAULTS)),
      way: fc.constantFrom('', '/to-service', '/to-computer', '/*/job', '/*/job-state', '/*/ack', '/*/hello'),
      after: fc.nat(12),
      times: fc.integer({ min: 1, max: 6 }),
      probability: fc.constantFrom(0.2, 0.5, 1),
    })
    .map(({ fault, way, ...counts }) => ({ at: `link/DESK${way}`, fault, ...counts }));
  const crashArbitrary: fc.Arbitrary<FaultRule> = fc
    .record({
      fault: fc.constantFrom(...CRASH_POINTS),
      after: fc.nat(8),
      times: fc.integer({ min: 1, max: 2 }),
    })
    .map((rule) => ({ at: 'computer/DESK', ...rule }));
  const rulesArbitrary = fc.tuple(
    fc.array(ruleArbitrary, { maxLength: 5 }),
    fc.array(crashArbitrary, { maxLength: 2 }),
  );

  it('loses no job and prints none twice, whatever goes wrong on it', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(rulesArbitrary, fc.nat(1_000), async ([onLink, crashes], seed) => {
        await using workbench = await withFaultyLink(seed);
        for (const rule of [...onLink, ...crashes]) workbench.faults.add(rule);
        const jobs: number[] = [];
        for (let number = 0; number < 6; number++) {
          jobs.push(await workbench.submit());
          await workbench.service.clock.advance('700ms');
        }
        await workbench.service.clock.advance('5m');
        workbench.faults.clear();
        await workbench.service.clock.advance('10m');
        // Not always the last: a report that was held back may come after it.
        for (const job of jobs) {
          expect((await workbench.states(job)).filter((state) => state === 'done')).toHaveLength(1);
        }
        expect(jobs.map((job) => workbench.printed(job))).toEqual(jobs.map(() => 1));
        expect(workbench.desk.holding()).toEqual([]);
      }),
      { seed: 4, numRuns: 40, endOnFailure: true },
    );
  });

  it('decides the same again with the same seed', async () => {
    const first = await play();
    expect(first.length).toBeGreaterThan(5);
    expect(await play()).toEqual(first);
  });
});
