/**
 * Hostile inputs against a room that is exposed to operating systems.
 *
 *   npm run prove hardware-fuzz -- --inputs 100000 [--seed 1] [--leak 8]
 *
 * As many go to all ports, and then to that of USB/IP alone. Prints what came of them and, after 100,000 or more each,
 * writes reports/baseline/hardware-fuzz.md. Exits with 1 on any finding: an IPP request that got no IPP answer, a port
 * that no longer serves a sound peer, or memory that grows. An exception that escapes ends the process, and with it the
 * run. --leak keeps that many bytes of each input for good, which must be a finding.
 */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { encode, type Packet } from 'dns-packet';

import { sleep, systemClock, type Clock } from '../../src/common/clock.ts';
import { createRandom, type Random } from '../../src/common/random.ts';
import { Press } from '../../src/devices/press/press.ts';
import { PRINTER_PROFILES } from '../../src/devices/printer/printer-profile.ts';
import { VirtualPrinter } from '../../src/devices/printer/printer.ts';
import { AutoOff } from '../../src/devices/scale/auto-off.ts';
import { SCALE_PROFILES } from '../../src/devices/scale/scale-profile.ts';
import { VirtualScale } from '../../src/devices/scale/scale.ts';
import { MULTICAST_GROUP } from '../../src/hardware/dns-sd/multicast-port.ts';
import { ExposedRoom, type HardwareAddresses } from '../../src/hardware/exposed-room.ts';
import { boolean, integer, keyword, mediaType, nameText, strings, uri } from '../../src/hardware/ipp/attribute.ts';
import { encodeMessage } from '../../src/hardware/ipp/codec.ts';
import { OPERATIONS } from '../../src/hardware/ipp/operations.ts';
import { LOOPBACK } from '../../src/hardware/tcp-port.ts';
import { trendThrough, type Trend } from '../../src/load/verdict/drift.ts';
import { freeUdpPort } from '../support/mdns-querier.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';

