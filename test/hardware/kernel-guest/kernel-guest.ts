/**
 * Kernel guest: an unmodified Linux that devices can be attached to, in QEMU without hardware support.
 *
 *   run('usbip attach …') ─► console ─► shell in the guest ─► what it printed
 *
 * It is built at the first use and kept (build.sh). To the guest, this machine is 10.0.2.2. With `sharesFiles` the programs
 * of this machine run in it: it has the files of this machine at FILES_IN_GUEST, and what it writes there stays in the guest.
 */

import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { messageOf } from '../../../src/common/error-message.ts';
import { within } from '../../../src/common/waiter.ts';
import { partsOf } from '../../support/usb-ip-host.ts';

const BUILD = path.join(import.meta.dirname, 'build.sh');
/** The folder of this guest; a changed build script makes another. */
const FOLDER = path.resolve(
  import.meta.dirname,
  '../../../node_modules/.cache/platen',
  `kernel-guest-${hash('sha256', readFileSync(BUILD)).slice(0, 8)}`,
);
/** Five seconds on a quiet machine; a hundred were seen with twelve programs beside it on two cores. */
const START_LIMIT = '120s';
const COMMAND_LIMIT = '60s';
const READY = '@@ready\n';
/** Lines kept to say what went wrong. */
const LAST_LINES = 20;
/** Where this machine stands in the network of the guest. */
export const HOST_IN_GUEST = '10.0.2.2';
export const FILES_IN_GUEST = '/machine';
/** Read-only below, writable above, with the devices of the guest and its own `/run`. */
const SHARE_FILES = [
  'mkdir /host /above',
  'mount -t 9p -o trans=virtio,version=9p2000.L,msize=1048576,cache=loose,ro host /host',
  'mount -t tmpfs above /above',
  `mkdir /above/files /above/work ${FILES_IN_GUEST}`,
  `mount -t overlay -o lowerdir=/host,upperdir=/above/files,workdir=/above/work overlay ${FILES_IN_GUEST}`,
  `mount -t proc proc ${FILES_IN_GUEST}/proc`,
  `mount --bind /dev ${FILES_IN_GUEST}/dev`,
  `mount --bind /sys ${FILES_IN_GUEST}/sys`,
  `mount -t tmpfs run ${FILES_IN_GUEST}/run`,
].join(' && ');
const PORTS = '00 01 02';

/**
 * - The kernel counts ticks of its timer for a moment at the start, and panics if it missed them, as happens when QEMU
 *   gets no time on a busy machine: `no_timer_check` takes the timer for granted.
 * - A panic ends QEMU at once.
 */
const KERNEL_OPTIONS = 'console=ttyS0 loglevel=4 no_timer_check panic=-1';

export interface GuestOptions {
  /** For programs of this machine: it has more memory, and starts a second later. */
  readonly sharesFiles?: boolean;
}

export class KernelGuest {
  readonly #qemu: ChildProcessWithoutNullStreams;
  /** The guest's own folder, with the messages of the kernel. */
  readonly #folder: string;
  #output = Buffer.alloc(0);
  #heard = Promise.withResolvers<void>();
  #commands = 0;

  private constructor({ sharesFiles = false }: GuestOptions) {
    this.#folder = mkdtempSync(path.join(tmpdir(), 'platen-kernel-guest-'));
    const argv = [...options(this.#kernelLog), ...(sharesFiles ? WITH_FILES : WITHOUT_FILES)];
    this.#qemu = spawn('qemu-system-x86_64', argv);
    this.#qemu.stdout.on('data', (chunk: Buffer) => {
      this.#output = Buffer.concat([this.#output, chunk]);
      this.#wake();
    });
    this.#qemu.on('close', () => this.#wake());
  }

