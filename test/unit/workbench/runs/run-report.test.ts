import { expect, it } from 'vitest';

import type { StoredRecord } from '../../../../src/workbench/runs/report-folder.ts';
import { RunReports } from '../../../../src/workbench/runs/run-report.ts';
import { madeUpRun } from '../../../support/run-records.ts';

/** A record that counts how often it is read. */
function recordOf(version: string): StoredRecord & { readonly reads: () => number } {
  let reads = 0;
  const read = (): Promise<Uint8Array> => {
    reads++;
    return Promise.resolve(Buffer.from(JSON.stringify(madeUpRun())));
  };
  return { version, read, reads: () => reads };
}

it('makes a report once for all who ask for it meanwhile', async () => {
  const reports = new RunReports();
  const record = recordOf('one');
  const [first, second] = await Promise.all([reports.of(record, 'html'), reports.of(record, 'html')]);
  expect(second).toBe(first);
  expect(record.reads()).toBe(1);
}, 60_000);

it('makes few at once, lets some wait, and refuses more', async () => {
  const reports = new RunReports({ atOnce: 1, waiting: 1, time: '60s' });
  const [first, second, third] = [recordOf('one'), recordOf('two'), recordOf('three')];
  const made = [first, second].map((record) => reports.of(record, 'html'));
  await expect(reports.of(third, 'html')).rejects.toMatchObject({
    status: 503,
    message: '2 reports are being made already: ask again when they are done',
  });
  expect([first, second, third].map(({ reads }) => reads())).toEqual([1, 0, 0]);
  expect(await Promise.all(made)).toHaveLength(2);
  expect(String(await reports.of(third, 'html'))).toMatch(/^<!DOCTYPE html>/);
}, 60_000);

it('gives up one that takes too long, with a reason', async () => {
  const reports = new RunReports({ atOnce: 1, waiting: 0, time: '5ms' });
  await expect(reports.of(recordOf('one'), 'pdf')).rejects.toMatchObject({
    status: 503,
    message: 'the report was not made within 5ms: it was given up',
  });
});
