/**
 * Exposed room: the printers and scales of a room at addresses that an operating system can reach.
 *
 *   computers ─► printers ─┬─ ipp   one port, a path for each printer     ipp://127.0.0.1:8632/ipp/print/…
 *                          ├─ ipps  the same with TLS                    ipps://127.0.0.1:8633/ipp/print/…
 *                          ├─ raw   a port for each printer               socket://127.0.0.1:9100
 *                          ├─ lpd   one port, a queue for each printer    lpd://127.0.0.1:8515/…
 *                          ├─ dns-sd  a name on the link for each printer dnssd://Laser%20%40%20DESK._ipp._tcp.local/
 *            └► scales ────┴─ usb   one port, a bus id for each device    usbip://127.0.0.1:3240/1-1
 *
 * A room changes while it is exposed: devices that are added get addresses, those that are taken away lose
 * them. A port that is taken is an error that names it; what was opened before it is closed again.
 */

import { hash } from 'node:crypto';
import { isIPv4 } from 'node:net';

import { ActionableError, usageError } from '../common/actionable-error.ts';
import type { Clock } from '../common/clock.ts';
import type { Press } from '../devices/press/press.ts';
import type { VirtualPrinter } from '../devices/printer/printer.ts';
import { VirtualScale } from '../devices/scale/scale.ts';
import { Announcer } from './dns-sd/announcer.ts';
import { ANNOUNCED_PROTOCOLS } from './dns-sd/printer-services.ts';
import { HardwarePrinter } from './hardware-printer.ts';
import { IppServer } from './ipp/ipp-server.ts';
import { LpdServer } from './lpd/lpd-server.ts';
import { plainName, unusedName } from './plain-name.ts';
import { RawPort } from './raw/raw-port.ts';
import { hostInUri, LOOPBACK } from './tcp-port.ts';
import { UsbIpServer } from './usb/usb-ip-server.ts';
import { UsbPrinter } from './usb/usb-printer.ts';
import { UsbScale } from './usb/usb-scale.ts';

/** The protocols, each with the port that it is given unless another is asked for. */
export const EXPOSURE_PORTS = {
  ipp: 8632,
  ipps: 8633,
  raw: 9100,
  lpd: 8515,
  usb: 3240,
  'dns-sd': 5353,
} as const;

export type ExposureProtocol = keyof typeof EXPOSURE_PORTS;
export const EXPOSURE_PROTOCOLS = Object.keys(EXPOSURE_PORTS) as readonly ExposureProtocol[];

/** Protocol → port; of raw the port of the first printer. 0 takes any that is free. */
export type Exposure = Readonly<Partial<Record<ExposureProtocol, number>>>;

/** Where an operating system reaches a device: protocol → URI. */
export interface HardwareAddresses {
  readonly computer: string;
  readonly kind: 'printer' | 'scale';
  readonly name: string;
  readonly uris: Readonly<Partial<Record<ExposureProtocol, string>>>;
}

export interface ExposableComputer {
  readonly name: string;
  readonly printers: readonly VirtualPrinter[];
  readonly scales: readonly VirtualScale[];
}

export interface ExposedRoomOptions {
  readonly clock: Clock;
  readonly press: Press;
  readonly exposure: Exposure;
  /** Loopback unless given. */
  readonly host?: string | undefined;
  /** The computers of the room, as they are when it is asked. */
  readonly computers: () => readonly ExposableComputer[];
}

type Device = VirtualPrinter | VirtualScale;
type Uris = HardwareAddresses['uris'];

/** A device with all that was opened for it. */
interface Exposed {
  readonly addresses: HardwareAddresses;
  /** Undefined unless it is announced; another printer of the link may take its name. */
  readonly announced?: () => string | undefined;
  readonly withdraw: () => Promise<void>;
}

export class ExposedRoom {
  readonly #options: ExposedRoomOptions;
  readonly #exposed = new Map<Device, Exposed>();
  #ipp: IppServer | undefined;
  #lpd: LpdServer | undefined;
  #usb: UsbIpServer | undefined;
  #announcer: Announcer | undefined;

