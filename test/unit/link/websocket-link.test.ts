import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';

import { systemClock, type Clock, type Timer } from '../../../src/common/clock.ts';
import { FaultPlan } from '../../../src/common/fault-plan.ts';
import { portOf } from '../../../src/common/port-of.ts';
import { createRandom } from '../../../src/common/random.ts';
import { VirtualClock } from '../../../src/common/virtual-clock.ts';
import { LinkError, type LinkFailure, type LinkSession } from '../../../src/link/device-link.ts';
import { LONG_FRAME_BYTES } from '../../../src/link/codec.ts';
import { SERVICE_FRAME_MAX_BYTES } from '../../../src/link/messages.ts';
import { webSocketLink } from '../../../src/link/websocket-link.ts';
import {
  jobMessage,
  jobState,
  linkComputer,
  printerNamed,
  until,
  type LinkComputer,
} from '../../support/link-computer.ts';
import { arrived, ScriptedLinkService } from '../../support/scripted-link-service.ts';

let service: ScriptedLinkService;
let computer: LinkComputer;
const sessions: LinkSession[] = [];
const servers: Server[] = [];

beforeEach(async () => {
  service = await ScriptedLinkService.start();
  computer = linkComputer();
});

afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  for (const server of servers.splice(0)) server.close();
  await service.close();
});

async function open(url = service.url, clock: Clock = systemClock): Promise<LinkSession> {
  const session = await webSocketLink({ clock }).open(computer.request(url));
  sessions.push(session);
  return session;
}

/** Why the link could not be opened. */
async function refusalOf(opening: Promise<unknown>): Promise<LinkFailure> {
  const error: unknown = await opening.then(
    () => new Error('it was opened'),
    (reason: unknown) => reason,
  );
  if (error instanceof LinkError) return error.failure;
  throw error;
}

