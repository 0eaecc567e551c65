/**
 * Lets Avahi and CUPS of Debian find the printers of a room; writes reports/baseline/dns-sd.md.
 *
 *   room ─► multicast on lo ─► avahi-daemon ─► D-Bus ─► avahi-browse, ippfind
 *
 * Usage: node test/hardware/run-dns-sd.ts   exits 1 when a figure misses its bar. Needs root: all of it runs in a network
 * and with a /run of its own, so that nothing is announced outside and no daemon of the machine is touched.
 */

import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { sleep, systemClock } from '../../src/common/clock.ts';
import { programPath } from '../../src/common/program-path.ts';
import { Press } from '../../src/devices/press/press.ts';
import { PRINTER_PROFILES } from '../../src/devices/printer/printer-profile.ts';
import { VirtualPrinter } from '../../src/devices/printer/printer.ts';
import { ExposedRoom } from '../../src/hardware/exposed-room.ts';
import { writeBaselinePage } from '../support/baseline-page.ts';
import { print, say, tableOf, type Figure } from './figures.ts';

const PROGRAMS = ['avahi-daemon', 'avahi-browse', 'avahi-publish', 'ippfind', 'dbus-daemon', 'unshare', 'ip'];
const TYPES = ['_ipp._tcp', '_ipps._tcp', '_printer._tcp', '_pdl-datastream._tcp'] as const;
/** CUPS makes no URI of the others. */
const FOUND_BY_CUPS = TYPES.slice(0, 3);
const LOOK_S = '5';
const DAEMONS_MS = 2_000;
const TAKEN = 'laser-a4 @ DESK';

const BUS = `<busconfig><listen>unix:path=FOLDER/bus</listen><auth>EXTERNAL</auth><policy context="default">
<allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>`;
const AVAHI = `[server]
use-ipv6=no
allow-interfaces=lo
`;
/** Avahi looks up a user of its name. */
const ENTER = `ip link set lo up multicast on && mount -t tmpfs tmpfs /run && mkdir /run/avahi-daemon
for file in passwd group; do
  { cat /etc/$file; [ $file = group ] && echo avahi:x:0: || echo avahi:x:0:0::/run:/bin/false; } > /run/$file
  mount --bind /run/$file /etc/$file
done
exec "$@"`;

async function output(program: string, argv: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(programPath(program) ?? program, argv, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

async function insideNetwork(folder: string): Promise<void> {
  writeFileSync(path.join(folder, 'bus.conf'), BUS.replace('FOLDER', folder));
  writeFileSync(path.join(folder, 'avahi.conf'), AVAHI);
  process.env['DBUS_SYSTEM_BUS_ADDRESS'] = `unix:path=${folder}/bus`;
  const children: ChildProcess[] = [];
  const start = async (program: string, ...argv: readonly string[]): Promise<void> => {
    children.push(spawn(programPath(program) ?? program, argv, { stdio: 'ignore' }));
    await sleep(systemClock, DAEMONS_MS);
  };
  try {
    await start('dbus-daemon', `--config-file=${folder}/bus.conf`, '--nofork');
    await start('avahi-daemon', '-f', `${folder}/avahi.conf`, '--no-chroot', '--no-drop-root', '--no-rlimits');
    await start('avahi-publish', '-s', TAKEN, '_ipp._tcp', '6310');
    await prove();
  } finally {
    for (const child of children.toReversed()) child.kill();
  }
}

async function prove(): Promise<void> {
  const press = new Press(systemClock);
  const names = PRINTER_PROFILES.names();
  const options = { clock: systemClock, press, timeScale: 0, trayCapacity: 1 };
  const printers = names.map((name, index) => {
    const description = { profile: PRINTER_PROFILES.load(name), name };
    return new VirtualPrinter(index + 1, description, options, { refresh: () => undefined });
  });
  const computers = () => [{ name: 'DESK', printers, scales: [] }];
  const exposure = { ipp: 0, ipps: 0, lpd: 0, raw: 0, 'dns-sd': 5353 };
  const room = await ExposedRoom.open({ clock: systemClock, press, exposure, computers });
  const figures: Figure[] = [];
  for (const type of FOUND_BY_CUPS) {
    const found = (await output('ippfind', ['-T', LOOK_S, type]))
      .split('\n')
      .filter((line) => line.includes('platen-'));
    figures.push(ofAll(`ippfind ${type}`, new Set(found).size, names.length));
  }
  const browsed = await browse();
  for (const type of TYPES) {
    const ids = browsed
      .filter((line) => line.includes(`;${type};`))
      .flatMap((line) => /"UUID=([^"]+)"/.exec(line)?.[1] ?? []);
    figures.push(ofAll(`avahi-browse ${type}`, new Set(ids).size, names.length));
  }
  const addresses = new Set(browsed.filter((line) => line.includes('platen-')).map((line) => line.split(';')[7]));
  figures.push(
    say({
      what: 'addresses given out',
      bar: '127.0.0.1',
      found: [...addresses].join(),
      isMet: addresses.size === 1 && addresses.has('127.0.0.1'),
    }),
  );
  const renamed = room.addresses
    .flatMap(({ uris }) => decodeURIComponent(uris['dns-sd'] ?? ''))
    .filter((uri) => uri.includes('(2)'));
  const second = `dnssd://${TAKEN} (2)._ipp._tcp.local/`;
  figures.push(
    say({
      what: `name that Avahi holds already ('${TAKEN}')`,
      bar: second,
      found: renamed.join(),
      isMet: renamed.join() === second,
    }),
  );
  await room.close();
  await press.close();
  // A goodbye counts a second later (RFC 6762, 10.1), and avahi-browse waits for good for what goes away meanwhile.
  await sleep(systemClock, DAEMONS_MS);
  const left = (await browse()).filter((line) => line.includes('platen-'));
  figures.push(say({ what: 'services after the end', bar: '0', found: String(left.length), isMet: left.length === 0 }));
  process.exitCode = figures.every(({ isMet }) => isMet) ? 0 : 1;
  writeBaselinePage('dns-sd.md', {
    title: 'Printers that Avahi and CUPS find',
    command: 'npm run prove dns-sd',
    about: `A room with a printer of each profile, announced on loopback, as Avahi 0.8 and the ippfind of CUPS 2.4 see it.`,
    ...tableOf(figures),
  });
}

/** A line for each service, with address, port and TXT. */
async function browse(): Promise<string[]> {
  return (await output('avahi-browse', ['-artpk'])).split('\n').filter((line) => line.startsWith('='));
}

function ofAll(what: string, count: number, all: number): Figure {
  return say({ what, bar: `${all} of ${all}`, found: `${count} of ${all}`, isMet: count === all });
}

const missing = PROGRAMS.filter((program) => programPath(program) === undefined);
const folder = process.argv[2];
if (missing.length > 0) {
  print(`there is no ${missing.join(', no ')}: apt-get install avahi-daemon avahi-utils cups-ipp-utils dbus iproute2`);
  process.exitCode = 1;
} else if (folder !== undefined) {
  await insideNetwork(folder);
} else {
  const made = mkdtempSync(path.join(tmpdir(), 'platen-dns-sd-'));
  const argv = ['--net', '--mount', 'sh', '-c', ENTER, 'sh', process.execPath, import.meta.filename, made];
  process.exitCode = spawnSync('unshare', argv, { stdio: 'inherit' }).status ?? 1;
  rmSync(made, { recursive: true });
}
