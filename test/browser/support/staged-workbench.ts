/**
 * A workbench with something on every page: printed documents of several kinds, a weighed parcel, a jammed
 * printer, webhooks that were called, and a run with failures. Time stands still at the end of it.
 */

import { readFileSync } from 'node:fs';

import { start, type StartedPlaten } from '../../../src/workbench/start.ts';
import { writeFailingRun } from './failing-run.ts';

export interface StagedWorkbench extends AsyncDisposable {
  readonly platen: StartedPlaten;
  readonly url: string;
  /** The run with failures. */
  readonly runId: string;
}

export interface Document {
  readonly file: string;
  readonly title: string;
  readonly printer: string;
  readonly source: string;
  readonly raw?: true;
  readonly qty?: number;
  readonly options?: Readonly<Record<string, unknown>>;
}

const LABEL: Document = {
  file: 'label-4x6.pdf',
  title: 'Parcel label 00013',
  printer: 'Label 4x6',
  source: 'warehouse',
};

const DOCUMENTS: readonly Document[] = [
  { ...LABEL, title: 'Parcel label 00012' },
  { file: 'mixed-sizes.pdf', title: 'Drawings, mixed sizes', printer: 'Office MFP', source: 'planning' },
  {
    file: 'zpl-label.zpl',
    title: 'Shelf label, ZPL',
    printer: 'Label 4x6',
    source: 'warehouse',
    raw: true,
    qty: 3,
  },
  { file: 'encrypted.pdf', title: 'Contract, locked', printer: 'Laser', source: 'legal' },
  { file: 'turned-and-cropped.pdf', title: 'Pick list', printer: 'Laser', source: 'warehouse' },
  { file: 'invoice.pdf', title: 'Invoice 2026-0041', printer: 'Office MFP', source: 'billing' },
  {
    file: 'three-pages.pdf',
    title: 'Terms and conditions',
    printer: 'Office MFP',
    source: 'billing',
    options: { duplex: 'long-edge', copies: 2, color: false, nup: 2 },
  },
  {
    file: 'invoice.pdf',
    title: 'Invoice 2026-0042',
    printer: 'Laser',
    source: 'billing',
    options: { copies: 2, color: false, nup: 2 },
  },
];

export async function stageWorkbench(reports: string): Promise<StagedWorkbench> {
  const runId = await writeFailingRun(reports, 'print-jobs|errors');
  const platen = await start({ port: 0, clock: 'virtual', reports, limits: 'off' });
  const inbox = await platen.webhooks.receive(['print job state']);
  for (const document of DOCUMENTS) {
    await submit(platen, document);
    await platen.clock.advance('21s');
  }
  await inbox.reply('status 500', { times: 1 });
  await platen.printer('Label 4x6').change({ jam: true });
  await submit(platen, LABEL);
  const desk = platen.computer('FRONT-DESK');
  await (await desk.addScale({ profile: 'dymo-m10' })).put('1250g');
  await (await desk.addScale({ profile: 'mettler-ps60' })).put('8.4kg');
  await platen.clock.advance('4s');
  return {
    platen,
    url: platen.url,
    runId,
    async [Symbol.asyncDispose]() {
      await inbox.close();
      await platen.close();
    },
  };
}

/** Submits a document as a program does; returns the id of the job. */
export async function submit(
  platen: StartedPlaten,
  { file, title, printer, source, raw, qty = 1, options }: Document,
): Promise<number> {
  const content = readFileSync(new URL(`../../../fixtures/documents/${file}`, import.meta.url));
  const response = await fetch(`${platen.url}/printjobs`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${platen.apiKey}:`)}`,
      'content-type': 'application/json',
      'user-agent': 'shop/2.1',
    },
    body: JSON.stringify({
      printerId: await platen.printer(printer).id(),
      title,
      source,
      qty,
      contentType: raw ? 'raw_base64' : 'pdf_base64',
      content: content.toString('base64'),
      ...(options && { options }),
    }),
  });
  if (response.status !== 201) throw new Error(`the service refused '${title}': ${await response.text()}`);
  return (await response.json()) as number;
}