async function dropOf(act: () => void): Promise<LinkFailure | undefined> {
  act();
  await until('the drop', () => computer.drops.length > 0);
  return computer.drops[0];
}

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${portOf(server)}`;
}

const httpServer = (answer: RequestListener): Promise<string> => listen(createHttpServer(answer));
const tcpServer = (greet: (socket: Socket) => void): Promise<string> =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => greet(socket));
    }),
  );

it('gives a service that is slow to answer a ping its time when the clock jumps', async () => {
  const clock = new VirtualClock();
  const slow = await ScriptedLinkService.start({ pongAfterMs: 700 });
  const session = await webSocketLink({ clock, pongPatienceMs: 5_000 }).open(computer.request(slow.url));
  await clock.advance('1h');
  expect(computer.drops).toEqual([]);
  expect(session.connected).toBe(true);
  await session.close();
  await slow.close();
});

it('waits for the answer to a ping also while a frame is late on purpose', async () => {
  const clock = new VirtualClock();
  const faults = new FaultPlan(clock, createRandom('faults'));
  const slow = await ScriptedLinkService.start({ pongAfterMs: 100 });
  const session = await webSocketLink({ clock, faults }).open(computer.request(slow.url));
  faults.add({ at: 'link/*/to-service', fault: 'latency', times: 1, with: { delay: '1h' } });
  const reported = session.reportPrinters([]);
  await clock.advance('5m');
  expect(computer.drops).toEqual([]);
  await clock.advance('1h');
  await reported;
  await session.close();
  await slow.close();
});

describe('the upgrade request', () => {
  it('carries the key as the user name with an empty password, and the versions', async () => {
    await open();
    const [upgrade] = service.upgrades;
    expect(upgrade?.method).toBe('GET');
    expect(upgrade?.url).toBe('/link');
    const expected = Buffer.from(`${'a'.repeat(40)}:`).toString('base64');
    expect(upgrade?.headers.authorization).toBe(`Basic ${expected}`);
    expect(upgrade?.headers['sec-websocket-protocol']).toBe('platen.link.v1');
    expect(upgrade?.headers['sec-websocket-extensions']).toBeUndefined();
  });

  it('goes to /link under the base address', async () => {
    await open(`${service.url}/base/?x=1`);
    expect(service.upgrades[0]?.url).toBe('/base/link');
  });
});

describe('a handshake that fails', () => {
  it.each([
    [401, 'unauthorized'],
    [426, 'no-common-version'],
    [404, 'no-link'],
    [500, 'refused'],
  ])('with status %i is %s, in the words of the error object', async (status, reason) => {
    service.refuseWith = { status, body: '{"uid":"u","code":"C","message":"not you"}' };
    const failure = await refusalOf(open());
    expect(failure.reason).toBe(reason);
    expect(failure.message).toBe(`${service.url} refused the link with ${status}: not you`);
  });

  it('quotes the beginning of a refusal that is not JSON', async () => {
    service.refuseWith = { status: 502, body: `<h1>Bad\n gateway</h1>${'.'.repeat(500)}` };
    const failure = await refusalOf(open());
    expect(failure.message).toContain('502: <h1>Bad gateway</h1>...');
    expect(failure.message.length).toBeLessThan(300);
  });

  it('does not wait for the end of an endless refusal', async () => {
    const url = await httpServer((_request, response) => {
      response.writeHead(503);
      response.write('x'.repeat(100_000));
    });
    expect((await refusalOf(open(url))).reason).toBe('refused');
  });

  it.each([
    [429, { 'retry-after': '7' }, 7_000],
    [503, { 'retry-after': '2' }, 2_000],
    [429, {}, 1_000],
    [503, {}, undefined],
  ])('with status %i and %j asks to wait %s ms', async (status, headers, wanted) => {
    const url = await httpServer((_request, response) => response.writeHead(status, headers).end());
    expect((await refusalOf(open(url))).retryAfterMs).toBe(wanted);
  });

  it('does not follow a redirect', async () => {
    const url = await httpServer((_request, response) => response.writeHead(302, { location: '/' }).end());
    expect(await refusalOf(open(url))).toMatchObject({ reason: 'refused' });
  });

  it('is a refusal when the server ignores the upgrade', async () => {
    const url = await httpServer((_request, response) => response.end('{}'));
    expect(await refusalOf(open(url))).toMatchObject({ reason: 'refused' });
  });

  it('is a breach of the protocol when the server does not speak HTTP', async () => {
    const url = await tcpServer((socket) => socket.end('220 mail ready\r\n'));
    expect(await refusalOf(open(url))).toMatchObject({ reason: 'protocol' });
  });

  it('is unreachable when the server closes the connection', async () => {
    const url = await tcpServer((socket) => socket.destroy());
    expect(await refusalOf(open(url))).toMatchObject({ reason: 'unreachable' });
  });

  it('has no common version when the service picks none', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => false });
    await new Promise((resolve) => server.once('listening', resolve));
    const failure = await refusalOf(open(`http://127.0.0.1:${portOf(server)}`));
    expect(failure.reason).toBe('no-common-version');
    server.close();
  });

  it.each(['', 'nonsense', 'ftp://127.0.0.1:1/', 'http://127.0.0.1:1'])('cannot reach "%s"', async (url) => {
    const failure = await refusalOf(open(url));
    expect(failure.reason).toBe('unreachable');
    expect(failure.message).toContain(url);
  });

  it('ends after 30 seconds without an answer to the upgrade', async () => {
    const clock = new VirtualClock();
    const url = await tcpServer(() => undefined);
    const refusal = refusalOf(open(url, clock));
    await clock.advance('30s');
    expect(await refusal).toMatchObject({ reason: 'unreachable' });
  });

  it('ends after 30 seconds without a welcome', async () => {
    const clock = new VirtualClock();
    service.welcoming = false;
    const refusal = refusalOf(open(service.url, clock));
    await arrived(service, 'hello');
    await clock.advance('30s');
    expect(await refusal).toMatchObject({ reason: 'silent' });
    expect(clock.heldBy).toEqual([]);
  });

  it('reports the error and the code of a service that closes instead of a welcome', async () => {
    service.welcoming = false;
    service.onMessage = () => {
      service.send({ type: 'error', code: 'KeyRevoked', message: 'this key is revoked' });
      service.closeLatest(4401, 'no longer welcome');
    };
    expect(await refusalOf(open())).toEqual({
      reason: 'unauthorized',
      message: 'the service closed the link with 4401: no longer welcome; KeyRevoked: this key is revoked',
    });
  });

  it('breaks off when a job comes before the welcome', async () => {
    service.welcoming = false;
    service.onMessage = () => service.send(jobMessage(1));
    expect(await refusalOf(open())).toMatchObject({ reason: 'protocol' });
    expect(computer.jobs).toEqual([]);
  });

  it('is aborted when the session is closed', async () => {
    const session = await open();
    session.cut();
    service.welcoming = false;
    const refusal = refusalOf(session.reconnect());
    await arrived(service, 'hello', 2);
    await session.close();
    expect(await refusal).toMatchObject({ reason: 'closed' });
    await until('no connection', () => service.connections === 0);
  });
});

