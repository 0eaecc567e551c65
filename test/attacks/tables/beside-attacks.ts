/**
 * What may lie beside a record that somebody sends, and what may stand in one that only other commands look into: each
 * place × everything that is not what belongs there. Each ends with 64 and says what it is about.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';

import { Durations } from '../../../src/load/measure/histogram.ts';
import { madeUpLoad, madeUpRun } from '../../support/run-records.ts';
import type { Attack, AttackTable } from '../attack.ts';
import type { AttackedBench } from '../attacked-bench.ts';
import { called } from '../called-commands.ts';

const GIGABYTE = 1024 ** 3;

const THINGS: Readonly<Record<string, (file: string) => void>> = {
  'a pipe': (file) => void spawnSync('mkfifo', [file]),
  'a link to a device': (file) => symlinkSync('/dev/zero', file),
  'a folder': (file) => mkdirSync(file),
  'a file of a terabyte': (file) => {
    writeFileSync(file, '');
    truncateSync(file, 1024 * GIGABYTE);
  },
  'an empty file': (file) => writeFileSync(file, ''),
  'a letter': (file) => writeFileSync(file, 'Dear reader'),
  'compressed lists in lists': (file) => writeFileSync(file, gzipSync('['.repeat(1_000_000))),
  'sixty million compressed lines': (file) => writeFileSync(file, gzipSync('{}\n'.repeat(60_000_000))),
  'a compressed gigabyte': (file) => writeFileSync(file, gzipSync(Buffer.alloc(GIGABYTE), { level: 1 })),
  'a ledger of four billion rows': (file) => writeFileSync(file, Buffer.from('PLG1'.padEnd(16, '\xff'), 'latin1')),
};

/** The name of the file, and a command that looks for it. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  'exchanges.ndjson.gz': ['analyze', 'one'],
  'ledger.bin': ['report', 'merge', 'one', 'two'],
};

const beside = Object.entries(PLACES).flatMap(([name, argv]) =>
  Object.entries(THINGS).map(([what, make]): Attack => ({
    attack: `${argv.slice(0, -1).join(' ')}, where ${name} is ${what}`,
    expected: `64, naming ${name}`,
    play: (bench) =>
      inFolders(bench, argv[0] === 'analyze' ? [madeUpRun(), madeUpRun()] : shards(), argv, (folder) =>
        make(path.join(folder, name)),
      ).then(({ code, text }) => `${code}, ${text.includes(name) ? `naming ${name}` : text.slice(0, 200)}`),
  })),
);

type Load = ReturnType<typeof madeUpLoad>;

/** Two that can be joined. */
function shards(change: (load: Load) => Load = (load) => load): Load[] {
  return [1, 2].map((shard) => {
    const load = madeUpLoad();
    const plan = { ...load.plan, shards: 2, present: [shard] };
    return shard === 1 ? { ...load, plan, missingShards: [2] } : change({ ...load, plan, missingShards: [1] });
  });
}

/** A compressed histogram whose settings and counts are these bytes. */
function histogram(bytes: Buffer): string {
  const compressed = deflateSync(bytes);
  const wrapper = Buffer.alloc(8);
  wrapper.writeInt32BE(0x1c849314);
  wrapper.writeInt32BE(compressed.length, 4);
  return Buffer.concat([wrapper, compressed]).toString('base64');
}

/** Settings of a histogram: significant digits, the least and the greatest value. */
function settings(digits: number, least: bigint, greatest: bigint): Buffer {
  const bytes = Buffer.alloc(40);
  for (const [place, word] of [0x1c849313, 9, 1, digits].entries()) bytes.writeInt32BE(word, place * 4);
  for (const [place, word] of [least, greatest, 1n].entries()) bytes.writeBigInt64BE(word, 16 + place * 8);
  return bytes;
}

const OWN = settings(3, 1n, 3_600_000_000n);
const HISTOGRAMS: Readonly<Record<string, () => string>> = {
  'an empty text': () => '',
  'no base64': () => '\u001B[2J',
  'other base64': () => 'AAAA',
  'a histogram of another sort': () => histogram(settings(5, 1n, 2n ** 53n)),
  'a histogram of 200 digits': () => histogram(settings(200, 1n, 2n ** 60n)),
  'a histogram that inflates to a gigabyte': () => histogram(Buffer.alloc(GIGABYTE)),
  'a histogram that skips 2^60 values': () => histogram(Buffer.concat([OWN, Buffer.alloc(9, 0xff)])),
  'a histogram that ends in a number': () => histogram(Buffer.concat([OWN, Buffer.alloc(8, 0xff)])),
  'half of a histogram': () => new Durations().toBase64().slice(0, 20),
};

/** Commands that read the distribution of a record, and what they are given. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  'report merge': ['report', 'merge', 'one', 'two'],
  'run --baseline': ['run', 'ten-seconds', '--baseline', 'two/run.json', '--plan'],
};

const distributions = Object.entries(READERS).flatMap(([command, argv]) =>
  Object.entries(HISTOGRAMS).map(([what, made]): Attack => ({
    attack: `${command}, where the times of a record are ${what}`,
    expected: '64',
    play: async (bench) => {
      const records = shards((load) => ({
        ...load,
        streams: load.streams.map((stream) => ({
          ...stream,
          response: { ...stream.response, count: 1_000_000, histogram: made() },
        })),
      }));
      const { code, text } = await inFolders(bench, records, argv);
      return code === 64 ? '64' : `${code}: ${text.slice(0, 200)}`;
    },
  })),
);

/** Calls a command with two folders that have a record each. */
function inFolders(
  bench: AttackedBench,
  records: readonly object[],
  argv: readonly string[],
  fill: (folder: string) => void = () => undefined,
): ReturnType<typeof called> {
  const cwd = mkdtempSync(path.join(bench.folder, 'beside-'));
  for (const [index, name] of ['one', 'two'].entries()) {
    const folder = path.join(cwd, name);
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'run.json'), JSON.stringify(records[index]));
    fill(folder);
  }
  return called({ argv, cwd });
}

export const BESIDE_ATTACKS: AttackTable = {
  kind: 'what lies beside a record, or is only read by some commands',
  against: 'command',
  attacks: [...beside, ...distributions],
};
