/**
 * What a disk, or somebody who edits a data file, may do to it: whatever it is, a start goes on or says which table and
 * row cannot be read, and `--check` finds every document that is not as it was accepted.
 */

import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';

import { createRandom } from '../../../src/common/random.ts';
import { columnsOf, createTables } from '../../../src/service/store/schema.ts';
import { platen, PROJECT, run, startWorkbench } from '../../support/command-line.ts';
import { alteredCopy, checkOf, documentsIn, flippedCopy, makeDataFile, startOn } from '../../support/damaged-data.ts';
import { tried, type Attack, type AttackTable } from '../attack.ts';
import { ask, type AttackedBench } from '../attacked-bench.ts';

const made = new WeakMap<AttackedBench, Promise<string>>();

/** One file for all rows: each damages a copy. */
function wholeFile(bench: AttackedBench): Promise<string> {
  const known = made.get(bench) ?? makeIn(bench.folder);
  made.set(bench, known);
  return known;
}

async function makeIn(folder: string): Promise<string> {
  const file = path.join(folder, 'whole.db');
  await makeDataFile(file);
  return file;
}

const freshFile = (bench: AttackedBench): string => path.join(mkdtempSync(path.join(bench.folder, 'data-')), 'data.db');

/** How a start and a check of a file go, in a few words: `start refused, check damaged at records`. */
async function seenOf(file: string): Promise<string> {
  const [start, check] = [await startOn(file), checkOf(file)];
  if (/^broke/m.test(`${start}\n${check}`)) return `${start}; ${check}`;
  return `start ${start.split(':', 1)[0]}, check ${placeIn(check)}`;
}

function placeIn(seen: string): string {
  const [, kind, place] = /^(\w+)(?:.*?table (\w+(?:\.\w+)?))?/.exec(seen) ?? [];
  return place === undefined ? (kind ?? '') : `${kind} at ${place}`;
}

const altered = (attack: string, sql: string, expected: string) =>
  tried(attack, expected, async (bench) => seenOf(alteredCopy(await wholeFile(bench), freshFile(bench), sql)));

function columnsOfAll(): ReturnType<typeof columnsOf> {
  using db = new DatabaseSync(':memory:');
  createTables(db);
  return columnsOf(db);
}

const COLUMNS = columnsOfAll();
const TABLES = [...new Set(COLUMNS.map(({ table }) => table))];

/** A file in which something is missing is refused as it is opened, by a start and by a check alike. */
const refusedAt = (place: string): string => `start refused, check refused at ${place}`;

const MISSING_TABLES = TABLES.map((table) =>
  altered(`a data file without the table ${table}`, `DROP TABLE ${table}`, refusedAt(`${table}.${firstOf(table)}`)),
);

const MISSING_COLUMNS = COLUMNS.map(({ table, name }) =>
  altered(
    `a data file without the column ${table}.${name}`,
    `ALTER TABLE ${table} RENAME COLUMN ${name} TO another`,
    refusedAt(`${table}.${name}`),
  ),
);

function firstOf(table: string): string {
  return COLUMNS.find((column) => column.table === table)?.name ?? '';
}

/** Tables that a start reads as a whole; the others are read when a request asks for a row. */
const READ_AT_START = new Set(['records', 'webhook_events']);
/** By its kind, a record or a counter of another type is one that the start does not ask for. */
const NOT_ASKED_FOR = new Set(['records.kind', 'counters.kind']);

/** An INTEGER PRIMARY KEY cannot have another type. */
const isRowId = ({ table, type, isKey }: (typeof COLUMNS)[number]): boolean =>
  isKey && type === 'INTEGER' && COLUMNS.filter((column) => column.table === table && column.isKey).length === 1;

const WRONG_TYPES = COLUMNS.filter((column) => !isRowId(column)).map(({ table, name }) => {
  const column = `${table}.${name}`;
  const isRefused =
    (READ_AT_START.has(table) && !NOT_ASKED_FOR.has(column)) ||
    ['counters.last_id', 'print_jobs.expire_ms'].includes(column);
  return altered(
    `bytes instead of a value in ${column}`,
    `UPDATE ${table} SET ${name} = CAST(${name} || x'ff' AS BLOB)`,
    `start ${isRefused ? 'refused' : 'starts'}, check damaged at ${table}`,
  );
});

