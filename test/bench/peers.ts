/**
 * A list of 100 printers, served by the reference service and by the mock servers people use instead.
 *
 * Usage: node test/bench/peers.ts [--rounds 3] [--seconds 2]
 * The peers are installed into a folder of their own under the system's temporary folder; it stays there
 * for the next time. Exits 1 when a peer is faster.
 */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { request } from 'undici';

import { machineLine, measurePair, pinClient, startPeer, startServer, type ServerProcess } from './paired.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '2' } },
});

const headers = { authorization: `Basic ${Buffer.from('first-key:').toString('base64')}` };
const folder = join(tmpdir(), 'platen-bench-peers');

interface Peer {
  readonly name: string;
  readonly version: string;
  readonly start: (list: string) => Promise<ServerProcess>;
}

const bin = (name: string): string => join(folder, 'node_modules', '.bin', name);
const file = async (name: string, content: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};

const PEERS: readonly Peer[] = [
  {
    name: 'json-server',
    version: '0.17.4',
    async start(list) {
      const db = await file('db.json', `{"printers":${list}}`);
      const command = [process.execPath, bin('json-server'), '--quiet', '--port', '18641', db];
      return startPeer(command, 'http://localhost:18641', '/printers?_limit=100');
    },
  },
  {
    name: '@stoplight/prism-cli',
    version: '5.14.2',
    async start(list) {
      const spec = await file('openapi.json', JSON.stringify(openApi(list)));
      const command = [process.execPath, bin('prism'), 'mock', '--port', '18642', '--verboseLevel', 'silent', spec];
      return startPeer(command, 'http://127.0.0.1:18642', '/printers');
    },
  },
  {
    name: '@mockoon/cli',
    version: '9.9.0',
    async start(list) {
      const environment = await file('mockoon.json', JSON.stringify(mockoon(list)));
      const command = [process.execPath, bin('mockoon-cli'), 'start', '--port', '18643', '--data', environment];
      return startPeer(command, 'http://127.0.0.1:18643', '/printers');
    },
  },
];

function openApi(list: string): object {
  const content = {
    'application/json': { schema: { type: 'array', items: {} }, example: JSON.parse(list) as unknown },
  };
  return {
    openapi: '3.0.0',
    info: { title: 'printers', version: '1' },
    paths: { '/printers': { get: { responses: { 200: { description: 'ok', content } } } } },
  };
}

function mockoon(list: string): object {
  const response = {
    uuid: 'response',
    body: list,
    bodyType: 'INLINE',
    statusCode: 200,
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    default: true,
    rules: [],
  };
  return {
    uuid: 'environment',
    lastMigration: 32,
    name: 'printers',
    port: 18643,
    hostname: '127.0.0.1',
    endpointPrefix: '',
    folders: [],
    rootChildren: [{ type: 'route', uuid: 'route' }],
    routes: [{ uuid: 'route', type: 'http', method: 'get', endpoint: 'printers', responses: [response] }],
  };
}

async function install(): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (PEERS.every(({ name }) => existsSync(join(folder, 'node_modules', name)))) return;
  const packages = PEERS.map(({ name, version }) => `${name}@${version}`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages], {
    stdio: 'inherit',
  });
}

await install();
pinClient();
await using service = await startServer('reference');
const response = await request(`${service.url}/printers`, { headers });
const list = await response.body.text();
process.stdout.write(
  `${machineLine()}; ${list.length} bytes\n| peer | service /s | peer /s | ratio | bar |\n|---|---|---|---|---|\n`,
);
let slower = 0;
for (const { name, version, start } of PEERS) {
  await using peer = await start(list);
  const path = name === 'json-server' ? '/printers?_limit=100' : '/printers';
  const {
    subject,
    peer: other,
    ratio,
  } = await measurePair(
    { server: service, probe: { path: '/printers', headers } },
    { server: peer, probe: { path } },
    Number(values.rounds),
    Number(values.seconds),
  );
  if (ratio <= 1) slower++;
  const figures = [Math.round(subject.requestsPerSecond), Math.round(other.requestsPerSecond), ratio.toFixed(1), '> 1'];
  process.stdout.write(`| ${name} ${version} | ${figures.join(' | ')} |\n`);
}
process.exitCode = slower > 0 ? 1 : 0;
