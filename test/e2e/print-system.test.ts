/**
 * Virtual printers as an unmodified operating system sees them: CUPS with its driverless queues, and the test
 * suites of ipptool that printer makers run.
 */

import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { systemClock } from '../../src/common/clock.ts';
import { Press } from '../../src/devices/press/press.ts';
import { PRINTER_PROFILES } from '../../src/devices/printer/printer-profile.ts';
import { VirtualPrinter } from '../../src/devices/printer/printer.ts';
import type { Printout } from '../../src/devices/printer/printout.ts';
import { attributesFromIpptool } from '../../src/hardware/clone/ipptool-output.ts';
import { cloneOf } from '../../src/hardware/clone/printer-clone.ts';
import { ExposedRoom } from '../../src/hardware/exposed-room.ts';
import { printerAttributes } from '../../src/hardware/ipp/ipp-client.ts';
import { PrintSystem } from '../../src/targets/print-system.ts';
import { SHOWN_FAULTS } from '../support/hardware-printer.ts';
import { IppToolSuites, SUITES } from '../support/ipptool-suites.ts';
import { soon } from '../support/soon.ts';

const DOCUMENTS = fileURLToPath(new URL('../../fixtures/documents/', import.meta.url));
const PDF = path.join(DOCUMENTS, 'three-pages.pdf');
const ZPL = path.join(DOCUMENTS, 'zpl-label.zpl');

const profiles = PRINTER_PROFILES.names();
const press = new Press(systemClock);
const printers = new Map<string, VirtualPrinter>();
let room: ExposedRoom;
let cups: PrintSystem;
let suites: IppToolSuites;

function addressOf(printer: string, protocol: 'ipp' | 'ipps' | 'raw' | 'lpd'): string {
  return room.addresses.find((one) => one.name === printer)?.uris[protocol] ?? '';
}

function printer(name: string): VirtualPrinter {
  const found = printers.get(name);
  if (!found) throw new Error(`no printer ${name}`);
  return found;
}

/** The next printout that comes out of a printer. */
function printed(name: string): Promise<Printout> {
  const { promise, resolve } = Promise.withResolvers<Printout>();
  const stop = printer(name).onPrintout((printout) => {
    stop();
    resolve(printout);
  });
  return promise;
}

/** The driver that CUPS makes of a printer, wherever that listens. */
async function driverOf(uri: string): Promise<string> {
  return (await cups.run('driverless', [uri])).replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
}

/** What CUPS says of a queue, or of its job. */
function eventuallySays(args: readonly string[], wanted: string | RegExp): Promise<string> {
  return soon(
    `lpstat ${args.join(' ')} to say ${String(wanted)}`,
    '10s',
    async () => {
      const said = await cups.run('lpstat', args);
      return said.match(wanted) ? said : undefined;
    },
    { every: '200ms' },
  );
}

