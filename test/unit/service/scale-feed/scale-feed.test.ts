import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { within } from '../../../../src/common/waiter.ts';
import { createChild, type CreatedChild } from '../../../support/child-account.ts';
import { FIRST_KEY, runService, SECOND_KEY, type RunningService } from '../../../support/running-service.ts';
import { ScaleFeedClient } from '../../../support/scale-feed-client.ts';
import { ScriptedComputer } from '../../../support/scripted-computer.ts';
import { soon } from '../../../support/soon.ts';

const VIRTUAL_TOPIC = 'computer.0.scales.Service Test Scale.0';

let service: RunningService;
beforeEach(async () => {
  service = await runService();
});
afterEach(() => service[Symbol.asyncDispose]());

/** As long as a name may be, of characters that are six in JSON. */
const LONG_NAME = '\u0001'.repeat(1_000);

function scale(key: string, deviceName: string): object {
  return { key, deviceName, vendor: null, product: null, vendorId: 0, productId: 0, port: null };
}

/** A computer with scales of these names, each its own key. */
async function computerWith(
  deviceNames: readonly string[],
  options: { key?: string; installationId?: string } = {},
): Promise<ScriptedComputer> {
  const computer = await ScriptedComputer.connect(service.url, options);
  const scales = deviceNames.map((deviceName, index) => scale(`key-${index}`, deviceName));
  await computer.report({ type: 'scales', scales });
  return computer;
}

async function suspend({ headers }: CreatedChild): Promise<void> {
  expect(await service.call('PUT', '/account/state', { headers, body: '"suspended"' })).toMatchObject({
    status: 200,
  });
}

function weigh(computer: ScriptedComputer, index: number, micrograms: number): Promise<void> {
  return computer.report(readingOf(index, micrograms));
}

function readingOf(index: number, micrograms: number): { type: string } & Record<string, unknown> {
  return {
    type: 'reading',
    scaleKey: `key-${index}`,
    mass: [micrograms, null],
    measurement: { g: micrograms * 1_000 },
    clientReportedCreateTimestamp: '2026-01-01T00:00:00Z',
  };
}

/** Topics, subscription ids and masses of what was published. */
function published(frames: readonly unknown[]): unknown[] {
  return frames
    .filter((frame) => (frame as unknown[])[0] === 'publish')
    .map((frame) => {
      const [, [topic], [id, data]] = frame as [string, [string], [number, { mass?: [number | null] }]];
      return [topic, id, data.mass?.[0]];
    });
}

function error(text: string): unknown {
  return ['system', 'error', { error: expect.stringContaining(text), ack: expect.toSatisfy(isAck) }];
}

function isAck(value: unknown): boolean {
  return value === null || Number.isInteger(value);
}

