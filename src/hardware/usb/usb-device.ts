/**
 * USB device: what is plugged into the bus, as data, and how it answers a host.
 *
 *   description ─► descriptors (usb-descriptors.ts)
 *   connect(host) ─► connection: control and OUT transfers go in; what the device has to say goes to the host
 *
 * A scale and a printer are devices; the server (usb-ip-server.ts) knows nothing of either.
 */

export interface UsbEndpoint {
  /** 1 to 15. */
  readonly number: number;
  readonly direction: 'in' | 'out';
  readonly kind: 'bulk' | 'interrupt';
  readonly packetBytes: number;
  /** How often a host asks an interrupt endpoint, in milliseconds. */
  readonly intervalMs: number;
}

/** What a host reads in the descriptors: one configuration with one interface. */
export interface UsbDescription {
  readonly vendorId: number;
  readonly productId: number;
  readonly manufacturer: string;
  readonly product: string;
  readonly serial: string;
  readonly interfaceClass: number;
  readonly interfaceSubclass: number;
  readonly interfaceProtocol: number;
  /** Between those of the interface and its endpoints, as a HID device has one. */
  readonly classDescriptor: Uint8Array;
  readonly endpoints: readonly UsbEndpoint[];
}

/** The eight bytes that begin a control transfer. */
export interface UsbSetup {
  readonly requestType: number;
  readonly request: number;
  readonly value: number;
  readonly index: number;
  readonly length: number;
}

/** What the device has to say to the host that took it. */
export interface UsbHost {
  /** Sends these bytes from an IN endpoint as soon as the host asks for them. */
  deliver(endpoint: number, data: Uint8Array): void;
  /** Halts an IN endpoint: every transfer fails until the host clears it. */
  stall(endpoint: number): void;
  /** The device is gone. */
  unplug(): void;
}

/** A device in the hands of a host. */
export interface UsbConnection {
  /** A request of the class, or for a descriptor of it: the answer, empty for none; undefined is a stall. */
  control(setup: UsbSetup, data: Uint8Array): Uint8Array | undefined;
  out(endpoint: number, data: Uint8Array): void;
  /** How much longer than usual a control transfer takes. */
  readonly controlDelayMs: number;
  /** The host has let it go. */
  close(): void;
}

export interface UsbDevice {
  readonly description: UsbDescription;
  /** Whether a host finds it: plugged in, and switched on. */
  readonly isPlugged: boolean;
  connect(host: UsbHost): UsbConnection;
}

/** Nothing to say, and no error. */
export const NO_DATA = new Uint8Array(0);
