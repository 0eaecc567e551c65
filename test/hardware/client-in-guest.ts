/**
 * Checks of scales with `platen client` at the computer's end, where a kernel can attach scales: in the guest.
 *
 *   guest  platen check ─► virtual scale ─► USB/IP ─► vhci_hcd ─► /dev/hidraw0 ─► platen client ─┐
 *          (the files of this machine, its Node and its CUPS)                                   │
 *   here   reference service ◄──────────────────────────────────────────────────────────────────┘
 *
 * The same checks run over the link, from here, for the verdicts to compare with. An emulated machine reads few files a
 * second, so that the program is one bundle there.
 */

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { build } from 'vite';
import { z } from 'zod';

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { webSocketLink } from '../../src/link/websocket-link.ts';
import { VERDICTS } from '../../src/record/words.ts';
import { systemClock } from '../../src/common/clock.ts';
import { processTarget } from '../../src/targets/process.ts';
import { PROJECT } from '../support/command-line.ts';
import { FILES_IN_GUEST, HOST_IN_GUEST, KernelGuest } from './kernel-guest/kernel-guest.ts';

export interface JudgedInGuest {
  readonly id: string;
  readonly verdict: string;
  readonly message: string;
  /** Why a part of it was not judged. */
  readonly notes: readonly string[];
  readonly overLink: string | undefined;
}

export interface GuestChecks {
  readonly checks: readonly JudgedInGuest[];
  /** What is attached when the run is over. */
  readonly leftAttached: string;
}

/** Native code, or far more than these commands load. */
const NOT_BUNDLED = ['testcontainers', 'autocannon', '@nats-io/jetstream'];
const RUN_LIMIT = '30m';
const SEED = 1;

const runRecord = z.object({
  checks: z.array(
    z.object({
      id: z.string(),
      verdict: z.enum(VERDICTS),
      message: z.string(),
      evidence: z.object({ notes: z.array(z.string()).default([]) }),
    }),
  ),
});

/** @param grep - of the checks to run */
export async function checkInGuest(grep: string): Promise<GuestChecks> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-in-guest-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const service = await processTarget({ limits: 'off' });
  stack.defer(() => service.close());
  await bundle(folder);
  const { port } = new URL(service.baseUrl);
  writeFileSync(
    path.join(folder, 'target.yaml'),
    `url: http://${HOST_IN_GUEST}:${port}
keys:
  main: ${service.apiKey}
  second: ${service.secondApiKey}
client:
  command: [node, bin/platen.js, client, '{url}', --key, '{key}', --name, '{computer}', --data, '{folder}', --scales]
waits: 60s
`,
  );
  const guest = stack.use(await KernelGuest.start({ sharesFiles: true }));
  const inside = (command: string): string =>
    `NODE_COMPILE_CACHE=/run/compiled PATH=${path.dirname(process.execPath)}:/usr/sbin:/usr/bin:/sbin:/bin chroot ${FILES_IN_GUEST} sh -c 'cd ${folder} && ${command}'`;
  // A first start compiles what later ones find compiled; the service of this one does not exist.
  await guest.run(
    inside('node bin/platen.js client http://127.0.0.1:9 --key none --data none >log 2>&1; true'),
    RUN_LIMIT,
  );
  const argv = `--target target.yaml --allow-writes --seed ${SEED} --grep "${grep}" --out out`;
  // Exit code 2 says that not everything could be judged.
  await guest.run(
    inside(`{ node bin/platen.js check ${argv} >log 2>&1 || [ $? = 2 ] || { tail log; false; }; }`),
    RUN_LIMIT,
  );
  const record = runRecord.parse(JSON.parse(utf8(await guest.run(inside('cat out/run.json')))));
  const leftAttached = await guest.run('ls /dev/hidraw* 2>/dev/null; true');
  const overLink = await verdictsOverLink(service, grep);
  const checks = record.checks.map(({ id, verdict, message, evidence }) => ({
    id,
    verdict,
    message,
    notes: evidence.notes.filter((note) => note.includes(' is not judged: ')),
    overLink: overLink.get(id),
  }));
  return { checks, leftAttached };
}

async function verdictsOverLink(
  target: Awaited<ReturnType<typeof processTarget>>,
  grep: string,
): Promise<ReadonlyMap<string, string>> {
  const link = webSocketLink({ clock: systemClock });
  const { outcomes } = await runConformance({ target: { ...target, link, waitsMs: 60_000 }, seed: SEED, grep });
  return new Map(outcomes.map(({ check, verdict }) => [check.id, verdict]));
}

/** `platen` with its dependencies in few files, as an installed package lies. */
async function bundle(folder: string): Promise<void> {
  const outDir = path.join(folder, 'dist/cli');
  await build({
    configFile: false,
    logLevel: 'error',
    root: PROJECT,
    build: {
      ssr: 'src/cli/main.ts',
      outDir,
      target: 'node24',
      minify: true,
      // Beside the entry: they find files of the package by the way from there.
      rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
    },
    ssr: { noExternal: true, external: NOT_BUNDLED },
  });
  mkdirSync(path.join(folder, 'bin'));
  for (const name of ['bin/platen.js', 'package.json', 'fixtures', 'docs']) {
    cpSync(path.join(PROJECT, name), path.join(folder, name), { recursive: true });
  }
  symlinkSync(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'));
}

/** The console of the guest hands on bytes. */
function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
