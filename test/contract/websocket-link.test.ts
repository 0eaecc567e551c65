import { array, assert, asyncProperty, constantFrom } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { systemClock, type Clock } from '../../src/common/clock.ts';
import { VirtualClock } from '../../src/common/virtual-clock.ts';
import { within } from '../../src/common/waiter.ts';
import { LinkError, type DeviceLink, type LinkSession } from '../../src/link/device-link.ts';
import { webSocketLink } from '../../src/link/websocket-link.ts';
import {
  jobMessage,
  jobState,
  linkComputer,
  printerNamed,
  readingOf,
  until,
  type LinkComputer,
} from '../support/link-computer.ts';
import { arrived, ScriptedLinkService, type ScriptedService } from '../support/scripted-link-service.ts';

deviceLinkContract({
  name: 'the websocket link',
  link: (clock) => webSocketLink({ clock }),
  service: () => ScriptedLinkService.start(),
});

/**
 * What every link keeps (src/link/device-link.ts), as a suite to run an implementation through.
 *
 * The implementation brings itself and a service's end for its own wire that a test can script.
 */
interface LinkUnderTest {
  readonly name: string;
  readonly link: (clock: Clock) => DeviceLink;
  readonly service: () => Promise<ScriptedService>;
}

function deviceLinkContract({ name, link, service: startService }: LinkUnderTest): void {
  describe(`${name} as a device link`, () => {
    let service: ScriptedService;
    let computer: LinkComputer;
    let session: LinkSession | undefined;

    const open = async (clock: Clock = systemClock): Promise<LinkSession> => {
      session = await link(clock).open(computer.request(service.url));
      return session;
    };

    beforeEach(async () => {
      service = await startService();
      computer = linkComputer();
    });

    afterEach(async () => {
      await session?.close();
      session = undefined;
      await service.close();
    });

    it('says hello and takes its computer id from the welcome', async () => {
      computer.holding = [3, 5];
      const opened = await open();
      expect(opened.connected).toBe(true);
      expect(opened.computerId).toBe(7);
      const [hello] = await arrived(service, 'hello');
      expect(hello?.client.computerName).toBe('Front desk');
      expect(hello?.holding).toEqual([3, 5]);
    });

    it('resolves a report when the service has acknowledged it, and not before', async () => {
      service.acknowledging = false;
      const opened = await open();
      let settled = false;
      const report = opened.reportJobState(jobState('s-1')).then(() => (settled = true));
      await arrived(service, 'job-state');
      expect(settled).toBe(false);
      service.send({ type: 'ack', id: 's-1' });
      await within(report, { description: 'the acknowledged report', limit: '5s' });
    });

    it('sends what was not acknowledged again after a cut, in order and under the same ids', async () => {
      service.acknowledging = false;
      const opened = await open();
      const reports = ['s-1', 's-2', 's-3'].map((id) => opened.reportJobState(jobState(id)));
      await arrived(service, 'job-state', 3);
      service.cut();
      await until('the drop', () => computer.drops.length === 1);
      expect(opened.connected).toBe(false);
      service.acknowledging = true;
      await opened.reconnect();
      await within(Promise.all(reports), { description: 'all reports', limit: '5s' });
      const states = await arrived(service, 'job-state', 6);
      expect(states.map((state) => state.id)).toEqual(['s-1', 's-2', 's-3', 's-1', 's-2', 's-3']);
    });

    it('keeps what is reported without a connection for the next one', async () => {
      const opened = await open();
      opened.cut();
      const reported = opened.reportJobState(jobState('s-1'));
      await opened.reconnect();
      await within(reported, { description: 'the late report', limit: '5s' });
      expect(await arrived(service, 'job-state')).toHaveLength(1);
    });

    it('says what it holds at the time of each connection', async () => {
      const opened = await open();
      computer.holding = [11];
      opened.cut();
      await opened.reconnect();
      const hellos = await arrived(service, 'hello', 2);
      expect(hellos.map((hello) => hello.holding)).toEqual([[], [11]]);
    });

    it('sends only the newest list of printers, and settles the older reports with it', async () => {
      const opened = await open();
      opened.cut();
      const reports = ['A', 'B', 'C'].map((printer) => opened.reportPrinters([printerNamed(printer)]));
      await opened.reconnect();
      await within(Promise.all(reports), { description: 'all three reports', limit: '5s' });
      const lists = await arrived(service, 'printers');
      expect(lists.map((list) => list.printers.map((printer) => printer.name))).toEqual([['C']]);
    });

    it('accepts acknowledgements of lists that were superseded in flight', async () => {
      service.acknowledging = false;
      const opened = await open();
      const older = opened.reportScales([]);
      const newer = opened.reportScales([]);
      const lists = await arrived(service, 'scales', 2);
      for (const { id } of lists) service.send({ type: 'ack', id });
      await within(Promise.all([older, newer]), { description: 'both reports', limit: '5s' });
      expect(computer.drops).toEqual([]);
    });

    it('sends no reading that grew old before a connection came, and settles it', async () => {
      const clock = new VirtualClock();
      const opened = await open(clock);
      opened.cut();
      const reading = opened.publishReading(readingOf(1));
      const state = opened.reportJobState(jobState('s-1'));
      await clock.advance('46s');
      await opened.reconnect();
      await within(Promise.all([reading, state]), { description: 'both reports', limit: '5s' });
      expect(service.seen.filter((message) => message.type === 'reading')).toEqual([]);
      expect(await arrived(service, 'job-state')).toHaveLength(1);
    });

    it('does not pile up old readings without a connection', async () => {
      const clock = new VirtualClock();
      const opened = await open(clock);
      opened.cut();
      const old = opened.publishReading(readingOf(1));
      await clock.advance('46s');
      const fresh = opened.publishReading(readingOf(2));
      await within(old, { description: 'the old reading to be dropped', limit: '5s' });
      await clock.advance('44s');
      await opened.reconnect();
      await within(fresh, { description: 'the fresh reading', limit: '5s' });
      const readings = await arrived(service, 'reading');
      expect(readings.map((reading) => reading.mass[0])).toEqual([2]);
    });

    it('acknowledges a job when the computer has taken it, and each delivery of it again', async () => {
      await open();
      service.send(jobMessage(4, 'd-1'));
      service.send(jobMessage(4, 'd-2'));
      const acks = await arrived(service, 'ack', 2);
      expect(acks.map((ack) => ack.id)).toEqual(['d-1', 'd-2']);
      expect(computer.jobs.map((job) => job.jobId)).toEqual([4, 4]);
      expect(computer.jobs[0]).not.toHaveProperty('id');
    });

    it('leaves a job unacknowledged that the computer could not take', async () => {
      computer.takeJob = (job) => (job.jobId === 1 ? Promise.reject(new Error('disk full')) : Promise.resolve());
      await open();
      service.send(jobMessage(1));
      service.send(jobMessage(2));
      const acks = await arrived(service, 'ack');
      expect(acks.map((ack) => ack.id)).toEqual(['d-2']);
    });

    it('does not acknowledge on a new connection what came on an old one', async () => {
      const takings: (() => void)[] = [];
      computer.takeJob = () => new Promise((resolve) => takings.push(resolve));
      const opened = await open();
      service.send(jobMessage(1));
      await until('the job', () => computer.jobs.length === 1);
      opened.cut();
      await opened.reconnect();
      takings[0]?.();
      await opened.reportJobState(jobState('s-1'));
      expect(service.seen.filter((message) => message.type === 'ack')).toEqual([]);
    });

    it('passes on a refresh', async () => {
      await open();
      service.send({ type: 'refresh' });
      await until('the refresh', () => computer.refreshes.length > 0);
      expect(computer.refreshes).toHaveLength(1);
    });

    it('notices a service that fell silent after 2.5 heartbeats', async () => {
      const clock = new VirtualClock();
      const opened = await open(clock);
      service.fallSilent();
      await clock.advance('37s');
      expect(computer.drops).toEqual([]);
      await clock.advance('1s');
      expect(computer.drops.map((drop) => drop.reason)).toEqual(['silent']);
      expect(opened.connected).toBe(false);
    });

    it('does not take a jump of the clock for silence', async () => {
      const clock = new VirtualClock();
      const opened = await open(clock);
      await clock.advance('14d');
      await clock.advance('14d');
      expect(opened.connected).toBe(true);
      expect(computer.drops).toEqual([]);
    });

    it('keeps virtual time waiting while a report is under way', async () => {
      const clock = new VirtualClock();
      const opened = await open(clock);
      let settled = false;
      void opened.reportJobState(jobState('s-1')).then(() => (settled = true));
      await clock.settle();
      expect(settled).toBe(true);
      expect(clock.heldBy).toEqual([]);
    });

    it('is unreachable when nothing listens', async () => {
      const request = computer.request(service.url);
      await service.close();
      const opening = link(systemClock).open(request);
      await expect(opening).rejects.toMatchObject({ name: 'LinkError', failure: { reason: 'unreachable' } });
      service = await startService();
    });

    it('reports its drop once when it is cut on this side', async () => {
      const opened = await open();
      opened.cut();
      opened.cut();
      expect(computer.drops.map((drop) => drop.reason)).toEqual(['closed']);
    });

    it('gives up what was not acknowledged when it is closed', async () => {
      service.acknowledging = false;
      const opened = await open();
      const report = opened.reportJobState(jobState('s-1'));
      await opened.close();
      await expect(report).rejects.toBeInstanceOf(LinkError);
      await expect(opened.reportJobState(jobState('s-2'))).rejects.toMatchObject({
        failure: { reason: 'closed' },
      });
      await expect(opened.reconnect()).rejects.toMatchObject({ failure: { reason: 'closed' } });
      expect(computer.drops).toEqual([]);
    });

    it('brings every job state to the service in order, whatever is cut in between', async () => {
      const step = constantFrom('report', 'report', 'report', 'cut here', 'cut there', 'reconnect', 'breathe');
      await assert(
        asyncProperty(array(step, { maxLength: 25 }), async (steps) => {
          const before = service.seen.length;
          const opened = await open();
          const ids: string[] = [];
          const reports: Promise<void>[] = [];
          for (const name of steps) {
            if (name === 'report') {
              ids.push(`s-${ids.length}`);
              reports.push(opened.reportJobState(jobState(`s-${ids.length - 1}`)));
            } else if (name === 'cut here') opened.cut();
            else if (name === 'cut there') service.cut();
            else if (name === 'reconnect') await opened.reconnect().catch(() => undefined);
            else await new Promise((resolve) => setImmediate(resolve));
          }
          const done = Promise.all(reports).then(() => true);
          await until('the service to have all', () => {
            if (!opened.connected) void opened.reconnect().catch(() => undefined);
            return firstSeen(service, before).length === ids.length;
          });
          await until('a connection', () => {
            if (!opened.connected) void opened.reconnect().catch(() => undefined);
            return opened.connected;
          });
          await within(done, { description: 'all promises', limit: '5s' });
          expect(firstSeen(service, before)).toEqual(ids);
          await opened.close();
        }),
        { seed: 20_260_101, numRuns: 60 },
      );
    });
  });
}

/** Ids of the job states in the order in which each was seen first. */
function firstSeen(service: ScriptedService, from: number): string[] {
  const ids = service.seen.slice(from).flatMap((message) => (message.type === 'job-state' ? [message.id] : []));
  return [...new Set(ids)];
}
