import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { ForwardingClock, type Clock } from '../../../../src/common/clock.ts';
import { portOf } from '../../../../src/common/port-of.ts';
import { LINK_PATH, LINK_PROTOCOLS } from '../../../../src/link/messages.ts';

import { runOnFillableDisk } from '../../../support/full-disk.ts';
import { basic, FIRST_KEY, runService, SECOND_KEY, type RunningService } from '../../../support/running-service.ts';
import { LONG_FRAME_BYTES } from '../../../../src/link/codec.ts';
import { ScriptedComputer } from '../../../support/scripted-computer.ts';

/** Shows another time than the one that passes, as a clock that somebody has set. */
class SetBackClock extends ForwardingClock {
  behindMs = 0;

  constructor(clock: Clock) {
    super(() => clock);
  }

  override now(): number {
    return super.now() - this.behindMs;
  }
}

const JOB = { printerId: 1, contentType: 'raw_base64', content: 'AAAA' };
const AT_START = '2026-01-01T00:00:00.000Z';

let service: RunningService;
beforeEach(async () => {
  service = await runService();
});
afterEach(() => service[Symbol.asyncDispose]());

async function submit(): Promise<number> {
  return (await service.call('POST', '/printjobs', { body: JOB })).body as number;
}

async function statesOf(jobId: number): Promise<string[]> {
  const answer = await service.call('GET', `/printjobs/${jobId}/states`);
  return ((answer.body as { state: string }[][])[0] ?? []).map(({ state }) => state);
}

/** A proxy that does not pass on that its client has closed, as one that is slow to. */
async function lingeringProxy(port: number): Promise<AsyncDisposable & { readonly url: string }> {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(client, upstream);
    client.pipe(upstream, { end: false });
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('delivery of jobs', () => {
  it('sends nothing to a computer whose goodbye it has answered, before its connection has closed', async () => {
    await using proxy = await lingeringProxy(service.port);
    const { socket } = await ScriptedComputer.connect(proxy.url);
    socket.close(1000);
    await once(socket, 'close');
    expect(await statesOf(await submit())).toEqual(['new']);
  });

  it('delivers again what was neither acknowledged nor is held by the computer', async () => {
    const first = await ScriptedComputer.connect(service.url);
    const id = await submit();
    await first.hear('job');
    await first[Symbol.asyncDispose]();
    await using second = await ScriptedComputer.connect(service.url);
    expect((await second.hear('job'))['jobId']).toBe(id);
    expect(await statesOf(id)).toEqual(['new', 'sent_to_client', 'sent_to_client']);
  });

  it('does not deliver again what the returning computer says it holds', async () => {
    const first = await ScriptedComputer.connect(service.url);
    const held = await submit();
    await first.hear('job');
    await first[Symbol.asyncDispose]();
    await using second = await ScriptedComputer.connect(service.url, { holding: [held] });
    const next = await submit();
    await second.hear('job');
    expect(second.jobs).toEqual([next]);
  });

  it('does not deliver again what was finished, whatever its computer reports of it later', async () => {
    const first = await ScriptedComputer.connect(service.url);
    const finished = await submit();
    await first.hear('job');
    for (const state of ['done', 'disappeared']) await first.reportState(finished, state, '2026-01-01T00:00:00.000Z');
    await first[Symbol.asyncDispose]();
    await using second = await ScriptedComputer.connect(service.url);
    const next = await submit();
    await second.hear('job');
    expect(second.jobs).toEqual([next]);
    expect(await statesOf(finished)).toEqual(['new', 'sent_to_client', 'done', 'disappeared']);
  });

  it('keeps at most eight deliveries unacknowledged', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    for (let index = 0; index < 10; index++) await submit();
    await computer.hear('job', (heard) => heard['jobId'] === 8);
    await service.call('GET', '/noop');
    expect(computer.jobs).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    computer.say({ type: 'ack', id: 'job-1' });
    await computer.hear('job', (heard) => heard['jobId'] === 9);
    expect(computer.jobs).toHaveLength(9);
    computer.say({ type: 'ack', id: 'job-2' });
    await computer.hear('job', (heard) => heard['jobId'] === 10);
    expect(computer.jobs).toHaveLength(10);
  });

  it('does not send what was cancelled while it waited for an acknowledgement', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    for (let index = 0; index < 10; index++) await submit();
    await computer.hear('job', (heard) => heard['jobId'] === 8);
    expect((await service.call('DELETE', '/printjobs/9')).body).toEqual([9]);
    computer.say({ type: 'ack', id: 'job-1' });
    await computer.hear('job', (heard) => heard['jobId'] === 10);
    expect(computer.jobs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10]);
  });

  it('records a repeated report once', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    const id = await submit();
    await computer.hear('job');
    await computer.reportState(id, 'done', AT_START, 'the-report');
    await computer.reportState(id, 'done', AT_START, 'the-report');
    expect(await statesOf(id)).toEqual(['new', 'sent_to_client', 'done']);
  });

  it('ignores what a computer reports about jobs of others', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    const id = await submit();
    await computer.hear('job');
    await using stranger = await ScriptedComputer.connect(service.url, { key: SECOND_KEY });
    await stranger.reportState(id, 'error', AT_START);
    expect(await statesOf(id)).toEqual(['new', 'sent_to_client']);
  });

  it.each(['new', 'sent_to_client', 'expired'])(
    'acknowledges %s from a computer, and records nothing',
    async (state) => {
      await using computer = await ScriptedComputer.connect(service.url);
      const id = await submit();
      await computer.hear('job');
      await computer.reportState(id, state, AT_START);
      expect(await statesOf(id)).toEqual(['new', 'sent_to_client']);
    },
  );

  it('lets a job expire when its time has passed, although the clock of the machine was set back', async () => {
    const clock = new SetBackClock(service.clock);
    await using other = await runService({ clock });
    await (await ScriptedComputer.connect(other.url))[Symbol.asyncDispose]();
    await other.call('POST', '/printjobs', { body: { ...JOB, expireAfter: 5 } });
    clock.behindMs = 3_600_000;
    await service.clock.advance(5_000);
    expect((await other.call('GET', '/printjobs')).body).toMatchObject([{ state: 'expired' }]);
  });

  it('sends no job whose time is over by a clock that was put forward', async () => {
    const clock = new SetBackClock(service.clock);
    await using other = await runService({ clock });
    await (await ScriptedComputer.connect(other.url))[Symbol.asyncDispose]();
    await other.call('POST', '/printjobs', { body: { ...JOB, expireAfter: 600 } });
    clock.behindMs = -3_600_000;
    await using computer = await ScriptedComputer.connect(other.url);
    await other.call('POST', '/printjobs', { body: JOB });
    await computer.hear('job');
    expect(computer.jobs).toEqual([2]);
    expect((await other.call('GET', '/printjobs/1')).body).toMatchObject([{ state: 'expired' }]);
  });

  it('sends a job with the next one when the disk was too full to say that it was sent', async () => {
    let states = 0;
    await using disk = await runOnFillableDisk(() => {
      if (++states === 1) disk.fillOnce();
    });
    const { service: full } = disk;
    await using computer = await ScriptedComputer.connect(full.url);
    expect((await full.call('POST', '/printjobs', { body: JOB })).status).toBe(201);
    expect((await full.call('GET', '/printjobs')).body).toMatchObject([{ state: 'new' }]);
    await full.call('POST', '/printjobs', { body: JOB });
    await computer.hear('job', ({ jobId }) => jobId === 2);
    expect(computer.jobs).toEqual([1, 2]);
  });

  it('neither cancels nor expires a job that was sent', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    const id = await submit();
    await computer.hear('job');
    expect((await service.call('DELETE', `/printjobs/${id}`)).body).toEqual([]);
    await service.clock.advance('15d');
    expect(await statesOf(id)).not.toContain('expired');
  });

  it('gives new jobs to the newest connection of a computer', async () => {
    await using ghost = await ScriptedComputer.connect(service.url);
    await using living = await ScriptedComputer.connect(service.url);
    const id = await submit();
    await living.hear('job');
    expect([ghost.jobs, living.jobs]).toEqual([[], [id]]);
  });
});

