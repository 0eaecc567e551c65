/**
 * Planted client: `platen client` with a fault that shows only when it, or the print system, is killed. It ends with its
 * parent, as any client program does.
 *
 *   node planted-client.ts FAULT FOLDER …     FOLDER as for --data; the rest goes to platen client
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { sleep, systemClock } from '../../src/common/clock.ts';

const BIN = fileURLToPath(new URL('../../bin/platen.js', import.meta.url));
const LOOK_EVERY_MS = 100;
const [, , fault = '', folder = '', ...rest] = process.argv;
const file = path.join(folder, 'client.json');

interface Held {
  readonly jobs: Record<string, { job: unknown; cups: readonly number[]; end: string | null }>;
}

/** Jobs with their documents, which the client itself forgets once they are printed. */
const seenFile = path.join(folder, 'seen.json');

function heldIn(from: string): Held {
  return existsSync(from) ? (JSON.parse(readFileSync(from, 'utf8')) as Held) : { jobs: {} };
}

function remember(): void {
  const { jobs } = heldIn(file);
  const withDocument = Object.entries(jobs).filter(([, { job }]) => job !== null);
  writeFileSync(seenFile, JSON.stringify({ jobs: { ...heldIn(seenFile).jobs, ...Object.fromEntries(withDocument) } }));
}

/** What the next process finds in its store. */
const CHANGES: Readonly<Record<string, (held: Held) => void>> = {
  /** It takes all that it knows for printed. */
  loses: ({ jobs }) => Object.values(jobs).forEach((job) => (job.end ??= 'done')),
  /** It prints once more what it has had. */
  reprints: ({ jobs }) =>
    Object.entries(heldIn(seenFile).jobs).forEach(([id, { job }]) => (jobs[id] = { job, cups: [], end: null })),
  /** Either, by whether it had printed. */
  muddles: (held) => {
    const unprinted = Object.entries(held.jobs).filter(([, { end }]) => end === null);
    CHANGES['reprints']?.(held);
    for (const [id, job] of unprinted) held.jobs[id] = { ...job, end: 'done' };
  },
};

function change(name: string): void {
  const held = heldIn(file);
  CHANGES[name]?.(held);
  writeFileSync(file, JSON.stringify(held));
}

function start(): ChildProcess {
  const argv = [BIN, 'client', ...rest, '--data', folder];
  const child = spawn(process.execPath, argv, { stdio: 'inherit' });
  child.on('exit', (code) => child === client && process.exit(code ?? 1));
  return child;
}

const isUp = (): Promise<boolean> =>
  fetch(`http://${process.env['CUPS_SERVER']}/`).then(
    () => true,
    () => false,
  );

/** Begins anew whenever the print system comes back, and prints once more what it has had. */
async function look(): Promise<never> {
  for (let wasUp = true; ; await sleep(systemClock, LOOK_EVERY_MS)) {
    remember();
    const isBack = await isUp();
    if (fault === 'resubmits' && isBack && !wasUp) {
      client.kill('SIGKILL');
      change('reprints');
      client = start();
    }
    wasUp = isBack;
  }
}

if (existsSync(file) && fault === 'stays-down') process.exit(1);
if (existsSync(file)) change(fault);
let client = start();
process.on('SIGTERM', () => client.kill('SIGTERM'));
await look();
