/**
 * Observation: one thing that was seen of a service while something was played on it: an answer, a delivery, an
 * acknowledged report, a webhook request. All times are milliseconds on the clock of the service.
 *
 * Observations stand in the order in which they were seen. Between two `quiet` ones things may have crossed on their
 * way; at a `quiet` one everything in progress had finished.
 */

import type { HeaderPair } from '../../common/header-pairs.ts';
import type { JsonObject } from '../../common/json-value.ts';
import type { EVENT_TYPES } from '../../specification/fields.ts';
import type { ObservedExchange } from '../invariant.ts';

export type EventType = (typeof EVENT_TYPES)[number];

interface At {
  readonly atMs: number;
}

/** A request, and the answer to it; `atMs` is when the answer was there. */
export interface SeenExchange extends At {
  readonly kind: 'exchange';
  readonly sentMs: number;
  /** Requests with the same number were sent at the same time, and acted on in any order. */
  readonly together?: number;
  /** The user name of its credentials; empty where it has no credentials that can be read. */
  readonly apiKey: string;
  /** The body that was sent, as JSON; undefined without one. */
  readonly sent: unknown;
  /** The value of the answer's body; a NotJson if it is not JSON. */
  readonly value: unknown;
  readonly http: ObservedExchange;
  /** Its body or its headers are unlike those that its value is usually sent with: that it was refused says nothing. */
  readonly isOdd?: boolean | undefined;
}

/** A request that got no whole answer: whether the service acted on it is unknown. */
interface SeenSilence extends At {
  readonly kind: 'silence';
  /** The user name of its credentials. */
  readonly apiKey: string;
  readonly sentMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly HeaderPair[];
  readonly sent: unknown;
}

/** Who a computer says it is. */
export interface SeenClient {
  readonly installationId: string;
  readonly computerName: string;
  readonly hostname: string | null;
  readonly inet: string | null;
  readonly inet6: string | null;
  readonly version: string | null;
}

/** A computer begins to connect: from its hello on, the service may know it, whether or not a welcome is heard. */
interface SeenAttempt extends At {
  readonly kind: 'connecting';
  readonly apiKey: string;
  readonly client: SeenClient;
}

export interface SeenConnection extends At {
  readonly kind: 'connected';
  readonly sentMs: number;
  readonly computerId: number;
  readonly apiKey: string;
  readonly client: SeenClient;
  readonly holding: readonly number[];
}

/** The connection ended, as its computer sees it. */
interface SeenDrop extends At {
  readonly kind: 'gone' | 'asleep' | 'awake';
  readonly computerId: number;
}

export interface SeenPrinter {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly default: boolean | null;
  readonly state: string | null;
  readonly capabilities: unknown;
}

/** A list of printers on its way, and once more when the service has acknowledged it. */
interface SeenPrinters extends At {
  readonly kind: 'printers-sent' | 'printers';
  readonly computerId: number;
  readonly printers: readonly SeenPrinter[];
}

export interface SeenScale {
  readonly key: string;
  readonly deviceName: string;
  readonly vendor: string | null;
  readonly vendorId: number;
  readonly productId: number;
  readonly port: string | null;
}

interface SeenScales extends At {
  readonly kind: 'scales-sent' | 'scales';
  readonly computerId: number;
  readonly scales: readonly SeenScale[];
}

export interface SeenReading extends At {
  readonly kind: 'reading-sent' | 'reading';
  readonly computerId: number;
  readonly reading: {
    readonly scaleKey: string;
    readonly mass: readonly (number | null)[];
    readonly measurement: Readonly<Record<string, number>>;
    readonly clientReportedCreateTimestamp: string;
  };
}

export interface SeenReport extends At {
  readonly kind: 'report-sent' | 'report';
  readonly computerId: number;
  readonly version: string | null;
  readonly report: {
    readonly id: string;
    readonly jobId: number;
    readonly state: string;
    readonly message: string | null;
    readonly createTimestamp: string;
  };
}

/** A job as its computer got it. */
export interface SeenDelivery extends At {
  readonly kind: 'delivered';
  readonly computerId: number;
  /** Counts the connections of all computers. */
  readonly connection: number;
  readonly job: {
    readonly jobId: number;
    readonly printerKey: string;
    readonly title: string;
    readonly source: string | null;
    readonly contentType: string;
    readonly content: string;
    readonly options: JsonObject;
    readonly qty: number;
    readonly authentication: unknown;
  };
}

/** A request to a receiver of webhooks. */
export interface SeenWebhookRequest extends At {
  readonly kind: 'webhook';
  readonly url: string;
  readonly secret: string | null;
  /** The values of its headers and the strings in its body, wherever the secret may be one of them. */
  readonly values: readonly string[];
  /** Undefined where the body is not an array. */
  readonly events: readonly unknown[] | undefined;
  /** How it was answered; `unsure` where the service may have given up before. */
  readonly answer: 'good' | 'bad' | 'unsure';
  /** When the answer was over; Infinity where it was not yet. */
  readonly endedMs: number;
}

/** The service was killed and started again, while nothing was under way but what hung. */
interface SeenRestart extends At {
  readonly kind: 'restarted';
}

interface Quiet extends At {
  readonly kind: 'quiet';
}

export type Observation =
  | SeenExchange
  | SeenSilence
  | SeenAttempt
  | SeenConnection
  | SeenDrop
  | SeenPrinters
  | SeenScales
  | SeenReading
  | SeenReport
  | SeenDelivery
  | SeenWebhookRequest
  | SeenRestart
  | Quiet;

/**
 * How the service answers what the specification leaves open, by the names that a descriptor has for it. What is left
 * out is unknown, and nothing is judged by it.
 */
export interface AccountDialect {
  readonly 'api-key-body'?: string | undefined;
  readonly 'job-id'?: string | undefined;
  readonly 'message-types'?: Readonly<Record<EventType, string>> | undefined;
  readonly 'tag-body'?: string | undefined;
  readonly 'simulated-reading'?: { readonly body?: unknown } | undefined;
}

/** What a judge has to know beside what was seen. */
export interface Circumstances {
  /** Frames of the link were lost, doubled or late on purpose: a delivery need not have come, or come once. */
  readonly isLinkDisturbed: boolean;
  /** Answers came from a proxy that pretended to be the service. */
  readonly isHttpDisturbed: boolean;
  /** Computers, their links and the receivers of webhooks were not listened to: only callers were. */
  readonly isCallersAlone?: boolean | undefined;
  /** Everything in the account was made since the first observation. */
  readonly isWhole: boolean;
  /** The only account of which that is so, where there are others. */
  readonly ownAccount?: string | undefined;
  /** It answers what the specification leaves open as the reference service does. */
  readonly isReference: boolean;
  /** Nothing passes but the time that is let pass: what is due at once is there at once. */
  readonly isVirtual: boolean;
  /** How far the times may be from those of its clock, beside what a service may take. */
  readonly clockErrorMs: number;
  /** A hook moves the time: when something came by itself is known from one move to the next, and no better. */
  readonly isMoved: boolean;
  readonly dialect: AccountDialect;
  /** Until when there were receivers of webhooks, by origin; undefined where all of them stayed. */
  readonly heard?: ReadonlyMap<string, number> | undefined;
  /** Computers that do not acknowledge what they get: no more need be sent to them. */
  readonly idle?: ReadonlySet<number> | undefined;
}
