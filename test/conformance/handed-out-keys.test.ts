/**
 * Keys that the service itself hands out during a run stand in no report of it.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

import { expect, it } from 'vitest';

import { buildRunRecord } from '../../src/conformance/record/build-record.ts';
import { renderExchangeLog } from '../../src/conformance/record/exchange-log.ts';
import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { writeBeside, writeReports } from '../../src/report/write-reports.ts';
import { startMeddlingProxy } from '../mutants/meddling-proxy.ts';
import { startEmbeddedTarget } from '../support/embedded-target.ts';

const KEY = /ck-[A-Za-z0-9]{44}|\b[0-9a-f]{40}\b/g;

function textsIn(folder: string): readonly string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) =>
      file.endsWith('.gz') ? gunzipSync(readFileSync(file)).toString('utf8') : readFileSync(file, 'utf8'),
    );
}

it('leaves no key of a Child Account, no API key and no client key in any file, in no form', async () => {
  const handedOut = new Set<string>();
  const target = await startEmbeddedTarget();
  // The service knows no key, so that the checks of keys fail and keep what they saw.
  const proxy = await startMeddlingProxy(target.baseUrl, {
    meddle: ({ path: asked, body, method }) => {
      if (/^\/+(account|client\/key)/.test(asked)) for (const [key] of body.matchAll(KEY)) handedOut.add(key);
      return method === 'DELETE' && asked.startsWith('/account/apikey') ? { status: 500 } : undefined;
    },
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-keys-'));
  try {
    const result = await runConformance({
      target: { ...target, baseUrl: proxy.url },
      seed: 1,
      grep: '^(api-keys|child-accounts|account-limits|client-keys|acting-as-child)/',
    });
    const record = buildRunRecord(result);
    await writeReports(record, folder);
    await writeBeside(record, renderExchangeLog(result), folder);
    expect(result.outcomes.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(0);
    expect(handedOut.size).toBeGreaterThan(20);
    const files = textsIn(folder);
    expect(files.length).toBeGreaterThan(5);
    const forms = [...handedOut].flatMap((key) => [
      key,
      Buffer.from(key).toString('base64').replace(/=+$/, ''),
      Buffer.from(`${key}:`).toString('base64').replace(/=+$/, ''),
    ]);
    expect(forms.filter((form) => files.some((text) => text.includes(form)))).toEqual([]);
    // That they were there to be hidden.
    expect(files.some((text) => text.includes('PLATEN_KEY_OF_CHECK'))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await proxy.close();
    await target.close();
  }
}, 60_000);
