/**
 * Target: the service under test, as a value.
 *
 * What can be tried on it follows from what it brings: with a link virtual computers can be connected,
 * with a second key accounts can be told apart, on a virtual clock fourteen days can pass.
 */

import type { Clock } from '../common/clock.ts';
import type { Timekeeper } from '../common/timekeeper.ts';
import type { DeviceLink } from '../link/device-link.ts';

/** embedded: the reference service in this process. remote: reached by an address. */
export type TargetKind = 'embedded' | 'remote';

export interface Target {
  /** For people: the address, or `reference service`. */
  readonly name: string;
  readonly kind: TargetKind;
  readonly baseUrl: string;
  /** A key of the account that the checks work in. */
  readonly apiKey: string;
  /** A key of an account that has nothing to do with the first. */
  readonly secondApiKey?: string;
  /** Whether the account of the first key may create Child Accounts. */
  readonly isIntegrator?: boolean;
  /** The clock the service runs on, as far as this process can take part in it. */
  readonly clock: Clock;
  /** Lets time pass for the service. */
  readonly timekeeper: Timekeeper;
  /** How virtual computers reach the service. Without it nothing that needs a computer can be tried. */
  readonly link?: DeviceLink;
  /** Requests a second that the service is willing to take from one caller; unlimited when left out. */
  readonly requestsPerSecond?: number;
  /** Gives back what belongs to the target: a service that was started for it. */
  close(): Promise<void>;
}

/** The last two are not brought but found out by trying: see src/conformance/probes.ts. */
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
  const brings: Readonly<Partial<Record<Capability, boolean>>> = {
    link: target.link !== undefined,
    'second-account': target.secondApiKey !== undefined,
    integrator: target.isIntegrator === true,
    // Whoever may create them has one: each check makes its own.
    'child-account': target.isIntegrator === true,
    'virtual-time': target.timekeeper.isVirtual,
  };
  return (Object.keys(brings) as Capability[]).filter((capability) => brings[capability]);
}