describe('authentication on the websocket', () => {
  it('is acknowledged and answered with the account and the limits', async () => {
    await using client = await ScaleFeedClient.open(service.url);
    expect(await client.ask('authenticate', { apiKey: FIRST_KEY })).toEqual([
      ['protocol', 'ack', 1],
      [
        'system',
        'authenticateResponse',
        { accountId: 1, permissions: 1, maxSubscriptions: 5, currentWebsockets: 1, maxWebsockets: 5 },
      ],
    ]);
  });

  it.each(['/ws/1', '/ws/2.7.1/', '//ws/anything'])('works at %s', async (path) => {
    await using client = await ScaleFeedClient.open(service.url, path);
    expect(await client.ask('authenticate', { apiKey: FIRST_KEY })).toHaveLength(2);
  });

  it('with a wrong key is answered with an error, and can be tried again', async () => {
    await using client = await ScaleFeedClient.open(service.url);
    expect(await client.ask('authenticate', { apiKey: 'wrong' })).toEqual([
      ['protocol', 'ack', 1],
      ['system', 'authenticateResponse', { error: 'the API key is not known' }],
    ]);
    expect(await client.ask('authenticate', { apiKey: SECOND_KEY })).toMatchObject([
      ['protocol', 'ack', 2],
      ['system', 'authenticateResponse', { accountId: 2 }],
    ]);
  });

  it('with the key of a suspended account is answered with an error', async () => {
    const child = await createChild(service);
    await suspend(child);
    await using client = await ScaleFeedClient.open(service.url);
    expect(await client.ask('authenticate', { apiKey: child.key })).toContainEqual([
      'system',
      'authenticateResponse',
      { error: 'the account is suspended' },
    ]);
  });

  it('without an ack number is answered without an acknowledgement', async () => {
    await using client = await ScaleFeedClient.open(service.url);
    client.say([null, 'authenticate', { apiKey: FIRST_KEY }]);
    await client.flush();
    expect(client.heard).toMatchObject([['system', 'authenticateResponse', { accountId: 1 }]]);
  });

  it('twice, or with no key in it, is an error', async () => {
    await using client = await ScaleFeedClient.open(service.url);
    expect(await client.ask('authenticate', null)).toContainEqual(error('apiKey'));
    expect(await client.ask('authenticate', { apiKey: 7 })).toContainEqual(error('apiKey'));
    await client.ask('authenticate', { apiKey: FIRST_KEY });
    expect(await client.ask('authenticate', { apiKey: FIRST_KEY })).toContainEqual(error('already'));
  });

  it('must come before anything else', async () => {
    await using client = await ScaleFeedClient.open(service.url);
    await service.call('PUT', '/scale');
    expect(await client.ask('subscribe', [0, '/scales/'])).toEqual([
      ['protocol', 'ack', 1],
      error('authenticate first'),
    ]);
    expect(await client.ask('unsubscribe', [0])).toContainEqual(error('authenticate first'));
  });

  it('must come within 10 s', async () => {
    await using late = await ScaleFeedClient.open(service.url);
    await using early = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    await service.clock.advance(9_999);
    await late.flush();
    await service.clock.advance(1);
    expect(await late.end()).toMatchObject({ code: 4401 });
    expect(late.heard).toEqual([error('within 10 s')]);
    await early.flush();
  });

  it('is refused to the sixth websocket of an account until another one has gone', async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => ScaleFeedClient.connect(service.url, FIRST_KEY)));
    await using other = await ScaleFeedClient.connect(service.url, SECOND_KEY);
    await using sixth = await ScaleFeedClient.open(service.url);
    expect(await sixth.ask('authenticate', { apiKey: FIRST_KEY })).toContainEqual([
      'system',
      'authenticateResponse',
      { error: 'an account can have at most 5 websockets' },
    ]);
    await clients.pop()?.[Symbol.asyncDispose]();
    await soon('a place for the sixth websocket', '5s', async () => {
      const heard = JSON.stringify(await sixth.ask('authenticate', { apiKey: FIRST_KEY }));
      return heard.includes('"currentWebsockets":5') ? true : undefined;
    });
    await other.flush();
    for (const client of clients) await client[Symbol.asyncDispose]();
  });
});

