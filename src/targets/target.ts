/**
 * Target: the service under test, as a value.
 *
 * What can be tested follows from what it brings: virtual computers with a link, isolation of accounts with a second
 * key, fourteen days with a virtual clock.
 */

import type { Clock } from '../common/clock.ts';
import { keysOf } from '../common/keys-of.ts';
import type { Timekeeper } from '../common/timekeeper.ts';
import type { DeviceLink } from '../link/device-link.ts';
import type { ClientLinkOptions } from './client/client-link.ts';
import type { Declarable } from './descriptor.ts';
import type { GivenDialect } from './dialect.ts';

/**
 * embedded: the reference service in this process. remote: reached by an address. container: started from an image
 * for the run.
 */
export type TargetKind = 'embedded' | 'remote' | 'container';

/** Below the ten requests a second that the specification grants. */
export const DEFAULT_REQUESTS_PER_SECOND = 9.8;

export interface Target {
  /** For people: the address, the image, or `reference service`. */
  readonly name: string;
  readonly kind: TargetKind;
  readonly baseUrl: string;
  /** A key of the account that the checks work in. */
  readonly apiKey: string;
  /** A key of an unrelated account. */
  readonly secondApiKey?: string | undefined;
  /** A key of an Integrator Account, if the first is not one. */
  readonly integratorApiKey?: string | undefined;
  /** The name by which the service reaches this machine; loopback by default. */
  readonly callbackHost?: string | undefined;
  /** The address of this machine that the name leads to; all interfaces by default. */
  readonly callbackAddress?: string | undefined;
  /** Whether the account of the first key may create Child Accounts. */
  readonly isIntegrator?: boolean | undefined;
  /** The account was made for the run: everything in it may be deleted. */
  readonly isDisposable?: boolean | undefined;
  /** Nothing may be created, changed or deleted on it. */
  readonly isReadOnly?: boolean | undefined;
  /** Declared as missing: checks that need it are not applicable. */
  readonly absent?: readonly Declarable[] | undefined;
  /** Answers that need not be asked for. */
  readonly dialect?: GivenDialect | undefined;
  /** Where the target contradicts its descriptor, a sentence each. */
  readonly contradictions?: readonly string[] | undefined;
  /** What people should know before a run, a sentence each. */
  readonly remarks?: readonly string[] | undefined;
  /** The program of a service that was started for the target. */
  readonly program?: StartedProgram | undefined;
  /** The clock the service runs on, as far as this process can take part in it. */
  readonly clock: Clock;
  /** Lets time pass for the service. */
  readonly timekeeper: Timekeeper;
  /** How long a check may wait on a real clock; what would take longer is not judged. Default: as long as it takes. */
  readonly waitsMs?: number | undefined;
  /** How much later than due something may happen, where that is more than docs/tolerances.md says. */
  readonly toleranceMs?: number | undefined;
  /** How virtual computers reach the service. Without it nothing that needs a computer can be tested. */
  readonly link?: DeviceLink | undefined;
  /** Where a client program runs the computers: how another process opens such a link. */
  readonly client?: ClientLinkOptions | undefined;
  /** Id or name of a printer of the account that checks may submit jobs to, where there is no link. */
  readonly usePrinter?: string | undefined;
  /** The name of a printer that the account shows, where neither that nor a link is given. */
  readonly unusedPrinter?: string | undefined;
  /** What openLink was asked for: a run is repeated with the same link. */
  readonly linkName?: string | undefined;
  /** What else the command line said of it, for a repetition. */
  readonly given?: GivenTarget | undefined;
  /** Requests a second that the service accepts from one caller; unlimited by default. */
  readonly requestsPerSecond?: number | undefined;
  /** Kills the service and starts it again on what it has stored; undefined where that is not possible. */
  restart?(): Promise<void>;
  /** Stops a service that was started for the target. */
  close(): Promise<void>;
}

export interface StartedProgram {
  /** The folder in which its command runs. */
  readonly cwd: string;
  /** How it ended, with its last lines, if platen did not end it. */
  readonly lost: readonly string[] | undefined;
  /** The last lines that it printed. */
  readonly lines: readonly string[];
  /** How many it has printed since it was started. */
  readonly lineCount: number;
  /** Ends it at once, as a power cut does. */
  kill(): Promise<void>;
  /** Starts it again on what it has stored. */
  restart(): Promise<void>;
}

/** How a target was named on a command line. Keys stand here by the account that they are of. */
export interface GivenTarget {
  /** Whole path of the descriptor. The next three were given beside it. */
  readonly descriptor?: string;
  readonly url?: string;
  readonly start?: string;
  readonly image?: string;
  readonly link?: string;
  readonly imagePort?: number;
  readonly callbackHost?: string;
  readonly allowWrites?: true;
  readonly keys: readonly GivenKey[];
}

export type GivenKey = 'second' | 'integrator';

/** The last two are found out by probing: see src/conformance/run/probes.ts. */
export type Capability =
  | 'link'
  | 'second-account'
  | 'integrator'
  | 'child-account'
  | 'virtual-time'
  | 'webhook-receiver'
  | 'websocket';

export function capabilitiesOf(target: Target): readonly Capability[] {
  const isIntegrator = target.isIntegrator === true || target.integratorApiKey !== undefined;
  const brings: Readonly<Partial<Record<Capability, boolean>>> = {
    link: target.link !== undefined,
    'second-account': target.secondApiKey !== undefined,
    integrator: isIntegrator,
    // An Integrator can create them: each check makes its own.
    'child-account': isIntegrator,
    'virtual-time': target.timekeeper.isVirtual,
  };
  return keysOf(brings).filter((capability) => brings[capability]);
}

/** Whether it is said to speak docs/device-link.md, as the reference service does. */
export function speaksDeviceLink({ kind, linkName }: Target): boolean {
  return kind === 'embedded' || linkName === 'websocket';
}
