import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { buildRunRecord } from '../../../src/conformance/record/build-record.ts';
import { runConformance, type ConformanceResult } from '../../../src/conformance/run/run-conformance.ts';
import { describedTarget } from '../../../src/targets/described.ts';
import type { Target } from '../../../src/targets/target.ts';
import { start, type StartedPlaten } from '../../../src/workbench/start.ts';

let folder: string;
let workbench: StartedPlaten;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-target-'));
  workbench = await start({ port: 0, room: 'none' });
});

afterEach(async () => {
  await workbench.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, lines: readonly string[]): string {
  const file = path.join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

function targetWith(...more: readonly string[]): Promise<Target> {
  const lines = [`url: ${workbench.url}`, 'keys:', '  main: ${KEY}', '  second: ${SECOND}', ...more];
  const environment = { KEY: workbench.apiKey, SECOND: workbench.secondApiKey };
  return describedTarget({ file: write('target.yaml', lines), environment });
}

function check(target: Target, grep: string): Promise<ConformanceResult> {
  return runConformance({ target, seed: 1, grep });
}

it('brings all that the file says: keys, link, rate', async () => {
  const target = await targetWith('link: websocket', 'rate: {requestsPerSecond: 5}');
  expect(target).toMatchObject({
    secondApiKey: workbench.secondApiKey,
    requestsPerSecond: 5,
    isIntegrator: true,
  });
  expect((await check(target, '^computers/reconnect$')).exitCode).toBe(0);
});

it('calls what is declared to be missing not applicable, and the run a good one', async () => {
  const target = await targetWith('capabilities: {computer: false, scale: false}');
  const result = await check(target, '^(computers/reconnect|misc/ping)$');
  expect(result.outcomes.map(({ verdict }) => verdict)).toEqual(['pass', 'not-applicable']);
  expect(result.exitCode).toBe(0);
});

it('reports what is declared and not so, in both directions, and the run is not green', async () => {
  const target = await targetWith('capabilities: {computer: true, integrator: false}');
  const result = await check(target, '^misc/ping$');
  expect(buildRunRecord(result).target.contradictions).toEqual([
    'computer is declared, and the target was found to lack it',
    'integrator is declared to be missing, and the target was found to have it',
  ]);
  expect(result.exitCode).toBe(2);
});

it('calls hooks: a command, a module, an address', async () => {
  const said = path.join(folder, 'said.txt');
  await targetWith(`hooks: {reset: {command: "echo reset > said.txt"}}`);
  expect(readFileSync(said, 'utf8')).toBe('reset\n');
  write('hook.mjs', [
    `import { appendFileSync } from 'node:fs';`,
    `export const hook = ({ ms }) => appendFileSync(${JSON.stringify(said)}, 'by ' + ms);`,
  ]);
  const target = await targetWith('hooks: {advanceClock: {module: ./hook.mjs}}');
  const before = target.timekeeper.now();
  await target.timekeeper.elapse('14d');
  expect(readFileSync(said, 'utf8')).toBe('reset\nby 1by 1209600000');
  expect(target.timekeeper.now() - before).toBeGreaterThanOrEqual(1_209_600_000);
  await (await targetWith('hooks: {restart: {command: "echo restarted > said.txt"}}')).restart?.();
  expect(readFileSync(said, 'utf8')).toBe('restarted\n');
  await targetWith('hooks: {reset: {http: {url: "{url}/ping", method: GET}}}');
  const failing = targetWith(`hooks: {reset: {http: {url: "${workbench.url}/nowhere", method: GET}}}`);
  await expect(failing).rejects.toThrow(/the hook reset failed: GET .*\/nowhere answered 4/);
});

it('refuses a hook for the clock that does not work, before anything is checked', async () => {
  const target = targetWith('hooks: {advanceClock: {http: {url: "{url}/nowhere"}}}');
  await expect(target).rejects.toThrow(/the hook advanceClock failed: POST .*\/nowhere answered 4/);
});

it('says so when the command line has a port for an image that the file does not name', async () => {
  const file = write('target.yaml', [`url: ${workbench.url}`, 'keys: {main: a}']);
  const target = describedTarget({ file, environment: {}, image: { port: 80 } });
  await expect(target).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('no image') });
});

it('loads a link from a module, and says what is wrong with one that has none', async () => {
  write('link.mjs', [`export const link = { open: () => Promise.reject(new Error('not here')) };`]);
  expect((await targetWith('link: {module: ./link.mjs}')).link).toBeDefined();
  write('no-link.mjs', ['export const other = 1;']);
  await expect(targetWith('link: {module: ./no-link.mjs}')).rejects.toThrow("exports no 'link'");
});

it('changes nothing on a target that must stay as it is', async () => {
  const target = { ...(await targetWith('link: websocket')), isReadOnly: true };
  const result = await check(target, '^(misc/ping|computers/reconnect|errors/valid-content)$');
  const verdicts = result.outcomes.map(({ check: { id }, verdict }) => `${id} ${verdict}`);
  expect(verdicts).toEqual(['misc/ping pass', 'errors/valid-content untestable', 'computers/reconnect untestable']);
  expect(
    result.outcomes.flatMap(({ exchanges }) => exchanges).every(({ exchange }) => exchange.request.method === 'GET'),
  ).toBe(true);
});

it('tries Child Accounts with the key of an Integrator, where the main key is that of another account', async () => {
  const lines = [`url: ${workbench.url}`, 'keys:', '  main: ${SECOND}', '  integrator: ${KEY}'];
  const environment = { KEY: workbench.apiKey, SECOND: workbench.secondApiKey };
  const target = await describedTarget({ file: write('target.yaml', lines), environment });
  const { outcomes } = await check(target, '^(account-states/suspended|tags/life)$');
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  const keys = outcomes.map(({ exchanges }) => exchanges[0]?.exchange.request.headers[0]?.[1]);
  const credentials = [workbench.secondApiKey, workbench.apiKey].map((key) => btoa(`${key}:`));
  expect(keys).toEqual(credentials.map((encoded) => `Basic ${encoded}`));
});

it('names this machine to the service as the file says', async () => {
  const target = await targetWith('link: websocket', 'callback: {host: localhost}');
  const result = await check(target, '^events/object$');
  const sent = result.exchanges.map(({ request }) => String(request.body ?? ''));
  expect(sent.some((body) => body.includes('http://localhost:'))).toBe(true);
  expect(sent.filter((body) => body.includes('127.0.0.1'))).toEqual([]);
}, 60_000);

it('refuses a printer under `use` that is not there, and names those that are', async () => {
  await expect(targetWith('use: { printer: Laser }')).rejects.toThrow("the account has no printer 'Laser'");
  await workbench.addComputer({ name: 'DESK', printers: [{ profile: 'laser-a4', name: 'Laser' }] });
  expect((await targetWith('use: { printer: Laser }')).usePrinter).toBe('Laser');
  await expect(targetWith('use: { printer: Lasr }')).rejects.toMatchObject({ nextStep: "It has 'Laser'." });
});

it('looks at the members of an account that is not an Integrator, with a tag as the service wants it', async () => {
  const target = { ...(await targetWith('link: websocket')), isIntegrator: false };
  const { outcomes } = await check(target, '^gaps/(versions-shape|connected-shape|tags-shape|tag-response)$');
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(['observed', 'observed', 'observed', 'observed']);
});
