/**
 * Parts of a machine that some tests need beside Node. A test names its part as a tag:
 *
 *   describe('the page', { tags: ['browser'] }, …)
 *
 * Without the part its tests are skipped, and the last lines of the run name it (summary-reporter.ts). In CI they
 * are not skipped, and fail.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { fakeTimeLibrary } from '../../src/targets/fake-time.ts';
import { missingForPrintSystem } from '../../src/targets/print-system.ts';

/** Debian's Chromium, unless another is named. */
export const CHROMIUM = process.env['PLATEN_CHROMIUM'] ?? '/usr/bin/chromium';
/** Debian keeps servers out of the path of those who are not root. */
export const SERVER_PATH = `${process.env['PATH'] ?? ''}${path.delimiter}/usr/sbin`;

export interface MachinePart {
  readonly tag: string;
  /** What only its tests cover. */
  readonly covers: string;
  readonly install: string;
  isThere(): boolean;
}

export const MACHINE_PARTS: readonly MachinePart[] = [
  {
    tag: 'browser',
    covers: 'the page',
    install: 'apt-get install chromium, or set PLATEN_CHROMIUM to another',
    isThere: () => existsSync(CHROMIUM),
  },
  {
    tag: 'container-engine',
    covers: 'containers',
    install: 'apt-get install docker.io, and start dockerd',
    isThere: () => succeeds('docker', 'info'),
  },
  {
    tag: 'faketime',
    covers: 'the time of a service that platen starts and moves',
    install: 'apt-get install faketime',
    isThere: () => fakeTimeLibrary() !== undefined,
  },
  {
    tag: 'go',
    covers: 'a service written in Go',
    install: 'apt-get install golang-go',
    isThere: () => succeeds('go', 'version'),
  },
  {
    tag: 'java',
    covers: 'a service written in Java',
    install: 'apt-get install default-jdk-headless',
    isThere: () => succeeds('javac', '-version'),
  },
  {
    tag: 'kernel-guest',
    covers: 'devices on the USB bus of a Linux kernel',
    install: 'apt-get install qemu-system-x86 busybox-static usbip',
    isThere: () =>
      succeeds('qemu-system-x86_64', '--version') && existsSync('/bin/busybox') && succeeds('usbip', 'version'),
  },
  {
    tag: 'nats-server',
    covers: 'loads on several machines',
    install: 'apt-get install nats-server',
    isThere: () => succeeds('nats-server', '--version'),
  },
  {
    tag: 'network-namespaces',
    covers: 'a machine of a load that is cut off',
    install: 'run as root on Linux, with apt-get install iproute2',
    isThere: () => succeeds('ip', 'netns', 'add', 'platen-try') && succeeds('ip', 'netns', 'delete', 'platen-try'),
  },
  {
    tag: 'pdf-renderers',
    covers: 'sheets as other programs draw them',
    install: 'apt-get install mupdf-tools poppler-utils',
    isThere: () => succeeds('mutool', '-v') && succeeds('pdftocairo', '-v'),
  },
  {
    tag: 'php',
    covers: 'a service written in PHP',
    install: 'apt-get install php-cli',
    isThere: () => succeeds('php', '--version'),
  },
  {
    tag: 'print-system',
    covers: 'what operating systems print',
    install: 'apt-get install cups cups-client cups-ipp-utils cups-filters',
    isThere: () => missingForPrintSystem().length === 0,
  },
  {
    tag: 'prometheus',
    covers: 'the metrics of a load as Prometheus reads them',
    install: 'apt-get install prometheus',
    isThere: () => succeeds('prometheus', '--version'),
  },
  {
    tag: 'pytest',
    covers: 'the fixture for pytest',
    install: 'apt-get install python3-pytest',
    isThere: () => succeeds('pytest-3', '--version'),
  },
  {
    tag: 'python3',
    covers: 'a service written in Python',
    install: 'apt-get install python3',
    isThere: () => succeeds('python3', '--version'),
  },
  {
    tag: 'ruby',
    covers: 'a service written in Ruby',
    install: 'apt-get install ruby',
    isThere: () => succeeds('ruby', '--version'),
  },
  {
    tag: 'usbip',
    covers: 'how Linux lists devices on the USB bus',
    install: 'apt-get install usbip',
    isThere: () => succeeds('usbip', 'version'),
  },
  {
    tag: 'xmllint',
    covers: 'the schema of JUnit files',
    install: 'apt-get install libxml2-utils',
    isThere: () => succeeds('xmllint', '--version'),
  },
];

/** @param tag - of a part in the table */
export function hasPart(tag: string): boolean {
  return MACHINE_PARTS.some((part) => part.tag === tag && part.isThere());
}

function succeeds(program: string, ...argv: readonly string[]): boolean {
  const env = { ...process.env, PATH: SERVER_PATH };
  return spawnSync(program, argv, { env, stdio: 'ignore', timeout: 10_000 }).status === 0;
}
