/**
 * What operating systems make of the virtual printers, in figures.
 *
 *   npm run prove hardware [-- --profiles laser-a4,label-4x6]
 *
 * Writes reports/baseline/hardware.md when all profiles were tried. Exits with 1 when a bar is missed.
 */

import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { systemClock } from '../../src/common/clock.ts';
import { portOf } from '../../src/common/port-of.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { Press } from '../../src/devices/press/press.ts';
import { PRINTER_PROFILES } from '../../src/devices/printer/printer-profile.ts';
import { VirtualPrinter } from '../../src/devices/printer/printer.ts';
import { ExposedRoom } from '../../src/hardware/exposed-room.ts';
import { mediaType, strings, stringsOf, uri } from '../../src/hardware/ipp/attribute.ts';
import { encodeMessage } from '../../src/hardware/ipp/codec.ts';
import { printerAttributes } from '../../src/hardware/ipp/ipp-client.ts';
import { OPERATIONS } from '../../src/hardware/ipp/operations.ts';
import { PrintSystem } from '../../src/targets/print-system.ts';
import { median } from '../bench/paired.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { SHOWN_FAULTS } from '../support/hardware-printer.ts';
import { IppToolSuites, SUITES } from '../support/ipptool-suites.ts';
import { MB, print, say, tableOf, type Figure } from './figures.ts';
import { soon } from '../support/soon.ts';

const PDF = fileURLToPath(new URL('../../fixtures/documents/three-pages.pdf', import.meta.url));
/** They wait more than they work. */
const SUITES_AT_ONCE = 16;
const JOBS_BESIDE = 20;
const REASON_MS = 3_000;
const TRIES = 3;
const MANY_PRINTERS = 1_000;
const MANY_PRINTERS_MB = 200;
const ROUNDS = 5;
const REQUESTS_A_ROUND = 400;
const CONNECTIONS = 16;

const press = new Press(systemClock);

function printerOf(profile: string, name: string): VirtualPrinter {
  const options = { clock: systemClock, press, timeScale: 0, trayCapacity: 5 };
  const printer = new VirtualPrinter(1, { profile: PRINTER_PROFILES.load(profile), name }, options, {
    refresh: () => undefined,
  });
  printer.clear();
  return printer;
}

function roomOf(printers: readonly VirtualPrinter[]): Promise<ExposedRoom> {
  const computers = [{ name: 'DESK', printers, scales: [] }];
  return ExposedRoom.open({ clock: systemClock, press, exposure: { ipp: 0 }, computers: () => computers });
}

function addressOf(room: ExposedRoom, printer: VirtualPrinter): string {
  return room.addressesOf(printer)?.uris.ipp ?? '';
}

/** Every suite on every profile, while other jobs print on the same printer. */
async function conformance(cups: PrintSystem, profiles: readonly string[], jobsBeside: number): Promise<Figure> {
  using suites = new IppToolSuites(cups);
  const printers = profiles.map((profile) => printerOf(profile, profile));
  await using room = await roomOf(printers);
  const failures: string[] = [];
  let passed = 0;
  const waiting = printers.flatMap((printer) => SUITES.map((suite) => ({ printer, suite }))).values();
  const work = async (): Promise<void> => {
    for (const { printer, suite } of waiting) {
      const address = addressOf(room, printer);
      const jobs = Array.from({ length: jobsBeside }, () => post(address, printJob(address)));
      const result = await suites.run(suite, address);
      await Promise.all(jobs);
      passed += result.passed;
      failures.push(...result.failed.map((line) => `${printer.name} ${suite}: ${line.trim()}`));
      if (result.passed === 0) failures.push(`${printer.name} ${suite}: it ran no test`);
    }
  };
  await Promise.all(Array.from({ length: SUITES_AT_ONCE }, work));
  for (const failure of failures.slice(0, 20)) print(`  ${failure}`);
  const beside = jobsBeside === 0 ? '' : `, while ${jobsBeside} other jobs print`;
  return {
    what: `tests of ipptool (${SUITES.join(', ')}) that fail on ${profiles.length} profiles${beside}`,
    bar: '0',
    found: `${failures.length} of ${passed + failures.length}`,
    isMet: failures.length === 0,
  };
}

/** Whether CUPS shows each reason in time, with a job in its queue; three tries, as the machine may be busy. */
async function reasons(cups: PrintSystem): Promise<Figure> {
  const slow: string[] = [];
  for (const fault of SHOWN_FAULTS) {
    let isShown = false;
    for (let attempt = 1; !isShown && attempt <= TRIES; attempt++) isShown = await showsInTime(cups, fault);
    if (!isShown) slow.push(fault);
  }
  return {
    what: `reasons of ${SHOWN_FAULTS.length} faults that stand in the queue of CUPS within ${REASON_MS / 1_000} s, in one of ${TRIES} tries`,
    bar: String(SHOWN_FAULTS.length),
    found: `${SHOWN_FAULTS.length - slow.length}${slow.length > 0 ? `, without ${slow.join(', ')}` : ''}`,
    isMet: slow.length === 0,
  };
}

