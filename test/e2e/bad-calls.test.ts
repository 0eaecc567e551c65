/**
 * Bad calls: what a command says of a flag or an address that is wrong. Each call ends within seconds, with a message
 * that names what is wrong, a next step, and no stack trace.
 *
 *   flags that name a file   × missing, a folder, not allowed, empty, binary, huge
 *   flags that name a number × abc, -1, 1e99, nothing
 *   addresses                × no scheme, another scheme, a closed port, not a service, the page of a workbench
 */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { EXIT } from '../../src/cli/exit-code.ts';
import { portOf } from '../../src/common/port-of.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { start, type StartedPlaten } from '../../src/index.ts';
import { call } from '../support/called-command.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'platen-bad-'));
const at = (name: string): string => path.join(folder, name);
const LIMIT_MS = 20_000;
const HUGE_BYTES = 3 * 1024 ** 3;

let platen: StartedPlaten;
let server: Server;
beforeAll(async () => {
  platen = await start({ port: 0, clock: 'real', limits: 'off' });
  server = createServer((_, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  mkdirSync(at('folder'));
  for (const name of ['empty', 'empty.yaml', 'empty.pdf']) writeFileSync(at(name), '');
  for (const name of ['binary', 'binary.yaml', 'binary.pdf'])
    writeFileSync(at(name), Buffer.from([0, 255, 254, 7, 0, 1]));
  for (const name of ['huge', 'huge.yaml', 'huge.pdf']) {
    writeFileSync(at(name), '');
    truncateSync(at(name), HUGE_BYTES);
  }
  for (const name of ['secret', 'secret.yaml', 'secret.pdf']) {
    writeFileSync(at(name), 'x');
    chmodSync(at(name), 0);
  }
  writeFileSync(at('room.yaml'), 'computers: [{ name: A, printers: [{ profile: laserr-a4 }] }]\n');
});
afterAll(async () => {
  server.close();
  await platen.close();
  rmSync(folder, { recursive: true, force: true });
});

const NOT_FOR_PEOPLE =
  /\n {4}at |platen itself broke|undefined|starts_with|SSL routines|\[object|Invalid input|Too (small|big)|expected string|\b(ENOENT|EISDIR|EACCES|ECONN|ENOTFOUND|EAI_|ERR_)/;
/** One mistake is a few lines. */
const LONGEST = 1_500;

/**
 * What is wrong with how a bad call ends; nothing if it is refused well.
 *
 * @param names - what the message must name, such as the file or the flag
 */
async function faultsOf(
  argv: readonly string[],
  names: string,
  codes: readonly number[] = [EXIT.usage],
): Promise<readonly string[]> {
  const elapsedMs = startStopwatch();
  const { code, text } = await call(argv);
  const [, ...rest] = text.trim().split('\n');
  const rules: Readonly<Record<string, boolean>> = {
    [`exit code ${code}`]: codes.includes(code),
    [`does not name ${names}`]: text.includes(names),
    'does not begin with error': text.startsWith('error: '),
    'has no next step on a line of its own': /\w{3}/.test(rest.join('')),
    'is not for people': !NOT_FOR_PEOPLE.test(text),
    'is too long': text.length < LONGEST,
    'takes too long': elapsedMs() < LIMIT_MS,
  };
  const broken = Object.entries(rules).filter(([, isKept]) => !isKept);
  return broken.map(([rule]) => `${rule}: ${text}`);
}

const url = (): string => platen.url;
const key = (): readonly string[] => ['--key', platen.apiKey];

/** The call with a file in the place of FILE. */
const FILES: readonly (readonly [call: string, ending: string])[] = [
  ['start --port 0 --room FILE', '.yaml'],
  ['exec --room FILE -- true', '.yaml'],
  ['room URL KEY --room FILE', '.yaml'],
  ['check --target FILE', '.yaml'],
  ['check --known FILE -g misc/noop', '.yaml'],
  ['run FILE', '.yaml'],
  ['run blank-page --target FILE', '.yaml'],
  ['run ten-seconds --baseline FILE', ''],
  ['room --target FILE', '.yaml'],
  ['print FILE --url URL KEY', '.pdf'],
  ['report FILE', ''],
  ['analyze FILE', ''],
  ['diff FILE FILE', ''],
  ['replay FILE', ''],
  ['check URL KEY --link FILE', ''],
];
const isRoot = process.getuid?.() === 0;

function filled(written: string, file = ''): readonly string[] {
  return written.split(' ').flatMap((word) => {
    if (word === 'FILE') return [file];
    if (word === 'URL') return [url()];
    return word === 'KEY' ? key() : [word];
  });
}

describe.each(['missing', 'folder', 'secret', 'empty', 'binary', 'huge'])('a file that is %s', (kind) => {
  // Nothing is kept from root.
  it.skipIf(kind === 'secret' && isRoot).each(FILES)('%s', async (written, ending) => {
    const name = kind === 'folder' ? kind : `${kind}${ending}`;
    expect(await faultsOf(filled(written, at(name)), name)).toEqual([]);
  });
});

const NUMBERS: readonly (readonly [call: string, flag: string])[] = [
  ['start', '--port'],
  ['check -g misc/noop', '--seed'],
  ['check', '--shard'],
  ['check', '--image-port'],
  ['run ten-seconds', '--processes'],
  ['run ten-seconds', '--shard'],
  ['run ten-seconds', '--step-for'],
  ['run ten-seconds', '--workers'],
  ['run ten-seconds', '--wait'],
  ['run ten-seconds', '--lease'],
  ['run ten-seconds', '--start-at'],
  ['jobs', '--limit'],
  ['print invoice', '--qty'],
  ['print invoice', '--timeout'],
  ['fault printer/Laser media-jam', '--after'],
  ['fault printer/Laser media-jam', '--times'],
  ['fault printer/Laser media-jam', '--probability'],
  ['fault printer/Laser media-jam', '--for'],
];

describe.each(['abc', '-1', '1e99', ''])('the number "%s"', (value) => {
  it.each(NUMBERS)('%s %s', async (written, flag) => {
    expect(await faultsOf([...filled(written), `${flag}=${value}`], flag)).toEqual([]);
  });
});

const ADDRESSED: readonly string[] = [
  'check ADDRESS',
  'run blank-page ADDRESS',
  'run ten-seconds ADDRESS',
  'room ADDRESS',
  'print invoice --url ADDRESS',
  'jobs --url ADDRESS',
  'fault --url ADDRESS',
  'clock --url ADDRESS',
  'reset --url ADDRESS',
  'ready --url ADDRESS',
];
const ADDRESSES: Readonly<Record<string, () => string>> = {
  'without a scheme': () => 'localhost:1',
  'of another scheme': () => 'htp://localhost:1',
  'of a closed port': () => 'http://127.0.0.1:9',
  'of another server': () => `http://127.0.0.1:${portOf(server)}`,
  'of a port without HTTPS': () => `https://127.0.0.1:${portOf(server)}`,
  'that is empty': () => '',
};

describe.each(Object.keys(ADDRESSES))('an address %s', (kind) => {
  it.each(ADDRESSED)('%s', async (written) => {
    const address = ADDRESSES[kind]?.() ?? '';
    const argv = written.split(' ').map((word) => (word === 'ADDRESS' ? address : word));
    expect(await faultsOf([...argv], address, [EXIT.usage, EXIT.unreachable])).toEqual([]);
  });
});

describe('what is wrong is said in words', () => {
  it.each([
    ['start --port 0 --data FILE', 'it is a folder'],
    ['init FILE/x', 'cannot be written to'],
    ['fault printer/Laser media-jma --url URL KEY', "did you mean 'media-jam'?\n`platen faults` lists"],
    ['fault printer/Lasr media-jam --url URL KEY', "It has 'Laser'"],
    ['print invoice --printer Lasr --url URL KEY', "1 'Laser' (FRONT-DESK)"],
    ['run jam-on-page-tree', "did you mean 'jam-on-page-three'?"],
    ['run jam-on-page', "did you mean 'jam-on-page-three'?"],
    ['run blank-page jam-on-page-three', 'jam-on-page-three is a second scenario'],
    ['run blank-page other.yaml', 'all scenarios of a folder are played'],
  ])('%s', async (written, said) => {
    const argv = filled(written.replace('FILE/x', '/proc/x'), at('folder'));
    expect(await faultsOf(argv, said)).toEqual([]);
  });

  it.each([
    ['check --port 9000', 'platen check http://127.0.0.1:8631'],
    ['run ten-seconds --url URL', 'platen run SCENARIO http://127.0.0.1:8631'],
    ['run blank-page --profile smoke', '--profile is an option of platen check'],
    ['start --prot 0', '(Did you mean --port?)'],
    ['check --profile smok', '(Did you mean smoke?)'],
    ['clock freez --url URL', '(Did you mean freeze?)'],
    ['check --seed=-1', "argument '-1' is invalid: write an integer from 0 to 999999999999999\n"],
    ['start --port abc', 'write a port from 0 to 65535'],
    ['start --port 99999', 'write a port from 0 to 65535'],
    ['start --port 0 --expose ipp:99999', 'write a port from 0 to 65535'],
    ['check --image-port abc', 'write a port from 0 to 65535'],
    ['check --processes 1000', 'write an integer from 1 to 256'],
    ['run ten-seconds --start-at 2020-01-31T08:00:00Z', 'it has passed: write a later time'],
    ['start --port 0 --seed=', 'it must not be empty'],
    ['start --port 0 --key=', 'it must not be empty'],
    ['run blank-page --seed=', 'it must not be empty'],
    ['start --port 0 --data /proc/x.db', 'no file can be opened or made in /proc'],
    ['start --port 0 --data FILE/none/x.db', `there is no folder ${at('folder/none')}`],
    ['start --port 0 --ready-file FILE/none/ready.json', `there is no folder ${at('folder/none')}`],
    ['room --link websocket URL --ready-file FILE/none/ready.json', `there is no folder ${at('folder/none')}`],
    ['clone printer.ppd --out FILE/none/printer.json', `there is no folder ${at('folder/none')}`],
    ['start --port 0 --data BINARY', 'it is not a file that platen wrote'],
    ['clone nofile.ppt', "there is no file 'nofile.ppt'"],
  ])('%s', async (written, said) => {
    const call = written.replace('BINARY', at('binary')).replace('FILE', at('folder'));
    expect(await faultsOf(filled(call), said)).toEqual([]);
    expect(existsSync(at('folder/none'))).toBe(false);
  });

  it.each([
    ['clone ipp://127.0.0.1:9/ipp/print', 'does not answer: connection refused'],
    ['client http://127.0.0.1:9', 'error: cannot connect to http://127.0.0.1:9: connection refused\n'],
    ['clone ipps://HOST/ipp/print', 'it does not speak TLS; write ipp://'],
    ['clone ipp://nohost.invalid/ipp/print', 'there is no host of that name'],
    ['jobs --url URL/x KEY', '/x is not a printing service'],
    ['print invoice --url URL/x KEY', 'without /x?'],
    ['check --target HOOK -g misc/ping', 'the hook advanceClock failed'],
  ])('%s', async (written, said) => {
    writeFileSync(
      at('hook.yaml'),
      `url: ${url()}\nkeys: { main: ${platen.apiKey} }\nhooks: { advanceClock: { http: { url: '{url}/x' } } }\n`,
    );
    const argv = written
      .replace('HOST', new URL(url()).host)
      .replace('URL/x', `${url()}/x`)
      .replace('HOOK', at('hook.yaml'));
    expect(await faultsOf(filled(argv), said, [EXIT.unreachable])).toEqual([]);
  });

  it('a profile that does not exist: some of those that do, not all', async () => {
    writeFileSync(at('odd-room.yaml'), 'computers: [{ name: A, printers: [{ profile: nonsense }] }]\n');
    const argv = ['start', '--port', '0', '--room', at('odd-room.yaml')];
    expect(await faultsOf(argv, "'nonsense' is not known; there are 54, such as fax, plotter, laser-a4")).toEqual([]);
    expect((await call(argv)).text.length).toBeLessThan(500);
  });

  it('check PAGE', async () => {
    const { text } = await call(['check', `${url()}/_platen/`]);
    expect(text).toContain('with { "code": "NotFound", "message": "there is nothing at /_platen/ping" }\n');
  });
});

describe('the address of the page', () => {
  it.each([
    'print invoice --url PAGE KEY',
    'jobs --url PAGE KEY',
    'fault --url PAGE KEY',
    'clock --url PAGE',
    'ready --url PAGE',
  ])('does for %s', async (written) => {
    const said = await call(filled(written.replace('PAGE', `${url()}/_platen/#/jobs`)));
    expect(said).toEqual({ code: EXIT.good, text: expect.any(String) });
  });

  it.each(['check', 'run blank-page', 'run ten-seconds', 'room'])('is put right by %s', async (written) => {
    expect(
      await faultsOf([...written.split(' '), `${url()}/_platen/`], `Its service is at ${url()}`, [EXIT.unreachable]),
    ).toEqual([]);
  });
});

describe('a scenario', () => {
  it.each([
    ['why: short', 'why: must have at least 20 characters'],
    ['steps: [{ wait: 5 seconds }]', 'steps[0].wait: waits for something'],
    ['steps: [{ wait: 5 }]', 'the step `advance: 5s` lets time pass'],
    ['steps: [{ prnt: {} }]', "there is no key 'prnt' here"],
    ['seed: []', 'seed: must be'],
    ['steps: [{ submit: { document: invoice, printer: A, as: a } }]', "did you mean 'invoice.pdf'?"],
    ['steps: [{ request: { path: printers } }]', "must be a string that begins with '/'"],
    ['clock: fast', 'clock: must be virtual or real'],
  ])('with %s', async (line, message) => {
    const text = `title: T\nwhy: A person wants to know that this is refused.\nexpect: {}\nsteps: []\n`;
    const key = line.split(':')[0] ?? '';
    writeFileSync(at('mine.yaml'), `${text.replace(new RegExp(`${key}: .*\n`), '')}${line}\n`);
    expect(await faultsOf(['run', at('mine.yaml')], message)).toEqual([]);
  });
});

it('names a page of the documentation by a path that exists, from any folder', async () => {
  const elsewhere = vi.spyOn(process, 'cwd').mockReturnValue(folder);
  const { text } = await call(['run', at('empty.yaml')]);
  elsewhere.mockRestore();
  const [page = ''] = /\S*docs\/scenarios\.md/.exec(text) ?? [];
  expect(existsSync(path.resolve(folder, page))).toBe(true);
});

describe('a name or a value', () => {
  it.each([
    ['chekc', "did you mean 'check'"],
    ['check --profiel smoke', '--profile'],
    ['check --profile smok', 'smok'],
    ['check -g zzzz', 'zzzz'],
    ['check -r htlm', 'html'],
    ['check --shard 5/4', '2/4'],
    ['check URL --key wrong', 'key'],
    ['run jam-on-page-thre', "did you mean 'jam-on-page-three'"],
    ['run blank-page --plan', '--plan'],
    ['run blank-page --find-knee', '--find-knee'],
    ['run ten-seconds --find-knee --baseline old.json', '--baseline'],
    ['run blank-page --clock fast', 'fast'],
    ['print invioce', "did you mean 'invoice'"],
    ['print invoice --url URL KEY -p Lasr', 'Lasr'],
    ['print invoice --url URL KEY -o copes=2', "did you mean 'copies'"],
    ['print invoice --url URL KEY -o copies', 'copies=VALUE'],
    ['print invoice --url URL --key wrong', 'key'],
    ['faults prnter', "did you mean 'printer'"],
    ['fault printer/Laser medja-jam --url URL KEY', "did you mean 'media-jam'"],
    ['fault printer/Lasr media-jam --url URL KEY', 'Lasr'],
    ['fault prnter/Laser media-jam --url URL KEY', "did you mean 'printer/Laser'?"],
    ['fault printer/Laser --url URL KEY', 'printer/Laser'],
    ['fault link/FRONT-DESK drop --with delay --url URL KEY', 'delay=5s'],
    ['fault --clear nonsense --url URL KEY', "no fault rule 'nonsense' in force\n`platen fault` lists"],
    ['fault printer/Laser --clear --url URL KEY', "no fault is in force at 'printer/Laser'"],
    ['fault printer/Laser media-jam --clear --url URL KEY', "no 'media-jam' is in force at 'printer/Laser'"],
    ['clock advance 1h --url URL KEY', '--clock virtual'],
    ['clock advance soon --url URL KEY', 'soon'],
    ['clock forward --url URL KEY', 'forward'],
    ['start --expose ippp', "Did you mean 'ipp'"],
    ['start --expose ipp:99999', '99999'],
    ['start --host 300.1.1.1 --port 0', '300.1.1.1'],
    ['room --expose ippp', 'ippp'],
    ['room', 'platen room --expose ipp'],
    ['run blank-page URL KEY --link ./nowhere.ts', 'nowhere.ts'],
    ['completion tcsh', 'tcsh'],
    ['report', 'platen report --help'],
    ['help prnt', "did you mean 'print'"],
    ['start --data FOLDER', 'folder'],
    ['start --port 0 --room ROOM', "did you mean 'laser-a4'"],
  ])('%s', async (written, names) => {
    const argv = written
      .split(' ')
      .map((word) => (word === 'FOLDER' ? at('folder') : word === 'ROOM' ? at('room.yaml') : word));
    expect(await faultsOf(filled(argv.join(' ')), names)).toEqual([]);
  });
});
