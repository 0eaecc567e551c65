/**
 * platen faults: what can go wrong, where, and what it does.
 */

import type { Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import type { FaultMeanings } from '../common/fault-rule.ts';
import { meantHint, nearestName } from '../common/nearest-name.ts';
import type { FaultPlace } from '../scenario/setup/place-faults.ts';
import { line, styled, type Line } from '../report/terminal/line.ts';
import { table } from '../report/terminal/table.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { jsonOption } from './options/option-values.ts';
import { out, outJson } from './screen/terminal.ts';

export function faultsCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('faults')
    .description('show what can go wrong, where, and what it does')
    .argument('[place]', 'a kind of place: printer, computer, scale, link, document, webhook, http')
    .addOption(jsonOption())
    .action(async (place: string | undefined, { json }: { readonly json?: true }) => {
      finish(await run(place, json === true));
    });
}

interface DescribedPlace {
  readonly place: FaultPlace;
  readonly example: string;
  readonly occasion: string;
  readonly faults: FaultMeanings;
}

async function run(written: string | undefined, isJson: boolean): Promise<ExitCode> {
  const { FAULT_PLACES, PLACE_FAULTS } = await import('../scenario/setup/place-faults.ts');
  const { keysOf } = await import('../common/keys-of.ts');
  const places = keysOf(FAULT_PLACES);
  // `printer/Laser` has the faults of any printer.
  const kind = written?.split('/')[0];
  const wanted = kind === undefined ? places : places.filter((place) => place === kind);
  if (wanted.length === 0) throw unknownPlace(kind ?? '', places);
  const described = wanted.map((place) => ({ place, ...FAULT_PLACES[place], faults: PLACE_FAULTS[place] }));
  if (isJson) outJson(described.map(forPrograms));
  else out([...described.flatMap((one) => [...forPeople(one), '']), ...FOOT]);
  return EXIT.good;
}

function unknownPlace(written: string, places: readonly string[]): Error {
  const hint = meantHint(nearestName(written, places));
  return usageError(`nothing can go wrong at '${written}'${hint}`, `Name one of ${places.join(', ')}.`);
}

function forPrograms({ faults, ...place }: DescribedPlace): object {
  const list = Object.entries(faults).map(([fault, { does, settings = {} }]) => ({ fault, does, settings }));
  return { ...place, faults: list };
}

function forPeople({ place, example, occasion, faults }: DescribedPlace): readonly Line[] {
  const rows = Object.entries(faults).flatMap(([fault, { does, settings = {} }]) => [
    [fault, does],
    ...Object.entries(settings).map(([name, meaning]) => ['', `  ${name}: ${meaning}`]),
  ]);
  const head = line`${styled('bold', place)}  such as '${example}'; an occasion is ${occasion}`;
  return [head, ...table(rows, '  ')];
}

const FOOT = [
  'In a running workbench (printer, computer, scale, link):',
  '  platen fault printer/Laser media-jam --after 2',
  '  platen fault link/FRONT-DESK latency --with delay=5s --for 1m',
  'In a scenario:',
  "  faults: [{ at: 'http/POST /printjobs', fault: lost-answer, times: 1 }]",
];