export interface HardwareFuzz {
  /** What went wrong, each with the number of its input. */
  readonly findings: readonly string[];
  /** Outcome → how often: statuses of IPP, `answered` and `closed` of the others. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly memory: readonly MemorySample[];
}

/** What is in use after a number of inputs, when nothing is under way and garbage is collected. */
export interface MemorySample {
  readonly inputs: number;
  readonly heapBytes: number;
  /** Outside the heap: buffers, and what the runtime and WebAssembly hold. */
  readonly externalBytes: number;
}

export interface HardwareFuzzOptions {
  readonly inputs: number;
  readonly seed: string;
  readonly ports?: readonly HostilePort[] | undefined;
  /** How often memory is looked at, once two thirds of the inputs have warmed it up. */
  readonly samples?: number | undefined;
  /** Bytes that are kept of each input, to see that it is noticed. */
  readonly leakBytes?: number | undefined;
}

setFlagsFromString('--expose-gc');
// Code that was not run for a while is dropped, megabytes at some moment, beside which a leak is not seen.
setFlagsFromString('--no-flush-bytecode');
const collect = runInNewContext('gc') as () => void;

/** Sixty times as fast: of what a port keeps for a minute, such as a job without its document, no sample shows any. */
const hurriedClock: Clock = {
  ...systemClock,
  schedule: (delayMs, task) => systemClock.schedule(delayMs / 60, task),
};

const AT_ONCE = 8;
const PATIENCE_MS = 5_000;
const SETTLE_MS = 2_000;
const WARM_SHARE = 2 / 3;
const SAMPLES = 20;
/** What surely grows by more is a leak; by then the engine still takes up to 4 for what it learns of its code. */
const LEAK_BYTES_PER_INPUT = 6;
/** A planted leak keeps pieces of this size, where a string costs little beside its characters. */
const PIECE_BYTES = 256;
/** From here on it is the proof, and its figures are kept. */
const PROOF_INPUTS = 100_000;

export async function fuzzHardware(options: HardwareFuzzOptions): Promise<HardwareFuzz> {
  const { inputs, seed, ports = HOSTILE_PORTS, samples = 0, leakBytes = 0 } = options;
  const press = new Press(systemClock);
  const paperPath = { clock: systemClock, press, timeScale: 0, trayCapacity: 5 };
  const description = { profile: PRINTER_PROFILES.load('laser-a4'), name: 'Laser' };
  const printer = new VirtualPrinter(1, description, paperPath, { refresh: () => undefined });
  const scale = new VirtualScale(
    1,
    { profile: SCALE_PROFILES.load('dymo-m25'), loadMicrograms: 500_000_000 },
    { clock: systemClock, autoOff: new AutoOff(systemClock) },
    { random: createRandom(seed), scalesChanged: () => undefined, scaleReported: () => undefined },
  );
  const multicastPort = await freeUdpPort();
  const room = await ExposedRoom.open({
    clock: hurriedClock,
    press,
    exposure: { ipp: 0, raw: 0, lpd: 0, usb: 0, 'dns-sd': multicastPort },
    computers: () => [{ name: 'DESK', printers: [printer], scales: [scale] }],
  });
  const [addresses] = room.addresses;
  if (!addresses) throw new Error('the printer has no address');
  const peer = await HostilePeer.open({ addresses, multicastPort, random: createRandom(seed), ports, leakBytes });
  const memory: MemorySample[] = [];
  for (let place = 0, sent = 0; place <= samples; place++) {
    const upTo = Math.floor(samples === 0 ? inputs : inputs * (WARM_SHARE + ((1 - WARM_SHARE) * place) / samples));
    await peer.send(sent, upTo);
    sent = upTo;
    if (samples > 0) memory.push({ inputs: sent, ...(await usedBytes()) });
  }
  const findings = [...peer.findings, ...(await peer.portsThatAreDown())];
  peer.close();
  await room.close();
  scale.close();
  await press.close();
  return { findings, outcomes: peer.outcomes, memory };
}

interface HostilePeerOptions {
  readonly addresses: HardwareAddresses;
  readonly multicastPort: number;
  readonly random: Random;
  readonly ports: readonly HostilePort[];
  readonly leakBytes: number;
}

class HostilePeer {
  readonly findings: string[] = [];
  readonly outcomes = new Map<string, number>();
  readonly #options: HostilePeerOptions;
  readonly #leaked: string[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  readonly #udp = createSocket('udp4');
  /** On the port of multicast DNS itself, as other responders of the link. */
  readonly #responder = createSocket({ type: 'udp4', reuseAddr: true });

  private constructor(options: HostilePeerOptions) {
    this.#options = options;
  }