describe('an operating system', { tags: ['print-system'], timeout: 60_000 }, () => {
  beforeAll(async () => {
    for (const [index, name] of profiles.entries()) {
      const options = { clock: systemClock, press, timeScale: 0, trayCapacity: 100 };
      const description = { profile: PRINTER_PROFILES.load(name), name };
      const one = new VirtualPrinter(index + 1, description, options, { refresh: () => undefined });
      one.clear();
      printers.set(name, one);
    }
    const computers = [{ name: 'DESK', printers: [...printers.values()], scales: [] }];
    const exposure = { ipp: 0, ipps: 0, raw: 0, lpd: 0 };
    room = await ExposedRoom.open({ clock: systemClock, press, exposure, computers: () => computers });
    cups = await PrintSystem.start();
    suites = new IppToolSuites(cups);
  }, 60_000);

  afterAll(async () => {
    await cups?.close();
    await room?.close();
    await press.close();
    suites?.[Symbol.dispose]();
  }, 30_000);

  // One profile of each kind; `npm run prove hardware` tries all, with other jobs beside them as well.
  it.each(
    ['laser-a4', 'label-4x6', 'papers-three-hundred'].flatMap((name) => SUITES.map((suite) => [suite, name] as const)),
  )('finds nothing wrong by %s with %s', async (suite, name) => {
    const { passed, failed } = await suites.run(suite, addressOf(name, 'ipp'));
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(29);
  });

  it.each(profiles)('makes a driverless queue of %s and prints through it', async (name) => {
    await cups.addQueue(name, addressOf(name, 'ipp'));
    const sheets = printed(name);
    await cups.run('lp', ['-d', name, '-t', 'Invoice 7', PDF]);
    expect(await sheets).toMatchObject({ kind: 'sheets', title: 'Invoice 7', origin: { protocol: 'ipp' } });
  });

  it.each(profiles)('cannot tell the clone of %s from the original', async (name) => {
    const address = addressOf(name, 'ipp');
    const clone = cloneOf(await printerAttributes(address), 'a test');
    const profile = PRINTER_PROFILES.read(JSON.stringify(clone), 'clone.json');
    const options = { clock: systemClock, press, timeScale: 0, trayCapacity: 5 };
    const twin = new VirtualPrinter(1, { profile, name }, options, { refresh: () => undefined });
    const computers = [{ name: 'DESK', printers: [twin], scales: [] }];
    await using other = await ExposedRoom.open({
      clock: systemClock,
      press,
      exposure: { ipp: 0 },
      computers: () => computers,
    });
    const driver = await driverOf(address);
    expect(await driverOf(other.addresses[0]?.uris.ipp ?? '')).toBe(driver);
    expect(driver).toContain('*PPD-Adobe');
  });

  // For papers-three-hundred, ipptool prints an empty line.
  it.each(profiles.filter((name) => name !== 'papers-three-hundred'))(
    'reads of %s the same by ipptool',
    async (name) => {
      const address = addressOf(name, 'ipp');
      const output = await cups.run('ipptool', ['-tv', address, 'get-printer-attributes.test']);
      const clone = cloneOf(attributesFromIpptool(output, 'a test'), 'a test');
      expect(clone).toEqual(cloneOf(await printerAttributes(address), 'a test'));
    },
  );

  it('says where a printer does not answer, and makes no queue of it', async () => {
    const nowhere = 'ipp://127.0.0.1:9/ipp/print';
    await expect(cups.addQueue('nowhere', nowhere)).rejects.toThrow(`no description of the printer ${nowhere}`);
    expect(await cups.run('lpstat', ['-e'])).not.toContain('nowhere');
  });

  it('prints with TLS', async () => {
    await cups.addQueue('encrypted', addressOf('laser-a4', 'ipps'));
    const sheets = printed('laser-a4');
    await cups.run('lp', ['-d', 'encrypted', PDF]);
    expect(await sheets).toMatchObject({ kind: 'sheets', origin: { protocol: 'ipp' } });
  });

  it('has its options carried out by the printer', async () => {
    await cups.addQueue('everywhere', addressOf('office-mfp', 'ipp'), 'everywhere');
    const sheets = printed('office-mfp');
    const options = ['sides=two-sided-long-edge', 'page-ranges=2-3', 'media=iso_a5_148x210mm', 'InputSlot=Tray2'];
    await cups.run('lp', ['-d', 'everywhere', '-n', '2', ...options.flatMap((option) => ['-o', option]), PDF]);
    const printout = await sheets;
    if (printout.kind !== 'sheets') throw new Error('it printed no sheets');
    expect(printout.sheets).toHaveLength(2);
    expect(printout.sheets[0]).toMatchObject({ flip: 'long-edge', tray: 'Tray 2' });
    expect(printout.sheets[0]?.paper.name).toContain('A5');
  });

  it('has a label cut to the size that it asks for', async () => {
    await cups.addQueue('roll', addressOf('label-4x6', 'ipp'));
    const label = printed('label-4x6');
    await cups.run('lp', ['-d', 'roll', '-o', 'media=Custom.54x60mm', PDF]);
    const printout = await label;
    const [sheet] = printout.kind === 'sheets' ? printout.sheets : [];
    const mm = [sheet?.paper.widthPt, sheet?.paper.heightPt].map((points = 0) => Math.round((points / 72) * 25.4));
    expect(mm).toEqual([54, 60]);
  });

  it.each(SHOWN_FAULTS)('sees %s, and that it is over', async (fault) => {
    printer('laser-a4').fail(fault);
    const sheets = printed('laser-a4');
    await cups.run('lp', ['-d', 'laser-a4', PDF]);
    await eventuallySays(['-l', '-p', 'laser-a4'], new RegExp(`Alerts:.*${fault}`));
    printer('laser-a4').clear();
    expect(await sheets).toMatchObject({ complete: true });
    // CUPS asks a printer how it is when it has a job for it.
    await cups.run('lp', ['-d', 'laser-a4', PDF]);
    await eventuallySays(['-l', '-p', 'laser-a4'], /Alerts: none/);
  });

  // What CUPS 2.4 makes of a printer whose connection fails: seen here, not wished for. Each has a printer of its own.
  it.each([
    ['drops-connection', 'raw', 0, 'laser-docuprint'],
    ['drops-answer', 'ipp', 1, 'laser-japanese'],
    ['small-buffer', 'ipp', 0, 'laser-oki'],
    ['forgets-jobs', 'ipp', 0, 'laser-redirected'],
    ['slow-connection', 'ipp', 1, 'laser-old-client'],
  ] as const)('takes a job for over with %s by %s, after %i printouts', async (fault, protocol, count, name) => {
    const queue = `${fault}-${protocol}`;
    await cups.addQueue(queue, addressOf(name, protocol), protocol === 'ipp' ? 'driverless' : 'raw');
    const before = printer(name).printouts().length;
    printer(name).fail(fault);
    await cups.run('lp', ['-d', queue, PDF]);
    await eventuallySays(['-W', 'completed', '-o', queue], queue);
    expect(printer(name).printouts()).toHaveLength(before + count);
  });

  it.each(['raw', 'lpd'] as const)('sends a label to the byte by %s', async (protocol) => {
    await cups.addQueue(protocol, addressOf('label-zebra-zpl', protocol), 'raw');
    const label = printed('label-zebra-zpl');
    await cups.run('lp', ['-d', protocol, '-o', 'raw', ZPL]);
    expect(await label).toMatchObject({ kind: 'raw', length: 256, origin: { protocol } });
  });
});
