/**
 * Load scenario: a load test as plain data, which means the same as JSON in any process. The reader of scenario files
 * makes it from `traffic` and `chaos`; parts that need no other part of the file are defined by their schemas.
 */

import { z } from 'zod';

import { milliseconds } from '../../common/duration-schema.ts';

import type { PrinterProfile } from '../../devices/printer/printer-profile.ts';
import type { RoomDescription } from '../../devices/room.ts';
import type { DeclaredLoss } from '../../record/load-record.ts';
import { CHAOS_EVENTS } from '../../record/words.ts';
import type { PacerSettings } from '../pacers/pacers.ts';

export interface LoadScenario {
  readonly title: string;
  readonly why: string;
  readonly seed: number | string;
  /** Templates; each stands for `count` computers. */
  readonly computers: readonly LoadComputer[];
  /** The profiles of printers, by the paths that the computers name. */
  readonly profiles: Readonly<Record<string, PrinterProfile>>;
  /** Computers connected per second, by all shards together. */
  readonly connectRate: number;
  /** The longest pause before a computer tries again to connect. */
  readonly longestBackoffMs: number;
  /** How long printing takes: 1 as long as real printers need, 0 no time at all. */
  readonly timeScale: number;
  /** Accounts that send the load; 1 is the account of the key, more are Child Accounts of it. */
  readonly accounts: number;
  /** Source addresses; the system chooses when empty. */
  readonly sources: readonly string[];
  readonly documents: readonly LoadDocument[];
  readonly streams: readonly LoadStream[];
  readonly webhooks: LoadWebhooks | null;
  readonly timeoutMs: number;
  /** Durations of what is intended within this time are not recorded; none by default. */
  readonly warmUpMs?: number | undefined;
  /** How long jobs may take after the last arrival. */
  readonly drainMs: number;
  readonly caps: LoadCaps;
  readonly chaos: readonly ChaosEvent[];
  /** Declared by `worker-lost` events: what a run on several machines may lose. */
  readonly workerLosses: readonly DeclaredLoss[];
  /** As written; verdict/thresholds.ts reads them. */
  readonly thresholds: readonly string[];
  readonly abort: readonly string[];
}

export interface LoadComputer {
  /** Its name stands for `name 1` … `name count` where the count is more than 1. */
  readonly template: RoomDescription['computers'][number];
  readonly count: number;
  readonly behaviour: BehaviourName;
}

/** room/behaviours.ts says what they are. */
export const BEHAVIOUR_NAMES = ['steady', 'busy-shop', 'office', 'warehouse'] as const;
export type BehaviourName = (typeof BEHAVIOUR_NAMES)[number];

export interface LoadDocument {
  readonly name: string;
  readonly language: 'pdf' | 'raw';
  /** Whether submissions contain it, or computers fetch it from a host of the load. */
  readonly via: 'base64' | 'uri';
  readonly source:
    | DocumentFile
    /** Generated for the run, and padded to at least this many bytes. */
    | { readonly kind: 'made'; readonly pages: number; readonly bytes: number };
  /** About how large it is. */
  readonly bytes: number;
}

export interface DocumentFile {
  readonly kind: 'file';
  /** On this machine. */
  readonly path: string;
  /** The hash of the content, in hexadecimal digits. */
  readonly sha256: string;
}

export interface LoadStream {
  readonly name: string;
  readonly operations: readonly WeightedOperation[];
  readonly arrivals: OpenArrivals | ClosedArrivals;
  readonly startMs: number;
  readonly forMs: number;
  /** The accounts that it sends for, numbered from 0. */
  readonly accounts: { readonly first: number; readonly last: number };
}

export interface OpenArrivals {
  readonly kind: 'open';
  readonly pacer: PacerSettings;
}

/** Callers that send a request, wait for the answer, think, and send the next. */
export interface ClosedArrivals {
  readonly kind: 'closed';
  readonly loops: number;
  readonly thinkMs: number;
}

/** What each of them sends: traffic/operations. */
export const OPERATION_NAMES = [
  'submit',
  'cancel',
  'job',
  'states',
  'list-jobs',
  'list-printers',
  'list-computers',
  'read-scales',
  'put-scale',
  'subscribe-scales',
  'webhooks',
  'tags',
  'whoami',
  'noop',
  'ping',
] as const;

export type OperationName = (typeof OPERATION_NAMES)[number];