describe('subscriptions to scales', () => {
  it('get what is there at once, with its age, and then each new reading', async () => {
    await service.call('PUT', '/scale');
    await service.clock.advance('3s');
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    const { body } = await service.call('GET', '/computer/0/scale/Service%20Test%20Scale/0');
    expect(await client.ask('subscribe', [0, '/computer/0/scales/'])).toEqual([
      ['protocol', 'ack', 2],
      ['publish', [VIRTUAL_TOPIC], [0, body]],
    ]);
    expect(body).toMatchObject({ ageOfData: 3_000 });
    const { body: second } = await service.call('PUT', '/scale', { body: { mass: [5, null] } });
    await client.flush();
    expect(client.heard.at(-1)).toEqual(['publish', [VIRTUAL_TOPIC], [0, second]]);
    expect(second).toMatchObject({ ageOfData: 0 });
  });

  it('get nothing of readings that are older than 45 s', async () => {
    await service.call('PUT', '/scale');
    await service.clock.advance('45s');
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    expect(await client.ask('subscribe', [0, '/scales/'])).toEqual([['protocol', 'ack', 2]]);
  });

  it.each([
    ['/scales/', [1, 2, 3, 4]],
    ['/scales', [1, 2, 3, 4]],
    ['/computer/1/scales/', [1, 2, 3]],
    ['/computer/1/scales/My%20Scale/', [1, 2]],
    ['/computer/1/scales/a.b%2F%5C%C3%BC', [3]],
    ['/computer/1/scale/My%20Scale/1/', [2]],
    ['/computer/1/scale/My%20Scale/2/', []],
    ['/computer/2/scales/My%20Scale', []],
    ['/computer/0/scales/', [4]],
    ['/computer/9/scales/', []],
    ['/computers/connections/', []],
  ])('to %s get what it names, before and after', async (path, masses) => {
    await using computer = await computerWith(['My Scale', 'My Scale', 'a.b/\\ü']);
    const weighAll = async (): Promise<void> => {
      for (const index of [0, 1, 2]) await weigh(computer, index, index + 1);
      await service.call('PUT', '/scale', { body: { mass: [4, null] } });
    };
    await weighAll();
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    await client.ask('subscribe', [7, path]);
    const massesHeard = (): unknown[] =>
      published(client.heard)
        .map((publication) => (publication as unknown[])[2])
        .filter((mass) => mass !== undefined);
    expect(new Set(massesHeard())).toEqual(new Set(masses));
    client.heard.length = 0;
    await weighAll();
    await client.flush();
    expect(massesHeard()).toEqual(masses);
  });

  it('escape dots and backslashes in topics', async () => {
    await using computer = await computerWith(['a.b\\c']);
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    await client.ask('subscribe', [0, '/scales/']);
    await weigh(computer, 0, 1);
    await client.flush();
    expect(published(client.heard)).toEqual([['computer.1.scales.a\\.b\\\\c.0', 0, 1]]);
  });

  it('get a reading once each where several of them want it', async () => {
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    await client.ask('subscribe', [0, '/scales/']);
    await client.ask('subscribe', [9, '/computer/0/scales/']);
    await service.call('PUT', '/scale');
    await client.flush();
    expect(published(client.heard)).toEqual([
      [VIRTUAL_TOPIC, 0, 779_000_000],
      [VIRTUAL_TOPIC, 9, 779_000_000],
    ]);
  });

  it('hear nothing of other accounts', async () => {
    await using computer = await computerWith(['Scale'], { key: SECOND_KEY });
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    for (const [id, path] of ['/scales/', '/computer/1/scales/', '/computer/1/connections/'].entries()) {
      await client.ask('subscribe', [id, path]);
    }
    await weigh(computer, 0, 1);
    await service.call('PUT', '/scale', { key: SECOND_KEY });
    await computer[Symbol.asyncDispose]();
    await client.flush();
    expect(published(client.heard)).toEqual([]);
  });

  it('end with unsubscribe, and their id is free again', async () => {
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    await client.ask('subscribe', [3, '/scales/']);
    expect(await client.ask('unsubscribe', [3])).toEqual([['protocol', 'ack', 3]]);
    await service.call('PUT', '/scale');
    expect(await client.ask('unsubscribe', [3])).toContainEqual(error('no subscription 3'));
    expect(published(client.heard)).toEqual([]);
    expect(published(await client.ask('subscribe', [3, '/scales/']))).toHaveLength(1);
  });

  it('are five a websocket at most', async () => {
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    for (const id of [0, 1, 2, 3, 4]) await client.ask('subscribe', [id, '/scales/']);
    expect(await client.ask('subscribe', [5, '/scales/'])).toContainEqual(error('at most 5'));
    await client.ask('unsubscribe', [0]);
    expect(await client.ask('subscribe', [5, '/scales/'])).toHaveLength(1);
  });

  it.each([
    ['there already', [0, '/scales/']],
    ['payload', [1]],
    ['payload', ['1', '/scales/']],
    ['payload', [-1, '/scales/']],
    ['payload', { id: 1 }],
    ['path', [1, 7]],
    ['path', [1, `/scales/${'x'.repeat(2_000)}`]],
    ['nothing to subscribe', [1, '/printers/']],
    ['nothing to subscribe', [1, '/']],
    ['nothing to subscribe', [1, '/__proto__/constructor']],
    ['not an integer', [1, '/computer/x/scales/']],
    ['not an integer', [1, '/computer/-1/scales/']],
    ['percent-encoding', [1, '/computer/1/scales/%ff/']],
  ])('are refused with an error that says "%s": %j', async (text, payload) => {
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    await client.ask('subscribe', [0, '/computer/0/scales/']);
    expect(await client.ask('subscribe', payload)).toEqual([['protocol', 'ack', 3], error(text)]);
  });
});

