/**
 * The package as it is published: installed by itself, and in a project whose app prints and whose tests run side
 * by side with platen/vitest. Nothing is fetched for that project: what the package depends on is linked from here.
 */

import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { PROJECT, run, type Finished } from '../support/command-line.ts';
import { codeBlocks, readPage } from '../support/markdown.ts';
import { packedPackage } from '../support/packed-package.ts';

const SAMPLE = path.join(PROJECT, 'test/e2e/sample-project');
const REPORTS = ['exchanges.ndjson.gz', 'gap-atlas.md', 'junit.xml', 'run.json'];
/** Packing, and installing from the network or its cache. */
const SETUP_LIMIT_MS = 300_000;
/** From the first test that begins to the last one that ends; it includes the start of the workbench. */
const LIMIT_MS = 3_000;

const report = z.object({
  numTotalTests: z.number(),
  numPassedTests: z.number(),
  testResults: z.array(z.object({ startTime: z.number(), endTime: z.number() })),
});

let tarball: string;

beforeAll(async () => {
  tarball = await packedPackage();
}, SETUP_LIMIT_MS);

describe('the package', () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'platen-package-'));
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await good('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], folder);
  }, SETUP_LIMIT_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }), SETUP_LIMIT_MS);

  it('brings what it runs and nothing that it was made with', () => {
    const installed = readdirSync(path.join(folder, 'node_modules'));
    for (const name of ['typescript', 'vitest', 'knip', 'node']) expect(installed).not.toContain(name);
    const files = readdirSync(path.join(folder, 'node_modules/platen'));
    expect(files).toEqual(expect.arrayContaining(['bin', 'dist', 'fixtures', 'LICENSE', 'README.md', 'CHANGELOG.md']));
    for (const name of ['test', 'tsconfig.json']) expect(files).not.toContain(name);
    expect(globSync('src/**/*.{ts,tsx}', { cwd: path.join(folder, 'node_modules/platen') })).toEqual([]);
  });

  it('has everything that its pages and their pictures lead to', () => {
    const root = path.join(folder, 'node_modules/platen');
    const missing = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].flatMap((page) => {
      const text = readFileSync(path.join(root, page), 'utf8');
      const links = [...text.matchAll(/\]\(([^)#\s]+)|(?:src|srcset)="([^"]+)"/g)].map(
        ([, one, other]) => one ?? other ?? '',
      );
      const files = links
        .filter((link) => !/^[a-z]+:/.test(link))
        .map((link) => path.join(path.dirname(page), link))
        // The source is in the repository alone.
        .filter((file) => !/^(src|test)\//.test(file));
      return files.filter((file) => !existsSync(path.join(root, file))).map((file) => `${page}: ${file}`);
    });
    expect(missing).toEqual([]);
  });

  it('has no script that npm asks about when it is installed', () => {
    const file = path.join(folder, 'node_modules/platen/package.json');
    const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { readonly scripts: object };
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(name);
  });

  it('checks the reference service', async () => {
    const checked = await good('npx', ['platen', 'check', '--quiet'], folder);
    expect(checked.stdout).toBe('');
    const [report = ''] = readdirSync(path.join(folder, 'reports'));
    expect(readdirSync(path.join(folder, 'reports', report)).toSorted()).toEqual(REPORTS);
    const run = path.join('reports', report, 'run.json');
    await good('npx', ['platen', 'report', run, '-r', 'html', '--out', 'page'], folder);
    expect(readFileSync(path.join(folder, 'page/report.html'), 'utf8')).toMatch(/<style>[^<]*\.run-view/);
  }, 150_000);

  it('has types that need no others than those of Node, also where libraries are checked', async () => {
    const types = path.join(folder, 'node_modules/@types');
    mkdirSync(types, { recursive: true });
    symlinkSync(path.join(PROJECT, 'node_modules/@types/node'), path.join(types, 'node'));
    const program = "import { start } from 'platen';\nexport const platen = await start({ port: 0 });\n";
    writeFileSync(path.join(folder, 'program.ts'), program);
    const flags = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    const lib = ['--lib', 'es2024,esnext.disposable,esnext.array', '--skipLibCheck', 'false'];
    const tsc = path.join(PROJECT, 'node_modules/.bin/tsc');
    expect((await good(tsc, [...flags, ...lib, 'program.ts'], folder)).stdout).toBe('');
  });

  it('brings the printing API as OpenAPI, as a file and as a command', async () => {
    const printed = await good('npx', ['platen', 'openapi'], folder);
    const program = "import api from 'platen/openapi.json' with { type: 'json' }; console.log(api.info.title);";
    const imported = await good(process.execPath, ['--input-type=module', '--eval', program], folder);
    expect(imported.stdout).toBe('Remote Printing Service HTTP API\n');
    expect(JSON.parse(printed.stdout)).toMatchObject({ openapi: '3.1.0' });
    expect((await good('npx', ['platen', 'openapi', '--html'], folder)).stdout).toContain('<!DOCTYPE html>');
  });

  it('plays, prints and lists by name what ships, from an empty folder', async () => {
    const elsewhere = path.join(folder, 'empty');
    mkdirSync(elsewhere);
    const bin = path.join(folder, 'node_modules/.bin/platen');
    const there = async (...argv: readonly string[]): Promise<string> => (await good(bin, argv, elsewhere)).stdout;
    expect(await there('run', '--list')).toContain('jam-on-page-three');
    expect(await there('run', 'jam-on-page-three')).toContain('1 scenario: 1 passed');
    expect(await there('faults')).toContain('media-jam');
    const printed = await there('exec', '--', bin, 'print', 'invoice', '--out', 'sheets');
    expect(printed).toContain('done\n  sheets/1.pdf\n  sheets/1-1.png\n');
  }, 60_000);

  it('gives programs a workbench', async () => {
    const program = `
    import { start } from 'platen';
    await using platen = await start({ port: 0, clock: 'virtual' });
    console.log((await platen.printers()).map(({ name }) => name).join());
  `;
    const ran = await good(process.execPath, ['--input-type=module', '--eval', program], folder);
    expect(ran.stdout).toBe('Laser,Label 4x6,Unknown Printer,Office MFP\n');
  });

  it('says of labels that what draws them is not installed, and keeps their bytes', async () => {
    const program = `
    import { start } from 'platen';
    await using platen = await start({ port: 0, clock: 'virtual' });
    const printer = (await platen.printers()).find(({ name }) => name === 'Label 4x6');
    const content = btoa('^XA^FO9,9^A0N,30,30^FDPRIORITY^FS^XZ');
    await fetch(platen.url + '/printjobs', {
      method: 'POST',
      headers: { authorization: 'Basic ' + btoa(platen.apiKey + ':'), 'content-type': 'application/json' },
      body: JSON.stringify({ printerId: printer.id, contentType: 'raw_base64', content, title: 'Label' }),
    });
    const job = await platen.jobs.wait({ title: 'Label', printouts: 1 });
    console.log(JSON.stringify([job.sides, job.printouts[0].raw, await job.text(1)]));
  `;
    const ran = await good(process.execPath, ['--input-type=module', '--eval', program], folder);
    expect(JSON.parse(ran.stdout)).toEqual([
      1,
      { bytes: 36, language: 'zpl', summary: '1 label', events: [], notDrawn: null },
      'PRIORITY',
    ]);
  });
});

