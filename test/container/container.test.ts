import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { messageOf } from '../../src/common/error-message.ts';
import { within } from '../../src/common/waiter.ts';
import type { CheckRunRecord } from '../../src/record/check-record.ts';
import { PlatenContainer, type StartedPlatenContainer } from '../../src/testcontainers.ts';
import type { Platen } from '../../src/workbench/library/platen.ts';
import { platen, PROJECT, type Finished } from '../support/command-line.ts';
import { packedPackage } from '../support/packed-package.ts';
import { basic, printRequest } from '../support/print-request.ts';
import { soon } from '../support/soon.ts';

/** The cleaner of testcontainers is an image of its own, which has to be pulled. */
process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';

const SETUP_LIMIT_MS = 480_000;
/** A base of 100 MB that a machine unpacks while it runs other tests. */
const DOCKER_LIMIT_MS = 240_000;
const LIMIT_MS = 120_000;
const IN_CONTAINER = ['node', '/opt/platen/node_modules/platen/bin/platen.js'];
const KEY = 'of-the-test';
/** Exposed by one container alone, so that it can be distinguished from others. */
const MARKED_PORT = 4_711;

/** One file, because the image takes most of the time. */
describe('with an image of platen', { tags: ['container-engine'] }, () => {
  let folder: string;
  let container: StartedPlatenContainer;
  let workbench: Platen;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'platen-container-'));
    const packed = await packedPackage();
    try {
      buildImage(packed);
    } catch (error) {
      // The engine and the registry of packages are not ours, and each may be too busy for a moment.
      process.stderr.write(`the image is built once more: ${messageOf(error)}\n`);
      buildImage(packed);
    }
    container = await new PlatenContainer(IMAGE).withApiKey(KEY).withClock('virtual').start();
    workbench = await container.connect();
  }, SETUP_LIMIT_MS);

  afterAll(async () => {
    await workbench.close();
    await container.stop();
    removeImage();
    rmSync(folder, { recursive: true, force: true });
  }, SETUP_LIMIT_MS);

  describe('PlatenContainer', () => {
    it('serves the API to callers that have its key', async () => {
      const whoami = `${container.getUrl()}/whoami`;
      expect((await fetch(whoami, { headers: basic(container.getApiKey()) })).status).toBe(200);
      expect((await fetch(whoami, { headers: basic('somebody-else') })).status).toBe(401);
    });

    it('gives the workbench as an object: prints, looks at the sheets, lets time pass', async () => {
      expect(workbench).toMatchObject({ url: container.getUrl(), apiKey: KEY });
      const [laser] = await workbench.printers();
      const id = await printRequest(workbench, {
        printerId: laser?.id ?? 0,
        title: 'Three pages',
        source: 'test',
      });
      const job = await workbench.jobs.wait({ title: /pages/, state: 'done', printouts: 1 });
      expect(job).toMatchObject({ id, printer: { name: 'Laser' } });
      expect(job.sheets).toHaveLength(3);
      const before = await workbench.clock.now();
      await workbench.clock.advance('14d');
      expect((await workbench.clock.now()) - before).toBe(14 * 86_400_000);
    });

    it('reaches the webhook receivers of the object, those of an isolated account too', async () => {
      await using account = await workbench.accounts.create();
      await using inbox = await account.webhooks.receive();
      const [printer] = await account.printers();
      const jobId = await printRequest(account, {
        printerId: printer?.id ?? 0,
        title: 'Mine',
        source: 'test',
      });
      expect(await inbox.wait({ jobId, state: 'done' })).toMatchObject({ accountId: account.accountId });
    });

    it('shows its controls only to callers with a token', async () => {
      expect((await fetch(`${container.getUrl()}/_platen/clock`)).status).toBe(403);
    });

    it('does not run as root', async () => {
      const { output } = await container.exec(['node', '-p', 'process.getuid()']);
      expect(output.trim()).toBe('10001');
    });

    it('is healthy by its own command', async () => {
      expect(await container.exec([...IN_CONTAINER, 'ready'])).toMatchObject({ exitCode: 0 });
    });

    it(
      'checks and keeps the report, as any other command line',
      async () => {
        const argv = ['check', '--profile', 'smoke', '--out', 'report'];
        expect(await container.exec([...IN_CONTAINER, ...argv])).toMatchObject({ exitCode: 0 });
        const written = await container.exec(['node', '-p', 'fs.readdirSync("/work/report").join()']);
        expect(written.output).toContain('junit.xml,run.json');
      },
      LIMIT_MS,
    );
  });

  describe('platen check --image', () => {
    it.concurrent(
      'checks a service that it starts itself, on a port that the image exposes',
      async () => {
        const out = path.join(folder, 'smoke');
        const file = descriptor('smoke', [
          `image: { name: ${IMAGE}, environment: { PLATEN_API_KEY: "\${KEY}" } }`,
          'keys: { main: "${KEY}" }',
        ]);
        const argv = ['--target', file, '--link', 'websocket', '--profile', 'smoke', '--out', out];
        const { code, stderr } = await check(...argv);
        expect({ code, stderr }).toMatchObject({ code: 0 });
        expect(recordIn(out)).toMatchObject({
          target: { name: IMAGE, kind: 'container' },
          summary: { exitCode: 0 },
        });
      },
      LIMIT_MS,
    );

    it.concurrent(
      'gets webhooks of a described service through the network of its container',
      async () => {
        const out = path.join(folder, 'webhooks');
        const file = descriptor('webhooks', [
          'image:',
          `  name: ${IMAGE}`,
          '  port: 9000',
          '  command: [start, --host, 0.0.0.0, --port, "9000"]',
          '  environment: { PLATEN_API_KEY: "${KEY}" }',
          'keys: { main: "${KEY}" }',
          'link: websocket',
          'hooks: { reset: { http: { url: "{url}/ping", method: GET } } }',
        ]);
        const argv = ['--target', file, '--grep', '^events/(object|computer-states)$', '--out', out];
        const { code, stderr } = await check(...argv);
        expect({ code, stderr }).toMatchObject({ code: 0 });
        const { checks, target } = recordIn(out);
        expect(checks.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
          'events/computer-states pass',
          'events/object pass',
        ]);
        expect(target.capabilities).toContain('webhook-receiver');
      },
      LIMIT_MS,
    );

    it.concurrent('says so when there is no such image', async () => {
      const { code, stderr } = await check('--image', 'localhost:1/none:1');
      expect({ code, stderr }).toMatchObject({
        code: 64,
        stderr: expect.stringContaining('no local image localhost:1/none:1') as string,
      });
    });

    it.concurrent('asks for the port of an image that exposes none', async () => {
      const { code, stderr } = await check('--image', BASE);
      expect({ code, stderr }).toMatchObject({
        code: 64,
        stderr: expect.stringMatching(/exposes no port\n.*--image-port/) as string,
      });
    });

    it.concurrent('says so when no container can be made of the image', async () => {
      const { code, stderr } = await check('--image', BASE, '--image-port', '80');
      expect({ code, stderr }).toMatchObject({
        code: 64,
        stderr: expect.stringMatching(/no container can be made.*command/i) as string,
      });
    });

    it.concurrent('shows what a service printed that ended', async () => {
      const file = descriptor('ended', [`image: { name: ${IMAGE}, command: [start, --bogus] }`, 'keys: { main: k }']);
      const { code, stderr } = await check('--target', file);
      expect({ code, stderr }).toMatchObject({
        code: 75,
        stderr: expect.stringMatching(/ended with exit code 64\n {2}\| .*unknown option '--bogus'/) as string,
      });
    });

    it.concurrent(
      'shows what a service printed that never answers on its port',
      async () => {
        const file = descriptor('mute', [`image: { name: ${IMAGE}, port: 9, startLimit: 20s }`, 'keys: { main: k }']);
        const { code, stderr } = await check('--target', file);
        expect({ code, stderr }).toMatchObject({
          code: 75,
          stderr: expect.stringMatching(
            /waited 20s for .*GET \/ping on port 9: .*\n {2}\| platen .* is ready/,
          ) as string,
        });
      },
      LIMIT_MS,
    );

    it.concurrent(
      'removes the container of a start that is interrupted',
      async () => {
        const argv = ['check', '--image', IMAGE, '--image-port', String(MARKED_PORT)];
        const child = spawn(process.execPath, ['bin/platen.js', ...argv], { cwd: PROJECT, stdio: 'ignore' });
        const ended = once(child, 'exit');
        await soon('the container', '60s', () => containersWith(`expose=${MARKED_PORT}`)[0]);
        child.kill('SIGINT');
        expect(await within(ended, { description: 'the end', limit: '20s' })).toEqual([130, null]);
        expect(containersWith(`expose=${MARKED_PORT}`)).toEqual([]);
      },
      LIMIT_MS,
    );

    it('leaves no container behind', () => {
      expect(containersWith(`ancestor=${IMAGE}`)).toEqual([container.getId().slice(0, 12)]);
    });
  });

  function check(...argv: readonly string[]): Promise<Finished> {
    const out = argv.includes('--out') ? [] : ['--out', path.join(folder, 'none')];
    return platen(['check', '--quiet', ...argv, ...out], { env: { KEY } });
  }

  function descriptor(name: string, lines: readonly string[]): string {
    const file = path.join(folder, `${name}.yaml`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  }
});

