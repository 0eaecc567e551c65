/**
 * What docs/openapi.json is worth, from four sides: every exchange of a whole check validates against it, a mock server
 * serves it, a client that another language makes of it talks to the reference service, and a linter finds nothing.
 * Writes reports/baseline/openapi.md.
 *
 * Prism comes by npx. The client is Perl's OpenAPI::Client (Debian: libopenapi-client-perl).
 *
 * Usage: node test/conformance/run-openapi.ts
 */

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { portOf } from '../../src/common/port-of.ts';
import { start } from '../../src/index.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { PROJECT, run } from '../support/command-line.ts';
import { OPENAPI_FILE, readApiDocument } from '../support/openapi-validator.ts';
import { observeCheck } from './observed-check.ts';
import { soon } from '../support/soon.ts';

const PRISM = '@stoplight/prism-cli@5.16.0';

interface Proof {
  readonly name: string;
  readonly figures: string;
  /** What does not hold. */
  readonly problems: readonly string[];
}

/** A call and the status that it must get. */
interface Expected {
  readonly call: string;
  readonly status: number;
  readonly body?: unknown;
}

const ABOUT = `Requests that a check sends as bad on purpose are distinguished by what the service answered: of a 2xx the request and
the answer must be as the document says, of anything else the answer. What the reference service takes beyond the
document (an empty \`limit\` or \`dir\`, a null for a field that may be left out) is listed in
\`test/conformance/observed-check.ts\`.`;

const JOB = { printerId: 2, contentType: 'raw_base64', content: 'XlhBXlha' };

async function wholeCheck(): Promise<Proof> {
  const { result, validated, undescribed, succeeded, problems } = await observeCheck();
  const operations = Object.values(readApiDocument().paths).flatMap((methods) => Object.keys(methods)).length;
  return {
    name: 'a whole check of the reference service',
    figures: `${validated} exchanges validated; ${succeeded.size} of ${operations} operations seen to succeed; ${undescribed} requests for what is not described`,
    problems: [...problems, ...(result.exitCode === 0 ? [] : [`the check ended with ${result.exitCode}`])],
  };
}

const MOCKED: readonly Expected[] = [
  { call: 'GET /ping', status: 200 },
  { call: 'GET /whoami', status: 200 },
  { call: 'GET /computers?limit=2', status: 200 },
  { call: 'GET /printers/1,2', status: 200 },
  { call: 'GET /printers/x', status: 422 },
  { call: 'GET /printjobs/states', status: 200 },
  { call: 'GET /account/state', status: 200 },
  { call: 'GET /download/clients/osx', status: 200 },
  { call: 'DELETE /printjobs/1', status: 200 },
  { call: 'POST /printjobs', status: 201, body: JOB },
  { call: 'POST /printjobs', status: 400, body: { ...JOB, contentType: 'pdf' } },
  { call: 'POST /webhook', status: 200, body: { url: 'https://a.example', secret: 's', messages: ['*'] } },
  { call: 'POST /webhook', status: 400, body: { url: 'https://a.example' } },
];

async function mockServer(): Promise<Proof> {
  const port = await freePort();
  const argv = ['--yes', PRISM, 'mock', '--port', String(port), OPENAPI_FILE];
  // A group of its own: npx starts a shell, which starts Prism.
  const prism = spawn('npx', argv, { stdio: 'ignore', detached: true });
  try {
    await soon('Prism', '120s', () => fetch(`http://127.0.0.1:${port}/ping`).then(Boolean, () => undefined));
    const problems = await Promise.all(MOCKED.map((expected) => mockProblem(port, expected)));
    const figures = `${MOCKED.length} calls of ${PRISM} answered as documented`;
    return { name: 'a mock server', figures, problems: problems.flat() };
  } finally {
    if (prism.pid !== undefined) process.kill(-prism.pid);
  }
}

