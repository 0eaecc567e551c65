/**
 * platen client as people run it: a service on one side, CUPS with the virtual printers of a room on the other.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, type WriteStream, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../src/common/clock.ts';
import { createRandom } from '../../src/common/random.ts';
import { within } from '../../src/common/waiter.ts';
import type { Printout } from '../../src/devices/printer/printout.ts';
import { Room } from '../../src/devices/room.ts';
import { ExposedRoom } from '../../src/hardware/exposed-room.ts';
import { webSocketLink } from '../../src/link/websocket-link.ts';
import { PrintSystem } from '../../src/targets/print-system.ts';
import {
  cleanEnvironment,
  platen,
  PROJECT,
  run,
  startWorkbench,
  type RunningWorkbench,
} from '../support/command-line.ts';
import { basic } from '../support/running-service.ts';
import { soon } from '../support/soon.ts';

const THREE_PAGES = readFileSync(path.join(PROJECT, 'fixtures/documents/three-pages.pdf')).toString('base64');

let service: RunningWorkbench;
let room: Room;
let exposed: ExposedRoom;
let cups: PrintSystem;
let folder: string;
let client: ChildProcess;

async function call(method: string, where: string, body?: object): Promise<unknown> {
  const headers = { authorization: basic(service.apiKey), 'content-type': 'application/json' };
  const answer = await fetch(service.url + where, { method, headers, body: body ? JSON.stringify(body) : null });
  return answer.json();
}

/** The printer of this name that the client has reported, once the test is true of it. */
function reported(name: string, test: (printer: Record<string, unknown>) => boolean = () => true): Promise<number> {
  return soon(
    `printer ${name}`,
    '20s',
    async () => {
      const printers = (await call('GET', '/printers')) as Record<string, unknown>[];
      const found = printers.find((printer) => printer['name'] === name && test(printer));
      return found && Number(found['id']);
    },
    { every: '100ms' },
  );
}

async function submit(printer: string, body: object): Promise<number> {
  const printerId = await reported(printer);
  return Number(
    await call('POST', '/printjobs', { printerId, contentType: 'pdf_base64', content: THREE_PAGES, ...body }),
  );
}

function states(jobId: number, wanted: string): Promise<string[]> {
  return soon(
    `job ${jobId} to be ${wanted}`,
    '20s',
    async () => {
      const shown = ((await call('GET', `/printjobs/${jobId}/states`)) as { state: string }[][]).flat();
      const names = shown.map(({ state }) => state);
      return names.includes(wanted) ? names : undefined;
    },
    { every: '100ms' },
  );
}

/** What came out with this title, once there is as much. */
function printed(title: string, count = 1): Promise<Printout[]> {
  return soon(
    `${count} × '${title}' on paper`,
    '20s',
    () => {
      const found = room.printouts().filter((one) => one.title === title && one.complete);
      return found.length >= count ? found : undefined;
    },
    { every: '100ms' },
  );
}

/** The readings of the computer's scales, once one is of this weight, in billionths of an ounce. */
async function weighed(oz: number): Promise<unknown[]> {
  const computers = (await call('GET', '/computers')) as { id: number; name: string }[];
  const id = computers.find(({ name }) => name === 'Front desk')?.id;
  return soon(
    `a reading of ${oz}`,
    '15s',
    async () => {
      const readings = (await call('GET', `/computer/${id}/scales`)) as { measurement: { oz?: number } }[];
      return readings.some(({ measurement }) => measurement.oz === oz) ? readings : undefined;
    },
    { every: '20ms' },
  );
}

/** A device of this name, which says this in hexadecimal and then nothing. */
async function plugIn(name: string, report: string): Promise<WriteStream> {
  const device = path.join(folder, name);
  await run('mkfifo', [device]);
  const stream = createWriteStream(device);
  stream.write(Buffer.from(report, 'hex'));
  return stream;
}

function startClient(): ChildProcess {
  const argv = ['client', service.url, '--name', 'Front desk', '--data', path.join(folder, 'data'), '--scales', folder];
  return spawn(process.execPath, ['bin/platen.js', ...argv], {
    cwd: PROJECT,
    env: { ...cleanEnvironment({ ...cups.environment, ...service.env }) },
    stdio: 'ignore',
  });
}

async function stopClient(): Promise<unknown> {
  client.kill('SIGTERM');
  const [code] = (await within(once(client, 'exit'), { description: 'the end of the client', limit: '10s' })) as [
    unknown,
  ];
  return code;
}

