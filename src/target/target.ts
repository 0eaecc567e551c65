/**
 * Target: the service under test, as a value.
 *
 * What can be tried on it follows from what it brings: with a link virtual computers can be connected,
 * with a second key accounts can be told apart, on a virtual clock fourteen days can pass.
 */

import type { Clock } from '../common/clock.ts';
import { keysOf } from '../common/keys-of.ts';
import type { Timekeeper } from '../common/timekeeper.ts';
import type { DeviceLink } from '../link/device-link.ts';
import type { Need } from '../spec/clause.ts';

/**
 * embedded: the reference service in this process. remote: reached by an address. container: started from an image
 * for the run.
 */
export type TargetKind = 'embedded' | 'remote' | 'container';

/** Below the ten requests a second that the specification grants. */
export const DEFAULT_REQUESTS_PER_SECOND = 9;

export interface Target {
  /** For people: the address, the image, or `reference service`. */
  readonly name: string;
  readonly kind: TargetKind;
  readonly baseUrl: string;
  /** A key of the account that the checks work in. */
  readonly apiKey: string;
  /** A key of an account that has nothing to do with the first. */
  readonly secondApiKey?: string | undefined;
  /** A key of an Integrator Account, where the first is none. */
  readonly integratorApiKey?: string | undefined;
  /** Under which the service reaches this machine; loopback when left out. */
  readonly callbackHost?: string | undefined;
  /** The address of this machine that the name leads to; all interfaces when left out. */
  readonly callbackAddress?: string | undefined;
  /** Whether the account of the first key may create Child Accounts. */
  readonly isIntegrator?: boolean | undefined;
  /** The account was made for the run and holds nothing of anybody else: all of it may be deleted. */
  readonly isDisposable?: boolean | undefined;
  /** Nothing may be created, changed or deleted on it. */
  readonly isReadOnly?: boolean | undefined;
  /** What the service is declared not to offer: checks that need it are not applicable. */
  readonly absent?: readonly Need[] | undefined;
  /** Where the target turned out otherwise than it is declared, a sentence each. */
  readonly contradictions?: readonly string[] | undefined;
  /** The clock the service runs on, as far as this process can take part in it. */
  readonly clock: Clock;
  /** Lets time pass for the service. */
  readonly timekeeper: Timekeeper;
  /** How virtual computers reach the service. Without it nothing that needs a computer can be tried. */
  readonly link?: DeviceLink | undefined;
  /** Requests a second that the service is willing to take from one caller; unlimited when left out. */
  readonly requestsPerSecond?: number | undefined;
  /** Gives back what belongs to the target: a service that was started for it. */
  close(): Promise<void>;
}

/** The last two are not brought but found out by trying: see src/conformance/run/probes.ts. */
export type Capability =
  | 'link'
  | 'second-account'
  | 'integrator'
  | 'child-account'
  | 'virtual-time'
  | 'webhook-receiver'
  | 'websocket';

/** What the target brings. */
export function capabilitiesOf(target: Target): readonly Capability[] {
  const isIntegrator = target.isIntegrator === true || target.integratorApiKey !== undefined;
  const brings: Readonly<Partial<Record<Capability, boolean>>> = {
    link: target.link !== undefined,
    'second-account': target.secondApiKey !== undefined,
    integrator: isIntegrator,
    // Whoever may create them has one: each check makes its own.
    'child-account': isIntegrator,
    'virtual-time': target.timekeeper.isVirtual,
  };
  return keysOf(brings).filter((capability) => brings[capability]);
}

/** Whether an address is that of this machine. */
export function isLocal(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
