import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { portOf } from '../../src/common/port-of.ts';
import { textOf } from '../../src/devices/press/sheet-picture.ts';
import { startMeddlingProxy, type Meddle } from '../mutants/meddling-proxy.ts';
import { platen, PROJECT, startWorkbench, type Finished, type RunningWorkbench } from '../support/command-line.ts';

const DOCUMENTS = path.join(PROJECT, 'fixtures/documents');

let workbench: RunningWorkbench;
let folder: string;

beforeAll(async () => {
  workbench = await startWorkbench();
});

afterAll(() => workbench.stop());

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-print-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('leaves the sheets as PDF and pictures', async () => {
  const run = await print('invoice.pdf', ['--printer', 'Laser', '--wait', '--out', folder]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/^job \d+ → Laser \(FRONT-DESK\): done\n/);
  const [picture = '', sheets = ''] = readdirSync(folder).toSorted();
  expect(sheets).toMatch(/^\d+\.pdf$/);
  expect(picture).toBe(sheets.replace('.pdf', '-1.png'));
  const png = readFileSync(path.join(folder, picture));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  // 595 x 841 points at 96 dpi.
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([793, 1121]);
});

it('prints pages 2 and 3 twice, in that order', async () => {
  const options = ['--option', 'pages=2-3', '--option', 'copies=2'];
  const run = await print('three-pages.pdf', ['--wait', '--out', folder, ...options]);
  expect(run.code).toBe(0);
  const sheets = readdirSync(folder).find((name) => name.endsWith('.pdf')) ?? '';
  const texts = await pageTexts(path.join(folder, sheets));
  expect(texts.map((text) => /page (\d)/i.exec(text)?.[1])).toEqual(['2', '3', '2', '3']);
});

it('says which options had no effect on the printer, and why', async () => {
  const run = await print('three-pages.pdf', ['-p', 'Office MFP', '--wait', '-o', 'nup=2', '-o', 'copies=2']);
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^ {2}option nup had no effect: it has effect on macOS only$/m);
  expect(run.stdout).not.toContain('option copies');
});

it('hands a document in a printer language on as it is, as often as asked', async () => {
  const run = await print('zpl-label.zpl', ['-p', 'label 4x6', '--qty', '2', '--out', folder]);
  expect(run.code).toBe(0);
  const raw = readdirSync(folder).find((name) => name.endsWith('.raw')) ?? '';
  const label = readFileSync(path.join(DOCUMENTS, 'zpl-label.zpl'));
  expect(readFileSync(path.join(folder, raw))).toEqual(Buffer.concat([label, label]));
});

it('says what is known of bytes of which nothing came out', async () => {
  const file = path.join(folder, 'open.zpl');
  writeFileSync(file, '^XA^FDopen^FS');
  const run = await print(path.relative(DOCUMENTS, file), ['-p', 'label 4x6', '--out', folder]);
  expect(run.stdout).toContain('  not drawn: zpl, 0 labels; its last label is not ended by ^XZ');
});

it('keeps labels in ZPL as PDF and pictures beside their bytes', async () => {
  const run = await print('zpl-label.zpl', ['-p', 'label 4x6', '--qty', '2', '--json', '--out', folder]);
  const { files, notDrawn } = JSON.parse(run.stdout) as { files: string[]; notDrawn: unknown };
  const endings = files.map((file) => path.basename(file).replace(/^\d+/, ''));
  expect([endings, notDrawn]).toEqual([['.raw', '.pdf', '-1.png', '-2.png'], null]);
  // As many pixels as dots, about, so that bar codes can be read.
  expect(readFileSync(files[2] ?? '').readUInt32BE(16)).toBe(800);
  const pdf = await PDFDocument.load(readFileSync(files[1] ?? ''));
  expect(pdf.getPages().map((page) => Math.round(page.getHeight()))).toEqual([432, 432]);
});

it('says why labels have no picture', async () => {
  const input = `^XA^FO9,9^BQN,2,9^FDQA,${'x'.repeat(9_000)}^FS^XZ`;
  const argv = ['print', '-', '--raw', '-p', 'label 4x6', '--out', folder];
  const run = await platen(argv, { env: workbench.env, input });
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/ not drawn: the renderer says '.*data too big/);
  const onLaser = await print('zpl-label.zpl', ['-p', 'Laser', '--raw', '--out', folder]);
  expect(onLaser.stdout).toContain(' not drawn: the printer is not a label printer');
});

it('reads the document from standard input', async () => {
  const input = readFileSync(path.join(DOCUMENTS, 'invoice.pdf'));
  const run = await platen(['print', '-', '--wait', '--title', 'From a pipe'], { env: workbench.env, input });
  expect(run.code).toBe(0);
  const jobs = await platen(['jobs', '--limit', '1'], { env: workbench.env });
  expect(jobs.stdout).toMatch(/\d+ +done +Laser +\S+ ago +From a pipe/);
});

it('prints one JSON document and nothing else with --json', async () => {
  const run = await print('invoice.pdf', ['--json', '--out', folder]);
  expect(JSON.parse(run.stdout)).toMatchObject({
    printer: 'Laser',
    state: 'done',
    files: [/\.pdf$/, /-1\.png$/].map((e) => expect.stringMatching(e)),
  });
  const jobs = await platen(['jobs', '--json'], { env: workbench.env });
  expect(JSON.parse(jobs.stdout)).toContainEqual(expect.objectContaining({ title: 'invoice.pdf', state: 'done' }));
});