async function showsInTime(cups: PrintSystem, fault: string): Promise<boolean> {
  const printer = printerOf('laser-a4', fault);
  await using room = await roomOf([printer]);
  await cups.addQueue(fault, addressOf(room, printer));
  printer.fail(fault);
  await cups.run('lp', ['-d', fault, PDF]);
  const queue = `ipp://127.0.0.1:${cups.port}/printers/${fault}`;
  const isShown = await soon(
    `${fault} in the queue`,
    `${REASON_MS}ms`,
    async () => {
      const attributes = await printerAttributes(queue);
      const said = stringsOf(attributes.find(({ name }) => name === 'printer-state-reasons'));
      return said.some((reason) => reason.startsWith(fault)) || undefined;
    },
    { every: '100ms' },
  ).catch(() => false);
  printer.clear();
  await cups.run('cancel', ['-a', '-x', fault]);
  await cups.removeQueue(fault);
  return isShown;
}

async function manyPrinters(): Promise<Figure> {
  const profiles = PRINTER_PROFILES.names();
  const beforeBytes = process.memoryUsage().rss;
  const printers = Array.from({ length: MANY_PRINTERS }, (_, index) =>
    printerOf(profiles[index % profiles.length] ?? 'laser-a4', `Printer ${index + 1}`),
  );
  await using room = await roomOf(printers);
  for (const printer of printers) await printerAttributes(addressOf(room, printer));
  const megabytes = Math.round((process.memoryUsage().rss - beforeBytes) / MB);
  return {
    what: `memory of ${MANY_PRINTERS} exposed printers, each asked for all it says`,
    bar: `${MANY_PRINTERS_MB} MB at most`,
    found: `${megabytes} MB`,
    isMet: megabytes <= MANY_PRINTERS_MB,
  };
}

/** Print-Job against a bare HTTP server that reads the same bodies, in turns. */
async function throughput(): Promise<Figure> {
  const bare = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => response.end('ok'));
  });
  bare.listen(0, '127.0.0.1');
  await once(bare, 'listening');
  const printer = printerOf('label-zebra-zpl', 'Labels');
  await using room = await roomOf([printer]);
  const address = addressOf(room, printer);
  const body = printJob(address, Buffer.from('^XA^FO20,20^FDparcel 7^FS^XZ\n'));
  const rates: { readonly ipp: number[]; readonly bare: number[] } = { ipp: [], bare: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const ipp = await rate(address, body);
    const floor = await rate(`ipp://127.0.0.1:${portOf(bare)}/`, body);
    // The first round warms up.
    if (round === 0) continue;
    rates.ipp.push(ipp);
    rates.bare.push(floor);
  }
  bare.closeAllConnections();
  bare.close();
  const share = median(rates.ipp.map((ipp, round) => ipp / (rates.bare[round] ?? Infinity)));
  return {
    what: 'Print-Job a second, as a part of what a bare node:http server answers',
    bar: '0.20',
    found: `${share.toFixed(2)} (median of ${ROUNDS} rounds in turns; best round ${Math.round(Math.max(...rates.ipp))} a second)`,
    isMet: share >= 0.2,
  };
}

async function rate(address: string, body: Buffer): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const elapsedMs = startStopwatch();
  await Promise.all(Array.from({ length: REQUESTS_A_ROUND }, () => post(address, body, agent)));
  agent.destroy();
  return (REQUESTS_A_ROUND * 1_000) / elapsedMs();
}

function printJob(address: string, document: Uint8Array = Buffer.from('a line of text\n')): Buffer {
  const attributes = [
    strings('charset', 'attributes-charset', ['utf-8']),
    strings('naturalLanguage', 'attributes-natural-language', ['en']),
    uri('printer-uri', address),
    mediaType('document-format', 'application/octet-stream'),
  ];
  return encodeMessage({
    version: { major: 2, minor: 0 },
    code: OPERATIONS['Print-Job'],
    requestId: 1,
    groups: [{ type: 'operation', attributes }],
    data: document,
  });
}

async function post(address: string, body: Buffer, agent?: Agent): Promise<void> {
  const headers = { 'content-type': 'application/ipp', 'content-length': body.length };
  const sent = request(address.replace('ipp:', 'http:'), { method: 'POST', headers, agent });
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  response?.resume();
  if (response) await once(response, 'end');
}

const { values } = parseArgs({ options: { profiles: { type: 'string' } } });
const profiles = values.profiles?.split(',') ?? PRINTER_PROFILES.names();
// Before CUPS and its printers take memory of their own.
const figures = [say(await manyPrinters()), say(await throughput())];
const cups = await PrintSystem.start();
try {
  figures.push(say(await reasons(cups)));
  for (const jobsBeside of [0, JOBS_BESIDE]) figures.push(say(await conformance(cups, profiles, jobsBeside)));
} finally {
  await cups.close();
  await press.close();
}
if (values.profiles === undefined) {
  writeBaselinePage('hardware.md', {
    title: 'Printers as operating systems see them',
    command: 'npm run prove hardware',
    about:
      'Measured through an unmodified CUPS and its programs, on whatever else the machine had to do. Times and rates say more about the machine than about the code: a rate is a part of that of a bare server in the same round.',
    ...tableOf(figures),
  });
}
process.exitCode = figures.every(({ isMet }) => isMet) ? 0 : 1;
