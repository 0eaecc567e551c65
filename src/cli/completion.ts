/**
 * platen completion: a script with which a shell completes commands, options, their choices, and the names of what
 * ships. Everything in it comes from the definitions of the command line.
 */

import { shellWord } from '../common/shell-word.ts';
import { Argument, type Command, type Option } from 'commander';

import { shippedNames } from '../workbench/runs/shipped-scenarios.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { shippedDocuments } from '../workbench/library/document.ts';
import { outDocument } from './screen/terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function completionCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('completion')
    .description('print a script that completes commands and options: source <(platen completion bash)')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .action(async (shell: Shell) => {
      outDocument(SCRIPTS[shell](await Promise.all(program.commands.map(wordsOf))));
      finish(EXIT.good);
    });
}

/** What can follow a command. */
interface Words {
  readonly command: string;
  readonly about: string;
  readonly options: readonly { readonly flag: string; readonly about: string; readonly values: readonly string[] }[];
  /** Values of its first argument; files can always follow. */
  readonly values: readonly string[];
}

async function wordsOf(command: Command): Promise<Words> {
  const [first] = command.registeredArguments;
  const options = [...command.options.filter(({ hidden }) => !hidden), ...command.createHelp().visibleOptions(command)];
  const byFlag = new Map(options.map((option) => [option.long ?? option.flags, option]));
  return {
    command: command.name(),
    about: command.description(),
    options: [...byFlag].map(([flag, option]) => ({ flag, about: option.description, values: choicesOf(option) })),
    values: first === undefined ? [] : [...choicesOf(first), ...((await NAMES[first.name()]?.()) ?? [])],
  };
}

function choicesOf({ argChoices }: Option | Argument): readonly string[] {
  return argChoices ?? [];
}

/** By name of the argument. */
const NAMES: Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>> = {
  scenario: shippedNames,
  document: shippedDocuments,
  place: async () => Object.keys((await import('../scenario/setup/place-faults.ts')).PLACE_FAULTS),
};

const SCRIPTS: Readonly<Record<Shell, (commands: readonly Words[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(commands: readonly Words[]): string {
  const choices = commands.flatMap(({ command, options }) =>
    options
      .filter(({ values }) => values.length > 0)
      .map(({ flag, values }) => `    '${command} ${flag}') words='${values.join(' ')}' ;;`),
  );
  const flags = commands.map(
    ({ command, options }) => `    ${command}) words='${options.map(({ flag }) => flag).join(' ')}' ;;`,
  );
  const values = commands
    .filter((one) => one.values.length > 0)
    .map((one) => `    ${one.command}) words='${one.values.join(' ')}' ;;`);
  return `# platen completion for bash: source <(platen completion bash)
_platen() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words=''
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 && $current != -* ]]; then
    COMPREPLY=($(compgen -W '${commands.map(({ command }) => command).join(' ')} help' -- "$current"))
    return
  fi
  [[ $command == -* ]] && command=start
  case "$command $before" in
${choices.join('\n')}
  esac
  if [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  if [[ $current == -* ]]; then
    case $command in
${flags.map((line) => `  ${line}`).join('\n')}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case $command in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
}
complete -o filenames -F _platen platen`;
}

function zshScript(commands: readonly Words[]): string {
  const cases = commands.map(({ command, options, values }) => {
    const flags = options.map(({ flag, about }) => described(flag, about)).join(' ');
    const choices = options
      .filter((one) => one.values.length > 0)
      .map((one) => `[[ $before == ${one.flag} ]] && words_=(${one.values.join(' ')});`);
    return `    ${command}) options=(${flags}); values=(${values.join(' ')}); ${choices.join(' ')} ;;`;
  });
  return `#compdef platen
# platen completion for zsh: source <(platen completion zsh)
_platen() {
  local -a commands options values words_
  local before=$words[CURRENT-1]
  commands=(${commands.map(({ command, about }) => described(command, about)).join(' ')})
  if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then
    _describe command commands
    return
  fi
  case \${\${words[2]:#-*}:-start} in
${cases.join('\n')}
  esac
  if (( $#words_ )); then compadd -a words_
  elif [[ $PREFIX == -* ]]; then _describe option options
  else
    compadd -a values
    _files
  fi
}
compdef _platen platen`;
}

function fishScript(commands: readonly Words[]): string {
  const lines = commands.flatMap(({ command, about, options, values }) => {
    const after = `complete -c platen -n '__fish_seen_subcommand_from ${command}'`;
    return [
      `complete -c platen -n __fish_use_subcommand -f -a ${command} -d ${shellWord(about)}`,
      ...(values.length > 0 ? [`${after} -a ${shellWord(values.join(' '))}`] : []),
      ...options.map(
        (option) =>
          `${after} -l ${option.flag.replace(/^-+/, '')} -d ${shellWord(option.about)}` +
          (option.values.length > 0 ? ` -x -a ${shellWord(option.values.join(' '))}` : ''),
      ),
    ];
  });
  return ['# platen completion for fish: platen completion fish | source', ...lines].join('\n');
}

/** As zsh takes a word and what it is. */
function described(name: string, about: string): string {
  return shellWord(`${name}:${about}`);
}
