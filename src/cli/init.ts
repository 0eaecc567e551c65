/**
 * platen init: files to start from, in a folder of the caller's: a target descriptor, a scenario, a test, a workflow.
 *
 * Each works as it stands. What is there already stays as it is.
 */

import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { Option, type Command } from 'commander';

import { makeFolder, unwritableFolder } from '../common/folder.ts';
import { addressOf } from '../common/service-address.ts';
import { shellArgument } from '../common/shell-word.ts';
import { readTextFile } from '../common/given-file.ts';
import { table } from '../report/terminal/table.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { PIPELINE_STARTERS } from './files/pipeline-starters.ts';
import {
  checkCommand,
  starterFiles,
  type FoundService,
  type ServicePlace,
  type StarterFile,
} from './files/starter-files.ts';
import type { Target } from '../targets/target.ts';
import { DEFAULT_API_KEY } from '../workbench/defaults.ts';
import { filled, startOption } from './options/option-values.ts';
import { ask, canAsk } from './screen/question.ts';
import { out } from './screen/terminal.ts';

interface InitFlags {
  readonly service?: string;
  readonly start?: string;
  readonly pipeline?: string;
}

export function initCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('init')
    .description('write files to start from: a target descriptor, a scenario, a test and a workflow for CI')
    .argument('[folder]', 'where; created if needed', filled, '.')
    .addOption(new Option('--service <address>', 'the service to check (default: the reference service)'))
    .addOption(startOption().conflicts('service'))
    .addOption(
      new Option('--pipeline <kind>', 'a pipeline file instead, for a print system with an API of its own').choices(
        Object.keys(PIPELINE_STARTERS),
      ),
    )
    .action(async (folder: string, flags: InitFlags) => finish(await run(folder, flags)));
}

async function run(folder: string, { service, start, pipeline }: InitFlags): Promise<ExitCode> {
  if (pipeline !== undefined) return startPipeline(folder, PIPELINE_STARTERS[pipeline] ?? {});
  const place = start === undefined ? await placeAsked(service) : { start };
  const found = place && (await askService(place, folder));
  const files = starterFiles(place, found);
  const rows = writtenRows(folder, files);
  const target = path.join(folder, TARGET);
  const isOfAnother = (await readTextFile(target, 'Name another folder.')) !== files[TARGET]?.text;
  out([...table(rows, '  '), '', ...nextSteps(folder, isOfAnother ? KEPT : commandsFor(place, found))]);
  return EXIT.good;
}

function startPipeline(folder: string, files: StarterFiles): ExitCode {
  const steps = [...placeOf(folder), '  npx platen explore --target pipeline.yaml --for 1m'];
  out([...table(writtenRows(folder, files), '  '), '', 'Try it:', ...steps]);
  return EXIT.good;
}

type StarterFiles = Readonly<Record<string, StarterFile>>;

function writtenRows(folder: string, files: StarterFiles): string[][] {
  return Object.entries(files).map(([name, { about, text }]) => {
    const isNew = writeNew(path.join(folder, name), text);
    return [isNew ? 'new ' : 'kept', name, isNew ? about : 'was there already'];
  });
}

const QUESTION = 'Address of the service to check (Enter: the reference service): ';

async function placeAsked(service: string | undefined): Promise<ServicePlace | undefined> {
  const isAsked = service === undefined && canAsk();
  const url = addressIn(isAsked ? await ask(QUESTION) : (service ?? ''));
  return url === undefined ? undefined : { url };
}

/** Undefined for the reference service. @throws ActionableError when it is not an address */
function addressIn(text: string): string | undefined {
  const written = text.trim();
  if (written === '') return undefined;
  addressOf(written, 'a service', 'Write it whole, such as https://print.example.');
  return written.replace(/\/+$/, '');
}

/** @returns whether it was not there. @throws ActionableError when it cannot be written */
function writeNew(file: string, text: string): boolean {
  try {
    makeFolder(path.dirname(file));
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw unwritableFolder(path.dirname(file), error, 'Name a folder you may write to.');
  }
}

const TARGET = 'target.yaml';

/** For a descriptor that was there already: only its author knows which service it names. */
const KEPT = ['  npx platen check --target target.yaml --profile smoke   # the service that your target.yaml names'];

function commandsFor(place: ServicePlace | undefined, found: FoundService | undefined): readonly string[] {
  if (place === undefined) return ['  npx platen exec -- npx platen check --target target.yaml --profile smoke'];
  const check = `  ${checkCommand(place)}`;
  if (found) return [check];
  return ['  export PLATEN_API_KEY=…   # with it, platen init asks the service what it offers', check];
}

/** What the service offers, as far as reading shows it; undefined at an address without a key. */
async function askService(place: ServicePlace, folder: string): Promise<FoundService | undefined> {
  const target = await openPlace(place, folder);
  if (!target) return undefined;
  const { surveyOffers } = await import('../conformance/run/survey.ts');
  const { hasWebSocketLink } = await import('../targets/link-probe.ts');
  const { printerOf } = await import('../targets/account-printer.ts');
  try {
    const missing = await surveyOffers(target, 'init');
    const hasLink = await hasWebSocketLink(target.baseUrl, target.apiKey, () => undefined);
    return { missing, hasLink, printer: await printerOf(target) };
  } finally {
    await target.close();
  }
}

/** @throws ActionableError when the service does not answer, or does not come up */
async function openPlace(place: ServicePlace, folder: string): Promise<Target | undefined> {
  const apiKey = process.env['PLATEN_API_KEY'];
  if ('start' in place) {
    const { startedTarget } = await import('../targets/started.ts');
    makeFolder(folder);
    const start = { command: place.start };
    return startedTarget({ start, apiKey: apiKey ?? DEFAULT_API_KEY, cwd: folder, clock: 'real' });
  }
  if (apiKey === undefined) return undefined;
  const { remoteTarget } = await import('../targets/remote.ts');
  return remoteTarget({ url: place.url, apiKey });
}

function nextSteps(folder: string, check: readonly string[]): string[] {
  return [
    'Try them:',
    ...placeOf(folder),
    ...check,
    '  npx platen run scenario.yaml',
    '  npx vitest run printing.test.ts',
    '',
    'The test and the workflow need platen and vitest in the devDependencies of this project.',
  ];
}

function placeOf(folder: string): readonly string[] {
  return path.normalize(folder) === '.' ? [] : [`  cd ${shellArgument(folder)}`];
}