it.each([
  ['encrypted.pdf', /encrypted/],
  ['truncated.pdf', /truncated/],
  ['zero-pages.pdf', /no pages/],
])('ends with 1 and the reason when the printer cannot print %s', async (document, reason) => {
  const run = await print(document, ['--wait', '--out', folder]);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/: error\n/);
  expect(run.stdout).toMatch(reason);
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ['html-page.pdf', [], 'is neither a PDF nor in a printer language', '--raw'],
  ['empty.pdf', [], 'is empty', 'Name a document'],
  ['missing.pdf', [], 'there is no file', 'Name a file'],
  ['invoice.pdf', ['--printer', 'Lazer'], "no printer is named 'Lazer'", "1 'Laser' (FRONT-DESK)"],
  ['invoice.pdf', ['--option', 'pagse=1'], "no print option 'pagse'; did you mean 'pages'?", '--help'],
  ['invoice.pdf', ['--option', 'speed=1'], "no print option 'speed'; there are", 'pages, paper'],
  ['invoice.pdf', ['--option', 'copies=two'], 'copies must be an integer', '--help'],
  ['invoice.pdf', ['--qty', '0'], 'write an integer of at least 1', '--help'],
  ['invoice.pdf', ['--key', 'wrong'], 'does not accept this API key', '--key or PLATEN_API_KEY'],
])('ends with 64 for %s with %j: %s', async (document, flags, mistake, nextStep) => {
  const run = await print(document, flags);
  expect(run).toMatchObject({ code: 64, stdout: '' });
  expect(run.stderr).toContain(mistake);
  expect(run.stderr).toContain(nextStep);
  expect(run.stderr).not.toMatch(/^ {4}at /m);
});

it('says which sheets a jam holds back, in the time it is given, and writes none', async () => {
  const { env } = workbench;
  await platen(['fault', 'printer/Laser', 'media-jam', '--after', '1'], { env });
  const run = await print('three-pages.pdf', ['-p', 'Laser', '--timeout', '11s', '--out', folder]);
  const { stdout: jobs } = await platen(['jobs'], { env });
  await platen(['fault', '--clear'], { env });
  expect(jobs).toMatch(/\n\d+ +done, 1 of 3 sheets out: Laser has media-jam +Laser /);
  expect(run).toMatchObject({ code: 2, stderr: '' });
  expect(run.stdout).toMatch(/^job \d+ → Laser \(FRONT-DESK\): done, 1 of 3 sheets out: Laser has media-jam\n/);
  expect(readdirSync(folder)).toEqual([]);
}, 30_000);

it('ends with 2 when the job is done and a jam holds its sheets, without a wait for them', async () => {
  const { env } = workbench;
  await platen(['fault', 'printer/Laser', 'media-jam', '--after', '1'], { env });
  const run = await print('three-pages.pdf', ['-p', 'Laser', '--wait']);
  await platen(['fault', '--clear'], { env });
  expect(run).toMatchObject({ code: 2, stderr: '' });
  expect(run.stdout).toContain('done, 1 of 3 sheets out: Laser has media-jam\n  Repair the printer');
  expect(run.stdout).not.toContain('--timeout');
});

it('writes nothing where it cannot, and says so', async () => {
  const file = path.join(folder, 'a file');
  writeFileSync(file, '');
  const run = await print('invoice.pdf', ['--out', path.join(file, 'sheets')]);
  expect(run.code).toBe(64);
  expect(run.stderr).toContain('cannot be written to: a part of its path is not a folder');
  expect(existsSync(path.join(file, 'sheets'))).toBe(false);
});

it.each([
  [
    'answers HTML',
    'is not a printing service',
    (server: Server) => server.on('request', (_, response) => response.end('<html>')),
  ],
  [
    'answers {}',
    'is not a list of printers',
    (server: Server) => server.on('request', (_, response) => response.end('{}')),
  ],
  [
    'redirects',
    'redirects to https://elsewhere.example/',
    (server: Server) =>
      server.on('request', (_, response) => response.writeHead(302, { location: 'https://elsewhere.example/' }).end()),
  ],
  [
    'closes the connection',
    'nothing answers',
    (server: Server) => server.on('request', (request) => request.socket.destroy()),
  ],
  [
    'does not speak HTTP',
    'nothing answers',
    (server: Server) => server.on('connection', (socket) => socket.end('220 mail\r\n')),
  ],
])('ends with 75 when the service %s', async (_, mistake, misbehave) => {
  const server = createServer();
  misbehave(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${portOf(server)}`;
  const run = await print('invoice.pdf', ['--url', url]);
  server.close();
  expect(run.code).toBe(75);
  expect(run.stderr).toContain(mistake);
});

const statesById: Meddle = ({ asked, status, body }) => {
  if (status !== 200 || !asked.path.endsWith('/states')) return undefined;
  const lists = JSON.parse(body) as readonly (readonly { readonly printJobId: number }[])[];
  const byId = lists.map((states) => [states[0]?.printJobId, states.toReversed()]);
  return { body: JSON.stringify(Object.fromEntries(byId)) };
};

it('sees the end of a job whose states a service lists by the id of the job, the newest first', async () => {
  const proxy = await startMeddlingProxy(workbench.url, { meddle: statesById });
  const run = await print('invoice.pdf', ['--url', proxy.url, '--wait', '--timeout', '10s']);
  await proxy.close();
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/: done\n$/) });
});

function print(document: string, flags: readonly string[]): Promise<Finished> {
  return platen(['print', path.join(DOCUMENTS, document), ...flags], { env: workbench.env });
}

async function pageTexts(file: string): Promise<string[]> {
  const pdf = readFileSync(file);
  const { length } = (await PDFDocument.load(pdf)).getPages();
  return Promise.all(Array.from({ length }, (_, index) => textOf(pdf, index + 1)));
}