describe('subscriptions to connections', () => {
  const connection = {
    serverUuid: expect.any(String),
    hostname: null,
    connectionTimestamp: '2026-01-01T00:00:00.000Z',
    edition: null,
    version: '1.0.0',
  };

  it('get the connections there are, and each change of them', async () => {
    await using first = await ScriptedComputer.connect(service.url, { installationId: 'one' });
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    expect(await client.ask('subscribe', [1, '/computer/1/connections/'])).toEqual([
      ['protocol', 'ack', 2],
      ['publish', ['computer.1.connections'], [1, { accountId: 1, computerId: 1, connections: [connection] }]],
    ]);
    client.heard.length = 0;
    const second = await ScriptedComputer.connect(service.url, { installationId: 'one' });
    await second[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    const ended = ['publish', ['computer.1.connections'], [1, { accountId: 1, computerId: 1, connections: [] }]];
    await client.hear(ended);
    expect(client.heard).toMatchObject([
      ['publish', ['computer.1.connections'], [1, { connections: [connection, connection] }]],
      ['publish', ['computer.1.connections'], [1, { connections: [connection] }]],
      ended,
    ]);
  });

  it('follow all computers of the account with /computers/connections/', async () => {
    await (await ScriptedComputer.connect(service.url, { installationId: 'one' }))[Symbol.asyncDispose]();
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    await client.ask('subscribe', [0, '/computers/connections/']);
    await using other = await ScriptedComputer.connect(service.url, { installationId: 'two' });
    await client.hear(['publish', ['computer.2.connections']]);
    expect(published(client.heard)).toEqual([
      ['computer.1.connections', 0, undefined],
      ['computer.2.connections', 0, undefined],
    ]);
    await other.report({ type: 'printers', printers: [] });
  });

  it('hear that a computer was deleted as that it has no connection left', async () => {
    await using computer = await ScriptedComputer.connect(service.url);
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    await client.ask('subscribe', [0, '/computer/1/connections/']);
    await service.call('DELETE', '/computers/1');
    await computer[Symbol.asyncDispose]();
    const none = { accountId: 1, computerId: 1, connections: [] };
    const frame = ['publish', ['computer.1.connections'], [0, none]];
    expect(await client.hear(frame)).toEqual(frame);
  });
});

describe('what a client must not do', () => {
  it.each([
    ['no JSON', 'hello'],
    ['an object', '{}'],
    ['two elements', '[1,"authenticate"]'],
    ['four elements', '[1,"authenticate",{},{}]'],
    ['an ack that is a string', '["1","authenticate",{}]'],
    ['a fractional ack', '[1.5,"authenticate",{}]'],
    ['a message that is a number', '[1,2,{}]'],
    ['deep nesting', '['.repeat(15_000)],
  ])('sending %s gets an error, then the end', async (_what, text) => {
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    client.say(text);
    expect(await client.end()).toMatchObject({ code: 4400 });
    expect(client.heard.at(-1)).toEqual(['system', 'error', { error: expect.any(String), ack: null }]);
  });

  it('sending a binary frame gets an error, then the end', async () => {
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    client.socket.send(Buffer.from('[2,"subscribe",[0,"/scales/"]]'));
    expect(await client.end()).toMatchObject({ code: 4400 });
  });

  it('sending more than 16 KiB ends the websocket', async () => {
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    client.say([2, 'subscribe', [0, 'x'.repeat(16 * 1024)]]);
    expect(await client.end()).toMatchObject({ code: 1009 });
  });

  it('a used or smaller ack number is an error, and its message is not done', async () => {
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    await service.call('PUT', '/scale');
    client.say([1, 'subscribe', [0, '/scales/']]);
    await client.flush();
    expect(client.heard.slice(2)).toEqual([error('ack 1')]);
  });

  it('an unknown message is an error', async () => {
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    expect(await client.ask('ack', 1)).toEqual([['protocol', 'ack', 2], error('unknown message')]);
  });
});

describe('the life of a websocket', () => {
  it('ends with 1001 when the service closes', async () => {
    const closing = await runService();
    await using client = await ScaleFeedClient.connect(closing.url, FIRST_KEY);
    await closing[Symbol.asyncDispose]();
    expect([1001, 1006]).toContain((await client.end()).code);
  });

  it('goes on over heartbeats that are answered', async () => {
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    for (let beat = 0; beat < 3; beat++) await service.clock.advance('30s');
    await client.flush();
    expect(client.socket.readyState).toBe(client.socket.OPEN);
  });

  it('ends when a heartbeat was not answered', async () => {
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    client.socket.pause();
    await service.clock.advance('30s');
    await service.clock.advance('30s');
    client.socket.resume();
    expect(await client.end()).toMatchObject({ code: 1006 });
  });

  it('ends at the next heartbeat after its account was suspended', async () => {
    const child = await createChild(service);
    await using client = await ScaleFeedClient.connect(service.url, child.key);
    await suspend(child);
    await service.clock.advance('30s');
    expect(await client.end()).toEqual({ code: 4401, reason: 'the account is suspended' });
  });

  it('leaves readings out for a client that does not read', async () => {
    await using slow = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    await using quick = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    await slow.ask('subscribe', [0, '/scales/']);
    await quick.ask('subscribe', [0, '/scales/']);
    await using computer = await computerWith([LONG_NAME]);
    slow.socket.pause();
    const readings = 1_500;
    for (let count = 1; count <= readings; count++) {
      // Not all at once: a client that reads may not keep up either.
      if (count % 15 === 0) await weigh(computer, 0, count);
      else computer.say({ ...readingOf(0, count), id: `reading-${count}` });
    }
    await quick.flush();
    slow.socket.resume();
    await slow.flush();
    expect(published(quick.heard)).toHaveLength(readings);
    expect(published(slow.heard).length).toBeLessThan(readings / 2);
    await weigh(computer, 0, 1_000);
    await slow.flush();
    expect(published(slow.heard).at(-1)).toMatchObject({ 2: 1_000 });
  });

  it('is cut off when its client asks for more and more and does not read', async () => {
    await using client = await ScaleFeedClient.connect(service.url, FIRST_KEY);
    await using computer = await computerWith([LONG_NAME]);
    await weigh(computer, 0, 1);
    client.socket.pause();
    for (let count = 0; count < 1_500; count++) {
      client.say([null, 'subscribe', [0, '/scales/']]);
      client.say([null, 'unsubscribe', [0]]);
    }
    await soon('the client to be off the books', '5s', async () => {
      await using other = await ScaleFeedClient.connect(service.url, FIRST_KEY);
      return JSON.stringify(other.heard).includes('"currentWebsockets":1,') ? true : undefined;
    });
    client.socket.resume();
    expect(await client.end()).toMatchObject({ code: 1006 });
  });

  it('is for its paths alone: an upgrade elsewhere still needs credentials', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.end('GET /wsx/1 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    const [answer] = (await within(once(socket, 'data'), {
      description: 'the refusal',
      limit: '5s',
    })) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /);
    socket.destroy();
  });
});

describe('docs/scale-websocket.md', () => {
  it('has a transcript that a service keeps to', async () => {
    const page = readFileSync(new URL('../../../../docs/scale-websocket.md', import.meta.url), 'utf8');
    const transcript = /```\n(C: [^]*?)```/.exec(page)?.[1] ?? '';
    const lines = transcript.split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(10);
    await using client = await ScaleFeedClient.open(service.url);
    for (const line of lines) {
      const text = line.slice(3);
      if (line.startsWith('C: ')) client.say(text);
      else if (line.startsWith('H: ')) await service.call('PUT', '/scale');
      else await client.hear(JSON.parse(text) as unknown[]);
    }
    await client.flush();
    expect(client.heard).toEqual(
      lines.filter((line) => line.startsWith('S: ')).map((line) => JSON.parse(line.slice(3)) as unknown),
    );
  });
});
