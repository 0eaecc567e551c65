import { beforeEach, expect, it } from 'vitest';

import { Database } from '../../../../src/service/store/database.ts';
import { DELIVERY, type PrintJobRow, type PrintJobStateRow } from '../../../../src/service/store/print-job-row.ts';
import { PrintJobTable } from '../../../../src/service/store/print-job-table.ts';

const STATE = { message: null, data: null, clientVersion: null, createdMs: 0 };
/** More than are kept in memory. */
const MANY = 20_001;

let database: Database;
let table: PrintJobTable;
beforeEach(() => {
  database = Database.open(undefined);
  table = new PrintJobTable(database);
  return () => database.close();
});

function insert(): PrintJobRow {
  const id = table.nextId();
  const job: PrintJobRow = {
    id,
    accountId: 1,
    accountOrdinal: id,
    printerOrdinal: id,
    computerId: 1,
    printerId: 1,
    title: null,
    source: null,
    contentType: 'raw_base64',
    options: '{}',
    authentication: null,
    qty: 1,
    createdMs: 0,
    expireMs: 1,
    state: 'new',
    delivery: DELIVERY.queued,
  };
  table.insert(job, 'AAAA');
  table.keepOpen(job, 'AAAA');
  return job;
}

const reported = (jobId: number): PrintJobStateRow => ({ ...STATE, jobId, state: 'queued_to_print' });

it('has a job as it was before a write that was undone', () => {
  const { id } = database.write(insert);
  const fails = (): void => {
    table.setState(id, 'sent_to_client', DELIVERY.sent);
    table.appendState(reported(id), 'report');
    throw new Error('undone');
  };
  expect(() => database.write(fails)).toThrow('undone');
  expect(table.byId(id)).toMatchObject({ state: 'new', delivery: DELIVERY.queued });
  expect(table.queuedFor(1, 8)).toEqual([id]);
  expect(database.write(() => table.appendState(reported(id), 'report'))).toBe(true);
});

it('records a repeated report once, after any number of other jobs and after the last state', () => {
  const { id } = database.write(insert);
  const repeat = (): boolean => database.write(() => table.appendState(reported(id), 'report'));
  expect(repeat()).toBe(true);
  database.write(() => {
    for (let count = 0; count < MANY; count++) insert();
  });
  expect(repeat()).toBe(false);
  database.write(() => table.setState(id, 'done', DELIVERY.finished));
  expect(repeat()).toBe(false);
  expect(table.laterStates(id)).toHaveLength(1);
  expect(() => table.content(id)).toThrow('print_job_contents, row 1: the document is missing');
});

it('has a job for those who read jobs in the turn that submits it', () => {
  const { id } = database.writeHot(insert);
  expect(table.newest(1, undefined, 1)).toMatchObject([{ id }]);
});

it('keeps a state that a job gets in the turn that submits it, and deletes its document with the last one', async () => {
  const { id } = database.writeHot(insert);
  database.writeHot(() => table.setState(id, 'done', DELIVERY.finished));
  await database.committed();
  expect(table.byId(id)).toMatchObject({ state: 'done', delivery: DELIVERY.finished });
  expect(() => table.content(id)).toThrow('print_job_contents, row 1: the document is missing');
});
