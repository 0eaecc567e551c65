import { describe, expect, it, type TestContext } from 'vitest';

import { systemClock } from '../../src/common/clock.ts';
import { NatsServer } from '../support/nats-server.ts';
import { FleetProcess } from './support/fleet-processes.ts';
import { addHosts, BRIDGE_ADDRESS, cutOff, removeHosts } from './support/namespaces.ts';

const LIMIT_MS = 60_000;
const NAMED_WITHIN_MS = 3_000;

// Each has a server of its own, and mostly waits until a loss is noticed.
describe.concurrent('a fleet that loses something', { tags: ['nats-server'] }, () => {
  it(
    'names a worker that was killed within three seconds, and ends with the records of the others',
    async (context) => {
      const { url } = await server(context);
      const [north, south] = [worker(context, url, 'north'), worker(context, url, 'south')];
      const coordinator = coordinate(context, url, 2, 6_000);
      const { began } = await north.heard('the start of north', (said) => said.began !== undefined);
      await south.heard('the start of south', (said) => said.began !== undefined);
      const killedMs = systemClock.now();
      await north.kill();
      const named = await coordinator.heard('the loss of north', ({ line = '' }) => /north was lost/.test(line));
      expect(named.atMs - killedMs).toBeLessThan(NAMED_WITHIN_MS);
      const ends = await coordinator.ends();
      expect(ends.filter(({ whole }) => !whole).map(({ shard }) => shard)).toEqual([began]);
    },
    LIMIT_MS,
  );

  it(
    'stops the workers by themselves when the coordinator is gone for good',
    async (context) => {
      const { url } = await server(context);
      const north = worker(context, url, 'north');
      const coordinator = coordinate(context, url, 1, 60_000);
      await north.heard('the start', ({ began }) => began === 1);
      await coordinator.kill();
      await north.heard('that it stops', ({ stopped }) => stopped === 1);
      const said = north.said.map(({ line }) => line).join();
      expect(said).toContain('no heartbeat of the coordinator; shard 1 stops');
    },
    LIMIT_MS,
  );

  it(
    'is watched on by a coordinator that comes back',
    async (context) => {
      const { url } = await server(context);
      const [north, south] = [worker(context, url, 'north'), worker(context, url, 'south')];
      const coordinator = coordinate(context, url, 2, 8_000);
      await Promise.all([north, south].map((one) => one.heard('its start', ({ began }) => began !== undefined)));
      await coordinator.kill();
      const second = resume(context, url);
      expect(await second.ends()).toEqual([
        { shard: 1, whole: true, finding: '' },
        { shard: 2, whole: true, finding: '' },
      ]);
    },
    LIMIT_MS,
  );

  it(
    'gives the run up when the server is gone for good, on both sides',
    async (context) => {
      const { nats, url } = await server(context);
      const north = worker(context, url, 'north');
      const coordinator = coordinate(context, url, 1, 60_000);
      await north.heard('the start', ({ began }) => began === 1);
      await nats.kill();
      await north.heard('that it stops', ({ stopped }) => stopped === 1);
      const [end] = await coordinator.ends();
      expect(end).toEqual({
        shard: 1,
        whole: false,
        finding: 'north was lost with shard 1: the NATS server is gone',
      });
    },
    LIMIT_MS,
  );

  it(
    'names a host that was cut off within three seconds, and that host stops',
    { tags: ['network-namespaces'], timeout: LIMIT_MS },
    async (context) => {
      const hosts = ['north', 'south'];
      const [northHost, southHost] = addHosts(hosts);
      context.onTestFinished(() => removeHosts(hosts));
      const { url } = await server(context, BRIDGE_ADDRESS);
      const [north, south] = [
        worker(context, url, 'north', northHost?.namespace),
        worker(context, url, 'south', southHost?.namespace),
      ];
      const coordinator = coordinate(context, url, 2, 8_000);
      await Promise.all([north, south].map((one) => one.heard('its start', ({ began }) => began !== undefined)));
      const cutMs = systemClock.now();
      cutOff('north');
      const named = await coordinator.heard('the loss of north', ({ line = '' }) => /north was lost/.test(line));
      expect(named.atMs - cutMs).toBeLessThan(NAMED_WITHIN_MS);
      expect((await coordinator.ends()).filter(({ whole }) => whole)).toHaveLength(1);
      await north.heard('that north stops', ({ stopped }) => stopped !== undefined);
    },
  );
});

async function server(context: TestContext, address = '127.0.0.1'): Promise<{ nats: NatsServer; url: string }> {
  const nats = await NatsServer.start({ address });
  context.onTestFinished(() => nats[Symbol.asyncDispose]());
  return { nats, url: nats.url };
}

function worker(context: TestContext, url: string, name: string, namespace?: string): FleetProcess {
  return watched(context, FleetProcess.worker(url, name, namespace));
}

function coordinate(context: TestContext, url: string, workers: number, durationMs: number): FleetProcess {
  return watched(context, FleetProcess.coordinator(url, 'run-1', workers, durationMs));
}

function resume(context: TestContext, url: string): FleetProcess {
  return watched(context, FleetProcess.resumer(url, 'run-1'));
}

function watched(context: TestContext, one: FleetProcess): FleetProcess {
  context.onTestFinished(() => one.kill());
  return one;
}
