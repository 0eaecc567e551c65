/**
 * A service over TLS: with a certificate that was made or given, which clients trust and nothing else.
 */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { selfSignedCertificate } from '../../src/common/self-signed.ts';
import { platen, startWorkbench, type RunningWorkbench } from '../support/command-line.ts';

let folder: string;
let workbench: RunningWorkbench;
let caFile: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-tls-test-'));
  workbench = await startWorkbench(['--tls']);
  ({ caFile } = workbench);
});

afterAll(async () => {
  await workbench.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('serves the API, the page and the control API over https, and names the file to trust', async () => {
  expect(workbench.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const reached = await platen(['exec', '--', 'node', '--input-type=module', '--eval', REACH], { env: trusting() });
  expect(reached.stderr).toBe('');
  expect(JSON.parse(reached.stdout)).toEqual({ ping: 200, page: 302, health: 200, origin: 200, otherOrigin: 403 });
});

const REACH = `
  const base = process.env.SERVICE;
  const status = async (path, headers = {}) => (await fetch(base + path, { headers, redirect: 'manual' })).status;
  console.log(JSON.stringify({
    ping: await status('/ping'),
    page: await status('/', { accept: 'text/html' }),
    health: await status('/_platen/health'),
    origin: await status('/_platen/info', { origin: base }),
    otherOrigin: await status('/_platen/info', { origin: base.replace('https', 'http') }),
  }));
`;

function trusting(): Record<string, string> {
  return { SERVICE: workbench.url, NODE_EXTRA_CA_CERTS: caFile };
}

it.each([
  ['ready', []],
  ['jobs', []],
  ['print', ['fixtures/documents/invoice.pdf', '--printer', 'Laser', '--wait']],
])('is reached by platen %s with --ca, which refuses it without', async (command, argv) => {
  const whole = [command, ...argv, '--url', workbench.url];
  const trusted = await platen([...whole, '--ca', caFile]);
  expect([trusted.stderr, trusted.code]).toEqual(['', 0]);
  const refused = await platen(whole);
  expect(refused.code).toBe(75);
  expect(refused.stderr).toContain('has a certificate that is not trusted: self-signed certificate');
  expect(refused.stderr).toContain('--ca');
});

it('is checked over https and wss, with computers on its link and a client of its scale feed', async () => {
  const grep = '^(misc/ping|printing/documents|scales/websocket)';
  const argv = ['check', workbench.url, '--link', 'websocket', '--grep', grep, '--key', workbench.apiKey];
  const out = ['--out', path.join(folder, 'report')];
  const { stdout, code } = await platen([...argv, ...out], { env: { PLATEN_CA: caFile } });
  expect(stdout).toContain('PASSED');
  expect(code).toBe(0);
  const refused = await platen([...argv, ...out]);
  expect([refused.code, refused.stderr]).toEqual([75, expect.stringContaining('--ca FILE')]);
});

it('takes a certificate and a key of the caller', async () => {
  const [certFile, keyFile] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const { cert, key } = await selfSignedCertificate(['127.0.0.1']);
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const own = await startWorkbench(['--tls-cert', certFile, '--tls-key', keyFile]);
  expect((await platen(['ready', '--url', own.url, '--ca', certFile])).code).toBe(0);
  expect((await platen(['ready', '--url', own.url, '--ca', caFile])).code).toBe(75);
  await own.stop();
  expect(existsSync(certFile)).toBe(true);
});

it('removes the file of a certificate that it made', async () => {
  const own = await startWorkbench(['--tls']);
  expect(existsSync(own.caFile)).toBe(true);
  await own.stop();
  expect(existsSync(own.caFile)).toBe(false);
});

it.each([
  ['other.pem', 'other-key.pem', 'is not for 127.0.0.1, but for DNS:print.example'],
  ['cert.pem', 'other-key.pem', 'the certificate and its key cannot be used'],
  ['text.pem', 'other-key.pem', 'it has no certificate in PEM'],
  ['missing.pem', 'other-key.pem', 'there is no such file'],
  ['cert.pem', '', '--tls-cert and --tls-key go together'],
])('refuses --tls-cert %s with --tls-key "%s": %s', async (cert, key, reason) => {
  const other = await selfSignedCertificate(['print.example']);
  const files = { 'other.pem': other.cert, 'other-key.pem': other.key, 'text.pem': 'no certificate' };
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  const withKey = key === '' ? [] : ['--tls-key', path.join(folder, key)];
  const refused = await platen(['start', '--port', '0', '--tls-cert', path.join(folder, cert), ...withKey]);
  expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining(reason)]);
});

it('is found by a command of platen exec, which trusts it', async () => {
  const script = "console.log((await fetch(process.env.PLATEN_URL + '/ping')).url)";
  const { stdout, stderr } = await platen(['exec', '--tls', '--', 'node', '--input-type=module', '--eval', script]);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^https:/);
});

it('says to write https where http is written', async () => {
  const { code, stderr } = await platen(['jobs', '--url', workbench.url.replace('https', 'http')]);
  expect({ code, stderr }).toEqual({ code: 75, stderr: expect.stringContaining(`write ${workbench.url}.`) });
});