const JSON_COLUMNS = ['records.json', 'print_jobs.options', 'print_jobs.authentication', 'print_job_states.data'];

const BROKEN_JSON = [...JSON_COLUMNS, 'webhook_events.json'].map((column) => {
  const [table = '', name = ''] = column.split('.');
  return altered(
    `half of the JSON in ${column}`,
    `UPDATE ${table} SET ${name} = substr(${name}, 1, length(${name}) / 2) WHERE ${name} IS NOT NULL`,
    `start ${READ_AT_START.has(table) ? 'refused' : 'starts'}, check damaged at ${table}`,
  );
});

const KINDS = ['account', 'client-download', 'client-key', 'computer', 'printer', 'webhook'];
const EMPTIED = ['null', '[]', '{}', '{"id": 1}', '{"id": "1"}'];

const STRANGE_RECORDS = KINDS.flatMap((kind) =>
  EMPTIED.map((json) =>
    altered(
      `a record of the kind ${kind} that is ${json}`,
      `UPDATE records SET json = '${json}' WHERE kind = '${kind}'`,
      'start refused, check damaged at records',
    ),
  ),
);

const LOST_DOCUMENTS: readonly Attack[] = [
  altered(
    'a document with one other letter',
    `UPDATE print_job_contents SET content = replace(content, 'QUJD', 'QUJE') WHERE job_id = 5`,
    'start starts, check damaged at print_job_contents',
  ),
  altered(
    'a job without its document',
    'DELETE FROM print_job_contents WHERE job_id = 5',
    'start starts, check damaged at print_job_contents',
  ),
];

const FLIPS_A_ROW = 10;
const FLIPPED = Array.from({ length: 20 }, (_, row) =>
  tried(
    `${FLIPS_A_ROW} files with a turned bit, from the seed ${row}`,
    'each starts or is refused with a reason; each changed document is found',
    async (bench) => {
      const [whole, random] = [await wholeFile(bench), createRandom(row)];
      for (let flip = 0; flip < FLIPS_A_ROW; flip++) {
        const copy = flippedCopy(whole, freshFile(bench), random);
        const check = checkOf(copy);
        const isMissed = check === 'whole' && !isDeepStrictEqual(documentsIn(copy), documentsIn(whole));
        if (isMissed) return `a changed document is not found in ${copy}`;
        const start = await startOn(copy);
        for (const seen of [check, start]) if (seen.startsWith('broke')) return seen;
      }
      return 'each starts or is refused with a reason; each changed document is found';
    },
  ),
);

interface ByCommand {
  readonly attack: string;
  readonly damage?: (file: string) => void;
  readonly argv?: readonly string[];
  readonly code: number;
  readonly says: string;
}

const BY_COMMAND: readonly ByCommand[] = [
  { attack: 'a start on half a file', damage: halve, code: 64, says: 'it is damaged: table sqlite_schema' },
  {
    attack: 'a start on a file with a record that is not whole',
    damage: (file) => alterIn(file, "UPDATE records SET json = '{' WHERE kind = 'account' AND id = 1"),
    code: 64,
    says: 'it is damaged: table records, row account 1: its JSON cannot be read',
  },
  {
    attack: 'a start on a file of a later version',
    damage: (file) => alterIn(file, 'PRAGMA user_version = 9999'),
    code: 64,
    says: 'it was not written by this version of platen (format 9999',
  },
  { attack: 'a check of a whole file', argv: ['--check'], code: 0, says: 'every document is as it was accepted' },
  {
    attack: 'a check of a file with a changed document',
    damage: (file) => alterIn(file, "UPDATE print_job_contents SET content = 'QUJE' WHERE job_id = 5"),
    argv: ['--check', '--json'],
    code: 64,
    says: '"table": "print_job_contents",\n      "row": "5"',
  },
  {
    attack: 'a check of half a file',
    damage: halve,
    argv: ['--check'],
    code: 64,
    says: 'it is damaged: table sqlite_schema',
  },
  {
    attack: 'a check of a file of another program',
    damage: (file) => writeFileSync(file, 'Dear reader, this is a letter. '.repeat(100)),
    argv: ['--check'],
    code: 64,
    says: 'it is not a file that platen wrote',
  },
  {
    attack: 'a check of a file that is not there',
    damage: (file) => rmSync(file),
    argv: ['--check'],
    code: 64,
    says: 'there is no such file',
  },
];

