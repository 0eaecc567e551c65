import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, it } from 'vitest';

import { connect } from '../../src/workbench/library/connect.ts';
import { startStopwatch } from '../../src/common/stopwatch.ts';
import { PROJECT, platen } from '../support/command-line.ts';
import { rawPrint } from '../support/raw-print.ts';
import { soon } from '../support/soon.ts';

it('gives two printers an address, says what to send them, and shows on a page what came', async () => {
  const argv = ['bin/platen.js', 'printers', '--port', '0', '--expose', 'raw:0'];
  const printers = spawn(process.execPath, argv, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  printers.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
  const [, page = ''] = await soon(
    'the last line that platen printers says',
    '20s',
    () => (told.includes('^XZ') ? (/page +(http:\S+)\n/.exec(told) ?? undefined) : undefined),
    { lastSeen: () => told },
  );
  expect((await fetch(page)).status).toBe(200);
  const examples = [...told.matchAll(/printf '(.+)' \| nc -w 1 (\S+) (\d+)/g)];
  for (const [, text = '', host, port] of examples)
    await rawPrint(`socket://${host}:${port}`, text.replace(String.raw`\n`, '\n'));
  {
    await using workbench = await connect(new URL(page).origin);
    for (const printer of ['Receipt', 'Label'])
      expect(await (await workbench.printouts.wait({ printer })).text()).toBe('Hello');
  }
  const { stdout } = await platen(['jobs', '--url', new URL(page).origin]);
  expect(stdout).toContain(
    `no jobs; 2 printouts were sent to printers directly: curl ${new URL(page).origin}/_platen/printouts`,
  );
  const lines = await soon(
    'a line for each printout',
    '5s',
    () => {
      const found = [...told.matchAll(/^[\d:]{8} {2}(\w+): 1 side {2}(\S+)$/gm)];
      return found.length === 2 ? found : undefined;
    },
    { lastSeen: () => told },
  );
  expect(new Set(lines.map(([, printer]) => printer))).toEqual(new Set(['Label', 'Receipt']));
  for (const [, , picture = ''] of lines) expect((await fetch(picture)).headers.get('content-type')).toBe('image/png');
  const elapsedMs = startStopwatch();
  printers.kill('SIGINT');
  expect(await once(printers, 'exit')).toEqual([0, null]);
  expect(elapsedMs()).toBeLessThan(2_000);
});

it.each([
  [['--port', 'x'], 'write a port from 0 to 65535'],
  [['--expose', 'rwa'], "Did you mean 'raw'?"],
  [['--ports', '1'], "unknown option '--ports'"],
  [['Receipt'], 'too many arguments'],
])('refuses %j', async (argv, complaint) => {
  const { code, stderr } = await platen(['printers', ...argv]);
  expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining(complaint) });
});