describe('platen client', { tags: ['print-system'], timeout: 60_000 }, () => {
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'platen-client-test-'));
    service = await startWorkbench(['--limits', 'off']);
    room = new Room(
      { computers: [{ name: 'DESK', printers: [{ profile: 'laser-a4' }, { profile: 'label-zebra-zpl' }] }] },
      {
        clock: systemClock,
        random: createRandom(1),
        link: webSocketLink({ clock: systemClock }),
        serviceUrl: service.url,
        credential: { kind: 'api-key', key: service.apiKey },
      },
    );
    const [laser, labels] = room.printers;
    laser?.rename('Laser');
    labels?.rename('Labels');
    for (const printer of room.printers) printer.clear();
    const computers = () => room.computers;
    exposed = await ExposedRoom.open({ clock: systemClock, press: room.press, exposure: { ipp: 0 }, computers });
    cups = await PrintSystem.start();
    for (const { name, uris } of exposed.addresses) await cups.addQueue(`${name}-1`, uris.ipp ?? '');
    client = startClient();
    await reported('Labels-1');
  }, 60_000);

  afterAll(async () => {
    if (client.exitCode === null) client.kill('SIGKILL');
    await cups?.close();
    await exposed?.close();
    await room?.close();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  it('reports queues with papers and trays', async () => {
    const [printer] = (await call('GET', `/printers/${await reported('Laser-1')}`)) as Record<string, unknown>[];
    expect(printer).toMatchObject({
      computer: { name: 'Front desk' },
      capabilities: { papers: { iso_a4_210x297mm: [2100, 2970] }, duplex: true, color: false },
    });
  });

  it('prints with options, and says when CUPS has the job', async () => {
    const options = { duplex: 'long-edge', pages: '2-', paper: 'iso_a5_148x210mm', bin: '' };
    const jobId = await submit('Laser-1', { title: 'With options', options });
    expect((await states(jobId, 'done')).slice(-3)).toEqual(['received', 'queued_to_print', 'done']);
    const [printout] = await printed('With options');
    if (printout?.kind !== 'sheets') throw new Error('it printed no sheets');
    expect(printout.sheets).toHaveLength(1);
    expect(printout.sheets[0]).toMatchObject({ flip: 'long-edge' });
    expect(printout.sheets[0]?.sides).toHaveLength(2);
  });

  it('prints raw bytes as they are, as often as `qty` says', async () => {
    const content = Buffer.from('^XA^FDx^FS^XZ').toString('base64');
    await submit('Labels-1', { title: 'Label', contentType: 'raw_base64', content, qty: 2 });
    const labels = await printed('Label', 2);
    expect(labels.map((one) => one.kind === 'raw' && Buffer.from(one.bytes).toString())).toEqual([
      '^XA^FDx^FS^XZ',
      '^XA^FDx^FS^XZ',
    ]);
  });

  it('reports a document that it cannot fetch as an error', async () => {
    const jobId = await submit('Laser-1', { title: 'Nowhere', contentType: 'pdf_uri', content: 'http://127.0.0.1:9/' });
    expect((await states(jobId, 'error')).at(-1)).toBe('error');
  });

  it('says what is wrong with a printer, and that it is over', async () => {
    room.printer('Laser').fail('media-empty');
    await submit('Laser-1', { title: 'Waits for paper' });
    await reported('Laser-1', ({ state }) => state === 'out_of_paper');
    room.printer('Laser').clear();
    expect(await printed('Waits for paper')).toHaveLength(1);
    await reported('Laser-1', ({ state }) => state === 'online');
  });

  it('waits for a print system that is down', async () => {
    cups.kill('SIGTERM');
    await reported('Laser-1', ({ state }) => state === 'offline');
    const jobId = await submit('Laser-1', { title: 'Later' });
    await states(jobId, 'queued_to_print');
    await cups.restart();
    expect(await states(jobId, 'done')).not.toContain('error');
    await printed('Later');
  });

  it('keeps what it printed when it is stopped and comes back as the same computer', async () => {
    const before = (await call('GET', '/computers')) as { id: number; name: string }[];
    expect(await stopClient()).toBe(0);
    const waiting = await submit('Laser-1', { title: 'While it was away' });
    client = startClient();
    await states(waiting, 'done');
    await printed('While it was away');
    const names = room.printouts().map(({ title }) => title);
    expect(names.filter((title) => title === 'With options')).toHaveLength(1);
    const after = (await call('GET', '/computers')) as { id: number; name: string }[];
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  it('publishes each weight of a scale, and of one that is plugged in later, and nothing of a keyboard', async () => {
    const keyboard = await plugIn('hidraw1', '0000040000000000');
    const scale = await plugIn('hidraw0', '03040bff3419');
    expect(await weighed(645_200_000_000)).toHaveLength(1);
    scale.write(Buffer.from('03040bff0a00', 'hex'));
    expect(await weighed(1_000_000_000)).toHaveLength(1);
    const later = await plugIn('hidraw2', '03040bff1400');
    expect(await weighed(2_000_000_000)).toHaveLength(2);
    // A scale that says nothing more does not keep the program from ending.
    expect(await stopClient()).toBe(0);
    client = startClient();
    for (const stream of [keyboard, scale, later]) stream.destroy();
  });

  it.each([
    ['a service that is not there', ['http://127.0.0.1:9'], 75, 'cannot connect to http://127.0.0.1:9'],
    ['what is no address', ['print.example'], 64, "'print.example' is not the address of a service"],
  ])('names %s', async (_what, argv, code, message) => {
    const data = path.join(folder, 'other');
    const ended = await platen(['client', ...argv, '--data', data], { env: { ...cups.environment } });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(message);
  });

  it('names the packages where there is no CUPS', async () => {
    const argv = ['client', service.url, '--data', path.join(folder, 'none')];
    const ended = await platen(argv, { env: { PATH: path.dirname(process.execPath) } });
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({
      code: 64,
      stderr:
        'error: there is no lp on this machine, so it cannot print\napt-get install cups cups-client cups-filters\n',
    });
  });

  it('ends when its key is revoked', async () => {
    const key = String(await call('POST', '/account/apikey/desk'));
    expect(key).toMatch(/\w{20}/);
    const argv = ['client', service.url, '--key', key, '--data', path.join(folder, 'revoked'), '--name', 'Revoked'];
    const ended = platen(argv, { env: { ...cups.environment } });
    await soon('the computer', '10s', async () =>
      ((await call('GET', '/computers')) as { name: string }[]).find(({ name }) => name === 'Revoked'),
    );
    await call('DELETE', '/account/apikey/desk');
    const { code, stderr } = await ended;
    expect({ code, stderr }).toMatchObject({
      code: 75,
      stderr: expect.stringContaining('the key was refused') as string,
    });
  });
});