export interface WeightedOperation {
  readonly name: OperationName;
  readonly weight: number;
  /** The index of the document that a submission sends. */
  readonly document: number;
  /** Fewest and most; drawn for each submission. */
  readonly copies: readonly [number, number];
  readonly qty: readonly [number, number];
  /** When a submitted job expires; null for the default of the service. */
  readonly expireAfterSeconds: number | null;
}

const RECEIVER_ANSWERS = ['ok', 'slow', 'error', 'hang', 'reset', 'no-header'] as const;
export type ReceiverAnswerName = (typeof RECEIVER_ANSWERS)[number];

/** How a receiver of webhooks answers; `delayMs` is how long a slow one takes. */
export interface ReceiverAnswer {
  readonly answers: ReceiverAnswerName;
  readonly delayMs: number;
}

const SLOW_MS = 1_000;

function answerOf(answers: ReceiverAnswerName, delayMs = answers === 'slow' ? SLOW_MS : 0): ReceiverAnswer {
  return { answers, delayMs };
}

const answer = {
  answers: z.enum(RECEIVER_ANSWERS).describe('How the receivers answer.'),
  delay: milliseconds.exactOptional().describe('How long a slow one takes.'),
};

export const webhooksSchema = z
  .strictObject({
    receiver: z
      .strictObject({
        ...answer,
        outage: z
          .strictObject({ at: milliseconds, for: milliseconds, ...answer })
          .exactOptional()
          .describe('A time in which they answer differently.'),
      })
      .describe('The receivers that the load runs, one for each account.'),
  })
  .transform(({ receiver: { answers, delay, outage } }) => ({
    receiver: answerOf(answers, delay),
    outage: outage ? { atMs: outage.at, forMs: outage.for, receiver: answerOf(outage.answers, outage.delay) } : null,
  }));

export type LoadWebhooks = z.output<typeof webhooksSchema>;

const atLeastOne = z.number().int().min(1);

export const capsSchema = z
  .strictObject({
    requests: atLeastOne.exactOptional().describe('No run sends more than these.'),
    connections: atLeastOne.exactOptional().describe('At the same time, for requests.'),
    inFlight: atLeastOne.exactOptional().describe('In flight at the same time; arrivals beyond are shed, and counted.'),
  })
  .transform((given) => ({ ...DEFAULT_CAPS, ...given }));

export const DEFAULT_CAPS = { requests: 10_000_000, connections: 1_000, inFlight: 10_000 };
export type LoadCaps = z.output<typeof capsSchema>;

/** Declares that machines of the run may be lost; nothing makes it happen. */
export const WORKER_LOST = 'worker-lost';

const chaosEvent = z
  .strictObject({
    at: milliseconds.describe('When, from the start of the traffic.'),
    what: z
      .enum([...CHAOS_EVENTS, WORKER_LOST])
      .describe('`worker-lost` only declares that machines of a run on several may be lost: see distributed.md.'),
    share: z.number().min(0).max(1).exactOptional().describe('Share of the computers; all by default.'),
    workers: z
      .int()
      .min(1)
      .max(10_000)
      .exactOptional()
      .describe('For `worker-lost`: how many may be lost; 1 by default.'),
    for: milliseconds.exactOptional().describe('How long they stay away; no time by default.'),
    within: milliseconds
      .exactOptional()
      .describe(
        'The time over which they go or come back; at once by default. For `worker-lost`: until when they may be lost; the end by default.',
      ),
  })
  .superRefine((given, context) => {
    for (const key of given.what === WORKER_LOST ? (['share', 'for'] as const) : (['workers'] as const)) {
      if (given[key] === undefined) continue;
      context.addIssue({ code: 'custom', path: [key], message: `has no meaning with ${given.what}` });
    }
  })
  .transform(({ what, at: atMs, share = 1, for: forMs = 0, within, workers = 1 }) =>
    what === WORKER_LOST
      ? { what, atMs, withinMs: within ?? null, workers }
      : { what, atMs, share, forMs, withinMs: within ?? 0 },
  );

/** Hits a share of the computers, which stay away for `forMs` and go or come back over `withinMs`. */
export type ChaosEvent = Exclude<z.output<typeof chaosEvent>, { readonly what: typeof WORKER_LOST }>;

export const chaosSchema = z
  .array(chaosEvent)
  .max(100)
  .describe('What happens to computers, service and machines during the traffic.');
