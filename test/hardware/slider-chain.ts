/**
 * From the slider of a scale on the page to its weight in the API, through the bus and a Linux kernel:
 *
 *   slider in Chromium ─► control API ─► scale ─► USB/IP ─► kernel, /dev/hidraw0 ─► cat ─┐ guest
 *                                                                                        ├──────── this machine
 *   GET /computer/{id}/scales ◄─ service ◄─ platen client ◄─ FIFO ◄──────────────────────┘
 *
 * The guest has no Node, so that the client reads what `cat` reads there.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { z } from 'zod';

import { startStopwatch } from '../../src/common/stopwatch.ts';
import { within } from '../../src/common/waiter.ts';
import { pageServed } from '../browser/support/built-page.ts';
import { openChromium } from '../browser/support/chromium.ts';
import { cleanEnvironment, PROJECT, run, startWorkbench } from '../support/command-line.ts';
import { basic } from '../support/running-service.ts';
import { GRAM, ReadReports } from './guest-room.ts';
import { KernelGuest } from './kernel-guest/kernel-guest.ts';
import { soon } from '../support/soon.ts';

const ROOM = 'computers:\n  - name: DESK\n    scales:\n      - profile: service-test-scale\n';
const CLIENT = 'Front desk';
const REPORT_BYTES = 6;

const scaleShown = z.object({ addresses: z.object({ usb: z.string() }) });
const rooms = z.object({
  computers: z.tuple([z.object({ scales: z.tuple([scaleShown]) })]),
});
const computersShown = z.array(z.object({ id: z.number(), name: z.string() }));
const readingsShown = z.array(z.object({ mass: z.tuple([z.number().nullable(), z.number().nullable()]) }));

/** Moves the slider of the page to each position; the seconds until the API shows the weight that the page shows. */
export async function slide(positions: readonly number[]): Promise<number[]> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-slider-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const room = path.join(folder, 'room.yaml');
  writeFileSync(room, ROOM);
  const guest = stack.use(await KernelGuest.start());
  const service = await startWorkbench(['--limits', 'off', '--expose', 'usb:0', '--room', room]);
  stack.defer(async () => void (await service.stop()));
  const call = async (method: string, where: string, body?: object): Promise<unknown> => {
    const headers = { authorization: basic(service.apiKey), 'content-type': 'application/json' };
    const answer = await fetch(service.url + where, { method, headers, body: body ? JSON.stringify(body) : null });
    return answer.json();
  };
  const fifo = path.join(folder, 'hidraw0');
  await run('mkfifo', [fifo]);
  const argv = ['client', service.url, '--name', CLIENT, '--data', path.join(folder, 'data'), '--scales', folder];
  const client = spawn(process.execPath, ['bin/platen.js', ...argv], {
    cwd: PROJECT,
    // A print system that is not there: this is about scales.
    env: cleanEnvironment({ ...service.env, CUPS_SERVER: path.join(folder, 'none') }),
    stdio: 'ignore',
  });
  stack.defer(async () => {
    const ended = once(client, 'exit');
    client.kill('SIGTERM');
    await within(ended, { description: 'the end of the client', limit: '10s' });
  });
  const id = await shown('the computer of the client', async () => {
    const computers = computersShown.parse(await call('GET', '/computers'));
    return computers.find(({ name }) => name === CLIENT)?.id;
  });
  const { computers } = rooms.parse(await call('GET', '/_platen/room'));
  const [scale] = computers[0].scales;
  await guest.attach(scale.addresses.usb, '/dev/hidraw0');
  const browser = await openChromium();
  stack.defer(() => browser.close());
  await pageServed(service.url);
  const page = await browser.newPage();
  await page.goto(`${service.url}/_platen/room`);
  const slider = page.getByRole('slider', { name: /^Weight on / });
  const field = page.getByRole('spinbutton', { name: /^Grams on / });
  await slider.waitFor();
  const seconds: number[] = [];
  const reports = new ReadReports(REPORT_BYTES);
  const toClient = createWriteStream(fifo);
  stack.defer(() => void toClient.destroy());
  await guest.stream(
    'cat /dev/hidraw0',
    (bytes) => {
      reports.take(bytes);
      for (const report of reports.reports.splice(0)) toClient.write(Buffer.from(report, 'hex'));
    },
    async () => {
      for (const position of positions) {
        const elapsedMs = startStopwatch();
        await slider.fill(String(position));
        const grams = Number(await field.inputValue());
        await shown(`${grams} g in the API`, async () => {
          const [reading] = readingsShown.parse(await call('GET', `/computer/${id}/scales`));
          return reading?.mass[0] === grams * GRAM || undefined;
        });
        seconds.push(elapsedMs() / 1_000);
      }
    },
  );
  return seconds;
}

function shown<T>(description: string, probe: () => Promise<T | undefined>): Promise<T> {
  return soon(description, '30s', probe, { every: '10ms' });
}
