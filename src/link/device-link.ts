/**
 * The link as a port: how a computer reaches a service.
 *
 * The specification does not show how a client program talks to the service, so devices are written
 * against this port. websocket-link.ts implements it for the protocol of docs/device-link.md; another
 * service gets an adapter module with the same shape.
 *
 *   DeviceLink.open() ─► LinkSession ──(drop)──► reconnect() ─► the same session goes on
 *
 * A session outlives its connections: reports that were not acknowledged are kept and sent again.
 */

import type {
  ClientReport,
  MessageOf,
  ComputerMessage,
  PrinterReport,
  ScaleReport,
  ServiceMessage,
} from './messages.ts';

/** What a computer proves itself with: a client key of 47 characters, or an API key. */
export interface LinkCredential {
  readonly kind: 'client-key' | 'api-key';
  readonly key: string;
}

export type DeliveredJob = Omit<MessageOf<ServiceMessage, 'job'>, 'type' | 'id'>;
export type JobStateReport = Omit<MessageOf<ComputerMessage, 'job-state'>, 'type'>;
export type ReadingReport = Omit<MessageOf<ComputerMessage, 'reading'>, 'type' | 'id'>;

/**
 * Why a connection could not be made, or ended.
 *
 * unreachable        nothing answers at the address, or it is not an address
 * unauthorized       the key is not (or no longer) good
 * no-common-version  the service speaks other versions of the link
 * no-link            the service has no link at this address
 * refused            the service answered, and does not want this connection
 * protocol           one end says that the other broke the protocol
 * silent             nothing was heard from the service for too long
 * closed             the connection ended in any other way
 */
export const LINK_FAILURE_REASONS = [
  'unreachable',
  'unauthorized',
  'no-common-version',
  'no-link',
  'refused',
  'protocol',
  'silent',
  'closed',
] as const;

export interface LinkFailure {
  readonly reason: (typeof LINK_FAILURE_REASONS)[number];
  readonly message: string;
  /** What else there is to see, such as the last lines of a client program. */
  readonly lines?: readonly string[];
  /** How long a service that limits connections asks this computer to wait. */
  readonly retryAfterMs?: number;
}

export interface LinkEvents {
  /**
   * A job was delivered, perhaps not for the first time. It is acknowledged when the promise resolves:
   * by then the computer must have made it its own. A rejection leaves it unacknowledged.
   */
  onJob(job: DeliveredJob): Promise<void>;
  /** The service asks for a fresh report of printers (and scales). */
  onRefresh(): void;
  /**
   * The connection is gone; nothing is lost, reports are kept for the next one. Called once for each
   * connection, also when `cut` ended it, but not for a handshake that failed and not after `close`.
   */
  onDrop(failure: LinkFailure): void;
}

/** A message on the link, or what else happened to the connection, in parentheses. */
export interface SeenFrame {
  readonly from: 'computer' | 'service';
  readonly text: string;
}

export interface LinkRequest {
  /** Base address of the service, such as `http://127.0.0.1:8631`. */
  readonly serviceUrl: string;
  readonly credential: LinkCredential;
  readonly client: ClientReport;
  /** Jobs taken whose last state is not acknowledged yet; asked anew at each connection. */
  holding(): readonly number[];
  readonly events: LinkEvents;
  /** Source address of the connection, where a machine has several. */
  readonly localAddress?: string | undefined;
  /** Asks the API of the service, as the account of the computer, for a link that has to look there. */
  readonly ask?: ((path: string) => Promise<unknown>) | undefined;
  /** Is shown every message in both directions, as evidence. */
  readonly onFrame?: ((frame: SeenFrame) => void) | undefined;
}

export interface LinkSession {
  readonly computerId: number;
  /** The printers under the names that the service has for them, where a client program reports them. */
  readonly printers?: readonly PrinterReport[] | undefined;
  /** The scales under the names and ports that the service has for them, where a client program reports them. */
  readonly scales?: readonly ScaleReport[] | undefined;
  readonly connected: boolean;
  /**
   * Each resolves when the service has acknowledged; a drop in between only delays that. A list resolves
   * with the newer one that took its place, a reading too old for a new connection when it is dropped.
   *
   * @throws LinkError `protocol` at once when the service could only refuse the report (a field is
   * wrong, it is too long); `closed` when the session is closed before the acknowledgement
   */
  reportPrinters(printers: readonly PrinterReport[]): Promise<void>;
  reportScales(scales: readonly ScaleReport[]): Promise<void>;
  reportJobState(report: JobStateReport): Promise<void>;
  publishReading(reading: ReadingReport): Promise<void>;
  /** Connects again after a drop; does nothing on a live connection. @throws LinkError */
  reconnect(): Promise<void>;
  /** Stops reading and sending on the connection that is open now, as a machine that sleeps. */
  pause(): void;
  /** Reads on, beginning with what came meanwhile. */
  resume(): void;
  /** Cuts the connection without a goodbye, as a pulled plug would. */
  cut(): void;
  /** Says goodbye and ends the session; what was not acknowledged is given up. */
  close(): Promise<void>;
}

export interface DeviceLink {
  /** Connects, says hello and resolves when the service has welcomed the computer. @throws LinkError */
  open(request: LinkRequest): Promise<LinkSession>;
  /** Present where client programs run the computers: what they report is their own, and jobs are seen on paper. */
  readonly program?: ProgramLink | undefined;
}

/** What a computer of a client program consists of. */
export const PROGRAM_PARTS = ['client', 'spooler'] as const;
export type ProgramPart = (typeof PROGRAM_PARTS)[number];

/** What a link does beside, whose computers are run by a client program of the service. */
export interface ProgramLink {
  /** What the machine lacks for its computers to have scales; undefined where they can. */
  readonly lackOfScales?: string | undefined;
  /** The service took a job: it is recognised on paper by what is said of it here. */
  submitted(job: SubmittedJob): void;
  /** Kills a computer's client program, or its print system, and starts it again after a while. */
  crash(computerName: string, what: ProgramPart, downMs: number): void;
  /** A link for computers that are taken down when it is closed. */
  scope(): DeviceLink & { readonly program: ProgramLink };
  /** Takes down the computers that were opened through this link. */
  close(): Promise<void>;
}

/** A job as it was submitted to the service. */
export interface SubmittedJob extends Pick<
  DeliveredJob,
  'jobId' | 'title' | 'contentType' | 'content' | 'options' | 'qty'
> {
  readonly printerId: number;
}

/** What a computer cannot be made to do, or cannot be seen to do, where a client program runs it. */
export class BeyondProgram extends Error {
  override readonly name = 'BeyondProgram';
}

/** A failure in full, line by line. */
export function linesOf({ message, lines = [] }: LinkFailure): readonly string[] {
  return [message, ...lines];
}

export class LinkError extends Error {
  override readonly name = 'LinkError';
  readonly failure: LinkFailure;

  constructor(failure: LinkFailure, options?: ErrorOptions) {
    super(linesOf(failure).join('\n'), options);
    this.failure = failure;
  }
}
