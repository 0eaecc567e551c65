/**
 * platen start: a printing service with a room of printers, until it is stopped.
 */

import { once } from 'node:events';

import { Option, type Command } from 'commander';

import { ActionableError, usageError } from '../common/actionable-error.ts';
import { countOf } from '../common/count-of.ts';
import { messageOf, stackLines } from '../common/error-message.ts';
import { OWNER_ALONE } from '../common/owner-alone.ts';
import { packageVersion } from '../common/package-version.ts';
import type { Exposure } from '../hardware/exposed-room.ts';
import type { AccountPrinterView } from '../record/control-types.ts';
import { DEFAULT_API_KEY } from '../workbench/defaults.ts';
import type { CheckedData, StartedPlaten } from '../workbench/start.ts';
import type { StartOptions } from '../workbench/workbench.ts';
import { line, styled, type Line } from '../report/terminal/line.ts';
import { table } from '../report/terminal/table.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { styledError } from './explain.ts';
import { ensureFolderOf, removeFile, writeFileWhole } from './files/whole-file.ts';
import { interruption } from './interruption.ts';
import { onNpmGone } from './npm-parent.ts';
import { exposeOption, hardwareRecord, hardwareTable } from './options/expose-option.ts';
import {
  allowFilesOption,
  clockOption,
  type FilesFlags,
  filled,
  jsonOption,
  limitsOption,
  portNumber,
  readRoomFile,
  roomOption,
} from './options/option-values.ts';
import { addTlsOptions, caFileOf, tlsChoice, type TlsFlags } from './options/tls-options.ts';
import { err, out, outJson } from './screen/terminal.ts';

interface StartFlags extends TlsFlags, FilesFlags {
  readonly port?: number;
  readonly host?: string;
  readonly data?: string;
  readonly check?: true;
  readonly room?: string;
  readonly seed?: string;
  readonly limits?: 'spec' | 'off';
  readonly clock?: 'real' | 'virtual';
  readonly key?: string;
  readonly controlToken?: string;
  readonly loadToken?: string;
  readonly expose?: Exposure;
  readonly readyFile?: string;
  readonly json?: true;
  readonly quiet?: true;
}

export function startCommand(program: Command, finish: (code: ExitCode) => void): void {
  addTlsOptions(program.command('start'))
    .description('start a printing service with a room of printers (what `platen` alone does)')
    .option('-p, --port <port>', 'port; 0 takes any free one (default: 8631)', portNumber)
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--data <file>', 'keep all data in this file (default: in memory)', filled)
    .option('--check', 'verify the data file, and end: 0 when it is whole, 64 when it is damaged')
    .option('--seed <seed>', 'seed of everything random (default: 1)', filled)
    .addOption(roomOption())
    .addOption(allowFilesOption())
    .addOption(limitsOption())
    .addOption(clockOption())
    .addOption(
      new Option(
        '--key <key>',
        `API key (default: that of the data file, or ${DEFAULT_API_KEY}; beyond loopback a new one at the first start)`,
      )
        .env('PLATEN_API_KEY')
        .argParser(filled),
    )
    .addOption(
      new Option(
        '--control-token <token>',
        'token for the control API beyond loopback (default: a new one at each start)',
      ).env('PLATEN_CONTROL_TOKEN'),
    )
    .addOption(
      new Option(
        '--load-token <token>',
        'permit a load from another machine that gives this token: see docs/load.md',
      ).env('PLATEN_LOAD_TOKEN'),
    )
    .addOption(exposeOption())
    .option(
      '--ready-file <file>',
      'write {url, apiKey, pid} here once it is ready, with --expose also the addresses, with --tls the caFile',
      filled,
    )
    .addOption(jsonOption())
    .option('-q, --quiet', 'print nothing')
    .action(async (flags: StartFlags) => finish(await (flags.check ? checkData(flags) : run(flags))));
}

async function run(flags: StartFlags): Promise<ExitCode> {
  const { readyFile } = flags;
  // One left by a workbench that was killed would say "ready" too early.
  if (readyFile !== undefined) {
    ensureFolderOf(readyFile);
    removeFile(readyFile);
  }
  return serve(await startOptions(flags), async (platen, stopped) => {
    using ca = caFileOf(platen.certificate, flags);
    const { url, apiKey } = platen;
    if (readyFile !== undefined) {
      const ready = { url, apiKey, pid: process.pid, caFile: ca.file, ...hardwareOf(platen, flags) };
      writeFileWhole(readyFile, `${JSON.stringify(ready)}\n`, OWNER_ALONE);
    }
    await announce(platen, flags, ca.file);
    await stopped();
    if (readyFile !== undefined) removeFile(readyFile);
  });
}

/**
 * Runs a workbench.
 *
 * @param body - says that it is ready; the workbench is there until it resolves
 */
export async function serve(
  options: StartOptions,
  body: (platen: StartedPlaten, stopped: () => Promise<unknown>) => Promise<void>,
): Promise<ExitCode> {
  const gone = new AbortController();
  onNpmGone(() => gone.abort());
  // An interruption is how these commands end normally.
  const interrupted = AbortSignal.any([interruption(EXIT.good), gone.signal]);
  const { start } = await import('../workbench/start.ts');
  await using platen = await start({ ...options, onFault });
  await body(platen, async () => interrupted.aborted || once(interrupted, 'abort'));
  return EXIT.good;
}