  static async open(options: HostilePeerOptions): Promise<HostilePeer> {
    const peer = new HostilePeer(options);
    const sockets = [peer.#udp, peer.#responder];
    const listening = sockets.map((socket) => once(socket, 'listening'));
    peer.#udp.bind(0, LOOPBACK);
    peer.#responder.bind(options.multicastPort, MULTICAST_GROUP);
    await Promise.all(listening);
    for (const socket of sockets) socket.setMulticastInterface(LOOPBACK);
    return peer;
  }

  /** Sends the inputs of these numbers, several at the same time. */
  async send(from: number, to: number): Promise<void> {
    let next = from;
    const work = async (): Promise<void> => {
      while (next < to) await this.#attack(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** Ports that do not serve a sound peer any more. */
  async portsThatAreDown(): Promise<string[]> {
    const ipp = await this.#post(Buffer.from('0200000b00000001', 'hex')).catch(() => undefined);
    const raw = await this.#exchange('raw', Buffer.from('~HS')).catch(() => undefined);
    const lpd = await this.#exchange('lpd', Buffer.from('\x03desk-laser\n', 'latin1')).catch(() => undefined);
    const usb = await this.#exchange('usb', Buffer.from('0111800500000000', 'hex')).catch(() => undefined);
    const dnsSd = await this.#resolve().catch(() => undefined);
    return Object.entries({ ipp, raw, lpd, usb, 'dns-sd': dnsSd }).flatMap(([port, answer]) =>
      answer === undefined || answer.length === 0 ? [`${port} does not answer any more`] : [],
    );
  }

  close(): void {
    this.#agent.destroy();
    this.#udp.close();
    this.#responder.close();
  }

  async #attack(number: number): Promise<void> {
    const random = this.#options.random.stream(String(number));
    const port = random.pick(this.#options.ports);
    const bytes = hostileInput(port, this.#options.addresses.uris.ipp ?? '', random);
    const outcome = await this.#outcomeOf(port, bytes).catch((error: Error) => {
      this.findings.push(`input ${number} to ${port}: ${error.message}`);
      return 'failed';
    });
    if (random.chance(this.#options.leakBytes / PIECE_BYTES))
      this.#leaked.push(Buffer.alloc(PIECE_BYTES, random.hex(8)).toString('latin1'));
    const key = `${port} ${outcome}`;
    this.outcomes.set(key, (this.outcomes.get(key) ?? 0) + 1);
  }

  async #outcomeOf(port: HostilePort, bytes: Buffer): Promise<string> {
    if (port === 'ipp') return `0x${(await this.#post(bytes)).readUInt16BE(2).toString(16).padStart(4, '0')}`;
    if (port === 'dns-sd') {
      const socket = bytes.length % 2 === 0 ? this.#udp : this.#responder;
      socket.send(bytes, this.#options.multicastPort, MULTICAST_GROUP);
      return 'sent';
    }
    return (await this.#exchange(port, bytes)).length > 0 ? 'answered' : 'closed';
  }

  /** The answer to a resolver that looks for printers, again and again: one that loses its name takes another first. */
  async #resolve(): Promise<Buffer> {
    const query = encode({ type: 'query', questions: [{ name: '_ipp._tcp.local', type: 'PTR' }] });
    const answer = once(this.#udp, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) });
    const again = systemClock.beat(100, () => this.#udp.send(query, this.#options.multicastPort, MULTICAST_GROUP));
    const [bytes] = await answer.finally(() => again.cancel());
    return bytes;
  }

  /** @throws Error when the answer is not IPP */
  async #post(body: Buffer): Promise<Buffer> {
    const post = request((this.#options.addresses.uris.ipp ?? '').replace('ipp:', 'http:'), {
      method: 'POST',
      agent: this.#agent,
      headers: { 'content-type': 'application/ipp', 'content-length': body.length },
      timeout: PATIENCE_MS,
    });
    post.once('timeout', () => post.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
    post.end(body);
    const [response] = await once(post, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    const answer = Buffer.concat(chunks);
    if (response.statusCode !== 200 || answer.length < 9) throw new Error(`HTTP ${response.statusCode}`);
    return answer;
  }

  /** What comes back until the other side closes; it may do so rudely. */
  async #exchange(port: 'raw' | 'lpd' | 'usb', bytes: Buffer): Promise<Buffer> {
    const socket = connect(portOf(this.#options.addresses.uris[port]), LOOPBACK);
    const chunks: Buffer[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.setTimeout(PATIENCE_MS, () => reject(new Error(`not closed within ${PATIENCE_MS} ms`)));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.end(bytes);
    await promise.finally(() => socket.destroy());
    return Buffer.concat(chunks);
  }
}

function portOf(address: string | undefined): number {
  return Number(new URL(address ?? '').port);
}

/** Once what was printed by the last inputs is over. */
async function usedBytes(): Promise<Pick<MemorySample, 'heapBytes' | 'externalBytes'>> {
  await sleep(systemClock, SETTLE_MS);
  // What finalizers let go of at the first is collected at the second.
  collect();
  await sleep(systemClock, 0);
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return { heapBytes: heapUsed, externalBytes: external };
}

/** Where memory grows from input to input: surely, and by more than what is of no consequence. */
export function leaksIn(memory: readonly MemorySample[]): string[] {
  return Object.entries(trendsOf(memory)).flatMap(([what, { low, estimate }]) =>
    low > LEAK_BYTES_PER_INPUT ? [`${what} grows by ${estimate.toFixed(1)} bytes an input`] : [],
  );
}

function trendsOf(memory: readonly MemorySample[]): Record<'heap' | 'external memory', Trend> {
  return {
    heap: trendThrough(memory.map(({ inputs, heapBytes }) => ({ at: inputs, value: heapBytes }))),
    'external memory': trendThrough(memory.map(({ inputs, externalBytes }) => ({ at: inputs, value: externalBytes }))),
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function megabytes(bytes = 0): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/**
 * Hostile inputs for the ports that an operating system prints to: requests that are right, then cut, stretched
 * and changed, and bytes that are nothing at all.
 */
type HostilePort = 'ipp' | 'raw' | 'lpd' | 'usb' | 'dns-sd';

const HOSTILE_PORTS: readonly HostilePort[] = ['ipp', 'raw', 'lpd', 'usb', 'dns-sd'];

/** By their names on the page. */
const ROUNDS: Readonly<Record<string, readonly HostilePort[]>> = {
  'all ports': HOSTILE_PORTS,
  'USB/IP alone': ['usb'],
};

const CODES = Object.values(OPERATIONS);

/** The bytes of one input, the same for the same random stream. `printerUri` is that of the printer under attack. */
function hostileInput(port: HostilePort, printerUri: string, random: Random): Buffer {
  return random.fraction() < 0.1 ? nonsense(random) : damaged(SOUND[port](printerUri, random), random);
}

const SOUND: Readonly<Record<HostilePort, (printerUri: string, random: Random) => Buffer>> = {
  ipp: ippRequest,
  raw: (_, random) =>
    Buffer.from(
      random.pick(['^XA^FDlabel^FS^XZ', '~HS', '\x10\x04\x01', '\x1b@receipt\n\x1dV0', '%PDF-1.7\n']),
      'latin1',
    ),
  lpd: (_, random) =>
    Buffer.from(
      random.pick([
        '\x02desk-laser\n\x0212 cfA001desk\nPada\nJtitle\n\0\x035 dfA001desk\nhello\0',
        '\x03desk-laser\n',
        '\x04desk-laser 1\n',
        '\x05desk-laser ada 1\n',
        '\x02desk-laser\n\x030 dfA001desk\nhello',
      ]),
      'latin1',
    ),
  usb: usbSession,
  'dns-sd': (_, random) => multicastMessage(random),
};

/** A query, a probe or the answer of another printer, with names that exist and names that do not. */
function multicastMessage(random: Random): Buffer {
  const name = random.pick([
    '_ipp._tcp.local',
    '_services._dns-sd._udp.local',
    'Laser @ DESK._ipp._tcp.local',
    'Laser @ DESK (2)._ipp._tcp.local',
    random.hex(random.integer(1, 60)),
  ]);
  const srv = { name, type: 'SRV', ttl: random.integer(0, 4_500), data: { port: 1, target: random.hex(8) } } as const;
  const txt = { name, type: 'TXT', data: nonsense(random) } as const;
  const questions = [{ name, type: random.pick(['PTR', 'SRV', 'TXT', 'A', 'AAAA'] as const) }];
  return encode(
    random.pick([
      { type: 'query', id: random.integer(0, 65_535), questions },
      { type: 'query', questions, authorities: [srv] },
      { type: 'query', questions, answers: [{ name, type: 'PTR', data: 'Laser @ DESK._ipp._tcp.local', ttl: 4_500 }] },
      { type: 'response', answers: [srv, txt] },
    ] as const satisfies readonly Packet[]),
  );
}

function ippRequest(printerUri: string, random: Random): Buffer {
  return encodeMessage({
    version: { major: random.pick([1, 2]), minor: 0 },
    code: random.pick(CODES),
    requestId: 1,
    groups: [
      {
        type: 'operation',
        attributes: [
          strings('charset', 'attributes-charset', ['utf-8']),
          strings('naturalLanguage', 'attributes-natural-language', ['en']),
          uri('printer-uri', printerUri),
          nameText('requesting-user-name', random.hex(4)),
          integer('job-id', random.integer(1, 20)),
          boolean('last-document', true),
          mediaType('document-format', random.pick(['application/octet-stream', 'image/pwg-raster', 'image/jpeg'])),
          keyword('compression', random.pick(['none', 'gzip', 'deflate'])),
        ],
      },
      {
        type: 'job',
        attributes: [integer('copies', random.integer(-1, 1_000)), keyword('sides', random.hex(3))],
      },
    ],
    data: nonsense(random),
  });
}

/** The import of the printer or the scale, and a few transfers. */
function usbSession(_: string, random: Random): Buffer {
  const begin = Buffer.alloc(40);
  begin.writeUInt16BE(0x0111, 0);
  begin.writeUInt16BE(random.pick([0x8003, 0x8003, 0x8003, 0x8005]), 2);
  begin.write(random.pick(['1-1', '1-2']), 8, 'latin1');
  const transfers = Array.from({ length: random.integer(0, 6) }, (_none, index) => {
    const data = nonsense(random);
    const isIn = random.chance(0.5);
    const head = Buffer.alloc(48);
    const words = [random.pick([1, 1, 1, 2]), index + 1, 0x10002, Number(isIn), random.integer(0, 2), 0, data.length];
    for (const [at, word] of words.entries()) head.writeUInt32BE(word, at * 4);
    head.set([random.pick([0x80, 0x81, 0xa1, 0x21, 0x00]), random.integer(0, 12), 0, random.integer(0, 0x22)], 40);
    head.writeUInt16LE(random.pick([0, 18, 255, 65_535]), 46);
    return isIn ? head : Buffer.concat([head, data]);
  });
  return Buffer.concat([begin, ...transfers]);
}

function nonsense(random: Random): Buffer {
  return Buffer.from(random.hex(2 * random.integer(0, 40)), 'hex');
}

/** A few bytes changed, some left out, some doubled; sometimes none. */
function damaged(bytes: Buffer, random: Random): Buffer {
  let out = Buffer.from(bytes);
  for (let count = random.integer(0, 3); count > 0 && out.length > 0; count--) {
    const at = random.integer(0, out.length - 1);
    const kind = random.integer(0, 3);
    if (kind === 0) out[at] = random.integer(0, 255);
    if (kind === 1) out = Buffer.from(out.subarray(0, at));
    if (kind === 2) out = Buffer.concat([out.subarray(0, at), out.subarray(at + random.integer(1, 8))]);
    if (kind === 3) out = Buffer.concat([out.subarray(0, at), nonsense(random), out.subarray(at)]);
  }
  return out;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      inputs: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      leak: { type: 'string', default: '0' },
    },
  });
  const { seed } = values;
  const [inputs, leakBytes] = [Number(values.inputs), Number(values.leak)];
  const rows: string[][] = [];
  for (const [to, ports] of Object.entries(ROUNDS)) {
    const { findings, outcomes, memory } = await fuzzHardware({ inputs, seed, ports, samples: SAMPLES, leakBytes });
    for (const [outcome, count] of [...outcomes].toSorted(([a], [b]) => a.localeCompare(b)))
      rows.push([to, outcome, String(count)]);
    // Fewer inputs do not warm it up.
    const all = [...findings, ...(inputs >= PROOF_INPUTS ? leaksIn(memory) : [])];
    rows.push([to, 'findings', String(all.length)]);
    const last = memory.at(-1);
    rows.push([
      to,
      'heap, external memory at the end',
      `${megabytes(last?.heapBytes)}, ${megabytes(last?.externalBytes)}`,
    ]);
    for (const [what, { estimate, low, high }] of Object.entries(trendsOf(memory))) {
      const limits = `${low.toFixed(1)} to ${high.toFixed(1)}`;
      rows.push([to, `growth of the ${what} in bytes an input`, `${estimate.toFixed(1)} (${limits})`]);
    }
    print(`${to}: heap in KB at each look: ${memory.map(({ heapBytes }) => Math.round(heapBytes / 1024)).join(' ')}`);
    for (const finding of all.slice(0, 20)) print(`  ${to}: ${finding}`);
    if (all.length > 0) process.exitCode = 1;
  }
  for (const row of rows) print(row.join(': '));
  if (inputs >= PROOF_INPUTS && leakBytes === 0) {
    writeBaselinePage('hardware-fuzz.md', {
      title: 'Hostile inputs against the ports of printers and scales',
      command: 'npm run prove hardware-fuzz',
      about: `${inputs} inputs of seed ${seed} to all ports, and as many to that of USB/IP alone. What the ports did, by the status of IPP or by whether bytes came back; and how memory grew from input to input between ${SAMPLES + 1} looks at it after two thirds of them, with the limits that hold in 99 of 100 cases. A growth of which the lower limit is above ${LEAK_BYTES_PER_INPUT} bytes is a finding.`,
      columns: ['to', 'outcome', 'inputs'],
      rows,
    });
  }
}