describe('a service that breaks the protocol is dropped', () => {
  it.each([
    ['garbage', '{"type":', 'frame: not JSON'],
    ['an unknown type', '{"type":"reboot"}', 'unknown message type "reboot"'],
    ['a message of the other direction', '{"type":"hello"}', 'unknown message type "hello"'],
    ['a job without a number', JSON.stringify({ ...jobMessage(1), jobId: 'x' }), 'job: jobId'],
    ['an ack of nothing', '{"type":"ack","id":"nothing"}', "ack of 'nothing'"],
    ['a binary frame', Buffer.from('{"type":"refresh"}'), 'a binary frame'],
    ['a second welcome', '{"type":"welcome","computerId":1,"accountId":1,"heartbeatMs":1}', 'a second welcome'],
  ])('for %s', async (_what, frame, expected) => {
    const session = await open();
    const drop = await dropOf(() => service.sendRaw(frame));
    expect(drop?.reason).toBe('protocol');
    expect(drop?.message).toContain(expected);
    expect(session.connected).toBe(false);
    await until('the close at the service', () => service.closed.length === 1);
    expect(service.closed).toEqual([1002]);
    await session.reconnect();
    expect(session.connected).toBe(true);
  });

  it('for a frame that is too long', async () => {
    await open();
    const drop = await dropOf(() => service.sendRaw('x'.repeat(SERVICE_FRAME_MAX_BYTES + 1)));
    expect(drop).toMatchObject({ reason: 'protocol' });
    expect(drop?.message).toContain('Max payload size exceeded');
  });

  it('for a frame that is not UTF-8', async () => {
    await open();
    const drop = await dropOf(() => service.sendRawText(Buffer.from([0x7b, 0xff, 0x7d])));
    expect(drop).toMatchObject({ reason: 'protocol' });
  });

  it('ignores a job that comes after the offence', async () => {
    await open();
    await dropOf(() => {
      service.sendRaw('garbage');
      service.send(jobMessage(1));
    });
    await until('the close at the service', () => service.closed.length === 1);
    expect(computer.jobs).toEqual([]);
    expect(computer.drops).toHaveLength(1);
  });
});

describe('a job of many megabytes', () => {
  const long = { ...jobMessage(1), content: 'QUJD'.repeat(LONG_FRAME_BYTES) };

  it('is taken before what comes behind it', async () => {
    await open();
    for (const message of [long, jobMessage(2), { ...long, jobId: 3, id: 'd-3' }, jobMessage(4)]) service.send(message);
    await until('four jobs', () => computer.jobs.length === 4);
    expect(computer.jobs.map(({ jobId }) => jobId)).toEqual([1, 2, 3, 4]);
    expect(computer.jobs[0]?.content).toBe(long.content);
  });

  it('is not taken once its connection has ended meanwhile, nor is what comes behind it', async () => {
    const cutWhileReading = Object.assign(Object.create(systemClock) as typeof systemClock, {
      hold(what: string) {
        if (what.endsWith('reading a long frame')) queueMicrotask(() => session.cut());
        return systemClock.hold(what);
      },
    });
    const session = await open(service.url, cutWhileReading);
    service.send(jobMessage(1));
    service.send({ ...long, jobId: 2, id: 'd-2' });
    service.send(jobMessage(3));
    await until('the cut', () => !session.connected);
    await session.reconnect();
    service.send(jobMessage(4));
    await until('a job of the next connection', () => computer.jobs.length > 1);
    expect(computer.jobs.map(({ jobId }) => jobId)).toEqual([1, 4]);
  });
});

