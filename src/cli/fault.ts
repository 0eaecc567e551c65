/**
 * platen fault: makes something go wrong in the room of a running workbench, and repairs it.
 */

import { InvalidArgumentError, type Command } from 'commander';
import { z } from 'zod';

import { usageError } from '../common/actionable-error.ts';
import type { Line } from '../report/terminal/line.ts';
import { table } from '../report/terminal/table.ts';
import { controlJson, workbench, type RemoteOptions } from './remote/remote.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import {
  duration,
  jsonOption,
  controlTokenOption,
  keyOption,
  positiveInteger,
  urlOption,
  integer,
} from './options/option-values.ts';
import { out, outJson } from './screen/terminal.ts';

interface FaultFlags extends RemoteOptions {
  readonly after?: number;
  readonly times?: number;
  readonly probability?: number;
  readonly for?: string;
  readonly with?: Settings;
  readonly clear?: string | true;
  readonly json?: true;
}

const inForce = z.array(
  z.object({
    id: z.string(),
    rule: z.looseObject({
      at: z.string(),
      fault: z.string(),
      with: z.record(z.string(), z.unknown()).optional(),
    }),
    fired: z.number().nullable(),
  }),
);
type InForce = z.infer<typeof inForce>;

export function faultCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('fault')
    .description('make something go wrong in a running workbench; without a place, list the faults')
    .argument('[place]', "where: 'printer/Laser', 'computer/FRONT-DESK', 'scale/Parcel scale', 'link/*'")
    .argument('[fault]', 'what: media-jam, crash-after-spooled, stuck, drop; platen faults shows all')
    .option('--after <number>', 'number of occasions to skip first', integer)
    .option('--times <number>', 'how often it happens', positiveInteger)
    .option('--probability <share>', 'probability at each occasion, 0 to 1', share)
    .option('--for <duration>', 'how long it lasts', duration)
    .option('--with <name=value>', 'a setting of the fault, as `platen faults` shows; repeat for more', setting)
    .option('--clear [id]', 'clear the fault with this id, those at the place, or all faults')
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(controlTokenOption())
    .addOption(jsonOption())
    .action(async (place: string | undefined, fault: string | undefined, flags: FaultFlags) => {
      finish(await run(place, fault, flags));
    });
}

async function run(place: string | undefined, fault: string | undefined, flags: FaultFlags): Promise<ExitCode> {
  if (flags.clear !== undefined) await clear(place, fault, flags);
  else if (place !== undefined) await add(place, fault, flags);
  const rules = await controlJson(workbench(flags).get('/faults'), inForce, flags.url);
  if (flags.json) outJson(rules);
  else out(rules.length === 0 ? 'no faults' : list(rules));
  return EXIT.good;
}

async function clear(place: string | undefined, fault: string | undefined, flags: FaultFlags): Promise<void> {
  const remote = workbench(flags);
  const remove = (path: string): Promise<unknown> => controlJson(remote.delete(path), inForce, flags.url);
  if (typeof flags.clear === 'string') return void (await remove(`/faults/${encodeURIComponent(flags.clear)}`));
  if (place === undefined) return void (await remove('/faults'));
  const rules = await controlJson(remote.get('/faults'), inForce, flags.url);
  const meant = rules.filter(({ rule }) => rule.at === place && (fault ?? rule.fault) === rule.fault);
  if (meant.length === 0) {
    const what = fault === undefined ? 'no fault' : `no '${fault}'`;
    throw usageError(`${what} is in force at '${place}'`, '`platen fault` lists those in force.');
  }
  for (const { id } of meant) await remove(`/faults/${encodeURIComponent(id)}`);
}

async function add(at: string, fault: string | undefined, flags: FaultFlags): Promise<void> {
  if (fault === undefined) {
    throw usageError(
      `which fault should happen at ${at}?`,
      'Name one, for example media-jam; `platen faults` shows all.',
    );
  }
  const { after, times, probability, for: lasts, with: given } = flags;
  const settings = Object.entries({ after, times, probability, for: lasts, with: given });
  const rule = { at, fault, ...Object.fromEntries(settings.filter(([, value]) => value !== undefined)) };
  await controlJson(workbench(flags).post('/faults', rule), z.object({ id: z.string() }), flags.url);
}

function list(rules: InForce): readonly Line[] {
  const rows = rules.map(({ id, rule, fired }) => {
    const { at, fault, ...settings } = rule;
    const { with: given = {}, ...when } = settings;
    const rest = Object.entries({ ...when, ...given }).map(([name, value]) => `${name} ${String(value)}`);
    return [id, at, fault, fired === null ? '' : `${fired} times so far`, rest.join(', ')];
  });
  return table([['id', 'place', 'fault', '', ''], ...rows]);
}

type Settings = Readonly<Record<string, string | number | boolean>>;

/** Adds one `name=value` to the others: `delay=5s`, `bytes=100`, `forget=true`. */
function setting(text: string, before: Settings = {}): Settings {
  const [, name = '', value = ''] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('write for example delay=5s');
  return { ...before, [name]: typed(value) };
}

function typed(value: string): string | number | boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  return /^\d{1,15}$/.test(value) ? Number(value) : value;
}

function share(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0 && number <= 1) return number;
  throw new InvalidArgumentError('write a number from 0 to 1');
}
