/**
 * platen clock: shows the time of a running workbench and, on a virtual clock, changes it.
 */

import { Argument, type Command } from 'commander';
import { z } from 'zod';

import { usageError } from '../common/actionable-error.ts';
import { formatDuration } from '../common/duration.ts';
import { controlJson, workbench, type RemoteOptions } from './remote/remote.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { duration, jsonOption, controlTokenOption, keyOption, urlOption } from './options/option-values.ts';
import { out, outJson } from './screen/terminal.ts';

type Action = 'show' | 'freeze' | 'resume' | 'advance';

interface ClockFlags extends RemoteOptions {
  readonly json?: true;
}

const clockView = z.object({ now: z.string(), isVirtual: z.boolean(), running: z.boolean() });
type ClockView = z.infer<typeof clockView>;

export function clockCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('clock')
    .description('show the time of a running workbench; advance, resume or freeze a virtual clock')
    .addArgument(
      new Argument('[action]', 'what to do').choices(['show', 'advance', 'resume', 'freeze']).default('show'),
    )
    .addArgument(new Argument('[duration]', 'how far to advance: 45s, 14d').argParser(duration))
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(controlTokenOption())
    .addOption(jsonOption())
    .action(async (action: Action, by: string | undefined, flags: ClockFlags) => finish(await run(action, by, flags)));
}

async function run(action: Action, by: string | undefined, flags: ClockFlags): Promise<ExitCode> {
  if ((action === 'advance') !== (by !== undefined)) {
    const what = action === 'advance' ? 'needs a' : 'takes no';
    throw usageError(`clock ${action} ${what} duration`, 'Write for example: platen clock advance 45s');
  }
  const before = await view(flags, 'show', undefined);
  const after = action === 'show' ? before : await view(flags, action, by);
  if (flags.json) outJson(after);
  else out(describe(after, Date.parse(after.now) - Date.parse(before.now)));
  return EXIT.good;
}

function view(flags: ClockFlags, action: Action, by: string | undefined): Promise<ClockView> {
  const path = action === 'show' ? '/clock' : `/clock/${action}`;
  const body = action === 'advance' ? { by } : {};
  const ask = action === 'show' ? workbench(flags).get(path) : workbench(flags).post(path, body);
  return controlJson(ask, clockView, flags.url);
}

function describe({ now, isVirtual, running }: ClockView, movedMs: number): string {
  if (!isVirtual) return `${now}  (real time)`;
  const moved = movedMs > 0 ? `, ${formatDuration(movedMs)} later` : '';
  return `${now}  (virtual, ${running ? 'running' : 'frozen'}${moved})`;
}
