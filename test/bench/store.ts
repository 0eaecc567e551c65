/**
 * What a job costs in the store of the service: processor time of the thread, medians of rounds of a thousand.
 *
 *   submission   with few jobs open, and with more than are kept in memory
 *   whole job    submission and three states, by the size of its document, in memory and on disk
 *
 * Usage: node test/bench/store.ts [--rounds 10]
 * Exits 1 when a submission costs more than twice as much with many jobs open.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Database } from '../../src/service/store/database.ts';
import { DELIVERY, type PrintJobRow } from '../../src/service/store/print-job-row.ts';
import { PrintJobTable } from '../../src/service/store/print-job-table.ts';
import { machineLine, median } from './paired.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } });
const rounds = Number(values.rounds);
const JOBS_A_ROUND = 1_000;
const JOBS_A_TURN = 20;
/** More than the service keeps in memory. */
const MANY_OPEN = 40_000;
const LABEL_CHARACTERS = 800;
const INVOICE_CHARACTERS = 40_000;
const MOST_FOR_MANY_OPEN = 2;
const STATES = [
  ['sent_to_client', DELIVERY.sent],
  ['queued_to_print', DELIVERY.sent],
  ['done', DELIVERY.finished],
] as const;

class Store implements Disposable {
  readonly #database: Database;
  readonly #table: PrintJobTable;

  constructor(file?: string) {
    this.#database = Database.open(file);
    this.#table = new PrintJobTable(this.#database);
  }

  async submit(jobs: number, content: string): Promise<readonly number[]> {
    const ids: number[] = [];
    while (ids.length < jobs) ids.push(...(await this.#submitOneTurn(content)));
    return ids;
  }

  async play(jobs: number, content: string): Promise<void> {
    for (let done = 0; done < jobs; done += JOBS_A_TURN) await this.#report(await this.#submitOneTurn(content));
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  async #submitOneTurn(content: string): Promise<readonly number[]> {
    const jobs = Array.from({ length: JOBS_A_TURN }, () => jobOf(this.#table.nextId()));
    for (const job of jobs) {
      this.#database.writeHot(() => this.#table.insert(job, content));
      this.#table.keepOpen(job, content);
    }
    await turn();
    return jobs.map(({ id }) => id);
  }

  async #report(ids: readonly number[]): Promise<void> {
    for (const [state, delivery] of STATES) {
      for (const jobId of ids) {
        this.#database.writeHot(() => {
          this.#table.setState(jobId, state, delivery);
          const row = { jobId, state, message: null, data: null, clientVersion: null, createdMs: jobId };
          this.#table.appendState(row, `${state} ${jobId}`);
        });
      }
      await turn();
    }
  }
}

function jobOf(id: number): PrintJobRow {
  return {
    id,
    accountId: id % 20,
    accountOrdinal: id,
    printerOrdinal: id,
    computerId: id % 200,
    printerId: id % 200,
    title: `Label ${id}`,
    source: 'bench',
    contentType: 'raw_base64',
    options: '{}',
    authentication: null,
    qty: 1,
    createdMs: id,
    expireMs: 1_000_000 + id,
    state: 'new',
    delivery: DELIVERY.queued,
  };
}

/** Median processor time of a job, in microseconds, after a round that warms up. */
async function cost(work: (jobs: number) => Promise<unknown>): Promise<number> {
  await work(JOBS_A_ROUND);
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.threadCpuUsage();
    await work(JOBS_A_ROUND);
    const { user, system } = process.threadCpuUsage(before);
    costs.push((user + system) / JOBS_A_ROUND);
  }
  return median(costs);
}

async function submissionCost(alreadyOpen: number): Promise<number> {
  using store = new Store();
  const label = 'Z'.repeat(LABEL_CHARACTERS);
  await store.submit(alreadyOpen, label);
  return await cost((jobs) => store.submit(jobs, label));
}

async function wholeCost(characters: number, file?: string): Promise<number> {
  using store = new Store(file);
  return await cost((jobs) => store.play(jobs, 'Z'.repeat(characters)));
}

const folder = mkdtempSync(join(tmpdir(), 'platen-store-'));
const [few, many] = [await submissionCost(0), await submissionCost(MANY_OPEN)];
const rows: readonly (readonly [string, number])[] = [
  ['submission, few jobs open', few],
  [`submission, ${MANY_OPEN} jobs open`, many],
  ['whole job, label, in memory', await wholeCost(LABEL_CHARACTERS)],
  ['whole job, invoice, in memory', await wholeCost(INVOICE_CHARACTERS)],
  ['whole job, label, on disk', await wholeCost(LABEL_CHARACTERS, join(folder, 'labels.db'))],
  ['whole job, invoice, on disk', await wholeCost(INVOICE_CHARACTERS, join(folder, 'invoices.db'))],
];
rmSync(folder, { recursive: true });
process.stdout.write(`${machineLine()}; labels of ${LABEL_CHARACTERS} characters, invoices of ${INVOICE_CHARACTERS}\n`);
process.stdout.write('| job | CPU µs |\n|---|---|\n');
for (const [what, us] of rows) process.stdout.write(`| ${what} | ${us.toFixed(1)} |\n`);
process.stdout.write(`many open to few: ${(many / few).toFixed(2)} (bar ${MOST_FOR_MANY_OPEN})\n`);
process.exitCode = many / few > MOST_FOR_MANY_OPEN ? 1 : 0;
