/**
 * What a peer may try at the link of computers, at the scale feed, and at the ports that printers and scales are
 * exposed at.
 */

import { once } from 'node:events';
import type { Socket } from 'node:net';

import { sleep, systemClock } from '../../../src/common/clock.ts';
import { within } from '../../../src/common/waiter.ts';
import { tried, type Attack, type AttackTable } from '../attack.ts';
import { ask, type AttackedBench } from '../attacked-bench.ts';
import { connectTo, exchange, feedClient, hello, HostileComputer, portOf, portsOf } from '../hostile-peers.ts';

const LONG = 3_900_000;

interface Field {
  readonly in: keyof typeof MESSAGES;
  /** As the reason names it. */
  readonly path: string;
  /** A message in which this field alone is `value`. */
  readonly with: (value: unknown) => object;
  readonly most: number;
}

const printer = { key: 'k', name: 'n', description: '', default: null, state: null, capabilities: null };
const scale = {
  key: 'k',
  deviceName: 'n',
  vendor: null,
  product: null,
  vendorId: 1,
  productId: 1,
  port: null,
};
const reading = { mass: [1, 1], measurement: {}, clientReportedCreateTimestamp: '2026-01-01T00:00:00Z' };
const jobState = { jobId: 1, state: 'received', message: null, data: null, createTimestamp: '2026-01-01T00:00:00Z' };

/** A sound message of each type, with changes. */
const MESSAGES = {
  hello: (changes: object) => hello(changes),
  printers: (changes: object) => ({ type: 'printers', id: 'x', printers: [printer], ...changes }),
  scales: (changes: object) => ({ type: 'scales', id: 'x', scales: [scale], ...changes }),
  'job-state': (changes: object) => ({ type: 'job-state', id: 'x', ...jobState, ...changes }),
  reading: (changes: object) => ({ type: 'reading', id: 'x', scaleKey: 'k', ...reading, ...changes }),
  ack: (changes: object) => ({ type: 'ack', id: 'x', ...changes }),
} as const;

const STRINGS: readonly Field[] = [
  ...Object.entries({ installationId: 100, computerName: 1000, hostname: 1000, inet: 100, inet6: 100 }).map(inClient),
  ...Object.entries({ version: 100, edition: 100 }).map(inClient),
  ...Object.entries({ key: 200, name: 1000, description: 1000, state: 100 }).map(inPrinter),
  ...Object.entries({ key: 400, deviceName: 1000, vendor: 1000, product: 1000, port: 1000 }).map(inScale),
  ...Object.entries({ id: 100, state: 100, message: 10_000 }).map(at('job-state')),
  ...Object.entries({ id: 100, scaleKey: 400 }).map(at('reading')),
  at('printers')(['id', 100]),
  at('scales')(['id', 100]),
  at('ack')(['id', 100]),
];

function at(type: keyof typeof MESSAGES) {
  return ([path, most]: readonly [string, number]): Field => ({
    in: type,
    path,
    with: (value) => MESSAGES[type]({ [path]: value }),
    most,
  });
}

function inClient([name, most]: readonly [string, number]): Field {
  return { in: 'hello', path: `client.${name}`, with: (value) => hello({}, { [name]: value }), most };
}

function inPrinter([name, most]: readonly [string, number]): Field {
  const message = (value: unknown): object => MESSAGES.printers({ printers: [{ ...printer, [name]: value }] });
  return { in: 'printers', path: `printers[0].${name}`, with: message, most };
}

function inScale([name, most]: readonly [string, number]): Field {
  const message = (value: unknown): object => MESSAGES.scales({ scales: [{ ...scale, [name]: value }] });
  return { in: 'scales', path: `scales[0].${name}`, with: message, most };
}

const LISTS: readonly Field[] = [
  { in: 'hello', path: 'holding', with: (holding) => hello({ holding }), most: 25_000 },
  at('printers')(['printers', 1_000]),
  at('scales')(['scales', 1_000]),
];

