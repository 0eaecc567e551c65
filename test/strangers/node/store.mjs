// What is known, in memory; each change stands in a journal first, one line of JSON each, so that the program may be
// killed at any time. Scale data and queued events are in memory alone.
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import path from 'node:path';

const KINDS = [
  'accounts',
  'keys',
  'computers',
  'printers',
  'jobs',
  'documents',
  'webhooks',
  'idempotency',
  'clientKeys',
  'reports',
];

/** A map of records for each kind, by id. */
export const state = Object.fromEntries(KINDS.map((kind) => [kind, new Map()]));
let journal;
let lastId = 700_000_000_000;

export function openStore(folder) {
  const file = path.join(folder, 'journal.ndjson');
  journal = openSync(file, 'a+');
  const text = readFileSync(file);
  const whole = text.lastIndexOf(0x0a) + 1;
  // A line that was cut off was never answered for.
  if (fstatSync(journal).size > whole) ftruncateSync(journal, whole);
  for (const line of text.subarray(0, whole).toString().split('\n')) {
    if (line !== '') replay(JSON.parse(line));
  }
  process.on('exit', () => closeSync(journal));
}

function replay([kind, id, record]) {
  if (kind === 'id') lastId = Math.max(lastId, id);
  else if (kind === 'history') state.jobs.get(id)?.history.push(record);
  else if (record === null) state[kind].delete(id);
  else if (kind === 'jobs') state.jobs.set(id, { ...record, history: state.jobs.get(id)?.history ?? [] });
  else if (kind === 'computers') state.computers.set(id, { ...record, isConnected: false });
  else state[kind].set(id, record);
}

function write(entry) {
  const line = Buffer.from(`${JSON.stringify(entry)}\n`);
  for (let at = 0; at < line.length;) at += writeSync(journal, line, at);
}

/** Ids have gaps, and are never given twice. */
export function nextId() {
  lastId += randomInt(1, 40);
  write(['id', lastId]);
  return lastId;
}

export function save(kind, id, record) {
  const { history: _, ...stored } = record;
  write([kind, id, kind === 'jobs' ? stored : record]);
  state[kind].set(id, record);
  return record;
}

export function remove(kind, id) {
  write([kind, id, null]);
  state[kind].delete(id);
}

/** The states of a job are kept beside it, as it may be large in number. */
export function append(jobId, entry) {
  write(['history', jobId, entry]);
  state.jobs.get(jobId).history.push(entry);
}
