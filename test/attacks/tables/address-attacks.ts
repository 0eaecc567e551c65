/**
 * What the command line names as an address: one with a secret in it, by each place that takes an address × each way to
 * write it; and one where something answers that is no service, by each command × each thing that it may say.
 */

import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';

import { portOf } from '../../../src/common/port-of.ts';
import type { Attack, AttackTable } from '../attack.ts';
import type { AttackedBench } from '../attacked-bench.ts';
import { called } from '../called-commands.ts';

const SECRET = 'pa55word-of-the-caller';

/** Nothing listens at this port. */
const SPELLINGS = [
  `http://user:${SECRET}@127.0.0.1:1`,
  `http://${SECRET}@127.0.0.1:1`,
  ` http://user:${SECRET}@127.0.0.1:1`,
  `HTTP://user:${SECRET}@127.0.0.1:1`,
  `http:user:${SECRET}@127.0.0.1:1`,
  String.raw`http:\\user:${SECRET}@127.0.0.1:1`,
  `http://us@er:${SECRET}@127.0.0.1:1`,
  `http://user:/${SECRET}@127.0.0.1:99999`,
  `http://user:${SECRET}@[::1`,
  `http://:${SECRET}@a-host-with-a-long-name.example:99999`,
  `ftp://user:a '"b, ${SECRET}@127.0.0.1`,
  `user:${SECRET}@127.0.0.1:1`,
  `//user:${SECRET}@127.0.0.1:1`,
  `ftp://user:${SECRET}@127.0.0.1`,
  `http://127.0.0.1:1/?key=${SECRET}`,
  `http://127.0.0.1:1/api?a=b&key=${SECRET}`,
  `ftp://127.0.0.1/?key=${SECRET}`,
  `http://127.0.0.1:99999/#${SECRET}`,
];

/** Places of a command line; X stands for the address, and a scheme before it takes the place of http. */
const PLACES: readonly (readonly string[])[] = [
  ['check', 'X'],
  ['run', 'jam-on-page-three', 'X'],
  ['explore', 'X'],
  ['room', 'X'],
  ['client', 'X'],
  ['ready', '--url', 'X'],
  ['jobs', '--url', 'X'],
  ['print', 'invoice', '--url', 'X'],
  ['fault', '--url', 'X'],
  ['clock', '--url', 'X'],
  ['reset', '--url', 'X'],
  ['check', '--grep', '^misc/ping$', '--open', 'X'],
  ['clone', 'ipp:X'],
  ['worker', '--nats', 'nats:X'],
  ['init', 'made', '--service', 'X'],
];

const secrets = PLACES.flatMap((words) =>
  SPELLINGS.map((spelling): Attack => ({
    attack: `platen ${words.join(' ')} with ${spelling.replace(SECRET, 'SECRET')}`,
    expected: 'told, without the secret',
    play: async (bench) => {
      const cwd = mkdtempSync(path.join(bench.folder, 'address-'));
      const argv = words.map((word) => word.replace(/^(\w+:)?X$/, (_, as) => withScheme(spelling, as as string)));
      const { code, text } = await called({ argv, cwd });
      if (text.includes(SECRET) || filesIn(cwd).some((file) => readFileSync(file, 'utf8').includes(SECRET)))
        return `shown: ${text}`;
      return code === 64 || code === 75 ? 'told, without the secret' : `${code}: ${text}`;
    },
  })),
);

function withScheme(spelling: string, scheme: string | undefined): string {
  return scheme === undefined ? spelling : spelling.replace(/https?:/i, scheme);
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map((name) => path.join(folder, name)).filter((file) => statSync(file).isFile());
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** What comes without an end after what came before; nothing more where it is empty. */
const ANSWERS: Readonly<Record<string, readonly [first: string, endless: string]>> = {
  'endless headers': ['HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'],
  'endless trailers': [`${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n`, 'X-A: b\r\n'],
  'an endless extension of a chunk': [`${HEAD}Transfer-Encoding: chunked\r\n\r\n2;`, 'a=b;'],
  'an endless body': [`${HEAD}\r\n`, '[],'],
  'a body where there is none': ['HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello', ''],
  'a page that is followed by the same page': [
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk(`[${Array.from({ length: 100 }, (_, index) => printer(index)).join()}]`)}0\r\n\r\n`,
    '',
  ],
  'no HTTP': ['0'.repeat(100), ''],
};

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

function printer(id: number): string {
  return JSON.stringify({ id, name: 'Laser', computer: { name: 'DESK' } });
}

const COMMANDS: readonly (readonly string[])[] = [
  ['check', 'X', '--grep', '^misc/ping$'],
  ['room', 'X'],
  ['ready', '--url', 'X'],
  ['reset', '--url', 'X'],
  ['print', 'invoice', '--url', 'X'],
  ['clone', 'ipp:X'],
];

const strangers = COMMANDS.flatMap((words) =>
  Object.entries(ANSWERS).map(([what, answer]): Attack => ({
    attack: `platen ${words.join(' ')}, where ${what} comes`,
    expected: 'it ends and says so',
    play: (bench) => playAt(bench, words, answer),
  })),
);

async function playAt(
  bench: AttackedBench,
  words: readonly string[],
  [first, endless]: readonly [string, string],
): Promise<string> {
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        if (data.includes('\r\n\r\n')) socket.write(first, () => endless !== '' && pour(socket, endless));
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${portOf(server)}`;
  const argv = words.map((word) => word.replace(/^(\w+:)?X$/, (_, as) => withScheme(address, as as string)));
  try {
    const { code, text } = await called({ argv, cwd: bench.folder });
    return text !== '' && [0, 1, 2, 64, 75].includes(code ?? -1) ? 'it ends and says so' : `${code}: ${text}`;
  } finally {
    server.close();
  }
}

/** For as long as somebody reads. */
function pour(socket: Socket, text: string): void {
  const piece = text.repeat(1_000);
  const on = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', on);
  on();
}

export const ADDRESS_ATTACKS: AttackTable = {
  kind: 'an address on the command line',
  against: 'command',
  attacks: [...secrets, ...strangers],
};