/** What a list of this type is filled with, as often as a frame holds. */
const FILLED: Readonly<Record<string, (count: number) => unknown[]>> = {
  holding: (count) => Array.from({ length: count }, (_, index) => index + 1),
  printers: (count) => Array.from({ length: count }, (_, index) => ({ ...printer, key: `k${index}` })),
  scales: (count) => Array.from({ length: count }, (_, index) => ({ ...scale, key: `k${index}` })),
};

const OBJECTS: readonly Field[] = [
  inPrinter(['capabilities', 65_536]),
  at('job-state')(['data', 65_536]),
  at('reading')(['measurement', 10_000]),
];

const TYPES = Object.keys(MESSAGES) as (keyof typeof MESSAGES)[];

/** What became of one message; a hello is the first one. */
async function fateOf(bench: AttackedBench, message: object | string, isHello: boolean): Promise<string> {
  using computer = await HostileComputer.connect(bench, isHello ? message : hello());
  if (isHello) computer.say(MESSAGES.printers({ id: 'after', printers: [] }));
  else computer.say(message);
  return await computer.fateOf(isHello ? 'after' : 'x');
}

const longStrings = STRINGS.map((field) =>
  tried(
    `link: ${field.in} with ${LONG} characters in ${field.path}`,
    `4400 ${field.in}: ${field.path}: must have at most ${field.most} characters`,
    (bench) => fateOf(bench, field.with('n'.repeat(LONG)), field.in === 'hello'),
  ),
);

const TOO_MANY = '4400 frame: more than 50000 values';

const longLists = LISTS.flatMap((field) =>
  [field.most + 1, 20_000 + field.most].map((count) =>
    tried(
      `link: ${field.in} with ${count} in ${field.path}`,
      field.in !== 'hello' && count > 20_000
        ? TOO_MANY
        : `4400 ${field.in}: ${field.path}: must have at most ${field.most} entries`,
      (bench) => fateOf(bench, field.with(FILLED[field.path]?.(count)), field.in === 'hello'),
    ),
  ),
);

const wrongLists = LISTS.map((field) =>
  tried(`link: ${field.in} with a million empty texts in ${field.path}`, TOO_MANY, (bench) =>
    fateOf(bench, field.with(Array.from({ length: 1_000_000 }, () => '')), field.in === 'hello'),
  ),
);

const largeObjects = OBJECTS.map((field) =>
  tried(
    `link: ${field.in} with 40,000 keys in ${field.path}`,
    `4400 ${field.in}: ${field.path}: must have at most ${field.most} characters as JSON`,
    (bench) => fateOf(bench, field.with(manyKeys(40_000)), false),
  ),
);

function manyKeys(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
}

const deep = TYPES.flatMap((type) =>
  [40_000, 1_000_000].map((levels) =>
    tried(
      `link: ${type} with ${levels} lists in each other`,
      levels > 50_000 ? TOO_MANY : `4400 ${type}: nested deeper than 32 levels`,
      (bench) => {
        const lists = '['.repeat(levels) + ']'.repeat(levels);
        const text = JSON.stringify(MESSAGES[type]({ more: 'HERE' })).replace('"HERE"', lists);
        return fateOf(bench, text, type === 'hello');
      },
    ),
  ),
);

const UNKNOWN_KEYS = manyKeys(300_000);

const unknownKeys = TYPES.map((type) =>
  tried(`link: ${type} with 300,000 fields that are unknown`, TOO_MANY, (bench) =>
    fateOf(bench, MESSAGES[type](UNKNOWN_KEYS), type === 'hello'),
  ),
);

const FLOOD = 60_000;

const floods = TYPES.filter((type) => type !== 'hello' && type !== 'ack').map((type) =>
  tried(`link: ${FLOOD} small ${type} at once`, 'taken', async (bench) => {
    using computer = await HostileComputer.connect(bench);
    for (let id = 1; id <= FLOOD; id++) computer.say(MESSAGES[type]({ id: String(id) }));
    return await computer.fateOf(String(FLOOD));
  }),
);