  /** Builds the guest if need be, and boots it; once more if that fails, with the reason on the standard error. */
  static async start(guestOptions: GuestOptions = {}): Promise<KernelGuest> {
    if (!existsSync(path.join(FOLDER, 'initrd'))) await promisify(execFile)('sh', [BUILD, FOLDER]);
    return KernelGuest.#boot(guestOptions).catch((error: unknown) => {
      process.stderr.write(`the guest is started once more: ${messageOf(error)}\n`);
      return KernelGuest.#boot(guestOptions);
    });
  }

  static async #boot(guestOptions: GuestOptions): Promise<KernelGuest> {
    const guest = new KernelGuest(guestOptions);
    try {
      await guest.#until(READY, 'the shell of the guest', START_LIMIT);
      if (guestOptions.sharesFiles) await guest.run(SHARE_FILES);
      return guest;
    } catch (error) {
      const lines = guest.#kernelLines();
      await guest[Symbol.asyncDispose]();
      throw new Error([messageOf(error), ...lines].join('\n  | '), { cause: error });
    }
  }

  /** Runs a command in the shell of the guest. @throws Error with its output when it fails */
  async run(command: string, limit = COMMAND_LIMIT): Promise<string> {
    const mark = `@@${++this.#commands} `;
    this.#output = Buffer.alloc(0);
    this.type(`{ ${command} ; } 2>&1 </dev/null; echo ${mark}$?`);
    const description = `the end of '${command}' in the guest`;
    const before = await this.#until(mark, description, limit);
    const whole = await this.#until('\n', description, COMMAND_LIMIT, before.length);
    const status = whole.slice(before.length + mark.length);
    if (status !== '0') throw new Error(`${command}: exit status ${status}\n${before}`);
    return before;
  }

  /** Runs a command in the shell of the guest, and goes on with what it prints as it comes. */
  async stream(command: string, onBytes: (bytes: Buffer) => void, work: () => Promise<void>): Promise<void> {
    const heard = this.#qemu.stdout.on('data', onBytes);
    this.type(`${command} & READER=$!`);
    await work().finally(() => heard.off('data', onBytes));
    await this.run('kill $READER');
  }

  type(line: string): void {
    this.#qemu.stdin.write(`${line}\n`);
  }

  /** Attaches a device by its address on the bus, and waits for its node. */
  async attach(uri: string | undefined, node: string): Promise<void> {
    const { port, busId } = partsOf(uri);
    await this.run(`usbip --tcp-port ${port} attach -r ${HOST_IN_GUEST} -b ${busId}`);
    await this.run(untilTrue(`[ -e ${node} ]`));
  }

  /** Lets go of every device. */
  async detach(): Promise<void> {
    await this.run(`for port in ${PORTS}; do usbip detach -p $port; done; true`);
    await this.run(untilTrue('! [ -e /dev/hidraw0 ] && ! [ -e /dev/usb/lp0 ]'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#qemu.exitCode === null && this.#qemu.signalCode === null) {
      const closed = Promise.withResolvers<void>();
      this.#qemu.once('close', () => closed.resolve());
      this.#qemu.kill('SIGKILL');
      await closed.promise;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #wake(): void {
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
  }

  /** What was printed before these characters. */
  async #until(characters: string, description: string, limit: string, from = 0): Promise<string> {
    const wait = async (): Promise<string> => {
      for (;;) {
        const at = this.#output.indexOf(characters, from, 'latin1');
        if (at !== -1) return this.#output.toString('latin1', 0, at);
        if (this.#qemu.exitCode !== null) throw new Error('the guest has ended');
        await this.#heard.promise;
      }
    };
    return within(wait(), { description, limit });
  }

  get #kernelLog(): string {
    return path.join(this.#folder, 'kernel.log');
  }

  #kernelLines(): readonly string[] {
    if (!existsSync(this.#kernelLog)) return [];
    return readFileSync(this.#kernelLog, 'utf8').trim().split('\n').slice(-LAST_LINES);
  }
}

const WITHOUT_FILES = ['-m', '256'];
/** An old processor: emulated, Node runs twice as fast on it as on one with wide registers. */
const WITH_FILES = [
  ['-m', '2048', '-cpu', 'Nehalem'],
  ['-virtfs', 'local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap'],
].flat();

/** The shell is at a port, not at a console: a terminal of Linux loses input under load. */
function options(kernelLog: string): readonly string[] {
  return [
    ['-accel', 'tcg', '-display', 'none', '-monitor', 'none', '-no-reboot'],
    ['-serial', `file:${kernelLog}`, '-append', KERNEL_OPTIONS],
    ['-kernel', path.join(FOLDER, 'kernel'), '-initrd', path.join(FOLDER, 'initrd')],
    ['-chardev', 'stdio,id=shell', '-device', 'virtio-serial', '-device', 'virtserialport,chardev=shell'],
    ['-netdev', 'user,id=net', '-device', 'virtio-net-pci,netdev=net,romfile='],
  ].flat();
}

/** A command that waits half a minute for a condition. */
export function untilTrue(condition: string): string {
  return `i=0; until ${condition}; do [ $i -lt 600 ] && usleep 50000 || break; i=$((i+1)); done; ${condition}`;
}
