/**
 * A whole chain from submission to paper, whose jobs are put into the classes of the ledger:
 *
 *   POST /printjobs ─► service ─► platen client ─► CUPS, many queues ─► IPP ─► virtual printers ─► ledger
 *
 * A job is recognised by the mark in its document: the title may be lost on the way, which is a class of its own.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { z } from 'zod';

import { sleep, systemClock } from '../../src/common/clock.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { within } from '../../src/common/waiter.ts';
import { Press } from '../../src/devices/press/press.ts';
import { PRINTER_PROFILES } from '../../src/devices/printer/printer-profile.ts';
import { VirtualPrinter } from '../../src/devices/printer/printer.ts';
import type { Printout } from '../../src/devices/printer/printout.ts';
import { ExposedRoom } from '../../src/hardware/exposed-room.ts';
import { Ledger } from '../../src/oracle/ledger.ts';
import type { LedgerClass } from '../../src/record/words.ts';
import { PrintSystem, type QueueKind } from '../../src/targets/print-system.ts';
import { processTarget } from '../../src/targets/process.ts';
import { cleanEnvironment, PROJECT } from '../support/command-line.ts';
import { basic } from '../support/running-service.ts';
import { soon } from '../support/soon.ts';

export interface ChainOptions {
  readonly queues: number;
  readonly jobs: number;
  /** Hears now and then how far it has come. */
  readonly tell?: ((line: string) => void) | undefined;
  /** Called once this many jobs are on paper. */
  readonly meanwhile?: { readonly after: number; readonly work: (cups: PrintSystem) => Promise<void> } | undefined;
}

export interface ChainResult {
  readonly classes: Readonly<Record<LedgerClass, number>>;
  /** Jobs that came out, and that the service has as failed. */
  readonly falseErrors: number;
  readonly durationMs: number;
  /** The states in the service and the paper of each job that was lost or duplicated. */
  readonly evidence: readonly string[];
}

interface ChainKind {
  readonly profile: string;
  readonly queue: QueueKind;
}

const KINDS = {
  label: {
    profile: 'label-zebra-zpl',
    queue: 'raw',
    contentType: 'raw_base64',
    document: readFileSync(path.join(PROJECT, 'fixtures/documents/zpl-label.zpl')),
  },
  pdf: {
    profile: 'laser-a4',
    queue: 'pdf',
    contentType: 'pdf_base64',
    document: readFileSync(path.join(PROJECT, 'fixtures/documents/three-pages.pdf')),
  },
} as const;

export type ChainDocument = keyof typeof KINDS;

const CLIENT = 'Front desk';
const AT_ONCE = 4;
/** Nothing has changed for this long: nothing more comes. CUPS tries again after a second. */
const QUIET_MS = 20_000;
const LOOK_EVERY_MS = 500;
const LONGEST_MS = 30 * 60_000;
const TELL_EVERY = 100;
const PAGE = 100;
const EXPLAINED: readonly LedgerClass[] = ['lost', 'duplicated', 'unknown'];

const printersShown = z.array(z.object({ id: z.number(), name: z.string() }));
const jobsShown = z.array(z.object({ id: z.number(), state: z.string() }));

/** A service, its client, CUPS and printers, with a queue for each printer. */
interface Chain extends AsyncDisposable {
  readonly cups: PrintSystem;
  readonly call: (method: string, where: string, body?: object) => Promise<unknown>;
  /** Ids in the service, in the order of the queues. */
  readonly printerIds: readonly number[];
}

type OnPaper = (printer: number, printout: Printout) => void;