const otherLinks: readonly Attack[] = [
  tried('link: a sound list of 1,000 printers, ten times', 'taken', async (bench) => {
    using computer = await HostileComputer.connect(bench);
    const printers = FILLED['printers']?.(1_000);
    for (let id = 1; id <= 10; id++) computer.say(MESSAGES.printers({ id: String(id), printers }));
    return await computer.fateOf('10');
  }),
  tried(
    'link: one installation connects 33 times',
    '4400 hello: the computer has 32 connections, and may have no more',
    async (bench) => {
      const same = hello();
      using stack = new DisposableStack();
      for (let count = 0; count < 32; count++) stack.use(await HostileComputer.connect(bench, same));
      const last = stack.use(await HostileComputer.connect(bench, same));
      last.say(MESSAGES.printers({ printers: [] }));
      return await last.fateOf('x');
    },
  ),
  {
    attack: 'link: a computer that reads nothing reports without end',
    expected: 'the service stops reading',
    play: async (bench) => {
      using computer = await HostileComputer.connect(bench);
      computer.stopReading();
      // Each is answered with an acknowledgement of a hundred characters.
      for (let id = 1; id <= 200_000; id++)
        computer.say(MESSAGES['job-state']({ id: String(id).padStart(100, '0'), jobId: 999_999 }));
      return (await stalls(() => computer.unsentBytes)) ? 'the service stops reading' : 'all of it was taken';
    },
  },
  tried('feed: frames of every kind that are wrong, 10,000 of each', '4400 the frame is not JSON', async (bench) => {
    const socket = await feedClient(bench);
    const closed = once(socket, 'close') as Promise<[number, Buffer]>;
    for (let count = 0; count < 10_000; count++) {
      socket.send('[null,"subscribe",[1,"/scales"]]');
      socket.send('[null,"unsubscribe",[1]]');
      socket.send('[null,"nothing",[]]');
      socket.send(JSON.stringify([null, 'subscribe', [2, `/computer/${'1'.repeat(10_000)}/scales`]]));
    }
    socket.send('nonsense');
    const [code, reason] = await within(closed, { description: 'the end of the feed', limit: '20s' });
    return `${code} ${reason.toString('utf8')}`;
  }),
  tried('feed: a client that reads nothing subscribes without end', 'cut off', async (bench) => {
    const socket = await feedClient(bench);
    const closed = once(socket, 'close');
    socket.pause();
    for (let count = 0; count < 100_000; count++) {
      socket.send(JSON.stringify([null, 'subscribe', [1, 'x'.repeat(90)]]));
    }
    await stalls(() => socket.bufferedAmount);
    socket.resume();
    await within(closed, { description: 'the end of the feed', limit: '20s' });
    return 'cut off';
  }),
];

/** Whether bytes are still to be sent, and no more of them leave. */
async function stalls(unsent: () => number): Promise<boolean> {
  for (let before = -1; unsent() > 0;) {
    if (unsent() === before) return true;
    before = unsent();
    await sleep(systemClock, 1_000);
  }
  return false;
}

/** A small request to each port, and how its answer begins, in hexadecimal digits. */
const SOUND: Readonly<Record<string, (uri: string) => Promise<string>>> = {
  ipp: async (uri) => {
    const { status } = await ask(uri.replace('ipp:', 'http:'), 'GET', '/');
    return String(status);
  },
  raw: async (uri) => answerTo(uri, Buffer.from('~HS')),
  lpd: async (uri) => answerTo(uri, Buffer.from(`\x03${uri.split('/').at(-1)}\n`, 'latin1')),
  usb: async (uri) => answerTo(uri, Buffer.from('0111800500000000', 'hex')),
};
const ANSWERS: Readonly<Record<string, string>> = { ipp: '200', raw: '0230', lpd: '4c61', usb: '0111' };
const PORTS = Object.keys(SOUND);

