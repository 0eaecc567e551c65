/**
 * Twenty tests side by side: each has an account, printers and faults of its own.
 */

import { describe } from 'vitest';

import { expect, test } from 'platen/vitest';

import { recordCpuTime } from './cpu-time.js';
import { Shop } from './shop.js';

recordCpuTime('cpu-time.txt');

const CUSTOMERS = ['Amsel', 'Drossel', 'Fink', 'Star', 'Specht'];

describe.concurrent('a shop', () => {
  test.concurrent.for(CUSTOMERS)('prints an invoice for %s', async (customer, { platen }) => {
    const { invoice } = await new Shop(platen).place({ number: 1, customer });
    const job = await platen.jobs.wait({ title: 'Invoice 1', state: 'done' });
    expect(job.id).toBe(invoice);
    expect(job).toHaveSheets(1);
    await expect(job).toHavePrinted(`Invoice 1 for ${customer}`);
    expect(await platen.jobs.list()).toHaveLength(2);
  });

  test.concurrent.for(CUSTOMERS)('prints a label for %s', async (customer, { platen }) => {
    await new Shop(platen).place({ number: 2, customer });
    const job = await platen.jobs.wait({ printer: 'Label 4x6', state: 'done' });
    expect(Buffer.from(await job.raw()).toString()).toContain(customer);
  });

  test.concurrent.for([1, 2, 3, 4, 5])('prints %d copies', async (copies, { platen }) => {
    await new Shop(platen).place({ number: 3, customer: 'Meise', copies });
    expect(await platen.jobs.wait({ title: 'Invoice 3', state: 'done' })).toHaveSheets(copies);
  });

  test.concurrent.for([1, 2, 3])('waits for a jam to be cleared, %d', async (_, { platen }) => {
    await platen.printer('Laser').fault('media-jam');
    await new Shop(platen).place({ number: 4, customer: 'Zeisig' });
    const { id } = await platen.jobs.wait({ title: 'Invoice 4', state: 'done' });
    expect(await platen.jobs.get(id)).toHaveSheets(0);
    await platen.printer('Laser').clear();
    expect(await platen.jobs.get(id)).toHaveSheets(1);
  });

  test.concurrent('lets a job wait for its computer', async ({ platen }) => {
    const shop = new Shop(platen);
    await shop.place({ number: 5, customer: 'Kleiber' });
    await platen.jobs.wait({ title: 'Label 5', state: 'done' });
    await platen.computer('FRONT-DESK').disconnect();
    await shop.place({ number: 6, customer: 'Kleiber' });
    const waiting = await platen.jobs.wait({ title: 'Invoice 6' });
    expect(waiting).toHaveState('new');
    await platen.computer('FRONT-DESK').connect();
    expect(await platen.jobs.wait({ id: waiting.id, state: 'done' })).toHaveSheets(1);
  });

  test.concurrent('is told by webhook', async ({ platen }) => {
    await using inbox = await platen.webhooks.receive();
    const { invoice } = await new Shop(platen).place({ number: 7, customer: 'Rabe' });
    await inbox.wait({ jobId: invoice, state: 'done' });
  });
});