function recordIn(out: string): CheckRunRecord {
  return JSON.parse(readFileSync(path.join(out, 'run.json'), 'utf8')) as CheckRunRecord;
}

/** Named for this process: tests of another checkout may run beside. */
const BASE = `platen-test-base-${process.pid}`;
const IMAGE = `platen-test-image-${process.pid}`;

/** Builds the image from this checkout, as `npm run image` does. */
function buildImage(packed: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-image-'));
  try {
    importBase(path.join(folder, 'base'));
    const context = path.join(folder, 'context');
    execFileSync(process.execPath, [path.join(PROJECT, 'deploy/image/stage-context.ts'), context, packed]);
    docker(['build', '--quiet', '--build-arg', `BASE=${BASE}`, '--tag', IMAGE, context]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function removeImage(): void {
  docker(['rmi', '--force', IMAGE, BASE]);
}

/** Node and what it is linked against, and nothing else: no shell either. */
function importBase(root: string): void {
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  const files = new Map([[process.execPath, '/bin/node']]);
  for (const [file] of libraries.matchAll(/\/\S+/g)) files.set(file, file);
  for (const [from, to] of files) {
    const copy = path.join(root, to);
    mkdirSync(path.dirname(copy), { recursive: true });
    copyFileSync(from, copy);
  }
  mkdirSync(path.join(root, 'tmp'), { mode: 0o1777 });
  const archive = `${root}.tar`;
  execFileSync('tar', ['-C', root, '-cf', archive, '.']);
  docker(['import', '--change', 'ENV PATH=/bin', archive, BASE]);
}

/** Containers there are, also those that have ended, of an image or with an exposed port. */
function containersWith(filter: `ancestor=${string}` | `expose=${number}`): readonly string[] {
  return docker(['ps', '--all', '--quiet', '--filter', filter]).split('\n').filter(Boolean);
}

function docker(argv: readonly string[]): string {
  return execFileSync('docker', argv, { encoding: 'utf8', stdio: 'pipe', timeout: DOCKER_LIMIT_MS });
}