async function answerTo(uri: string, bytes: Uint8Array): Promise<string> {
  return (await exchange(portOf(uri), bytes)).toString('hex', 0, 2);
}

/** What a port answers to a sound peer while `bytes` stand in `count` connections that do not end. */
async function whileHeld(bench: AttackedBench, port: string, count: number, bytes: string): Promise<string> {
  const uri = (await portsOf(bench))[port] ?? '';
  const held: Socket[] = [];
  try {
    for (let opened = 0; opened < count; opened++) {
      const socket = await connectTo(portOf(uri));
      socket.write(Buffer.from(bytes, 'latin1'));
      held.push(socket);
    }
    return (await SOUND[port]?.(uri)) ?? '';
  } finally {
    for (const socket of held) socket.destroy();
  }
}

/** What a peer may say and then nothing more. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  nothing: '',
  'the beginning of a request': '\x01',
  'the head of a request without its body':
    'POST /ipp/print/x HTTP/1.1\r\nHost: x\r\nContent-Type: application/ipp\r\nContent-Length: 100000000\r\n\r\n',
};

const idle = PORTS.flatMap((port) =>
  Object.entries(BEGINNINGS).map(([what, bytes]) =>
    tried(`${port}: 300 connections with ${what} while another asks`, ANSWERS[port] ?? '', (bench) =>
      whileHeld(bench, port, 300, bytes),
    ),
  ),
);

const MEGABYTE = 1024 * 1024;

/** Five megabytes of what costs the most. */
const BOMBS: Readonly<Record<string, Buffer>> = {
  carets: Buffer.alloc(5 * MEGABYTE, '^A'),
  labels: Buffer.alloc(5 * MEGABYTE, '^XA^FDx^FS^XZ'),
  'status requests': Buffer.alloc(MEGABYTE, '~HS'),
  'status requests of receipts': Buffer.alloc(MEGABYTE, Buffer.from('100401', 'hex')),
  'almost status requests': Buffer.alloc(5 * MEGABYTE, Buffer.from('1004ff', 'hex')),
  cuts: Buffer.concat([Buffer.from('\x1b@\x1dV0'), Buffer.alloc(5 * MEGABYTE, '\x1dV0')]),
  'form feeds': Buffer.alloc(5 * MEGABYTE, '\f'),
  'lines of PCL': Buffer.concat([Buffer.from('\x1bE'), Buffer.alloc(5 * MEGABYTE, '\x1b&l1X')]),
  'commands of EPL': Buffer.concat([Buffer.from('N\r\nq100\r\n'), Buffer.alloc(5 * MEGABYTE, 'P1\n')]),
  'commands of DPL': Buffer.concat([Buffer.from('\x02L\r'), Buffer.alloc(5 * MEGABYTE, 'E\r')]),
  'a PJL wrapper': Buffer.concat([
    Buffer.from('\x1b%-12345X@PJL ENTER LANGUAGE=PCL\n'),
    Buffer.alloc(5 * MEGABYTE, '\x1b%-12345X'),
  ]),
  nothing: Buffer.alloc(5 * MEGABYTE),
  'the beginnings of JPEG': Buffer.alloc(5 * MEGABYTE, Buffer.from('ffd8ffe0', 'hex')),
  'the beginning of URF': Buffer.concat([Buffer.from('UNIRAST\0\x7f\xff\xff\xff', 'latin1'), Buffer.alloc(MEGABYTE)]),
  'the beginning of PWG': Buffer.concat([Buffer.from('RaS2'), Buffer.alloc(MEGABYTE, 0x7f)]),
};

const bombs = PORTS.flatMap((port) =>
  Object.entries(BOMBS).map(([what, bytes]) =>
    tried(`${port}: ${bytes.length} bytes of ${what}`, ANSWERS[port] ?? '', async (bench) => {
      const uri = (await portsOf(bench))[port] ?? '';
      await exchange(portOf(uri), framed(port, uri, bytes));
      return (await SOUND[port]?.(uri)) ?? '';
    }),
  ),
);

