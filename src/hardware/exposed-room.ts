/**
 * Exposed room: the printers of a room at addresses that an operating system can print to.
 *
 *   computers ─► printers ─┬─ ipp   one port, a path for each printer     ipp://127.0.0.1:8632/ipp/print/…
 *                          ├─ raw   a port for each printer               socket://127.0.0.1:9100
 *                          ├─ lpd   one port, a queue for each printer    lpd://127.0.0.1:8515/…
 *                          └─ snmp  one port, an index for each printer   snmp://127.0.0.1:8161/#1
 *
 * A room changes while it is exposed: printers that are added get addresses, those that are taken away lose
 * them. A port that is taken is an error that names it; what was opened before it is closed again.
 */

import { ActionableError } from '../common/actionable-error.ts';
import type { Clock } from '../common/clock.ts';
import type { Press } from '../devices/press/press.ts';
import type { VirtualPrinter } from '../devices/printer/printer.ts';
import { HardwarePrinter, hostInUri } from './hardware-printer.ts';
import { IppServer } from './ipp/ipp-server.ts';
import { LpdServer } from './lpd/lpd-server.ts';
import { RawPort } from './raw/raw-port.ts';
import { SnmpAgent } from './snmp/snmp-agent.ts';

/** The protocols, each with the port that it is given unless another is asked for. */
export const EXPOSURE_PORTS = { ipp: 8632, raw: 9100, lpd: 8515, snmp: 8161 } as const;

export type ExposureProtocol = keyof typeof EXPOSURE_PORTS;
export const EXPOSURE_PROTOCOLS = Object.keys(EXPOSURE_PORTS) as readonly ExposureProtocol[];

/** Protocol → port; of raw the port of the first printer. 0 takes any that is free. */
export type Exposure = Readonly<Partial<Record<ExposureProtocol, number>>>;

/** Where an operating system reaches a printer: protocol → URI. */
export interface HardwareAddresses {
  readonly computer: string;
  readonly printer: string;
  readonly uris: Readonly<Partial<Record<ExposureProtocol, string>>>;
}

export interface ExposableComputer {
  readonly name: string;
  readonly printers: readonly VirtualPrinter[];
}

export interface ExposedRoomOptions {
  readonly clock: Clock;
  readonly press: Press;
  readonly exposure: Exposure;
  /** 127.0.0.1 unless given. */
  readonly host?: string | undefined;
  /** The computers of the room, as they are when it is asked. */
  readonly computers: () => readonly ExposableComputer[];
}

/** A printer with all that was opened for it. */
interface Exposed {
  readonly hardware: HardwarePrinter;
  readonly addresses: HardwareAddresses;
  readonly withdraw: () => Promise<void>;
}

const LOOPBACK = '127.0.0.1';

export class ExposedRoom {
  readonly #options: ExposedRoomOptions;
  readonly #host: string;
  readonly #exposed = new Map<VirtualPrinter, Exposed>();
  #ipp: IppServer | undefined;
  #lpd: LpdServer | undefined;
  #snmp: SnmpAgent | undefined;

  private constructor(options: ExposedRoomOptions) {
    this.#options = options;
    this.#host = options.host ?? LOOPBACK;
  }

  /** @throws ActionableError when a port cannot be opened */
  static async open(options: ExposedRoomOptions): Promise<ExposedRoom> {
    const room = new ExposedRoom(options);
    try {
      await room.#listen();
      await room.refresh();
    } catch (error) {
      await room.close();
      throw error;
    }
    return room;
  }