it('delivers a document of many megabytes whole, and what comes behind it after it', async () => {
  await using computer = await ScriptedComputer.connect(service.url);
  const content = 'QUJD'.repeat(LONG_FRAME_BYTES);
  const { body: id } = await service.call('POST', '/printjobs', { body: { ...JOB, content } });
  const next = await submit();
  const { content: delivered } = await computer.hear('job', ({ jobId }) => jobId === id);
  expect(delivered === content).toBe(true);
  await computer.hear('job', ({ jobId }) => jobId === next);
  expect(computer.jobs).toEqual([id, next]);
});

it('refuses a job whose delivery no computer would take', async () => {
  const content = '%01'.repeat(12_000_000);
  const answer = await service.call('POST', '/printjobs', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `printerId=1&contentType=raw_base64&content=${content}`,
  });
  expect([answer.status, String((answer.body as { message: unknown }).message)]).toEqual([
    400,
    expect.stringContaining('content: takes more than'),
  ]);
});

describe('two connections of one computer', () => {
  it('hand over what the newest left unacknowledged when it ends', async () => {
    await using older = await ScriptedComputer.connect(service.url);
    const newer = await ScriptedComputer.connect(service.url);
    const id = await submit();
    await newer.hear('job');
    expect(older.jobs).toEqual([]);
    await newer[Symbol.asyncDispose]();
    expect((await older.hear('job'))['jobId']).toBe(id);
  });

  it('hand over what waits after the unacknowledged ones of the newest when it ends', async () => {
    await using older = await ScriptedComputer.connect(service.url);
    const newest = await ScriptedComputer.connect(service.url);
    const ids: number[] = [];
    for (let count = 0; count < 9; count++) ids.push(await submit());
    await newest[Symbol.asyncDispose]();
    const [first] = ids;
    await older.hear('job', (heard) => heard['jobId'] === first);
    older.say({ type: 'ack', id: `job-${first}` });
    await older.hear('job', (heard) => heard['jobId'] === ids.at(-1));
    expect(older.jobs).toEqual(ids);
  });

  it('do not hand over what the older one has yet to acknowledge itself', async () => {
    await using older = await ScriptedComputer.connect(service.url);
    const id = await submit();
    const { id: delivery } = await older.hear('job');
    const newer = await ScriptedComputer.connect(service.url);
    await newer.hear('job');
    await newer[Symbol.asyncDispose]();
    await service.clock.settle();
    older.say({ type: 'ack', id: delivery });
    await older.report({ type: 'scales', scales: [] });
    expect(older.jobs).toEqual([id]);
  });

  it('do not hand over what a newer one was given when it came', async () => {
    const older = await ScriptedComputer.connect(service.url);
    const id = await submit();
    await older.hear('job');
    await using newer = await ScriptedComputer.connect(service.url);
    await newer.hear('job');
    await older[Symbol.asyncDispose]();
    await service.clock.settle();
    await newer.report({ type: 'scales', scales: [] });
    expect(newer.jobs).toEqual([id]);
  });
});