describe('a service that closes', () => {
  it.each([
    [4400, 'protocol'],
    [4401, 'unauthorized'],
    [4404, 'refused'],
    [1001, 'closed'],
    [1009, 'protocol'],
    [4999, 'closed'],
  ])('with %i has dropped the computer as %s', async (code, reason) => {
    await open();
    const drop = await dropOf(() => service.closeLatest(code, 'because'));
    expect(drop).toEqual({ reason, message: `the service closed the link with ${code}: because` });
  });
});

describe('a report that the service could only refuse', () => {
  it('is rejected at once when it is too long, and the link lives on', async () => {
    const session = await open();
    const long = { ...printerNamed('Laser'), description: 'x'.repeat(5 * 1024 * 1024) };
    await expect(session.reportPrinters([long])).rejects.toMatchObject({ failure: { reason: 'protocol' } });
    await session.reportPrinters([printerNamed('Laser')]);
    expect(service.seen.map((message) => message.type)).toEqual(['hello', 'printers']);
  });

  it('is rejected at once when a field is wrong', async () => {
    const session = await open();
    const report = session.reportJobState({ ...jobState('s-1'), state: '' });
    await expect(report).rejects.toThrow('cannot report: job-state: state');
    expect(session.connected).toBe(true);
  });

  it('is sent once when the same job state is reported twice before its acknowledgement', async () => {
    const session = await open();
    await Promise.all([session.reportJobState(jobState('s-1')), session.reportJobState(jobState('s-1'))]);
    expect(await arrived(service, 'job-state')).toHaveLength(1);
  });
});

describe('the watch for silence', () => {
  it('keeps one beat for all sessions of a link, and none without a session', async () => {
    const beats = new Set<Timer>();
    const clock: Clock = {
      ...systemClock,
      beat: (intervalMs, task) => {
        const timer = systemClock.beat(intervalMs, task);
        const counted: Timer = {
          cancel: () => {
            timer.cancel();
            beats.delete(counted);
          },
        };
        beats.add(counted);
        return counted;
      },
    };
    const link = webSocketLink({ clock });
    const opened = await Promise.all([1, 2, 3].map(() => link.open(computer.request(service.url))));
    expect(beats.size).toBe(1);
    await Promise.all(opened.map((session) => session.close()));
    expect(beats.size).toBe(0);
  });

  it('takes pings of the service as proof that it is alive', async () => {
    await service.close();
    service = await ScriptedLinkService.start({ answersPings: false });
    const clock = new VirtualClock();
    const session = await open(service.url, clock);
    for (let beat = 0; beat < 10; beat++) {
      await service.ping();
      await clock.advance('15s');
    }
    expect(session.connected).toBe(true);
  });

  it('rests while the session does: a machine that sleeps sends no pings and gives up nothing', async () => {
    await service.close();
    service = await ScriptedLinkService.start({ answersPings: false });
    const clock = new VirtualClock();
    const session = await open(service.url, clock);
    session.pause();
    await clock.advance('1h');
    expect(service.pings).toBe(0);
    expect(session.connected).toBe(true);
    session.resume();
    await clock.advance('29s');
    expect(session.connected).toBe(true);
    await clock.advance('1m');
    expect(service.pings).toBe(1);
    expect(computer.drops).toMatchObject([{ reason: 'silent' }]);
  });
});