  private constructor(options: ExposedRoomOptions) {
    this.#options = options;
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

  /** Addresses of every device that has any, in the order of the room. */
  get addresses(): HardwareAddresses[] {
    return this.#devices().flatMap(({ device }) => this.addressesOf(device) ?? []);
  }

  /** Undefined where no protocol that is open reaches the device. */
  addressesOf(device: Device): HardwareAddresses | undefined {
    const exposed = this.#exposed.get(device);
    const announced = exposed?.announced?.();
    if (!exposed || announced === undefined) return exposed?.addresses;
    const { addresses } = exposed;
    return { ...addresses, uris: { ...addresses.uris, 'dns-sd': announced } };
  }

  /** Follows the room: exposes devices that are new, and withdraws those that are gone. */
  async refresh(): Promise<void> {
    const devices = this.#devices();
    const present = new Set(devices.map(({ device }) => device));
    const gone: HardwareAddresses[] = [];
    for (const [device, { addresses, withdraw }] of this.#exposed) {
      if (present.has(device)) continue;
      this.#exposed.delete(device);
      gone.push(addresses);
      await withdraw();
    }
    for (const { computer, device } of devices) {
      if (this.#exposed.has(device)) continue;
      const { kind, name } = namedAs(device);
      // A device that takes the place of another, as after a reset, keeps its port and its place on the bus.
      const at = gone.findIndex((one) => one.computer === computer && one.kind === kind && one.name === name);
      const [before] = at === -1 ? [] : gone.splice(at, 1);
      const exposed =
        device instanceof VirtualScale
          ? this.#exposeScale(device, computer, before?.uris)
          : await this.#exposePrinter(device, computer, before?.uris);
      if (exposed) this.#exposed.set(device, exposed);
    }
    await this.#announcer?.settled();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    const exposed = [...this.#exposed.values()];
    this.#exposed.clear();
    // Its goodbye names all printers.
    await this.#announcer?.close();
    await Promise.all(exposed.map(({ withdraw }) => withdraw()));
    await Promise.all([this.#ipp?.close(), this.#lpd?.close(), this.#usb?.close()]);
  }

  async #listen(): Promise<void> {
    const { exposure, clock, host } = this.#options;
    const { lpd, usb } = exposure;
    for (const scheme of ['ipp', 'ipps'] as const) {
      const port = exposure[scheme];
      if (port === undefined) continue;
      this.#ipp ??= new IppServer({ clock, host });
      await opening(scheme, port, this.#ipp.listen(scheme, port));
    }
    if (lpd !== undefined) this.#lpd = await opening('lpd', lpd, LpdServer.start({ host, port: lpd }));
    if (usb !== undefined) this.#usb = await opening('usb', usb, UsbIpServer.start({ clock, host, port: usb }));
    const { 'dns-sd': multicast } = exposure;
    if (multicast === undefined) return;
    const announcing = Announcer.start({ host: hostToAnnounce(this.#options), port: multicast });
    this.#announcer = await opening('dns-sd', multicast, announcing);
  }

  async #exposePrinter(printer: VirtualPrinter, computer: string, before: Uris | undefined): Promise<Exposed> {
    const hardware = new HardwarePrinter(printer, computer, this.#options.press);
    const queue = this.#queueName(hardware);
    const raw = await this.#openRaw(hardware, portIn(before?.raw));
    const ipp = this.#ipp?.add(hardware) ?? {};
    const lpd = this.#lpd?.add(queue, hardware);
    const onBus = this.#usb && new UsbPrinter(hardware, serialOf(computer, printer.key));
    const usb = onBus && this.#usb?.add(onBus, before?.usb);
    const host = hostInUri(this.#options.host);
    const uris = {
      ...ipp,
      ...(raw && { raw: `socket://${host}:${raw.port}` }),
      ...(lpd !== undefined && { lpd }),
      ...(usb !== undefined && { usb }),
    };
    const addresses = { computer, ...namedAs(printer), uris };
    this.#announcer?.add(hardware, uris);
    const withdraw = async (): Promise<void> => {
      this.#announcer?.remove(hardware);
      this.#ipp?.remove(hardware);
      this.#lpd?.remove(queue);
      if (onBus) this.#usb?.remove(onBus);
      await raw?.close();
    };
    return { addresses, withdraw, announced: () => this.#announcer?.uriOf(hardware) };
  }

  /** Undefined where there is no bus. */
  #exposeScale(scale: VirtualScale, computer: string, before: Uris | undefined): Exposed | undefined {
    const bus = this.#usb;
    if (!bus) return undefined;
    const onBus = new UsbScale(scale, serialOf(computer, scale.key), this.#options.clock);
    const addresses = { computer, ...namedAs(scale), uris: { usb: bus.add(onBus, before?.usb) } };
    return { addresses, withdraw: async () => bus.remove(onBus) };
  }

  async #openRaw(printer: HardwarePrinter, before: number | undefined): Promise<RawPort | undefined> {
    const { exposure, host } = this.#options;
    const { raw } = exposure;
    if (raw === undefined) return undefined;
    const taken = new Set([...this.#exposed.values()].map(({ addresses }) => portIn(addresses.uris.raw)));
    let port = before ?? raw;
    while (port !== 0 && taken.has(port)) port++;
    return opening('raw', port, RawPort.start({ printer, host, port }));
  }

  /** Queue names of LPD have no blanks and no slashes. */
  #queueName({ computer, name }: HardwarePrinter): string {
    const plain = plainName(`${computer}-${name}`) || 'printer';
    const taken = new Set([...this.#exposed.values()].map(({ addresses }) => addresses.uris.lpd?.split('/').at(-1)));
    return unusedName((suffix) => `${plain}${suffix}`, taken);
  }

  #devices(): { readonly computer: string; readonly device: Device }[] {
    return this.#options
      .computers()
      .flatMap(({ name, printers, scales }) => [...printers, ...scales].map((device) => ({ computer: name, device })));
  }
}

function namedAs(device: Device): Pick<HardwareAddresses, 'kind' | 'name'> {
  return device instanceof VirtualScale
    ? { kind: 'scale', name: device.deviceName }
    : { kind: 'printer', name: device.name };
}

/** @throws ActionableError where there is nothing to announce, or no single address to announce it at */
function hostToAnnounce({ exposure, host = LOOPBACK }: ExposedRoomOptions): string {
  if (ANNOUNCED_PROTOCOLS.every((protocol) => exposure[protocol] === undefined)) {
    throw usageError('dns-sd announces the other ports of printers, and none is open', 'Use --expose ipp,dns-sd.');
  }
  if (isIPv4(host) && host !== '0.0.0.0') return host;
  throw usageError(
    `dns-sd announces printers at one IPv4 address, and the ports are open on ${host}`,
    'Name the address of this machine in the network of the printers: --host 192.168.1.7',
  );
}

const SERIAL_DIGITS = 13;

/** The same device has the same number each time that its room is made. */
function serialOf(computer: string, key: string): string {
  return hash('sha256', `${computer}/${key}`).slice(0, SERIAL_DIGITS).toUpperCase();
}

function portIn(address: string | undefined): number | undefined {
  const [, port] = /:(\d+)$/.exec(address ?? '') ?? [];
  return port === undefined ? undefined : Number(port);
}

const REFUSALS: Readonly<Record<string, string>> = { EADDRINUSE: 'is in use', EACCES: 'may not be used here' };

async function opening<Server>(protocol: ExposureProtocol, port: number, server: Promise<Server>): Promise<Server> {
  try {
    return await server;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an error';
    throw new ActionableError(
      'usage',
      `port ${port} for ${protocol} ${REFUSALS[code] ?? `cannot be opened: ${code}`}`,
      `Stop what uses it, or name another: --expose ${protocol}:0 takes any that is free.`,
      { cause: error },
    );
  }
}