async function openChain(queues: number, { profile, queue }: ChainKind, onPaper: OnPaper): Promise<Chain> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-print-chain-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const press = new Press(systemClock);
  stack.defer(() => press.close());
  const printers = Array.from({ length: queues }, (_, index) => printerOf(index, profile, press, onPaper));
  for (const printer of printers) stack.defer(() => printer.close());
  const computers = () => [{ name: 'DESK', printers, scales: [] }];
  const room = await ExposedRoom.open({ clock: systemClock, press, exposure: { ipp: 0 }, computers });
  stack.defer(() => room.close());
  const cups = await PrintSystem.start();
  stack.defer(() => cups.close());
  for (const printer of printers) await cups.addQueue(printer.name, room.addressesOf(printer)?.uris.ipp ?? '', queue);
  // It writes its queues to its disk late: those of a machine have long been there.
  cups.kill('SIGTERM');
  await cups.restart();
  const service = await processTarget({ limits: 'off' });
  stack.defer(() => service.close());
  const call = async (method: string, where: string, body?: object): Promise<unknown> => {
    const headers = { authorization: basic(service.apiKey), 'content-type': 'application/json' };
    const answer = await fetch(service.baseUrl + where, { method, headers, body: body ? JSON.stringify(body) : null });
    return answer.json();
  };
  const own = ['--key', service.apiKey, '--name', CLIENT, '--data', path.join(folder, 'data')];
  const client = spawn(process.execPath, ['bin/platen.js', 'client', service.baseUrl, ...own], {
    cwd: PROJECT,
    env: cleanEnvironment(cups.environment),
    stdio: 'ignore',
  });
  stack.defer(async () => {
    const ended = once(client, 'exit');
    client.kill('SIGTERM');
    await within(ended, { description: 'the end of the client', limit: '20s' }).catch(() => client.kill('SIGKILL'));
  });
  const shown = await soon(
    `${queues} printers in the service`,
    '60s',
    async () => {
      const found = printersShown.parse(await call('GET', `/printers?limit=${PAGE}`));
      return found.length === queues ? new Map(found.map(({ id, name }) => [name, id])) : undefined;
    },
    { every: '200ms' },
  );
  const owned = stack.move();
  const printerIds = printers.map(({ name }) => shown.get(name) ?? 0);
  return { cups, call, printerIds, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** From the request to the paper, for jobs of which each begins when CUPS has none, in milliseconds. */
export async function latenciesOf(kind: ChainDocument, jobs: number): Promise<readonly number[]> {
  let onPaper: (() => void) | undefined;
  await using chain = await openChain(1, KINDS[kind], () => onPaper?.());
  const { contentType, document } = KINDS[kind];
  const content = document.toString('base64');
  const latencies: number[] = [];
  while (latencies.length < jobs) {
    const { promise, resolve } = Promise.withResolvers<void>();
    onPaper = resolve;
    const elapsedMs = startStopwatch();
    await chain.call('POST', '/printjobs', { contentType, printerId: chain.printerIds[0], title: 'Timed', content });
    await within(promise, { description: 'the paper of a job', limit: '20s' });
    latencies.push(elapsedMs());
    await idle(chain.cups);
  }
  return latencies;
}

/** Until the queues are empty: CUPS asks a printer once a second whether a job is over, and begins no other before. */
async function idle(cups: PrintSystem): Promise<void> {
  await soon('an empty queue', '20s', async () => (await cups.run('lpstat', ['-o'])) === '' || undefined);
}

export async function printThrough({ queues, jobs, tell, meanwhile }: ChainOptions): Promise<ChainResult> {
  const elapsedMs = startStopwatch();
  const nowUs = (): number => Math.round(elapsedMs() * 1_000);
  const ledger = new Ledger();
  const paper = new Map<number, Printout[]>();
  const onPaper: OnPaper = (printer, printout) => {
    const text = printout.kind === 'raw' ? Buffer.from(printout.bytes).toString() : '';
    const row = Number(/job-(\d+)\^FS/.exec(text)?.[1] ?? -1);
    if (row < 0) return;
    paper.set(row, [...(paper.get(row) ?? []), printout]);
    const truth = { printer, documentMatches: text === labelOf(row), copies: 1, optionsMatch: true };
    ledger.printed(row, { ...truth, titleMatches: printout.title === titleOf(row) }, nowUs());
    const { printed } = ledger.progress;
    if (printed % TELL_EVERY === 0) tell?.(`${printed} of ${jobs} jobs on paper, ${Math.round(elapsedMs() / 1_000)} s`);
  };
  await using chain = await openChain(queues, KINDS.label, onPaper);
  const { call, cups, printerIds } = chain;
  const rows = Array.from({ length: jobs }, (_, row) =>
    ledger.intend({ intendedUs: nowUs(), account: 1, printer: row % queues, document: row, copies: 1 }),
  );
  const jobIds = new Map<number, number>();
  const submit = async (row: number): Promise<void> => {
    const content = Buffer.from(labelOf(row)).toString('base64');
    const printerId = printerIds[row % queues];
    ledger.sent(row, nowUs());
    const id = z.number().parse(
      await call('POST', '/printjobs', {
        contentType: KINDS.label.contentType,
        printerId,
        title: titleOf(row),
        content,
      }),
    );
    ledger.accepted(row, id, nowUs());
    jobIds.set(id, row);
  };
  const waiting = rows.values();
  const submitters = Array.from({ length: AT_ONCE }, async () => {
    for (const row of waiting) await submit(row);
  });
  const disturb = async ({ after, work }: NonNullable<ChainOptions['meanwhile']>): Promise<void> => {
    const probe = (): true | undefined => ledger.progress.printed >= after || undefined;
    const description = `${after} jobs on paper`;
    await soon(description, '60s', probe, { every: '5ms' });
    await work(cups);
  };
  await Promise.all([...submitters, meanwhile && disturb(meanwhile)]);
  const failed = await settled(ledger, jobIds, call, nowUs);
  ledger.drained();
  const evidence = EXPLAINED.flatMap((name) =>
    ledger.sample(name, jobs).map(async ({ jobId }) => {
      const row = ledger.rowOfJob(jobId ?? 0) ?? -1;
      const states = JSON.stringify(await call('GET', `/printjobs/${jobId}/states`));
      const sheets = (paper.get(row) ?? []).map(({ origin, printerName, printedAtMs }) => {
        return `IPP job ${origin?.id} on ${printerName} at ${new Date(printedAtMs).toISOString()}`;
      });
      return `${name}: job ${jobId}, paper [${sheets.join(', ')}], states ${states}`;
    }),
  );
  const { classes } = ledger.totals();
  const falseErrors = [...failed].filter((row) => paper.has(row)).length;
  return { classes, falseErrors, durationMs: elapsedMs(), evidence: await Promise.all(evidence) };
}

const titleOf = (row: number): string => `Label ${row}`;
const labelOf = (row: number): string => `^XA^FO20,20^A0N,40,40^FDjob-${row}^FS^XZ`;

function printerOf(index: number, profile: string, press: Press, onPaper: OnPaper): VirtualPrinter {
  const options = { clock: systemClock, press, timeScale: 0, trayCapacity: 1_000 };
  const description = { profile: PRINTER_PROFILES.load(profile), name: `Printer-${index}` };
  const printer = new VirtualPrinter(index + 1, description, options, { refresh: () => undefined });
  printer.clear();
  printer.onPrintout((printout) => onPaper(index, printout));
  return printer;
}

/** Until every job is over and on paper, or nothing has changed for a while; the rows of those that failed. */
async function settled(
  ledger: Ledger,
  jobIds: ReadonlyMap<number, number>,
  call: (method: string, where: string) => Promise<unknown>,
  nowUs: () => number,
): Promise<ReadonlySet<number>> {
  const failed = new Set<number>();
  const total = startStopwatch();
  let quietMs = startStopwatch();
  let last = '';
  while (quietMs() < QUIET_MS && total() < LONGEST_MS) {
    const all = [...jobIds.keys()];
    for (let at = 0; at < all.length; at += PAGE) {
      const set = all.slice(at, at + PAGE).join(',');
      for (const { id, state } of jobsShown.parse(await call('GET', `/printjobs/${set}?limit=${PAGE}`))) {
        const row = jobIds.get(id) ?? -1;
        if (state === 'error') failed.add(row);
        if (state === 'done' || state === 'error') ledger.reported(row, state, nowUs());
      }
    }
    const { printed, reported } = ledger.progress;
    if (printed === jobIds.size && reported === jobIds.size) return failed;
    const now = JSON.stringify(ledger.progress);
    if (now !== last) quietMs = startStopwatch();
    last = now;
    await sleep(systemClock, LOOK_EVERY_MS);
  }
  return failed;
}
