import { PDFDocument } from 'pdf-lib';
import { expect, it } from 'vitest';

import { textOf } from '../../../src/devices/press/sheet-picture.ts';
import { renderPdf } from '../../../src/report/pdf/document.ts';
import { HOSTILE, madeUpRun, madeUpScenarios } from '../../support/run-records.ts';

it('says on its first page what was run on what, when, with which seed and version, and what came of it', async () => {
  const first = await textOf(await renderPdf([madeUpRun({ words: 'Service of the house' })]), 1);
  for (const part of [
    'Conformance of Service of the house',
    'FAILED',
    'The service breaks 2 of the 700 clauses that were judged.',
    'https://service.example',
    '2026-01-02T03:04:05.678Z',
    'platen 1.2.3',
    '10 checks: 2 failed, 8 passed.',
    'Nothing that was planned was left out.',
    'family-0',
  ]) {
    expect(first).toContain(part);
  }
});

it('lists what was not run, by reason', async () => {
  const record = madeUpRun({ failures: 0 });
  const checks = record.checks.map((check) => ({
    ...check,
    verdict: 'untestable' as const,
    message: 'needs a scale',
  }));
  const text = await textOf(await renderPdf([{ ...record, checks }]), 1);
  expect(text).toContain('10 checks: untestable, needs a scale');
});

it('shows the failures with clause, expected and actual', async () => {
  const text = await textOf(await renderPdf([madeUpRun({ words: 'a blank page' })]), 3);
  for (const part of ['family-0/what-it-looks-at-0: fail', 'clause number 0', 'status 200', 'a blank page', 'curl']) {
    expect(text).toContain(part);
  }
});

it('writes down any words in letters that it has', async () => {
  const words = 'Zażółć gęślą jaźń, 你好, مرحبا, 👩‍💻 and Ünïcödé';
  const bytes = await renderPdf([madeUpRun({ words }), madeUpScenarios(HOSTILE)]);
  const text = await textOf(bytes, 1);
  expect(text).toContain('and Ünïcödé');
  expect(text).toMatch(/Conformance of Za[zż]ó\S+ g[eę]/);
});

it('has the date of the run for its own, so that its bytes are the same each time', async () => {
  const bytes = await renderPdf([madeUpRun()]);
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  expect(document.getCreationDate()?.toISOString()).toBe('2026-01-02T03:04:05.000Z');
  expect(document.getModificationDate()?.toISOString()).toBe('2026-01-02T03:04:05.000Z');
  expect(Buffer.from(await renderPdf([madeUpRun()])).equals(bytes)).toBe(true);
});

it('stays a document to hand on, however much failed', async () => {
  const size = { results: 1_000, failures: 1_000, words: HOSTILE.repeat(20) };
  const bytes = await renderPdf([madeUpRun(size)]);
  const document = await PDFDocument.load(bytes);
  expect(document.getPageCount()).toBeLessThan(100);
  expect(bytes.length).toBeLessThan(1_000_000);
});