function halve(file: string): void {
  truncateSync(file, statSync(file).size / 2);
}

function alterIn(file: string, sql: string): void {
  using db = new DatabaseSync(file);
  db.exec(sql);
}

const COMMANDS = BY_COMMAND.map(({ attack, damage, argv = [], code: wanted, says }) =>
  tried(attack, `${wanted}: ${says}`, async (bench) => {
    const file = alteredCopy(await wholeFile(bench), freshFile(bench), '');
    damage?.(file);
    const { code, stdout, stderr } = await platen(['start', '--port', '0', '--data', file, ...argv]);
    const said = stdout + stderr;
    return `${code}: ${said.includes(says) ? says : said}`;
  }),
);

const PRIVATE = `
  node "$1/bin/platen.js" start --port 0 --data data.db --ready-file ready.json --quiet &
  until [ -s ready.json ]; do sleep 0.05; done
  stat --format '%n %a' data.db data.db-wal ready.json
  node "$1/bin/platen.js" start --check --data data.db 2>&1 | grep -o 'another program has it open'
  kill $!
  wait $!
`;

/** No file of a process may grow beyond so many bytes. */
const limitFiles = (pid: number, bytes: string) => run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
/** Room for small jobs, and not for a large one. */
const ROOM_BYTES = 400_000;
const LARGE_BYTES = 1_000_000;

const RUNNING: readonly Attack[] = [
  tried(
    'another user of the machine reads the files of a new workbench, another program checks its data',
    'data.db 600, data.db-wal 600, ready.json 600, another program has it open',
    async (bench) => {
      const cwd = path.dirname(freshFile(bench));
      const { stdout } = await run('sh', ['-c', PRIVATE, 'sh', PROJECT], { cwd });
      return stdout.trim().split('\n').join(', ');
    },
  ),
  tried(
    'a disk that is full for a large document, and takes small ones',
    'health 200; large 500, health 503, ready 75; small 201, health 503; with room: health 200, large 201',
    async (bench) => {
      const data = freshFile(bench);
      const workbench = await startWorkbench(['--data', data]);
      const print = async (bytes: number) => {
        const body = { printerId: 1, title: 'x', contentType: 'raw_base64', content: 'A'.repeat(bytes) };
        return (
          await ask(workbench.url, 'POST', '/printjobs', {
            key: workbench.apiKey,
            headers: JSON_BODY,
            body: JSON.stringify(body),
          })
        ).status;
      };
      const health = async () => (await ask(workbench.url, 'GET', '/_platen/health')).status;
      try {
        const before = `health ${await health()}`;
        await limitFiles(workbench.pid, String(statSync(`${data}-wal`).size + ROOM_BYTES));
        const large = `large ${await print(LARGE_BYTES)}, health ${await health()}`;
        const { code } = await platen(['ready'], { env: workbench.env });
        const small = `small ${await print(100)}, health ${await health()}`;
        await limitFiles(workbench.pid, 'unlimited');
        const after = `with room: health ${await health()}, large ${await print(LARGE_BYTES)}`;
        return `${before}; ${large}, ready ${code}; ${small}; ${after}`;
      } finally {
        await workbench.stop();
      }
    },
  ),
];

const JSON_BODY = { 'content-type': 'application/json' };

export const DATA_FILE_ATTACKS: AttackTable = {
  kind: 'a disk or a data file',
  against: 'command',
  attacks: [
    ...MISSING_TABLES,
    ...MISSING_COLUMNS,
    ...WRONG_TYPES,
    ...BROKEN_JSON,
    ...STRANGE_RECORDS,
    ...LOST_DOCUMENTS,
    ...FLIPPED,
    ...COMMANDS,
    ...RUNNING,
  ],
};
