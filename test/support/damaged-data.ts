/**
 * Data files that are damaged on purpose, and what becomes of a service that is started on one.
 */

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';

import { ActionableError } from '../../src/common/actionable-error.ts';
import { messageOf } from '../../src/common/error-message.ts';
import { createRandom, type Random } from '../../src/common/random.ts';
import { VirtualClock } from '../../src/common/virtual-clock.ts';
import { checkDataFile } from '../../src/service/data-file-check.ts';
import { createService } from '../../src/service/server.ts';
import { runService, testAccounts } from './running-service.ts';
import { ScriptedComputer } from './scripted-computer.ts';

/** Nothing listens there: events for it stay in the queue. */
const NOWHERE = 'http://127.0.0.1:9/events';
const WAITING_JOBS = 12;

/** Makes a data file with rows in every table: jobs that wait with documents of several sizes, and some that ended. */
export async function makeDataFile(file: string): Promise<void> {
  await using service = await runService({ dataFile: file });
  await service.call('POST', '/webhook', { body: { url: NOWHERE, secret: 'a secret', messages: ['*'] } });
  await service.call('GET', '/client/key/0b0e1f5a-6c1e-4b7e-9d0a-3f6f0f6f4a10?edition=standard&version=4.10.0');
  await service.call('PATCH', '/download/clients/1', { body: { enabled: false } });
  const computer = await ScriptedComputer.connect(service.url);
  await print(service, 'raw_base64', 'AAAA');
  await computer.hear('job');
  await computer.report({
    type: 'job-state',
    jobId: 1,
    state: 'done',
    message: 'out',
    data: { pages: 1 },
    createTimestamp: new Date(service.clock.now()).toISOString(),
  });
  const [first] = service.service.admin.jobs({ limit: 1 });
  if (first) service.service.admin.hide(first);
  await computer[Symbol.asyncDispose]();
  for (let job = 0; job < WAITING_JOBS; job++) await print(service, 'raw_base64', 'QUJD'.repeat(10 ** (job % 4)));
  await print(service, 'pdf_uri', 'http://127.0.0.1/letter.pdf');
}

async function print(service: Awaited<ReturnType<typeof runService>>, contentType: string, content: string) {
  const authentication =
    contentType === 'pdf_uri' ? { type: 'BasicAuth', credentials: { user: 'u', pass: 'p' } } : null;
  const body = {
    printerId: 1,
    title: 'A letter',
    source: 'test',
    contentType,
    content,
    options: { copies: 2 },
    authentication,
  };
  const headers = { 'X-Idempotency-Key': `key of ${content.length}` };
  await service.call('POST', '/printjobs', { body, headers: contentType === 'pdf_uri' ? headers : {} });
}

/** A copy with these statements run on it, as by somebody who repairs it by hand. */
export function alteredCopy(file: string, copy: string, sql: string): string {
  copyFileSync(file, copy);
  const db = new DatabaseSync(copy, { defensive: false });
  db.exec(`PRAGMA writable_schema = ON; ${sql}`);
  db.close();
  return copy;
}

/** A copy with one bit turned. */
export function flippedCopy(file: string, copy: string, random: Random): string {
  const bytes = readFileSync(file);
  const at = random.integer(0, bytes.length - 1);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.integer(0, 7));
  writeFileSync(copy, bytes);
  return copy;
}

/** `starts`, `refused: …` with the reason, or `broke: …`, which nothing may. */
export async function startOn(dataFile: string): Promise<string> {
  const faults: unknown[] = [];
  try {
    const onFault = (error: unknown): void => void faults.push(error);
    const options = { clock: new VirtualClock(), random: createRandom(1), accounts: testAccounts, onFault };
    const service = createService({ ...options, dataFile });
    await turn();
    service.close();
  } catch (error) {
    const isExplained = error instanceof ActionableError && error.kind === 'usage';
    return `${isExplained ? 'refused' : 'broke'}: ${messageOf(error)}`;
  }
  const [fault] = faults;
  return fault === undefined ? 'starts' : `starts, with the fault: ${messageOf(fault)}`;
}

/** `whole`, `damaged: …` with the first place, `refused: …` or `broke: …`. */
export function checkOf(file: string): string {
  try {
    const [first] = checkDataFile(file).damage;
    return first ? `damaged: table ${first.table}, row ${first.row}: ${first.what}` : 'whole';
  } catch (error) {
    return `${error instanceof ActionableError ? 'refused' : 'broke'}: ${messageOf(error)}`;
  }
}

/** Every document in it, by its job. */
export function documentsIn(file: string): readonly unknown[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const found = db.prepare('SELECT job_id, content FROM print_job_contents ORDER BY job_id').all();
  db.close();
  return found;
}
