import { hash } from 'node:crypto';

import { expect, it } from 'vitest';

import { atOnce } from '../../../../src/common/sliced-work.ts';
import { prepareList } from '../../../../src/service/http/long-list.ts';
import { runService } from '../../../support/running-service.ts';
import { printerReport, ScriptedComputer } from '../../../support/scripted-computer.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const RECORDS = Array.from({ length: 1_000 }, (_, id) => ({ id, printer: { name: 'é'.repeat(1_000) }, list: [] }));
const IN_PIECES = RECORDS.map(({ id, printer, list }) => [
  `{"id":${id},"printer":`,
  JSON.stringify(printer),
  `,"list":${JSON.stringify(list)}}`,
]);

it.each([
  ['plain', false, JSON.stringify(RECORDS)],
  ['indented', true, JSON.stringify(RECORDS, null, 2)],
])('is the %s JSON of its records, with its length and MD5', (_what, isPretty, expected) => {
  const { bytes, md5, beginning, chunks } = atOnce(prepareList(IN_PIECES, isPretty));
  const text = [...chunks()].join('');
  expect(text === expected).toBe(true);
  expect([bytes, md5]).toEqual([Buffer.byteLength(expected), hash('md5', expected, 'base64')]);
  expect(expected.startsWith(beginning)).toBe(true);
});

it('has the headers of every list, and says how many records it has', async () => {
  await using service = await runService();
  await using computer = await ScriptedComputer.connect(service.url);
  const papers = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`Paper ${n} of a long name`, [n, n]]));
  await computer.report({ type: 'printers', printers: [{ ...printerReport('Laser'), capabilities: { papers } }] });
  for (let job = 0; job < 30; job++) {
    const body = { printerId: 1, contentType: 'raw_base64', content: 'QQ==', title: `Job ${job}` };
    expect((await service.call('POST', '/printjobs', { body, headers: JSON_TYPE })).status).toBe(201);
  }
  const { headers, text } = await service.call('GET', '/printjobs');
  expect((JSON.parse(text) as { title: string }[]).map(({ title }) => title)).toEqual(
    Array.from({ length: 30 }, (_, n) => `Job ${29 - n}`),
  );
  expect(text.length).toBeGreaterThan(1_000_000);
  expect(headers).toMatchObject({
    'content-length': String(Buffer.byteLength(text)),
    'content-md5': hash('md5', text, 'base64'),
    'records-returned': '30',
    'records-total': '30',
  });
});
