/**
 * Services after an afternoon's work, in first-afternoon/: without a link and half of the API, and wrong in some places as
 * people get them wrong. Each mistake is said once, nothing waits for what is not there, and init sees what that is.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';
import { parse } from 'yaml';

import { buildRunRecord } from '../../src/conformance/record/build-record.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { startedTarget } from '../../src/targets/started.ts';
import { platen } from '../support/command-line.ts';

const HERE = fileURLToPath(new URL('first-afternoon', import.meta.url));
const SERVICES = [
  {
    language: 'PHP',
    command: `php -S 127.0.0.1:$PORT ${HERE}/index.php`,
    usePrinter: 'Laser',
    mistakes: ['errors/object-three-keys', 'print-jobs/created-201', 'service/records-returned-offset'],
  },
  {
    language: 'Node',
    command: `node ${HERE}/server.cjs`,
    usePrinter: 'Label printer',
    mistakes: [
      'authentication/x-account',
      'printers/list',
      'errors/invalid-credentials',
      'print-jobs/created-id-integer',
    ],
  },
] as const;

const LOOKED_AT = '^(misc/noop|misc/noop-refusals|authentication/account|computers/lists|print-jobs/created)$';

it.each(SERVICES)(
  'a service in $language: what it does otherwise is met, and the rest is judged',
  { tags: ['php'], timeout: 120_000 },
  async ({ command, usePrinter, mistakes }) => {
    const started = await startedTarget({ start: { command }, cwd: HERE, apiKey: 'test-key', clock: 'real' });
    const result = await runConformance({ target: { ...started, usePrinter }, seed: 1, grep: LOOKED_AT });
    await started.close();
    const { deviations = [], checks } = buildRunRecord(result);
    expect(deviations.flatMap(({ clauses }) => clauses)).toEqual(expect.arrayContaining([...mistakes]));
    expect(checks.filter(({ verdict }) => ['inconclusive', 'blocked', 'harness-error'].includes(verdict))).toEqual([]);
  },
);

it.each(SERVICES)(
  'a service in $language: init writes down what it lacks',
  { tags: ['php'], timeout: 60_000 },
  async ({ command }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'platen-afternoon-'));
    const { code } = await platen(['init', '--start', command], { cwd: folder });
    const { capabilities } = parse(readFileSync(path.join(folder, 'target.yaml'), 'utf8')) as { capabilities: object };
    rmSync(folder, { recursive: true });
    expect(code).toBe(0);
    expect(Object.keys(capabilities)).toEqual(
      expect.arrayContaining(['scales', 'webhooks', 'client-downloads', 'child-accounts', 'tags', 'api-keys']),
    );
  },
);