  /** Addresses of every printer, in the order of the room. */
  get addresses(): HardwareAddresses[] {
    return this.#printers().flatMap(({ printer }) => {
      const exposed = this.#exposed.get(printer);
      return exposed ? [exposed.addresses] : [];
    });
  }

  addressesOf(printer: VirtualPrinter): HardwareAddresses | undefined {
    return this.#exposed.get(printer)?.addresses;
  }

  /** Follows the room: exposes printers that are new, and withdraws those that are gone. */
  async refresh(): Promise<void> {
    const printers = this.#printers();
    const present = new Set(printers.map(({ printer }) => printer));
    const gone: HardwareAddresses[] = [];
    for (const [printer, { addresses, withdraw }] of this.#exposed) {
      if (present.has(printer)) continue;
      this.#exposed.delete(printer);
      gone.push(addresses);
      await withdraw();
    }
    for (const { computer, printer } of printers) {
      if (this.#exposed.has(printer)) continue;
      // A printer that takes the place of another, as after a reset, keeps its port.
      const before = gone.find((one) => one.computer === computer && one.printer === printer.name);
      this.#exposed.set(printer, await this.#expose(printer, computer, portIn(before?.uris.raw)));
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    const exposed = [...this.#exposed.values()];
    this.#exposed.clear();
    await Promise.all(exposed.map(({ withdraw }) => withdraw()));
    await Promise.all([this.#ipp?.close(), this.#lpd?.close(), this.#snmp?.close()]);
  }

  async #listen(): Promise<void> {
    const { exposure, clock } = this.#options;
    const host = this.#host;
    const { ipp, lpd, snmp } = exposure;
    if (ipp !== undefined) this.#ipp = await opening('ipp', ipp, IppServer.start({ clock, host, port: ipp }));
    if (lpd !== undefined) this.#lpd = await opening('lpd', lpd, LpdServer.start({ host, port: lpd }));
    if (snmp !== undefined) this.#snmp = await opening('snmp', snmp, SnmpAgent.start({ host, port: snmp }));
  }

  async #expose(printer: VirtualPrinter, computer: string, rawPort: number | undefined): Promise<Exposed> {
    const hardware = new HardwarePrinter(printer, computer, this.#options.press);
    const queue = this.#queueName(hardware);
    const raw = await this.#openRaw(hardware, rawPort);
    const index = this.#snmp?.add(hardware);
    const ipp = this.#ipp?.add(hardware);
    const lpd = this.#lpd?.add(queue, hardware);
    const uris = {
      ...(ipp !== undefined && { ipp }),
      ...(raw && { raw: `socket://${this.#hostInUri()}:${raw.port}` }),
      ...(lpd !== undefined && { lpd }),
      ...(index !== undefined && { snmp: `snmp://${this.#hostInUri()}:${this.#snmp?.port}/#${index}` }),
    };
    const addresses = { computer, printer: printer.name, uris };
    const withdraw = async (): Promise<void> => {
      this.#ipp?.remove(hardware);
      this.#lpd?.remove(queue);
      if (index !== undefined) this.#snmp?.remove(index);
      await raw?.close();
    };
    return { hardware, addresses, withdraw };
  }

  async #openRaw(printer: HardwarePrinter, before: number | undefined): Promise<RawPort | undefined> {
    const { raw } = this.#options.exposure;
    if (raw === undefined) return undefined;
    const taken = new Set([...this.#exposed.values()].map(({ addresses }) => portIn(addresses.uris.raw)));
    let port = before ?? raw;
    while (port !== 0 && taken.has(port)) port++;
    return opening('raw', port, RawPort.start({ printer, host: this.#host, port }));
  }

  /** Queue names of LPD have no blanks and no slashes. */
  #queueName({ computer, name }: HardwarePrinter): string {
    const plain = `${computer}-${name}`
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '');
    const taken = new Set([...this.#exposed.values()].map(({ addresses }) => addresses.uris.lpd?.split('/').at(-1)));
    for (let count = 1; ; count++) {
      const queue = count === 1 ? plain : `${plain}-${count}`;
      if (!taken.has(queue)) return queue;
    }
  }

  #hostInUri(): string {
    return hostInUri(this.#host);
  }

  #printers(): { readonly computer: string; readonly printer: VirtualPrinter }[] {
    return this.#options
      .computers()
      .flatMap(({ name, printers }) => printers.map((printer) => ({ computer: name, printer })));
  }
}

function portIn(address: string | undefined): number | undefined {
  const [, port] = /:(\d+)$/.exec(address ?? '') ?? [];
  return port === undefined ? undefined : Number(port);
}

async function opening<Server>(protocol: ExposureProtocol, port: number, server: Promise<Server>): Promise<Server> {
  try {
    return await server;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an error';
    throw new ActionableError(
      'usage',
      `port ${port} for ${protocol} cannot be opened: ${code}`,
      `Stop what uses it, or name another: --expose ${protocol}:0 takes any that is free.`,
      { cause: error },
    );
  }
}
