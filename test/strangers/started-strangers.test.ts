import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { runConformance } from '../../src/conformance/run/run-conformance.ts';
import { tryMovedTime } from '../../src/conformance/run/moved-time-trial.ts';
import { describedTarget } from '../../src/targets/described.ts';
import { startedTarget } from '../../src/targets/started.ts';
import { webSocketLink } from '../../src/link/websocket-link.ts';
import { platen } from '../support/command-line.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const LIMIT_MS = 120_000;

const IN_TIME = '^(expiry|idempotency|event-delivery|event-receivers)/';

for (const { language, descriptor, part } of [
  { language: 'Python', descriptor: 'started.yaml', part: 'python3' },
  { language: 'Ruby', descriptor: 'started-ruby.yaml', part: 'ruby' },
  { language: 'Java', descriptor: 'started-java.yaml', part: 'java' },
  { language: 'PHP', descriptor: 'started-php.yaml', part: 'php' },
  { language: 'Node', descriptor: 'started-node.yaml', part: 'faketime' },
])
  it(
    `judges days and weeks of a service in ${language} that has no hook`,
    { tags: ['faketime', part], timeout: LIMIT_MS },
    async () => {
      const target = await describedTarget({ file: path.join(HERE, descriptor), environment: {} });
      const trial = await tryMovedTime(target, 'trial');
      const { outcomes } = await runConformance({ target, seed: 1, grep: IN_TIME });
      await target.close();
      expect(trial.whyNot).toBeUndefined();
      expect(outcomes.length).toBeGreaterThan(10);
      expect(outcomes.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed')).toEqual([]);
    },
  );

it(
  'plays a scenario on a service in Node that spells its events otherwise',
  { tags: ['faketime'], timeout: LIMIT_MS },
  async () => {
    const target = path.join(HERE, 'started-node.yaml');
    const { code, stdout } = await platen(['run', 'webhook-that-hangs', '--target', target, '--reporter', 'terminal']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 passed') });
  },
);

it(
  'sees that the time of a service in Go does not follow',
  { tags: ['faketime', 'go'], timeout: LIMIT_MS },
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'platen-go-'));
    const program = path.join(folder, 'service');
    const { status } = spawnSync('go', ['build', '-o', program, '.'], { cwd: path.join(HERE, 'go') });
    const target = await startedTarget({
      start: { command: `${program} -port {port} -ready-file {folder}/ready.json`, says: '{folder}/ready.json' },
      cwd: folder,
      apiKey: '{apiKey}',
    });
    const { whyNot } = await tryMovedTime({ ...target, link: webSocketLink({ clock: target.clock }) }, 'trial');
    await target.close();
    rmSync(folder, { recursive: true });
    expect({ status, whyNot }).toEqual({
      status: 0,
      whyNot: 'libfaketime has no effect on it, as on static programs and most in Go',
    });
  },
);
