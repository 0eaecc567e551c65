/**
 * The script of a failure, run by a shell: it ends with 1 on the service that broke a clause, with 0 on the
 * reference service, which keeps it, and with 2 where it could not get as far.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { createRandom } from '../../src/common/random.ts';
import { plainPrinter } from '../../src/conformance/context/computers.ts';
import { connectScriptedComputer } from '../../src/conformance/context/scripted-computer.ts';
import { buildRunRecord } from '../../src/conformance/record/build-record.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { renderEvidence } from '../../src/report/check/evidence.ts';
import type { CheckRunRecord } from '../../src/record/check-record.ts';
import { writeReports } from '../../src/report/write-reports.ts';
import type { Target } from '../../src/targets/target.ts';
import { PROJECT, run } from '../support/command-line.ts';
import { embeddedTarget } from '../../src/targets/embedded.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';
import { ALL_MUTANTS } from './catalogue.ts';
import type { Mutant } from './mutant.ts';
import { startMeddlingProxy } from './meddling-proxy.ts';
import { startMutant } from './try-mutant.ts';

/** Judged by a status, a code or a header; after jobs, webhooks, Child Accounts and client keys were made. */
const CLAUSES = [
  'authentication/basic-key',
  'service/response-time',
  'service/json-assumed',
  'print-jobs/body-content-type',
  'print-jobs/content-missing-refused',
  'webhooks/update',
  'accounts/create-password-missing-refused',
  'accounts/update-password',
  'client-downloads/client-key',
] as const;

it.each(CLAUSES)('ends the script of a broken %s with 1, and with 0 once it is kept', async (clause) => {
  await using broken = await startMutant(mutantOf(clause));
  const sound = await startEmbeddedTarget();
  const result = await runConformance({ target: broken, seed: 1, grep: `^${clause}$` });
  const scripts = scriptsOf(buildRunRecord(result)).filter((script) => !script.includes('platen replay does'));
  expect(scripts).not.toEqual([]);
  for (const script of scripts) {
    expect(await runScript(script, broken)).toMatchObject({ code: 1, stdout: expect.stringContaining('BROKEN') });
    expect(await runScript(script, sound)).toMatchObject({ code: 0, stdout: expect.not.stringContaining('BROKEN') });
  }
  await sound.close();
});

it('ends with 2 where what comes before the failure is refused', async () => {
  await using broken = await startMutant(mutantOf('webhooks/update'));
  const sound = await startEmbeddedTarget();
  const result = await runConformance({ target: broken, seed: 1, grep: '^webhooks/update$' });
  const scripts = scriptsOf(buildRunRecord(result)).filter((script) => !script.includes('platen replay does'));
  expect(scripts).not.toEqual([]);
  for (const script of scripts) {
    const { code, stdout } = await runScript(script, { ...sound, apiKey: 'revoked' }, sound.apiKey);
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining('could not set up') });
    expect(stdout).not.toContain('BROKEN');
  }
  await sound.close();
});

it('leaves a check with two computers to platen replay', async () => {
  await using broken = await startMutant(mutantOf('print-jobs/idempotency-conflict'));
  const result = await runConformance({ target: broken, seed: 1, grep: '^print-jobs/idempotency-conflict$' });
  const script = scriptsOf(buildRunRecord(result)).find((text) => text.includes('# idempotency/conflict: '));
  expect(script).toContain('more than once: platen replay does');
});

it('leaves to platen replay what curl cannot do, with the same ends', async () => {
  const clause = 'print-jobs/created-id-integer';
  await using broken = await startMutant(mutantOf(clause));
  const result = await runConformance({ target: broken, seed: 1, grep: `^${clause}$` });
  const { target, ...record } = buildRunRecord(result);
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-repro-'));
  // Processes of their own play it again, in real time.
  const sound = await embeddedTarget({ clock: 'real' });
  const brokenAgain = await startMeddlingProxy(sound.baseUrl, mutantOf(clause));
  const codes: (number | null)[] = [];
  const bin = path.join(PROJECT, 'bin/platen.js');
  // The platen that wrote the script, and another one by its command.
  for (const [baseUrl, env] of [
    [brokenAgain.url, {}],
    [sound.baseUrl, { PLATEN: `node ${bin}` }],
  ] as const) {
    const place = { ...target, kind: 'remote', baseUrl, link: 'websocket' };
    await writeReports({ ...record, target: place }, folder, ['json']);
    const file = path.join(folder, 'failures/print-jobs-created/repro.sh');
    codes.push((await run('sh', [file], { env: { ...env, PLATEN_API_KEY: sound.apiKey, TMPDIR: folder } })).code);
  }
  await brokenAgain.close();
  await sound.close();
  rmSync(folder, { recursive: true });
  expect(codes).toEqual([1, 0]);
}, 60_000);

function mutantOf(clause: string): Mutant {
  const mutant = ALL_MUTANTS.find((one) => one.clause === clause);
  if (!mutant) throw new Error(`no mutant of ${clause}`);
  return mutant;
}

function scriptsOf(record: CheckRunRecord): readonly string[] {
  return Object.entries(renderEvidence(record)).flatMap(([name, text]) => (name.endsWith('repro.sh') ? [text] : []));
}

/** @param keyOfComputer - of the account in which there is a computer */
async function runScript(
  script: string,
  target: Target,
  keyOfComputer: string = target.apiKey,
): ReturnType<typeof run> {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-repro-'));
  const file = path.join(folder, 'repro.sh');
  writeFileSync(file, script);
  if (!target.link) throw new Error('no link');
  const computer = await connectScriptedComputer({
    link: target.link,
    serviceUrl: target.baseUrl,
    credential: { kind: 'api-key', key: keyOfComputer },
    timekeeper: target.timekeeper,
    random: createRandom('repro'),
    plan: { name: 'Desk', printers: [plainPrinter()] },
  });
  const env = { PLATEN_URL: target.baseUrl, PLATEN_API_KEY: target.apiKey };
  const finished = await run('sh', [file], { env });
  await computer.disconnect();
  rmSync(folder, { recursive: true });
  return finished;
}
