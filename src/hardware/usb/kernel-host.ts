/**
 * Kernel host: lets the kernel of this machine attach devices of a USB/IP server, so that programs here find them
 * plugged in.
 *
 *   server ◄── TCP ──► vhci_hcd ─► driver ─► /dev/hidraw0
 *
 * A device stays attached as long as its connection. The server ends that when the device is withdrawn, and with its
 * process all connections end: nothing stays attached, however a run is interrupted.
 */

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { messageOf } from '../../common/error-message.ts';
import { programPath } from '../../common/program-path.ts';

/** What decides whether a machine can attach devices. */
export interface HostMachine {
  /** Where the kernel shows its virtual host controller. */
  readonly controller: string;
  readonly userId: number | undefined;
  /** Where `usbip` notes what it has attached: a file for each port, with host, TCP port and bus id. */
  readonly notes: string;
}

const THIS_MACHINE: HostMachine = {
  controller: '/sys/devices/platform/vhci_hcd.0',
  userId: process.geteuid?.(),
  notes: '/var/run/vhci_hcd',
};
const ATTACH_LIMIT_MS = 30_000;

/** What a machine lacks to attach devices; undefined where it can. */
export function lackOfKernelHost({ controller, userId } = THIS_MACHINE): string | undefined {
  if (!existsSync(controller)) return 'its kernel has no vhci_hcd (`modprobe vhci-hcd` loads it)';
  if (userId !== 0) return 'only root may attach devices (`sudo`)';
  if (programPath('usbip') === undefined) return 'there is no usbip (`apt-get install usbip`)';
  return undefined;
}

/** Attaches a device. @param uri - as its server gave it @throws Error with what `usbip` said */
export async function attachToKernel(uri: string): Promise<void> {
  const { hostname, port, busId } = partsOf(uri);
  const argv = ['--tcp-port', port, 'attach', '-r', hostname, '-b', busId];
  try {
    await promisify(execFile)(programPath('usbip') ?? 'usbip', argv, { timeout: ATTACH_LIMIT_MS });
  } catch (error) {
    throw new Error(`the kernel did not attach ${uri}: ${messageOf(error)}`, { cause: error });
  }
}

/** Removes what `usbip` noted of a device that its server has withdrawn: the next one in its port is another. */
export function forgetAttached(uri: string, { notes } = THIS_MACHINE): void {
  const { hostname, port, busId } = partsOf(uri);
  for (const name of existsSync(notes) ? readdirSync(notes) : []) {
    const file = path.join(notes, name);
    if (readFileSync(file, 'utf8').trim() === `${hostname} ${port} ${busId}`) rmSync(file);
  }
}

function partsOf(uri: string): { readonly hostname: string; readonly port: string; readonly busId: string } {
  // URL takes no host in an address with an unknown scheme.
  const { hostname, port, pathname } = new URL(uri.replace(/^usbip:/, 'http:'));
  return { hostname, port, busId: pathname.slice(1) };
}
