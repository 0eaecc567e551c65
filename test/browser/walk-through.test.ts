import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { start, type StartedPlaten } from '../../src/workbench/start.ts';
import { basic } from '../support/print-request.ts';
import { pageServed } from './support/built-page.ts';
import { openChromium } from './support/chromium.ts';
import { writeFailingRun } from './support/failing-run.ts';
import { submit } from './support/staged-workbench.ts';
import { watchPage, type WatchedPage } from './support/watched-page.ts';

/** On a machine that is busy with other things. */
const SOON = { timeout: 10_000 };
const INVOICE = { file: 'invoice.pdf', title: 'Invoice 1', printer: 'Laser', source: 'test' };

describe('the page of a workbench', { tags: ['browser'] }, () => {
  let reports: string;
  let runId: string;
  let platen: StartedPlaten;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    reports = mkdtempSync(path.join(tmpdir(), 'platen-page-'));
    runId = await writeFailingRun(reports, '^print-jobs/created$');
    platen = await start({ port: 0, clock: 'virtual', reports });
    await pageServed(platen.url);
    browser = await openChromium();
    watched = await watchPage(browser, platen.url);
    ({ page } = watched);
    await page.goto(platen.url);
    await page.evaluate('window.isTheSamePage = true');
  }, 120_000);

  afterAll(async () => {
    await watched[Symbol.asyncDispose]();
    await browser.close();
    await platen.close();
    rmSync(reports, { recursive: true, force: true });
  });

  it('is where a browser is led that asks for the service', () => {
    expect(page.url()).toBe(`${platen.url}/_platen/`);
  });

  it('says how to print while there are no jobs, with a line that works', async () => {
    await page.getByText('Nothing has been printed yet').waitFor();
    const line = await page.getByRole('group', { name: 'the curl line' }).textContent();
    expect(line).toContain(`curl -u ${platen.apiKey}: ${platen.url}/printjobs`);
    const body = /-d '(.*)'$/.exec(line ?? '')?.[1] ?? '';
    const answer = await fetch(`${platen.url}/printjobs`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${platen.apiKey}:`)}`, 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(201);
    await row('Hello').waitFor();
  });

  it('shows a job, and its sheets as they come out, without a reload', async () => {
    await submit(platen, { ...INVOICE, options: { copies: 2 } });
    await row('Invoice 1').waitFor();
    await platen.clock.advance('1m');
    await row('Invoice 1').getByText('2 sheets').waitFor();
    await row('Invoice 1').locator('img').waitFor();
    await row('Invoice 1').click();
    await expect.poll(() => drawnPictures('Side'), SOON).toBe(2);
  });

  it('shows a jam of a printer, what waits for it, and its end', async () => {
    await goTo('Room');
    const printer = page.getByRole('region', { name: 'Printer Laser' });
    await printer.getByText('online', { exact: true }).waitFor();
    await printer.getByText('Jam', { exact: true }).click();
    await printer.getByText('media-jam').waitFor();
    await page.getByText('1 fault in force').waitFor();
    await submit(platen, { ...INVOICE, title: 'Invoice 2' });
    await platen.clock.advance('5s');
    await printer.getByText('1 job waiting', { exact: true }).waitFor();
    expect((await platen.printer('Laser').state()).reasons).toContain('media-jam');

    await printer.getByText('Jam', { exact: true }).click();
    await page.getByText('No faults in force').waitFor();
    await platen.clock.advance('1m');
    await printer.getByText('Last printed: job 3').waitFor();
    expect((await platen.printer('Laser').state()).reasons).toEqual([]);
  });

  it('adds a printer, and removes it', async () => {
    await goTo('Room');
    const before = await platen.printers();
    await page.getByRole('button', { name: 'Add a printer to FRONT-DESK' }).click();
    await page.getByRole('searchbox', { name: 'Search the profiles of printers' }).fill('80 mm cutting');
    await page.getByRole('button', { name: /receipt-80mm/ }).click();
    const printer = page.getByRole('region', { name: /^Printer Receipt/ });
    await printer.waitFor();
    await printer.getByRole('button', { name: /^Remove/ }).click();
    await printer.getByRole('button', { name: 'Remove it?' }).click();
    await printer.waitFor({ state: 'detached' });
    expect(await platen.printers()).toHaveLength(before.length);
  });

  it('lets a computer sleep, which the service does not know, and wakes it', async () => {
    await goTo('Room');
    const computer = page.getByRole('region', { name: 'Computer FRONT-DESK' });
    await computer.getByRole('button', { name: 'Sleep' }).click();
    await computer.getByText('asleep', { exact: true }).waitFor();
    const seen = await fetch(`${platen.url}/computers`, { headers: basic(platen.apiKey) });
    expect(await seen.json()).toContainEqual(expect.objectContaining({ name: 'FRONT-DESK', state: 'connected' }));
    await computer.getByRole('button', { name: 'Wake' }).click();
    await computer.getByText('connected', { exact: true }).waitFor();
  });

  it('puts any fault of a place in force, with its settings, and says when it happens', async () => {
    await goTo('Room');
    await page.getByRole('link', { name: 'Faults of FRONT-DESK' }).click();
    const dialog = page.getByRole('dialog', { name: 'What goes wrong at FRONT-DESK' });
    await dialog.getByRole('combobox', { name: 'Fault' }).selectOption('link/FRONT-DESK latency');
    await dialog.getByLabel(/^delay: /).fill('2s');
    await dialog.getByLabel('After how many occasions').fill('50');
    await dialog.getByRole('button', { name: 'Put it in force' }).click();
    await dialog.getByText('at link/FRONT-DESK, after 50, delay 2s').waitFor();
    expect((await platen.faults.list()).map(({ rule }) => rule)).toEqual([
      { at: 'link/FRONT-DESK', fault: 'latency', after: 50, with: { delay: '2s' } },
    ]);
    await dialog.getByRole('button', { name: 'Clear latency at link/FRONT-DESK' }).click();
    await dialog.getByText('after 50').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  it('says at the field what a rule cannot have, and the rest in the dialog', async () => {
    await goTo('Room');
    await page.getByRole('link', { name: 'Faults of FRONT-DESK' }).click();
    const dialog = page.getByRole('dialog', { name: 'What goes wrong at FRONT-DESK' });
    await dialog.getByRole('combobox', { name: 'Fault' }).selectOption('link/FRONT-DESK latency');
    const submitRule = dialog.getByRole('button', { name: 'Put it in force' });
    for (const [label, wrong, right] of [
      ['After how many occasions', '-1', '1'],
      ['How often at most', 'abc', '2'],
      ['Probability, 0 to 1', '2', '0.5'],
      ['For how long', '5', '5s'],
    ] as const) {
      const field = dialog.getByLabel(label);
      await field.fill(wrong);
      await submitRule.click();
      expect(await field.evaluate((one) => one.matches(':focus:invalid'))).toBe(true);
      await field.fill(right);
    }
    await dialog.getByLabel(/^delay: /).fill('soon');
    await submitRule.click();
    const notice = dialog.locator('.notice', { hasText: 'delay of latency is not a duration' });
    await notice.waitFor();
    await forgetRefusal();
    expect(await platen.faults.list()).toEqual([]);
    await dialog.getByLabel(/^delay: /).fill('2s');
    await submitRule.click();
    await dialog.getByText('after 1, at most 2 times, with probability 0.5, for 5s, delay 2s').waitFor();
    await notice.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Clear latency at link/FRONT-DESK' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  it('makes a whole day bad, and good again', async () => {
    await goTo('Room');
    await page.getByText('A bad day…').click();
    await page.getByRole('button', { name: 'Weak wireless' }).click();
    await page.getByText('2 faults in force').click();
    await page.getByText('with probability 0.3, delay 500ms').waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByText('No faults in force').waitFor();
    expect(await platen.faults.list()).toEqual([]);
  });

  it('moves the clock by any amount', async () => {
    const before = await platen.clock.now();
    await page.getByLabel('Advance by').fill('1h30m');
    await page.getByRole('button', { name: 'Advance', exact: true }).click();
    await expect.poll(async () => (await platen.clock.now()) - before, SOON).toBeGreaterThanOrEqual(5_400_000);
  });

  it('says why the clock cannot be moved by what was typed', async () => {
    const before = await platen.clock.now();
    const field = page.getByLabel('Advance by');
    for (const wrong of ['abc', '5', '-5s']) {
      await field.fill(wrong);
      await page.getByRole('button', { name: 'Advance', exact: true }).click();
      expect(await field.evaluate((one) => one.matches(':focus:invalid'))).toBe(true);
    }
    await field.fill('99999999d');
    await field.press('Enter');
    await forgetRefusal();
    await page.getByText(/^by: must be at most 366d$/i).waitFor();
    expect(await platen.clock.now()).toBe(before);
    await field.fill('');
  });

  it('weighs a parcel, and forgets the reading after 45 seconds', async () => {
    await goTo('Room');
    await page.getByRole('button', { name: 'Add a scale to FRONT-DESK' }).click();
    await page.getByRole('button', { name: /mettler-ps60/ }).click();
    const scale = page.getByRole('region', { name: /^Scale Mettler/ });
    await scale.getByRole('spinbutton').fill('4536');
    await scale.getByRole('spinbutton').press('Enter');
    await expect.poll(async () => (await platen.scale('Mettler Toledo - PS60').state()).grams, SOON).toBe(4536);
    await platen.clock.advance('3s');
    await scale
      .getByRole('status', { name: /^Display/ })
      .filter({ hasText: '10 lb' })
      .waitFor();
    await scale.getByText('The service has 10 lb').waitFor();

    await scale.getByText('Plugged in').click();
    await scale.getByText('– – –').waitFor();
    await page.getByRole('button', { name: '+45 s' }).click();
    const gone = scale.getByText('The service has no reading of the last 45 s');
    await expect.poll(() => gone.isVisible(), SOON).toBe(true);
  });

  it('finds jobs by what is printed on them, with the search in the address', async () => {
    await goTo('Jobs');
    await row('Invoice 2').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('printer:Laser "Invoice 2"');
    await expect.poll(() => rows(), SOON).toBe(1);
    await expect.poll(() => page.url(), SOON).toContain('q=printer%3ALaser');
    await page.getByRole('searchbox').fill('state:error');
    await page.getByText('No job matches').waitFor();
    await page.getByRole('button', { name: 'Show all jobs' }).click();
    await expect.poll(() => rows(), SOON).toBe(3);
  });

  it('prints a job again', async () => {
    await goTo('Jobs');
    await row('Invoice 2').click();
    await page.getByRole('button', { name: 'Print again' }).click();
    await expect.poll(() => page.url(), SOON).toBe(`${platen.url}/_platen/jobs/4`);
    await platen.clock.advance('1m');
    await expect.poll(() => drawnPictures('Side'), SOON).toBe(1);
    const job = await platen.jobs.get(4);
    expect(job).toMatchObject({ title: 'Invoice 2', state: 'done' });
  });

  it('says why a job failed, in its row and with it', async () => {
    await submit(platen, { ...INVOICE, file: 'encrypted.pdf', title: 'Locked' });
    await platen.clock.advance('5s');
    await goTo('Jobs');
    await row('Locked').getByText('the document is encrypted and needs a password').waitFor();
    await row('Locked').click();
    const job = page.getByRole('article', { name: 'Job 5' });
    await job.locator('.facts').getByText('is encrypted').waitFor();
    expect(await job.getByText(/^None: /).textContent()).toBe('None: the document is encrypted and needs a password.');
  });

  it('filters jobs by a state and a printer, in the address', async () => {
    await goTo('Jobs');
    const filters = page.getByRole('group', { name: 'Filters' });
    await filters.getByRole('button', { name: 'error', exact: true }).click();
    await expect.poll(() => rows(), SOON).toBe(1);
    await filters.getByRole('button', { name: 'Laser', exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('q'), SOON).toBe('state:error printer:Laser');
    await filters.getByRole('button', { name: 'error', exact: true, pressed: true }).click();
    await filters.getByRole('button', { name: 'Laser', exact: true, pressed: true }).click();
    await expect.poll(() => rows(), SOON).toBe(5);
  });

  it('deletes a job, and all that a search finds', async () => {
    await row('Hello').click();
    await page.getByRole('button', { name: 'Delete job 1' }).click();
    await page.getByRole('button', { name: 'Delete it?' }).click();
    await expect.poll(() => rows(), SOON).toBe(4);
    await page.getByRole('searchbox').fill('locked');
    await expect.poll(() => rows(), SOON).toBe(1);
    await page.getByRole('button', { name: 'Delete the jobs that were found' }).click();
    await page.getByRole('button', { name: 'Delete 1 job?' }).click();
    await expect.poll(() => rows(), SOON).toBe(3);
    expect((await platen.jobs.list()).map(({ id }) => id)).toEqual([4, 3, 2]);
  });

  it('shows requests with their bodies, and finds them by words', async () => {
    await goTo('Traffic');
    await page.getByRole('searchbox').fill('post printjobs');
    const requests = page.getByRole('list', { name: 'Requests' });
    await requests.getByText('POST').first().waitFor();
    await requests.getByText('GET').first().waitFor({ state: 'detached' });
    await requests.getByRole('link').first().click();
    const request = page.getByRole('article', { name: 'Request' });
    await request.getByText('"printerId"').waitFor();
    expect(await request.textContent()).not.toContain(btoa(`${platen.apiKey}:`));
  });

  it('shows deliveries with their attempts, and sends one again', async () => {
    const inbox = await platen.webhooks.receive(['print job state']);
    await inbox.reply('status 500', { times: 1 });
    await submit(platen, { ...INVOICE, title: 'Invoice 3' });
    await platen.clock.advance('1s');
    await page.goto(`${platen.url}/_platen/traffic?show=deliveries`);
    await page.getByRole('link', { name: /will-retry/ }).click();
    await page.getByText('due 2026-').waitFor();
    const before = inbox.requests;
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await expect.poll(() => inbox.requests, SOON).toBeGreaterThan(before);
    await inbox.close();
    await page.evaluate('window.isTheSamePage = true');
  });

  it('shows a failed check with the words of the specification beside the evidence', async () => {
    await goTo('Runs');
    await page.getByRole('list', { name: 'Runs' }).getByRole('link').first().click();
    await expect.poll(() => page.url(), SOON).toBe(`${platen.url}/_platen/runs/${runId}`);
    const failed = page.locator('.result.failed').first();
    await failed.getByText('POST /printjobs that is accepted answers 201.').waitFor();
    expect(await failed.locator('.expected').first().textContent()).toBe('status 201');
    expect(await failed.locator('.actual').first().textContent()).toContain('status 200');
    await failed.locator('.exchange[open]').getByText('"printerId"').first().waitFor();
  });

  it('shows the clauses of a run, and which of them were broken', async () => {
    await page.getByRole('link', { name: /^Clauses/ }).click();
    await page
      .locator('.chapter .name')
      .getByText(/^print-jobs$/)
      .click();
    await page.locator('.chapter summary .broken').first().waitFor();
    const clause = page.locator('.clauses').getByText('POST /printjobs that is accepted').first();
    await expect.poll(() => clause.isVisible(), SOON).toBe(true);
  });

  it('prints a document that is chosen for it', async () => {
    await goTo('Jobs');
    const file = {
      name: 'dropped.pdf',
      mimeType: 'application/pdf',
      buffer: readFileSync('fixtures/documents/invoice.pdf'),
    };
    await page.getByLabel('Print a document…').setInputFiles(file);
    const dialog = page.getByRole('dialog', { name: 'Print dropped.pdf' });
    await dialog.getByLabel('Printer').selectOption({ label: 'Laser at FRONT-DESK' });
    await dialog.getByRole('button', { name: 'Print', exact: true }).click();
    await row('dropped.pdf').waitFor();
    await platen.clock.advance('1m');
    await row('dropped.pdf').locator('img').waitFor();
    const [dropped] = await platen.jobs.list();
    expect(dropped).toMatchObject({ title: 'dropped.pdf' });
  });

  it('does not offer to print an empty file', async () => {
    const file = { name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) };
    await page.getByLabel('Print a document…').setInputFiles(file);
    const dialog = page.getByRole('dialog', { name: 'Print empty.pdf' });
    await dialog.getByText('0 B, empty: there is nothing to print').waitFor();
    expect(await dialog.getByRole('button', { name: 'Print', exact: true }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  it('has every label of a run above its field', async () => {
    await goTo('Runs');
    await page.getByText('Which checks, which service').click();
    await page.getByLabel('Address of the service').fill(platen.url);
    const labels = await page.locator('.run-options .fields label:not(.tick)').all();
    expect(labels).toHaveLength(3);
    for (const label of labels) expect(await label.evaluate(isAbove)).toBe(true);
  });

  it('says of a run that could not begin why, and asks for no record of it', async () => {
    await page.getByLabel('Only checks that match').fill('([');
    await page.getByRole('button', { name: 'Run', exact: true }).last().click();
    await page.getByRole('heading', { name: 'It could not begin' }).waitFor({ timeout: 60_000 });
    const reason = await page.locator('.detail').getByText('is not a regular expression').textContent();
    expect(reason).toContain('Unterminated character class. Give part of');
  }, 90_000);

  it('goes back to the seed, when asked twice', async () => {
    await page.getByRole('button', { name: 'Reset the workbench to its seed' }).click();
    await page.getByRole('button', { name: /^Forget jobs, accounts, faults/ }).click();
    await goTo('Jobs');
    await page.getByText('Nothing has been printed yet').waitFor();
    expect(await platen.jobs.list()).toEqual([]);
  });

  it('was never reloaded on the way', async () => {
    expect(await page.evaluate('window.isTheSamePage')).toBe(true);
  });

  const goTo = (name: string): Promise<void> =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
  /** A browser tells its console of every 400. */
  const forgetRefusal = (): Promise<void> => expect.poll(() => watched.complaints.splice(0).length, SOON).toBe(1);
  const row = (title: string): ReturnType<Page['locator']> => page.locator('.job-row', { hasText: title });
  const rows = (): Promise<number> => page.locator('.job-row').count();
  /** Pictures that are there and not broken. */
  const drawnPictures = (alt: string): Promise<number> =>
    page.evaluate<number>(
      `[...document.querySelectorAll('img[alt^="${alt}"]')].filter((one) => one.naturalWidth > 0).length`,
    );
});

/** In the browser: whether the words of a label end above its field. */
function isAbove(label: HTMLElement): boolean {
  const words = document.createRange();
  words.selectNodeContents(label.firstChild ?? label);
  const field = label.querySelector('input')?.getBoundingClientRect();
  return field !== undefined && words.getBoundingClientRect().bottom <= field.top;
}
