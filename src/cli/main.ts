/**
 * The command line: runs the command that is named, and turns what happens into an exit code and, for an error,
 * a message with the next step.
 */

import { Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { meantHint, nearestName } from '../common/nearest-name.ts';
import { packageVersion } from '../common/package-version.ts';
import { analyzeCommand } from './analyze.ts';
import { checkCommand } from './check.ts';
import { clientCommand } from './client.ts';
import { cloneCommand } from './clone.ts';
import { clockCommand } from './clock.ts';
import { completionCommand } from './completion.ts';
import { diffCommand } from './diff.ts';
import { execCommand } from './exec.ts';
import { EXAMPLES, examplesText, FIRST_EXAMPLES } from './examples.ts';
import { EXIT } from './exit-code.ts';
import { endOnBugs, explain, styledError, withPlaces } from './explain.ts';
import { exploreCommand } from './explore.ts';
import { faultCommand } from './fault.ts';
import { faultsCommand } from './faults.ts';
import { initCommand } from './init.ts';
import { endOnSignals } from './interruption.ts';
import { jobsCommand } from './jobs.ts';
import { openApiCommand } from './openapi.ts';
import { printCommand } from './print.ts';
import { readyCommand } from './ready.ts';
import { printersCommand } from './printers.ts';
import { replayCommand } from './replay.ts';
import { reportCommand } from './report.ts';
import { resetCommand } from './reset.ts';
import { roomCommand } from './room.ts';
import { runCommand } from './run.ts';
import { withHint } from './options/option-hints.ts';
import { addCaOption, trustCa } from './options/tls-options.ts';
import { err, outDocument, watchOutput } from './screen/terminal.ts';
import { startCommand } from './start.ts';
import { STARTED_RUN } from '../workbench/defaults.ts';
import { workerCommand } from './worker.ts';

/** Adds a command whose action hands its exit code to `finish`. */
type AddCommand = (program: Command, finish: (code: number) => void) => void;

const STARTING = 'Files to start from:';
/** Where commander puts options that belong to no group. */
const USUAL_OPTIONS = 'Options:';

/** By what they are for. */
const COMMANDS: Readonly<Record<string, readonly AddCommand[]>> = {
  'A printing service at your desk:': [
    startCommand,
    printersCommand,
    execCommand,
    printCommand,
    jobsCommand,
    faultCommand,
    faultsCommand,
    clockCommand,
    resetCommand,
    readyCommand,
  ],
  'Test a service, an app or a print system:': [
    checkCommand,
    runCommand,
    exploreCommand,
    replayCommand,
    analyzeCommand,
    reportCommand,
    diffCommand,
  ],
  'Computers, printers and machines:': [roomCommand, clientCommand, cloneCommand, workerCommand],
  [STARTING]: [initCommand, openApiCommand, completionCommand],
};

/**
 * Runs one command.
 *
 * @param argv - the arguments after `platen`
 * @returns the exit code; never throws
 */
export async function main(argv: readonly string[]): Promise<number> {
  endOnSignals();
  endOnBugs();
  watchOutput(outputLost);
  let code: number = EXIT.good;
  const program = createProgram((finished) => {
    code = finished;
  });
  try {
    if (argv[0] === STARTED_RUN) return await (await import('./started-run.ts')).startedRun();
    refuseUnknownCommand(argv[0] === 'help' ? argv[1] : argv[0], program);
    await program.parseAsync(withDefaultCommand(argv), { from: 'user' });
    return code;
  } catch (error) {
    return explain(error);
  }
}

/**
 * A reader that stops early (`platen jobs | head`) is no error of a command that has done its work; a disk that is full
 * is one of any. A command that has not ends as by Ctrl-C: it must not look as if it had succeeded.
 *
 * @param error - of standard output
 */
function outputLost({ code, message }: NodeJS.ErrnoException): void {
  const hasReaderGone = code === 'EPIPE';
  if (!hasReaderGone) failForOutput(message);
  setImmediate(() => {
    if (process.exitCode !== undefined) process.exit();
    if (hasReaderGone) err('Nobody reads standard output any more.');
    // No key was pressed; a command that tidies up does so for either signal.
    process.kill(process.pid, process.listenerCount('SIGTERM') > 0 ? 'SIGTERM' : 'SIGINT');
  });
}

/** Whatever else the command comes to. */
function failForOutput(message: string): void {
  err([styledError(`error: cannot write to standard output: ${message}`), 'Make room for it, or send it elsewhere.']);
  // Without one of the command's own, which tidies up, a signal would end the process with another code.
  if (process.listenerCount('SIGINT') === 0) process.exit(EXIT.harness);
  process.once('exit', () => {
    process.exitCode = EXIT.harness;
  });
}

/** The command line in commander's terms: every command, argument and option. */
export function createProgram(finish: (code: number) => void): Command {
  const program = new Command('platen')
    .description('A test bench for remote printing services.')
    .version(packageVersion(), '-v, --version')
    .usage('[command] [options]')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => outDocument(withPlaces(text)),
      writeErr: (text) => err(text.trimEnd().split('\n')),
      outputError: (text) => err(styledError(text.trimEnd())),
    })
    .showHelpAfterError('Run platen --help to see all commands.')
    .addHelpText('after', examplesText(FIRST_EXAMPLES));
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, finish);
  }
  program.addHelpCommand(HELP);
  for (const command of program.commands.filter(reachesService)) addCaOption(command.optionsGroup(USUAL_OPTIONS));
  for (const command of program.commands) {
    command
      .addHelpText('after', examplesText(EXAMPLES[command.name()] ?? []))
      .showHelpAfterError(`Run platen ${command.name()} --help to see what it takes.`)
      .showSuggestionAfterError(false)
      .configureOutput({ outputError: (text) => err(withHint(text, command).map(styledError)) });
  }
  return program.hook('preAction', async (_, command) => {
    const { ca } = command.opts<{ ca?: string }>();
    if (ca !== undefined) await trustCa(ca);
  });
}

const HELP = new Command('help').argument('[command]').description('show what a command takes').helpGroup(STARTING);

/** Commands that take the address of a service. */
function reachesService({ options, registeredArguments }: Command): boolean {
  return options.some(({ long }) => long === '--url') || registeredArguments.some((one) => one.name() === 'url');
}

/** Commander's own suggestion is any command that is a few letters away. @throws ActionableError */
function refuseUnknownCommand(written: string | undefined, { commands }: Command): void {
  const names = ['help', ...commands.map((command) => command.name())];
  if (written === undefined || written.startsWith('-') || names.includes(written)) return;
  throw usageError(
    `there is no command '${written}'${meantHint(nearestName(written, names))}`,
    'Run platen --help to see all commands.',
  );
}

/** `platen --port 0` means `platen start --port 0`. */
function withDefaultCommand(argv: readonly string[]): string[] {
  const [first] = argv;
  // As other programs write it.
  if (first === '-V') return ['--version'];
  const isGlobal = first !== undefined && ['-h', '--help', '-v', '--version'].includes(first);
  const namesCommand = first !== undefined && !first.startsWith('-');
  return isGlobal || namesCommand ? [...argv] : ['start', ...argv];
}