/** @throws ActionableError when the file is damaged, or cannot be opened */
async function checkData({ data, json, quiet }: StartFlags): Promise<ExitCode> {
  if (data === undefined)
    throw usageError('--check verifies a data file, and none is named', 'Name it with --data FILE.');
  const { checkData: check } = await import('../workbench/start.ts');
  const found = check(data);
  if (json) outJson(found);
  else if (!quiet) out(dataReport(found));
  if (found.damage.length === 0) return EXIT.good;
  throw usageError(
    `${data} is damaged in ${countOf(found.damage.length, 'place')}`,
    'Continue with a copy of it, or with what can be read: a damaged document is not printed.',
  );
}

function dataReport({ file, rows, damage }: CheckedData): readonly Line[] {
  return [
    ...damage.map((one) => `${file}: table ${one.table}, row ${one.row}: ${one.what}`),
    ...table(Object.entries(rows).map(([name, count]) => [name, countOf(count, 'row')])),
    ...(damage.length === 0 ? [`${file} is whole: every row can be read, every document is as it was accepted.`] : []),
  ];
}

/** `hardware`, where the room is exposed. */
function hardwareOf(platen: StartedPlaten, { expose }: StartFlags): { hardware?: Record<string, string>[] } {
  return expose ? { hardware: hardwareRecord(platen.hardware()) } : {};
}

async function startOptions(flags: StartFlags): Promise<StartOptions> {
  const { port, host, data, seed, limits, clock, key, controlToken, loadToken, expose } = flags;
  const tls = await tlsChoice(flags);
  const room = await readRoomFile(flags.room, flags);
  return {
    port,
    host,
    dataFile: data,
    seed,
    limits,
    clock,
    apiKey: key,
    controlToken,
    loadToken,
    room: room?.description,
    expose,
    tls,
  };
}

/** Primary codes of SQLite for what a disk does: READONLY, IOERR and FULL. A stack trace says nothing about those. */
const DISK_FAULTS: readonly number[] = [8, 10, 13];

/** A caller sees nothing of it but a 500. */
function onFault(error: unknown): void {
  const [reason, ...trace] = reasonOf(error);
  err([styledError(`error: a fault in the service; a request that met it got 500 InternalError${reason}`), ...trace]);
}

/** What the first line ends with, and the lines below it. */
function reasonOf(error: unknown): readonly [string, ...string[]] {
  if (error instanceof ActionableError) return [`: ${error.message}`];
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) % 256 : 0;
  if (DISK_FAULTS.includes(code)) return [`: the data file cannot be written: ${messageOf(error)}`];
  return ['', ...stackLines(error)];
}

async function announce(platen: StartedPlaten, flags: StartFlags, caFile: string | undefined): Promise<void> {
  const { url, apiKey, controlToken } = platen;
  const printers = await platen.printers();
  if (flags.json)
    outJson({
      url,
      apiKey,
      pid: process.pid,
      caFile,
      ...(controlToken && { controlToken }),
      printers,
      ...hardwareOf(platen, flags),
    });
  else if (!flags.quiet) out(banner(platen, printers, { dataFile: flags.data, caFile }));
}

interface BannerOptions {
  readonly dataFile: string | undefined;
  readonly caFile: string | undefined;
}

function banner(
  platen: StartedPlaten,
  printers: readonly AccountPrinterView[],
  { dataFile, caFile }: BannerOptions,
): readonly Line[] {
  const { url, apiKey, controlToken } = platen;
  const hardware = platen.hardware();
  const [printer] = printers;
  const reach = urlFlag(url) + (caFile === undefined ? '' : ` --ca ${caFile}`);
  const trust = caFile === undefined ? '' : `--cacert ${caFile} `;
  const facts = [
    ['service', url],
    ['page', `${url}/_platen/`],
    ['API key', `${apiKey}  (the user name of HTTP Basic; the password is empty)`],
    ...(controlToken === undefined ? [] : [['control', `${controlToken}  (bearer token of ${url}/_platen)`]]),
    ...(caFile === undefined
      ? []
      : [['certificate', `${caFile}  (also for NODE_EXTRA_CA_CERTS and --cacert of curl)`]]),
    ['data', dataFile ?? 'in memory; --data FILE keeps it'],
  ];
  return [
    line`${styled('bold', 'platen')} ${packageVersion()} is ready. Ctrl-C stops it.`,
    '',
    ...table(facts, '  '),
    '',
    styled('bold', '  In the room'),
    ...table(printers.map(printerRow), '    '),
    ...(hardware.length > 0 ? ['', styled('bold', '  For operating systems'), ...hardwareTable(hardware, '    ')] : []),
    '',
    styled('bold', '  Try, in another terminal'),
    `    curl ${trust}-u ${apiKey}: ${url}/printers`,
    ...(printer ? [`    npx platen print invoice --printer '${printer.name}' --wait --out sheets${reach}`] : []),
    `    npx platen jobs${reach}`,
    ...(hardware.length > 0 ? [`    curl ${trust}${url}/_platen/printouts  (what operating systems printed)`] : []),
  ];
}

function printerRow({ id, name, computer, state, summary }: AccountPrinterView): readonly Line[] {
  return [`${id}`, styled('cyan', name), computer, state ?? 'unknown', summary];
}

/** Commands find a workbench on the default port without it. */
function urlFlag(url: string): string {
  return url === 'http://127.0.0.1:8631' ? '' : ` --url ${url}`;
}