describe('a project with the package', () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'platen-sample-'));
    cpSync(SAMPLE, folder, { recursive: true });
    const modules = path.join(folder, 'node_modules');
    mkdirSync(path.join(modules, 'platen'), { recursive: true });
    await good('tar', ['-xzf', tarball, '-C', path.join(modules, 'platen'), '--strip-components=1'], folder);
    for (const name of readdirSync(path.join(PROJECT, 'node_modules'))) {
      if (name !== 'platen') symlinkSync(path.join(PROJECT, 'node_modules', name), path.join(modules, name));
    }
  }, SETUP_LIMIT_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }), SETUP_LIMIT_MS);

  it('runs twenty tests side by side, each with printers of its own', async () => {
    await good('npx', ['vitest', 'run', '--reporter=json', '--outputFile=results.json'], folder);
    const results = readFileSync(path.join(folder, 'results.json'), 'utf8');
    const { numTotalTests, numPassedTests, testResults } = report.parse(JSON.parse(results));
    expect([numTotalTests, numPassedTests]).toEqual([20, 20]);
    const [{ startTime, endTime } = { startTime: 0, endTime: Infinity }] = testResults;
    // On a machine that does much else meanwhile, what counts is how much work it is.
    const cpuMs = Number(readFileSync(path.join(folder, 'cpu-time.txt'), 'utf8'));
    expect(Math.min(endTime - startTime, cpuMs)).toBeLessThan(LIMIT_MS);
  }, 60_000);

  it('runs the test that platen init leaves', async () => {
    await good(process.execPath, ['node_modules/platen/bin/platen.js', 'init', 'begun'], folder);
    const ran = await good('npx', ['vitest', 'run', '--root', 'begun', 'printing'], folder);
    expect(ran.stdout).toContain('1 passed');
  }, 60_000);

  it('says of a test that fails what happened to the job', async () => {
    const failing = `
    import { expect, test } from 'platen/vitest';
    import { Shop } from './shop.js';
    test('prints twice', async ({ platen }) => {
      await new Shop(platen).place({ number: 1, customer: 'Amsel' });
      expect(await platen.jobs.wait({ title: 'Invoice', state: 'done' })).toHaveSheets(2);
    });
    test('prints once', async ({ platen }) => {
      await new Shop(platen).place({ number: 1, customer: 'Amsel' });
      expect(await platen.jobs.wait({ title: 'Invoice', state: 'done' })).toHaveSheets(1);
    });
  `;
    writeFileSync(path.join(folder, 'failing.spec.js'), failing);
    const { code, stderr, stdout } = await run('npx', ['vitest', 'run', 'failing'], { cwd: folder });
    expect(code).toBe(1);
    expect(stderr + stdout).toContain('1 sheet came out of Laser for job 1, not 2');
    expect(stderr + stdout).toContain(
      'its jobs and their sheets: test-results/platen/failing-spec-prints-twice/jobs.txt',
    );
    const results = path.join(folder, 'test-results/platen');
    expect(readdirSync(results)).toEqual(['failing-spec-prints-twice']);
    const kept = path.join(results, 'failing-spec-prints-twice');
    expect(readdirSync(kept).toSorted()).toEqual(['1-1.png', '1.pdf', '2-1.png', '2.pdf', '2.raw', 'jobs.txt']);
    expect(readFileSync(path.join(kept, 'jobs.txt'), 'utf8')).toMatch(
      /^job 1 \(Invoice 1\) at Laser: done\n {2}0ms {2}new/,
    );
    rmSync(path.join(folder, 'failing.spec.js'));
  }, 60_000);

  it('compares a sheet with the picture of the first run, which `vitest -u` draws again', async () => {
    const vitest = async (number: number, flags: readonly string[], env: Readonly<Record<string, string>>) => {
      writeFileSync(path.join(folder, 'sheet.spec.js'), sheetSpec(number));
      const { code, stdout, stderr } = await run('npx', ['vitest', 'run', 'sheet', ...flags], { cwd: folder, env });
      return { code, output: stdout + stderr };
    };
    const picture = path.join(folder, 'sheets/invoice.png');
    expect(await vitest(1, [], { CI: '' })).toMatchObject({ code: 0 });
    expect(existsSync(picture)).toBe(true);
    const red = await vitest(8, [], { CI: '' });
    expect(red.code).toBe(1);
    const kept = 'test-results/platen/sheet-spec-looks-as-it-did';
    for (const what of ['expected', 'actual', 'difference']) {
      expect(red.output).toContain(`${kept}/invoice-${what}.png`);
      expect(existsSync(path.join(folder, kept, `invoice-${what}.png`))).toBe(true);
    }
    expect(await vitest(8, ['-u'], { CI: '' })).toMatchObject({ code: 0 });
    expect(existsSync(path.join(folder, kept))).toBe(false);
    expect(await vitest(8, [], { CI: 'true' })).toMatchObject({ code: 0 });
  }, 120_000);

  it('finds types for all that the package gives', async () => {
    const program = `
    import { connect, start, type Job, type Platen } from 'platen';
    import { expect, platenTest, test } from 'platen/vitest';
    const first = async (platen: Platen): Promise<Job> => platen.jobs.wait({ title: /a/, state: ['done'] });
    await using workbench = await start({ port: 0, clock: 'virtual' });
    await using same: Platen = await connect(workbench.url, { token: 'secret' });
    const sheets: number = (await first(same)).sheets.length;
    test('types', async ({ platen, platenWorkbench }) => {
      expect(await first(platen)).toHaveSheets(sheets);
      await expect(platenWorkbench.scale('Scale')).toWeigh('1 kg');
      await expect(platen.jobs.wait()).resolves.toMatchSheet('a.png', { tolerance: 0.01 });
    });
    // @ts-expect-error a string has no state
    platenTest({ clock: 'real' })('others', ({ platen }) => expect(platen.url).not.toHaveState('done'));
  `;
    writeFileSync(path.join(folder, 'types.mts'), program);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--skipLibCheck'];
    const checked = await run('npx', ['tsc', ...options, '--types', 'node', 'types.mts'], { cwd: folder });
    expect([checked.stdout, checked.code]).toEqual(['', 0]);
  }, 60_000);

  it('runs the examples of the library and of its guide as they stand there', async () => {
    const pages = ['docs/library.md', 'docs/guides/test-an-app-that-prints.md'].map(readPage);
    const all = pages.flatMap(codeBlocks);
    const [inNode] = all.filter(({ language }) => language === 'js');
    writeFileSync(path.join(folder, 'example.test.js'), inNode?.text ?? '');
    const tested = await good(process.execPath, ['--test', 'example.test.js'], folder);
    expect(tested.stdout).toMatch(/pass 1\n/);
    const blocks = all.filter(({ language }) => language === 'ts').map(({ text }) => text);
    const [tests, programs] = [
      blocks.filter((block) => block.includes("'platen/vitest'")),
      blocks.filter((block) => !block.includes("'platen/vitest'")),
    ];
    expect([tests.length, programs.length]).toEqual([4, 4]);
    tests.forEach((block, index) => writeFileSync(path.join(folder, `example-${index}.spec.ts`), block));
    await good('npx', ['vitest', 'run', 'example-'], folder);
    const outputs: string[] = [];
    for (const [index, block] of programs.entries()) {
      writeFileSync(path.join(folder, `example-${index}.mts`), block);
      const exec = ['node_modules/platen/bin/platen.js', 'exec', '--', 'node', `example-${index}.mts`];
      outputs.push((await good(process.execPath, exec, folder)).stdout);
    }
    expect(outputs.join('')).toBe(
      [
        'Label 4x6 ^XA^FDhello^FS^XZ',
        '2 true',
        'job 2 (three-pages.pdf) is done, 1 of 3 sheets out: Laser has media-jam',
        "[ 'Laser', 'Label 4x6', 'Unknown Printer', 'Office MFP' ]",
        "[ 'offline', 'cover-open', 'toner-low' ]",
        '2.65 lb\n',
      ].join('\n'),
    );
  }, 120_000);

  describe('in another runner', () => {
    const LETTER = path.join(PROJECT, 'fixtures/documents/three-pages.pdf');
    const jest = ['--experimental-vm-modules', path.join(PROJECT, 'node_modules/jest/bin/jest.js')];
    const RUNNERS: Readonly<Record<string, readonly string[]>> = {
      jest: [process.execPath, ...jest],
      'node-test': [process.execPath, '--test'],
      pytest: ['pytest-3', '-p', 'no:cacheprovider'],
    };

    /** Runs the tests twice, and gives what the red run kept. */
    const keptWhenRed = async (runner: string): Promise<string> => {
      const [program = '', ...argv] = RUNNERS[runner] ?? [];
      const cwd = path.join(folder, 'samples', runner);
      cpSync(path.join(PROJECT, 'test/e2e/sample-projects', runner), cwd, { recursive: true });
      cpSync(path.join(folder, 'node_modules/platen/docs/guides/pytest/conftest.py'), path.join(cwd, 'conftest.py'));
      const PLATEN = `${process.execPath} ${path.join(folder, 'node_modules/platen/bin/platen.js')}`;
      const env = { CI: '', LETTER, PLATEN, NODE_OPTIONS: '' };
      expect(await run(program, argv, { cwd, env })).toMatchObject({ code: 0 });
      expect(globSync('test-results/platen/*', { cwd })).toEqual([]);
      const red = await run(program, argv, { cwd, env: { ...env, SHOP_IS_BROKEN: '1' } });
      expect(red.code).not.toBe(0);
      const [, file = ''] = /its jobs and their sheets: (\S+)/.exec(red.stdout + red.stderr) ?? [];
      expect(readdirSync(path.join(cwd, path.dirname(file)))).toContain('2-1.png');
      return readFileSync(path.join(cwd, file), 'utf8');
    };

    const HELD = '1 of 3 sheets out: Laser has media-jam';

    it.each(['jest', 'node-test'])(
      '%s: passes, and says of a red test what it printed',
      async (runner) => expect(await keptWhenRed(runner)).toContain(HELD),
      60_000,
    );

    it('pytest: passes, and says of a red test what it printed', { tags: ['pytest'], timeout: 60_000 }, async () =>
      expect(await keptWhenRed('pytest')).toContain(HELD),
    );
  });

  /** Loses the first submission of a test, which that has to notice. */
  const verdictIn = async (file: string, script: string, command: readonly string[]): Promise<unknown> => {
    const cwd = path.join(folder, 'judged', file);
    mkdirSync(cwd, { recursive: true });
    writeFileSync(path.join(cwd, 'package.json'), '{ "private": true, "type": "module" }');
    cpSync(path.join(folder, 'node_modules/platen/docs/guides/pytest/conftest.py'), path.join(cwd, 'conftest.py'));
    writeFileSync(path.join(cwd, file), script);
    const bin = path.join(folder, 'node_modules/platen/bin/platen.js');
    const argv = [bin, 'exec', '--provoke=POST /printjobs#1 lost-before', '--json', '--', ...command];
    const env = { PLATEN: `${process.execPath} ${bin}`, NODE_OPTIONS: '', CI: '' };
    const { stdout } = await run(process.execPath, argv, { cwd, env, limit: '100s' });
    return (JSON.parse(stdout) as { readonly summary: unknown }).summary;
  };

  describe('judged as an app', () => {
    const jest = path.join(PROJECT, 'node_modules/jest/bin/jest.js');
    it.each([
      ['vitest', ['npx', 'vitest', 'run', '--root', '.']],
      ['jest', [process.execPath, '--experimental-vm-modules', jest, '--testTimeout=60000']],
      ['node-test', [process.execPath, '--test']],
    ])(
      '%s: what goes wrong reaches the workbench that a test starts',
      async (runner, command) => {
        const summary = await verdictIn(`${runner}.test.js`, letterSpec(runner), command);
        expect(summary).toEqual({ moments: { total: 1, told: 1 }, exitCode: 0 });
      },
      120_000,
    );

    it('pytest: what goes wrong reaches it as well', { tags: ['pytest'], timeout: 120_000 }, async () => {
      const letter = path.join(PROJECT, 'fixtures/documents/three-pages.pdf');
      const script = `def test_a_letter(platen):\n    platen.print(${JSON.stringify(letter)})\n`;
      const summary = await verdictIn('test_letter.py', script, ['pytest-3', '-p', 'no:cacheprovider']);
      expect(summary).toEqual({ moments: { total: 1, told: 1 }, exitCode: 0 });
    });
  });

  it('gives any command a workbench', async () => {
    const script = "fetch(process.env.PLATEN_URL + '/ping').then((answer) => console.log(answer.status))";
    const ran = await good(
      process.execPath,
      ['node_modules/platen/bin/platen.js', 'exec', '--', 'node', '--eval', script],
      folder,
    );
    expect(ran.stdout).toBe('200\n');
  }, 60_000);
});

function letterSpec(runner: string): string {
  return `
    import { test } from 'platen/${runner}';
    test('a letter', async ({ platen }) => void (await platen.print('three-pages')));
  `;
}

function sheetSpec(number: number): string {
  return `
    import { expect, test } from 'platen/vitest';
    import { Shop } from './shop.js';
    test('looks as it did', async ({ platen }) => {
      await new Shop(platen).place({ number: ${number}, customer: 'Amsel' });
      const job = await platen.jobs.wait({ title: 'Invoice', state: 'done' });
      await expect(job).toMatchSheet('sheets/invoice.png');
    });
  `;
}

async function good(program: string, argv: readonly string[], cwd: string): Promise<Finished> {
  const finished = await run(program, argv, { cwd, limit: '240s' });
  expect(finished, `${program} ${argv.join(' ')}`).toMatchObject({ code: 0 });
  return finished;
}
