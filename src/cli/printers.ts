/**
 * platen printers: a receipt printer and a label printer on port 9100, with a page that shows what comes out, until
 * they are stopped. A workbench as `platen start` runs it, with a room of its own.
 */

import type { Command } from 'commander';

import { systemClock } from '../common/clock.ts';
import { countOf } from '../common/count-of.ts';
import type { RoomDescription } from '../devices/room.ts';
import { EXPOSURE_PORTS, type Exposure } from '../hardware/exposed-room.ts';
import { styled, type Line } from '../report/terminal/line.ts';
import { table } from '../report/terminal/table.ts';
import type { WorkbenchPrintout } from '../workbench/library/workbench-printouts.ts';
import type { StartedPlaten } from '../workbench/start.ts';
import type { ExitCode } from './exit-code.ts';
import { exposeOption, hardwareRows } from './options/expose-option.ts';
import { portNumber } from './options/option-values.ts';
import { clockTime } from './screen/clock-time.ts';
import { out } from './screen/terminal.ts';
import { serve } from './start.ts';

interface PrintersFlags {
  readonly port?: number;
  readonly expose: Exposure;
}

/** What is sent to each, as `printf` writes it: a printer understands its own language alone. */
const EXAMPLES: Readonly<Record<string, string>> = {
  Receipt: 'Hello\\n',
  Label: '^XA^FO50,50^A0N,80^FDHello^FS^XZ',
};

const ROOM: RoomDescription = {
  computers: [
    {
      name: 'DESK',
      printers: [
        { profile: 'receipt-80mm', name: 'Receipt' },
        { profile: 'label-4x6', name: 'Label' },
      ],
    },
  ],
};

export function printersCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('printers')
    .description('a receipt printer and a label printer on port 9100, with a page that shows what comes out')
    .option('-p, --port <port>', 'port of the page; 0 takes any free one (default: 8631)', portNumber)
    .addOption(exposeOption().default({ raw: EXPOSURE_PORTS.raw }, 'raw'))
    .action(async ({ port, expose }: PrintersFlags) =>
      finish(
        await serve({ port, expose, room: ROOM }, async (platen, stopped) => {
          out(banner(platen));
          const telling = tellPrintouts(platen);
          await stopped();
          telling.cancel();
        }),
      ),
    );
}

const LOOK_EVERY_MS = 250;

/** A line for each printout, and for what is out of one that has stopped. Polls: a reset makes other printers. */
function tellPrintouts(platen: StartedPlaten): { cancel(): void } {
  let told = new Set<string>();
  const look = async (): Promise<void> => {
    const all = await platen.printouts.list();
    const lines = new Map(all.map((one) => [`${one.id} ${one.printedAt} ${one.complete}`, lineOf(one, platen.url)]));
    for (const [key, line] of lines) if (!told.has(key)) out(`${clockTime()}  ${line}`);
    told = new Set(lines.keys());
  };
  // What cannot be looked at now is the next time.
  return systemClock.beat(LOOK_EVERY_MS, () => void look().catch(() => undefined));
}

function lineOf({ id, printer, sides, complete, notDrawn }: WorkbenchPrintout, url: string): string {
  const stopped = complete ? '' : ', and the printer has stopped';
  const lacks = notDrawn === null ? '' : ` (not drawn: ${notDrawn})`;
  const picture = sides === 0 ? '' : `  ${url}/_platen/printouts/${id}/sheets/1.png`;
  return `${printer}: ${countOf(sides, 'side')}${stopped}${lacks}${picture}`;
}

function banner(platen: StartedPlaten): readonly Line[] {
  const hardware = platen.hardware();
  const examples = hardware.flatMap(({ name, uris: { raw } }) => {
    if (raw === undefined) return [];
    const { hostname, port } = new URL(raw);
    // It ends the connection after a second: not every nc does at the end of its input.
    return [`    printf '${EXAMPLES[name]}' | nc -w 1 ${hostname} ${port}`];
  });
  return [
    'The printers are ready. Ctrl-C stops them.',
    '',
    ...table([...hardwareRows(hardware), ['page', `${platen.url}/_platen/room`]], '  '),
    ...(examples.length > 0 ? ['', styled('bold', '  Try, in another terminal'), ...examples] : []),
  ];
}
