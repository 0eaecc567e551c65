/**
 * docs/commands.md: the commands and their options, from the definitions of the command line.
 */

import type { Command } from 'commander';

import { EXAMPLES } from '../../src/cli/examples.ts';
import { createProgram } from '../../src/cli/main.ts';

const INTRODUCTION = `# Commands

<!-- Written by npm run docs: change src/cli, not this page. -->

What \`npx platen COMMAND --help\` says, on one page. \`platen\` alone is \`platen start\`. A duration is a number with a
unit: \`500ms\`, \`45s\`, \`2m\`, \`24h\`, \`14d\`. \`env\` names the environment variable that an option is taken from when
the command line does not give it. Exit codes: [README](../README.md#exit-codes).`;

function listOf(commands: readonly Command[]): string {
  const rows = commands.map(
    (command) => `| [\`${command.name()}\`](#platen-${command.name()}) | ${cell(command.description())} |`,
  );
  return ['| command | what it does |', '|---|---|', ...rows].join('\n');
}

function sectionOf(command: Command): string {
  const help = command.createHelp();
  const args = command.registeredArguments.map((argument) => [
    `\`${argument.name()}\``,
    help.argumentDescription(argument),
  ]);
  const shown = command.options.filter(({ hidden }) => !hidden);
  const groups = Map.groupBy(shown, ({ helpGroupHeading = 'Options:' }) => helpGroupHeading.replace(':', ''));
  const options = [...groups].flatMap(([group, members]) =>
    tableOf(
      group === 'Options' ? 'option' : group.toLowerCase(),
      members.map((option) => [`\`${option.flags}\``, help.optionDescription(option)]),
    ),
  );
  return [
    `## platen ${command.name()}`,
    sentence(command.description()),
    `    platen ${command.name()} ${command.usage()}`,
    ...tableOf('argument', args),
    ...options,
    ...(EXAMPLES[command.name()] ?? []).map(([words, what]) => `\`npx platen ${words}\`: ${what}`),
  ].join('\n\n');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function tableOf(title: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map((cells) => `| ${cells.map(cell).join(' | ')} |`);
  return [[`| ${title} | meaning |`, '|---|---|', ...lines].join('\n')];
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}

/** docs/commands.md, as it should be. */
export function commandsPage(): string {
  const { commands } = createProgram(() => undefined);
  return `${[INTRODUCTION, listOf(commands), ...commands.map(sectionOf)].join('\n\n')}\n`;
}