async function mockProblem(port: number, { call, status, body }: Expected): Promise<string[]> {
  const [method = '', target = ''] = call.split(' ');
  const headers = { authorization: `Basic ${btoa('key:')}`, 'content-type': 'application/json' };
  const sent = body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(`http://127.0.0.1:${port}${target}`, { method, headers, body: sent });
  return answer.status === status ? [] : [`${call}: ${answer.status} where ${status} is documented`];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** Status 400 of what the client itself refuses to send. */
const GENERATED: readonly (readonly [operation: string, given: object, status: number])[] = [
  ['getPing', {}, 200],
  ['getWhoami', {}, 200],
  ['getComputers', { limit: 1, dir: 'asc' }, 200],
  ['getPrintersPrinterSet', { printer_set: '1,2' }, 200],
  ['getPrintersPrinterSet', { printer_set: 'x' }, 400],
  ['postPrintjobs', { body: JOB, 'X-Idempotency-Key': 'one' }, 201],
  ['postPrintjobs', { body: JOB, 'X-Idempotency-Key': 'one' }, 409],
  ['postPrintjobs', { body: { ...JOB, contentType: 'pdf' } }, 400],
  ['getPrintjobs', { limit: 1 }, 200],
  ['getPrintjobsStates', {}, 200],
  ['postAccountTagName', { name: 'plan', body: 'gold' }, 201],
  ['getAccountTagName', { name: 'plan' }, 200],
  ['putScale', {}, 200],
  ['getComputerComputerIdScales', { computer_id: 0 }, 200],
  ['postWebhook', { body: { url: 'https://a.example/', secret: 's', messages: ['*'] } }, 200],
  ['getDownloadClientsOsOrDownloadIdSet', { os_or_download_id_set: 'osx' }, 200],
  ['deletePrintjobs', {}, 200],
];

/** The schema of OpenAPI itself, which Perl would look for on the network; the linter judges by it. */
const META_SCHEMA = 'https://spec.openapis.org/oas/3.1/schema/2021-05-20';

async function generatedClient(): Promise<Proof> {
  const cache = mkdtempSync(path.join(tmpdir(), 'platen-openapi-'));
  const any = JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#' });
  writeFileSync(path.join(cache, createHash('md5').update(META_SCHEMA).digest('hex')), any);
  await using platen = await start({ port: 0, limits: 'off' });
  const script = path.join(PROJECT, 'test/conformance/openapi-client.pl');
  const calls = GENERATED.map(([operation, given]) => ({ operation, arguments: given }));
  const { stdout, stderr } = await run('perl', [script, OPENAPI_FILE, platen.url, platen.apiKey], {
    input: JSON.stringify(calls),
    env: { JSON_VALIDATOR_CACHE_PATH: cache },
  });
  rmSync(cache, { recursive: true, force: true });
  const lines = stdout.split('\n').filter((line) => line !== '');
  const answers = lines.map((line) => JSON.parse(line) as { readonly status: number; readonly body: unknown });
  const problems = GENERATED.flatMap(([operation, given, status], index) => {
    const answer = answers[index];
    if (answer?.status === status) return [];
    return [`${operation} ${JSON.stringify(given)}: ${JSON.stringify(answer)} where ${status} is documented ${stderr}`];
  });
  const name = 'a client that another language makes of it';
  return { name, figures: `${GENERATED.length} calls of OpenAPI::Client (Perl) answered as documented`, problems };
}

function linter(): Proof {
  const program = path.join(PROJECT, 'node_modules/.bin/redocly');
  const text = execFileSync(program, ['lint', '--format=json', OPENAPI_FILE], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { version, problems } = JSON.parse(text) as { version: string; problems: readonly { message: string }[] };
  const figures = `Redocly ${version}, its recommended rules: ${problems.length} problems`;
  return { name: 'a linter', figures, problems: problems.map(({ message }) => message) };
}

const proofs = [await wholeCheck(), await mockServer(), await generatedClient(), linter()];
const problems = proofs.flatMap((proof) => proof.problems.map((problem) => `${proof.name}: ${problem}`));
for (const { name, figures } of proofs) process.stdout.write(`${name}: ${figures}\n`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length === 0) {
  writeBaselinePage('openapi.md', {
    title: 'The OpenAPI document of the printing API',
    command: 'npm run prove openapi',
    about: ABOUT,
    columns: ['docs/openapi.json, seen from', 'figures'],
    rows: proofs.map(({ name, figures }) => [name, figures]),
  });
}
process.exitCode = problems.length === 0 ? 0 : 1;
