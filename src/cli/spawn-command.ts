/**
 * How a command that a person typed is started. On Windows npm and npx are scripts (npm.cmd), which only the shell
 * finds and runs, and which takes one line with quotes of its own instead of a list of arguments.
 */

export interface Spawnable {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted as the shell of Windows reads them. */
  readonly windowsVerbatimArguments: boolean;
}

/** Arguments for `spawn`, without its option `shell`, which does not quote. */
export function spawnableOf(
  [command = '', ...args]: readonly string[],
  platform: NodeJS.Platform,
  shell = 'cmd.exe',
): Spawnable {
  if (platform !== 'win32') return { file: command, args, windowsVerbatimArguments: false };
  const line = [escaped(command), ...args.map((arg) => escaped(quoted(arg)))].join(' ');
  return { file: shell, args: ['/d', '/s', '/c', `"${line}"`], windowsVerbatimArguments: true };
}

/** As programs on Windows take their command line apart: backslashes count only before a quote. */
function quoted(arg: string): string {
  return `"${arg.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;
}

/** Characters that mean something to cmd.exe. */
function escaped(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