describe('what a computer reports', () => {
  it('keeps the id of a renamed printer and deletes one that is gone', async () => {
    await using computer = await ScriptedComputer.connect(service.url, { printers: ['Laser', 'Labels'] });
    const laser = {
      key: 'Laser',
      name: 'Renamed',
      description: '',
      default: null,
      state: null,
      capabilities: null,
    };
    await computer.report({ type: 'printers', printers: [laser] });
    expect((await service.call('GET', '/printers')).body).toMatchObject([{ id: 1, name: 'Renamed' }]);
    const labels = { ...laser, key: 'Labels', name: 'Labels' };
    await computer.report({ type: 'printers', printers: [laser, labels] });
    expect((await service.call('GET', '/printers')).body).toMatchObject([{ id: 3 }, { id: 1 }]);
  });

  it('shows a computer as connected while any of its connections lives', async () => {
    const first = await ScriptedComputer.connect(service.url);
    const second = await ScriptedComputer.connect(service.url);
    await first[Symbol.asyncDispose]();
    await service.clock.settle();
    expect((await service.call('GET', '/computers')).body).toMatchObject([{ state: 'connected' }]);
    await second[Symbol.asyncDispose]();
    await service.clock.settle();
    expect((await service.call('GET', '/computers')).body).toMatchObject([{ state: 'disconnected' }]);
  });

  it('deletes a computer with its printers, cancels what waits for it and ends its connection', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    computer.socket.on('close', (code) => computer.heard.push({ type: 'closed', code }));
    expect((await service.call('DELETE', '/computers/1')).body).toEqual([1]);
    expect(await computer.hear('closed')).toMatchObject({ code: 4404 });
    expect((await service.call('GET', '/computers')).body).toEqual([]);
    expect((await service.call('GET', '/printers')).body).toEqual([]);
  });
});

describe('the link', () => {
  it('cuts a connection that leaves a ping unanswered, and no other', async () => {
    await using silent = await ScriptedComputer.connect(service.url, { installationId: 'silent' });
    await using alive = await ScriptedComputer.connect(service.url, { installationId: 'alive' });
    silent.socket.pause();
    await service.clock.advance('30s');
    await service.clock.advance('30s');
    const computers = (await service.call('GET', '/computers')).body as { name: string; state: string }[];
    expect(computers.map(({ name, state }) => [name, state])).toEqual([
      ['Computer alive', 'connected'],
      ['Computer silent', 'disconnected'],
    ]);
    expect(alive.socket.readyState).toBe(alive.socket.OPEN);
  });

  it('answers garbage with an error and ends the connection', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    computer.socket.send('{"type":"printers","id":"x","printers":7}');
    expect(await computer.hear('error')).toMatchObject({ code: 'bad-message' });
  });

  it('ends a connection that does not say hello', async () => {
    const socket = new WebSocket(service.url.replace('http', 'ws') + LINK_PATH, [...LINK_PROTOCOLS], {
      headers: { authorization: basic(FIRST_KEY) },
    });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await service.clock.advance('10s');
    expect((await closed)[0]).toBe(4400);
  });

  it('counts the last of two reports with one key', async () => {
    await using computer = await ScriptedComputer.connect(service.url, { printers: ['Laser'] });
    const twice = { key: 'a', description: '', default: null, state: null, capabilities: null };
    await computer.report({
      type: 'printers',
      printers: [
        { ...twice, name: 'First' },
        { ...twice, name: 'Last' },
      ],
    });
    expect((await service.call('GET', '/printers')).body).toMatchObject([{ name: 'Last' }]);
    expect((await service.call('GET', '/printers')).body).toHaveLength(1);
  });

  it('refuses an acknowledgement of what was not sent', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    computer.say({ type: 'ack', id: 'job-7' });
    expect(await computer.hear('error')).toMatchObject({ message: "ack: nothing waits for 'job-7'" });
  });
});
