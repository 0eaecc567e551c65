/**
 * The command line: finds the command, runs it, and turns whatever happens into an exit code and, where
 * it went wrong, a message with the next step.
 */

import { Command, CommanderError } from 'commander';

import { ActionableError } from '../common/actionable-error.ts';
import { stackOf } from '../common/error-message.ts';
import { packageVersion } from '../common/package-version.ts';
import { analyzeCommand } from './analyze.ts';
import { checkCommand } from './check.ts';
import { clockCommand } from './clock.ts';
import { diffCommand } from './diff.ts';
import { execCommand } from './exec.ts';
import { EXIT, EXIT_OF_ERROR, type ExitCode } from './exit-code.ts';
import { faultCommand } from './fault.ts';
import { Interrupted } from './interruption.ts';
import { jobsCommand } from './jobs.ts';
import { printCommand } from './print.ts';
import { readyCommand } from './ready.ts';
import { replayCommand } from './replay.ts';
import { reportCommand } from './report.ts';
import { resetCommand } from './reset.ts';
import { roomCommand } from './room.ts';
import { runCommand } from './run.ts';
import { err, styled } from './screen/terminal.ts';
import { startCommand } from './start.ts';
import { workerCommand } from './worker.ts';

/** Adds a command whose action hands its exit code to `finish`. */
type AddCommand = (program: Command, finish: (code: number) => void) => void;

const COMMANDS: readonly AddCommand[] = [
  startCommand,
  checkCommand,
  replayCommand,
  diffCommand,
  analyzeCommand,
  runCommand,
  reportCommand,
  roomCommand,
  execCommand,
  workerCommand,
  printCommand,
  jobsCommand,
  faultCommand,
  clockCommand,
  resetCommand,
  readyCommand,
];

/**
 * Runs one command.
 *
 * @param argv - the arguments after `platen`
 * @returns the exit code; never throws
 */
export async function main(argv: readonly string[]): Promise<number> {
  // A reader that has seen enough (`platen jobs | head`) is no error.
  process.stdout.on('error', () => process.exit(EXIT.good));
  let code: number = EXIT.good;
  const program = createProgram((finished) => {
    code = finished;
  });
  try {
    await program.parseAsync(withDefaultCommand(argv), { from: 'user' });
    return code;
  } catch (error) {
    return explain(error);
  }
}

/** The command line as commander has it: every command, argument and option. */
export function createProgram(finish: (code: number) => void): Command {
  const program = new Command('platen')
    .description('A test bench for remote printing services.')
    .version(packageVersion(), '-V, --version')
    .usage('[command] [options]')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(styledError(text)) })
    .showHelpAfterError('Run platen --help, or platen COMMAND --help, to see what there is.')
    .addHelpText('after', EXAMPLES);
  for (const add of COMMANDS) add(program, finish);
  return program;
}

const EXAMPLES = `
Examples:
  platen                                      a printing service with printers, on port 8631
  platen print letter.pdf --wait --out sheets print on it and keep the sheets
  platen exec -- npm test                     your tests, with a service and printers to print on
  platen check                                does the reference service keep its word?
  platen check https://service.example --key KEY
  platen run scenarios/edge-cases             a printer's bad days, again, in seconds
`;

/** `platen --port 0` means `platen start --port 0`. */
function withDefaultCommand(argv: readonly string[]): string[] {
  const [first] = argv;
  const isGlobal = first !== undefined && ['-h', '--help', '-V', '--version'].includes(first);
  const namesCommand = first !== undefined && !first.startsWith('-');
  return isGlobal || namesCommand ? [...argv] : ['start', ...argv];
}

function explain(error: unknown): ExitCode {
  // Commander has written its own message by now; asking for help is no mistake.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.good : EXIT.usage;
  // What was given up may still be under way, and would be waited for.
  if (error instanceof Interrupted) process.exit(EXIT.interrupted);
  if (error instanceof ActionableError) {
    err(`${styledError(`error: ${error.message}`)}\n${error.nextStep}`);
    return EXIT_OF_ERROR[error.kind];
  }
  const trace = stackOf(error);
  err(`${styledError('error: platen broke; this is a fault of platen itself')}\n${trace}`);
  return EXIT.harness;
}

function styledError(text: string): string {
  return text.replace(/^error:/, styled('red', 'error:', process.stderr));
}