/** The bytes as a document in the protocol of the port. */
function framed(port: string, uri: string, bytes: Buffer): Buffer {
  const { pathname } = new URL(uri.replace(/^[a-z]+:/, 'http:'));
  if (port === 'raw') return bytes;
  if (port === 'lpd')
    return Buffer.concat([Buffer.from(`\x02${pathname.slice(1)}\n\x03${bytes.length} dfA1x\n`), bytes, Buffer.of(0)]);
  if (port === 'usb') return Buffer.concat([usbImport(pathname.slice(1)), ...usbTransfers(bytes)]);
  const body = Buffer.concat([printJob(uri), bytes]);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/ipp\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

function attribute(tag: number, name: string, value: string): Buffer {
  const head = Buffer.concat([Buffer.of(tag, 0, name.length), Buffer.from(name), Buffer.of(0, value.length)]);
  return Buffer.concat([head, Buffer.from(value)]);
}

function printJob(uri: string): Buffer {
  return Buffer.concat([
    Buffer.from('0200000200000001', 'hex'),
    Buffer.of(1),
    attribute(0x47, 'attributes-charset', 'utf-8'),
    attribute(0x48, 'attributes-natural-language', 'en'),
    attribute(0x45, 'printer-uri', uri),
    Buffer.of(3),
  ]);
}

function usbImport(busId: string): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.writeUInt16BE(0x0111, 0);
  bytes.writeUInt16BE(0x8003, 2);
  bytes.write(busId, 8, 'latin1');
  return bytes;
}

function usbTransfers(bytes: Buffer): Buffer[] {
  const transfers: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += MEGABYTE) {
    const data = bytes.subarray(from, from + MEGABYTE);
    const head = Buffer.alloc(48);
    const words = [1, from / MEGABYTE + 1, 0x10002, 0, 1, 0, data.length];
    for (const [place, word] of words.entries()) head.writeUInt32BE(word, place * 4);
    transfers.push(head, data);
  }
  return transfers;
}

/** What a web page can make a browser send to a port of this machine. */
const pages: readonly Attack[] = [
  tried('ipp: a print job of a web page whose name leads here', '403', async (bench) => {
    const { ipp = '' } = await portsOf(bench);
    const headers = { 'content-type': 'application/ipp', origin: new URL(ipp.replace('ipp:', 'http:')).origin };
    return String((await ask(ipp.replace('ipp:', 'http:'), 'POST', '', { headers, body: 'x' })).status);
  }),
  {
    attack: 'raw: a form of a web page',
    expected: '0 papers',
    play: async (bench) => {
      const { raw = '' } = await portsOf(bench);
      // Others may still be on their way by USB.
      const printed = async (): Promise<number> => {
        const { text } = await bench.ask('GET', '/_platen/printouts');
        return (JSON.parse(text) as { readonly protocol: string }[]).filter(({ protocol }) => protocol === 'raw')
          .length;
      };
      const before = await printed();
      const form = 'POST / HTTP/1.1\r\nHost: 127.0.0.1:9100\r\n\r\n^XA^FDx^FS^XZ';
      await exchange(portOf(raw), Buffer.from(form));
      await sleep(systemClock, 500);
      return `${(await printed()) - before} papers`;
    },
  },
];

export const PORT_ATTACKS: AttackTable = {
  kind: 'a peer of a device or a port',
  against: 'bench',
  flags: ['--expose', 'ipp:0,raw:0,lpd:0,usb:0'],
  attacks: [
    ...longStrings,
    ...longLists,
    ...wrongLists,
    ...largeObjects,
    ...deep,
    ...unknownKeys,
    ...floods,
    ...otherLinks,
    ...idle,
    ...bombs,
    ...pages,
  ],
};
